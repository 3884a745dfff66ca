-- bank_lines_new
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
  l.looked_at AS "lookedAt",
  l.xmin::text AS version
FROM
  bank_lines l
WHERE
  l.looked_at IS NULL
  AND l.id > $1
ORDER BY
  l.id
LIMIT
  $2;

-- CLAIM
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
  l.id = ANY ($1::UUID[])
  AND l.looked_at IS NULL
ORDER BY
  l.id
FOR UPDATE
  SKIP LOCKED;

-- RECALL
UPDATE bank_lines l
SET
  looked_at = NULL
FROM
  bank_lines p
WHERE
  p.id = ANY ($1::UUID[])
  AND l.mode = p.mode
  AND l.account = p.account
  AND l.amount <= p.amount
  AND l.currency = p.currency
  AND l.direction = 'out'
  AND l.kind <> 'payment'
  AND l.status = 'booked'
  AND (
    l.looked_at IS NULL
    OR l.state = 'unmatched'
    AND l.reason = 'unknown_money_out'
  )
  AND (
    ARRAY[
      l.end_to_end_id,
      l.identifiers ->> 'entryBankReference',
      l.identifiers ->> 'transactionBankReference',
      l.identifiers ->> 'transactionId',
      l.identifiers ->> 'uetr'
    ] && ARRAY[
      p.end_to_end_id,
      p.identifiers ->> 'entryBankReference',
      p.identifiers ->> 'transactionBankReference',
      p.identifiers ->> 'transactionId',
      p.identifiers ->> 'uetr'
    ]
    OR l.named_reference = p.named_reference
  )
RETURNING
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
  l.looked_at AS "lookedAt";

-- bank_lines_requeue
UPDATE bank_lines
SET
  looked_at = NULL
WHERE
  id IN (
    SELECT
      id
    FROM
      bank_lines
    WHERE
      looked_at IS NOT NULL
      AND id IN (
        SELECT
          l.id
        FROM
          bank_lines l
          JOIN transfer_references r ON r.reference = l.named_reference
          AND r.mode = l.mode
          JOIN orders o ON o.merchant_id = r.merchant_id
          AND o.txid = r.txid
        WHERE
          l.state = 'suggested'
          AND l.reason = 'more_than_due'
          AND l.amount <= o.amount - o.amount_received
        UNION ALL
        SELECT
          l.id
        FROM
          collection_accounts c
          JOIN bank_lines l ON l.mode = c.mode
          AND l.account = c.account
          AND l.currency = c.currency
        WHERE
          l.state IN ('suggested', 'unmatched')
          AND l.reason IN ('unknown_account', 'payout_elsewhere')
      )
    FOR NO KEY UPDATE
      SKIP LOCKED
  );

-- LOCK_LINE
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
  l.id = $1
  AND l.mode = $2
FOR UPDATE;

-- DECIDED
UPDATE bank_lines l
SET
  state = v.state,
  reason = v.reason,
  looked_at = $4
FROM
  unnest($1::UUID[], $2::TEXT[], $3::TEXT[]) AS v (id, state, reason)
WHERE
  l.id = v.id;

-- bank_lines_decided
UPDATE bank_lines l
SET
  state = v.state,
  reason = v.reason,
  looked_at = $4
FROM
  (
    SELECT
      c.id,
      v.state,
      v.reason
    FROM
      unnest($1::UUID[], $2::TEXT[], $3::TEXT[], $5::TEXT[]) AS v (id, state, reason, version)
      JOIN bank_lines c ON c.id = v.id
      AND c.looked_at IS NULL
      AND c.xmin::text = coalesce(v.version, c.xmin::text)
    FOR UPDATE OF
      c SKIP LOCKED
  ) v
WHERE
  l.id = v.id
RETURNING
  l.id;

