-- event_feed_end
SELECT
  coalesce(
    (
      SELECT
        last_position
      FROM
        event_feeds
      WHERE
        merchant_id = $1
        AND mode = $2
    ),
    0
  ) AS last,
  NOT EXISTS (
    SELECT
    FROM
      events
    WHERE
      merchant_id = $1
      AND mode = $2
      AND position IS NULL
  ) AS complete;

-- OPEN_FEED
INSERT INTO
  event_feeds (merchant_id, mode)
VALUES
  ($1, $2)
ON CONFLICT DO NOTHING;

-- LOCK_FEED
SELECT
  last_position AS last
FROM
  event_feeds
WHERE
  merchant_id = $1
  AND mode = $2
FOR UPDATE;

-- PUBLISH
WITH
  fresh AS (
    SELECT
      id,
      $3::bigint + row_number() OVER (
        ORDER BY
          created_at,
          coalesce(txid, payout_id),
          sequence
      ) AS position
    FROM
      events
    WHERE
      merchant_id = $1
      AND mode = $2
      AND position IS NULL
    ORDER BY
      created_at,
      coalesce(txid, payout_id),
      sequence
    LIMIT
      5000
  ),
  published AS (
    UPDATE events e
    SET
      position = fresh.position
    FROM
      fresh
    WHERE
      e.merchant_id = $1
      AND e.id = fresh.id
    RETURNING
      e.id
  ),
  moved AS (
    UPDATE event_feeds
    SET
      last_position = $3::bigint + (
        SELECT
          count(*)
        FROM
          published
      )
    WHERE
      merchant_id = $1
      AND mode = $2
    RETURNING
      last_position
  )
SELECT
  last_position AS last
FROM
  moved;

-- events_page
SELECT
  e.merchant_id AS "event.merchantId",
  e.id AS "event.id",
  e.txid AS "event.txid",
  e.payout_id AS "event.payoutId",
  e.mode AS "event.mode",
  e.sequence AS "event.sequence",
  e.type AS "event.type",
  e.data AS "event.data",
  e.position AS "event.position",
  e.created_at AS "event.createdAt",
  r.reason AS "event.refundReason",
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.mode AS "mode",
  o.order_merchant_id AS "orderMerchantId",
  o.holds_merchant_id AS "holdsMerchantId",
  o.content_hash AS "contentHash",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.exception AS "exception",
  o.amount AS "amount",
  o.currency AS "currency",
  o.amount_received AS "amountReceived",
  o.amount_charged_back AS "amountChargedBack",
  o.amount_refunded AS "amountRefunded",
  o.amount_refund_pending AS "amountRefundPending",
  o.fee AS "fee",
  o.description AS "description",
  o.customer_name AS "customerName",
  o.customer_email AS "customerEmail",
  o.optional_fields AS "optionalFields",
  o.page_token AS "pageToken",
  o.return_url AS "returnUrl",
  o.cancel_url AS "cancelUrl",
  o.locale AS "locale",
  o.attempts AS "attempts",
  o.payment_id AS "paymentId",
  o.version AS "version",
  o.created_at AS "createdAt",
  o.updated_at AS "updatedAt",
  o.expires_at AS "expiresAt",
  o.paid_at AS "paidAt",
  o.original_amount AS "originalAmount",
  o.original_expires_at AS "originalExpiresAt",
  p.merchant_id AS "payment.merchantId",
  p.id AS "payment.id",
  p.txid AS "payment.txid",
  p.provider AS "payment.provider",
  p.method AS "payment.method",
  p.status AS "payment.status",
  p.amount AS "payment.amount",
  p.currency AS "payment.currency",
  p.amount_received AS "payment.amountReceived",
  p.received_currency AS "payment.receivedCurrency",
  p.completes_order AS "payment.completesOrder",
  p.provider_reference AS "payment.providerReference",
  p.redirect_url AS "payment.redirectUrl",
  p.error_code AS "payment.errorCode",
  p.error_message AS "payment.errorMessage",
  p.payer_account_number AS "payment.payerAccountNumber",
  p.payer_account_type AS "payment.payerAccountType",
  p.payer_account_name AS "payment.payerAccountName",
  p.transfer AS "payment.transfer",
  p.polls AS "payment.polls",
  p.next_poll_at AS "payment.nextPollAt",
  p.created_at AS "payment.createdAt",
  p.completed_at AS "payment.completedAt",
  CASE
    WHEN o.attempts > 1 THEN (
      SELECT
        jsonb_agg(
          jsonb_build_object(
            'merchantId',
            q.merchant_id,
            'id',
            q.id,
            'txid',
            q.txid,
            'provider',
            q.provider,
            'method',
            q.method,
            'status',
            q.status,
            'amount',
            q.amount,
            'currency',
            q.currency,
            'amountReceived',
            q.amount_received,
            'receivedCurrency',
            q.received_currency,
            'completesOrder',
            q.completes_order,
            'providerReference',
            q.provider_reference,
            'redirectUrl',
            q.redirect_url,
            'errorCode',
            q.error_code,
            'errorMessage',
            q.error_message,
            'payerAccountNumber',
            q.payer_account_number,
            'payerAccountType',
            q.payer_account_type,
            'payerAccountName',
            q.payer_account_name,
            'transfer',
            q.transfer,
            'polls',
            q.polls,
            'nextPollAt',
            q.next_poll_at,
            'createdAt',
            q.created_at,
            'completedAt',
            q.completed_at
          )
        )
      FROM
        payments q
      WHERE
        q.merchant_id = o.merchant_id
        AND q.txid = o.txid
        AND q.id IS DISTINCT FROM p.id
    )
  END AS others
