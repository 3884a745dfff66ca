-- saved_view_list
SELECT
  coalesce(
    json_agg(
      json_build_object('name', name, 'query', query)
      ORDER BY
        name
    ),
    '[]'
  ) AS views
FROM
  saved_views
WHERE
  merchant_id = $1
  AND user_id = $2
LIMIT
  1;

-- saved_view_list_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("merchantId" uuid, "userId" uuid)) WITH ORDINALITY AS input ("merchantId", "userId", place)
  LEFT JOIN LATERAL (
    SELECT
      coalesce(
        json_agg(
          json_build_object('name', name, 'query', query)
          ORDER BY
            name
        ),
        '[]'
      ) AS views
    FROM
      saved_views
    WHERE
      merchant_id = input."merchantId"
      AND user_id = input."userId"
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- saved_view_save
INSERT INTO
  saved_views (merchant_id, user_id, name, query, created_at)
SELECT
  $1,
  $2,
  $3,
  $4,
  $5
WHERE
  (
    SELECT
      count(*)
    FROM
      saved_views
    WHERE
      merchant_id = $1
      AND user_id = $2
      AND name <> $3
  ) < $6
ON CONFLICT (merchant_id, user_id, name) DO UPDATE
SET
  query = excluded.query
RETURNING
  name;