-- orders_by_transfer_reference
SELECT
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.mode AS "mode",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.currency AS "currency",
  o.amount AS "amount",
  o.amount_received AS "amountReceived",
  r.reference,
  (
    SELECT
      c.account
    FROM
      collection_accounts c
    WHERE
      c.id = r.collection_account_id
  ) AS "instructedAccount"
FROM
  transfer_references r
  JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
WHERE
  r.reference = ANY ($2::TEXT[])
  AND r.mode = $1;

-- orders_by_number_in_text
SELECT
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.mode AS "mode",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.currency AS "currency",
  o.amount AS "amount",
  o.amount_received AS "amountReceived",
  r.reference,
  (
    SELECT
      c.account
    FROM
      collection_accounts c
    WHERE
      c.id = r.collection_account_id
  ) AS "instructedAccount"
FROM
  unnest($2::TEXT[], $3::TEXT[], $4::BIGINT[]) AS w (number, currency, due)
  CROSS JOIN LATERAL (
    SELECT
      n.*
    FROM
      orders n
      LEFT JOIN transfer_references t ON t.merchant_id = n.merchant_id
      AND t.txid = n.txid
    WHERE
      n.order_merchant_id = w.number
      AND n.mode = $1
      AND n.holds_merchant_id
      AND n.status IN ('open', 'processing')
      AND n.currency = w.currency
      AND n.amount - n.amount_received = w.due
    ORDER BY
      t.reference IS NULL,
      n.txid
    LIMIT
      $5
  ) o
  LEFT JOIN transfer_references r ON r.merchant_id = o.merchant_id
  AND r.txid = o.txid;

-- orders_by_known_payer
SELECT
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.mode AS "mode",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.currency AS "currency",
  o.amount AS "amount",
  o.amount_received AS "amountReceived",
  r.reference,
  (
    SELECT
      c.account
    FROM
      collection_accounts c
    WHERE
      c.id = r.collection_account_id
  ) AS "instructedAccount"
FROM
  (
    SELECT DISTINCT
      a.merchant_id
    FROM
      bank_lines l
      JOIN bank_allocations a ON a.line_id = l.id
    WHERE
      l.mode = $1
      AND left(l.counterparty_account, 64) = left($2, 64)
      AND l.counterparty_account = $2
      AND l.state = 'matched'
    LIMIT
      20
  ) m
  JOIN orders o ON o.merchant_id = m.merchant_id
  AND o.mode = $1
  AND o.currency = $3
  AND o.amount > 0
  AND o.amount >= $4
  AND o.amount - o.amount_received = $4
  AND o.status IN ('open', 'processing')
  LEFT JOIN transfer_references r ON r.merchant_id = o.merchant_id
  AND r.txid = o.txid
ORDER BY
  row_number() OVER (
    PARTITION BY
      o.merchant_id
    ORDER BY
      r.reference IS NULL,
      o.txid DESC
  ),
  r.reference IS NULL,
  o.txid DESC
LIMIT
  $5;

-- orders_by_due_amount
SELECT
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.mode AS "mode",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.currency AS "currency",
  o.amount AS "amount",
  o.amount_received AS "amountReceived",
  r.reference,
  (
    SELECT
      c.account
    FROM
      collection_accounts c
    WHERE
      c.id = r.collection_account_id
  ) AS "instructedAccount"
FROM
  (
    SELECT
      merchant_id,
      txid,
      reference,
      collection_account_id,
      created_at
    FROM
      transfer_references
    WHERE
      mode = $1
      AND waits_until IS NOT NULL
    ORDER BY
      created_at DESC
    LIMIT
      10000
  ) r
  JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
WHERE
  o.currency = $2
  AND o.amount - o.amount_received = $3
  AND o.status IN ('open', 'processing')
ORDER BY
  row_number() OVER (
    PARTITION BY
      o.merchant_id
    ORDER BY
      r.created_at DESC,
      o.txid
  ),
  r.created_at DESC,
  o.txid
LIMIT
  $4;
