-- bank_lines_list
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
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object('merchantId', a.merchant_id, 'txid', a.txid, 'amount', a.amount)
          ORDER BY
            a.created_at,
            a.payment_id
        )
      FROM
        bank_allocations a
      WHERE
        a.line_id = l.id
        AND a.undone_at IS NULL
    ),
    '[]'
  ) AS orders
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND (
    $2::text IS NULL
    OR l.account = $2
  )
  AND (
    $3::text IS NULL
    OR l.state = $3
  )
  AND (
    $5::uuid IS NULL
    OR (l.account, coalesce(l.booked_on, '-infinity'), l.id) > ($6, coalesce($7::date, '-infinity'), $5)
  )
ORDER BY
  l.account,
  coalesce(l.booked_on, '-infinity'),
  l.id
LIMIT
  $4;
