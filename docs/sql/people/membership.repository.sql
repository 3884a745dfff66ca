-- membership_list
SELECT
  m.user_id AS "userId",
  u.name,
  u.email,
  m.role,
  m.created_at AS "createdAt",
  u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
  u.disabled_at IS NOT NULL AS "isDisabled"
FROM
  memberships m
  JOIN users u ON u.id = m.user_id
WHERE
  m.merchant_id = $1
ORDER BY
  m.created_at,
  m.user_id;

-- REMOVE
WITH
  owners AS MATERIALIZED (
    SELECT
      o.user_id
    FROM
      memberships o
      JOIN users u ON u.id = o.user_id
    WHERE
      o.merchant_id = $1
      AND o.role = 'owner'
      AND u.disabled_at IS NULL
    ORDER BY
      o.user_id
    FOR UPDATE OF
      o
  )
DELETE FROM memberships m
WHERE
  m.merchant_id = $1
  AND m.user_id = $2
  AND m.role = $4
  AND $3 IN (
    SELECT
      user_id
    FROM
      owners
  )
  AND (
    m.role <> 'owner'
    OR EXISTS (
      SELECT
      FROM
        owners
      WHERE
        user_id <> $2
    )
  )
RETURNING
  m.role;

-- CHANGE
WITH
  owners AS MATERIALIZED (
    SELECT
      o.user_id
    FROM
      memberships o
      JOIN users u ON u.id = o.user_id
    WHERE
      o.merchant_id = $1
      AND o.role = 'owner'
      AND u.disabled_at IS NULL
    ORDER BY
      o.user_id
    FOR UPDATE OF
      o
  )
UPDATE memberships m
SET ROLE = $5
WHERE
  m.merchant_id = $1
  AND m.user_id = $2
  AND m.role = $4
  AND $3 IN (
    SELECT
      user_id
    FROM
      owners
  )
  AND (
    m.role <> 'owner'
    OR EXISTS (
      SELECT
      FROM
        owners
      WHERE
        user_id <> $2
    )
  )
RETURNING
  1;

-- HOLD_OWNER
SELECT
  1
FROM
  memberships m
  JOIN users u ON u.id = m.user_id
WHERE
  m.merchant_id = $1
  AND m.user_id = $2
  AND m.role = 'owner'
  AND u.disabled_at IS NULL
FOR SHARE;

-- JOIN_ANEW
INSERT INTO
  memberships (merchant_id, user_id, role, created_at)
VALUES
  ($1, $2, $3, $4)
ON CONFLICT DO NOTHING
RETURNING
  1;

-- OWNED_SINCE
SELECT
  merchant_id AS "merchantId"
FROM
  memberships
WHERE
  user_id = $1
  AND role = 'owner'
UNION
SELECT
  merchant_id
FROM
  former_owners
WHERE
  user_id = $1
  AND until > $2;
