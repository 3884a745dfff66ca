-- jobs_insert
INSERT INTO
  jobs (name, due_at)
SELECT
  name,
  now() + interval '1 minute'
FROM
  unnest($1::TEXT[]) AS name
ON CONFLICT DO NOTHING;

-- jobs_due
SELECT
  ARRAY(
    SELECT
      name
    FROM
      jobs
    WHERE
      (
        due_at <= now()
        OR due_at > now() + 2 * interval '1 minute'
      )
      AND name = ANY ($2)
  ) AS jobs,
  EXISTS (
    WITH RECURSIVE
      waiting AS (
        (
          SELECT
            merchant_id,
            endpoint_id
          FROM
            deliveries
          WHERE
            endpoint_id IS NOT NULL
            AND status = 'pending'
          ORDER BY
            endpoint_id
          LIMIT
            1
        )
        UNION ALL
        SELECT
          next.merchant_id,
          next.endpoint_id
        FROM
          waiting
          CROSS JOIN LATERAL (
            SELECT
              merchant_id,
              endpoint_id
            FROM
              deliveries
            WHERE
              endpoint_id > waiting.endpoint_id
              AND status = 'pending'
            ORDER BY
              endpoint_id
            LIMIT
              1
          ) next
      )
    SELECT
    FROM
      waiting w
      JOIN webhook_endpoints e ON e.merchant_id = w.merchant_id
      AND e.id = w.endpoint_id
    WHERE
      (
        e.enabled
        OR e.deleted_at IS NOT NULL
      )
      AND (
        SELECT
          TRUE
        FROM
          deliveries d
        WHERE
          d.endpoint_id = e.id
          AND d.status = 'pending'
          AND d.next_attempt_at <= $1
        LIMIT
          1
      )
  ) AS webhooks,
  EXISTS (
    SELECT
    FROM
      deliveries
    WHERE
      recipient_id IS NOT NULL
      AND status = 'pending'
      AND next_attempt_at <= $1
  ) AS mails,
  EXISTS (
    SELECT
    FROM
      exports
    WHERE
      status = 'queued'
      OR status = 'running'
      AND lease_until <= $1
  ) AS exports;

-- jobs_claim
UPDATE jobs
SET
  due_at = now() + interval '1 minute'
WHERE
  name IN (
    SELECT
      name
    FROM
      jobs
    WHERE
      (
        due_at <= now()
        OR due_at > now() + 2 * interval '1 minute'
      )
      AND name = ANY ($1)
    FOR UPDATE
      SKIP LOCKED
  )
RETURNING
  name;

-- jobs_wake
UPDATE jobs
SET
  due_at = $2
WHERE
  name = $1
  AND due_at > $2;

-- jobs_overdue
SELECT
  name,
  extract(
    epoch
    FROM
      now() - due_at
  )::float8 AS "seconds"
FROM
  jobs
WHERE
  due_at <= now()
  AND name = ANY ($1)
ORDER BY
  due_at;
