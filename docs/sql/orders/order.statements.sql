-- order_create
WITH
  input AS (
    SELECT
      $1::uuid AS "merchantId",
      $2::uuid AS "txid",
      $3::text AS "mode",
      $4::text AS "orderMerchantId",
      $5::bytea AS "contentHash",
      $6::bigint AS "amount",
      $7::text AS "currency",
      $8::text AS "description",
      $9::text AS "customerName",
      $10::text AS "customerEmail",
      $11::json AS "optionalFields",
      $12::text AS "pageToken",
      $13::text AS "returnUrl",
      $14::text AS "cancelUrl",
      $15::text AS "locale",
      $16::timestamptz AS "createdAt",
      $17::timestamptz AS "expiresAt",
      $18::uuid AS "eventId",
      $19::text AS "answer.route",
      $20::text AS "answer.key",
      $21::bytea AS "answer.contentHash",
      $22::text AS "answer.apiVersion",
      $23::integer AS "answer.status",
      $24::text AS "answer.body"
  ),
  created AS (
    INSERT INTO
      orders (
        merchant_id,
        txid,
        mode,
        order_merchant_id,
        content_hash,
        status,
        amount,
        currency,
        description,
        customer_name,
        customer_email,
        optional_fields,
        page_token,
        return_url,
        cancel_url,
        locale,
        created_at,
        updated_at,
        expires_at
      )
    SELECT
      input."merchantId",
      input."txid",
      input."mode",
      input."orderMerchantId",
      input."contentHash",
      'open',
      input."amount",
      input."currency",
      input."description",
      input."customerName",
      input."customerEmail",
      input."optionalFields",
      input."pageToken",
      input."returnUrl",
      input."cancelUrl",
      input."locale",
      input."createdAt",
      input."createdAt",
      input."expiresAt"
    FROM
      input
    WHERE
      (
        SELECT
          TRUE
        FROM
          orders o
        WHERE
          o.merchant_id = input."merchantId"
          AND o.mode = input."mode"
          AND o.order_merchant_id = input."orderMerchantId"
          AND o.holds_merchant_id
        LIMIT
          1
      ) IS NULL
      AND (
        SELECT
          TRUE
        FROM
          idempotency_records r
        WHERE
          r.merchant_id = input."merchantId"
          AND r.mode = input."mode"
          AND r.route = input."answer.route"
          AND r.key = input."answer.key"
        LIMIT
          1
      ) IS NULL
    ON CONFLICT (merchant_id, mode, order_merchant_id)
    WHERE
      holds_merchant_id DO NOTHING
    RETURNING
      merchant_id,
      txid
  ),
  made AS (
    SELECT
      input.*
    FROM
      input
    WHERE
      EXISTS (
        SELECT
        FROM
          created
      )
  ),
  remembered AS (
    INSERT INTO
      idempotency_records (merchant_id, mode, route, key, content_hash, txid, api_version, status, body, created_at)
    SELECT
      made."merchantId",
      made."mode",
      made."answer.route",
      made."answer.key",
      made."answer.contentHash",
      made."txid",
      made."answer.apiVersion",
      made."answer.status",
      made."answer.body",
      made."createdAt"
    FROM
      made
    WHERE
      made."answer.key" IS NOT NULL
  ),
  happened AS (
    INSERT INTO
      events (merchant_id, id, txid, mode, sequence, type, data, created_at)
    SELECT
      made."merchantId",
      made."eventId",
      made."txid",
      made."mode",
      1,
      'order.created',
      '{"status": "open"}',
      made."createdAt"
    FROM
      made
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
            made
          WHERE
            made."merchantId" = h.merchant_id
            AND made."txid" = h.txid
            AND made."optionalFields" ->> t.field_key = t.field_value
        )
      )
  )
SELECT
  txid
FROM
  created;

