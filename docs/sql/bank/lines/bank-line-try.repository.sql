-- bank_line_tries_known
SELECT
  line_id AS "lineId",
  tries,
  tried_at AS "triedAt"
FROM
  bank_line_tries
WHERE
  line_id = ANY ($1::UUID[]);

-- bank_line_tries_begin
INSERT INTO
  bank_line_tries AS t (line_id, tries, tried_at)
SELECT
  l.id,
  1,
  $2
FROM
  bank_lines l
WHERE
  l.id = ANY ($1::UUID[])
  AND l.looked_at IS NULL
ORDER BY
  l.id
ON CONFLICT (line_id) DO UPDATE
SET
  tries = t.tries + 1,
  tried_at = excluded.tried_at
RETURNING
  line_id AS "lineId",
  tries,
  tried_at AS "triedAt";

-- bank_line_tries_end
DELETE FROM bank_line_tries
WHERE
  line_id = ANY ($1::UUID[]);
