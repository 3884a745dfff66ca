-- INSERT_REFUND
WITH
  r AS (
    INSERT INTO
      refunds (
        merchant_id,
        id,
        mode,
        txid,
        payment_id,
        refund_merchant_id,
        content_hash,
        amount,
        from_unallocated,
        currency,
        status,
        status_reason,
        method,
        origin,
        reason,
        requested_by,
        next_attempt_at,
        created_at,
        updated_at
      )
    VALUES
      ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
    RETURNING
      *
  )
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
FROM
  r;

-- refund_find
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt",
  o.order_merchant_id AS "orderMerchantId"
FROM
  refunds r
  JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
WHERE
  r.merchant_id = $1
  AND r.mode = $2
  AND r.id = $3;

-- refund_find_by_key
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
FROM
  refunds r
WHERE
  r.merchant_id = $1
  AND r.id = $2;

-- FIND_BY_MERCHANT_ID
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
FROM
  refunds r
WHERE
  r.merchant_id = $1
  AND r.mode = $2
  AND r.refund_merchant_id = $3;

-- CREATOR_OF_KEY
SELECT
  created_by AS "createdBy"
FROM
  api_keys
WHERE
  merchant_id = $1
  AND id = $2;

-- refund_list
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt",
  o.order_merchant_id AS "orderMerchantId"
FROM
  refunds r
  JOIN orders o ON o.merchant_id = r.merchant_id
  AND o.txid = r.txid
WHERE
  r.merchant_id = $1
  AND r.mode = $2
  AND (
    $3::uuid IS NULL
    OR r.id < $3
  )
  AND (
    $4::TEXT[] IS NULL
    OR r.status = ANY ($4)
  )
  AND (
    $5::uuid IS NULL
    OR r.txid = $5
  )
ORDER BY
  r.id DESC
LIMIT
  $6;

-- refunds_of_order
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
FROM
  refunds r
WHERE
  r.merchant_id = $1
  AND r.txid = $2
ORDER BY
  r.id DESC;

-- LOCK_REFUND
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
FROM
  refunds r
WHERE
  r.merchant_id = $1
  AND r.id = $2
FOR UPDATE;

-- REQUESTED_WITHOUT_PAYOUT
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
FROM
  refunds r
WHERE
  r.merchant_id = $1
  AND r.txid = $2
  AND r.status = 'requested'
  AND NOT EXISTS (
    SELECT
    FROM
      payouts p
    WHERE
      p.merchant_id = r.merchant_id
      AND p.refund_id = r.id
  )
ORDER BY
  r.id;

-- REFUNDS_OF_PAYOUTS
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
FROM
  refunds r
  JOIN unnest($1::UUID[], $2::UUID[]) k (merchant_id, id) ON r.merchant_id = k.merchant_id
  AND r.id = k.id
ORDER BY
  r.merchant_id,
  r.txid,
  r.id;

-- GIVEN_BACK_OF_PAYMENTS
SELECT
  id AS "paymentId",
  given_back (merchant_id, id, txid) AS amount
FROM
  payments
WHERE
  merchant_id = $1
  AND txid = $2;

-- TOTALS_OF_ORDER
SELECT
  count(*)::integer AS refunds,
  coalesce(
    sum(amount - from_unallocated) FILTER (
      WHERE
        status IN ('requested', 'approved', 'submitted', 'succeeded')
    ),
    0
  )::bigint AS own
FROM
  refunds
WHERE
  merchant_id = $1
  AND txid = $2;

-- refund_claim
UPDATE refunds r
SET
  attempts = attempts + 1,
  next_attempt_at = $4
WHERE
  merchant_id = $1
  AND id = $2
  AND attempts = $3
  AND next_attempt_at IS NOT NULL
  AND status IN ('approved', 'submitted')
RETURNING
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt";

-- refund_schedule
UPDATE refunds
SET
  next_attempt_at = $4
WHERE
  merchant_id = $1
  AND id = $2
  AND attempts = $3
  AND next_attempt_at IS NOT NULL
RETURNING
  id;

-- refunds_due
SELECT
  r.merchant_id AS "merchantId",
  r.id AS "id",
  r.mode AS "mode",
  r.txid AS "txid",
  r.payment_id AS "paymentId",
  r.refund_merchant_id AS "refundMerchantId",
  r.content_hash AS "contentHash",
  r.amount AS "amount",
  r.from_unallocated AS "fromUnallocated",
  r.currency AS "currency",
  r.status AS "status",
  r.status_reason AS "statusReason",
  r.method AS "method",
  r.origin AS "origin",
  r.reason AS "reason",
  r.requested_by AS "requestedBy",
  r.approved_by AS "approvedBy",
  r.provider_reference AS "providerReference",
  r.attempts AS "attempts",
  r.next_attempt_at AS "nextAttemptAt",
  r.version AS "version",
  r.created_at AS "createdAt",
  r.updated_at AS "updatedAt",
  r.completed_at AS "completedAt"
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
          next_attempt_at
      ) AS place
    FROM
      refunds r
    WHERE
      r.merchant_id = m.whose
      AND next_attempt_at IS NOT NULL
      AND next_attempt_at <= $1
      AND r.mode = l.at
    ORDER BY
      next_attempt_at
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $2;

-- refunds_next_due
SELECT
  (
    SELECT
      min(r.next_attempt_at)
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
              next_attempt_at
          ) AS place
        FROM
          refunds r
        WHERE
          r.merchant_id = m.whose
          AND next_attempt_at IS NOT NULL
          AND r.mode = l.at
        ORDER BY
          next_attempt_at
        LIMIT
          1
      ) r
  ) AS "nextDue";
