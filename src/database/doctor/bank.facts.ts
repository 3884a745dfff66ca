import { hasMoved } from '../bank/lines/moved-lines.js';
import type { Fact } from './fact.js';

/** Allocations of money that arrived: without those that an operator undid. */
const COUNTS = `(a.undone_at IS NULL OR a.undone_by_line_id IS NOT NULL)`;

/** Active bank returns by payment. */
const RETURNED = `(
  SELECT merchant_id, payment_id, sum(amount) AS amount FROM bank_returns WHERE undone_at IS NULL
  GROUP BY merchant_id, payment_id)`;

/** The line's signed amount. */
const SIGNED = `CASE l.direction WHEN 'in' THEN l.amount ELSE -l.amount END`;

const ALLOCATION_FACTS: readonly Fact[] = [
  {
    name: 'bank-line-amount',
    description:
      'Only booked incoming bank lines pay for orders, and for no more than their amount.',
    sql: `SELECT NULL::uuid AS "merchantId", 'bank line ' || a.line_id AS subject,
        format('%s %s %s %s, allocated %s', l.status, l.direction, l.amount, l.currency, a.amount)
          AS detail
      FROM (
        SELECT a.line_id, sum(a.amount) AS amount FROM bank_allocations a WHERE ${COUNTS}
        GROUP BY a.line_id
      ) a LEFT JOIN bank_lines l ON l.id = a.line_id
      WHERE (l.status, l.direction) IS DISTINCT FROM ('booked', 'in')
        OR coalesce(l.amount, 0) < a.amount`,
  },
  {
    name: 'bank-line-once',
    description:
      'A booking is stored as one bank line, and money is moved either by it or by its details, not both.',
    sql: `SELECT NULL::uuid AS "merchantId", 'bank account ' || account AS subject,
        format('%s lines of one booking in %s mode', count(*), mode) AS detail
      FROM bank_lines GROUP BY mode, account, key, ordinal HAVING count(*) > 1
      UNION ALL
      SELECT NULL::uuid, 'bank line ' || l.id,
        format('moves money, and so does its batch total %s', l.parent_id)
      FROM (
        SELECT id, parent_id, line_with_money_of(id) AS line, line_with_money_of(parent_id) AS total
        FROM bank_lines WHERE parent_id IS NOT NULL
      ) l
      WHERE l.line <> l.total AND has_moved_money(l.line) AND has_moved_money(l.total)
      UNION ALL
      SELECT NULL::uuid, 'bank line ' || l.id, 'superseded, but has moved money'
      FROM bank_lines l WHERE l.state = 'superseded' AND ${hasMoved('l.id')}`,
  },
  {
    name: 'bank-line-proven',
    description:
      'A possible duplicate pays for nothing, and a line that its statement does not prove is not matched automatically.',
    sql: `SELECT NULL::uuid AS "merchantId", 'bank line ' || l.id AS subject,
        CASE WHEN l.unproven IS NULL THEN format('pays, but is a possible duplicate of the line %s', l.duplicate_of)
          ELSE 'matched automatically, but ' || l.unproven END AS detail
      FROM bank_lines l
      WHERE EXISTS (
        SELECT FROM bank_allocations a WHERE a.line_id = l.id AND ${COUNTS}
          AND (l.duplicate_of IS NOT NULL AND l.marked_distinct_by IS NULL
            OR l.unproven IS NOT NULL AND a.matched_by IS NULL))`,
  },
  {
    name: 'bank-line-state',
    description:
      'A line that pays for an order is matched, or partly allocated and in review; a matched line that brought money pays for an order.',
    sql: `SELECT NULL::uuid AS "merchantId", 'bank line ' || l.id AS subject,
        format('%s, %s orders', l.state, coalesce(a.orders, 0)) AS detail
      FROM bank_lines l LEFT JOIN (
        SELECT a.line_id, count(*) AS orders, sum(a.amount) AS amount FROM bank_allocations a
        WHERE ${COUNTS} GROUP BY a.line_id
      ) a ON a.line_id = l.id
      WHERE a.line_id IS NOT NULL AND l.state <> 'matched'
          AND NOT (l.state IN ('unmatched', 'suggested', 'ignored') AND a.amount < coalesce(l.amount, 0))
        OR a.line_id IS NULL AND l.state = 'matched' AND l.direction = 'in' AND l.kind = 'payment'`,
  },
  {
    name: 'transfer-has-line',
    description:
      'Every received payment by transfer has a bank line with the same amount, and every bank line that pays has such a payment.',
    sql: `SELECT coalesce(p.merchant_id, a.merchant_id) AS "merchantId",
        'payment ' || coalesce(p.id, a.payment_id) AS subject,
        format('%s, %s %s; allocated %s', coalesce(p.status, 'not there'), p.amount_received,
          p.received_currency, a.amount) AS detail
      FROM (SELECT * FROM payments WHERE provider = 'bank_transfer' AND amount_received IS NOT NULL) p
      FULL JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
      WHERE p.amount_received IS DISTINCT FROM a.amount OR p.txid IS DISTINCT FROM a.txid`,
  },
  {
    name: 'transfer-line-order',
    description: 'A bank line pays only orders of its own mode and currency.',
    sql: `SELECT a.merchant_id AS "merchantId", 'payment ' || a.payment_id AS subject,
        format('a line in %s, %s mode, for %s in %s, %s mode', l.currency, l.mode,
          p.received_currency, coalesce(o.currency, 'no order'), o.mode) AS detail
      FROM bank_allocations a
      LEFT JOIN bank_lines l ON l.id = a.line_id
      LEFT JOIN payments p ON p.merchant_id = a.merchant_id AND p.id = a.payment_id
      LEFT JOIN orders o ON o.merchant_id = a.merchant_id AND o.txid = a.txid
      WHERE (l.mode, l.currency) IS DISTINCT FROM (o.mode, p.received_currency)`,
  },
];

