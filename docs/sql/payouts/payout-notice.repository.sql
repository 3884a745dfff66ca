-- payout_unnoticed
WITH
  rule AS MATERIALIZED (
    SELECT
    WHERE
      lone_operator_since () IS NOT NULL
  )
SELECT
  merchant_id AS "merchantId",
  id
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          id
      ) AS place
    FROM
      payouts r
    WHERE
      r.merchant_id = m.whose
      AND EXISTS (
        SELECT
        FROM
          rule
      )
      AND r.status = 'pending_approval'
      AND r.mode = 'live'
      AND NOT EXISTS (
        SELECT
        FROM
          user_notices n
        WHERE
          n.merchant_id = r.merchant_id
          AND n.kind = 'payout-waits'
          AND n.data ->> 'payout' = r.id::text
          AND n.created_at >= least(r.updated_at, $1)
      )
    ORDER BY
      id
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- LOCK
SELECT
FROM
  payouts
WHERE
  merchant_id = $1
  AND id = $2
FOR NO KEY UPDATE
  SKIP LOCKED;

-- READ
SELECT
  p.merchant_id AS "merchantId",
  p.id,
  p.amount,
  p.currency,
  p.updated_at AS "updatedAt",
  r.waiting_hours AS hours
FROM
  payouts p
  CROSS JOIN operating_rules r
WHERE
  p.merchant_id = $1
  AND p.id = $2
  AND lone_operator_since () IS NOT NULL
  AND p.status = 'pending_approval'
  AND p.mode = 'live'
  AND NOT EXISTS (
    SELECT
    FROM
      user_notices n
    WHERE
      n.merchant_id = p.merchant_id
      AND n.kind = 'payout-waits'
      AND n.data ->> 'payout' = p.id::text
      AND n.created_at >= least(p.updated_at, $3)
  )
  AND (
    SELECT
      count(DISTINCT n.data ->> 'payout')
    FROM
      user_notices n
    WHERE
      n.merchant_id = $1
      AND n.kind = 'payout-waits'
      AND n.created_at >= $3
  ) < $4
  AND EXISTS (
    SELECT
    FROM
      hands_in_payout (p.merchant_id, p.id) h
      JOIN users u ON u.id = h.user_id
      AND u.platform_role IS NOT NULL
  );
