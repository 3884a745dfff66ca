-- desk_waiting
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
  m.name AS "merchantName",
  u.name AS "requestedByName",
  u.email AS "requestedByEmail",
  c.name AS "approvedByName",
  CASE p.status
    WHEN 'approved' THEN CASE
      WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
      WHEN p.refund_id IS NULL THEN CASE
        WHEN a.retired_at IS NOT NULL THEN 'removed'
        WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
        WHEN a.noticed_at IS NULL THEN 'unnoticed'
        WHEN a.usable_from > now() THEN 'waiting'
      END
      WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
      WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
    END
  END AS "heldBy",
  s.*,
  o.txid AS "refundedTxid",
  o.order_merchant_id AS "refundedOrder"
FROM
  (
    SELECT
      *
    FROM
      payouts
    WHERE
      status <> 'draft'
      AND status = 'pending_approval'
      AND mode = $3
      AND (
        $1::uuid IS NULL
        OR id > $1
      )
    ORDER BY
      id
    LIMIT
      $2
  ) p
  JOIN merchants m ON m.id = p.merchant_id
  LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
  LEFT JOIN users u ON u.id = p.requested_by
  LEFT JOIN users c ON c.id = p.approved_by
  LEFT JOIN refunds r ON r.merchant_id = p.merchant_id
  AND r.id = p.refund_id
  LEFT JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
  CROSS JOIN LATERAL (
    SELECT
      count(*) FILTER (
        WHERE
          l.kind = 'order'
      )::integer AS "orderLines",
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'order'
        ),
        0
      )::bigint AS orders,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'fee'
        ),
        0
      )::bigint AS fees,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'correction'
        ),
        0
      )::bigint AS corrections
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  ) s
ORDER BY
  p.id;

-- desk_approved
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
  m.name AS "merchantName",
  u.name AS "requestedByName",
  u.email AS "requestedByEmail",
  c.name AS "approvedByName",
  CASE p.status
    WHEN 'approved' THEN CASE
      WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
      WHEN p.refund_id IS NULL THEN CASE
        WHEN a.retired_at IS NOT NULL THEN 'removed'
        WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
        WHEN a.noticed_at IS NULL THEN 'unnoticed'
        WHEN a.usable_from > now() THEN 'waiting'
      END
      WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
      WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
    END
  END AS "heldBy",
  s.*,
  o.txid AS "refundedTxid",
  o.order_merchant_id AS "refundedOrder"
FROM
  (
    SELECT
      *
    FROM
      payouts
    WHERE
      status <> 'draft'
      AND status = 'approved'
      AND mode = $3
      AND currency = $4
      AND (
        $1::uuid IS NULL
        OR id > $1
      )
    ORDER BY
      id
    LIMIT
      $2
  ) p
  JOIN merchants m ON m.id = p.merchant_id
  LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
  LEFT JOIN users u ON u.id = p.requested_by
  LEFT JOIN users c ON c.id = p.approved_by
  LEFT JOIN refunds r ON r.merchant_id = p.merchant_id
  AND r.id = p.refund_id
  LEFT JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
  CROSS JOIN LATERAL (
    SELECT
      count(*) FILTER (
        WHERE
          l.kind = 'order'
      )::integer AS "orderLines",
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'order'
        ),
        0
      )::bigint AS orders,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'fee'
        ),
        0
      )::bigint AS fees,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'correction'
        ),
        0
      )::bigint AS corrections
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  ) s
ORDER BY
  p.id;

-- desk_of_file
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
  m.name AS "merchantName",
  u.name AS "requestedByName",
  u.email AS "requestedByEmail",
  c.name AS "approvedByName",
  CASE p.status
    WHEN 'approved' THEN CASE
      WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
      WHEN p.refund_id IS NULL THEN CASE
        WHEN a.retired_at IS NOT NULL THEN 'removed'
        WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
        WHEN a.noticed_at IS NULL THEN 'unnoticed'
        WHEN a.usable_from > now() THEN 'waiting'
      END
      WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
      WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
    END
  END AS "heldBy",
  s.*,
  o.txid AS "refundedTxid",
  o.order_merchant_id AS "refundedOrder"
