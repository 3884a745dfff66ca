-- order_page_payments
SELECT
  p.merchant_id AS "merchantId",
  p.id AS "id",
  p.txid AS "txid",
  p.provider AS "provider",
  p.method AS "method",
  p.status AS "status",
  p.amount AS "amount",
  p.currency AS "currency",
  p.amount_received AS "amountReceived",
  p.received_currency AS "receivedCurrency",
  p.completes_order AS "completesOrder",
  p.provider_reference AS "providerReference",
  p.redirect_url AS "redirectUrl",
  p.error_code AS "errorCode",
  p.error_message AS "errorMessage",
  p.payer_account_number AS "payerAccountNumber",
  p.payer_account_type AS "payerAccountType",
  p.payer_account_name AS "payerAccountName",
  p.transfer AS "transfer",
  p.polls AS "polls",
  p.next_poll_at AS "nextPollAt",
  p.created_at AS "createdAt",
  p.completed_at AS "completedAt"
FROM
  payments p
WHERE
  p.merchant_id = $1
  AND p.txid = $2
ORDER BY
  p.created_at,
  p.id;

-- order_page_events
SELECT
  e.id,
  e.sequence,
  e.type,
  e.data,
  e.created_at AS "createdAt"
FROM
  events e
WHERE
  e.merchant_id = $1
  AND e.txid = $2
ORDER BY
  e.sequence
LIMIT
  500;

-- order_page_deliveries
SELECT
  d.id AS "id",
  d.type AS "type",
  d.sequence AS "sequence",
  d.endpoint_id AS "endpointId",
  d.recipient_id AS "recipientId",
  d.resent AS "resent",
  d.status AS "status",
  d.attempts AS "attempts",
  d.next_attempt_at AS "nextAttemptAt",
  d.created_at AS "createdAt",
  d.completed_at AS "completedAt",
  t.url,
  t.deleted_at IS NOT NULL AS "isEndpointDeleted",
  r.email
FROM
  (
    SELECT
      d.*
    FROM
      events e
      JOIN webhook_endpoints t ON t.merchant_id = e.merchant_id
      JOIN deliveries d ON d.merchant_id = e.merchant_id
      AND d.endpoint_id = t.id
      AND d.event_id = e.id
      AND NOT d.resent
    WHERE
      e.merchant_id = $1
      AND e.txid = $2
    UNION ALL
    SELECT
      d.*
    FROM
      events e
      JOIN notification_recipients t ON t.merchant_id = e.merchant_id
      JOIN deliveries d ON d.merchant_id = e.merchant_id
      AND d.recipient_id = t.id
      AND d.event_id = e.id
      AND NOT d.resent
    WHERE
      e.merchant_id = $1
      AND e.txid = $2
    UNION ALL
    SELECT
      d.*
    FROM
      deliveries d
    WHERE
      d.merchant_id = $1
      AND d.txid = $2
      AND d.resent
  ) d
  LEFT JOIN webhook_endpoints t ON t.merchant_id = d.merchant_id
  AND t.id = d.endpoint_id
  LEFT JOIN notification_recipients r ON r.merchant_id = d.merchant_id
  AND r.id = d.recipient_id
ORDER BY
  d.created_at,
  d.sequence,
  d.id
LIMIT
  200;

-- order_page_attempts
SELECT
  a.delivery_id AS "deliveryId",
  a.number,
  a.started_at AS "startedAt",
  a.duration_ms AS "durationMs",
  a.succeeded,
  a.status_code AS "statusCode",
  a.error
FROM
  delivery_attempts a
WHERE
  a.merchant_id = $1
  AND a.delivery_id = ANY ($2::UUID[])
ORDER BY
  a.delivery_id,
  a.number
LIMIT
  2000;

-- order_page_entries
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
  AND a.action <> 'order.noted'
ORDER BY
  a.id DESC
LIMIT
  100;

-- order_page_notes
SELECT
  n.id,
  n.text,
  n.created_at AS "createdAt",
  u.name AS "userName"
FROM
  order_notes n
  JOIN users u ON u.id = n.user_id
WHERE
  n.merchant_id = $1
  AND n.txid = $2
ORDER BY
  n.id DESC
LIMIT
  200;

-- order_page_opened
SELECT
  opened_at AS "openedAt"
FROM
  page_openings
WHERE
  merchant_id = $1
  AND txid = $2;

-- order_page_payout
SELECT
  payout.id,
  payout.status
FROM
  orders o
  LEFT JOIN LATERAL (
    SELECT
      w.id,
      w.status,
      w.paid_at
    FROM
      payout_lines l
      JOIN payouts w ON w.merchant_id = l.merchant_id
      AND w.id = l.payout_id
      AND w.status NOT IN ('draft', 'rejected', 'cancelled', 'failed', 'returned')
    WHERE
      o.paid_at IS NOT NULL
      AND l.merchant_id = o.merchant_id
      AND l.txid = o.txid
      AND l.kind = 'order'
    ORDER BY
      l.payout_id DESC
    LIMIT
      1
  ) payout ON TRUE
WHERE
  o.merchant_id = $1
  AND o.txid = $2
  AND payout.id IS NOT NULL;

-- order_page_transfers
WITH
  caused AS (
    SELECT
      t.*
    FROM
      payments p
      JOIN transfers t ON t.merchant_id = p.merchant_id
      AND t.payment_id = p.id
      AND t.kind <> 'reversal'
    WHERE
      p.merchant_id = $1
      AND p.txid = $2
  )
SELECT
  t.id AS "id",
  t.kind AS "kind",
  t.debit AS "debit",
  t.credit AS "credit",
  t.amount AS "amount",
  t.currency AS "currency",
  t.note AS "note",
  t.created_at AS "createdAt",
  NULL AS "reversedKind"
FROM
  caused t
UNION ALL
SELECT
  t.id AS "id",
  t.kind AS "kind",
  t.debit AS "debit",
  t.credit AS "credit",
  t.amount AS "amount",
  t.currency AS "currency",
  t.note AS "note",
  t.created_at AS "createdAt",
  c.kind
FROM
  caused c
  JOIN transfers t ON t.merchant_id = c.merchant_id
  AND t.reverses_id = c.id
ORDER BY
  "createdAt",
  id;