FROM
  events e
  LEFT JOIN orders o ON o.merchant_id = e.merchant_id
  AND o.txid = e.txid
  LEFT JOIN payments p ON p.merchant_id = e.merchant_id
  AND p.id = (e.data -> 'payment' ->> 'id')::uuid
  LEFT JOIN refunds r ON r.merchant_id = e.merchant_id
  AND r.id = (e.data -> 'refundAsOf' ->> 'id')::uuid
WHERE
  e.merchant_id = $1
  AND e.mode = $2
  AND e.position > $3
  AND e.position <= $4
  AND (
    $5::TEXT[] IS NULL
    OR e.type = ANY ($5)
  )
  AND (
    $7::timestamptz IS NULL
    OR e.created_at >= $7
  )
ORDER BY
  e.position
LIMIT
  $6;

-- events_page_of_orders
WITH
  mine AS MATERIALIZED (
    SELECT
      i.id
    FROM
      unnest($8::UUID[]) wanted (txid)
      CROSS JOIN LATERAL (
        SELECT
          e.id
        FROM
          (
            SELECT
              *
            FROM
              events
            WHERE
              merchant_id = $1
              AND txid = wanted.txid
            ORDER BY
              sequence
            OFFSET
              0
          ) e
        WHERE
          e.merchant_id = $1
          AND e.mode = $2
          AND e.position > $3
          AND e.position <= $4
          AND (
            $5::TEXT[] IS NULL
            OR e.type = ANY ($5)
          )
          AND (
            $7::timestamptz IS NULL
            OR e.created_at >= $7
          )
        LIMIT
          $6
      ) i
  )
