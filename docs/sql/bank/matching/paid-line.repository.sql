-- LOCK_PAID_LIKE
WITH
  alike AS (
    SELECT
      l.id,
      ROW (l.amount, l.counterparty_account, l.named_reference) AS booking,
      ARRAY(
        SELECT
          (a.merchant_id, a.txid, a.amount)::text
        FROM
          bank_allocations a
        WHERE
          a.line_id = l.id
          AND a.undone_at IS NULL
        ORDER BY
          1
      ) AS paid,
      (l.state, l.reason) IS NOT DISTINCT FROM ('suggested', 'more_than_due') AS is_excess
    FROM
      bank_lines l
    WHERE
      l.mode = $1
      AND l.account = $2
      AND l.direction = 'in'
      AND l.currency = $4
      AND l.status = 'booked'
      AND l.state <> 'superseded'
      AND (least(l.booked_on, l.valued_on) <= $6::date) IS NOT FALSE
      AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')
      AND l.amount BETWEEN $3 AND $7
      AND (
        ARRAY[
          l.end_to_end_id,
          l.identifiers ->> 'entryBankReference',
          l.identifiers ->> 'transactionBankReference',
          l.identifiers ->> 'transactionId',
          l.identifiers ->> 'uetr'
        ] && $5::TEXT[]
        OR l.end_to_end_id IS NULL
        AND EXISTS (
          SELECT
          FROM
            unnest($5::TEXT[]) n
          WHERE
            position('EREF+' || replace(n, ' ', '') IN replace(left(l.text, 5000), ' ', '')) > 0
        )
      )
    LIMIT
      10
  )
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt"
FROM
  bank_lines l
WHERE
  l.id IN (
    SELECT
      id
    FROM
      alike
  )
  AND l.amount = $3
  AND (
    SELECT
      count(DISTINCT booking) = 1
      AND count(DISTINCT paid) FILTER (
        WHERE
          NOT is_excess
      ) = 1
      AND count(*) < 10
    FROM
      alike
  )
  AND EXISTS (
    SELECT
    FROM
      bank_allocations a
    WHERE
      a.line_id = l.id
      AND a.undone_at IS NULL
  )
ORDER BY
  l.id DESC
LIMIT
  1
FOR UPDATE OF
  l;

-- LOCK_PAID_MORE
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt"
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND l.account = $2
  AND l.direction = 'in'
  AND l.currency = $4
  AND l.status = 'booked'
  AND l.state <> 'superseded'
  AND (least(l.booked_on, l.valued_on) <= $6::date) IS NOT FALSE
  AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')
  AND l.amount >= $3
  AND (
    ARRAY[
      l.end_to_end_id,
      l.identifiers ->> 'entryBankReference',
      l.identifiers ->> 'transactionBankReference',
      l.identifiers ->> 'transactionId',
      l.identifiers ->> 'uetr'
    ] && $5::TEXT[]
    OR l.end_to_end_id IS NULL
    AND EXISTS (
      SELECT
      FROM
        unnest($5::TEXT[]) n
      WHERE
        position('EREF+' || replace(n, ' ', '') IN replace(left(l.text, 5000), ' ', '')) > 0
    )
  )
ORDER BY
  l.id
LIMIT
  2
FOR UPDATE OF
  l;

-- LOCK_PAID_FOR
WITH
  named AS (
    SELECT
      l.id
    FROM
      bank_lines l
    WHERE
      l.mode = $1
      AND l.account = $2
      AND l.direction = 'in'
      AND l.currency = $4
      AND l.status = 'booked'
      AND l.state <> 'superseded'
      AND (least(l.booked_on, l.valued_on) <= $6::date) IS NOT FALSE
      AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')
      AND l.amount >= $3
      AND l.named_reference = ANY ($5::TEXT[])
    UNION
    SELECT
      l.id
    FROM
      transfer_references r
      JOIN payments p ON p.merchant_id = r.merchant_id
      AND p.txid = r.txid
      JOIN bank_allocations a ON a.merchant_id = p.merchant_id
      AND a.payment_id = p.id
      JOIN bank_lines l ON l.id = a.line_id
    WHERE
      r.mode = $1
      AND r.reference = ANY ($5::TEXT[])
      AND l.mode = $1
      AND l.account = $2
      AND l.direction = 'in'
      AND l.currency = $4
      AND l.status = 'booked'
      AND l.state <> 'superseded'
      AND (least(l.booked_on, l.valued_on) <= $6::date) IS NOT FALSE
      AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')
      AND l.amount >= $3
    UNION
    SELECT
      l.id
    FROM
      bank_lines l
    WHERE
      l.mode = $1
      AND l.account = $2
      AND l.direction = 'in'
      AND l.currency = $4
      AND l.status = 'booked'
      AND l.state <> 'superseded'
      AND (least(l.booked_on, l.valued_on) <= $6::date) IS NOT FALSE
      AND (l.state, l.reason) IS DISTINCT FROM ('matched', 'charged_back')
      AND l.amount >= $3
      AND l.state IN ('suggested', 'unmatched')
      AND l.named_reference IS NOT NULL
      AND letters_and_digits (concat_ws('|', l.text, l.payer_references::text, l.end_to_end_id)) LIKE ANY ($7::TEXT[])
    LIMIT
      2
  )
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt"
FROM
  bank_lines l
