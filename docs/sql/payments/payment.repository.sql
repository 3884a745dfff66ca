-- INSERT
INSERT INTO
  payments (merchant_id, id, txid, provider, method, status, amount, currency, next_poll_at, created_at)
VALUES
  ($1, $2, $3, $4, $5, 'pending', $6, $7, $9, $8);

-- INSERT_AWAITED
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
    provider_reference,
    transfer,
    next_poll_at,
    created_at
  )
VALUES
  ($1, $2, $3, $4, $5, 'pending', $6, $7, $10, $11, $9, $8);

-- payment_by_id
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.txid AS "txid",
  p.provider AS "provider",
  p.method AS "method",
  p.status AS "status",
  p.amount AS "amount",
  p.currency AS "currency",
  p.amount_received AS "amountReceived",
  p.received_currency AS "receivedCurrency",
  p.completes_order AS "completesOrder",
  p.provider_reference AS "providerReference",
  p.redirect_url AS "redirectUrl",
  p.error_code AS "errorCode",
  p.error_message AS "errorMessage",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  p.transfer AS "transfer",
  p.polls AS "polls",
  p.next_poll_at AS "nextPollAt",
  p.created_at AS "createdAt",
  p.completed_at AS "completedAt"
FROM
  payments p
WHERE
  merchant_id = $1
  AND id = $2;

-- PRICED_ONE
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.txid AS "txid",
  p.provider AS "provider",
  p.method AS "method",
  p.status AS "status",
  p.amount AS "amount",
  p.currency AS "currency",
  p.amount_received AS "amountReceived",
  p.received_currency AS "receivedCurrency",
  p.completes_order AS "completesOrder",
  p.provider_reference AS "providerReference",
  p.redirect_url AS "redirectUrl",
  p.error_code AS "errorCode",
  p.error_message AS "errorMessage",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  p.transfer AS "transfer",
  p.polls AS "polls",
  p.next_poll_at AS "nextPollAt",
  p.created_at AS "createdAt",
  p.completed_at AS "completedAt",
  CASE
    WHEN f.merchant_id IS NOT NULL THEN json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed)
  END AS price
FROM
  payments p
  LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
  AND f.provider = p.provider
  AND f.currency = p.currency
WHERE
  p.merchant_id = $1
  AND p.id = $2;

-- ARRIVED
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.txid AS "txid",
  p.provider AS "provider",
  p.method AS "method",
  p.status AS "status",
  p.amount AS "amount",
  p.currency AS "currency",
  p.amount_received AS "amountReceived",
  p.received_currency AS "receivedCurrency",
  p.completes_order AS "completesOrder",
  p.provider_reference AS "providerReference",
  p.redirect_url AS "redirectUrl",
  p.error_code AS "errorCode",
  p.error_message AS "errorMessage",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  p.transfer AS "transfer",
  p.polls AS "polls",
  p.next_poll_at AS "nextPollAt",
  p.created_at AS "createdAt",
  p.completed_at AS "completedAt",
  CASE
    WHEN f.merchant_id IS NOT NULL THEN json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed)
  END AS price
FROM
  payments p
  LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
  AND f.provider = p.provider
  AND f.currency = p.currency
WHERE
  p.merchant_id = $1
  AND p.txid = $2
  AND p.status = 'succeeded'
ORDER BY
  p.completed_at,
  p.id;

-- OF_ORDER
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.txid AS "txid",
  p.provider AS "provider",
  p.method AS "method",
  p.status AS "status",
  p.amount AS "amount",
  p.currency AS "currency",
  p.amount_received AS "amountReceived",
  p.received_currency AS "receivedCurrency",
  p.completes_order AS "completesOrder",
  p.provider_reference AS "providerReference",
  p.redirect_url AS "redirectUrl",
  p.error_code AS "errorCode",
  p.error_message AS "errorMessage",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  p.transfer AS "transfer",
  p.polls AS "polls",
  p.next_poll_at AS "nextPollAt",
  p.created_at AS "createdAt",
  p.completed_at AS "completedAt"
FROM
  payments p
