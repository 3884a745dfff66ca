import { MARKS, SHORT_END_TO_END_ID } from '../lines/line-store.statements.js';

/** Maximum days between two reports of one transfer. */
const APART_DAYS = 10;

const { bank_lines_end_to_end_id: END_TO_END_ID } = MARKS;

/** Lines `l` on account `c` with keys of the range: a condition of rows, so that every plan uses the index. */
const inRange = (columns: string, values: string, low: string, high: string): string =>
  `(${columns}, l.account, l.mode, l.key) BETWEEN (${values}, c.account, own.mode, ${low}) AND (${values}, c.account, own.mode, ${high})`;

const NAMED = `SELECT * FROM bank_lines l
  WHERE ${inRange('l.named_reference', 'own.named_reference', "'in|'", "'in|~'")}`;
/** Many payers may write the same end-to-end id, so the amount is the same, and no order or payer may differ. */
const CALLED = `SELECT * FROM bank_lines l WHERE l.end_to_end_id = own.end_to_end_id
  AND ${inRange(`(${END_TO_END_ID}) COLLATE "C"`, `'=' || left(own.end_to_end_id, ${SHORT_END_TO_END_ID})`, 'm.money', "m.money || '~'")}
  AND l.booked_on BETWEEN own.booked_on - ${APART_DAYS} AND own.booked_on + ${APART_DAYS}
  AND (l.named_reference = own.named_reference AND l.counterparty_account = own.counterparty_account) IS NOT FALSE`;
const withId = (name: string): string => `SELECT * FROM bank_lines l
  WHERE l.identifiers ->> '${name}' = own.identifiers ->> '${name}' AND l.account = c.account AND l.mode = own.mode`;

/**
 * Incoming lines that may be a transfer which another account of the platform reports, too: a master account reports the
 * transfers of its virtual accounts, perhaps as a sum, an account may be registered under two numbers, and an operator
 * may read a CSV file with the profile of another account. Such a line comes from an account of the platform, or a line
 * of another account has a common identifier, names the same order, or has paid it. The amounts may differ by charges.
 * Of two lines that have not paid, the first one may pay.
 * @param $1 lines
 * @param $2 lines with the orders in `$3` (merchants) and `$4` (txids) that they pay, which the caller has locked
 */
export const REPORTED_ELSEWHERE = `SELECT own.id FROM bank_lines own
  WHERE own.id = ANY ($1::uuid[]) AND (
    EXISTS (SELECT FROM collection_accounts c WHERE c.mode = own.mode AND c.account = own.counterparty_account)
    OR EXISTS (
      SELECT FROM (
        SELECT l.* FROM collection_accounts c
        CROSS JOIN (VALUES (regexp_replace(own.key, '[^|]*$', ''))) m (money)
        CROSS JOIN LATERAL (
          ${NAMED} UNION ALL ${CALLED} UNION ALL ${withId('uetr')} UNION ALL ${withId('transactionId')}
        ) l
        WHERE c.mode = own.mode AND c.account <> own.account
        UNION ALL
        SELECT l.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) paid (line_id, merchant_id, txid)
        JOIN payments p ON p.merchant_id = paid.merchant_id AND p.txid = paid.txid
        JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
        JOIN bank_lines l ON l.id = a.line_id
        WHERE paid.line_id = own.id
      ) other
      WHERE other.account <> own.account AND other.mode = own.mode AND other.direction = 'in'
        AND other.currency = own.currency AND other.status = 'booked'
        AND other.state <> 'superseded' AND (other.has_paid OR other.id < own.id)))`;

/** Maximum lines that are compared with one line: a payer may send any number of payments for an order. */
const PARTS_MAX = 100;

/** Balanced statements that contain the line. */
const balancedWith = (
  line: string,
): string => `(SELECT s.* FROM bank_line_places p JOIN bank_statements s ON s.id = p.statement_id
    WHERE p.line_id = ${line} AND s.balanced OFFSET 0)`;

/** Other lines of the order of `own`, without the line `t`. */
const BESIDE = 'FROM part q WHERE q.own_id = own.id AND q.is_same_order AND q.id <> t.id';

/**
 * Lines that may be the total of other payments of the orders that they name (of two, of all, or of all of one day), or
 * one of the payments in such a total: a bank may book payments one by one and together, on the same account in another
 * file. Two lines are two bookings if one balanced statement contains both, or two of different days.
 * @param $1 lines
 */
export const POSSIBLE_TOTALS = `WITH own AS MATERIALIZED (
    SELECT l.*, ARRAY(SELECT DISTINCT unnest(references_in_line(l) || l.named_reference)) AS written FROM bank_lines l
    WHERE l.id = ANY ($1::uuid[]) AND l.named_reference IS NOT NULL AND l.marked_distinct_by IS NULL
  ), part AS MATERIALIZED (
    SELECT own.id AS own_id, l.id, l.amount, l.booked_on, l.named_reference = own.named_reference AS is_same_order
    FROM own CROSS JOIN LATERAL (
      SELECT l.* FROM unnest(own.written) o (reference) CROSS JOIN LATERAL (SELECT * FROM bank_lines l
        WHERE (l.named_reference, l.account, l.mode, l.key)
          BETWEEN (o.reference, own.account, own.mode, 'in|') AND (o.reference, own.account, own.mode, 'in|~')
          AND l.id <> own.id AND l.status = 'booked' AND l.state <> 'superseded'
          AND l.booked_on BETWEEN own.booked_on - ${APART_DAYS} AND own.booked_on + ${APART_DAYS} OFFSET 0) l
      LIMIT ${PARTS_MAX}) l
  ), candidate AS MATERIALIZED (
    SELECT own.id, p.id AS other_id FROM own JOIN part p ON p.own_id = own.id
    WHERE own.amount IN (SELECT sum(q.amount) FROM part q WHERE q.own_id = own.id
        GROUP BY GROUPING SETS ((), (q.booked_on)) HAVING count(*) > 1)
      OR EXISTS (SELECT FROM part a JOIN part b USING (own_id) WHERE own_id = own.id AND a.id < b.id AND a.amount + b.amount = own.amount)
    UNION ALL
    SELECT own.id, t.id FROM own JOIN part t ON t.own_id = own.id AND t.is_same_order
    WHERE t.amount - own.amount IN (SELECT q.amount ${BESIDE} UNION ALL SELECT sum(q.amount) ${BESIDE}
      UNION ALL SELECT sum(q.amount) ${BESIDE} AND q.booked_on = own.booked_on)
  )
  SELECT DISTINCT c.id FROM candidate c WHERE NOT EXISTS (
    SELECT FROM ${balancedWith('c.id')} s CROSS JOIN ${balancedWith('c.other_id')} t
    WHERE s.id = t.id OR format_family(s.id) = format_family(t.id) AND (s.covers_until < t.covers_from OR t.covers_until < s.covers_from))`;
