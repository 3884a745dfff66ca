-- delivery_log_page
SELECT
  d.merchant_id AS "merchantId",
  d.id AS "id",
  d.mode AS "mode",
  d.type AS "type",
  d.event_id AS "eventId",
  d.txid AS "txid",
  d.sequence AS "sequence",
  d.endpoint_id AS "endpointId",
  d.recipient_id AS "recipientId",
  d.data AS "data",
  d.resent AS "resent",
  d.status AS "status",
  d.attempts AS "attempts",
  d.extra_attempts AS "extraAttempts",
  d.failed_at AS "failedAt",
  d.scheduled_at AS "scheduledAt",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt",
  d.completed_at AS "completedAt"
FROM
  deliveries d
WHERE
  d.merchant_id = $1
  AND d.endpoint_id = $2
  AND d.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  AND TRUE
ORDER BY
  d.id DESC
LIMIT
  $4;

-- delivery_log_pending
SELECT
  d.merchant_id AS "merchantId",
  d.id AS "id",
  d.mode AS "mode",
  d.type AS "type",
  d.event_id AS "eventId",
  d.txid AS "txid",
  d.sequence AS "sequence",
  d.endpoint_id AS "endpointId",
  d.recipient_id AS "recipientId",
  d.data AS "data",
  d.resent AS "resent",
  d.status AS "status",
  d.attempts AS "attempts",
  d.extra_attempts AS "extraAttempts",
  d.failed_at AS "failedAt",
  d.scheduled_at AS "scheduledAt",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt",
  d.completed_at AS "completedAt"
FROM
  deliveries d
WHERE
  d.merchant_id = $1
  AND d.endpoint_id = $2
  AND d.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  AND d.status = 'pending'
ORDER BY
  d.id DESC
LIMIT
  $4;

-- delivery_log_delivered
SELECT
  d.merchant_id AS "merchantId",
  d.id AS "id",
  d.mode AS "mode",
  d.type AS "type",
  d.event_id AS "eventId",
  d.txid AS "txid",
  d.sequence AS "sequence",
  d.endpoint_id AS "endpointId",
  d.recipient_id AS "recipientId",
  d.data AS "data",
  d.resent AS "resent",
  d.status AS "status",
  d.attempts AS "attempts",
  d.extra_attempts AS "extraAttempts",
  d.failed_at AS "failedAt",
  d.scheduled_at AS "scheduledAt",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt",
  d.completed_at AS "completedAt"
FROM
  deliveries d
WHERE
  d.merchant_id = $1
  AND d.endpoint_id = $2
  AND d.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  AND d.status = 'delivered'
ORDER BY
  d.id DESC
LIMIT
  $4;

-- delivery_log_failed
SELECT
  d.merchant_id AS "merchantId",
  d.id AS "id",
  d.mode AS "mode",
  d.type AS "type",
  d.event_id AS "eventId",
  d.txid AS "txid",
  d.sequence AS "sequence",
  d.endpoint_id AS "endpointId",
  d.recipient_id AS "recipientId",
  d.data AS "data",
  d.resent AS "resent",
  d.status AS "status",
  d.attempts AS "attempts",
  d.extra_attempts AS "extraAttempts",
  d.failed_at AS "failedAt",
  d.scheduled_at AS "scheduledAt",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt",
  d.completed_at AS "completedAt"
FROM
  deliveries d
WHERE
  d.merchant_id = $1
  AND d.endpoint_id = $2
  AND d.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  AND d.status = 'failed'
ORDER BY
  d.id DESC
LIMIT
  $4;

-- delivery_log_cancelled
SELECT
  d.merchant_id AS "merchantId",
  d.id AS "id",
  d.mode AS "mode",
  d.type AS "type",
  d.event_id AS "eventId",
  d.txid AS "txid",
  d.sequence AS "sequence",
  d.endpoint_id AS "endpointId",
  d.recipient_id AS "recipientId",
  d.data AS "data",
  d.resent AS "resent",
  d.status AS "status",
  d.attempts AS "attempts",
  d.extra_attempts AS "extraAttempts",
  d.failed_at AS "failedAt",
  d.scheduled_at AS "scheduledAt",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt",
  d.completed_at AS "completedAt"
FROM
  deliveries d
WHERE
  d.merchant_id = $1
  AND d.endpoint_id = $2
  AND d.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  AND d.status = 'cancelled'
ORDER BY
  d.id DESC
LIMIT
  $4;

-- RESEND
INSERT INTO
  deliveries (
    merchant_id,
    id,
    mode,
    type,
    event_id,
    txid,
    sequence,
    endpoint_id,
    resent,
    created_at,
    next_attempt_at
  )
SELECT
  e.merchant_id,
  overlay(
    gen_random_uuid()::text PLACING left($9::text, 15)
    FROM
      1 FOR 15
  )::uuid,
  e.mode,
  e.type,
  e.id,
  e.txid,
  e.sequence,
  $2::uuid,
  TRUE,
  $10::timestamptz,
  least($10::timestamptz, now() + interval '0')
FROM
  events e
WHERE
  e.merchant_id = $1
  AND e.mode = $5
  AND e.id >= $3
  AND e.id < $4
  AND (
    $6::TEXT[] = '{}'
    OR e.type = ANY ($6)
  )
  AND (
    $11::text IS NULL
    OR EXISTS (
      SELECT
      FROM
        orders its_order
      WHERE
        its_order.merchant_id = e.merchant_id
        AND its_order.txid = e.txid
        AND its_order.optional_fields ->> $11 = $12::text
    )
  )
  AND NOT EXISTS (
    SELECT
    FROM
      deliveries
    WHERE
      merchant_id = $1
      AND endpoint_id = $2
      AND endpoint_id IS NOT NULL
      AND event_id = e.id
      AND NOT resent
      AND (
        status = 'pending'
        OR status = 'delivered'
        AND NOT $8
      )
  )
  AND NOT EXISTS (
    SELECT
    FROM
      deliveries
    WHERE
      merchant_id = $1
      AND endpoint_id = $2
      AND endpoint_id IS NOT NULL
      AND event_id = e.id
      AND resent
      AND (
        status = 'pending'
        OR status = 'delivered'
        AND NOT $8
      )
  )
ORDER BY
  e.id
LIMIT
  $7
RETURNING
  id;

-- COUNT_ASKED
SELECT
  count(*)::integer AS count
FROM
  (
    SELECT
    FROM
      deliveries
    WHERE
      merchant_id = $1
      AND mode = $2
      AND status = 'pending'
      AND endpoint_id IS NOT NULL
      AND (
        resent
        OR event_id IS NULL
      )
    LIMIT
      $3
  ) asked;
