-- merchants_search
SELECT
  id,
  name,
  time_zone AS "timeZone",
  created_at AS "createdAt"
FROM
  merchants
WHERE
  (
    $1 = ''
    OR position(lower($1) IN lower(name)) > 0
  )
  AND (
    $2::uuid IS NULL
    OR id < $2
  )
ORDER BY
  id DESC
LIMIT
  $3;

-- provider_account_by_id
SELECT
  a.merchant_id AS "merchantId",
  a.mode AS "mode",
  a.provider AS "provider",
  a.id AS "id",
  a.callback_secret AS "callbackSecret",
  a.enabled AS "enabled",
  a.created_at AS "createdAt"
FROM
  provider_accounts a
WHERE
  a.id = $1
LIMIT
  1;

-- provider_account_by_id_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("id" uuid)) WITH ORDINALITY AS input ("id", place)
  LEFT JOIN LATERAL (
    SELECT
      a.merchant_id AS "merchantId",
      a.mode AS "mode",
      a.provider AS "provider",
      a.id AS "id",
      a.callback_secret AS "callbackSecret",
      a.enabled AS "enabled",
      a.created_at AS "createdAt"
    FROM
      provider_accounts a
    WHERE
      a.id = input."id"
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;
