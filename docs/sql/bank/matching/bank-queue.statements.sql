-- bank_queue_oldest
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
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
  l.booked_on::text AS "bookedOn",
  l.valued_on::text AS "valuedOn"
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND (
    $3::text IS NULL
    OR l.account = $3
  )
  AND (
    $4::date IS NULL
    OR coalesce(l.booked_on, l.valued_on) = $4
  )
  AND (
    $5::jsonb IS NULL
    OR $5::jsonb -> coalesce(($6::jsonb ->> l.currency), '2') @> to_jsonb(l.amount)
  )
  AND (
    $7::text IS NULL
    OR position(
      lower($7) IN lower(
        concat_ws(
          ' ',
          l.counterparty_name,
          l.counterparty_account,
          l.text,
          l.end_to_end_id,
          l.bank_reference,
          l.payer_references::text,
          l.amount_text
        )
      )
    ) > 0
  )
  AND l.state = ANY ($2::TEXT[])
  AND (
    state = 'not_a_payment'
    AND reason = 'unknown_money_out'
  ) IS NOT TRUE
  AND (
    $8::uuid IS NULL
    OR l.id > $8
  )
ORDER BY
  l.id ASC
LIMIT
  $9;

-- bank_queue_newest
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
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
  l.booked_on::text AS "bookedOn",
  l.valued_on::text AS "valuedOn"
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND (
    $3::text IS NULL
    OR l.account = $3
  )
  AND (
    $4::date IS NULL
    OR coalesce(l.booked_on, l.valued_on) = $4
  )
  AND (
    $5::jsonb IS NULL
    OR $5::jsonb -> coalesce(($6::jsonb ->> l.currency), '2') @> to_jsonb(l.amount)
  )
  AND (
    $7::text IS NULL
    OR position(
      lower($7) IN lower(
        concat_ws(
          ' ',
          l.counterparty_name,
          l.counterparty_account,
          l.text,
          l.end_to_end_id,
          l.bank_reference,
          l.payer_references::text,
          l.amount_text
        )
      )
    ) > 0
  )
  AND l.state = ANY ($2::TEXT[])
  AND (
    state = 'not_a_payment'
    AND reason = 'unknown_money_out'
  ) IS NOT TRUE
  AND (
    $8::uuid IS NULL
    OR l.id < $8
  )
ORDER BY
  l.id DESC
LIMIT
  $9;

-- bank_queue_unknown_money_out
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
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
  l.booked_on::text AS "bookedOn",
  l.valued_on::text AS "valuedOn"
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND (
    $3::text IS NULL
    OR l.account = $3
  )
  AND (
    $4::date IS NULL
    OR coalesce(l.booked_on, l.valued_on) = $4
  )
  AND (
    $5::jsonb IS NULL
    OR $5::jsonb -> coalesce(($6::jsonb ->> l.currency), '2') @> to_jsonb(l.amount)
  )
  AND (
    $7::text IS NULL
    OR position(
      lower($7) IN lower(
        concat_ws(
          ' ',
          l.counterparty_name,
          l.counterparty_account,
          l.text,
          l.end_to_end_id,
          l.bank_reference,
          l.payer_references::text,
          l.amount_text
        )
      )
    ) > 0
  )
  AND 'unknown_money_out' = ANY ($2::TEXT[])
  AND (
    state = 'not_a_payment'
    AND reason = 'unknown_money_out'
  )
  AND (
    $8::uuid IS NULL
    OR l.id > $8
  )
ORDER BY
  l.id ASC
LIMIT
  $9;

-- bank_queue_counts
SELECT
  s.name AS state,
  c.lines
FROM
  unnest('{announced,matched,suggested,unmatched,not_a_payment,ignored,superseded}'::TEXT[]) s (name)
  CROSS JOIN LATERAL (
    SELECT
      count(*)::integer AS lines
    FROM
      (
        SELECT
        FROM
          bank_lines l
        WHERE
          l.mode = $1
          AND l.state = s.name
          AND (
            state = 'not_a_payment'
            AND reason = 'unknown_money_out'
          ) IS NOT TRUE
        LIMIT
          $2
      ) found
  ) c
