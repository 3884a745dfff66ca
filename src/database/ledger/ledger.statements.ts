import type { Statement } from '../database.js';

/** Maximum transfers per checkpoint, which also limits the wait of payout requests. */
export const CHECKPOINT_ROWS = 2_000;
/** Minimum new transfers for a checkpoint; fewer are summed quickly anyway. */
export const CHECKPOINT_MIN = 200;

/** Columns of a new transfer. */
export const NEW_TRANSFER = ['id', 'kind', 'debit', 'credit', 'amount'] as const;

/**
 * Whether a transfer's fee equals its amount: the net effect on `available` is 0, so no payout has to pay it.
 * @param t a transfer
 * @param ofCause window of the transfers with the same cause
 */
export const takenByItsFee = (t: string, ofCause = ''): string => `
  'available' IN (${t}.debit, ${t}.credit) AND sum(${t}.amount *
    ((${t}.credit = 'available')::integer - (${t}.debit = 'available')::integer)) OVER (${ofCause}) = 0`;

export const BOOK = `
  INSERT INTO transfers (merchant_id, id, mode, currency, kind, debit, credit, amount, txid,
    payment_id, occurrence, note, payout_id, payout_version, refund_id, created_at, covered)
  SELECT $1, b.id, $2, $3, b.kind, b.debit, b.credit, b.amount, $4, $5, $6, $7, $8, $9, $10, $11,
    $5::uuid IS NOT NULL AND ${takenByItsFee('b')}
  FROM unnest($12::uuid[], $13::text[], $14::text[], $15::text[], $16::bigint[])
    AS b (id, kind, debit, credit, amount)`;

/** Changes of both accounts of a transfer. */
const SIDES = `CROSS JOIN LATERAL (VALUES (t.debit, -t.amount), (t.credit, t.amount)) s (account, amount)`;

const total = (condition: string): string => `
  SELECT a.mode, a.currency, a.account, sum(a.amount)::bigint AS amount FROM (
    SELECT b.mode, b.currency, b.account, b.amount FROM balances b
    WHERE ${condition.replaceAll('$t', 'b')}
    UNION ALL
    SELECT t.mode, t.currency, s.account, s.amount FROM transfers t ${SIDES}
    WHERE NOT t.checkpointed AND ${condition.replaceAll('$t', 't')}
  ) a GROUP BY a.mode, a.currency, a.account ORDER BY a.currency, a.account`;

export const BALANCES: Statement = {
  name: 'ledger_balances',
  text: total('$t.merchant_id = $1 AND $t.mode = $2'),
};

export const BALANCES_OF_CURRENCY = total(
  '$t.merchant_id = $1 AND $t.mode = $2 AND $t.currency = $3',
);

export const HOLD = `
  INSERT INTO balances (merchant_id, mode, currency, account) VALUES ($1, $2, $3, 'available')
  ON CONFLICT (merchant_id, mode, currency, account) DO UPDATE SET amount = balances.amount`;

export const TO_CHECKPOINT: Statement = {
  name: 'ledger_to_checkpoint',
  text: `SELECT merchant_id AS "merchantId", mode, currency FROM transfers
    WHERE NOT checkpointed GROUP BY merchant_id, mode, currency HAVING count(*) >= $1
    ORDER BY random() LIMIT $2`,
};

/**
 * Runs with the lock of `available`, so that concurrent checkpoints do not count the same rows. The trigger
 * `transfers_to_balances` adds them to the balances.
 */
export const CHECKPOINT = `
  WITH counted AS (
    UPDATE transfers t SET checkpointed = true FROM (
      SELECT id FROM transfers WHERE merchant_id = $1 AND mode = $2 AND currency = $3
        AND NOT checkpointed LIMIT ${CHECKPOINT_ROWS}
    ) f WHERE t.merchant_id = $1 AND t.id = f.id
    RETURNING t.id
  )
  SELECT count(*)::integer AS rows FROM counted`;

/** Transfers of `available` with the part that is not in payouts, oldest first. */
export const OPEN = `
  SELECT t.id, t.txid, t.kind, t.payment_id AS "paymentId",
    CASE WHEN t.credit = 'available' THEN 1 ELSE -1 END
      * (t.amount - coalesce(l.amount, 0)) AS amount
  FROM transfers t LEFT JOIN LATERAL (
    SELECT sum(abs(l.amount))::bigint AS amount FROM payout_lines l
    JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
      AND p.status NOT IN ('draft', 'rejected', 'cancelled', 'failed', 'returned')
    WHERE l.merchant_id = t.merchant_id AND l.transfer_id = t.id
  ) l ON true
  WHERE t.merchant_id = $1 AND t.mode = $2 AND t.currency = $3 AND NOT t.covered
    AND t.payment_id IS NOT NULL AND (t.debit = 'available' OR t.credit = 'available')
  ORDER BY t.id LIMIT $4`;

