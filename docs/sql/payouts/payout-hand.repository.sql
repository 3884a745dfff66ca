-- NOTE
INSERT INTO
  payout_hands (merchant_id, payout_id, user_id, act)
SELECT
  $1,
  $2,
  user_id,
  $3
FROM
  unnest($4::UUID[]) u (user_id)
ON CONFLICT DO NOTHING;

-- NOTE_ON_ALL
INSERT INTO
  payout_hands (merchant_id, payout_id, user_id, act)
SELECT
  merchant_id,
  id,
  $3,
  $4
FROM
  unnest($1::UUID[], $2::UUID[]) p (merchant_id, id)
ON CONFLICT DO NOTHING;

-- payout_ties
SELECT DISTINCT
  act AS tie
FROM
  hands_in_payout ($1, $2)
WHERE
  user_id = $3
UNION ALL
SELECT
  'member'
FROM
  merchant_people
WHERE
  merchant_id = $1
  AND user_id = $3;

-- payout_single_operator
SELECT
  r.waiting_hours AS hours,
  CASE p.mode
    WHEN 'test' THEN p.created_at
    ELSE payout_waits_since (p.merchant_id, p.id, p.updated_at) + r.waiting_hours * interval '1 hour'
  END AS until
FROM
  operating_rules r
  CROSS JOIN payouts p
WHERE
  lone_operator_since () IS NOT NULL
  AND p.merchant_id = $1
  AND p.id = $2;

-- IN_OLD_FILE
SELECT
  EXISTS (
    SELECT
    FROM
      payout_hands
    WHERE
      merchant_id = $1
      AND payout_id = $2
      AND act = 'not_sent'
  ) AS found;
