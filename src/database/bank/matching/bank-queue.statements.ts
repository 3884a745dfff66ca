import type { Statement } from '../../database.js';
import { columnsOf, readOf } from '../../entity-sql.js';
import { Order } from '../../orders/order.entity.js';
import { BankAllocation } from './bank-allocation.entity.js';
import { BankReturn } from './bank-return.entity.js';
import { BankLineNote } from '../lines/bank-line-note.entity.js';
import { BankLine, LINE_STATES } from '../lines/bank-line.entity.js';
import { UNKNOWN_MONEY_OUT } from '../lines/waiting-lines.js';

const DAYS: readonly string[] = ['bookedOn', 'valuedOn'];

/** Dates as text, because a bank's dates have no time zone. */
const LINE = `${columnsOf(
  'l',
  BankLine,
  readOf(BankLine).filter((property) => !DAYS.includes(property)),
)}, l.booked_on::text AS "bookedOn", l.valued_on::text AS "valuedOn"`;

/** Searchable fields of a line, concatenated. */
const SEARCHED = `lower(concat_ws(' ', l.counterparty_name, l.counterparty_account, l.text, l.end_to_end_id,
  l.bank_reference, l.payer_references::text, l.amount_text))`;

/** Lines listed under the selected states. */
const LISTED = `l.state = ANY($2::text[]) AND ${UNKNOWN_MONEY_OUT} IS NOT TRUE`;

/** The filter without states: mode, account, day, amounts by decimals of the currency, text. */
const WANTED = `l.mode = $1
  AND ($3::text IS NULL OR l.account = $3)
  AND ($4::date IS NULL OR coalesce(l.booked_on, l.valued_on) = $4)
  AND ($5::jsonb IS NULL OR $5::jsonb -> coalesce(($6::jsonb ->> l.currency), '2') @> to_jsonb(l.amount))
  AND ($7::text IS NULL OR position(lower($7) IN ${SEARCHED}) > 0)`;

const page = (name: string, order: 'ASC' | 'DESC', listed = LISTED): Statement => ({
  name,
  text: `SELECT ${LINE} FROM bank_lines l
    WHERE ${WANTED} AND ${listed} AND ($8::uuid IS NULL OR l.id ${order === 'ASC' ? '>' : '<'} $8)
    ORDER BY l.id ${order} LIMIT $9`,
});

export const OLDEST_LINES = page('bank_queue_oldest', 'ASC');
export const NEWEST_LINES = page('bank_queue_newest', 'DESC');
/** A literal condition, so that the planner can use the partial index. */
export const UNKNOWN_MONEY_OUT_LINES = page(
  'bank_queue_unknown_money_out',
  'ASC',
  `'unknown_money_out' = ANY($2::text[]) AND ${UNKNOWN_MONEY_OUT}`,
);

/** Counts the lines by listed state, up to `$2` each. */
export const LINE_COUNTS: Statement = {
  name: 'bank_queue_counts',
  text: `SELECT s.name AS state, c.lines FROM unnest('{${LINE_STATES.join(',')}}'::text[]) s (name)
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS lines FROM (
        SELECT FROM bank_lines l
        WHERE l.mode = $1 AND l.state = s.name AND ${UNKNOWN_MONEY_OUT} IS NOT TRUE LIMIT $2
      ) found
    ) c
    UNION ALL SELECT 'unknown_money_out', count(*)::integer FROM (
      SELECT FROM bank_lines WHERE mode = $1 AND ${UNKNOWN_MONEY_OUT} LIMIT $2
    ) found`,
};

export const LINE_ACCOUNTS: Statement = {
  name: 'bank_queue_accounts',
  text: `WITH RECURSIVE known (account) AS (
      (SELECT l.account FROM bank_lines l WHERE l.mode = $1 ORDER BY l.account LIMIT 1)
      UNION ALL
      SELECT (SELECT l.account FROM bank_lines l WHERE l.mode = $1 AND l.account > known.account
        ORDER BY l.account LIMIT 1)
      FROM known WHERE known.account IS NOT NULL
    )
    SELECT account FROM known WHERE account IS NOT NULL LIMIT $2`,
};

export const FIND_LINE: Statement = {
  name: 'bank_queue_line',
  text: `SELECT ${LINE} FROM bank_lines l WHERE l.mode = $1 AND l.id = $2`,
};

/** All places of a line, oldest first. */
export const LINE_PLACES: Statement = {
  name: 'bank_queue_places',
  text: `SELECT p.entry, p.detail, s.format, s.statement_id AS "statementId", s.sequence,
      s.created_at AS "seenAt", f.name AS "fileName", encode(f.sha256, 'hex') AS "sha256",
      f.source, u.name AS "broughtByName"
    FROM bank_line_places p JOIN bank_statements s ON s.id = p.statement_id
    JOIN bank_files f ON f.id = s.file_id LEFT JOIN users u ON u.id = f.brought_by
    WHERE p.line_id = $1 ORDER BY s.created_at, s.id, p.entry, p.detail LIMIT $2`,
};

