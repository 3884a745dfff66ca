-- api_key_by_hash
SELECT
  k.merchant_id AS "merchantId",
  k.id,
  k.mode,
  k.scopes,
  k.api_version AS "apiVersion",
  k.allowed_ips AS "allowedIps",
  k.expires_at AS "expiresAt",
  k.last_used_at AS "lastUsedAt",
  EXISTS (
    SELECT
    FROM
      provider_accounts a
    WHERE
      a.merchant_id = k.merchant_id
      AND a.mode = k.mode
      AND a.enabled
  ) AS "hasProvider"
FROM
  api_keys k
WHERE
  k.key_hash = $1
  AND k.revoked_at IS NULL
LIMIT
  1;

-- api_key_by_hash_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("hash" bytea)) WITH ORDINALITY AS input ("hash", place)
  LEFT JOIN LATERAL (
    SELECT
      k.merchant_id AS "merchantId",
      k.id,
      k.mode,
      k.scopes,
      k.api_version AS "apiVersion",
      k.allowed_ips AS "allowedIps",
      k.expires_at AS "expiresAt",
      k.last_used_at AS "lastUsedAt",
      EXISTS (
        SELECT
        FROM
          provider_accounts a
        WHERE
          a.merchant_id = k.merchant_id
          AND a.mode = k.mode
          AND a.enabled
      ) AS "hasProvider"
    FROM
      api_keys k
    WHERE
      k.key_hash = input."hash"
      AND k.revoked_at IS NULL
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- api_key_touch
UPDATE api_keys
SET
  last_used_at = $3
WHERE
  merchant_id = $1
  AND id = $2;

-- deprecated_calls_count
INSERT INTO
  deprecated_calls (merchant_id, api_key_id, operation, DAY, calls)
VALUES
  ($1, $2, $3, $4, $5)
ON CONFLICT ON CONSTRAINT deprecated_calls_pk DO UPDATE
SET
  calls = deprecated_calls.calls + excluded.calls;

-- deprecated_calls_since
SELECT
  api_key_id AS "apiKeyId",
  operation,
  sum(calls)::float8 AS calls
FROM
  deprecated_calls
WHERE
  merchant_id = $1
  AND DAY >= $2::date
GROUP BY
  api_key_id,
  operation
ORDER BY
  operation;
