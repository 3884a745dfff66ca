-- seed_orders
WITH
  dice AS MATERIALIZED (
    SELECT
      n,
      date_trunc(
        'milliseconds',
        $6::timestamptz - make_interval(secs => $7::integer * 86400 * (1 - (n - random()) / $4::float8))
      ) AS created_at,
      random() AS luck,
      random() AS coin,
      random() AS oddity,
      CASE
        WHEN random() < 0.5 THEN 990 + 500 * floor(random() * 40)
        ELSE 100 + floor(power(random(), 3) * 200000)
      END::bigint AS price,
      floor(random() * 60000)::integer AS customer,
      random() AS first,
      random() AS last
    FROM
      generate_series($2::integer, $3::integer) n
  ),
  state AS MATERIALIZED (
    SELECT
      *,
      (
        overlay(
          lpad(
            to_hex(
              (
                extract(
                  epoch
                  FROM
                    created_at
                ) * 1000
              )::bigint
            ),
            12,
            '0'
          ) PLACING '-'
          FROM
            9 FOR 0
        ) || '-7' || substr(gen_random_uuid()::text, 16)
      )::uuid AS txid,
      (
        overlay(
          lpad(
            to_hex(
              (
                extract(
                  epoch
                  FROM
                    created_at
                ) * 1000
              )::bigint
            ),
            12,
            '0'
          ) PLACING '-'
          FROM
            9 FOR 0
        ) || '-7' || substr(gen_random_uuid()::text, 16)
      )::uuid AS payment,
      CASE
        WHEN created_at > $6::timestamptz - interval '55 minutes'
        AND luck < 0.35 THEN 'open'
        WHEN luck < 0.003 THEN 'processing'
        WHEN luck < 0.72 THEN 'paid'
        WHEN luck < 0.76 THEN 'failed'
        WHEN luck < 0.84 THEN 'cancelled'
        ELSE 'expired'
      END AS status,
      CASE
        WHEN coin < 0.8 THEN 'EUR'
        WHEN coin < 0.92 THEN 'USD'
        WHEN coin < 0.98 THEN 'JPY'
        ELSE 'KWD'
      END AS currency
    FROM
      dice
  ),
  money AS (
    SELECT
      *,
      CASE currency
        WHEN 'JPY' THEN price
        WHEN 'KWD' THEN price * 10
        ELSE price
      END AS amount,
      CASE
        WHEN status = 'paid'
        AND oddity < 0.006 THEN 'overpaid'
        WHEN status = 'paid'
        AND oddity < 0.008 THEN 'duplicate_payment'
        WHEN status = 'expired'
        AND oddity < 0.015 THEN 'underpaid'
        WHEN status = 'expired'
        AND oddity < 0.02 THEN 'paid_late'
        WHEN status = 'expired'
        AND oddity < 0.022 THEN 'wrong_currency'
        ELSE 'none'
      END AS exception
    FROM
      state
  ),
  seeds AS MATERIALIZED (
    SELECT
      *,
      CASE
        WHEN exception = 'overpaid' THEN amount + 100
        WHEN exception = 'duplicate_payment' THEN 2 * amount
        WHEN exception = 'underpaid' THEN (amount + 1) / 2
        WHEN status = 'paid'
        OR exception = 'paid_late' THEN amount
        ELSE 0
      END AS received,
      CASE status
        WHEN 'processing' THEN 'awaiting_provider'
        WHEN 'paid' THEN CASE exception
          WHEN 'overpaid' THEN 'overpaid'
          ELSE 'exact'
        END
        WHEN 'failed' THEN 'insufficient_funds'
        WHEN 'cancelled' THEN 'by_payer'
        WHEN 'expired' THEN CASE exception
          WHEN 'underpaid' THEN 'partially_paid'
          ELSE 'not_paid'
        END
      END AS reason,
      status IN ('processing', 'paid', 'failed')
      OR exception <> 'none' AS has_payment,
      exception = 'wrong_currency' AS is_foreign,
      CASE
        WHEN status <> 'processing'
        AND coin > 0.7 THEN 'bank-transfer'
        ELSE 'sandbox'
      END AS provider,
      created_at + make_interval(secs => 20 + floor(luck * 600)::integer) AS ended_at,
      (
        '{Anna,Ben,Clara,David,Elif,Finn,Greta,Hugo,Ida,Jonas,Kenji,Lena,Mateo,Nora,Omar,Paula,Quentin,Rosa,Samir,Tilda,Uwe,Vera,Wanda,Xaver,Yuki,Zoe,Amélie,Björn,Chiara,Dörte,Émile,Fatima,Gülsen,Håkon,Inés,Jörg,Katarzyna,Ludwig,Małgorzata,Noël}'::TEXT[]
      ) [
        1 + floor(
          first * cardinality(
            '{Anna,Ben,Clara,David,Elif,Finn,Greta,Hugo,Ida,Jonas,Kenji,Lena,Mateo,Nora,Omar,Paula,Quentin,Rosa,Samir,Tilda,Uwe,Vera,Wanda,Xaver,Yuki,Zoe,Amélie,Björn,Chiara,Dörte,Émile,Fatima,Gülsen,Håkon,Inés,Jörg,Katarzyna,Ludwig,Małgorzata,Noël}'::TEXT[]
          )
        )::integer
      ] AS first_name,
      (
        '{Ackermann,Brandt,Costa,Dupont,Eriksen,Fischer,García,Hoffmann,Ivanova,Jansen,Kowalski,Lehmann,Moreau,Nakamura,Okafor,Petersen,Quandt,Rossi,Schneider,Tanaka,Ullrich,Vogel,Weber,Yılmaz,Zimmer,Albrecht,Becker,Conti,Demir,Engel,Franke,Graf,Haas,Iglesias,Jung,Keller,Lange,Meier,Neumann,Otto,Peeters,Richter,Sato,Thomas,Urban,Vargas,Wolff,Zeller,Böhm,Çelik,Sørensen,Müller}'::TEXT[]
      ) [
        1 + floor(
          last * cardinality(
            '{Ackermann,Brandt,Costa,Dupont,Eriksen,Fischer,García,Hoffmann,Ivanova,Jansen,Kowalski,Lehmann,Moreau,Nakamura,Okafor,Petersen,Quandt,Rossi,Schneider,Tanaka,Ullrich,Vogel,Weber,Yılmaz,Zimmer,Albrecht,Becker,Conti,Demir,Engel,Franke,Graf,Haas,Iglesias,Jung,Keller,Lange,Meier,Neumann,Otto,Peeters,Richter,Sato,Thomas,Urban,Vargas,Wolff,Zeller,Böhm,Çelik,Sørensen,Müller}'::TEXT[]
          )
        )::integer
      ] AS last_name
    FROM
      money
  ),
  written AS (
    INSERT INTO
      orders (
        merchant_id,
        txid,
        mode,
        order_merchant_id,
        holds_merchant_id,
        content_hash,
        status,
        status_reason,
        exception,
        amount,
        currency,
        amount_received,
        fee,
        description,
        customer_name,
        customer_email,
        optional_fields,
        page_token,
        attempts,
        payment_id,
        created_at,
        updated_at,
        expires_at,
        paid_at
      )
    SELECT
      $1::uuid,
      txid,
      'test',
      'seed-' || $5::text || '-' || n,
      status NOT IN ('failed', 'cancelled', 'expired'),
      sha256(uuid_send (txid)),
      status,
      reason,
      exception,
      amount,
      currency,
      received,
      CASE status
        WHEN 'paid' THEN 0
      END,
      'Order ' || n,
      CASE
        WHEN oddity < 0.9 THEN first_name || ' ' || last_name
      END,
      CASE
        WHEN oddity < 0.8 THEN 'customer' || customer || '@mail.example'
      END,
      CASE
        WHEN luck < 0.4 THEN '{}'::json
        ELSE json_strip_nulls(
          json_build_object(
            'channel',
            CASE
              WHEN coin < 0.6 THEN 'web'
              WHEN coin < 0.9 THEN 'app'
              ELSE 'phone'
            END,
            'campaign',
            CASE
              WHEN oddity < 0.3 THEN to_char(created_at, '"mail-"YYYY-MM')
            END,
            'invoice',
            CASE
              WHEN oddity > 0.6 THEN 'R-' || $5::text || '-' || n
            END
          )
        )
      END,
      translate(
        left(encode(uuid_send (gen_random_uuid()) || uuid_send (gen_random_uuid()), 'base64'), 32),
        '+/',
        '-_'
      ),
      has_payment::integer,
      CASE
        WHEN has_payment THEN payment
      END,
      created_at,
      CASE status
        WHEN 'open' THEN created_at
        WHEN 'expired' THEN created_at + interval '1 hour'
        ELSE ended_at
      END,
      created_at + interval '1 hour',
      CASE status
        WHEN 'paid' THEN ended_at
      END
    FROM
      seeds
    RETURNING
      txid
  ),
  paid AS (
    INSERT INTO
      payments (
        merchant_id,
        id,
        txid,
        provider,
        method,
        status,
        amount,
        currency,
        amount_received,
        received_currency,
        completes_order,
        provider_reference,
        error_code,
        error_message,
        payer_account_number,
        payer_account_type,
        payer_account_name,
        created_at,
        completed_at
      )
    SELECT
      $1::uuid,
      payment,
      txid,
      provider,
      provider,
      CASE
        WHEN status = 'processing' THEN 'pending'
        WHEN status = 'failed'
        OR is_foreign THEN 'failed'
        ELSE 'succeeded'
      END,
      amount,
      currency,
      CASE
        WHEN is_foreign THEN amount
        WHEN received > 0 THEN received
      END,
      CASE
        WHEN is_foreign THEN 'CHF'
        WHEN received > 0 THEN currency
      END,
      status = 'paid',
      'seed-' || $5::text || '-' || n,
      CASE
        WHEN is_foreign THEN 'wrong_currency'
        WHEN status = 'failed' THEN 'insufficient_funds'
      END,
      CASE
        WHEN is_foreign THEN 'The money came in CHF, the order is in ' || currency || '.'
        WHEN status = 'failed' THEN 'The account has too little money.'
      END,
      CASE
        WHEN received > 0 THEN CASE account_type
          WHEN 'iban' THEN 'DE' || digits
          WHEN 'masked_card' THEN '**** **** **** ' || right(digits, 4)
          ELSE 'payer' || customer || '@wallet.example'
        END
      END,
      CASE
        WHEN received > 0 THEN account_type
      END,
      CASE
        WHEN received > 0
        AND oddity < 0.95 THEN first_name || ' ' || last_name
      END,
      created_at + interval '10 seconds',
      CASE
        WHEN status <> 'processing' THEN ended_at
      END
    FROM
      (
        SELECT
          *,
          CASE
            WHEN last < 0.6 THEN 'iban'
            WHEN last < 0.9 THEN 'masked_card'
            ELSE 'email'
          END AS account_type,
          lpad(((('x' || right(txid::text, 12))::bit(48)::bigint))::text, 20, '7') AS digits
        FROM
          seeds
      ) s
    WHERE
      has_payment
  ),
  booked AS (
    INSERT INTO
      transfers (merchant_id, id, mode, currency, kind, debit, credit, amount, txid, payment_id, created_at)
    SELECT
      $1::uuid,
      (
        overlay(
          lpad(
            to_hex(
              (
                extract(
                  epoch
                  FROM
                    ended_at
                ) * 1000
              )::bigint
            ),
            12,
            '0'
          ) PLACING '-'
          FROM
            9 FOR 0
        ) || '-7' || substr(gen_random_uuid()::text, 16)
      )::uuid,
      'test',
      CASE
        WHEN is_foreign THEN 'CHF'
        ELSE currency
      END,
      b.kind,
      'clearing:' || provider,
      CASE b.kind
        WHEN 'payment' THEN 'available'
        ELSE b.kind
      END,
      b.amount,
      txid,
      payment,
      ended_at
    FROM
      seeds
      CROSS JOIN LATERAL (
        VALUES
          (
            'payment',
            CASE status
              WHEN 'paid' THEN amount
              ELSE 0
            END
          ),
          (
            'unallocated',
            CASE
              WHEN is_foreign THEN amount
              WHEN status = 'paid' THEN received - amount
              ELSE received
            END
          )
      ) b (kind, amount)
    WHERE
      b.amount > 0
  )
SELECT
  count(*)::integer AS written
FROM
  written;

-- seed_checkpoint
UPDATE transfers
SET
  checkpointed = TRUE
WHERE
  merchant_id = $1
  AND mode = 'test'
  AND NOT checkpointed;
