import { NEAR_DAYS } from './line-store.statements.js';
import { hasMoved } from './moved-lines.js';

export const MOVE_PLACES = 'UPDATE bank_line_places SET line_id = $2 WHERE line_id = $1';

/** Payer details and text of a line. */
const WORDS = [
  'text',
  'payer_references',
  'end_to_end_id',
  'named_reference',
  'counterparty_name',
  'counterparty_account',
  'counterparty_account_type',
  'counterparty_bic',
];
const wordsOf = (row: string): string => WORDS.map((name) => `${row}.${name}`).join(', ');

/** Copies payer details of a proven line to the unproven line `$2`, because those may be forged. */
export const COPY_TEXTS = `UPDATE bank_lines o SET (${WORDS.join(', ')}) = (${wordsOf('l')})
  FROM bank_lines l WHERE l.id = $1 AND o.id = $2 AND l.unproven IS NULL AND o.unproven IS NOT NULL
    AND o.state IN ('suggested', 'unmatched', 'not_a_payment')`;

/** Redirects the line's duplicates to the line with which it is merged. */
export const MOVE_DUPLICATES = `UPDATE bank_lines SET duplicate_of = $2 WHERE duplicate_of = $1 AND id <> $2`;

/** A line's key, moved by a number of days. */
const keyOn = (line: string, days: string): string =>
  `regexp_replace(${line}.key, '[^|]*$', '') || to_char(coalesce(${line}.booked_on, ${line}.valued_on) ${days}, 'YYYY-MM-DD')`;

export const TOTAL_OF = `SELECT t.id, p.batch_id AS batch, p.batch_key AS key
  FROM bank_lines l JOIN bank_lines o ON o.id = l.duplicate_of
  JOIN bank_lines t ON t.id IN (l.id, o.id) AND t.batch_key IS NULL
  JOIN bank_lines p ON p.id IN (l.id, o.id) AND p.batch_key = t.key AND p.batch_id IS NOT NULL
  WHERE l.id = $1`;

/**
 * Compares a line without a certain payer account with the next batch of its sum and day that has no total yet; no row
 * without one. `duplicate_of` is the batch's first payment.
 */
export const NEXT_BATCH = `UPDATE bank_lines t SET batch_id = n.batch_id, duplicate_of = n.id FROM (
    SELECT DISTINCT ON (p.batch_id) p.batch_id, p.id FROM bank_lines l
    JOIN bank_lines p ON p.mode = l.mode AND p.account = l.account AND p.batch_key = l.key
    WHERE l.id = $1 AND l.batch_key IS NULL AND p.parent_id IS NULL AND p.status = 'booked'
      AND (l.counterparty_account IS NULL OR l.identifiers ->> 'doubtfulAccount' IS NOT NULL)
      AND NOT EXISTS (SELECT FROM bank_line_distinctions x JOIN bank_lines o ON o.id = x.other_id
        WHERE x.line_id = l.id AND o.batch_id = p.batch_id)
      AND NOT EXISTS (SELECT FROM bank_line_places a JOIN bank_line_places b ON b.statement_id = a.statement_id
        WHERE a.line_id = l.id AND b.line_id = p.id)
    ORDER BY p.batch_id, p.id LIMIT 1) n
  WHERE t.id = $1 RETURNING t.id`;

export const KEEP_MERGE = `INSERT INTO bank_line_merges (line_id, other_id, places, ${WORDS.join(', ')},
    unproven, created_at)
  SELECT $1, o.id, coalesce((SELECT json_agg(json_build_object('statementId', p.statement_id, 'entry', p.entry,
      'detail', p.detail)) FROM bank_line_places p WHERE p.line_id = $1), '[]'),
    ${wordsOf('o')}, o.unproven, $3 FROM bank_lines o WHERE o.id = $2`;

/** Same condition as the trigger `bank_line_merges_unused`. */
const IS_USED = `m.unproven IS NOT NULL AND ${hasMoved('m.other_id')}`;

/** Only if the other line was not merged into a further one. */
export const MERGED_WITH = `SELECT m.other_id AS id, ${IS_USED} AS "isUsed" FROM bank_line_merges m
  JOIN bank_lines l ON l.id = m.line_id AND l.duplicate_of = m.other_id
  WHERE m.line_id = $1 AND NOT EXISTS (SELECT FROM bank_line_merges x WHERE x.line_id = m.other_id)`;

const MERGE = `bank_line_merges m WHERE m.line_id = $1`;

export const PLACES_BACK = `UPDATE bank_line_places p SET line_id = m.line_id
  FROM bank_line_merges m, json_to_recordset(m.places) x ("statementId" uuid, entry integer, detail integer)
  WHERE m.line_id = $1 AND p.statement_id = x."statementId" AND p.entry = x.entry AND p.detail = x.detail`;

/** Restores a line that the merge had proven; `$2`: reasons of lines that are not matched again. */
export const RESTORE_TEXTS = `UPDATE bank_lines o SET (${WORDS.join(', ')}) = (${wordsOf('m')}), unproven = m.unproven,
    looked_at = CASE WHEN o.state IN ('suggested', 'unmatched', 'not_a_payment') AND coalesce(o.reason <> ALL ($2), true)
      THEN NULL ELSE o.looked_at END
  FROM ${MERGE} AND m.unproven IS NOT NULL AND o.id = m.other_id`;

/** Lines that had been merged with this one before. */
export const DUPLICATES_BACK = `UPDATE bank_lines l SET duplicate_of = m.line_id
  FROM ${MERGE} AND l.duplicate_of = m.other_id
    AND l.id IN (SELECT x.line_id FROM bank_line_merges x WHERE x.other_id = m.line_id)`;

/**
 * Lines stored during the merge were not compared with this one: flags the likeliest of them as its possible duplicate,
 * by end-to-end id first.
 */
export const MAY_BE_LATER = `UPDATE bank_lines l SET duplicate_of = coalesce((
    SELECT n.id FROM bank_lines n
    WHERE n.mode = l.mode AND n.account = l.account AND n.id <> l.id AND n.created_at >= m.created_at
      AND n.direction = l.direction AND n.amount = l.amount AND n.currency = l.currency
      AND n.status = 'booked' AND n.reason IS DISTINCT FROM 'same_booking'
      AND n.key BETWEEN ${keyOn('l', `- ${NEAR_DAYS}`)} AND ${keyOn('l', `+ ${NEAR_DAYS}`)}
    ORDER BY n.end_to_end_id = l.end_to_end_id DESC NULLS LAST, n.id LIMIT 1), l.duplicate_of)
  FROM ${MERGE} AND l.id = m.line_id`;

export const FORGET_MERGE = `DELETE FROM bank_line_merges WHERE line_id = $1`;

export const WAIT_AGAIN = `UPDATE bank_lines SET state = 'unmatched', reason = NULL, looked_at = NULL WHERE id = $1`;

export const UNTIE = `UPDATE bank_lines SET state = 'unmatched', reason = NULL, looked_at = NULL
  WHERE (id = $1 OR parent_id = $1) AND state = 'superseded' AND reason = 'total'`;

export const UNNAME_TOTAL = `UPDATE bank_lines SET parent_id = NULL WHERE parent_id = $1`;
