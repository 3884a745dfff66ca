-- user_session_by_token
SELECT
  s.id,
  s.user_id AS "userId",
  s.token_hash AS "tokenHash",
  s.created_at AS "createdAt",
  s.seen_at AS "seenAt",
  s.second_factor_at AS "secondFactorAt",
  u.email,
  u.name,
  u.platform_role AS "platformRole",
  u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
  (
    SELECT
      coalesce(
        json_agg(
          json_build_object('id', m.id, 'name', m.name, 'timeZone', m.time_zone, 'role', p.role)
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
      AND u.platform_role IS NULL
  ) AS memberships
FROM
  user_sessions s
  JOIN users u ON u.id = s.user_id
WHERE
  s.token_hash = $1
  AND s.ended_at IS NULL
  AND u.disabled_at IS NULL
LIMIT
  1;

-- user_session_by_token_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("token" bytea)) WITH ORDINALITY AS input ("token", place)
  LEFT JOIN LATERAL (
    SELECT
      s.id,
      s.user_id AS "userId",
      s.token_hash AS "tokenHash",
      s.created_at AS "createdAt",
      s.seen_at AS "seenAt",
      s.second_factor_at AS "secondFactorAt",
      u.email,
      u.name,
      u.platform_role AS "platformRole",
      u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
      (
        SELECT
          coalesce(
            json_agg(
              json_build_object('id', m.id, 'name', m.name, 'timeZone', m.time_zone, 'role', p.role)
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
          AND u.platform_role IS NULL
      ) AS memberships
    FROM
      user_sessions s
      JOIN users u ON u.id = s.user_id
    WHERE
      s.token_hash = input."token"
      AND s.ended_at IS NULL
      AND u.disabled_at IS NULL
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;
