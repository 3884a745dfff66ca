-- LOCK_BY_ID
SELECT
  p.id
FROM
  payouts p
WHERE
  p.id = ANY ($2::UUID[])
  AND p.mode = $1
ORDER BY
  p.id
FOR UPDATE OF
  p;

-- LOCK_BY_FILE
SELECT
  p.id
FROM
  payouts p
  JOIN payout_files f ON f.id = p.file_id
  AND f.not_sent_at IS NULL
WHERE
  f.message_id = ANY ($2)
  AND f.mode = $1
  AND p.status <> 'failed'
ORDER BY
  p.id
FOR UPDATE OF
  p;

-- REPORTED
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.mode AS "mode",
  p.currency AS "currency",
  p.amount AS "amount",
  p.status AS "status",
  p.status_reason AS "statusReason",
  p.bank_account_id AS "bankAccountId",
  p.refund_id AS "refundId",
  p.holder AS "holder",
  p.iban AS "iban",
  p.remittance AS "remittance",
  p.content_hash AS "contentHash",
  p.approved_hash AS "approvedHash",
  p.requested_by AS "requestedBy",
  p.form_id AS "formId",
  p.approved_by AS "approvedBy",
  p.approved_at AS "approvedAt",
  p.file_id AS "fileId",
  p.version AS "version",
  p.created_at AS "createdAt",
  p.updated_at AS "updatedAt",
  p.paid_at AS "paidAt",
  EXISTS (
    SELECT
    FROM
      bank_payout_lines b
    WHERE
      b.merchant_id = p.merchant_id
      AND b.payout_id = p.id
      AND b.direction = 'out'
  ) AS "left",
  EXISTS (
    SELECT
    FROM
      bank_payout_lines b
    WHERE
      b.merchant_id = p.merchant_id
      AND b.payout_id = p.id
      AND b.direction = 'in'
  ) AS "cameBack"
FROM
  payouts p
WHERE
  p.id = ANY ($1::UUID[])
ORDER BY
  p.id;

-- OF_DENIED
SELECT
  EXISTS (
    SELECT
    FROM
      payout_files f
    WHERE
      f.message_id = ANY ($2)
      AND f.mode = $1
      AND (
        f.not_sent_at IS NOT NULL
        OR EXISTS (
          SELECT
          FROM
            payouts p
          WHERE
            p.file_id = f.id
            AND p.status = 'failed'
        )
      )
  ) AS found;

-- MAY_BE_OF_ANOTHER
SELECT
  EXISTS (
    SELECT
    FROM
      payouts p
      JOIN payout_files f ON f.id = p.file_id
    WHERE
      p.merchant_id = $1
      AND p.id = $2
      AND f.created_at::date - 1 > $4::date
  )
  OR EXISTS (
    SELECT
    FROM
      bank_payout_lines b
      JOIN bank_lines l ON l.id = b.line_id
    WHERE
      b.merchant_id = $1
      AND b.payout_id = $2
      AND b.direction = 'out'
      AND coalesce(l.booked_on, l.valued_on) > $4::date
  )
  OR EXISTS (
    SELECT
    FROM
      bank_lines l
    WHERE
      (coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C" IN ('=' || replace($2::text, '-', ''), '=' || upper(replace($2::text, '-', '')))
      AND l.mode = $3
      AND l.direction = 'out'
      AND l.status = 'booked'
      AND l.state <> 'superseded'
      AND (
        l.kind = 'collection'
        OR NOT EXISTS (
          SELECT
          FROM
            bank_payout_lines b
          WHERE
            b.merchant_id = $1
            AND b.payout_id = $2
            AND b.direction = 'out'
            AND b.line_id = l.id
        )
      )
  )
  OR NOT EXISTS (
    SELECT
    FROM
      bank_line_places x
      JOIN bank_statements s ON s.id = x.statement_id
    WHERE
      x.line_id = $5
      AND s.balanced
  )
  OR EXISTS (
    SELECT
    FROM
      bank_lines c
      JOIN payouts p ON p.merchant_id = $1
      AND p.id = $2
      JOIN bank_lines l ON l.mode = c.mode
      AND l.account = c.account
      AND l.amount = c.amount
      AND l.direction = 'out'
    WHERE
      c.id = $5
      AND l.status = 'booked'
      AND l.state <> 'superseded'
      AND l.currency = c.currency
      AND (coalesce(l.booked_on, l.valued_on) >= p.created_at::date - 1) IS NOT FALSE
      AND (coalesce(l.booked_on, l.valued_on) <= $4::date) IS NOT FALSE
      AND NOT EXISTS (
        SELECT
        FROM
          bank_payout_lines b
        WHERE
          b.line_id = l.id
      )
      AND NOT EXISTS (
        SELECT
        FROM
          bank_returns r
        WHERE
          r.line_id = l.id
          AND r.undone_at IS NULL
      )
  ) AS found;

-- LINK
INSERT INTO
  bank_payout_lines (merchant_id, payout_id, direction, line_id, created_at)
SELECT
  merchant_id,
  id,
  $3,
  $4,
  $5
FROM
  unnest($1::UUID[], $2::UUID[]) p (merchant_id, id);

-- REQUEUE_RETURNS
UPDATE bank_lines l
SET
  looked_at = NULL
FROM
  unnest($2::UUID[]) p (id)
WHERE
  (coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C" IN ('=' || replace(p.id::text, '-', ''), '=' || upper(replace(p.id::text, '-', '')))
  AND l.mode = $1
  AND l.direction = 'in'
  AND l.state = 'unmatched'
  AND l.reason = 'unknown_money_back';

-- INVOLVED_USERS
SELECT DISTINCT
  h.user_id AS id
FROM
  hands_of_line ($1) h
WHERE
  h.user_id IS NOT NULL;
