import { columnsOf, insertOf, membersOf, readOf, recordOf, setOf } from '../entity-sql.js';
import { BankLinePlace } from './bank-line-place.entity.js';
import { BankLine } from './bank-line.entity.js';
import { hasMoved } from './moved-lines.js';
import { StoredStatement } from './stored-statement.entity.js';
import { IS_WAITING } from './waiting-lines.js';

/** What a later file may add to a line, or change in it when the bank has booked what it had announced. */
export const ENRICHED = [
  'key',
  'ordinal',
  'bookedOn',
  'valuedOn',
  'status',
  'kind',
  'reversal',
  'returned',
  'contradicts',
  'counterpartyName',
  'counterpartyAccount',
  'counterpartyAccountType',
  'counterpartyBic',
  'references',
  'endToEndId',
  'bankReference',
  'text',
  'namedReference',
  'identifiers',
  'batchId',
  'batchKey',
  'unproven',
  'duplicateOf',
] as const satisfies (keyof BankLine)[];

/** So far apart may two messages date one booking. */
export const NEAR_DAYS = 5;

/** Of the column `ordinal`. */
export const ORDINAL_MAX = 2 ** 31 - 1;

const LINE = readOf(BankLine);
const PLACE = readOf(BankLinePlace);

/** One import of an account at a time: what the others stored is seen. */
export const LOCK_ACCOUNT = `SELECT pg_advisory_xact_lock(hashtextextended('bank ' || $1 || ' ' || $2, 0))`;

/** Of the line that has the booking. */
const STATEMENTS = `ARRAY(SELECT p.statement_id FROM bank_line_places p
  WHERE p.line_id = CASE WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id) ELSE l.id END)`;
const KNOWN = `${columnsOf('l', BankLine)}, ${STATEMENTS} AS statements`;
const OF_ACCOUNT = 'l.mode = $1 AND l.account = $2';
/** The same for whom the key finds the rows: no plan may read all lines of the account instead. */
const ALSO_OF_ACCOUNT = `l.mode || '' = $1 AND l.account || '' = $2`;

/**
 * Rows are compared as the index `bank_lines_once` has them: no other one, of which an account has as many lines as
 * there are, can serve instead.
 */
const betweenOrdinals = (low: string, high: string): string =>
  `(l.key, l.account, l.mode, l.ordinal) BETWEEN (w.key, $2, $1, ${low}) AND (w.key, $2, $1, ${high})`;

/** A reference of MT940 has so many characters of that of the bank. */
export const SHORT_REFERENCE = 16;
/** By so many characters of it an end-to-end id is found. */
export const SHORT_END_TO_END_ID = 64;

export const OF_TRANSACTION = `l.identifiers ->> 'transactionBankReference'`;
export const OF_ENTRY = `l.identifiers ->> 'entryBankReference'`;

/** What a line is found by, as the indexes of these names have it: see `Mark`. */
export const MARKS = {
  bank_lines_bank_reference: `coalesce('=' || left(coalesce(${OF_TRANSACTION}, ${OF_ENTRY}), ${SHORT_REFERENCE}),
    CASE WHEN l.end_to_end_id IS NULL THEN '' ELSE '-' END)`,
  bank_lines_entry_reference: `'=' || left(${OF_ENTRY}, ${SHORT_REFERENCE})`,
  bank_lines_end_to_end_id: `coalesce('=' || left(l.end_to_end_id, ${SHORT_END_TO_END_ID}), '')`,
} as const;

const markedLines = (index: keyof typeof MARKS, condition: string): string => {
  const place = (key: string, ordinal: string) => `(w.mark, $2, $1, ${key}, ${ordinal})`;
  return `SELECT * FROM bank_lines l WHERE ${condition}
    AND ((${MARKS[index]}) COLLATE "C", l.account, l.mode, l.key, l.ordinal)
      BETWEEN ${place('w.low', 'w.first')} AND ${place('w.high', 'w.last')}`;
};

const IS_REFERRED = ['transactionId', 'uetr', 'instructionId']
  .map((name) => `l.identifiers ->> '${name}' = ANY ($5)`)
  .join(' OR ');

/**
 * Without those of which the statement `$3` has told itself. Where many have the same money, only those are read that
 * no mark tells apart.
 */
export const BY_MARKS = `SELECT DISTINCT ON (l.id) ${KNOWN}
  FROM json_to_recordset($4::json) w (mark text, of text, low text, first integer, high text, last integer, among text)
  CROSS JOIN LATERAL (
    ${markedLines('bank_lines_bank_reference', `w.of = 'bank'`)}
    UNION ALL ${markedLines('bank_lines_entry_reference', `w.of = 'bank' AND ${OF_TRANSACTION} IS NOT NULL`)}
    UNION ALL ${markedLines('bank_lines_end_to_end_id', `w.of = 'payer'`)}
    OFFSET 0) l
  WHERE (w.among = 'all' OR w.among = 'announced' AND l.status = 'announced'
      OR w.among = 'referred' AND (w.mark LIKE '=%' OR ${IS_REFERRED}))
    AND $3::uuid <> ALL (${STATEMENTS})`;

