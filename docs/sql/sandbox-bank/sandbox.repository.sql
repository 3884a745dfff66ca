-- sandbox_open
INSERT INTO
  sandbox_transactions (merchant_id, payment_id, reference, amount, currency, payee_name, return_url, created_at)
VALUES
  ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT ON CONSTRAINT sandbox_transactions_pk DO UPDATE
SET
  repeat = sandbox_transactions.repeat
RETURNING
  sandbox_transactions.merchant_id AS "merchantId",
  sandbox_transactions.payment_id AS "paymentId",
  sandbox_transactions.reference AS "reference",
  sandbox_transactions.amount AS "amount",
  sandbox_transactions.currency AS "currency",
  sandbox_transactions.payee_name AS "payeeName",
  sandbox_transactions.return_url AS "returnUrl",
  sandbox_transactions.outcome AS "outcome",
  sandbox_transactions.paid_amount AS "paidAmount",
  sandbox_transactions.paid_currency AS "paidCurrency",
  sandbox_transactions.payer_account_number AS "payerAccountNumber",
  sandbox_transactions.payer_account_type AS "payerAccountType",
  sandbox_transactions.payer_account_name AS "payerAccountName",
  sandbox_transactions.decline_code AS "declineCode",
  sandbox_transactions.payer_due_at AS "payerDueAt",
  sandbox_transactions.due_at AS "dueAt",
  sandbox_transactions.repeat AS "repeat",
  sandbox_transactions.created_at AS "createdAt";

-- sandbox_decide
UPDATE sandbox_transactions
SET
  outcome = $3,
  paid_amount = $4,
  paid_currency = $5,
  payer_account_number = $6,
  payer_account_type = $7,
  payer_account_name = $8,
  decline_code = $9,
  payer_due_at = $10,
  due_at = $11,
  repeat = $12
WHERE
  merchant_id = $1
  AND payment_id = $2
  AND (
    outcome IS NULL
    OR outcome IN ('pending', 'unknown')
  )
RETURNING
  sandbox_transactions.merchant_id AS "merchantId",
  sandbox_transactions.payment_id AS "paymentId",
  sandbox_transactions.reference AS "reference",
  sandbox_transactions.amount AS "amount",
  sandbox_transactions.currency AS "currency",
  sandbox_transactions.payee_name AS "payeeName",
  sandbox_transactions.return_url AS "returnUrl",
  sandbox_transactions.outcome AS "outcome",
  sandbox_transactions.paid_amount AS "paidAmount",
  sandbox_transactions.paid_currency AS "paidCurrency",
  sandbox_transactions.payer_account_number AS "payerAccountNumber",
  sandbox_transactions.payer_account_type AS "payerAccountType",
  sandbox_transactions.payer_account_name AS "payerAccountName",
  sandbox_transactions.decline_code AS "declineCode",
  sandbox_transactions.payer_due_at AS "payerDueAt",
  sandbox_transactions.due_at AS "dueAt",
  sandbox_transactions.repeat AS "repeat",
  sandbox_transactions.created_at AS "createdAt";

-- sandbox_change_mind
UPDATE sandbox_transactions
SET
  outcome = $3,
  paid_amount = $4,
  paid_currency = $5,
  payer_account_number = $6,
  payer_account_type = $7,
  payer_account_name = $8,
  decline_code = $9,
  payer_due_at = $10,
  due_at = $11,
  repeat = $12
WHERE
  merchant_id = $1
  AND outcome IN ('declined', 'cancelled')
  AND payment_id = (
    SELECT
      b.payment_id
    FROM
      payments p
      JOIN sandbox_transactions b ON b.merchant_id = p.merchant_id
      AND b.payment_id = p.id
    WHERE
      p.merchant_id = $1
      AND p.txid = $2
      AND b.outcome IN ('declined', 'cancelled')
    ORDER BY
      p.created_at DESC,
      p.id DESC
    LIMIT
      1
  )
RETURNING
  sandbox_transactions.merchant_id AS "merchantId",
  sandbox_transactions.payment_id AS "paymentId",
  sandbox_transactions.reference AS "reference",
  sandbox_transactions.amount AS "amount",
  sandbox_transactions.currency AS "currency",
  sandbox_transactions.payee_name AS "payeeName",
  sandbox_transactions.return_url AS "returnUrl",
  sandbox_transactions.outcome AS "outcome",
  sandbox_transactions.paid_amount AS "paidAmount",
  sandbox_transactions.paid_currency AS "paidCurrency",
  sandbox_transactions.payer_account_number AS "payerAccountNumber",
  sandbox_transactions.payer_account_type AS "payerAccountType",
  sandbox_transactions.payer_account_name AS "payerAccountName",
  sandbox_transactions.decline_code AS "declineCode",
  sandbox_transactions.payer_due_at AS "payerDueAt",
  sandbox_transactions.due_at AS "dueAt",
  sandbox_transactions.repeat AS "repeat",
  sandbox_transactions.created_at AS "createdAt";

