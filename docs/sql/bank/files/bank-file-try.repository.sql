-- bank_file_tries_begin
INSERT INTO
  bank_file_tries (id, mode, sha256, alive_at)
VALUES
  ($1, $2, $3, $4)
ON CONFLICT (id) DO NOTHING;

-- bank_file_tries_alive
UPDATE bank_file_tries
SET
  alive_at = $2
WHERE
  id = $1;

-- bank_file_tries_count
SELECT
  count(*) FILTER (
    WHERE
      NOT failed
      AND alive_at <= $4
  )::integer AS ended,
  count(*) FILTER (
    WHERE
      failed
  )::integer AS failed
FROM
  bank_file_tries
WHERE
  mode = $1
  AND sha256 = $2
  AND alive_at >= $3;

-- bank_file_tries_fail
UPDATE bank_file_tries
SET
  failed = TRUE,
  alive_at = $2
WHERE
  id = $1;

-- bank_file_tries_end
DELETE FROM bank_file_tries
WHERE
  id = $1
  OR alive_at < $2;
