-- payout_find
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
  p.paid_at AS "paidAt"
FROM
  payouts p
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.id = $3
  AND p.refund_id IS NULL;

-- payout_find_by_form
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
  p.paid_at AS "paidAt"
FROM
  payouts p
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.form_id = $3;

-- payout_find_with_sums
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
  coalesce(
    (
      SELECT
        json_object_agg(kind, json_build_object('count', count, 'amount', amount))
      FROM
        (
          SELECT
            l.kind,
            count(*) AS count,
            sum(l.amount) AS amount
          FROM
            payout_lines l
          WHERE
            l.merchant_id = p.merchant_id
            AND l.payout_id = p.id
          GROUP BY
            l.kind
        ) s
    ),
    '{}'
  ) AS sums
FROM
  payouts p
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.id = $3
  AND p.refund_id IS NULL;

-- payout_list
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
  p.paid_at AS "paidAt"
FROM
  payouts p
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.refund_id IS NULL
  AND (
    $3::uuid IS NULL
    OR p.id < $3
  )
  AND (
    $4::TEXT[] IS NULL
    OR p.status = ANY ($4)
  )
ORDER BY
  p.id DESC
LIMIT
  $5;

-- COUNT_WAITING
SELECT
  count(*)::integer AS waiting
FROM
  payouts
WHERE
  merchant_id = $1
  AND mode = $2
  AND status = 'pending_approval'
  AND (refund_id IS NOT NULL) = $3;

-- LOCK
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
  (
    SELECT
      sha256(
        convert_to(
          json_build_array(
            p.id,
            p.merchant_id,
            p.mode,
            p.currency,
            p.amount,
            p.holder,
            p.iban,
            sum(l.amount) = p.amount,
            json_agg(
              json_build_array(l.kind, l.transfer_id, l.txid, l.amount)
              ORDER BY
                l.number
            )
          )::text,
          'UTF8'
        )
      )
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  ) AS "presentHash"
FROM
  payouts p
WHERE
  p.merchant_id = $1
  AND p.id = $2
FOR NO KEY UPDATE OF
  p;

-- LOCK_APPROVED
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
  p.paid_at AS "paidAt"
FROM
  payouts p
  JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
WHERE
  p.mode = $1
  AND p.currency = $2
  AND p.status = 'approved'
  AND CASE
    WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
    WHEN p.refund_id IS NULL THEN CASE
      WHEN a.retired_at IS NOT NULL THEN 'removed'
      WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
      WHEN a.noticed_at IS NULL THEN 'unnoticed'
      WHEN a.usable_from > least($4::timestamptz, now()) THEN 'waiting'
    END
    WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
    WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
  END IS NULL
ORDER BY
  p.id
LIMIT
  $3
FOR UPDATE OF
  p
FOR SHARE OF
  a;

-- LOCK_APPROVED_REFUNDS
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
  p.paid_at AS "paidAt"
FROM
  payouts p
  LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
WHERE
  p.mode = $1
  AND p.currency = $2
  AND p.status = 'approved'
  AND p.refund_id IS NOT NULL
  AND CASE
    WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
    WHEN p.refund_id IS NULL THEN CASE
      WHEN a.retired_at IS NOT NULL THEN 'removed'
      WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
      WHEN a.noticed_at IS NULL THEN 'unnoticed'
      WHEN a.usable_from > least($4::timestamptz, now()) THEN 'waiting'
    END
    WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
    WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
  END IS NULL
ORDER BY
  p.id
LIMIT
  $3
FOR UPDATE OF
  p;

-- FIND_HELD
SELECT
  p.id,
  CASE
    WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
    WHEN p.refund_id IS NULL THEN CASE
      WHEN a.retired_at IS NOT NULL THEN 'removed'
      WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
      WHEN a.noticed_at IS NULL THEN 'unnoticed'
      WHEN a.usable_from > least($4::timestamptz, now()) THEN 'waiting'
    END
    WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
    WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
  END AS by