UNION ALL
SELECT
  'unknown_money_out',
  count(*)::integer
FROM
  (
    SELECT
    FROM
      bank_lines
    WHERE
      mode = $1
      AND (
        state = 'not_a_payment'
        AND reason = 'unknown_money_out'
      )
    LIMIT
      $2
  ) found;

-- bank_queue_accounts
WITH RECURSIVE
  known (account) AS (
    (
      SELECT
        l.account
      FROM
        bank_lines l
      WHERE
        l.mode = $1
      ORDER BY
        l.account
      LIMIT
        1
    )
    UNION ALL
    SELECT
      (
        SELECT
          l.account
        FROM
          bank_lines l
        WHERE
          l.mode = $1
          AND l.account > known.account
        ORDER BY
          l.account
        LIMIT
          1
      )
    FROM
      known
    WHERE
      known.account IS NOT NULL
  )
SELECT
  account
FROM
  known
WHERE
  account IS NOT NULL
LIMIT
  $2;

-- bank_queue_line
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
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
  l.booked_on::text AS "bookedOn",
  l.valued_on::text AS "valuedOn"
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND l.id = $2;

-- bank_queue_places
SELECT
  p.entry,
  p.detail,
  s.format,
  s.statement_id AS "statementId",
  s.sequence,
  s.created_at AS "seenAt",
  f.name AS "fileName",
  encode(f.sha256, 'hex') AS "sha256",
  f.source,
  u.name AS "broughtByName"
FROM
  bank_line_places p
  JOIN bank_statements s ON s.id = p.statement_id
  JOIN bank_files f ON f.id = s.file_id
  LEFT JOIN users u ON u.id = f.brought_by
WHERE
  p.line_id = $1
ORDER BY
  s.created_at,
  s.id,
  p.entry,
  p.detail
LIMIT
  $2;

-- bank_queue_allocations
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
  a.undone_by_line_id AS "undoneByLineId",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.exception AS "exception",
  o.currency AS "currency",
  m.name AS "merchantName",
  u.name AS "matchedByName",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  coalesce(
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
  ) AS returned
FROM
  bank_allocations a
  JOIN orders o ON o.merchant_id = a.merchant_id
  AND o.txid = a.txid
  JOIN payments p ON p.merchant_id = a.merchant_id
  AND p.id = a.payment_id
  JOIN merchants m ON m.id = a.merchant_id
  LEFT JOIN users u ON u.id = a.matched_by
WHERE
  a.line_id = $1
ORDER BY
  a.created_at,
  a.payment_id;

-- bank_queue_returns
SELECT
  r.line_id AS "lineId",
  r.merchant_id AS "merchantId",
  r.payment_id AS "paymentId",
  r.amount AS "amount",
  r.said_by AS "saidBy",
  r.created_at AS "createdAt",
  r.undone_at AS "undoneAt",
  r.undone_by AS "undoneBy",
  o.txid AS "txid",
  o.order_merchant_id AS "orderMerchantId",
  o.currency AS "currency",
  m.name AS "merchantName",
  u.name AS "saidByName"
FROM
  bank_returns r
  JOIN bank_allocations a ON a.merchant_id = r.merchant_id
  AND a.payment_id = r.payment_id
  JOIN orders o ON o.merchant_id = a.merchant_id
  AND o.txid = a.txid
  JOIN merchants m ON m.id = r.merchant_id
  LEFT JOIN users u ON u.id = r.said_by
WHERE
  r.line_id = $1
ORDER BY
  r.created_at,
  r.payment_id;

-- bank_queue_notes
SELECT
  n.id AS "id",
  n.text AS "text",
  n.created_at AS "createdAt",
  u.name AS "userName"
FROM
  bank_line_notes n
  JOIN users u ON u.id = n.user_id