WHERE
  merchant_id = $1
  AND txid = $2
ORDER BY
  id;

-- OF_ORDERS
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.txid AS "txid",
  p.provider AS "provider",
  p.method AS "method",
  p.status AS "status",
  p.amount AS "amount",
  p.currency AS "currency",
  p.amount_received AS "amountReceived",
  p.received_currency AS "receivedCurrency",
  p.completes_order AS "completesOrder",
  p.provider_reference AS "providerReference",
  p.redirect_url AS "redirectUrl",
  p.error_code AS "errorCode",
  p.error_message AS "errorMessage",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  p.transfer AS "transfer",
  p.polls AS "polls",
  p.next_poll_at AS "nextPollAt",
  p.created_at AS "createdAt",
  p.completed_at AS "completedAt",
  CASE
    WHEN f.merchant_id IS NOT NULL THEN json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed)
  END AS price
FROM
  payments p
  LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
  AND f.provider = p.provider
  AND f.currency = p.currency
WHERE
  (p.merchant_id, p.txid) IN (
    SELECT
      *
    FROM
      unnest($1::UUID[], $2::UUID[])
  )
ORDER BY
  p.id;

-- ARRIVING
WITH
  p AS (
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
        provider_reference,
        transfer,
        next_poll_at,
        created_at
      )
    VALUES
      ($1, $2, $3, $4, $5, 'cancelled', $6, $7, $10, $11, $9, $8)
    RETURNING
      *
  )
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.txid AS "txid",
  p.provider AS "provider",
  p.method AS "method",
  p.status AS "status",
  p.amount AS "amount",
  p.currency AS "currency",
  p.amount_received AS "amountReceived",
  p.received_currency AS "receivedCurrency",
  p.completes_order AS "completesOrder",
  p.provider_reference AS "providerReference",
  p.redirect_url AS "redirectUrl",
  p.error_code AS "errorCode",
  p.error_message AS "errorMessage",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  p.transfer AS "transfer",
  p.polls AS "polls",
  p.next_poll_at AS "nextPollAt",
  p.created_at AS "createdAt",
  p.completed_at AS "completedAt",
  CASE
    WHEN f.merchant_id IS NOT NULL THEN json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed)
  END AS price
FROM
  p
  LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
  AND f.provider = p.provider
  AND f.currency = p.currency;

-- payments_to_poll
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.txid AS "txid",
  r.provider AS "provider",
  r.method AS "method",
  r.status AS "status",
  r.amount AS "amount",
  r.currency AS "currency",
  r.amount_received AS "amountReceived",
  r.received_currency AS "receivedCurrency",
  r.completes_order AS "completesOrder",
  r.provider_reference AS "providerReference",
  r.redirect_url AS "redirectUrl",
  r.error_code AS "errorCode",
  r.error_message AS "errorMessage",
  r.payer_account_number AS "payerAccountNumber",
  r.payer_account_type AS "payerAccountType",
  r.payer_account_name AS "payerAccountName",
  r.transfer AS "transfer",
  r.polls AS "polls",
  r.next_poll_at AS "nextPollAt",
  r.created_at AS "createdAt",
  r.completed_at AS "completedAt"
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN (
    VALUES
      ('live'),
      ('test')
  ) l (at)
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          next_poll_at
      ) AS place
    FROM
      payments r
    WHERE
      r.merchant_id = m.whose
      AND status = 'pending'
      AND next_poll_at <= $1
      AND (
        SELECT
          o.mode
        FROM
          orders o
        WHERE
          o.merchant_id = r.merchant_id
          AND o.txid = r.txid
      ) = l.at
    ORDER BY
      next_poll_at
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- payment_looked
UPDATE payments
SET
  polls = polls + 1,
  next_poll_at = $4
WHERE
  merchant_id = $1
  AND id = $2
  AND polls = $3
  AND status = 'pending'
RETURNING
  id;

-- payment_started
UPDATE payments
SET
  provider_reference = $3,
  redirect_url = $4
WHERE
  merchant_id = $1
  AND id = $2;