FROM
  (
    SELECT
      *
    FROM
      payouts
    WHERE
      status <> 'draft'
      AND file_id = $3
      AND (
        $1::uuid IS NULL
        OR id > $1
      )
    ORDER BY
      id
    LIMIT
      $2
  ) p
  JOIN merchants m ON m.id = p.merchant_id
  LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
  LEFT JOIN users u ON u.id = p.requested_by
  LEFT JOIN users c ON c.id = p.approved_by
  LEFT JOIN refunds r ON r.merchant_id = p.merchant_id
  AND r.id = p.refund_id
  LEFT JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
  CROSS JOIN LATERAL (
    SELECT
      count(*) FILTER (
        WHERE
          l.kind = 'order'
      )::integer AS "orderLines",
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'order'
        ),
        0
      )::bigint AS orders,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'fee'
        ),
        0
      )::bigint AS fees,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'correction'
        ),
        0
      )::bigint AS corrections
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  ) s
ORDER BY
  p.id;

-- desk_find
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
  m.name AS "merchantName",
  u.name AS "requestedByName",
  u.email AS "requestedByEmail",
  c.name AS "approvedByName",
  CASE p.status
    WHEN 'approved' THEN CASE
      WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
      WHEN p.refund_id IS NULL THEN CASE
        WHEN a.retired_at IS NOT NULL THEN 'removed'
        WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
        WHEN a.noticed_at IS NULL THEN 'unnoticed'
        WHEN a.usable_from > now() THEN 'waiting'
      END
      WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
      WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
    END
  END AS "heldBy",
  s.*,
  o.txid AS "refundedTxid",
  o.order_merchant_id AS "refundedOrder"
FROM
  (
    SELECT
      *
    FROM
      payouts
    WHERE
      status <> 'draft'
      AND merchant_id = $1
      AND mode = $2
      AND id = $3
  ) p
  JOIN merchants m ON m.id = p.merchant_id
  LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id
  AND a.id = p.bank_account_id
  LEFT JOIN users u ON u.id = p.requested_by
  LEFT JOIN users c ON c.id = p.approved_by
  LEFT JOIN refunds r ON r.merchant_id = p.merchant_id
  AND r.id = p.refund_id
  LEFT JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
  CROSS JOIN LATERAL (
    SELECT
      count(*) FILTER (
        WHERE
          l.kind = 'order'
      )::integer AS "orderLines",
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'order'
        ),
        0
      )::bigint AS orders,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'fee'
        ),
        0
      )::bigint AS fees,
      coalesce(
        sum(l.amount) FILTER (
          WHERE
            l.kind = 'correction'
        ),
        0
      )::bigint AS corrections
    FROM
      payout_lines l
    WHERE
      l.merchant_id = p.merchant_id
      AND l.payout_id = p.id
  ) s
ORDER BY
  p.id;

-- desk_totals
SELECT
  status,
  currency,
  count(*) FILTER (
    WHERE
      can_go
  )::integer AS payouts,
  coalesce(
    sum(amount) FILTER (
      WHERE
        can_go
    ),
    0
  )::bigint AS amount,
  count(*) FILTER (
    WHERE
      NOT can_go
  )::integer AS held
FROM
  (
    SELECT
      p.status,
      p.currency,
      p.amount,
      p.status = 'pending_approval'
      OR CASE
        WHEN left_before (p.merchant_id, p.id) THEN 'left_before'
        WHEN p.refund_id IS NULL THEN CASE
          WHEN a.retired_at IS NOT NULL THEN 'removed'
          WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
          WHEN a.noticed_at IS NULL THEN 'unnoticed'
          WHEN a.usable_from > now() THEN 'waiting'
        END
        WHEN NOT goes_back_to_payer (p.merchant_id, p.id) THEN 'payer_unknown'
        WHEN return_waits (p.merchant_id, p.id, TRUE) THEN 'return_waits'
      END IS NULL AS can_go
    FROM
      payouts p
      LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id
      AND a.id = p.bank_account_id
    WHERE
      p.mode = $1
      AND p.status IN ('pending_approval', 'approved')
  ) p
GROUP BY
  status,
  currency
ORDER BY
  currency;

-- desk_account
SELECT
  a.created_at AS "createdAt",
  c.name AS "createdByName",
  a.confirmed_at AS "confirmedAt",
  f.name AS "confirmedByName",
  p.*
