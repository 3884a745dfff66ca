-- user_notice_claim
WITH
  waiting AS (
    SELECT
      id,
      row_number() OVER (
        PARTITION BY
          coalesce(merchant_id, user_id)
        ORDER BY
          next_attempt_at
      ) AS place
    FROM
      user_notices
    WHERE
      next_attempt_at <= $1
      AND kind IN (
        'codes-guessed',
        'owners-changed',
        'endpoint-by-key',
        'account-changed',
        'signed-in',
        'statements-missing',
        'collection-account',
        'payout-waits',
        'operator-closed',
        'operator-access',
        'refund-account'
      )
  ),
  due AS (
    SELECT
      n.id
    FROM
      user_notices n
      JOIN waiting w ON w.id = n.id
    WHERE
      n.next_attempt_at <= $1
    ORDER BY
      w.place,
      random()
    LIMIT
      $3
    FOR UPDATE OF
      n SKIP LOCKED
  ),
  taken AS (
    UPDATE user_notices n
    SET
      next_attempt_at = least($2::timestamptz, now() + interval '1 minute'),
      attempts = n.attempts + 1
    FROM
      due
    WHERE
      n.id = due.id
    RETURNING
      n.*
  )
SELECT
  t.id AS "id",
  t.kind AS "kind",
  t.data AS "data",
  t.created_at AS "createdAt",
  t.attempts AS "attempts",
  t.merchant_id AS "merchantId",
  u.email,
  coalesce(m.time_zone, 'UTC') AS "timeZone"
FROM
  taken t
  JOIN users u ON u.id = t.user_id
  LEFT JOIN merchants m ON m.id = t.merchant_id;

-- user_notice_later
UPDATE user_notices
SET
  next_attempt_at = least($2::timestamptz, now() + interval '29 hours')
WHERE
  id = $1
  AND next_attempt_at IS NOT NULL;

-- user_notice_purge
DELETE FROM user_notices
WHERE
  id IN (
    SELECT
      id
    FROM
      user_notices
    WHERE
      id < $1
      AND next_attempt_at IS NULL
    ORDER BY
      id
    LIMIT
      $2
  );