WHERE
  n.line_id = $1
ORDER BY
  n.id
LIMIT
  $2;

-- bank_queue_orders_txid
SELECT
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.exception AS "exception",
  o.amount AS "amount",
  o.amount_received AS "amountReceived",
  o.currency AS "currency",
  o.customer_name AS "customerName",
  o.created_at AS "createdAt",
  m.name AS "merchantName",
  t.account AS "instructedAccount"
FROM
  merchants m
  CROSS JOIN LATERAL (
    SELECT
      *
    FROM
      orders
    WHERE
      merchant_id = m.id
      AND mode = $1
      AND txid = $2::uuid
    ORDER BY
      txid DESC
    LIMIT
      2
  ) o
  CROSS JOIN LATERAL (
    SELECT
      (
        SELECT
          c.account
        FROM
          transfer_references r
          JOIN collection_accounts c ON c.id = r.collection_account_id
        WHERE
          r.merchant_id = o.merchant_id
          AND r.txid = o.txid
      ) AS account
  ) t
ORDER BY
  t.account IS NULL,
  m.id
LIMIT
  $3;

-- bank_queue_orders_id
SELECT
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.exception AS "exception",
  o.amount AS "amount",
  o.amount_received AS "amountReceived",
  o.currency AS "currency",
  o.customer_name AS "customerName",
  o.created_at AS "createdAt",
  m.name AS "merchantName",
  t.account AS "instructedAccount"
FROM
  merchants m
  CROSS JOIN LATERAL (
    SELECT
      *
    FROM
      orders
    WHERE
      merchant_id = m.id
      AND mode = $1
      AND order_merchant_id = $2
    ORDER BY
      txid DESC
    LIMIT
      2
  ) o
  CROSS JOIN LATERAL (
    SELECT
      (
        SELECT
          c.account
        FROM
          transfer_references r
          JOIN collection_accounts c ON c.id = r.collection_account_id
        WHERE
          r.merchant_id = o.merchant_id
          AND r.txid = o.txid
      ) AS account
  ) t
ORDER BY
  t.account IS NULL,
  m.id
LIMIT
  $3;

-- bank_queue_orders_key
SELECT
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.exception AS "exception",
  o.amount AS "amount",
  o.amount_received AS "amountReceived",
  o.currency AS "currency",
  o.customer_name AS "customerName",
  o.created_at AS "createdAt",
  m.name AS "merchantName",
  (
    SELECT
      c.account
    FROM
      transfer_references r
      JOIN collection_accounts c ON c.id = r.collection_account_id
    WHERE
      r.merchant_id = o.merchant_id
      AND r.txid = o.txid
  ) AS "instructedAccount"
FROM
  unnest($1::UUID[], $2::UUID[]) k (merchant_id, txid)
  JOIN orders o ON o.merchant_id = k.merchant_id
  AND o.txid = k.txid
  JOIN merchants m ON m.id = o.merchant_id;

-- bank_queue_of_order
SELECT
  a.payment_id AS "paymentId",
  a.amount,
  a.undone_at AS "undoneAt",
  a.undone_by_line_id IS NOT NULL AS "isTakenBack",
  l.booked_on::text AS "bookedOn",
  l.currency,
  CASE
    WHEN o.erased_at IS NULL THEN l.counterparty_name
  END AS "name",
  CASE
    WHEN o.erased_at IS NULL THEN l.counterparty_account
  END AS "account",
  CASE
    WHEN o.erased_at IS NULL THEN l.counterparty_account_type
  END AS "accountType"
FROM
  bank_allocations a
  JOIN bank_lines l ON l.id = a.line_id
  JOIN orders o ON o.merchant_id = a.merchant_id
  AND o.txid = a.txid
WHERE
  a.merchant_id = $1
  AND a.txid = $2
  AND a.payment_id IN (
    SELECT
      id
    FROM
      payments
    WHERE
      merchant_id = $1
      AND txid = $2
  )
ORDER BY
  a.created_at,
  a.payment_id;