/** Likewise, whatever they have. */
export const BY_KEYS = `SELECT ${KNOWN} FROM unnest($4::text[], $5::integer[], $6::integer[]) w (key, low, high)
  CROSS JOIN LATERAL (SELECT * FROM bank_lines l WHERE ${betweenOrdinals('w.low', 'w.high')} OFFSET 0) l
  WHERE $3::uuid <> ALL (${STATEMENTS})`;

/** Lines that a statement proves now, and none did before; `$2`: reasons of lines at which no rule looks again. */
export const PROVE = `UPDATE bank_lines SET unproven = NULL,
    looked_at = CASE WHEN state IN ('suggested', 'unmatched', 'not_a_payment') AND coalesce(reason <> ALL ($2), true)
      THEN NULL ELSE looked_at END
  WHERE id = ANY ($1) AND unproven IS NOT NULL`;

export const LAST_ORDINALS = `SELECT w.key, l.ordinal FROM unnest($3::text[]) w (key)
  CROSS JOIN LATERAL (SELECT l.ordinal FROM bank_lines l WHERE ${betweenOrdinals('0', `${ORDINAL_MAX}`)}
    ORDER BY l.key DESC, l.account DESC, l.mode DESC, l.ordinal DESC LIMIT 1) l`;

export const BY_BATCHES = `SELECT ${KNOWN} FROM bank_lines l
  WHERE ${OF_ACCOUNT} AND l.batch_key IS NOT NULL AND l.batch_key = ANY ($3)`;

const within = (ofAccount: string): string => `unnest($3::text[], $4::text[]) w (low, high)
  JOIN bank_lines l ON ${ofAccount} AND l.key >= w.low AND l.key <= w.high`;

export const ANNOUNCED_AROUND = `SELECT DISTINCT ON (l.id) ${KNOWN} FROM ${within(OF_ACCOUNT)} WHERE l.status = 'announced'`;

/** With one of some references: as many as an account has of one amount are not wanted. */
export const REFERRED_AROUND = `SELECT DISTINCT ON (l.id) ${KNOWN} FROM ${within(ALSO_OF_ACCOUNT)}
  WHERE ${IS_REFERRED}`;

export const INSERT_LINES = insertOf(
  BankLine,
  membersOf('n', LINE),
  `FROM json_to_recordset($1::json) n (${recordOf(BankLine, LINE)})`,
);

export const INSERT_PLACES = insertOf(
  BankLinePlace,
  membersOf('n', PLACE),
  `FROM json_to_recordset($1::json) n (${recordOf(BankLinePlace, PLACE)})`,
);

export const PLACES_BETWEEN = `SELECT ${columnsOf('p', BankLinePlace)} FROM bank_line_places p
  WHERE p.statement_id = $1 AND p.entry BETWEEN $2 AND $3`;

/** Only what nobody has decided about is looked at again; `$2`: reasons by which somebody has. */
export const ENRICH_LINES = `UPDATE bank_lines l SET ${setOf(BankLine, membersOf('n', ENRICHED))},
    state = CASE WHEN n.booked IS NULL THEN l.state ELSE n.booked END,
    looked_at = CASE WHEN n.booked <> 'superseded'
      OR l.state IN ('suggested', 'unmatched', 'not_a_payment') AND coalesce(l.reason <> ALL ($2), true)
      THEN NULL ELSE l.looked_at END
  FROM json_to_recordset($1::json) n (${recordOf(BankLine, ['id', ...ENRICHED])}, booked text)
  WHERE l.id = n.id`;

/**
 * Totals whose payments are there: those that have moved no money move none any more, also where a person
 * has explained them away before. Their rows are locked by now, so that nobody makes them meanwhile.
 */
export const SUPERSEDE = `UPDATE bank_lines l SET state = 'superseded', reason = NULL, looked_at = $2
  WHERE l.id = ANY ($1) AND l.state <> 'matched' AND NOT ${hasMoved('l.id')}
  RETURNING l.id`;

/** The parts of some totals. */
const PARTS = `l.mode = t.mode AND l.account = t.account AND l.batch_key = t.key AND l.batch_id = t.batch_id`;

/** The other way round: what its total has moved already is not counted again. */
export const SUPERSEDE_PARTS = `UPDATE bank_lines l SET state = 'superseded', reason = NULL, looked_at = $2
  FROM bank_lines t WHERE t.id = ANY ($1) AND ${PARTS} AND l.state NOT IN ('matched', 'ignored')
    AND NOT ${hasMoved('l.id')}`;

export const TIE = `UPDATE bank_lines l SET batch_id = n.batch
  FROM json_to_recordset($1::json) n (id uuid, batch uuid) WHERE l.id = n.id`;

export const NAME_TOTALS = `UPDATE bank_lines l SET parent_id = t.id
  FROM bank_lines t WHERE t.id = ANY ($1) AND ${PARTS}`;

const POSSIBLE = `json_to_recordset($1::json) n (id uuid, batch uuid)`;

