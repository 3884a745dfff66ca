-- retention_unpaid
SELECT
  merchant_id AS "merchantId",
  txid AS id
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          txid
      ) AS place
    FROM
      orders r
    WHERE
      r.merchant_id = m.whose
      AND erased_at IS NULL
      AND status IN ('paid', 'failed', 'cancelled', 'expired')
      AND amount_received = 0
      AND exception = 'none'
      AND txid < $1
    ORDER BY
      txid
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- retention_payers
SELECT
  merchant_id AS "merchantId",
  txid AS id
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          txid
      ) AS place
    FROM
      orders r
    WHERE
      r.merchant_id = m.whose
      AND erased_at IS NULL
      AND status IN ('paid', 'failed', 'cancelled', 'expired')
      AND (
        amount_received > 0
        OR exception <> 'none'
      )
      AND txid < $1
    ORDER BY
      txid
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- retention_reports
SELECT
  merchant_id AS "merchantId",
  id AS id
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          id
      ) AS place
    FROM
      provider_events r
    WHERE
      r.merchant_id = m.whose
      AND body <> ''
      AND id < $1
    ORDER BY
      id
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- retention_notes
SELECT
  merchant_id AS "merchantId",
  id AS id
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          id
      ) AS place
    FROM
      order_notes r
    WHERE
      r.merchant_id = m.whose
      AND text <> '[erased]'
      AND id < $1
    ORDER BY
      id
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- ERASE_ENDED
WITH
  ended AS (
    SELECT
      txid
    FROM
      orders
    WHERE
      merchant_id = $1
      AND txid = ANY ($2::UUID[])
      AND status IN ('paid', 'failed', 'cancelled', 'expired')
    ORDER BY
      txid
    FOR NO KEY UPDATE
  ),
  paid AS (
    UPDATE payments
    SET
      payer_account_number = NULL,
      payer_account_type = NULL,
      payer_account_name = NULL,
      redirect_url = NULL
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
    RETURNING
      id
  ),
  booked AS (
    UPDATE sandbox_transactions
    SET
      payer_account_number = NULL,
      payer_account_type = NULL,
      payer_account_name = NULL
    WHERE
      merchant_id = $1
      AND payment_id IN (
        SELECT
          id
        FROM
          paid
      )
  ),
  refunded AS (
    UPDATE refunds
    SET
      reason = NULL
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
  ),
  noted AS (
    UPDATE order_notes
    SET
      text = '[erased]'
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
  )
UPDATE orders
SET
  description = NULL,
  customer_name = NULL,
  customer_email = NULL,
  optional_fields = '{}',
  return_url = NULL,
  cancel_url = NULL,
  erased_at = coalesce(erased_at, now()),
  erased_as_unpaid = FALSE
WHERE
  merchant_id = $1
  AND txid IN (
    SELECT
      txid
    FROM
      ended
  )
RETURNING
  txid;

-- ERASE.unpaid
WITH
  ended AS (
    SELECT
      txid
    FROM
      orders
    WHERE
      merchant_id = $1
      AND txid = ANY ($2::UUID[])
      AND erased_at IS NULL
      AND status IN ('paid', 'failed', 'cancelled', 'expired')
      AND amount_received = 0
      AND exception = 'none'
    ORDER BY
      txid
    FOR NO KEY UPDATE
  ),
  paid AS (
    UPDATE payments
    SET
      payer_account_number = NULL,
      payer_account_type = NULL,
      payer_account_name = NULL,
      redirect_url = NULL
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
    RETURNING
      id
  ),
  booked AS (
    UPDATE sandbox_transactions
    SET
      payer_account_number = NULL,
      payer_account_type = NULL,
      payer_account_name = NULL
    WHERE
      merchant_id = $1
      AND payment_id IN (
        SELECT
          id
        FROM
          paid
      )
  ),
  refunded AS (
    UPDATE refunds
    SET
      reason = NULL
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
  ),
  noted AS (
    UPDATE order_notes
    SET
      text = '[erased]'
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
  )
UPDATE orders
SET
  description = NULL,
  customer_name = NULL,
  customer_email = NULL,
  optional_fields = '{}',
  return_url = NULL,
  cancel_url = NULL,
  erased_at = coalesce(erased_at, now()),
  erased_as_unpaid = TRUE
