import {
  MARKS,
  NEAR_DAYS,
  OF_ENTRY,
  OF_TRANSACTION,
  ORDINAL_MAX,
  SHORT_END_TO_END_ID,
  SHORT_REFERENCE,
} from './line-store.statements.js';

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

/** Who proves a line `$2` has its words and its payer, too: they may be those of somebody who has forged it. */
export const TAKE_WORDS = `UPDATE bank_lines o SET text = l.text, payer_references = l.payer_references,
    end_to_end_id = l.end_to_end_id, named_reference = l.named_reference, counterparty_name = l.counterparty_name,
    counterparty_account = l.counterparty_account, counterparty_account_type = l.counterparty_account_type,
    counterparty_bic = l.counterparty_bic
  FROM bank_lines l WHERE l.id = $1 AND o.id = $2 AND l.unproven IS NULL AND o.unproven IS NOT NULL
    AND o.state IN ('suggested', 'unmatched', 'not_a_payment')`;

/** What may be, or is, a line that is another one itself may be, or is, that one. */
export const MOVE_DUPLICATES = `UPDATE bank_lines SET duplicate_of = $2 WHERE duplicate_of = $1 AND id <> $2`;

export const TELL_APART = `UPDATE bank_lines SET told_apart_by = $2, state = 'unmatched', reason = NULL, looked_at = NULL
  WHERE id = $1`;
