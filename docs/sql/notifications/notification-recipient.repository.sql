-- QUEUE
INSERT INTO
  deliveries (merchant_id, id, mode, type, recipient_id, created_at, next_attempt_at)
VALUES
  ($1, $2, $3, $4, $5, $6, least($6::timestamptz, now() + interval '0'));

-- LAST
SELECT
  max(created_at) AS at
FROM
  deliveries
WHERE
  merchant_id = $1
  AND recipient_id = $2
  AND event_id IS NULL
  AND NOT resent
  AND type = $3;

-- recipients_last_deliveries
SELECT
  d.recipient_id AS "recipientId",
  d.id,
  d.type,
  d.status,
  d.attempts,
  d.created_at AS "createdAt",
  d.completed_at AS "completedAt",
  a.status_code AS "statusCode",
  a.error
FROM
  unnest($2::UUID[]) AS r (id)
  CROSS JOIN LATERAL (
    (
      SELECT
        *
      FROM
        deliveries
      WHERE
        merchant_id = $1
        AND recipient_id = r.id
        AND NOT resent
        AND event_id IS NOT NULL
      ORDER BY
        event_id DESC
      LIMIT
        1
    )
    UNION ALL
    (
      SELECT
        *
      FROM
        deliveries
      WHERE
        merchant_id = $1
        AND recipient_id = r.id
        AND NOT resent
        AND event_id IS NULL
    )
    ORDER BY
      id DESC
    LIMIT
      1
  ) d
  LEFT JOIN delivery_attempts a ON a.merchant_id = d.merchant_id
  AND a.delivery_id = d.id
  AND a.number = d.attempts;
