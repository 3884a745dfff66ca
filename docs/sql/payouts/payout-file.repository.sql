-- IS_DOWNLOADED
SELECT
  EXISTS (
    SELECT
    FROM
      audit_entries
    WHERE
      merchant_id IS NULL
      AND subject = $1
      AND action = 'payout-file.downloaded'
  ) AS found;

-- BEGINNINGS
SELECT
  left(content, $2) AS beginning
FROM
  payout_files
WHERE
  id = ANY ($1::UUID[]);