FROM
  bank_accounts a
  JOIN users c ON c.id = a.created_by
  LEFT JOIN users f ON f.id = a.confirmed_by
  CROSS JOIN LATERAL (
    SELECT
      count(*) FILTER (
        WHERE
          p.status = 'paid'
      )::integer AS paid,
      count(*) FILTER (
        WHERE
          p.status IN ('failed', 'returned')
      )::integer AS refused,
      max(p.paid_at) FILTER (
        WHERE
          p.status = 'paid'
      ) AS "lastPaidAt"
    FROM
      payouts p
    WHERE
      p.merchant_id = a.merchant_id
      AND p.mode = a.mode
      AND p.bank_account_id = a.id
      AND p.id <> $3
  ) p
WHERE
  a.merchant_id = $1
  AND a.id = $2;

-- desk_files
SELECT
  f.id AS "id",
  f.mode AS "mode",
  f.currency AS "currency",
  f.format AS "format",
  f.message_id AS "messageId",
  f.sha256 AS "sha256",
  f.payouts AS "payouts",
  f.amount AS "amount",
  f.created_by AS "createdBy",
  f.created_at AS "createdAt",
  f.not_sent_at AS "notSentAt",
  u.name AS "createdByName",
  coalesce(s.states, '[]') AS states
FROM
  payout_files f
  JOIN users u ON u.id = f.created_by
  LEFT JOIN LATERAL (
    SELECT
      json_agg(
        json_build_object('status', p.status, 'payouts', p.payouts)
        ORDER BY
          p.status
      ) AS states
    FROM
      (
        SELECT
          status,
          count(*) AS payouts
        FROM
          payouts
        WHERE
          file_id = f.id
        GROUP BY
          status
      ) p
  ) s ON TRUE
WHERE
  f.mode = $1
  AND (
    $2::uuid IS NULL
    OR f.id < $2
  )
ORDER BY
  f.id DESC
LIMIT
  $3;

-- desk_file
SELECT
  f.id AS "id",
  f.mode AS "mode",
  f.currency AS "currency",
  f.format AS "format",
  f.message_id AS "messageId",
  f.sha256 AS "sha256",
  f.payouts AS "payouts",
  f.amount AS "amount",
  f.created_by AS "createdBy",
  f.created_at AS "createdAt",
  f.not_sent_at AS "notSentAt",
  u.name AS "createdByName",
  coalesce(s.states, '[]') AS states
FROM
  payout_files f
  JOIN users u ON u.id = f.created_by
  LEFT JOIN LATERAL (
    SELECT
      json_agg(
        json_build_object('status', p.status, 'payouts', p.payouts)
        ORDER BY
          p.status
      ) AS states
    FROM
      (
        SELECT
          status,
          count(*) AS payouts
        FROM
          payouts
        WHERE
          file_id = f.id
        GROUP BY
          status
      ) p
  ) s ON TRUE
WHERE
  f.mode = $1
  AND f.id = $2;

-- HOLD_FILE
SELECT
  mode,
  currency,
  message_id AS "messageId",
  content,
  sha256,
  created_at AS "createdAt"
FROM
  payout_files
WHERE
  id = $1
FOR NO KEY UPDATE;

