-- BEGIN
UPDATE webhook_endpoints
SET
  answers_since = $3
WHERE
  merchant_id = $1
  AND id = $2;

-- deliveries_catch_up
WITH
  brought AS (
    UPDATE deliveries d
    SET
      next_attempt_at = least($3::timestamptz, now() + interval '0'),
      scheduled_at = coalesce(d.scheduled_at, d.next_attempt_at)
    FROM
      (
        SELECT
          w.merchant_id,
          w.id
        FROM
          webhook_endpoints e
          JOIN deliveries w ON w.merchant_id = e.merchant_id
          AND w.failed_at < e.answers_since
        WHERE
          e.merchant_id = $1
          AND e.id = $2
          AND endpoint_id = $2
          AND status = 'pending'
          AND failed_at IS NOT NULL
          AND next_attempt_at > $3
          AND extra_attempts < 250
        ORDER BY
          w.next_attempt_at
        LIMIT
          $4
        FOR UPDATE OF
          w SKIP LOCKED
      ) next
    WHERE
      d.merchant_id = next.merchant_id
      AND d.id = next.id
    RETURNING
      1
  )
UPDATE webhook_endpoints
SET
  answers_since = NULL
WHERE
  merchant_id = $1
  AND id = $2
  AND answers_since <= $3
  AND NOT EXISTS (
    SELECT
    FROM
      brought
  );

-- PROBE
UPDATE deliveries d
SET
  next_attempt_at = least(probe.at::timestamptz, now() + interval '29 hours'),
  scheduled_at = coalesce(d.scheduled_at, d.next_attempt_at)
FROM
  (
    SELECT
      w.merchant_id,
      w.id,
      greatest(
        $4::timestamptz,
        $3::timestamptz + greatest(interval '5 seconds', ($3::timestamptz - least(e.failing_since, w.created_at)) / 20)
      ) AS at
    FROM
      webhook_endpoints e
      JOIN deliveries w ON w.merchant_id = e.merchant_id
    WHERE
      e.merchant_id = $1
      AND e.id = $2
      AND endpoint_id = $2
      AND status = 'pending'
      AND failed_at IS NOT NULL
      AND next_attempt_at > $3
      AND extra_attempts < 250
    ORDER BY
      w.next_attempt_at
    LIMIT
      1
    FOR UPDATE OF
      w SKIP LOCKED
  ) probe
WHERE
  d.merchant_id = probe.merchant_id
  AND d.id = probe.id
  AND d.next_attempt_at > probe.at;

-- COUNT
SELECT
  count(*)::integer AS count
FROM
  (
    SELECT
    FROM
      deliveries
    WHERE
      merchant_id = $1
      AND endpoint_id = $2
      AND status = 'pending'
      AND failed_at IS NOT NULL
      AND next_attempt_at > $3
      AND extra_attempts < 250
      AND event_id >= $4
      AND event_id < $5
    LIMIT
      $6
  ) waiting;