/** All allocations of a line, including undone ones, oldest first. */
export const LINE_ALLOCATIONS: Statement = {
  name: 'bank_queue_allocations',
  text: `SELECT ${columnsOf('a', BankAllocation)}, ${columnsOf('o', Order, [
    'orderMerchantId',
    'status',
    'exception',
    'currency',
  ])}, m.name AS "merchantName", u.name AS "matchedByName",
      p.payer_account_number AS "payerAccountNumber", p.payer_account_type AS "payerAccountType",
      p.payer_account_name AS "payerAccountName", coalesce((SELECT sum(r.amount)::bigint
        FROM bank_returns r WHERE r.merchant_id = a.merchant_id AND r.payment_id = a.payment_id
          AND r.undone_at IS NULL), 0) AS returned
    FROM bank_allocations a
    JOIN orders o ON o.merchant_id = a.merchant_id AND o.txid = a.txid
    JOIN payments p ON p.merchant_id = a.merchant_id AND p.id = a.payment_id
    JOIN merchants m ON m.id = a.merchant_id LEFT JOIN users u ON u.id = a.matched_by
    WHERE a.line_id = $1 ORDER BY a.created_at, a.payment_id`,
};

/** All returns by a line, oldest first. */
export const LINE_RETURNS: Statement = {
  name: 'bank_queue_returns',
  text: `SELECT ${columnsOf('r', BankReturn)}, ${columnsOf('o', Order, [
    'txid',
    'orderMerchantId',
    'currency',
  ])}, m.name AS "merchantName", u.name AS "saidByName"
    FROM bank_returns r
    JOIN bank_allocations a ON a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id
    JOIN orders o ON o.merchant_id = a.merchant_id AND o.txid = a.txid
    JOIN merchants m ON m.id = r.merchant_id LEFT JOIN users u ON u.id = r.said_by
    WHERE r.line_id = $1 ORDER BY r.created_at, r.payment_id`,
};

export const LINE_NOTES: Statement = {
  name: 'bank_queue_notes',
  text: `SELECT ${columnsOf('n', BankLineNote, ['id', 'text', 'createdAt'])}, u.name AS "userName"
    FROM bank_line_notes n JOIN users u ON u.id = n.user_id WHERE n.line_id = $1 ORDER BY n.id LIMIT $2`,
};

const FOUND_ORDER = [
  'merchantId',
  'txid',
  'orderMerchantId',
  'status',
  'exception',
  'amount',
  'amountReceived',
  'currency',
  'customerName',
  'createdAt',
] as const;

/** The collection account in the payer's latest instructions; null without instructions. */
const TOLD_ACCOUNT = `(SELECT c.account FROM transfer_references r
  JOIN collection_accounts c ON c.id = r.collection_account_id
  WHERE r.merchant_id = o.merchant_id AND r.txid = o.txid)`;

/** Orders of all merchants by `txid` or merchant's order id; those with transfer instructions first. */
const ordersBy = (name: string, condition: string): Statement => ({
  name,
  text: `SELECT ${columnsOf('o', Order, FOUND_ORDER)}, m.name AS "merchantName",
      t.account AS "instructedAccount"
    FROM merchants m CROSS JOIN LATERAL (
      SELECT * FROM orders WHERE merchant_id = m.id AND mode = $1 AND ${condition}
      ORDER BY txid DESC LIMIT 2
    ) o CROSS JOIN LATERAL (SELECT ${TOLD_ACCOUNT} AS account) t
    ORDER BY t.account IS NULL, m.id LIMIT $3`,
});

export const ORDERS_BY_TXID = ordersBy('bank_queue_orders_txid', 'txid = $2::uuid');
export const ORDERS_BY_MERCHANT_ID = ordersBy('bank_queue_orders_id', 'order_merchant_id = $2');

export const ORDERS_BY_KEY: Statement = {
  name: 'bank_queue_orders_key',
  text: `SELECT ${columnsOf('o', Order, FOUND_ORDER)}, m.name AS "merchantName",
      ${TOLD_ACCOUNT} AS "instructedAccount"
    FROM unnest($1::uuid[], $2::uuid[]) k (merchant_id, txid)
    JOIN orders o ON o.merchant_id = k.merchant_id AND o.txid = k.txid
    JOIN merchants m ON m.id = o.merchant_id`,
};

/** The lines that paid for an order, oldest first; without payer data once it was erased from the order. */
export const PAID_LINES: Statement = {
  name: 'bank_queue_of_order',
  text: `SELECT a.payment_id AS "paymentId", a.amount, a.undone_at AS "undoneAt",
      a.undone_by_line_id IS NOT NULL AS "isTakenBack", l.booked_on::text AS "bookedOn", l.currency,
      CASE WHEN o.erased_at IS NULL THEN l.counterparty_name END AS "name",
      CASE WHEN o.erased_at IS NULL THEN l.counterparty_account END AS "account",
      CASE WHEN o.erased_at IS NULL THEN l.counterparty_account_type END AS "accountType"
    FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id
    JOIN orders o ON o.merchant_id = a.merchant_id AND o.txid = a.txid
    WHERE a.merchant_id = $1 AND a.txid = $2
      AND a.payment_id IN (SELECT id FROM payments WHERE merchant_id = $1 AND txid = $2)
    ORDER BY a.created_at, a.payment_id`,
};