-- IS_SOUND
SELECT
  sha256(convert_to(f.content, 'UTF8')) = f.sha256
  AND coalesce(
    regexp_replace(
      f.content,
      '<Nm>[^<>&]+</Nm>|<CreDtTm>[^<>&]+</CreDtTm>|<ReqdExctnDt>(<Dt>)?[0-9-]+(</Dt>)?</ReqdExctnDt>|<DbtrAcct><Id><IBAN>[A-Z0-9]+</IBAN></Id></DbtrAcct>|<DbtrAgt><FinInstnId>(<Othr><Id>NOTPROVIDED</Id></Othr>|<BIC(FI)?>[A-Z0-9]+</BIC(FI)?>)</FinInstnId></DbtrAgt>',
      '',
      'g'
    ) = (
      SELECT
        '<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:' || f.format || '"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>' || f.message_id || '</MsgId>' || '<NbOfTxs>' || f.payouts || '</NbOfTxs><CtrlSum>' || CASE
          WHEN f.currency IN (
            'BIF',
            'CLP',
            'DJF',
            'GNF',
            'ISK',
            'JPY',
            'KMF',
            'KRW',
            'PYG',
            'RWF',
            'UGX',
            'VND',
            'VUV',
            'XAF',
            'XOF',
            'XPF'
          ) THEN (f.amount)::text
          WHEN f.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN ((f.amount) * 0.001)::text
          ELSE ((f.amount) * 0.01)::text
        END || '</CtrlSum>' || '<InitgPty></InitgPty></GrpHdr>
<PmtInf><PmtInfId>' || f.message_id || '</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>' || '<NbOfTxs>' || f.payouts || '</NbOfTxs><CtrlSum>' || CASE
          WHEN f.currency IN (
            'BIF',
            'CLP',
            'DJF',
            'GNF',
            'ISK',
            'JPY',
            'KMF',
            'KRW',
            'PYG',
            'RWF',
            'UGX',
            'VND',
            'VUV',
            'XAF',
            'XOF',
            'XPF'
          ) THEN (f.amount)::text
          WHEN f.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN ((f.amount) * 0.001)::text
          ELSE ((f.amount) * 0.01)::text
        END || '</CtrlSum>' || CASE f.currency
          WHEN 'EUR' THEN '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><Dbtr></Dbtr><ChrgBr>SLEV'
          ELSE '<Dbtr></Dbtr><ChrgBr>SHAR'
        END || '</ChrgBr>
' || string_agg(
          '<CdtTrfTxInf><PmtId><EndToEndId>' || replace(p.id::text, '-', '') || '</EndToEndId></PmtId><Amt><InstdAmt Ccy="' || p.currency || '">' || CASE
            WHEN p.currency IN (
              'BIF',
              'CLP',
              'DJF',
              'GNF',
              'ISK',
              'JPY',
              'KMF',
              'KRW',
              'PYG',
              'RWF',
              'UGX',
              'VND',
              'VUV',
              'XAF',
              'XOF',
              'XPF'
            ) THEN (p.amount)::text
            WHEN p.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN ((p.amount) * 0.001)::text
            ELSE ((p.amount) * 0.01)::text
          END || '</InstdAmt></Amt><Cdtr></Cdtr><CdtrAcct><Id><IBAN>' || p.iban || '</IBAN></Id></CdtrAcct><RmtInf><Ustrd>' || coalesce(p.remittance, 'Payout ' || replace(p.id::text, '-', '')) || '</Ustrd></RmtInf></CdtTrfTxInf>',
          '
'
          ORDER BY
            p.id
        ) || '
</PmtInf>
</CstmrCdtTrfInitn></Document>
'
      FROM
        payouts p
      WHERE
        p.file_id = f.id
    ),
    FALSE
  ) AS sound
FROM
  payout_files f
WHERE
  f.id = $1;

-- desk_downloads
SELECT
  a.created_at AS at,
  u.name AS "byName"
FROM
  audit_entries a
  LEFT JOIN users u ON u.id = a.user_id
WHERE
  a.merchant_id IS NULL
  AND a.subject = $1
  AND a.action = 'payout-file.downloaded'
ORDER BY
  a.id
LIMIT
  $2;

-- desk_unallocated
WITH
  sums AS (
    SELECT
      t.merchant_id,
      t.txid,
      t.currency,
      max(t.created_at) AS at,
      sum(
        CASE
          WHEN t.credit = 'unallocated' THEN t.amount
          ELSE - t.amount
        END
      )::bigint AS amount
    FROM
      transfers t
    WHERE
      t.mode = $1
      AND (
        t.debit = 'unallocated'
        OR t.credit = 'unallocated'
      )
      AND (
        $2::uuid IS NULL
        OR t.txid < $2
      )
    GROUP BY
      t.merchant_id,
      t.txid,
      t.currency
  ),
  orders_of AS (
    SELECT
      merchant_id,
      txid,
      max(at) AS at,
      json_agg(
        json_build_object('currency', currency, 'amount', amount)
        ORDER BY
          currency
      ) AS sums
    FROM
      sums
    WHERE
      amount <> 0
    GROUP BY
      merchant_id,
      txid
    ORDER BY
      txid DESC
    LIMIT
      $3
  )
SELECT
  o.merchant_id AS "merchantId",
  m.name AS "merchantName",
  o.txid,
  o.order_merchant_id AS "orderMerchantId",
  o.status,
  o.exception,
  o.amount,
  o.currency,
  o.amount_received AS "amountReceived",
  o.amount_refunded AS "amountRefunded",
  u.at,
  u.sums
FROM
  orders_of u
  JOIN orders o ON o.merchant_id = u.merchant_id
  AND o.txid = u.txid
  JOIN merchants m ON m.id = u.merchant_id
ORDER BY
  o.txid DESC;
