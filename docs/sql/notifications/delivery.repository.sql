-- ATTEMPTED
WITH
  attempted AS (
    UPDATE deliveries
    SET
      attempts = attempts + 1,
      status = $11::text,
      completed_at = $12::timestamptz,
      failed_at = $4,
      scheduled_at = NULL,
      extra_attempts = extra_attempts + $14::integer,
      next_attempt_at = CASE
        WHEN $11 = 'pending' THEN least($13::timestamptz, now() + interval '29 hours')
      END
    WHERE
      merchant_id = $1
      AND id = $2
      AND attempts = $3
      AND status = 'pending'
    RETURNING
      attempts
  )
INSERT INTO
  delivery_attempts (
    merchant_id,
    delivery_id,
    number,
    started_at,
    duration_ms,
    succeeded,
    status_code,
    error,
    request_head,
    response_head
  )
SELECT
  $1,
  $2,
  attempts,
  $4,
  $5,
  $6,
  $7,
  $8,
  $9,
  $10
FROM
  attempted
RETURNING
  number;

-- delivery_delivered
WITH
  attempted AS (
    UPDATE deliveries
    SET
      attempts = attempts + 1,
      status = 'delivered',
      next_attempt_at = NULL,
      completed_at = $11
    WHERE
      merchant_id = $1
      AND id = $2
      AND attempts = $3
      AND status = 'pending'
    RETURNING
      attempts
  )
INSERT INTO
  delivery_attempts (
    merchant_id,
    delivery_id,
    number,
    started_at,
    duration_ms,
    succeeded,
    status_code,
    error,
    request_head,
    response_head
  )
SELECT
  $1,
  $2,
  attempts,
  $4,
  $5,
  $6,
  $7,
  $8,
  $9,
  $10
FROM
  attempted
RETURNING
  number;

-- deliveries_purge
DELETE FROM deliveries
WHERE
  (merchant_id, id) IN (
    SELECT
      merchant_id,
      id
    FROM
      deliveries
    WHERE
      created_at < $1
    ORDER BY
      created_at
    LIMIT
      $2
  )
RETURNING
  1;

-- deliveries_backlog
SELECT
  CASE
    WHEN endpoint_id IS NULL THEN 'mail'
    ELSE 'webhook'
  END AS channel,
  count(*) AS depth,
  extract(
    epoch
    FROM
      $1::timestamptz - min(next_attempt_at)
  )::float8 AS "oldestSeconds"
FROM
  deliveries d
WHERE
  status = 'pending'
  AND next_attempt_at <= $1
  AND NOT EXISTS (
    SELECT
    FROM
      webhook_endpoints e
    WHERE
      e.merchant_id = d.merchant_id
      AND e.id = d.endpoint_id
      AND NOT e.enabled
  )
GROUP BY
  1;
