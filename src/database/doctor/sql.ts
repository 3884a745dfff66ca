/** Parts that several facts ask with. */

/** The order `o` was invented, see `seed.statements.ts`. */
export const IS_SEED = `(o.mode = 'test' AND o.order_merchant_id LIKE 'seed-%')`;

/** Payouts that take nothing from anybody: not yet, or no longer. */
const IDLE_PAYOUTS = `('draft', 'rejected', 'cancelled', 'failed', 'returned')`;

/** How much of each transfer payouts pay that are under way or done. */
export const PAID_OUT = `(
  SELECT l.merchant_id, l.transfer_id, sum(abs(l.amount)) AS amount FROM payout_lines l
  JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
    AND p.status NOT IN ${IDLE_PAYOUTS}
  GROUP BY l.merchant_id, l.transfer_id)`;

/** Both sides of the transfers that match, each account once: few rows, however many transfers. */
export const sidesOf = (condition: string): string => `(
  SELECT g.merchant_id, g.mode, g.currency, s.account, sum(s.amount) AS amount FROM (
    SELECT merchant_id, mode, currency, debit, credit, sum(amount) AS amount FROM transfers
    WHERE ${condition} GROUP BY merchant_id, mode, currency, debit, credit
  ) g CROSS JOIN LATERAL (VALUES (g.debit, -g.amount), (g.credit, g.amount)) s (account, amount)
  GROUP BY g.merchant_id, g.mode, g.currency, s.account)`;

/** What every account comes to, as payouts ask for it: checkpoints, and the transfers after them. */
export const LEDGER_TOTALS = `(
  SELECT merchant_id, mode, currency, account, sum(amount) AS amount FROM (
    SELECT merchant_id, mode, currency, account, amount FROM balances
    UNION ALL
    SELECT merchant_id, mode, currency, account, amount FROM ${sidesOf('NOT checkpointed')} fresh
  ) a GROUP BY merchant_id, mode, currency, account)`;
