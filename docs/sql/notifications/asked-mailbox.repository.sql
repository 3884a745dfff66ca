-- FIND
SELECT
  coalesce(bool_or(refused_at IS NOT NULL), FALSE) AS "isRefused",
  max(asked_at) FILTER (
    WHERE
      mode = $3
  ) AS "askedAt",
  coalesce(
    max(questions) FILTER (
      WHERE
        mode = $3
    ),
    0
  ) AS questions,
  (
    SELECT
      count(*)
    FROM
      asked_mailboxes
    WHERE
      merchant_id = $1
      AND asked_at > $4
  )::integer AS others
FROM
  asked_mailboxes
WHERE
  merchant_id = $1
  AND address_hash = sha256(convert_to($1::uuid::text || ' ' || $2::text, 'UTF8'));

-- ASK
INSERT INTO
  asked_mailboxes (merchant_id, address_hash, mode, asked_at, questions, refused_at)
VALUES
  ($1, sha256(convert_to($1::uuid::text || ' ' || $2::text, 'UTF8')), $3, $4, 1, NULL)
ON CONFLICT (merchant_id, address_hash, mode) DO UPDATE
SET
  asked_at = EXCLUDED.asked_at,
  questions = asked_mailboxes.questions + 1;

-- REFUSE
INSERT INTO
  asked_mailboxes (merchant_id, address_hash, mode, asked_at, questions, refused_at)
VALUES
  ($1, sha256(convert_to($1::uuid::text || ' ' || $2::text, 'UTF8')), $3, $4, 1, $4)
ON CONFLICT (merchant_id, address_hash, mode) DO UPDATE
SET
  refused_at = EXCLUDED.refused_at;

-- FORGET
DELETE FROM asked_mailboxes
WHERE
  merchant_id = $1
  AND address_hash = sha256(convert_to($1::uuid::text || ' ' || $2::text, 'UTF8'));
