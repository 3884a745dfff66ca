import { namesOrder } from './index-ranges.js';
import { APART_DAYS } from './other-accounts.statements.js';

/** Maximum lines that are compared with one line; with more, an operator decides. */
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
        WHERE ${namesOrder('o.reference', 'own.account')} AND l.id <> own.id AND l.status = 'booked' AND l.state <> 'superseded'
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
  SELECT own_id AS id FROM part GROUP BY own_id HAVING count(*) = ${PARTS_MAX}
  UNION SELECT c.id FROM candidate c WHERE NOT EXISTS (
    SELECT FROM ${balancedWith('c.id')} s CROSS JOIN ${balancedWith('c.other_id')} t
    WHERE s.id = t.id OR format_family(s.id) = format_family(t.id) AND (s.covers_until < t.covers_from OR t.covers_until < s.covers_from))`;
