import {
  MARKS,
  NEAR_DAYS,
  OF_ENTRY,
  OF_TRANSACTION,
  ORDINAL_MAX,
  SHORT_END_TO_END_ID,
  SHORT_REFERENCE,
} from './line-store.statements.js';
import { hasMoved } from './moved-lines.js';

/** The same for whom a line of the account is known. */
export const LOCK_ACCOUNT_OF = `SELECT pg_advisory_xact_lock(hashtextextended('bank ' || l.mode || ' ' || l.account, 0))
  FROM bank_lines l WHERE l.mode = $1 AND l.id = $2`;

const same = (one: string, other: string): string => `(${one} = ${other}
  OR length(${one}) = ${SHORT_REFERENCE} AND starts_with(${other}, ${one})
  OR length(${other}) = ${SHORT_REFERENCE} AND starts_with(${one}, ${other}))`;

/** Whether the bank gave a line `l` and a wanted one `w` a reference in common. */
const SHARES_REFERENCE = `coalesce(CASE WHEN ${OF_TRANSACTION} IS NOT NULL AND w."ofTransaction" IS NOT NULL
  THEN ${same(OF_TRANSACTION, 'w."ofTransaction"')}
  ELSE ${[OF_TRANSACTION, OF_ENTRY]
    .flatMap((mine) =>
      ['w."ofTransaction"', 'w."ofEntry"'].map(
        (theirs) => `coalesce(${same(mine, theirs)}, false)`,
      ),
    )
    .join(' OR ')} END, false)`;

/** Lines of some keys: that without a day, or one of the days around. Those of which the statement has told are left out. */
const OF_DAYS = `SELECT l.* FROM generate_series(0, ${2 * NEAR_DAYS + 1}) d (n)
  CROSS JOIN LATERAL (SELECT CASE d.n WHEN 0 THEN w.money
    ELSE w.money || to_char(w.day + d.n - ${NEAR_DAYS + 1}, 'YYYY-MM-DD') END AS key) k
  LEFT JOIN json_to_recordset($5::json) r (key text, low integer, high integer) ON r.key = k.key
  CROSS JOIN LATERAL (SELECT * FROM bank_lines l
    WHERE (l.key, l.account, l.mode, l.ordinal) BETWEEN (k.key, $2, $1, coalesce(r.low, 0))
      AND (k.key, $2, $1, coalesce(r.high, ${ORDINAL_MAX})) OFFSET 0) l`;

/** The key of the money of a line, so many days later. */
const keyOn = (line: string, days: string): string =>
  `regexp_replace(${line}.key, '[^|]*$', '') || to_char(coalesce(${line}.booked_on, ${line}.valued_on) ${days}, 'YYYY-MM-DD')`;

const near = (days: string): string => `w.money || to_char(w.day ${days}, 'YYYY-MM-DD')`;
const between = (index: keyof typeof MARKS): string => `SELECT l.* FROM bank_lines l
  WHERE ((${MARKS[index]}) COLLATE "C", l.account, l.mode, l.key, l.ordinal)
    BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, ${ORDINAL_MAX})`;
const DAYS_AROUND = `(VALUES (w.money, w.money), (${near(`- ${NEAR_DAYS}`)}, ${near(`+ ${NEAR_DAYS}`)})) r (low, high)`;

/** Lines of the days around without a reference of the bank. */
const UNREFERRED = `SELECT l.* FROM (VALUES (''), ('-')) m (mark) CROSS JOIN ${DAYS_AROUND}
  CROSS JOIN LATERAL (${between('bank_lines_bank_reference')} OFFSET 0) l`;

/** Those with one of such a beginning. */
const REFERRED = `SELECT l.* FROM (VALUES ('=' || left(w."ofTransaction", ${SHORT_REFERENCE})),
    ('=' || left(w."ofEntry", ${SHORT_REFERENCE}))) m (mark) CROSS JOIN ${DAYS_AROUND}
  CROSS JOIN LATERAL (${between('bank_lines_bank_reference')}
    UNION ALL ${between('bank_lines_entry_reference')} AND ${OF_TRANSACTION} IS NOT NULL OFFSET 0) l`;

const HAS_END_TO_END_ID = 'l.end_to_end_id = w."endToEndId"';

/** Those with the same end-to-end id. */
const NAMED = `SELECT l.* FROM (VALUES ('=' || left(w."endToEndId", ${SHORT_END_TO_END_ID}))) m (mark) CROSS JOIN ${DAYS_AROUND}
  CROSS JOIN LATERAL (${between('bank_lines_end_to_end_id')} OFFSET 0) l WHERE ${HAS_END_TO_END_ID}`;

const NAMES_REFERENCE = 'l.named_reference = w.named';

