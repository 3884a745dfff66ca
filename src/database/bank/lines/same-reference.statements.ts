import {
  MARKS,
  NEAR_DAYS,
  OF_ENTRY,
  OF_TRANSACTION,
  SHORT_REFERENCE,
} from './line-store.statements.js';
import { hasMoved } from './moved-lines.js';
import { sharesReference } from './same-booking.statements.js';

/** Lines with one reference that are compared. A bank that gives more lines one reference uses it for many entries. */
const COMPARED_MAX = 50;

/** The expression for the new line `n`. */
const ofNew = (expression: string): string => expression.replaceAll('l.', 'n.');

const startingLike = (
  index: keyof typeof MARKS,
  reference: string,
): string => `SELECT l.* FROM bank_lines l
  WHERE ((${MARKS[index]}) COLLATE "C", l.account, l.mode, l.key, l.ordinal)
    BETWEEN ('=' || left(${reference}, ${SHORT_REFERENCE}), n.account, n.mode, 'in|', 0)
      AND ('=' || left(${reference}, ${SHORT_REFERENCE}), n.account, n.mode, 'in|~', 0)`;
const OWN = `coalesce(${ofNew(OF_TRANSACTION)}, ${ofNew(OF_ENTRY)})`;

/** Booked incoming lines near a new line `n` with its reference, the line itself included. */
const OF_REFERENCE = `SELECT DISTINCT l.id, l.amount FROM (
    ${startingLike('bank_lines_bank_reference', OWN)}
    UNION ALL ${startingLike('bank_lines_bank_reference', ofNew(OF_ENTRY))}
    UNION ALL ${startingLike('bank_lines_entry_reference', OWN)}
    UNION ALL ${startingLike('bank_lines_entry_reference', ofNew(OF_ENTRY))}
    LIMIT ${COMPARED_MAX}) l
  WHERE l.status = 'booked' AND l.currency = n.currency AND l.kind = 'payment'
    AND (${hasMoved('l.id')} OR l.state IN ('unmatched', 'suggested') AND l.duplicate_of IS NULL)
    AND ${sharesReference(ofNew(OF_TRANSACTION), ofNew(OF_ENTRY))}
    AND abs(coalesce(l.booked_on, l.valued_on) - coalesce(n.booked_on, n.valued_on)) <= ${NEAR_DAYS}`;

/**
 * Makes new incoming payments (`$1`) possible duplicates of known ones with their bank reference, if one of them is the
 * sum of several others, and no statement has both: it is their total.
 */
export const SUSPECT_REFERENCE = `UPDATE bank_lines b SET duplicate_of = f.other FROM (
    SELECT n.id, (
      WITH same AS MATERIALIZED (${OF_REFERENCE}),
        total AS (SELECT * FROM same ORDER BY amount DESC LIMIT 1),
        parts AS (SELECT s.* FROM same s, total t WHERE s.id <> t.id
          AND NOT EXISTS (SELECT FROM bank_line_places p JOIN bank_line_places o ON o.statement_id = p.statement_id
            WHERE p.line_id = s.id AND o.line_id = t.id))
      SELECT CASE t.id WHEN n.id THEN (SELECT id FROM parts LIMIT 1) ELSE t.id END FROM total t
      WHERE t.amount = (SELECT sum(amount) FROM parts) AND (SELECT count(*) FROM parts) > 1
        AND (t.id = n.id OR n.id IN (SELECT id FROM parts))) AS other
    FROM bank_lines n WHERE n.id = ANY ($1::uuid[]) AND n.status = 'booked' AND n.direction = 'in'
      AND n.kind = 'payment' AND n.looked_at IS NULL AND n.duplicate_of IS NULL) f
  WHERE b.id = f.id AND f.other IS NOT NULL`;
