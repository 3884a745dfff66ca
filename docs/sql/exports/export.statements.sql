-- INSERT_EXPORT
WITH
  inserted AS (
    INSERT INTO
      exports (id, merchant_id, mode, requested_by, request, query, created_at)
    SELECT
      $1::uuid,
      $2::uuid,
      $3::text,
      $4::uuid,
      $5::jsonb,
      $6::text,
      $7::timestamptz
    WHERE
      (
        SELECT
          count(*)
        FROM
          exports e
        WHERE
          e.merchant_id IS NOT DISTINCT FROM $2
          AND e.status IN ('queued', 'running')
      ) < $8
    RETURNING
      1
  )
SELECT
FROM
  inserted;

-- TAKE_TURN
SELECT
  pg_advisory_xact_lock(hashtextextended ('exports ' || coalesce($1, ''), 0));

-- FORGET_OLDEST
DELETE FROM exports
WHERE
  finished_at IS NOT NULL
  AND id IN (
    SELECT
      e.id
    FROM
      exports e
    WHERE
      e.merchant_id IS NOT DISTINCT FROM $1
      AND e.mode = $2
    ORDER BY
      e.finished_at IS NULL DESC,
      e.status = 'ready' DESC,
      e.finished_at DESC,
      e.id DESC
    OFFSET
      $3
  );

-- export_claim
WITH
  next AS (
    SELECT
      e.id,
      coalesce(e.place, free.place) AS place
    FROM
      exports e
      CROSS JOIN LATERAL (
        SELECT
          min(n) AS place
        FROM
          generate_series(1, $3::integer) n
        WHERE
          NOT EXISTS (
            SELECT
            FROM
              exports r
            WHERE
              r.status = 'running'
              AND r.place = n
              AND r.merchant_id IS NOT DISTINCT FROM e.merchant_id
          )
      ) free
    WHERE
      e.status = 'queued'
      AND free.place IS NOT NULL
      OR e.status = 'running'
      AND e.lease_until <= $1
    ORDER BY
      (
        SELECT
          max(f.finished_at)
        FROM
          exports f
        WHERE
          f.merchant_id IS NOT DISTINCT FROM e.merchant_id
      ) NULLS FIRST,
      e.created_at,
      e.id
    LIMIT
      1
    FOR UPDATE OF
      e SKIP LOCKED
  )
UPDATE exports e
SET
  status = 'running',
  place = next.place,
  lease_until = least($2::timestamptz, now() + interval '1 minute'),
  attempts = e.attempts + 1,
  rows_done = 0,
  rows_total = NULL
FROM
  next
WHERE
  e.id = next.id
RETURNING
  e.id AS "id",
  e.merchant_id AS "merchantId",
  e.mode AS "mode",
  e.requested_by AS "requestedBy",
  e.request AS "request",
  e.query AS "query",
  e.status AS "status",
  e.attempts AS "attempts",
  e.rows_done AS "rowsDone",
  e.rows_total AS "rowsTotal",
  e.manifest AS "manifest",
  e.created_at AS "createdAt",
  e.finished_at AS "finishedAt",
  e.expires_at AS "expiresAt";

-- export_forget_chunks
DELETE FROM export_chunks
WHERE
  export_id = (
    SELECT
      id
    FROM
      exports
    WHERE
      id = $1
      AND attempts = $2
      AND status = 'running'
    FOR UPDATE
  );

-- export_progress
UPDATE exports
SET
  lease_until = least($3::timestamptz, now() + interval '1 minute'),
  rows_done = $4,
  rows_total = $5
WHERE
  id = $1
  AND attempts = $2
  AND status = 'running'
RETURNING
  1;

-- export_write_chunk
WITH
  held AS (
    UPDATE exports
    SET
      lease_until = least($3::timestamptz, now() + interval '1 minute'),
      rows_done = $4,
      rows_total = $5
    WHERE
      id = $1
      AND attempts = $2
      AND status = 'running'
    RETURNING
      id
  )
INSERT INTO
  export_chunks (export_id, number, content)
SELECT
  id,
  $6::integer,
  $7::bytea
FROM
  held
RETURNING
  1;

-- export_cancel
WITH
  cancelled AS (
    UPDATE exports e
    SET
      status = 'cancelled',
      place = NULL,
      lease_until = NULL,
      finished_at = $5,
      expires_at = $6
    WHERE
      e.merchant_id IS NOT DISTINCT FROM $1
      AND e.mode = $2
      AND (
        $3::uuid IS NULL
        OR e.requested_by = $3
      )
      AND e.id = $4
      AND e.status IN ('queued', 'running')
    RETURNING
      id
  ),
  forgotten AS (
    DELETE FROM export_chunks c USING cancelled
    WHERE
      c.export_id = cancelled.id
  )
SELECT
  id
FROM
  cancelled;

-- exports_untold
SELECT
  e.id AS "id",
  e.merchant_id AS "merchantId",
  e.mode AS "mode",
  e.requested_by AS "requestedBy",
  e.request AS "request",
  e.query AS "query",
  e.status AS "status",
  e.attempts AS "attempts",
  e.rows_done AS "rowsDone",
  e.rows_total AS "rowsTotal",
  e.manifest AS "manifest",
  e.created_at AS "createdAt",
  e.finished_at AS "finishedAt",
  e.expires_at AS "expiresAt"
FROM
  exports e
WHERE
  e.status = 'ready'
  AND e.told_at IS NULL
ORDER BY
  row_number() OVER (
    PARTITION BY
      e.merchant_id
    ORDER BY
      e.finished_at
  ),
  random()
LIMIT
  $1;

-- exports_purge
DELETE FROM exports
WHERE
  id IN (
    SELECT
      id
    FROM
      exports
    WHERE
      expires_at <= $1
    ORDER BY
      expires_at
    LIMIT
      $2
  )
RETURNING
  1;