/** Those that name the same reference of ours. */
const OF_ORDER = `SELECT l.* FROM ${DAYS_AROUND} CROSS JOIN LATERAL (SELECT l.* FROM bank_lines l
  WHERE ${NAMES_REFERENCE} AND (l.named_reference, l.account, l.mode, l.key, l.ordinal)
    BETWEEN (w.named, $2, $1, r.low, 0) AND (w.named, $2, $1, r.high, ${ORDINAL_MAX}) OFFSET 0) l`;

/**
 * What may be a line at all. `$3` and its neighbours `$6` have told of none of these, nor has the file in the same format,
 * and no line of the piece is one of `$7`.
 */
const IS_UNTOLD = `l.status = 'booked' AND l.reason IS DISTINCT FROM 'same_booking'
  AND NOT l.id = ANY ($7::uuid[])
  AND NOT EXISTS (
    SELECT FROM bank_line_places p JOIN bank_statements s ON s.id = p.statement_id
    JOIN bank_statements o ON o.id = $3
    WHERE p.line_id = l.id AND (s.id = o.id OR s.id = ANY ($6::uuid[])
      OR s.file_id = o.file_id AND left(s.format, 8) = left(o.format, 8)))`;

const IS_OF_DAY = `(l.key = w.money OR w.day IS NULL OR l.key = w.money || to_char(w.day, 'YYYY-MM-DD')
  OR coalesce(l.valued_on, l.booked_on) = w."valuedOn")`;

/** A payer may have written its reference. */
const IS_DOUBTFUL = `l.identifiers ->> 'doubtfulReference' IS NOT NULL`;

/** Whether nothing of what the bank says tells them apart. */
const MAY_BE = `(coalesce(${OF_TRANSACTION}, ${OF_ENTRY}) IS NULL OR ${IS_DOUBTFUL} OR NOT w."isReferred" OR ${SHARES_REFERENCE})
  AND (${IS_OF_DAY} OR ${HAS_END_TO_END_ID} OR ${NAMES_REFERENCE} OR ${SHARES_REFERENCE})
  AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
  AND (l.identifiers ->> 'transactionId' <> w."transactionId") IS NOT TRUE
  AND (l.counterparty_account_type = 'iban' AND l.counterparty_account <> w.iban) IS NOT TRUE
  AND (${SHARES_REFERENCE} OR NOT EXISTS (SELECT FROM json_each_text(w.numbers) x WHERE l.identifiers ->> x.key <> x.value))`;

const GROUP = ['money', 'day', '"valuedOn"', '"isReferred"'];

/**
 * For each wanted line one that is there, and that may be the same booking although what their payers wrote is not: of
 * the same money, and nothing of the bank's tells them apart. Says the same as `mayBeSame`, but for bookings
 * of other days with the same transaction id or UETR. Lines of the same money and
 * day share what is read for them. With `$8` = 1 any line will do that the statement may still tell of.
 */
export const RIVALS = `WITH wanted AS MATERIALIZED (
    SELECT *, coalesce("ofTransaction", "ofEntry") IS NOT NULL AND NOT "isDoubtful" AS "isReferred"
    FROM json_to_recordset($4::json) w (n integer, money text, day date, "valuedOn" date, "ofTransaction" text,
      "ofEntry" text, "isDoubtful" boolean, "endToEndId" text, "transactionId" text, uetr text, named text, iban text, numbers json)
  ), untold AS MATERIALIZED (
    SELECT w.money AS of_money, w.day AS of_day, w."valuedOn" AS of_value, w."isReferred" AS of_referred,
      l.*
    FROM (SELECT DISTINCT ${GROUP.join(', ')} FROM wanted) w
    CROSS JOIN LATERAL (
      SELECT l.id, l.key, l.booked_on, l.valued_on, l.identifiers, l.counterparty_account,
        l.counterparty_account_type, l.end_to_end_id, l.named_reference
      FROM (
        SELECT * FROM (${OF_DAYS}) l WHERE NOT w."isReferred" OR ${IS_DOUBTFUL}
        UNION ALL SELECT * FROM (${UNREFERRED}) m WHERE w."isReferred"
      ) l
      WHERE ${IS_OF_DAY} AND ${IS_UNTOLD} LIMIT $8
    ) l
  )
  SELECT w.n, l.id FROM wanted w CROSS JOIN LATERAL (
    SELECT l.id FROM (
      SELECT l.id, l.key, l.booked_on, l.valued_on, l.identifiers, l.counterparty_account,
        l.counterparty_account_type, l.end_to_end_id, l.named_reference
      FROM untold l WHERE l.of_money = w.money AND l.of_day IS NOT DISTINCT FROM w.day
        AND l.of_value IS NOT DISTINCT FROM w."valuedOn" AND l.of_referred = w."isReferred"
      UNION ALL SELECT l.id, l.key, l.booked_on, l.valued_on, l.identifiers, l.counterparty_account,
        l.counterparty_account_type, l.end_to_end_id, l.named_reference
      FROM (${REFERRED} UNION ALL ${NAMED} UNION ALL ${OF_ORDER}) l WHERE ${IS_UNTOLD}
    ) l WHERE $8::integer IS NOT NULL OR ${MAY_BE} LIMIT 1
  ) l`;

