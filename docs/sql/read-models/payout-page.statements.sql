-- payout_page_older
SELECT
  p.id AS "id",
  p.currency AS "currency",
  p.amount AS "amount",
  p.status AS "status",
  p.holder AS "holder",
  p.iban AS "iban",
  p.requested_by AS "requestedBy",
  p.created_at AS "createdAt",
  u.name AS "requestedByName"
FROM
  payouts p
  LEFT JOIN users u ON u.id = p.requested_by
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.refund_id IS NULL
  AND (
    $3::TEXT[] IS NULL
    OR p.status = ANY ($3)
  )
  AND (
    $4::timestamptz IS NULL
    OR (p.created_at, p.id) < ($4, $5::uuid)
  )
ORDER BY
  p.created_at DESC,
  p.id DESC
LIMIT
  $6;

-- payout_page_newer
SELECT
  p.id AS "id",
  p.currency AS "currency",
  p.amount AS "amount",
  p.status AS "status",
  p.holder AS "holder",
  p.iban AS "iban",
  p.requested_by AS "requestedBy",
  p.created_at AS "createdAt",
  u.name AS "requestedByName"
FROM
  payouts p
  LEFT JOIN users u ON u.id = p.requested_by
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.refund_id IS NULL
  AND (
    $3::TEXT[] IS NULL
    OR p.status = ANY ($3)
  )
  AND (
    $4::timestamptz IS NULL
    OR (p.created_at, p.id) > ($4, $5::uuid)
  )
ORDER BY
  p.created_at ASC,
  p.id ASC
LIMIT
  $6;

-- payout_page_beside
SELECT
  1 AS n
FROM
  payouts p
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.refund_id IS NULL
  AND (
    $3::TEXT[] IS NULL
    OR p.status = ANY ($3)
  )
  AND CASE
    WHEN $6 THEN (p.created_at, p.id) >= ($4::timestamptz, $5::uuid)
    ELSE (p.created_at, p.id) <= ($4, $5)
  END
LIMIT
  1;

-- payout_page_counts
SELECT
  p.status,
  count(*)::integer AS count
FROM
  payouts p
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.refund_id IS NULL
GROUP BY
  p.status;

-- payout_page_find
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
  asker.name AS "requestedByName",
  approver.name AS "approvedByName",
  EXISTS (
    SELECT
    FROM
      payout_hands h
    WHERE
      h.merchant_id = p.merchant_id
      AND h.payout_id = p.id
      AND h.act = 'not_sent'
  ) AS "isInOldFile",
  CASE
    WHEN a.retired_at IS NOT NULL THEN 'removed'
    WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
    WHEN a.noticed_at IS NULL THEN 'unnoticed'
    WHEN a.usable_from > now() THEN 'waiting'
  END AS "accountFault"
FROM
  payouts p
  JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
  LEFT JOIN users asker ON asker.id = p.requested_by
  LEFT JOIN users approver ON approver.id = p.approved_by
WHERE
  p.merchant_id = $1
  AND p.mode = $2
  AND p.id = $3;

-- payout_page_deeds
SELECT
  *
FROM
  (
    SELECT
      a.id,
      a.action,
      a.data,
      a.created_at AS "createdAt",
      u.name AS "userName"
    FROM
      audit_entries a
      LEFT JOIN users u ON u.id = a.user_id
    WHERE
      a.merchant_id = $1
      AND a.subject = $2
    ORDER BY
      a.id DESC
    LIMIT
      200
  ) d
ORDER BY
  d.id;
