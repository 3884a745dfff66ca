-- INSERT
INSERT INTO
  csv_profiles (id, name, profile, created_by, created_at)
VALUES
  ($1, $2, $3, $4, $5)
ON CONFLICT (name)
WHERE
  removed_at IS NULL DO NOTHING
RETURNING
  id;
