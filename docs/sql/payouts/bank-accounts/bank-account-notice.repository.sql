-- INSERT
INSERT INTO
  bank_account_notices (merchant_id, bank_account_id, user_id, next_attempt_at)
SELECT
  $1,
  $3,
  o."userId",
  least($4::timestamptz, now() + interval '0')
FROM
  (
    SELECT
      user_id AS "userId"
    FROM
      memberships
    WHERE
      merchant_id = $1
      AND role = 'owner'
    UNION
    SELECT
      user_id
    FROM
      former_owners
    WHERE
      merchant_id = $1
      AND until > $2
  ) o;

-- bank_account_notice_claim
WITH
  waiting AS (
    SELECT
      n.merchant_id,
      n.bank_account_id,
      n.user_id,
      b.mode,
      row_number() OVER (
        PARTITION BY
          n.merchant_id,
          b.mode
        ORDER BY
          n.next_attempt_at
      ) AS place
    FROM
      bank_account_notices n
      JOIN bank_accounts b ON b.merchant_id = n.merchant_id
      AND b.id = n.bank_account_id
    WHERE
      n.next_attempt_at <= $1
  ),
  due AS (
    SELECT
      n.merchant_id,
      n.bank_account_id,
      n.user_id
    FROM
      bank_account_notices n
      JOIN waiting w USING (merchant_id, bank_account_id, user_id)
    WHERE
      n.next_attempt_at <= $1
    ORDER BY
      w.mode <> 'live',
      w.place,
      random()
    LIMIT
      $3
    FOR UPDATE OF
      n SKIP LOCKED
  ),
  taken AS (
    UPDATE bank_account_notices n
    SET
      next_attempt_at = least($2::timestamptz, now() + interval '1 minute'),
      attempts = n.attempts + 1
    FROM
      due d
    WHERE
      n.merchant_id = d.merchant_id
      AND n.bank_account_id = d.bank_account_id
      AND n.user_id = d.user_id
    RETURNING
      n.*
  )
SELECT
  t.merchant_id AS "merchantId",
  t.bank_account_id AS "bankAccountId",
  t.user_id AS "userId",
  t.attempts AS "attempts",
  b.mode AS "mode",
  b.iban AS "iban",
  u.email,
  m.time_zone AS "timeZone"
FROM
  taken t
  JOIN bank_accounts b ON b.merchant_id = t.merchant_id
  AND b.id = t.bank_account_id
  JOIN merchants m ON m.id = t.merchant_id
  JOIN users u ON u.id = t.user_id;

-- bank_account_notice_later
UPDATE bank_account_notices
SET
  next_attempt_at = least($4::timestamptz, now() + interval '29 hours')
WHERE
  merchant_id = $1
  AND bank_account_id = $2
  AND user_id = $3
  AND next_attempt_at IS NOT NULL;
