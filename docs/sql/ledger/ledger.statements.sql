-- BOOK
INSERT INTO
  transfers (
    merchant_id,
    id,
    mode,
    currency,
    kind,
    debit,
    credit,
    amount,
    txid,
    payment_id,
    occurrence,
    note,
    payout_id,
    payout_version,
    refund_id,
    created_at,
    covered
  )
SELECT
  $1,
  b.id,
  $2,
  $3,
  b.kind,
  b.debit,
  b.credit,
  b.amount,
  $4,
  $5,
  $6,
  $7,
  $8,
  $9,
  $10,
  $11,
  $5::uuid IS NOT NULL
  AND 'available' IN (b.debit, b.credit)
  AND sum(b.amount * ((b.credit = 'available')::integer - (b.debit = 'available')::integer)) OVER () = 0
FROM
  unnest($12::UUID[], $13::TEXT[], $14::TEXT[], $15::TEXT[], $16::BIGINT[]) AS b (id, kind, debit, credit, amount);

-- ledger_balances
SELECT
  a.mode,
  a.currency,
  a.account,
  sum(a.amount)::bigint AS amount
FROM
  (
    SELECT
      b.mode,
      b.currency,
      b.account,
      b.amount
    FROM
      balances b
    WHERE
      b.merchant_id = $1
      AND b.mode = $2
    UNION ALL
    SELECT
      t.mode,
      t.currency,
      s.account,
      s.amount
    FROM
      transfers t
      CROSS JOIN LATERAL (
        VALUES
          (t.debit, - t.amount),
          (t.credit, t.amount)
      ) s (account, amount)
    WHERE
      NOT t.checkpointed
      AND t.merchant_id = $1
      AND t.mode = $2
  ) a
GROUP BY
  a.mode,
  a.currency,
  a.account
ORDER BY
  a.currency,
  a.account;

-- BALANCES_OF_CURRENCY
SELECT
  a.mode,
  a.currency,
  a.account,
  sum(a.amount)::bigint AS amount
FROM
  (
    SELECT
      b.mode,
      b.currency,
      b.account,
      b.amount
    FROM
      balances b
    WHERE
      b.merchant_id = $1
      AND b.mode = $2
      AND b.currency = $3
    UNION ALL
    SELECT
      t.mode,
      t.currency,
      s.account,
      s.amount
    FROM
      transfers t
      CROSS JOIN LATERAL (
        VALUES
          (t.debit, - t.amount),
          (t.credit, t.amount)
      ) s (account, amount)
    WHERE
      NOT t.checkpointed
      AND t.merchant_id = $1
      AND t.mode = $2
      AND t.currency = $3
  ) a
GROUP BY
  a.mode,
  a.currency,
  a.account
ORDER BY
  a.currency,
  a.account;

-- HOLD
INSERT INTO
  balances (merchant_id, mode, currency, account)
VALUES
  ($1, $2, $3, 'available')
ON CONFLICT (merchant_id, mode, currency, account) DO UPDATE
SET
  amount = balances.amount;

-- ledger_to_checkpoint
SELECT
  merchant_id AS "merchantId",
  mode,
  currency
FROM
  transfers
WHERE
  NOT checkpointed
GROUP BY
  merchant_id,
  mode,
  currency
HAVING
  count(*) >= $1
ORDER BY
  random()
LIMIT
  $2;

-- CHECKPOINT
WITH
  counted AS (
    UPDATE transfers t
    SET
      checkpointed = TRUE
    FROM
      (
        SELECT
          id
        FROM
          transfers
        WHERE
          merchant_id = $1
          AND mode = $2
          AND currency = $3
          AND NOT checkpointed
        LIMIT
          2000
      ) f
    WHERE
      t.merchant_id = $1
      AND t.id = f.id
    RETURNING
      t.id
  )
SELECT
  count(*)::integer AS rows
FROM
  counted;

-- OPEN
SELECT
  t.id,
  t.txid,
  t.kind,
  t.payment_id AS "paymentId",
  CASE
    WHEN t.credit = 'available' THEN 1
    ELSE -1
  END * (t.amount - coalesce(l.amount, 0)) AS amount
FROM
  transfers t
  LEFT JOIN LATERAL (
    SELECT
      sum(abs(l.amount))::bigint AS amount
    FROM
      payout_lines l
      JOIN payouts p ON p.merchant_id = l.merchant_id
      AND p.id = l.payout_id
      AND p.status NOT IN ('draft', 'rejected', 'cancelled', 'failed', 'returned')
    WHERE
      l.merchant_id = t.merchant_id
      AND l.transfer_id = t.id
  ) l ON TRUE
WHERE
  t.merchant_id = $1
  AND t.mode = $2
  AND t.currency = $3
  AND NOT t.covered
  AND t.payment_id IS NOT NULL
  AND (
    t.debit = 'available'
    OR t.credit = 'available'
  )
ORDER BY
  t.id
LIMIT
  $4;

-- COVER
UPDATE transfers
SET
  covered = $3
WHERE
  merchant_id = $1
  AND id = ANY ($2::UUID[]);