-- order_create_each
WITH
  input AS (
    SELECT
      *
    FROM
      json_to_recordset($1) AS input (
        "merchantId" uuid,
        "txid" uuid,
        "mode" text,
        "orderMerchantId" text,
        "contentHash" bytea,
        "amount" bigint,
        "currency" text,
        "description" text,
        "customerName" text,
        "customerEmail" text,
        "optionalFields" json,
        "pageToken" text,
        "returnUrl" text,
        "cancelUrl" text,
        "locale" text,
        "createdAt" timestamptz,
        "expiresAt" timestamptz,
        "eventId" uuid,
        "answer.route" text,
        "answer.key" text,
        "answer.contentHash" bytea,
        "answer.apiVersion" text,
        "answer.status" integer,
        "answer.body" text
      )
  ),
  created AS (
    INSERT INTO
      orders (
        merchant_id,
        txid,
        mode,
        order_merchant_id,
        content_hash,
        status,
        amount,
        currency,
        description,
        customer_name,
        customer_email,
        optional_fields,
        page_token,
        return_url,
        cancel_url,
        locale,
        created_at,
        updated_at,
        expires_at
      )
    SELECT
      input."merchantId",
      input."txid",
      input."mode",
      input."orderMerchantId",
      input."contentHash",
      'open',
      input."amount",
      input."currency",
      input."description",
      input."customerName",
      input."customerEmail",
      input."optionalFields",
      input."pageToken",
      input."returnUrl",
      input."cancelUrl",
      input."locale",
      input."createdAt",
      input."createdAt",
      input."expiresAt"
    FROM
      input
    WHERE
      (
        SELECT
          TRUE
        FROM
          orders o
        WHERE
          o.merchant_id = input."merchantId"
          AND o.mode = input."mode"
          AND o.order_merchant_id = input."orderMerchantId"
          AND o.holds_merchant_id
        LIMIT
          1
      ) IS NULL
      AND (
        SELECT
          TRUE
        FROM
          idempotency_records r
        WHERE
          r.merchant_id = input."merchantId"
          AND r.mode = input."mode"
          AND r.route = input."answer.route"
          AND r.key = input."answer.key"
        LIMIT
          1
      ) IS NULL
    ORDER BY
      input."merchantId",
      input."mode",
      input."orderMerchantId"
    ON CONFLICT (merchant_id, mode, order_merchant_id)
    WHERE
      holds_merchant_id DO NOTHING
    RETURNING
      merchant_id,
      txid
  ),
  made AS (
    SELECT
      input.*
    FROM
      created
      JOIN input ON input."merchantId" = created.merchant_id
      AND input."txid" = created.txid
  ),
  remembered AS (
    INSERT INTO
      idempotency_records (merchant_id, mode, route, key, content_hash, txid, api_version, status, body, created_at)
    SELECT
      made."merchantId",
      made."mode",
      made."answer.route",
      made."answer.key",
      made."answer.contentHash",
      made."txid",
      made."answer.apiVersion",
      made."answer.status",
      made."answer.body",
      made."createdAt"
    FROM
      made
    WHERE
      made."answer.key" IS NOT NULL
  ),
  happened AS (
    INSERT INTO
      events (merchant_id, id, txid, mode, sequence, type, data, created_at)
    SELECT
      made."merchantId",
      made."eventId",
      made."txid",
      made."mode",
      1,
      'order.created',
      '{"status": "open"}',
      made."createdAt"
    FROM
      made
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
            made
          WHERE
            made."merchantId" = h.merchant_id
            AND made."txid" = h.txid
            AND made."optionalFields" ->> t.field_key = t.field_value
        )
      )
  )
SELECT
  txid
FROM
  created;

-- order_by_txid
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
  orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id
  AND p.id = o.payment_id
WHERE
  o.merchant_id = $1
  AND o.mode = $2
  AND o.txid = $3
LIMIT
  1;

-- order_by_txid_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("merchantId" uuid, "mode" text, "txid" uuid)) WITH ORDINALITY AS input ("merchantId", "mode", "txid", place)
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
      orders o
      LEFT JOIN payments p ON p.merchant_id = o.merchant_id
      AND p.id = o.payment_id
    WHERE
      o.merchant_id = input."merchantId"
      AND o.mode = input."mode"
      AND o.txid = input."txid"
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- order_by_merchant_id
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
  orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id
  AND p.id = o.payment_id
WHERE
  o.merchant_id = $1
  AND o.mode = $2
  AND o.order_merchant_id = $3
ORDER BY
  o.holds_merchant_id DESC,
  o.txid DESC
LIMIT
  1;

-- order_by_merchant_id_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("merchantId" uuid, "mode" text, "orderMerchantId" text)) WITH ORDINALITY AS input ("merchantId", "mode", "orderMerchantId", place)
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
      orders o
      LEFT JOIN payments p ON p.merchant_id = o.merchant_id
      AND p.id = o.payment_id
    WHERE
      o.merchant_id = input."merchantId"
      AND o.mode = input."mode"
      AND o.order_merchant_id = input."orderMerchantId"
    ORDER BY
      o.holds_merchant_id DESC,
      o.txid DESC
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- order_by_page_token
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
  orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id
  AND p.id = o.payment_id
WHERE
  o.page_token = $1
LIMIT
  1;

-- order_by_page_token_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("token" text)) WITH ORDINALITY AS input ("token", place)
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
      orders o
      LEFT JOIN payments p ON p.merchant_id = o.merchant_id
      AND p.id = o.payment_id
    WHERE
      o.page_token = input."token"
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- order_newest
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
  orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id
  AND p.id = o.payment_id
WHERE
  o.merchant_id = $1
  AND o.mode = $2
ORDER BY
  o.txid DESC
LIMIT
  1;

-- status_by_txid
SELECT
  o.txid AS "txid",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.exception AS "exception",
  o.amount AS "amount",
  o.currency AS "currency",
  o.amount_received AS "amountReceived",
  o.paid_at AS "paidAt",
  o.updated_at AS "updatedAt"
FROM
  orders o
WHERE
  o.merchant_id = $1
  AND o.mode = $2
  AND o.txid = $3
LIMIT
  1;