export const MOVE_PLACES = 'UPDATE bank_line_places SET line_id = $2 WHERE line_id = $1';

/** What a line says of its payer, and what its payer wrote. */
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

/** Who proves a line `$2` has its words and its payer, too: they may be those of somebody who has forged it. */
export const TAKE_WORDS = `UPDATE bank_lines o SET (${WORDS.join(', ')}) = (${wordsOf('l')})
  FROM bank_lines l WHERE l.id = $1 AND o.id = $2 AND l.unproven IS NULL AND o.unproven IS NOT NULL
    AND o.state IN ('suggested', 'unmatched', 'not_a_payment')`;

/** What may be, or is, a line that is another one itself may be, or is, that one. */
export const MOVE_DUPLICATES = `UPDATE bank_lines SET duplicate_of = $2 WHERE duplicate_of = $1 AND id <> $2`;

export const TELL_APART = `UPDATE bank_lines SET told_apart_by = $2, state = 'unmatched', reason = NULL, looked_at = NULL
  WHERE id = $1`;

export const TOTAL_OF = `SELECT t.id, p.batch_id AS batch
  FROM bank_lines l JOIN bank_lines o ON o.id = l.duplicate_of
  JOIN bank_lines t ON t.id IN (l.id, o.id) AND t.batch_key IS NULL
  JOIN bank_lines p ON p.id IN (l.id, o.id) AND p.batch_key = t.key AND p.batch_id IS NOT NULL
  WHERE l.id = $1`;

export const CALL_TOTAL = `UPDATE bank_lines SET reason = 'total'
  WHERE state = 'superseded' AND (id = $1 OR parent_id = $1)`;

export const KEEP_MERGE = `INSERT INTO bank_line_merges (line_id, other_id, places, ${WORDS.join(', ')},
    unproven, created_at)
  SELECT $1, o.id, coalesce((SELECT json_agg(json_build_object('statementId', p.statement_id, 'entry', p.entry,
      'detail', p.detail)) FROM bank_line_places p WHERE p.line_id = $1), '[]'),
    ${wordsOf('o')}, o.unproven, $3 FROM bank_lines o WHERE o.id = $2`;

/** The same says the trigger \`bank_line_merges_unused\`. */
const IS_USED = `m.unproven IS NOT NULL AND ${hasMoved('m.other_id')}`;

/** What was merged is found before the other line is locked, and that one is its own. */
export const MERGED_WITH = `SELECT m.other_id AS id, ${IS_USED} AS "isUsed" FROM bank_line_merges m
  JOIN bank_lines l ON l.id = m.line_id AND l.duplicate_of = m.other_id
  WHERE m.line_id = $1 AND NOT EXISTS (SELECT FROM bank_line_merges x WHERE x.line_id = m.other_id)`;

const MERGE = `bank_line_merges m WHERE m.line_id = $1`;

export const PLACES_BACK = `UPDATE bank_line_places p SET line_id = m.line_id
  FROM bank_line_merges m, json_to_recordset(m.places) x ("statementId" uuid, entry integer, detail integer)
  WHERE m.line_id = $1 AND p.statement_id = x."statementId" AND p.entry = x.entry AND p.detail = x.detail`;

/** Of a line that the other one had proven; \`$2\`: reasons of lines at which no rule looks again. */
export const WORDS_BACK = `UPDATE bank_lines o SET (${WORDS.join(', ')}) = (${wordsOf('m')}), unproven = m.unproven,
    looked_at = CASE WHEN o.state IN ('suggested', 'unmatched', 'not_a_payment') AND coalesce(o.reason <> ALL ($2), true)
      THEN NULL ELSE o.looked_at END
  FROM ${MERGE} AND m.unproven IS NOT NULL AND o.id = m.other_id`;

/** Lines that had been called the same as this one before. */
export const DUPLICATES_BACK = `UPDATE bank_lines l SET duplicate_of = m.line_id
  FROM ${MERGE} AND l.duplicate_of = m.other_id
    AND l.id IN (SELECT x.line_id FROM bank_line_merges x WHERE x.other_id = m.line_id)`;

/**
 * Of what came while a line was another one, nothing was compared with it: it may be one of these rather than that one, the
 * likeliest with its end-to-end id.
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