FROM
  payouts p
  LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
WHERE
  p.mode = $1
  AND p.currency = $2
  AND p.status = 'approved'
  AND CASE
    WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
    WHEN p.refund_id IS NULL THEN CASE
      WHEN a.retired_at IS NOT NULL THEN 'removed'
      WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
      WHEN a.noticed_at IS NULL THEN 'unnoticed'
      WHEN a.usable_from > least($4::timestamptz, now()) THEN 'waiting'
    END
    WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
    WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
  END IS NOT NULL
ORDER BY
  p.id
LIMIT
  $3;

-- LOCK_OF_FILE
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
  p.paid_at AS "paidAt"
FROM
  payouts p
WHERE
  p.file_id = $1
  AND p.status = ANY ($2)
ORDER BY
  p.id
LIMIT
  $3
FOR UPDATE OF
  p;

-- COUNT_LINES
SELECT
  p.id,
  (
    SELECT
      count(*)::integer
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  ) AS lines
FROM
  payouts p
  JOIN unnest($1::UUID[], $2::UUID[]) k (merchant_id, id) ON p.merchant_id = k.merchant_id
  AND p.id = k.id;

-- HASHES
SELECT
  p.id,
  (
    SELECT
      sha256(
        convert_to(
          json_build_array(
            p.id,
            p.merchant_id,
            p.mode,
            p.currency,
            p.amount,
            p.holder,
            p.iban,
            sum(l.amount) = p.amount,
            json_agg(
              json_build_array(l.kind, l.transfer_id, l.txid, l.amount)
              ORDER BY
                l.number
            )
          )::text,
          'UTF8'
        )
      )
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  ) AS hash
FROM
  payouts p
  JOIN unnest($1::UUID[], $2::UUID[]) k (merchant_id, id) ON p.merchant_id = k.merchant_id
  AND p.id = k.id;

-- INSERT_PAYOUT
INSERT INTO
  payouts (
    merchant_id,
    id,
    mode,
    currency,
    amount,
    status,
    bank_account_id,
    refund_id,
    holder,
    iban,
    remittance,
    requested_by,
    form_id,
    created_at,
    updated_at
  )
VALUES
  ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, $11, $12, $13, $13);

-- SEAL
UPDATE payouts p
SET
  content_hash = (
    SELECT
      sha256(
        convert_to(
          json_build_array(
            p.id,
            p.merchant_id,
            p.mode,
            p.currency,
            p.amount,
            p.holder,
            p.iban,
            sum(l.amount) = p.amount,
            json_agg(
              json_build_array(l.kind, l.transfer_id, l.txid, l.amount)
              ORDER BY
                l.number
            )
          )::text,
          'UTF8'
        )
      )
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  )
WHERE
  p.merchant_id = $1
  AND p.id = $2
RETURNING
  p.content_hash AS "contentHash";

-- payout_lines
SELECT
  l.number,
  l.kind,
  l.txid,
  l.amount,
  o.order_merchant_id AS "orderMerchantId",
  o.amount AS "orderAmount",
  o.paid_at AS "paidAt"
FROM
  payout_lines l
  JOIN orders o ON o.merchant_id = l.merchant_id
  AND o.txid = l.txid
WHERE
  l.merchant_id = $1
  AND l.payout_id = $2
  AND l.number > $3
ORDER BY
  l.number
LIMIT
  $4;

-- payout_line_sums
SELECT
  kind,
  count(*)::integer AS lines,
  sum(amount)::bigint AS amount
FROM
  payout_lines
WHERE
  merchant_id = $1
  AND payout_id = $2
GROUP BY
  kind;

-- payout_events
SELECT
  id,
  sequence,
  type,
  data,
  created_at AS "createdAt"
FROM
  events
WHERE
  merchant_id = $1
  AND payout_id = $2
ORDER BY
  sequence;
