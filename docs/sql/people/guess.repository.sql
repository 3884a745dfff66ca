-- guess_take_code
UPDATE users
SET
  wrong_codes = wrong_codes + 1,
  codes_from = CASE
    WHEN (wrong_codes + 1) % 5 = 0 THEN $2::timestamptz + least(60, power(2, least(wrong_codes / 5, 6))) * interval '1 minute'
    ELSE codes_from
  END
WHERE
  id = $1
  AND (
    $3::boolean
    OR codes_from IS NULL
    OR codes_from <= $2
  )
RETURNING
  wrong_codes AS "wrongCodes";

-- COUNT_IN_SESSION
UPDATE user_sessions
SET
  wrong_guesses = wrong_guesses + 1
WHERE
  id = $1
RETURNING
  wrong_guesses AS n;

-- REFUSE
INSERT INTO
  sign_in_refusals (whose, HOUR, tries)
VALUES
  ($1, $2, 1)
ON CONFLICT ON CONSTRAINT sign_in_refusals_pk DO UPDATE
SET
  tries = sign_in_refusals.tries + 1
RETURNING
  tries;
