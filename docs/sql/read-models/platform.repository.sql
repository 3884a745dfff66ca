-- platform_people
SELECT
  u.id,
  u.email,
  u.name,
  u.platform_role AS "platformRole",
  u.created_at AS "createdAt",
  u.disabled_at AS "disabledAt",
  u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
  (
    SELECT
      max(s.created_at)
    FROM
      user_sessions s
    WHERE
      s.user_id = u.id
      AND (
        s.second_factor_at IS NOT NULL
        OR u.totp_confirmed_at IS NULL
      )
  ) AS "signedInAt",
  (
    SELECT
      coalesce(
        jsonb_agg(
          jsonb_build_object('id', m.id, 'name', m.name, 'role', p.role)
          ORDER BY
            m.name,
            m.id
        ),
        '[]'
      )
    FROM
      memberships p
      JOIN merchants m ON m.id = p.merchant_id
    WHERE
      p.user_id = u.id
  ) AS places
FROM
  users u
WHERE
  (
    $1 = ''
    OR position(lower($1) IN lower(u.name)) > 0
    OR position(lower($1) IN u.email) > 0
  )
  AND (
    $2::uuid IS NULL
    OR u.id < $2
  )
ORDER BY
  u.id DESC
LIMIT
  $3;