const BACK_FACTS: readonly Fact[] = [
  {
    name: 'bank-line-taken-back',
    description: 'A bank line that was returned in full pays for nothing.',
    sql: `SELECT DISTINCT NULL::uuid AS "merchantId", 'bank line ' || a.line_id AS subject,
        'returned, but pays' AS detail
      FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id
      WHERE a.undone_at IS NULL
        AND (a.undone_by_line_id IS NOT NULL OR (l.state, l.reason) = ('matched', 'charged_back'))`,
  },
  {
    name: 'transfer-taken-back',
    description:
      'Amounts returned by banks or undone by operators equal the amounts booked back in the ledger.',
    sql: `SELECT coalesce(a.merchant_id, t.merchant_id) AS "merchantId",
        'payment ' || coalesce(a.payment_id, t.payment_id) AS subject,
        format('returned or undone %s, booked %s', a.amount, t.amount) AS detail
      FROM (
        SELECT a.merchant_id, a.payment_id,
          CASE WHEN a.undone_at IS NULL THEN r.amount ELSE a.amount END AS amount
        FROM bank_allocations a LEFT JOIN ${RETURNED} r USING (merchant_id, payment_id)
        WHERE a.undone_at IS NOT NULL OR r.amount IS NOT NULL
      ) a
      FULL JOIN (
        SELECT merchant_id, payment_id,
          sum(CASE kind WHEN 'return_undone' THEN -amount ELSE amount END) AS amount
        FROM transfers WHERE kind IN ('charge_back', 'unallocated_back', 'return_undone')
        GROUP BY merchant_id, payment_id
      ) t ON t.merchant_id = a.merchant_id AND t.payment_id = a.payment_id
      WHERE coalesce(a.amount, 0) <> coalesce(t.amount, 0)`,
  },
  {
    name: 'bank-return',
    description:
      'Bank returns of a payment do not exceed its amount or the outgoing bank line, and undo its match exactly when they reach the full amount.',
    sql: `SELECT r.merchant_id AS "merchantId", 'payment ' || r.payment_id AS subject,
        format('returned %s of %s, undone %s by the line %s', r.amount, a.amount, a.undone_at,
          a.undone_by_line_id) AS detail
      FROM ${RETURNED} r LEFT JOIN bank_allocations a USING (merchant_id, payment_id)
      WHERE a.amount IS NULL OR r.amount > a.amount
        OR (r.amount = a.amount) <> (a.undone_by_line_id IS NOT NULL)
      UNION ALL
      SELECT a.merchant_id, 'payment ' || a.payment_id, 'undone by a bank line without a return'
      FROM bank_allocations a LEFT JOIN ${RETURNED} r USING (merchant_id, payment_id)
      WHERE a.undone_by_line_id IS NOT NULL AND r.payment_id IS NULL
      UNION ALL
      SELECT NULL::uuid, 'bank line ' || r.line_id,
        format('%s %s %s, returned %s', l.status, l.direction, l.amount, r.amount)
      FROM (
        SELECT line_id, sum(amount) AS amount FROM bank_returns WHERE undone_at IS NULL GROUP BY line_id
      ) r
      LEFT JOIN bank_lines l ON l.id = r.line_id
      WHERE (l.status, l.direction) IS DISTINCT FROM ('booked', 'out')
        OR coalesce(l.amount, 0) < r.amount`,
  },
  {
    name: 'order-charged-back',
    description:
      'The charged-back amount of an order equals the bank returns of its payments, and only an order with returns is charged back.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('%s, %s, charged back %s, returned by banks %s', o.status, o.exception, o.amount_charged_back,
          coalesce(a.amount, 0)) AS detail
      FROM orders o LEFT JOIN (
        -- Earlier versions left the payment of an undone match succeeded and recorded the amount as charged back.
        SELECT a.merchant_id, a.txid, sum(CASE WHEN a.undone_at IS NOT NULL AND p.status = 'succeeded'
          THEN a.amount ELSE coalesce(r.amount, 0) END) AS amount
        FROM bank_allocations a
        JOIN payments p ON p.merchant_id = a.merchant_id AND p.id = a.payment_id
        LEFT JOIN ${RETURNED} r ON r.merchant_id = a.merchant_id AND r.payment_id = a.payment_id
        GROUP BY a.merchant_id, a.txid
      ) a ON a.merchant_id = o.merchant_id AND a.txid = o.txid
      WHERE o.amount_charged_back <> coalesce(a.amount, 0)
        OR o.exception = 'charged_back' AND o.amount_charged_back = 0`,
  },
];

const SHOWN_FACTS: readonly Fact[] = [
  {
    name: 'transfer-reference',
    description:
      'A payment reference belongs to one order, and to a collection account of the same mode.',
    sql: `SELECT r.merchant_id AS "merchantId", 'order ' || r.txid AS subject,
        format('%s reference, %s order, %s account', r.mode, coalesce(o.mode, 'no'), c.mode) AS detail
      FROM transfer_references r
      LEFT JOIN orders o ON o.merchant_id = r.merchant_id AND o.txid = r.txid
      LEFT JOIN collection_accounts c ON c.id = r.collection_account_id
      WHERE (o.mode, c.mode) IS DISTINCT FROM (r.mode, r.mode)
      UNION ALL
      SELECT min(merchant_id::text)::uuid, 'reference ' || reference,
        format('%s orders have it', count(*))
      FROM transfer_references GROUP BY reference HAVING count(*) > 1`,
  },
  {
    name: 'transfer-shown',
    description:
      'A payment by transfer stores the instructions shown to the payer, with the reference of its order, unless an operator matched it; other payments have none.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payment ' || p.id AS subject,
        format('%s, shown %s, the order has %s', p.provider,
          coalesce(p.transfer ->> 'reference', 'nothing'), r.reference) AS detail
      FROM payments p
      LEFT JOIN transfer_references r ON r.merchant_id = p.merchant_id AND r.txid = p.txid
      LEFT JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
      WHERE CASE WHEN p.transfer IS NULL
        THEN p.provider = 'bank_transfer' AND a.payment_id IS NULL
        ELSE p.provider <> 'bank_transfer'
          OR p.transfer ->> 'reference' IS DISTINCT FROM r.reference END`,
  },
];