export const COVER = `UPDATE transfers SET covered = $3
  WHERE merchant_id = $1 AND id = ANY ($2::uuid[])`;

export const REVERSE = `
  INSERT INTO transfers (merchant_id, id, mode, currency, kind, debit, credit, amount, txid,
    payment_id, reverses_id, note, created_at)
  SELECT merchant_id, $3, mode, currency, 'reversal', credit, debit, amount, txid, payment_id, id,
    $4, $5
  FROM transfers WHERE merchant_id = $1 AND id = $2 AND payment_id IS NOT NULL AND kind <> 'reversal'
  RETURNING id`;

/** Transfers of an order's unallocated funds in one currency, including corrections. */
const OF_UNALLOCATED = `t.merchant_id = $1 AND t.mode = $2 AND t.txid = $3 AND t.currency = $4
  AND (t.debit = 'unallocated' OR t.credit = 'unallocated')`;
const CHANGE = `CASE WHEN t.credit = 'unallocated' THEN t.amount ELSE -t.amount END`;

export const UNALLOCATED_IN = `
  SELECT coalesce(sum(${CHANGE}), 0)::bigint AS amount FROM transfers t WHERE ${OF_UNALLOCATED}`;

/** By currency, without zeros. */
export const UNALLOCATED: Statement = {
  name: 'ledger_unallocated',
  text: `SELECT t.currency, sum(${CHANGE})::bigint AS amount FROM transfers t
    WHERE t.merchant_id = $1 AND t.mode = $2 AND t.txid = $3
      AND (t.debit = 'unallocated' OR t.credit = 'unallocated')
    GROUP BY t.currency HAVING sum(${CHANGE}) <> 0 ORDER BY t.currency`,
};

/** Rest of the unallocated funds by payment of an order, oldest first. */
export const REFUNDABLE = `
  SELECT p.id, p.provider, sum(${CHANGE})::bigint AS "left",
    count(*) FILTER (WHERE t.kind = 'refund')::integer AS refunds
  FROM transfers t JOIN payments p ON p.merchant_id = t.merchant_id AND p.id = t.payment_id
  WHERE ${OF_UNALLOCATED} AND (t.debit LIKE 'clearing:%' OR t.credit LIKE 'clearing:%' OR t.refund_id IS NOT NULL)
  GROUP BY p.id, p.provider ORDER BY p.id`;

const isOutside = (account: string): string =>
  `(${account} LIKE 'clearing:%' OR ${account} = 'refund_pending')`;

/** Money of an order that arrived and was not returned, reversed or sent back, nor is about to be refunded. */
export const RECEIVED_REST = `
  SELECT coalesce(sum(t.amount * (${isOutside('t.debit')}::integer - ${isOutside('t.credit')}::integer)), 0)::bigint AS amount
  FROM transfers t
  WHERE t.merchant_id = $1 AND t.mode = $2 AND t.txid = $3 AND t.currency = $4`;

/**
 * The merchant's booked share of an order, and the order's amount. Excludes reversals, which are settled between
 * operator and merchant and owed by no payer.
 */
export const SHARE = `
  SELECT o.amount AS price,
    coalesce(sum(CASE WHEN t.credit = 'available' THEN t.amount ELSE -t.amount END), 0)::bigint AS own
  FROM orders o LEFT JOIN (
    SELECT t.txid, t.currency, t.debit, t.credit, t.amount FROM transfers t
    WHERE t.merchant_id = $1 AND t.kind IN ('payment', 'allocation', 'charge_back', 'deallocation')
      AND t.payment_id IN (SELECT id FROM payments WHERE merchant_id = $1 AND txid = $2)
  ) t ON t.currency = o.currency
  WHERE o.merchant_id = $1 AND o.txid = $2 GROUP BY o.amount`;

/** Fee transfers of an order's payments that are not reversed. */
export const FEES_TAKEN = `
  SELECT t.id FROM transfers t
  WHERE t.merchant_id = $1 AND t.kind = 'fee'
    AND t.payment_id IN (SELECT id FROM payments WHERE merchant_id = $1 AND txid = $2)
    AND NOT EXISTS (
      SELECT FROM transfers r WHERE r.merchant_id = t.merchant_id AND r.reverses_id = t.id)
  ORDER BY t.id`;

/** Next number of a payment's transfers other than receipts, from 1. */
export const NEXT_OCCURRENCE = `
  SELECT coalesce(max(occurrence), 0) + 1 AS next FROM transfers
  WHERE merchant_id = $1 AND payment_id = $2
    AND kind IN ('allocation', 'fee', 'charge_back', 'unallocated_back', 'deallocation',
      'return_undone')`;

/** Amounts received by a payment, by currency, and number of parts. */
export const BROUGHT = `
  SELECT currency, sum(amount)::bigint AS amount, max(occurrence) AS parts FROM transfers
  WHERE merchant_id = $1 AND payment_id = $2 AND kind <> 'reversal'
    AND kind IN ('payment', 'unallocated')
  GROUP BY currency`;