SELECT
  e.merchant_id AS "event.merchantId",
  e.id AS "event.id",
  e.txid AS "event.txid",
  e.payout_id AS "event.payoutId",
  e.mode AS "event.mode",
  e.sequence AS "event.sequence",
  e.type AS "event.type",
  e.data AS "event.data",
  e.position AS "event.position",
  e.created_at AS "event.createdAt",
  r.reason AS "event.refundReason",
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.mode AS "mode",
  o.order_merchant_id AS "orderMerchantId",
  o.holds_merchant_id AS "holdsMerchantId",
  o.content_hash AS "contentHash",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.exception AS "exception",
  o.amount AS "amount",
  o.currency AS "currency",
  o.amount_received AS "amountReceived",
  o.amount_charged_back AS "amountChargedBack",
  o.amount_refunded AS "amountRefunded",
  o.amount_refund_pending AS "amountRefundPending",
  o.fee AS "fee",
  o.description AS "description",
  o.customer_name AS "customerName",
  o.customer_email AS "customerEmail",
  o.optional_fields AS "optionalFields",
  o.page_token AS "pageToken",
  o.return_url AS "returnUrl",
  o.cancel_url AS "cancelUrl",
  o.locale AS "locale",
  o.attempts AS "attempts",
  o.payment_id AS "paymentId",
  o.version AS "version",
  o.created_at AS "createdAt",
  o.updated_at AS "updatedAt",
  o.expires_at AS "expiresAt",
  o.paid_at AS "paidAt",
  o.original_amount AS "originalAmount",
  o.original_expires_at AS "originalExpiresAt",
  p.merchant_id AS "payment.merchantId",
  p.id AS "payment.id",
  p.txid AS "payment.txid",
  p.provider AS "payment.provider",
  p.method AS "payment.method",
  p.status AS "payment.status",
  p.amount AS "payment.amount",
  p.currency AS "payment.currency",
  p.amount_received AS "payment.amountReceived",
  p.received_currency AS "payment.receivedCurrency",
  p.completes_order AS "payment.completesOrder",
  p.provider_reference AS "payment.providerReference",
  p.redirect_url AS "payment.redirectUrl",
  p.error_code AS "payment.errorCode",
  p.error_message AS "payment.errorMessage",
  p.payer_account_number AS "payment.payerAccountNumber",
  p.payer_account_type AS "payment.payerAccountType",
  p.payer_account_name AS "payment.payerAccountName",
  p.transfer AS "payment.transfer",
  p.polls AS "payment.polls",
  p.next_poll_at AS "payment.nextPollAt",
  p.created_at AS "payment.createdAt",
  p.completed_at AS "payment.completedAt",
  CASE
    WHEN o.attempts > 1 THEN (
      SELECT
        jsonb_agg(
          jsonb_build_object(
            'merchantId',
            q.merchant_id,
            'id',
            q.id,
            'txid',
            q.txid,
            'provider',
            q.provider,
            'method',
            q.method,
            'status',
            q.status,
            'amount',
            q.amount,
            'currency',
            q.currency,
            'amountReceived',
            q.amount_received,
            'receivedCurrency',
            q.received_currency,
            'completesOrder',
            q.completes_order,
            'providerReference',
            q.provider_reference,
            'redirectUrl',
            q.redirect_url,
            'errorCode',
            q.error_code,
            'errorMessage',
            q.error_message,
            'payerAccountNumber',
            q.payer_account_number,
            'payerAccountType',
            q.payer_account_type,
            'payerAccountName',
            q.payer_account_name,
            'transfer',
            q.transfer,
            'polls',
            q.polls,
            'nextPollAt',
            q.next_poll_at,
            'createdAt',
            q.created_at,
            'completedAt',
            q.completed_at
          )
        )
      FROM
        payments q
      WHERE
        q.merchant_id = o.merchant_id
        AND q.txid = o.txid
        AND q.id IS DISTINCT FROM p.id
    )
  END AS others
FROM
  events e
  LEFT JOIN orders o ON o.merchant_id = e.merchant_id
  AND o.txid = e.txid
  LEFT JOIN payments p ON p.merchant_id = e.merchant_id
  AND p.id = (e.data -> 'payment' ->> 'id')::uuid
  LEFT JOIN refunds r ON r.merchant_id = e.merchant_id
  AND r.id = (e.data -> 'refundAsOf' ->> 'id')::uuid
WHERE
  e.merchant_id = $1
  AND e.id IN (
    SELECT
      id
    FROM
      mine
  )
ORDER BY
  e.position
LIMIT
  $6;

-- event_place_before
WITH RECURSIVE
  halved AS (
    SELECT
      0::bigint AS low,
      $3::bigint + 1 AS high
    UNION ALL
    SELECT
      CASE
        WHEN e.created_at < $4 THEN e.position
        ELSE h.low
      END,
      CASE
        WHEN e.created_at < $4 THEN h.high
        ELSE e.position
      END
    FROM
      halved h
      CROSS JOIN LATERAL (
        SELECT
          position,
          created_at
        FROM
          events
        WHERE
          merchant_id = $1
          AND mode = $2
          AND position = (h.low + h.high) / 2
        LIMIT
          1
      ) e
    WHERE
      h.high - h.low > 1
  )
SELECT
  max(low) AS position
FROM
  halved;

