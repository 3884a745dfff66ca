-- bank_file_insert
WITH
  inserted AS (
    INSERT INTO
      bank_files (
        id,
        mode,
        sha256,
        reading,
        name,
        size,
        format,
        source,
        brought_by,
        warnings,
        created_at,
        imported_at
      )
    VALUES
      ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (mode, sha256, reading) DO NOTHING
    RETURNING
      *
  )
SELECT
  f.id AS "id",
  f.mode AS "mode",
  f.sha256 AS "sha256",
  f.reading AS "reading",
  f.name AS "name",
  f.size AS "size",
  f.format AS "format",
  f.source AS "source",
  f.brought_by AS "broughtBy",
  f.warnings AS "warnings",
  f.created_at AS "createdAt",
  f.imported_at AS "importedAt"
FROM
  inserted f
UNION ALL
SELECT
  f.id AS "id",
  f.mode AS "mode",
  f.sha256 AS "sha256",
  f.reading AS "reading",
  f.name AS "name",
  f.size AS "size",
  f.format AS "format",
  f.source AS "source",
  f.brought_by AS "broughtBy",
  f.warnings AS "warnings",
  f.created_at AS "createdAt",
  f.imported_at AS "importedAt"
FROM
  bank_files f
WHERE
  f.mode = $2
  AND f.sha256 = $3
  AND f.reading = $4
LIMIT
  1;

-- bank_file_hand_insert
INSERT INTO
  bank_file_hands (file_id, user_id, act, created_at)
VALUES
  ($1, $2, $3, $4)
ON CONFLICT DO NOTHING;

-- bank_file_part_insert
INSERT INTO
  bank_file_parts (file_id, number, content)
VALUES
  ($1, $2, $3)
ON CONFLICT DO NOTHING;

-- bank_file_tally
SELECT
  l.state,
  count(*)::integer AS lines
FROM
  bank_lines l
WHERE
  l.id IN (
    SELECT
      p.line_id
    FROM
      bank_line_places p
      JOIN bank_statements s ON s.id = p.statement_id
    WHERE
      s.file_id = $1
  )
GROUP BY
  l.state;

-- bank_file_places
SELECT
  count(*)::integer AS places
FROM
  bank_line_places p
  JOIN bank_statements s ON s.id = p.statement_id
WHERE
  s.file_id = $1;

-- bank_file_reread
SELECT DISTINCT
  CASE
    WHEN f.imported_at IS NOT NULL THEN regexp_replace(l.key, '[^|]*$', '')
  END AS money
FROM
  bank_files f
  LEFT JOIN bank_statements s ON s.file_id = f.id
  LEFT JOIN bank_line_places p ON p.statement_id = s.id
  AND p.status IS DISTINCT FROM 'announced'
  LEFT JOIN bank_lines l ON l.id = p.line_id
WHERE
  f.mode = $1
  AND f.sha256 = $2
  AND f.reading <> $3
  AND (
    f.imported_at IS NULL
    OR l.id IS NOT NULL
  );