/** So that nobody makes them pay meanwhile. */
export const LOCK_TOTALS = `SELECT FROM ${POSSIBLE} JOIN bank_lines t ON t.id = n.id ORDER BY t.id FOR UPDATE OF t`;

/** Those that have moved nothing and of which nobody has said anything; the first payment stands for all. */
export const SUSPECT = `UPDATE bank_lines t SET batch_id = n.batch, looked_at = NULL, duplicate_of = (
    SELECT l.id FROM bank_lines l WHERE l.mode = t.mode AND l.account = t.account AND l.batch_key = t.key
      AND l.batch_id = n.batch ORDER BY l.id LIMIT 1)
  FROM ${POSSIBLE} WHERE t.id = n.id AND t.duplicate_of IS NULL AND ${IS_WAITING} AND NOT ${hasMoved('t.id')}`;

/** The other way round: payments that nobody has looked at yet, and whose sum somebody has. */
export const SUSPECT_PARTS = `UPDATE bank_lines l SET duplicate_of = t.id
  FROM ${POSSIBLE} JOIN bank_lines t ON t.id = n.id AND t.batch_id IS NULL
  WHERE l.mode = t.mode AND l.account = t.account AND l.batch_key = t.key AND l.batch_id = n.batch
    AND l.looked_at IS NULL AND l.duplicate_of IS NULL`;

export const HUSH = `UPDATE bank_lines SET state = 'superseded', looked_at = $2
  WHERE id = ANY ($1) AND state = 'announced'`;

const STATEMENT = readOf(StoredStatement);
export const INSERT_STATEMENT = `${insertOf(
  StoredStatement,
  membersOf('n', STATEMENT),
  `FROM json_to_record($1::json) n (${recordOf(StoredStatement, STATEMENT)})`,
)} ON CONFLICT (file_id, number) DO UPDATE SET number = excluded.number RETURNING id`;

export const COVER_DAYS = `UPDATE bank_statements SET covers_from = $2, covers_until = $3 WHERE id = $1`;

const CHAINED = `s.mode = c.mode AND s.account = c.account AND s.currency IS NOT DISTINCT FROM c.currency
  AND left(s.format, 8) = left(c.format, 8) AND s.balanced AND c.balanced
  AND s.opening_balance <> s.closing_balance AND c.opening_balance <> c.closing_balance`;

const numberOf = (statement: string): string =>
  `substring(${statement}.sequence FROM '^[0-9]+')::numeric`;
const pageOf = (statement: string): string =>
  `substring(${statement}.sequence FROM '^[0-9]+/([0-9]+)')::numeric`;

/** Statements of one day follow each other by their numbers, or by those of their pages: else they may overlap on it. */
const follows = (before: string, after: string): string =>
  `(${before}.booked_until < ${after}.booked_from OR ${before}.booked_until = ${after}.booked_from
    AND (${numberOf(after)} = ${numberOf(before)} + 1
      OR ${numberOf(after)} = ${numberOf(before)} AND ${pageOf(after)} = ${pageOf(before)} + 1))`;

/**
 * Statements that end where this one begins, or begin where it ends, by balances that have changed and by the days of
 * their bookings, and those before and behind them as far as one booking can be dated differently: their bookings are
 * others. Balances alone prove nothing: those of a day whose bookings come to 0 are on both sides of it.
 */
export const APART = `WITH RECURSIVE earlier AS (
    SELECT c.* FROM bank_statements c WHERE c.id = $1
    UNION SELECT s.* FROM earlier c JOIN bank_statements s ON ${CHAINED} AND s.closing_balance = c.opening_balance
      AND s.booked_until BETWEEN $2::date - ${NEAR_DAYS} AND c.booked_from AND ${follows('s', 'c')}),
  later AS (
    SELECT c.* FROM bank_statements c WHERE c.id = $1
    UNION SELECT s.* FROM later c JOIN bank_statements s ON ${CHAINED} AND s.opening_balance = c.closing_balance
      AND s.booked_until >= c.booked_until AND s.booked_from <= $3::date + ${NEAR_DAYS} AND ${follows('c', 's')})
  SELECT id FROM earlier WHERE id <> $1 UNION SELECT id FROM later WHERE id <> $1`;

/** The statement before this one that ends last; it is another one of the account, and no copy. */
export const BEFORE = `SELECT s.sequence, s.covers_until AS "coversUntil",
    s.closing_balance AS "closingBalance"
  FROM bank_statements s JOIN bank_statements o ON o.mode = s.mode AND o.account = s.account AND o.id <> s.id
    AND o.currency IS NOT DISTINCT FROM s.currency
  WHERE o.id = $1 AND s.covers_until <= $2 AND s.closing_balance IS NOT NULL
    AND (s.covers_until, s.opening_balance, s.closing_balance)
      IS DISTINCT FROM ($3::date, o.opening_balance, o.closing_balance)
  ORDER BY s.closing_balance = o.opening_balance AND s.covers_until > $2::date - 40 DESC,
    s.covers_until DESC, s.id DESC LIMIT 1`;
