-- order_that_waits
SELECT
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
    WHEN f.merchant_id IS NOT NULL THEN json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed)
  END AS price
FROM
  payments p
  JOIN orders o ON o.merchant_id = p.merchant_id
  AND o.txid = p.txid
  LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
  AND f.provider = p.provider
  AND f.currency = p.currency
WHERE
  p.merchant_id = $1
  AND p.id = $2
  AND p.status = 'pending'
  AND o.status = 'processing'
  AND o.erased_at IS NULL
LIMIT
  1;

-- order_that_waits_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("merchantId" uuid, "paymentId" uuid)) WITH ORDINALITY AS input ("merchantId", "paymentId", place)
  LEFT JOIN LATERAL (
    SELECT
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
        WHEN f.merchant_id IS NOT NULL THEN json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed)
      END AS price
    FROM
      payments p
      JOIN orders o ON o.merchant_id = p.merchant_id
      AND o.txid = p.txid
      LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
      AND f.provider = p.provider
      AND f.currency = p.currency
    WHERE
      p.merchant_id = input."merchantId"
      AND p.id = input."paymentId"
      AND p.status = 'pending'
      AND o.status = 'processing'
      AND o.erased_at IS NULL
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- provider_events_store
WITH
  input AS (
    SELECT
      *
    FROM
      json_to_recordset($1) AS input (
        "merchantId" uuid,
        "id" uuid,
        "provider" text,
        "accountId" uuid,
        "mode" text,
        "providerEventId" text,
        "paymentId" uuid,
        "report" jsonb,
        "body" text,
        "receivedAt" timestamptz,
        "appliedAt" timestamptz,
        "result" text,
        "nextAttemptAt" timestamptz,
        txid uuid,
        "versionBefore" integer,
        "eventId" uuid,
        "eventType" text,
        "eventData" jsonb,
        transfers json,
        "order.status" text,
        "order.statusReason" text,
        "order.exception" text,
        "order.amountReceived" bigint,
        "order.fee" bigint,
        "order.paidAt" timestamptz,
        "order.paymentId" uuid,
        "order.updatedAt" timestamptz,
        "order.version" integer,
        "payment.status" text,
        "payment.amountReceived" bigint,
        "payment.receivedCurrency" text,
        "payment.completesOrder" boolean,
        "payment.payerAccountNumber" text,
        "payment.payerAccountType" text,
        "payment.payerAccountName" text,
        "payment.errorCode" text,
        "payment.errorMessage" text,
        "payment.nextPollAt" timestamptz,
        "payment.completedAt" timestamptz
      )
  ),
  locked AS (
    SELECT
      input.id
    FROM
      input
      CROSS JOIN LATERAL (
        SELECT
        FROM
          orders o
          JOIN payments p ON p.merchant_id = o.merchant_id
          AND p.txid = o.txid
        WHERE
          o.merchant_id = input."merchantId"
          AND o.txid = input.txid
          AND o.version = input."versionBefore"
          AND o.status = 'processing'
          AND o.erased_at IS NULL
          AND p.merchant_id = input."merchantId"
          AND p.id = input."paymentId"
          AND p.status = 'pending'
        LIMIT
          1
        FOR NO KEY UPDATE
          SKIP LOCKED
      ) one
    WHERE
      input.txid IS NOT NULL
  ),
  stored AS (
    INSERT INTO
      provider_events (
        merchant_id,
        id,
        provider,
        account_id,
        mode,
        provider_event_id,
        payment_id,
        report,
        body,
        received_at,
        applied_at,
        result,
        next_attempt_at
      )
    SELECT
      input."merchantId",
      input."id",
      input."provider",
      input."accountId",
      input."mode",
      input."providerEventId",
      input."paymentId",
      input."report",
      input."body",
      input."receivedAt",
      CASE
        WHEN l.id IS NULL THEN input."appliedAt"
        ELSE input."receivedAt"
      END,
      CASE
        WHEN l.id IS NULL THEN input."result"
        ELSE 'applied'
      END,
      least(input."nextAttemptAt"::timestamptz, now() + interval '1 minute')
    FROM
      input
      LEFT JOIN locked l ON l.id = input."id"
    ORDER BY
      input."providerEventId"
    ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING
    RETURNING
      id
  ),
  applied AS (
    SELECT
      input.*
    FROM
      stored
      JOIN locked USING (id)
      JOIN input USING (id)
  ),
  paid AS (
    UPDATE payments p
    SET
      status = a."payment.status",
      amount_received = a."payment.amountReceived",
      received_currency = a."payment.receivedCurrency",
      completes_order = a."payment.completesOrder",
      payer_account_number = a."payment.payerAccountNumber",
      payer_account_type = a."payment.payerAccountType",
      payer_account_name = a."payment.payerAccountName",
      error_code = a."payment.errorCode",
      error_message = a."payment.errorMessage",
      next_poll_at = a."payment.nextPollAt",
      completed_at = a."payment.completedAt"
    FROM
      applied a
    WHERE
      p.merchant_id = a."merchantId"
      AND p.id = a."paymentId"
    RETURNING
      a.*,
      p AS payment
  ),
  changed AS (
    UPDATE orders o
    SET
      status = a."order.status",
      status_reason = a."order.statusReason",
      exception = a."order.exception",
      amount_received = a."order.amountReceived",
      fee = a."order.fee",
      paid_at = a."order.paidAt",
      payment_id = a."order.paymentId",
      updated_at = a."order.updatedAt",
      version = a."order.version"
    FROM
      paid a
    WHERE
      o.merchant_id = a."merchantId"
      AND o.txid = a.txid
      AND o.version = a."versionBefore"
    RETURNING
      o.*,
      a."eventId",
      a."eventType",
      a."eventData",
      a.payment
  ),
  booked AS (
    INSERT INTO
      transfers (merchant_id, id, mode, currency, kind, debit, credit, amount, txid, payment_id, created_at, covered)
    SELECT
      a."merchantId",
      t."id",
      a.mode,
      a."payment.receivedCurrency",
      t."kind",
      t."debit",
      t."credit",
      t."amount",
      a.txid,
      a."paymentId",
      a."receivedAt",
      'available' IN (t.debit, t.credit)
      AND sum(t.amount * ((t.credit = 'available')::integer - (t.debit = 'available')::integer)) OVER (
        PARTITION BY
          a."paymentId"
      ) = 0
    FROM
      applied a
      CROSS JOIN LATERAL json_to_recordset(a.transfers) AS t ("id" uuid, "kind" text, "debit" text, "credit" text, "amount" bigint)
  ),
  happened AS (
    INSERT INTO
      events (merchant_id, id, txid, mode, sequence, type, data, created_at)
    SELECT
      o.merchant_id,
      o."eventId",
      o.txid,
      o.mode,
      o.version,
      o."eventType",
      o."eventData" || jsonb_build_object(
        'status',
        o.status,
        'statusReason',
        o.status_reason,
        'exception',
        o.exception,
        'amountReceived',
        o.amount_received,
        'amountRefunded',
        o.amount_refunded,
        'paidAt',
        o.paid_at,
        'payment',
        CASE
          WHEN p.id IS NOT NULL THEN jsonb_build_object(
            'id',
            p.id,
            'status',
            p.status,
            'amountReceived',
            p.amount_received,
            'receivedCurrency',
            p.received_currency,
            'errorCode',
            p.error_code,
            'errorMessage',
            p.error_message,
            'completedAt',
            p.completed_at
          )
        END
      ) || CASE
        WHEN o.attempts > 1 THEN jsonb_build_object(
          'others',
          CASE
            WHEN o.attempts > 1 THEN (
              SELECT
                jsonb_agg(
                  jsonb_build_object(
                    'id',
                    q.id,
                    'status',
                    q.status,
                    'amountReceived',
                    q.amount_received,
                    'receivedCurrency',
                    q.received_currency,
                    'errorCode',
                    q.error_code,
                    'errorMessage',
                    q.error_message,
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
          END
        )
        ELSE '{}'
      END || CASE
        WHEN o.amount_refund_pending > 0 THEN jsonb_build_object('amountRefundPending', o.amount_refund_pending)
        ELSE '{}'
      END || CASE
        WHEN o.amount_charged_back > 0 THEN jsonb_build_object('amountChargedBack', o.amount_charged_back)
        ELSE '{}'
      END || CASE
        WHEN o.original_amount IS NOT NULL THEN jsonb_build_object('amount', o.amount, 'expiresAt', o.expires_at)
        ELSE '{}'
      END,
      o.updated_at
    FROM
      changed o
      CROSS JOIN LATERAL (
        SELECT
          (o.payment).*
      ) p
    RETURNING
      *
  ),
  webhooks AS (
    INSERT INTO
      deliveries (
        merchant_id,
        id,
        mode,
        type,
        event_id,
        txid,
        sequence,
        endpoint_id,
        recipient_id,
        created_at,
        next_attempt_at
      )
    SELECT
      h.merchant_id,
      overlay(
        gen_random_uuid()::text PLACING left(h.id::text, 15)
        FROM
          1 FOR 15
      )::uuid,
      h.mode,
      h.type,
      h.id,
      h.txid,
      h.sequence,
      t.id,
      NULL::uuid,
      h.created_at,
      least(h.created_at::timestamptz, now() + interval '0')
    FROM
      happened h
      JOIN webhook_endpoints t ON t.merchant_id = h.merchant_id
      AND t.mode = h.mode
      AND t.enabled
      AND t.deleted_at IS NULL
      AND (
        t.event_types = '{}'
        OR h.type = ANY (t.event_types)
      )
      AND (
        t.field_key IS NULL
        OR EXISTS (
          SELECT
          FROM
            changed its_order
          WHERE
            its_order.merchant_id = h.merchant_id
            AND its_order.txid = h.txid
            AND its_order.optional_fields ->> t.field_key = t.field_value
        )
      )
  ),
  mails AS (
    INSERT INTO
      deliveries (
        merchant_id,
        id,
        mode,
        type,
        event_id,
        txid,
        sequence,
        endpoint_id,
        recipient_id,
        created_at,
        next_attempt_at
      )
    SELECT
      h.merchant_id,
      overlay(
        gen_random_uuid()::text PLACING left(h.id::text, 15)
        FROM
          1 FOR 15
      )::uuid,
      h.mode,
      h.type,
      h.id,
      h.txid,
      h.sequence,
      NULL::uuid,
      t.id,
      h.created_at,
      least(h.created_at::timestamptz, now() + interval '0')
    FROM
      happened h
      JOIN notification_recipients t ON t.merchant_id = h.merchant_id
      AND t.mode = h.mode
      AND h.type = 'order.paid'
      AND t.confirmed_at IS NOT NULL
      AND t.unsubscribed_at IS NULL
      AND t.deleted_at IS NULL
      JOIN changed o ON o.merchant_id = h.merchant_id
      AND o.txid = h.txid
      AND o.amount >= coalesce(t.minimum_amount, 0)
  )
SELECT
  stored.id,
  locked.id IS NOT NULL AS "isApplied"
FROM
  stored
  LEFT JOIN locked USING (id);
