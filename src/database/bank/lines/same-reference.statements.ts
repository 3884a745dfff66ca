import {
  MARKS,
  NEAR_DAYS,
  OF_ENTRY,
  OF_TRANSACTION,
  SHORT_REFERENCE,
} from './line-store.statements.js';
import { hasMoved } from './moved-lines.js';

/** Lines with one reference that are compared. A bank that gives more lines one reference uses it for many entries. */
const COMPARED_MAX = 50;

/** The expression for the new line `n`. */
const ofNew = (expression: string): string => expression.replaceAll('l.', 'n.');

/** Ordered like the index, so that the planner reads no more of it than are compared. */
const first = (index: keyof typeof MARKS, condition = ''): string => `(SELECT l.* FROM bank_lines l
  WHERE ((${MARKS[index]}) COLLATE "C", l.account, l.mode, l.key, l.ordinal)
    BETWEEN (m.mark, n.account, n.mode, 'in|', 0) AND (m.mark, n.account, n.mode, 'in|~', 0) ${condition}
  ORDER BY (${MARKS[index]}) COLLATE "C", l.account, l.mode, l.key, l.ordinal LIMIT ${COMPARED_MAX})`;

/** Whether the lines share a reference that no format has truncated. */
const SHARES_COMPLETE = `EXISTS (SELECT FROM (VALUES (${ofNew(OF_TRANSACTION)}), (${ofNew(OF_ENTRY)})) r (reference)
  WHERE r.reference IN (${OF_TRANSACTION}, ${OF_ENTRY}) AND length(r.reference) <> ${SHORT_REFERENCE})`;

/** Lines whose reference begins like that of the new line `n`, the line itself included. */
const OF_REFERENCE = `SELECT l.* FROM (
    SELECT DISTINCT '=' || left(reference, ${SHORT_REFERENCE}) AS mark
    FROM (VALUES (${ofNew(OF_TRANSACTION)}), (${ofNew(OF_ENTRY)})) r (reference) WHERE reference IS NOT NULL) m
  CROSS JOIN LATERAL (${first('bank_lines_bank_reference')}
    UNION ALL ${first('bank_lines_entry_reference', `AND ${OF_TRANSACTION} IS NOT NULL`)}) l
  LIMIT ${COMPARED_MAX}`;

/** Booked ones near its day that move money. */
const MOVING = `SELECT DISTINCT l.id, l.amount FROM called l
  WHERE (SELECT count(*) FROM called) < ${COMPARED_MAX} AND l.status = 'booked' AND l.currency = n.currency AND l.kind = 'payment'
    AND (${hasMoved('l.id')} OR l.state IN ('unmatched', 'suggested') AND l.duplicate_of IS NULL)
    AND ${SHARES_COMPLETE}
    AND abs(coalesce(l.booked_on, l.valued_on) - coalesce(n.booked_on, n.valued_on)) <= ${NEAR_DAYS}`;

/**
 * Makes new incoming payments (`$1`) possible duplicates of known ones with their bank reference, if one of them is the
 * sum of several others, and no statement has both: it is their total.
 */
export const SUSPECT_REFERENCE = `UPDATE bank_lines b SET duplicate_of = f.other FROM (
    SELECT n.id, (
      WITH called AS MATERIALIZED (${OF_REFERENCE}), same AS MATERIALIZED (${MOVING}),
        total AS (SELECT * FROM same ORDER BY amount DESC LIMIT 1),
        parts AS (SELECT s.* FROM same s, total t WHERE s.id <> t.id
          AND NOT EXISTS (SELECT p.statement_id FROM bank_line_places p WHERE p.line_id = s.id
            INTERSECT SELECT o.statement_id FROM bank_line_places o WHERE o.line_id = t.id))
      SELECT CASE t.id WHEN n.id THEN (SELECT id FROM parts LIMIT 1) ELSE t.id END FROM total t
      WHERE t.amount = (SELECT sum(amount) FROM parts) AND (SELECT count(*) FROM parts) > 1
        AND (t.id = n.id OR n.id IN (SELECT id FROM parts))) AS other
    FROM bank_lines n WHERE n.id = ANY ($1::uuid[]) AND n.status = 'booked' AND n.direction = 'in'
      AND n.kind = 'payment' AND n.looked_at IS NULL AND n.duplicate_of IS NULL OFFSET 0) f
  WHERE b.id = f.id AND f.other IS NOT NULL`;