-- sandbox_find
SELECT
  sandbox_transactions.merchant_id AS "merchantId",
  sandbox_transactions.payment_id AS "paymentId",
  sandbox_transactions.reference AS "reference",
  sandbox_transactions.amount AS "amount",
  sandbox_transactions.currency AS "currency",
  sandbox_transactions.payee_name AS "payeeName",
  sandbox_transactions.return_url AS "returnUrl",
  sandbox_transactions.outcome AS "outcome",
  sandbox_transactions.paid_amount AS "paidAmount",
  sandbox_transactions.paid_currency AS "paidCurrency",
  sandbox_transactions.payer_account_number AS "payerAccountNumber",
  sandbox_transactions.payer_account_type AS "payerAccountType",
  sandbox_transactions.payer_account_name AS "payerAccountName",
  sandbox_transactions.decline_code AS "declineCode",
  sandbox_transactions.payer_due_at AS "payerDueAt",
  sandbox_transactions.due_at AS "dueAt",
  sandbox_transactions.repeat AS "repeat",
  sandbox_transactions.created_at AS "createdAt"
FROM
  sandbox_transactions
WHERE
  merchant_id = $1
  AND payment_id = $2;

-- sandbox_find_by_reference
SELECT
  sandbox_transactions.merchant_id AS "merchantId",
  sandbox_transactions.payment_id AS "paymentId",
  sandbox_transactions.reference AS "reference",
  sandbox_transactions.amount AS "amount",
  sandbox_transactions.currency AS "currency",
  sandbox_transactions.payee_name AS "payeeName",
  sandbox_transactions.return_url AS "returnUrl",
  sandbox_transactions.outcome AS "outcome",
  sandbox_transactions.paid_amount AS "paidAmount",
  sandbox_transactions.paid_currency AS "paidCurrency",
  sandbox_transactions.payer_account_number AS "payerAccountNumber",
  sandbox_transactions.payer_account_type AS "payerAccountType",
  sandbox_transactions.payer_account_name AS "payerAccountName",
  sandbox_transactions.decline_code AS "declineCode",
  sandbox_transactions.payer_due_at AS "payerDueAt",
  sandbox_transactions.due_at AS "dueAt",
  sandbox_transactions.repeat AS "repeat",
  sandbox_transactions.created_at AS "createdAt"
FROM
  sandbox_transactions
WHERE
  reference = $1;

-- sandbox_take_due
UPDATE sandbox_transactions
SET
  due_at = CASE
    WHEN due_at < payer_due_at THEN payer_due_at
  END
WHERE
  due_at <= $1
  AND (merchant_id, payment_id) IN (
    SELECT
      merchant_id,
      payment_id
    FROM
      (
        SELECT
          id AS whose
        FROM
          merchants
      ) m
      CROSS JOIN LATERAL (
        SELECT
          r.*,
          row_number() OVER (
            ORDER BY
              due_at
          ) AS place
        FROM
          sandbox_transactions r
        WHERE
          r.merchant_id = m.whose
          AND due_at <= $1
        ORDER BY
          due_at
        LIMIT
          100
      ) r
    ORDER BY
      r.place,
      random()
    LIMIT
      $2
  )
RETURNING
  sandbox_transactions.merchant_id AS "merchantId",
  sandbox_transactions.payment_id AS "paymentId",
  sandbox_transactions.reference AS "reference",
  sandbox_transactions.amount AS "amount",
  sandbox_transactions.currency AS "currency",
  sandbox_transactions.payee_name AS "payeeName",
  sandbox_transactions.return_url AS "returnUrl",
  sandbox_transactions.outcome AS "outcome",
  sandbox_transactions.paid_amount AS "paidAmount",
  sandbox_transactions.paid_currency AS "paidCurrency",
  sandbox_transactions.payer_account_number AS "payerAccountNumber",
  sandbox_transactions.payer_account_type AS "payerAccountType",
  sandbox_transactions.payer_account_name AS "payerAccountName",
  sandbox_transactions.decline_code AS "declineCode",
  sandbox_transactions.payer_due_at AS "payerDueAt",
  sandbox_transactions.due_at AS "dueAt",
  sandbox_transactions.repeat AS "repeat",
  sandbox_transactions.created_at AS "createdAt";

-- sandbox_next_due
SELECT
  min(due_at) AS "nextDue"
FROM
  sandbox_transactions
WHERE
  due_at IS NOT NULL;

-- sandbox_void
UPDATE sandbox_transactions
SET
  due_at = NULL,
  outcome = 'cancelled'
WHERE
  merchant_id = $1
  AND payment_id = $2
  AND (
    outcome IS NULL
    OR outcome IN ('pending', 'cancelled')
  )
RETURNING
  sandbox_transactions.merchant_id AS "merchantId",
  sandbox_transactions.payment_id AS "paymentId",
  sandbox_transactions.reference AS "reference",
  sandbox_transactions.amount AS "amount",
  sandbox_transactions.currency AS "currency",
  sandbox_transactions.payee_name AS "payeeName",
  sandbox_transactions.return_url AS "returnUrl",
  sandbox_transactions.outcome AS "outcome",
  sandbox_transactions.paid_amount AS "paidAmount",
  sandbox_transactions.paid_currency AS "paidCurrency",
  sandbox_transactions.payer_account_number AS "payerAccountNumber",
  sandbox_transactions.payer_account_type AS "payerAccountType",
  sandbox_transactions.payer_account_name AS "payerAccountName",
  sandbox_transactions.decline_code AS "declineCode",
  sandbox_transactions.payer_due_at AS "payerDueAt",
  sandbox_transactions.due_at AS "dueAt",
  sandbox_transactions.repeat AS "repeat",
  sandbox_transactions.created_at AS "createdAt";