-- status_by_txid_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("merchantId" uuid, "mode" text, "txid" uuid)) WITH ORDINALITY AS input ("merchantId", "mode", "txid", place)
  LEFT JOIN LATERAL (
    SELECT
      o.txid AS "txid",
      o.order_merchant_id AS "orderMerchantId",
      o.status AS "status",
      o.status_reason AS "statusReason",
      o.exception AS "exception",
      o.amount AS "amount",
      o.currency AS "currency",
      o.amount_received AS "amountReceived",
      o.paid_at AS "paidAt",
      o.updated_at AS "updatedAt"
    FROM
      orders o
    WHERE
      o.merchant_id = input."merchantId"
      AND o.mode = input."mode"
      AND o.txid = input."txid"
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- status_by_merchant_id
SELECT
  o.txid AS "txid",
  o.order_merchant_id AS "orderMerchantId",
  o.status AS "status",
  o.status_reason AS "statusReason",
  o.exception AS "exception",
  o.amount AS "amount",
  o.currency AS "currency",
  o.amount_received AS "amountReceived",
  o.paid_at AS "paidAt",
  o.updated_at AS "updatedAt"
FROM
  orders o
WHERE
  o.merchant_id = $1
  AND o.mode = $2
  AND o.order_merchant_id = $3
ORDER BY
  o.holds_merchant_id DESC,
  o.txid DESC
LIMIT
  1;

-- status_by_merchant_id_each
SELECT
  found.*
FROM
  ROWS
FROM
  (json_to_recordset($1) AS ("merchantId" uuid, "mode" text, "orderMerchantId" text)) WITH ORDINALITY AS input ("merchantId", "mode", "orderMerchantId", place)
  LEFT JOIN LATERAL (
    SELECT
      o.txid AS "txid",
      o.order_merchant_id AS "orderMerchantId",
      o.status AS "status",
      o.status_reason AS "statusReason",
      o.exception AS "exception",
      o.amount AS "amount",
      o.currency AS "currency",
      o.amount_received AS "amountReceived",
      o.paid_at AS "paidAt",
      o.updated_at AS "updatedAt"
    FROM
      orders o
    WHERE
      o.merchant_id = input."merchantId"
      AND o.mode = input."mode"
      AND o.order_merchant_id = input."orderMerchantId"
    ORDER BY
      o.holds_merchant_id DESC,
      o.txid DESC
    LIMIT
      1
  ) found ON TRUE
ORDER BY
  input.place;

-- order_any_by_txid
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
  o.original_expires_at AS "originalExpiresAt"
FROM
  orders o
WHERE
  merchant_id = $1
  AND txid = $2;

-- order_versions
SELECT
  page_token AS "pageToken",
  version
FROM
  orders
WHERE
  page_token = ANY ($1);

-- orders_due
SELECT
  merchant_id AS "merchantId",
  txid
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN (
    VALUES
      ('live'),
      ('test')
  ) l (at)
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          expires_at
      ) AS place
    FROM
      orders r
    WHERE
      r.merchant_id = m.whose
      AND status = 'open'
      AND NOT EXISTS (
        SELECT
        FROM
          transfer_references t
        WHERE
          t.merchant_id = r.merchant_id
          AND t.txid = r.txid
          AND t.waits_until IS NOT NULL
      )
      AND expires_at <= $1
      AND r.mode = l.at
    ORDER BY
      expires_at
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- order_end_time
UPDATE orders
SET
  original_amount = coalesce(original_amount, amount),
  original_expires_at = coalesce(original_expires_at, expires_at),
  expires_at = least(expires_at, greatest($3, created_at + interval '1 millisecond'))
WHERE
  merchant_id = $1
  AND txid = $2
  AND mode = 'test'
  AND status IN ('open', 'processing')
RETURNING
  expires_at AS "expiresAt";

-- orders_next_due
SELECT
  least(
    (
      SELECT
        min(r.expires_at)
      FROM
        (
          SELECT
            id AS whose
          FROM
            merchants
        ) m
        CROSS JOIN (
          VALUES
            ('live'),
            ('test')
        ) l (at)
        CROSS JOIN LATERAL (
          SELECT
            r.*,
            row_number() OVER (
              ORDER BY
                expires_at
            ) AS place
          FROM
            orders r
          WHERE
            r.merchant_id = m.whose
            AND status = 'open'
            AND NOT EXISTS (
              SELECT
              FROM
                transfer_references t
              WHERE
                t.merchant_id = r.merchant_id
                AND t.txid = r.txid
                AND t.waits_until IS NOT NULL
            )
            AND r.mode = l.at
          ORDER BY
            expires_at
          LIMIT
            1
        ) r
    ),
    (
      SELECT
        min(r.next_poll_at)
      FROM
        (
          SELECT
            id AS whose
          FROM
            merchants
        ) m
        CROSS JOIN LATERAL (
          SELECT
            r.*,
            row_number() OVER (
              ORDER BY
                next_poll_at
            ) AS place
          FROM
            payments r
          WHERE
            r.merchant_id = m.whose
            AND status = 'pending'
          ORDER BY
            next_poll_at
          LIMIT
            1
        ) r
    )
  ) AS "nextDue";
