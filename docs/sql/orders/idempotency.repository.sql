-- idempotency_find
SELECT
  content_hash AS "contentHash",
  txid,
  api_version AS "apiVersion",
  status,
  body
FROM
  idempotency_records
WHERE
  merchant_id = $1
  AND mode = $2
  AND route = $3
  AND key = $4;

-- idempotency_claim
INSERT INTO
  idempotency_records (merchant_id, mode, route, key, content_hash, txid, created_at)
SELECT
  merchant_id,
  mode,
  $4,
  $5,
  $6,
  txid,
  $7
FROM
  orders
WHERE
  merchant_id = $1
  AND mode = $2
  AND txid = $3
ON CONFLICT DO NOTHING;

-- idempotency_remember
INSERT INTO
  idempotency_records AS record (merchant_id, mode, txid, route, key, content_hash, created_at, api_version, status, body)
VALUES
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (merchant_id, mode, route, key) DO UPDATE
SET
  api_version = $8,
  status = $9,
  body = $10
WHERE
  record.status IS NULL;

-- idempotency_purge
DELETE FROM idempotency_records
WHERE
  (merchant_id, mode, route, key) IN (
    SELECT
      merchant_id,
      mode,
      route,
      key
    FROM
      idempotency_records
    WHERE
      created_at < $1
    ORDER BY
      created_at
    LIMIT
      $2
  )
RETURNING
  1;