const STATEMENT_FACTS: readonly Fact[] = [
  {
    name: 'bank-statement-balance',
    description:
      'The stored lines of a balanced statement sum to the difference between its opening and closing balance.',
    sql: `SELECT NULL::uuid AS "merchantId", 'statement ' || s.id AS subject,
        format('from %s to %s %s, lines of %s', s.opening_balance, s.closing_balance, s.currency,
          coalesce(l.amount, 0)) AS detail
      FROM bank_statements s
      JOIN bank_files f ON f.id = s.file_id AND f.imported_at IS NOT NULL
      LEFT JOIN (
        SELECT p.statement_id, sum(${SIGNED}) AS amount,
          bool_or(l.amount IS NULL OR l.contradicts IS NOT NULL) AS is_odd
        FROM bank_line_places p JOIN bank_lines l ON l.id = p.line_id
        WHERE coalesce(p.status, l.status) = 'booked' GROUP BY p.statement_id
      ) l ON l.statement_id = s.id
      WHERE s.balanced AND l.is_odd IS NOT TRUE
        AND s.closing_balance - s.opening_balance <> coalesce(l.amount, 0)`,
  },
];

const OUT_FACTS: readonly Fact[] = [
  {
    name: 'payout-bank-line',
    description:
      'A bank line linked to payouts has their total amount, mode and currency, and they are paid or returned accordingly.',
    sql: `SELECT t.merchant_id AS "merchantId", 'payout ' || t.payout_id AS subject,
        format('%s, %s in %s mode; the line %s went %s, %s %s in %s mode, its payouts come to %s',
          coalesce(t.status, 'not there'), t.currency, t.mode, l.id, l.direction, l.amount,
          l.currency, l.mode, t.amount) AS detail
      FROM (
        SELECT b.*, p.status, p.mode, p.currency, sum(p.amount) OVER (PARTITION BY b.line_id) AS amount
        FROM bank_payout_lines b
        LEFT JOIN payouts p ON p.merchant_id = b.merchant_id AND p.id = b.payout_id
      ) t LEFT JOIN bank_lines l ON l.id = t.line_id
      WHERE (l.mode, l.currency, l.amount, l.direction, l.status)
          IS DISTINCT FROM (t.mode, t.currency, t.amount, t.direction, 'booked')
        OR t.status NOT IN ('paid', 'returned') OR t.direction = 'in' AND t.status <> 'returned'`,
  },
];

/** Checks of bank transfers: all money comes from bank lines, and none is counted twice. */
export const BANK_FACTS: readonly Fact[] = [
  ...ALLOCATION_FACTS,
  ...BACK_FACTS,
  ...OUT_FACTS,
  ...SHOWN_FACTS,
  ...STATEMENT_FACTS,
];