-- event_by_id
SELECT
  e.merchant_id AS "event.merchantId",
  e.id AS "event.id",
  e.txid AS "event.txid",
  e.payout_id AS "event.payoutId",
  e.mode AS "event.mode",
  e.sequence AS "event.sequence",
  e.type AS "event.type",
  e.data AS "event.data",
  e.position AS "event.position",
  e.created_at AS "event.createdAt",
  r.reason AS "event.refundReason",
  o.merchant_id AS "merchantId",
  o.txid AS "txid",
  o.mode AS "mode",
  o.order_merchant_id AS "orderMerchantId",
  o.holds_merchant_id AS "holdsMerchantId",
  o.content_hash AS "contentHash",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.exception AS "exception",
  o.amount AS "amount",
  o.currency AS "currency",
  o.amount_received AS "amountReceived",
  o.amount_charged_back AS "amountChargedBack",
  o.amount_refunded AS "amountRefunded",
  o.amount_refund_pending AS "amountRefundPending",
  o.fee AS "fee",
  o.description AS "description",
  o.customer_name AS "customerName",
  o.customer_email AS "customerEmail",
  o.optional_fields AS "optionalFields",
  o.page_token AS "pageToken",
  o.return_url AS "returnUrl",
  o.cancel_url AS "cancelUrl",
  o.locale AS "locale",
  o.attempts AS "attempts",
  o.payment_id AS "paymentId",
  o.version AS "version",
  o.created_at AS "createdAt",
  o.updated_at AS "updatedAt",
  o.expires_at AS "expiresAt",
  o.paid_at AS "paidAt",
  o.original_amount AS "originalAmount",
  o.original_expires_at AS "originalExpiresAt",
  p.merchant_id AS "payment.merchantId",
  p.id AS "payment.id",
  p.txid AS "payment.txid",
  p.provider AS "payment.provider",
  p.method AS "payment.method",
  p.status AS "payment.status",
  p.amount AS "payment.amount",
  p.currency AS "payment.currency",
  p.amount_received AS "payment.amountReceived",
  p.received_currency AS "payment.receivedCurrency",
  p.completes_order AS "payment.completesOrder",
  p.provider_reference AS "payment.providerReference",
  p.redirect_url AS "payment.redirectUrl",
  p.error_code AS "payment.errorCode",
  p.error_message AS "payment.errorMessage",
  p.payer_account_number AS "payment.payerAccountNumber",
  p.payer_account_type AS "payment.payerAccountType",
  p.payer_account_name AS "payment.payerAccountName",
  p.transfer AS "payment.transfer",
  p.polls AS "payment.polls",
  p.next_poll_at AS "payment.nextPollAt",
  p.created_at AS "payment.createdAt",
  p.completed_at AS "payment.completedAt",
  CASE
    WHEN o.attempts > 1 THEN (
      SELECT
        jsonb_agg(
          jsonb_build_object(
            'merchantId',
            q.merchant_id,
            'id',
            q.id,
            'txid',
            q.txid,
            'provider',
            q.provider,
            'method',
            q.method,
            'status',
            q.status,
            'amount',
            q.amount,
            'currency',
            q.currency,
            'amountReceived',
            q.amount_received,
            'receivedCurrency',
            q.received_currency,
            'completesOrder',
            q.completes_order,
            'providerReference',
            q.provider_reference,
            'redirectUrl',
            q.redirect_url,
            'errorCode',
            q.error_code,
            'errorMessage',
            q.error_message,
            'payerAccountNumber',
            q.payer_account_number,
            'payerAccountType',
            q.payer_account_type,
            'payerAccountName',
            q.payer_account_name,
            'transfer',
            q.transfer,
            'polls',
            q.polls,
            'nextPollAt',
            q.next_poll_at,
            'createdAt',
            q.created_at,
            'completedAt',
            q.completed_at
          )
        )
      FROM
        payments q
      WHERE
        q.merchant_id = o.merchant_id
        AND q.txid = o.txid
        AND q.id IS DISTINCT FROM p.id
    )
  END AS others
FROM
  events e
  LEFT JOIN orders o ON o.merchant_id = e.merchant_id
  AND o.txid = e.txid
  LEFT JOIN payments p ON p.merchant_id = e.merchant_id
  AND p.id = (e.data -> 'payment' ->> 'id')::uuid
  LEFT JOIN refunds r ON r.merchant_id = e.merchant_id
  AND r.id = (e.data -> 'refundAsOf' ->> 'id')::uuid
WHERE
  e.merchant_id = $1
  AND e.id = $2;

-- event_position
SELECT
  position
FROM
  events
WHERE
  merchant_id = $1
  AND mode = $2
  AND id = $3;

-- event_at
SELECT
  id
FROM
  events
WHERE
  merchant_id = $1
  AND mode = $2
  AND position = $3;
