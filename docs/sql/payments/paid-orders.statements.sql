-- PAY_IN_FULL
WITH
  applied AS (
    SELECT
      *
    FROM
      json_to_recordset($1) AS a (
        "merchantId" uuid,
        mode text,
        "paymentId" uuid,
        "receivedAt" timestamptz,
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
  txid
FROM
  changed;
