-- deliveries_claim_webhooks
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
  ),
  targets AS (
    SELECT
      t.*,
      row_number() OVER (
        PARTITION BY
          is_held_back
        ORDER BY
          nth,
          random()
      ) AS turn
    FROM
      (
        SELECT
          e.id,
          e.answers_since IS NOT NULL AS is_catching_up,
          f.is_failing,
          f.is_held_back,
          f.free,
          row_number() OVER (
            PARTITION BY
              e.merchant_id,
              f.is_held_back
            ORDER BY
              random()
          ) AS nth
        FROM
          waiting w
          JOIN webhook_endpoints e ON e.merchant_id = w.merchant_id
          AND e.id = w.endpoint_id
          LEFT JOIN unnest($5::UUID[], $6::INTEGER[]) AS busy (id, slots) ON busy.id = e.id
          LEFT JOIN unnest($8::UUID[], $9::INTEGER[]) AS faster (id, slots) ON faster.id = e.id
          CROSS JOIN LATERAL (
            SELECT
              e.failing_since IS NOT NULL AS is_failing,
              e.failing_since IS NOT NULL
              OR e.id = ANY ($10::UUID[]) AS is_held_back,
              CASE
                WHEN e.failing_since IS NULL THEN coalesce(faster.slots, $4::integer)
                ELSE 1
              END - coalesce(busy.slots, 0) AS free
          ) f
        WHERE
          (
            e.enabled
            OR e.deleted_at IS NOT NULL
          )
          AND f.free > 0
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
      ) t
  ),
  picked AS (
    SELECT
      d.merchant_id,
      d.id,
      t.is_catching_up,
      t.is_failing,
      t.is_held_back,
      t.turn,
      row_number() OVER (
        PARTITION BY
          t.id
        ORDER BY
          d.stands_at
      ) AS place
    FROM
      targets t
      CROSS JOIN LATERAL (
        SELECT
          d.merchant_id,
          d.id,
          front.next_attempt_at AS stands_at
        FROM
          (
            SELECT
              merchant_id,
              id,
              endpoint_id,
              txid,
              sequence,
              next_attempt_at
            FROM
              deliveries
            WHERE
              endpoint_id = t.id
              AND status = 'pending'
              AND next_attempt_at <= $1
            ORDER BY
              next_attempt_at
            LIMIT
              200
          ) front
          LEFT JOIN LATERAL (
            SELECT
              id,
              next_attempt_at
            FROM
              deliveries earlier
            WHERE
              earlier.endpoint_id = front.endpoint_id
              AND earlier.txid = front.txid
              AND earlier.sequence < front.sequence
              AND earlier.status = 'pending'
              AND earlier.attempts = 0
            ORDER BY
              earlier.sequence
            LIMIT
              1
          ) first ON TRUE
          JOIN deliveries d ON d.merchant_id = front.merchant_id
          AND d.id = coalesce(first.id, front.id)
        WHERE
          (
            first.id IS NULL
            OR first.next_attempt_at >= front.next_attempt_at
          )
          AND d.status = 'pending'
          AND d.next_attempt_at <= $1
        ORDER BY
          front.next_attempt_at
        LIMIT
          t.free
        FOR UPDATE OF
          d SKIP LOCKED
      ) d
    WHERE
      NOT t.is_held_back
      OR (
        $7::bigint > 0
        AND t.turn <= 40
      )
  ),
  shares AS (
    SELECT
      p.*,
      coalesce(busy.slots, 0) + row_number() OVER (
        PARTITION BY
          p.merchant_id,
          p.is_held_back
        ORDER BY
          p.place,
          p.turn
      ) AS share
    FROM
      picked p
      LEFT JOIN unnest($11::UUID[], $12::BOOLEAN[], $13::INTEGER[]) AS busy (id, is_held_back, slots) ON busy.id = p.merchant_id
      AND busy.is_held_back = p.is_held_back
  ),
  kinds AS (
    SELECT
      *,
      row_number() OVER (
        PARTITION BY
          is_held_back
        ORDER BY
          share,
          turn
      ) AS place_of_kind
    FROM
      shares
  ),
  ranked AS (
    SELECT
      *,
      row_number() OVER (
        ORDER BY
          share,
          turn
      ) AS rank
    FROM
      kinds
    WHERE
      NOT is_held_back
      OR place_of_kind <= $7::bigint - CASE
        WHEN share = 1 THEN 0
        ELSE share
      END
  ),
  due AS (
    SELECT
      *
    FROM
      ranked
    WHERE
      rank <= $3::bigint - CASE
        WHEN share = 1 THEN 0
        ELSE share
      END
  )
