/** SQL fragments shared by several checks. */

/** The order `o` is demo data, see `seed.statements.ts`. */
export const IS_SEED = `(o.mode = 'test' AND o.order_merchant_id LIKE 'seed-%')`;

/** Payouts that reserve no money: not yet, or no longer. */
const IDLE_PAYOUTS = `('draft', 'rejected', 'cancelled', 'failed', 'returned')`;

/** Amount of each transfer in active or completed payouts. */
export const PAID_OUT = `(
  SELECT l.merchant_id, l.transfer_id, sum(abs(l.amount)) AS amount FROM payout_lines l
  JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
    AND p.status NOT IN ${IDLE_PAYOUTS}
  GROUP BY l.merchant_id, l.transfer_id)`;

/** Account totals of the transfers that match: both sides, grouped early to keep the number of rows small. */
export const sidesOf = (condition: string): string => `(
  SELECT g.merchant_id, g.mode, g.currency, s.account, sum(s.amount) AS amount FROM (
    SELECT merchant_id, mode, currency, debit, credit, sum(amount) AS amount FROM transfers
    WHERE ${condition} GROUP BY merchant_id, mode, currency, debit, credit
  ) g CROSS JOIN LATERAL (VALUES (g.debit, -g.amount), (g.credit, g.amount)) s (account, amount)
  GROUP BY g.merchant_id, g.mode, g.currency, s.account)`;

/** Balance of every account, as payouts compute it: checkpoints plus the transfers since. */
export const LEDGER_TOTALS = `(
  SELECT merchant_id, mode, currency, account, sum(amount) AS amount FROM (
    SELECT merchant_id, mode, currency, account, amount FROM balances
    UNION ALL
    SELECT merchant_id, mode, currency, account, amount FROM ${sidesOf('NOT checkpointed')} fresh
  ) a GROUP BY merchant_id, mode, currency, account)`;