-- REVERSE
INSERT INTO
  transfers (
    merchant_id,
    id,
    mode,
    currency,
    kind,
    debit,
    credit,
    amount,
    txid,
    payment_id,
    reverses_id,
    note,
    created_at
  )
SELECT
  merchant_id,
  $3,
  mode,
  currency,
  'reversal',
  credit,
  debit,
  amount,
  txid,
  payment_id,
  id,
  $4,
  $5
FROM
  transfers
WHERE
  merchant_id = $1
  AND id = $2
  AND payment_id IS NOT NULL
  AND kind <> 'reversal'
RETURNING
  id;

-- UNALLOCATED_IN
SELECT
  coalesce(
    sum(
      CASE
        WHEN t.credit = 'unallocated' THEN t.amount
        ELSE - t.amount
      END
    ),
    0
  )::bigint AS amount
FROM
  transfers t
WHERE
  t.merchant_id = $1
  AND t.mode = $2
  AND t.txid = $3
  AND t.currency = $4
  AND (
    t.debit = 'unallocated'
    OR t.credit = 'unallocated'
  );

-- ledger_unallocated
SELECT
  t.currency,
  sum(
    CASE
      WHEN t.credit = 'unallocated' THEN t.amount
      ELSE - t.amount
    END
  )::bigint AS amount
FROM
  transfers t
WHERE
  t.merchant_id = $1
  AND t.mode = $2
  AND t.txid = $3
  AND (
    t.debit = 'unallocated'
    OR t.credit = 'unallocated'
  )
GROUP BY
  t.currency
HAVING
  sum(
    CASE
      WHEN t.credit = 'unallocated' THEN t.amount
      ELSE - t.amount
    END
  ) <> 0
ORDER BY
  t.currency;

-- REFUNDABLE
SELECT
  p.id,
  p.provider,
  sum(
    CASE
      WHEN t.credit = 'unallocated' THEN t.amount
      ELSE - t.amount
    END
  )::bigint AS "left",
  count(*) FILTER (
    WHERE
      t.kind = 'refund'
  )::integer AS refunds
FROM
  transfers t
  JOIN payments p ON p.merchant_id = t.merchant_id
  AND p.id = t.payment_id
WHERE
  t.merchant_id = $1
  AND t.mode = $2
  AND t.txid = $3
  AND t.currency = $4
  AND (
    t.debit = 'unallocated'
    OR t.credit = 'unallocated'
  )
  AND (
    t.debit LIKE 'clearing:%'
    OR t.credit LIKE 'clearing:%'
    OR t.refund_id IS NOT NULL
  )
GROUP BY
  p.id,
  p.provider
ORDER BY
  p.id;

-- RECEIVED_REST
SELECT
  coalesce(
    sum(
      t.amount * (
        (
          t.debit LIKE 'clearing:%'
          OR t.debit = 'refund_pending'
        )::integer - (
          t.credit LIKE 'clearing:%'
          OR t.credit = 'refund_pending'
        )::integer
      )
    ),
    0
  )::bigint AS amount
FROM
  transfers t
WHERE
  t.merchant_id = $1
  AND t.mode = $2
  AND t.txid = $3
  AND t.currency = $4;

-- SHARE
SELECT
  o.amount AS price,
  coalesce(
    sum(
      CASE
        WHEN t.credit = 'available' THEN t.amount
        ELSE - t.amount
      END
    ),
    0
  )::bigint AS own
FROM
  orders o
  LEFT JOIN (
    SELECT
      t.txid,
      t.currency,
      t.debit,
      t.credit,
      t.amount
    FROM
      transfers t
    WHERE
      t.merchant_id = $1
      AND t.kind IN ('payment', 'allocation', 'charge_back', 'deallocation')
      AND t.payment_id IN (
        SELECT
          id
        FROM
          payments
        WHERE
          merchant_id = $1
          AND txid = $2
      )
  ) t ON t.currency = o.currency
WHERE
  o.merchant_id = $1
  AND o.txid = $2
GROUP BY
  o.amount;

-- FEES_TAKEN
SELECT
  t.id
FROM
  transfers t
WHERE
  t.merchant_id = $1
  AND t.kind = 'fee'
  AND t.payment_id IN (
    SELECT
      id
    FROM
      payments
    WHERE
      merchant_id = $1
      AND txid = $2
  )
  AND NOT EXISTS (
    SELECT
    FROM
      transfers r
    WHERE
      r.merchant_id = t.merchant_id
      AND r.reverses_id = t.id
  )
ORDER BY
  t.id;

-- NEXT_OCCURRENCE
SELECT
  coalesce(max(occurrence), 0) + 1 AS next
FROM
  transfers
WHERE
  merchant_id = $1
  AND payment_id = $2
  AND kind IN ('allocation', 'fee', 'charge_back', 'unallocated_back', 'deallocation', 'return_undone');

-- BROUGHT
SELECT
  currency,
  sum(amount)::bigint AS amount,
  max(occurrence) AS parts
FROM
  transfers
WHERE
  merchant_id = $1
  AND payment_id = $2
  AND kind <> 'reversal'
  AND kind IN ('payment', 'unallocated')
GROUP BY
  currency;
