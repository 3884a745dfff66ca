-- INSERT
INSERT INTO
  bank_allocations (merchant_id, payment_id, txid, line_id, amount, evidence, matched_by, created_at)
SELECT
  made."merchantId",
  made."paymentId",
  made."txid",
  made."lineId",
  made."amount",
  made."evidence",
  made."matchedBy",
  made."createdAt"
FROM
  json_to_recordset($1) AS made (
    "merchantId" uuid,
    "paymentId" uuid,
    "txid" uuid,
    "lineId" uuid,
    "amount" bigint,
    "evidence" json,
    "matchedBy" uuid,
    "createdAt" timestamptz
  );

-- UNDO
UPDATE bank_allocations
SET
  undone_at = $3,
  undone_by_line_id = $4
WHERE
  merchant_id = $1
  AND payment_id = $2
  AND undone_at IS NULL
RETURNING
  line_id;

-- STANDING_OF
SELECT
  a.merchant_id AS "merchantId",
  a.payment_id AS "paymentId",
  a.txid AS "txid",
  a.line_id AS "lineId",
  a.amount AS "amount",
  a.evidence AS "evidence",
  a.matched_by AS "matchedBy",
  a.payer_account AS "payerAccount",
  a.created_at AS "createdAt",
  a.undone_at AS "undoneAt",
  a.undone_by_line_id AS "undoneByLineId"
FROM
  payments p
  JOIN bank_allocations a ON a.merchant_id = p.merchant_id
  AND a.payment_id = p.id
WHERE
  p.merchant_id = $1
  AND p.txid = $2
  AND a.undone_at IS NULL
ORDER BY
  a.payment_id DESC;

-- RETURNS_OF
SELECT
  r.line_id AS "lineId",
  r.merchant_id AS "merchantId",
  r.payment_id AS "paymentId",
  r.amount AS "amount",
  r.said_by AS "saidBy",
  r.created_at AS "createdAt",
  r.undone_at AS "undoneAt",
  r.undone_by AS "undoneBy"
FROM
  payments p
  JOIN bank_returns r ON r.merchant_id = p.merchant_id
  AND r.payment_id = p.id
WHERE
  p.merchant_id = $1
  AND p.txid = $2
  AND r.undone_at IS NULL;

-- UNDO_RETURN
UPDATE bank_returns
SET
  undone_at = $5,
  undone_by = $6
WHERE
  line_id = $1
  AND merchant_id = $2
  AND payment_id = $3
  AND created_at = $4
  AND undone_at IS NULL
RETURNING
  line_id;

-- REACTIVATE
UPDATE bank_allocations
SET
  undone_at = NULL,
  undone_by_line_id = NULL
WHERE
  merchant_id = $1
  AND payment_id = $2
  AND undone_by_line_id IS NOT NULL;

-- LEFT
SELECT
  a.amount - coalesce(
    (
      SELECT
        sum(r.amount)::bigint
      FROM
        bank_returns r
      WHERE
        r.merchant_id = a.merchant_id
        AND r.payment_id = a.payment_id
        AND r.undone_at IS NULL
    ),
    0
  ) AS "left"
FROM
  bank_allocations a
WHERE
  a.merchant_id = $1
  AND a.payment_id = $2
  AND a.undone_at IS NULL;

-- FORM
SELECT
  c.holder,
  c.account,
  c.bic,
  c.bank_name AS "bankName",
  r.reference
FROM
  transfer_references r
  JOIN collection_accounts c ON c.id = r.collection_account_id
WHERE
  r.merchant_id = $1
  AND r.txid = $2;

-- IS_PAID_OUT
SELECT
  EXISTS (
    SELECT
    FROM
      transfers t
      JOIN payout_lines l ON l.merchant_id = t.merchant_id
      AND l.transfer_id = t.id
      AND l.amount > 0
      JOIN payouts p ON p.merchant_id = l.merchant_id
      AND p.id = l.payout_id
      AND p.status NOT IN ('draft', 'rejected', 'cancelled', 'failed', 'returned')
    WHERE
      t.merchant_id = $1
      AND t.payment_id IN (
        SELECT
          id
        FROM
          payments
        WHERE
          merchant_id = $1
          AND txid = $2
          AND id = coalesce($3, id)
      )
  ) AS found;