WHERE
  merchant_id = $1
  AND txid IN (
    SELECT
      txid
    FROM
      ended
  )
RETURNING
  txid;

-- ERASE.payers
WITH
  ended AS (
    SELECT
      txid
    FROM
      orders
    WHERE
      merchant_id = $1
      AND txid = ANY ($2::UUID[])
      AND erased_at IS NULL
      AND status IN ('paid', 'failed', 'cancelled', 'expired')
      AND (
        amount_received > 0
        OR exception <> 'none'
      )
    ORDER BY
      txid
    FOR NO KEY UPDATE
  ),
  paid AS (
    UPDATE payments
    SET
      payer_account_number = NULL,
      payer_account_type = NULL,
      payer_account_name = NULL,
      redirect_url = NULL
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
    RETURNING
      id
  ),
  booked AS (
    UPDATE sandbox_transactions
    SET
      payer_account_number = NULL,
      payer_account_type = NULL,
      payer_account_name = NULL
    WHERE
      merchant_id = $1
      AND payment_id IN (
        SELECT
          id
        FROM
          paid
      )
  ),
  refunded AS (
    UPDATE refunds
    SET
      reason = NULL
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
  ),
  noted AS (
    UPDATE order_notes
    SET
      text = '[erased]'
    WHERE
      merchant_id = $1
      AND txid IN (
        SELECT
          txid
        FROM
          ended
      )
  )
UPDATE orders
SET
  description = NULL,
  customer_name = NULL,
  customer_email = NULL,
  optional_fields = '{}',
  return_url = NULL,
  cancel_url = NULL,
  erased_at = coalesce(erased_at, now()),
  erased_as_unpaid = FALSE
WHERE
  merchant_id = $1
  AND txid IN (
    SELECT
      txid
    FROM
      ended
  )
RETURNING
  txid;

-- ERASE.reports
UPDATE provider_events
SET
  body = '',
  report = without_payer (report)
WHERE
  merchant_id = $1
  AND id = ANY ($2::UUID[])
  AND body <> '';

-- ERASE.notes
UPDATE order_notes
SET
  text = '[erased]'
WHERE
  merchant_id = $1
  AND id = ANY ($2::UUID[])
  AND text <> '[erased]';

-- ERASE_REPORTS_OF_ORDERS
UPDATE provider_events
SET
  body = '',
  report = without_payer (report)
WHERE
  merchant_id = $1
  AND id >= $3
  AND body <> ''
  AND payment_id IN (
    SELECT
      id
    FROM
      payments
    WHERE
      merchant_id = $1
      AND txid = ANY ($2::UUID[])
  );

-- ERASE_STRAY_REPORTS
WITH
  stray AS (
    SELECT
      id,
      handled_at IS NOT NULL AS handled
    FROM
      provider_events e
    WHERE
      merchant_id = $1
      AND body <> ''
      AND (
        body ~* $2
        OR report::text ~* $2
      )
      AND NOT EXISTS (
        SELECT
        FROM
          payments p
        WHERE
          p.merchant_id = e.merchant_id
          AND p.id = e.payment_id
      )
  ),
  gone AS (
    UPDATE provider_events
    SET
      body = '',
      report = without_payer (report)
    WHERE
      merchant_id = $1
      AND id IN (
        SELECT
          id
        FROM
          stray
        WHERE
          handled
      )
  )
SELECT
  count(*) FILTER (
    WHERE
      handled
  )::integer AS erased,
  count(*) FILTER (
    WHERE
      NOT handled
  )::integer AS waiting
FROM
  stray;

-- retention_orders_of_payer
SELECT
  txid,
  status
FROM
  orders
WHERE
  merchant_id = $1
  AND mode IN ('test', 'live')
  AND lower(customer_email) = lower($2)
UNION
SELECT
  o.txid,
  o.status
FROM
  payments p
  JOIN orders o ON o.merchant_id = p.merchant_id
  AND o.txid = p.txid
WHERE
  p.merchant_id = $1
  AND reverse(lower(replace(p.payer_account_number, ' ', ''))) = reverse(lower(replace($3, ' ', '')))
ORDER BY
  txid;

-- user_sessions_purge
DELETE FROM user_sessions
WHERE
  id IN (
    SELECT
      id
    FROM
      user_sessions
    WHERE
      id < $1
    ORDER BY
      id
    LIMIT
      $2
  )
RETURNING
  id;