WHERE
  l.id IN (
    SELECT
      id
    FROM
      named
  )
  AND (
    SELECT
      count(*)
    FROM
      named
  ) = 1
  AND EXISTS (
    SELECT
    FROM
      transfer_references r
      JOIN payments p ON p.merchant_id = r.merchant_id
      AND p.txid = r.txid
      JOIN bank_allocations a ON a.merchant_id = p.merchant_id
      AND a.payment_id = p.id
    WHERE
      r.mode = $1
      AND r.reference = ANY ($5::TEXT[])
      AND a.line_id = l.id
      AND a.undone_at IS NULL
      AND a.amount >= $3
  )
FOR UPDATE OF
  l;

-- HAS_PAYMENT_CALLED
SELECT
  EXISTS (
    SELECT
    FROM
      bank_lines l
    WHERE
      (coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C" = '=' || left($5::text, 64)
      AND l.end_to_end_id = $5::text
      AND l.amount >= $3
      AND l.mode = $1
      AND l.account = $2
      AND l.direction = 'in'
      AND l.kind = 'payment'
      AND l.status = 'booked'
      AND l.booked_on <= $4::date IS NOT FALSE
      AND (
        $7::text IS NULL
        OR l.counterparty_account = $7
      )
  )
  OR EXISTS (
    SELECT
    FROM
      bank_lines l
    WHERE
      l.amount = $3
      AND l.mode = $1
      AND l.account = $2
      AND l.direction = 'in'
      AND l.kind = 'payment'
      AND l.status = 'booked'
      AND l.booked_on <= $4::date IS NOT FALSE
      AND (
        $7::text IS NULL
        OR l.counterparty_account = $7
      )
      AND (
        (
          ARRAY[
            l.identifiers ->> 'instructionId',
            l.identifiers ->> 'messageId',
            l.identifiers ->> 'paymentInformationId'
          ] && $6::TEXT[]
        )
        OR (
          ARRAY[
            l.end_to_end_id,
            l.identifiers ->> 'entryBankReference',
            l.identifiers ->> 'transactionBankReference',
            l.identifiers ->> 'transactionId',
            l.identifiers ->> 'uetr'
          ] && $6::TEXT[]
          OR l.end_to_end_id IS NULL
          AND EXISTS (
            SELECT
            FROM
              unnest($6::TEXT[]) n
            WHERE
              position('EREF+' || replace(n, ' ', '') IN replace(left(l.text, 5000), ' ', '')) > 0
          )
        )
      )
  ) AS found;

-- HAS_EQUAL_PAYMENT
SELECT
  EXISTS (
    SELECT
    FROM
      bank_lines l
    WHERE
      l.direction = 'in'
      AND (l.mode, l.account, l.amount) BETWEEN ($1, $2, $3) AND ($1, $2, $3)
      AND l.counterparty_account = $4
      AND l.id <> $5::uuid
      AND l.status = 'booked'
      AND l.state <> 'superseded'
  ) AS found;

-- HAS_EXPLAINED_DEBIT
SELECT
  EXISTS (
    SELECT
    FROM
      transfer_references t
      JOIN bank_lines r ON r.named_reference = t.reference
      AND r.mode = t.mode
    WHERE
      t.merchant_id = $1
      AND t.txid = $2
      AND r.direction = 'out'
      AND r.state = 'ignored'
  )
  OR EXISTS (
    SELECT
    FROM
      transfer_references t
      CROSS JOIN bank_lines p
      JOIN bank_lines r ON r.direction = 'out'
      AND r.currency = p.currency
      AND (r.mode, r.amount) BETWEEN (p.mode, p.amount) AND (p.mode, p.amount)
    WHERE
      t.merchant_id = $1
      AND t.txid = $2
      AND p.id = $3
      AND r.state = 'ignored'
      AND t.reference = ANY (references_in_line (r))
  ) AS found;
