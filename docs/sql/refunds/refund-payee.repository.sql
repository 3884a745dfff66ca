-- INSERT
INSERT INTO
  refund_payees (merchant_id, refund_id, token, expires_at)
VALUES
  ($1, $2, $3, $4);

-- refund_payee_find
SELECT
  e.merchant_id AS "merchantId",
  e.refund_id AS "refundId",
  e.token AS "token",
  e.expires_at AS "expiresAt",
  e.holder AS "holder",
  e.iban AS "iban",
  e.entered_at AS "enteredAt",
  e.confirmed_by AS "confirmedBy",
  e.confirmed_at AS "confirmedAt"
FROM
  refund_payees e
WHERE
  e.merchant_id = $1
  AND e.refund_id = $2;

-- refund_payee_find_by_token
SELECT
  e.merchant_id AS "merchantId",
  e.refund_id AS "refundId",
  e.token AS "token",
  e.expires_at AS "expiresAt",
  e.holder AS "holder",
  e.iban AS "iban",
  e.entered_at AS "enteredAt",
  e.confirmed_by AS "confirmedBy",
  e.confirmed_at AS "confirmedAt"
FROM
  refund_payees e
WHERE
  e.token = $1;

-- ENTER
WITH
  entered AS (
    UPDATE refund_payees
    SET
      holder = $3,
      iban = $4,
      entered_at = $5
    WHERE
      merchant_id = $1
      AND refund_id = $2
      AND entered_at IS NULL
      AND expires_at > $5
    RETURNING
      refund_id
  )
SELECT
  refund_id
FROM
  entered;

-- CONFIRM
WITH
  confirmed AS (
    UPDATE refund_payees
    SET
      confirmed_by = $3,
      confirmed_at = $4
    WHERE
      merchant_id = $1
      AND refund_id = $2
      AND entered_at IS NOT NULL
      AND confirmed_at IS NULL
    RETURNING
      refund_id
  )
SELECT
  refund_id
FROM
  confirmed;

-- IS_NAMED
SELECT
  bank_names_payer ($1, $2) AS "isNamed";