UPDATE deliveries d
SET
  next_attempt_at = least($2::timestamptz, now() + interval '1 minute'),
  failed_at = NULL
FROM
  due
WHERE
  d.merchant_id = due.merchant_id
  AND d.id = due.id
RETURNING
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
  d.attempts AS "attempts",
  d.extra_attempts AS "extraAttempts",
  d.scheduled_at AS "scheduledAt",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt",
  due.is_failing AS "isFailing",
  due.is_held_back AS "isHeldBack",
  due.is_catching_up AS "isCatchingUp";

-- deliveries_claim_mails
WITH RECURSIVE
  senders AS (
    (
      SELECT
        merchant_id,
        mode
      FROM
        deliveries
      WHERE
        recipient_id IS NOT NULL
        AND status = 'pending'
      ORDER BY
        merchant_id,
        mode
      LIMIT
        1
    )
    UNION ALL
    SELECT
      next.merchant_id,
      next.mode
    FROM
      senders s
      CROSS JOIN LATERAL (
        SELECT
          merchant_id,
          mode
        FROM
          deliveries
        WHERE
          recipient_id IS NOT NULL
          AND status = 'pending'
          AND (merchant_id, mode) > (s.merchant_id, s.mode)
        ORDER BY
          merchant_id,
          mode
        LIMIT
          1
      ) next
  ),
  picked AS (
    SELECT
      d.merchant_id,
      d.id,
      s.turn,
      row_number() OVER (
        PARTITION BY
          d.merchant_id,
          d.mode
        ORDER BY
          d.next_attempt_at
      ) AS place
    FROM
      (
        SELECT
          merchant_id,
          mode,
          random() AS turn
        FROM
          senders
      ) s
      CROSS JOIN LATERAL (
        SELECT
          merchant_id,
          mode,
          id,
          next_attempt_at
        FROM
          deliveries
        WHERE
          recipient_id IS NOT NULL
          AND status = 'pending'
          AND merchant_id = s.merchant_id
          AND mode = s.mode
          AND next_attempt_at <= $1
        ORDER BY
          next_attempt_at
        LIMIT
          $3
        FOR UPDATE
          SKIP LOCKED
      ) d
  ),
  shares AS (
    SELECT
      p.*,
      coalesce(busy.slots, 0) + row_number() OVER (
        PARTITION BY
          p.merchant_id
        ORDER BY
          p.place,
          p.turn
      ) AS share
    FROM
      picked p
      LEFT JOIN unnest($4::UUID[], $5::INTEGER[]) AS busy (id, slots) ON busy.id = p.merchant_id
  ),
  ranked AS (
    SELECT
      *,
      row_number() OVER (
        ORDER BY
          share,
          turn
      ) AS rank
    FROM
      shares
  ),
  due AS (
    SELECT
      *
    FROM
      ranked
    WHERE
      rank <= $3::bigint - CASE
        WHEN share = 1 THEN 0
        ELSE share
      END
  )
UPDATE deliveries d
SET
  next_attempt_at = least($2::timestamptz, now() + interval '1 minute'),
  failed_at = NULL
FROM
  due
WHERE
  d.merchant_id = due.merchant_id
  AND d.id = due.id
RETURNING
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
  d.attempts AS "attempts",
  d.extra_attempts AS "extraAttempts",
  d.scheduled_at AS "scheduledAt",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt";
