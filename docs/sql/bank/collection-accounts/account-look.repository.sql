-- account_last_look
SELECT
  max(created_at) AS at
FROM
  bank_statements
WHERE
  mode = $1
  AND account = $2;

-- account_is_known
SELECT
  EXISTS (
    SELECT
    FROM
      bank_statements
    WHERE
      mode = $1
      AND account = $2
  )
  OR EXISTS (
    SELECT
    FROM
      collection_accounts
    WHERE
      mode = $1
      AND account = $2
  ) AS known;
