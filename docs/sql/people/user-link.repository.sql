-- user_link_pending
SELECT
  id,
  email,
  role,
  created_at AS "createdAt",
  expires_at AS "expiresAt",
  sent_at AS "sentAt",
  token IS NOT NULL AS "isWaiting"
FROM
  user_links
WHERE
  merchant_id = $1
  AND kind = 'invitation'
  AND used_at IS NULL
ORDER BY
  created_at DESC,
  id DESC
LIMIT
  200;

-- user_link_invitation
SELECT
  l.id,
  l.email,
  l.role,
  m.id AS "merchantId",
  m.name AS "merchantName",
  u.id AS "userId",
  u.disabled_at IS NOT NULL AS "isDisabled",
  u.platform_role IS NOT NULL AS "isStaff"
FROM
  user_links l
  JOIN merchants m ON m.id = l.merchant_id
  LEFT JOIN users u ON u.email = l.email
WHERE
  l.token_hash = $1
  AND l.kind = 'invitation'
  AND l.used_at IS NULL
  AND l.expires_at > $2
  AND EXISTS (
    SELECT
    FROM
      memberships i
      JOIN users s ON s.id = i.user_id
    WHERE
      i.merchant_id = l.merchant_id
      AND i.user_id = l.created_by
      AND i.role = 'owner'
      AND s.disabled_at IS NULL
  );

-- user_link_reset
SELECT
  l.id,
  u.id AS "userId",
  u.email,
  u.name
FROM
  user_links l
  JOIN users u ON u.email = l.email
WHERE
  l.token_hash = $1
  AND l.kind = 'reset'
  AND l.used_at IS NULL
  AND l.expires_at > $2
  AND u.disabled_at IS NULL;

-- USE
UPDATE user_links l
SET
  used_at = $3,
  token = NULL,
  next_attempt_at = NULL
WHERE
  id = $1
  AND token_hash = $2
  AND used_at IS NULL
  AND expires_at > $3
  AND (
    kind = 'reset'
    OR EXISTS (
      SELECT
      FROM
        memberships i
        JOIN users s ON s.id = i.user_id
      WHERE
        i.merchant_id = l.merchant_id
        AND i.user_id = l.created_by
        AND i.role = 'owner'
        AND s.disabled_at IS NULL
    )
  );

-- RENEW
UPDATE user_links
SET
  token = $3,
  token_hash = $4,
  created_at = $5,
  expires_at = $6,
  attempts = 0,
  next_attempt_at = least($5::timestamptz, now() + interval '0'),
  sent_at = NULL
WHERE
  id = $1
  AND merchant_id = $2
  AND kind = 'invitation'
  AND used_at IS NULL
  AND created_at <= $7
RETURNING
  email;

-- REVOKE
DELETE FROM user_links
WHERE
  id = $1
  AND merchant_id = $2
  AND kind = 'invitation'
  AND used_at IS NULL
RETURNING
  email;

-- WITHDRAW
DELETE FROM user_links
WHERE
  (
    created_by = $1
    OR email = (
      SELECT
        email
      FROM
        users
      WHERE
        id = $1
    )
  )
  AND (
    $2::uuid IS NULL
    OR merchant_id = $2
  )
  AND kind = 'invitation'
  AND used_at IS NULL
RETURNING
  id,
  merchant_id AS "merchantId",
  email;

-- user_link_claim
WITH
  waiting AS (
    SELECT
      id,
      row_number() OVER (
        PARTITION BY
          coalesce(merchant_id::text, email)
        ORDER BY
          next_attempt_at
      ) AS place
    FROM
      user_links
    WHERE
      token IS NOT NULL
      AND next_attempt_at <= $1
      AND expires_at > $1
  ),
  due AS (
    SELECT
      l.id
    FROM
      user_links l
      JOIN waiting w ON w.id = l.id
    WHERE
      l.token IS NOT NULL
      AND l.next_attempt_at <= $1
    ORDER BY
      w.place,
      random()
    LIMIT
      $3
    FOR UPDATE OF
      l SKIP LOCKED
  ),
  taken AS (
    UPDATE user_links l
    SET
      next_attempt_at = least($2::timestamptz, now() + interval '1 minute'),
      attempts = l.attempts + 1
    FROM
      due
    WHERE
      l.id = due.id
    RETURNING
      l.*
  )
SELECT
  t.id AS "id",
  t.kind AS "kind",
  t.email AS "email",
  t.role AS "role",
  t.attempts AS "attempts",
  t.token AS "token",
  t.token_hash AS "tokenHash",
  t.expires_at AS "expiresAt",
  m.name AS "merchantName",
  u.name AS "inviterName"
FROM
  taken t
  LEFT JOIN merchants m ON m.id = t.merchant_id
  LEFT JOIN users u ON u.id = t.created_by;

-- user_link_later
UPDATE user_links
SET
  next_attempt_at = least($3::timestamptz, now() + interval '29 hours')
WHERE
  id = $1
  AND token_hash = $2
  AND token IS NOT NULL;

-- user_link_purge
DELETE FROM user_links
WHERE
  id IN (
    SELECT
      id
    FROM
      user_links
    WHERE
      expires_at < $1
    ORDER BY
      expires_at
    LIMIT
      $2
  )
RETURNING
  1;
