-- user_take_totp_step
UPDATE users
SET
  totp_last_step = $3
WHERE
  id = $1
  AND totp_secret = $2
  AND coalesce(totp_last_step, 0) < $3
RETURNING
  1;

-- user_list
SELECT
  u.id,
  u.email,
  u.name,
  u.platform_role AS "platformRole",
  u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
  u.created_at AS "createdAt",
  u.disabled_at AS "disabledAt",
  (
    SELECT
      count(*)::integer
    FROM
      memberships m
    WHERE
      m.user_id = u.id
  ) AS merchants
FROM
  users u
ORDER BY
  u.email;
