-- CANCEL
UPDATE deliveries
SET
  status = 'cancelled',
  next_attempt_at = NULL,
  completed_at = $3
WHERE
  merchant_id = $1
  AND endpoint_id = $2
  AND status = 'pending'
  AND (
    type LIKE 'payout.%'
    OR EXISTS (
      SELECT
      FROM
        webhook_endpoints e
      WHERE
        e.merchant_id = $1
        AND e.id = $2
        AND e.deleted_at IS NOT NULL
    )
  );

-- NOTIFY_MAILBOXES
INSERT INTO
  deliveries (merchant_id, id, mode, type, recipient_id, data, created_at, next_attempt_at)
SELECT
  t.merchant_id,
  overlay(
    gen_random_uuid()::text PLACING left($3::text, 15)
    FROM
      1 FOR 15
  )::uuid,
  t.mode,
  $4::text,
  t.id,
  $5::jsonb,
  $6::timestamptz,
  least($6::timestamptz, now() + interval '0')
FROM
  notification_recipients t
WHERE
  t.merchant_id = $1
  AND t.mode = $2
  AND t.confirmed_at IS NOT NULL
  AND t.unsubscribed_at IS NULL
  AND t.deleted_at IS NULL;

-- webhook_endpoints_failing
SELECT
  e.id,
  e.mode,
  e.url,
  m.name AS "merchantName",
  extract(
    epoch
    FROM
      $1::timestamptz - e.failing_since
  )::float8 AS seconds,
  count(*) OVER ()::integer AS total
FROM
  webhook_endpoints e
  JOIN merchants m ON m.id = e.merchant_id
WHERE
  e.enabled
  AND e.deleted_at IS NULL
  AND e.failing_since IS NOT NULL
ORDER BY
  e.failing_since
LIMIT
  $2;
