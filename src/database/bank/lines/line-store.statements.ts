import { columnsOf, insertOf, columnRefs, readOf, recordOf, setOf } from '../../entity-sql.js';
import { BankLinePlace } from './bank-line-place.entity.js';
import { BankLine } from './bank-line.entity.js';
import { hasMoved } from './moved-lines.js';
import { StoredStatement } from '../files/stored-statement.entity.js';
import { IS_WAITING } from './waiting-lines.js';

/** Columns that a later file may fill, or change when the bank books what it had announced. */
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

/** Maximum difference in days between the dates of one booking in two messages. */
export const NEAR_DAYS = 5;
/** Maximum days from the value date of a booking to its booking date. */
export const BACK_VALUED_DAYS = 30;

/** Maximum of the column `ordinal`. */
export const ORDINAL_MAX = 2 ** 31 - 1;

const LINE = readOf(BankLine);
const PLACE = readOf(BankLinePlace);

/**
 * Serializes imports into an account, so that each sees the lines of the previous ones. The transaction may be idle for
 * longer than others: on a busy host it takes seconds to compare the 30,000 payments that an entry may have.
 */
export const LOCK_ACCOUNT = `SELECT set_config('idle_in_transaction_session_timeout', '60s', true),
  pg_advisory_xact_lock(hashtextextended('bank ' || $1 || ' ' || $2, 0))`;

/**
 * Statements of the line itself, or of the one it was merged into. A statement that announces a booked line may contain
 * its booking, too.
 */
const STATEMENTS = `ARRAY(SELECT p.statement_id FROM bank_line_places p
  WHERE p.line_id = CASE WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id) ELSE l.id END
    AND (l.status = 'announced' OR p.status IS DISTINCT FROM 'announced'))`;
const KNOWN = `${columnsOf('l', BankLine)}, ${STATEMENTS} AS statements`;
const OF_ACCOUNT = 'l.mode = $1 AND l.account = $2';
/**
 * The same condition, hidden from the planner, so that it uses the index on the key and never reads all lines of the
 * account.
 */
const ALSO_OF_ACCOUNT = `l.mode || '' = $1 AND l.account || '' = $2`;

/**
 * A row comparison in the column order of `bank_lines_once`, so that the planner cannot choose an index that reads all
 * lines of the account.
 */
const betweenOrdinals = (low: string, high: string): string =>
  `(l.key, l.account, l.mode, l.ordinal) BETWEEN (w.key, $2, $1, ${low}) AND (w.key, $2, $1, ${high})`;

/** MT940 truncates the bank's reference to this length. */
export const SHORT_REFERENCE = 16;
/** Length to which end-to-end ids are indexed. */
export const SHORT_END_TO_END_ID = 64;

export const OF_TRANSACTION = `l.identifiers ->> 'transactionBankReference'`;
export const OF_ENTRY = `l.identifiers ->> 'entryBankReference'`;

/** Index expressions by index name: see `Mark`. */
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
 * Excludes lines that statement `$3` contains already. Where many lines have the same amount and day, it reads only
 * those that no mark distinguishes.
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

/** The same, regardless of marks. */
export const BY_KEYS = `SELECT ${KNOWN} FROM unnest($4::text[], $5::integer[], $6::integer[]) w (key, low, high)
  CROSS JOIN LATERAL (SELECT * FROM bank_lines l WHERE ${betweenOrdinals('w.low', 'w.high')} OFFSET 0) l
  WHERE $3::uuid <> ALL (${STATEMENTS})`;

/** Marks lines as proven; `$2`: reasons of lines that are not matched again. */
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

/** Only lines with one of the references, because an account may have very many of one amount. */
export const REFERRED_AROUND = `SELECT DISTINCT ON (l.id) ${KNOWN} FROM ${within(ALSO_OF_ACCOUNT)}
  WHERE ${IS_REFERRED}`;

/** `$2`: the statement. */
export const INSERT_LINES = insertOf(
  BankLine,
  {
    ...columnRefs('n', LINE),
    formats: `CASE n.status WHEN 'booked' THEN ARRAY[s.format] ELSE '{}' END`,
  },
  `FROM json_to_recordset($1::json) n (${recordOf(BankLine, LINE)})
    CROSS JOIN (SELECT format_family($2) AS format) s`,
);

export const INSERT_PLACES = insertOf(
  BankLinePlace,
  columnRefs('n', PLACE),
  `FROM json_to_recordset($1::json) n (${recordOf(BankLinePlace, PLACE)})`,
);

export const PLACES_BETWEEN = `SELECT ${columnsOf('p', BankLinePlace)} FROM bank_line_places p
  WHERE p.statement_id = $1 AND p.entry BETWEEN $2 AND $3`;

/** Queues only undecided lines for matching again; `$2`: reasons that are an operator's decision. */
export const ENRICH_LINES = `UPDATE bank_lines l SET ${setOf(BankLine, columnRefs('n', ENRICHED))},
    state = CASE WHEN n.booked IS NULL THEN l.state ELSE n.booked END,
    looked_at = CASE WHEN n.booked <> 'superseded'
      OR l.state IN ('suggested', 'unmatched', 'not_a_payment') AND coalesce(l.reason <> ALL ($2), true)
      THEN NULL ELSE l.looked_at END
  FROM json_to_recordset($1::json) n (${recordOf(BankLine, ['id', ...ENRICHED])}, booked text)
  WHERE l.id = n.id`;

/**
 * Supersedes batch totals whose payments are stored, unless they moved money; also those that an operator has
 * explained. The caller has locked the rows, so no concurrent match moves money with them.
 */
export const SUPERSEDE = `UPDATE bank_lines l SET state = 'superseded', reason = NULL, looked_at = $2
  WHERE l.id = ANY ($1) AND l.state <> 'matched' AND NOT ${hasMoved('l.id')}
  RETURNING l.id`;

/** The payments `l` of batch totals `t`. */
const PARTS = `l.mode = t.mode AND l.account = t.account AND l.batch_key = t.key AND l.batch_id = t.batch_id`;

/** The payments of superseded totals no longer wait as possible duplicates of these. If that is undone, the total waits. */
export const FREE_PARTS = `WITH freed AS (
    UPDATE bank_lines l SET duplicate_of = NULL, looked_at = NULL FROM bank_lines t
    WHERE t.id = ANY ($1) AND ${PARTS} AND l.duplicate_of = t.id AND l.marked_distinct_by IS NULL
      AND l.state IN ('suggested', 'unmatched')
    RETURNING t.id AS total, l.id)
  UPDATE bank_lines t SET duplicate_of = f.id FROM (SELECT DISTINCT ON (total) * FROM freed ORDER BY total, id) f
  WHERE t.id = f.total AND t.duplicate_of IS NULL`;

/** Supersedes the payments instead, where the total has moved the money already; not those merged with another line. */
export const SUPERSEDE_PARTS = `UPDATE bank_lines l SET state = 'superseded', reason = NULL, looked_at = $2
  FROM bank_lines t WHERE t.id = ANY ($1) AND ${PARTS} AND l.state NOT IN ('matched', 'ignored')
    AND l.reason IS DISTINCT FROM 'same_booking' AND NOT ${hasMoved('l.id')}`;

/**
 * Reactivates payments whose total did not move the money after all. The previous reason says whether an operator had
 * linked them to the total.
 */
export const COUNT_PARTS = `UPDATE bank_lines l SET state = 'unmatched', reason = NULL, looked_at = NULL
  FROM bank_lines t, bank_lines before WHERE t.id = $1 AND ${PARTS} AND l.parent_id = t.id AND before.id = l.id
    AND l.state = 'superseded' AND l.status = 'booked' AND coalesce(l.reason, 'total') = 'total'
    AND t.state <> 'matched' AND NOT ${hasMoved('t.id')}
  RETURNING before.reason`;

export const TIE = `UPDATE bank_lines l SET batch_id = n.batch
  FROM json_to_recordset($1::json) n (id uuid, batch uuid) WHERE l.id = n.id`;

export const CALL_TOTAL = `UPDATE bank_lines SET reason = 'total'
  WHERE state = 'superseded' AND reason IS DISTINCT FROM 'same_booking' AND (id = $1 OR parent_id = $1)`;

export const NAME_TOTALS = `UPDATE bank_lines l SET parent_id = t.id
  FROM bank_lines t WHERE t.id = ANY ($1) AND ${PARTS}`;

const POSSIBLE = `json_to_recordset($1::json) n (id uuid, batch uuid, key text)`;

/** Locks the totals against concurrent matching. */
export const LOCK_TOTALS = `SELECT FROM ${POSSIBLE} JOIN bank_lines t ON t.id = n.id ORDER BY t.id FOR UPDATE OF t`;

/** Flags waiting totals that have moved no money and are not flagged yet; `duplicate_of` is their first payment. */
export const SUSPECT = `UPDATE bank_lines t SET batch_id = n.batch, looked_at = NULL, duplicate_of = (
    SELECT l.id FROM bank_lines l WHERE l.mode = t.mode AND l.account = t.account AND l.batch_key = n.key
      AND l.batch_id = n.batch AND l.id <> t.id ORDER BY l.id LIMIT 1)
  FROM ${POSSIBLE} WHERE t.id = n.id AND t.duplicate_of IS NULL AND ${IS_WAITING} AND NOT ${hasMoved('t.id')}`;

/** Flags unprocessed payments instead, where their total has been processed; announced ones where it moved money. */
export const SUSPECT_PARTS = `UPDATE bank_lines l SET duplicate_of = t.id
  FROM ${POSSIBLE} JOIN bank_lines t ON t.id = n.id AND t.batch_id IS NULL
  WHERE l.mode = t.mode AND l.account = t.account AND l.batch_key = n.key AND l.batch_id = n.batch
    AND (l.looked_at IS NULL OR l.status = 'announced' AND ${hasMoved('t.id')}) AND l.duplicate_of IS NULL AND l.id <> t.id`;

export const SUPERSEDE_ANNOUNCED = `UPDATE bank_lines SET state = 'superseded', looked_at = $2
  WHERE id = ANY ($1) AND state = 'announced'`;

const STATEMENT = readOf(StoredStatement);
export const INSERT_STATEMENT = `${insertOf(
  StoredStatement,
  columnRefs('n', STATEMENT),
  `FROM json_to_record($1::json) n (${recordOf(StoredStatement, STATEMENT)})`,
)} ON CONFLICT (file_id, number) DO UPDATE SET number = excluded.number RETURNING id`;

export const COVER_DAYS = `UPDATE bank_statements SET covers_from = $2, covers_until = $3 WHERE id = $1`;

/**
 * Queues lines again that another format or statement reported differently, and returned money that belongs to no
 * payout. Only if statement `$1` has balances, a line of two formats or a total: otherwise nothing changes for them.
 */
export const REQUEUE_DIFFERENT = `UPDATE bank_lines l SET looked_at = NULL FROM bank_statements s
  WHERE s.id = $1 AND l.mode = s.mode AND l.account = s.account AND l.reason IN ('total_or_payment', 'statements_differ', 'unknown_money_back')
    AND l.state IN ('suggested', 'unmatched')
    AND (s.balanced OR EXISTS (SELECT FROM bank_line_places p JOIN bank_lines k ON k.id = p.line_id
      WHERE p.statement_id = s.id AND (cardinality(k.formats) > 1 OR k.state = 'superseded')))`;

/** Maximum statements that are read for some days. */
export const NEAR_MAX = 2_000;

/** Balanced statements of the same kind and account, of the days to which another one may have dated its bookings. */
export const NEAR_STATEMENTS = `SELECT s.id, s.sequence, s.opening_balance AS "openingBalance",
    s.closing_balance AS "closingBalance", s.booked_from AS "bookedFrom", s.booked_until AS "bookedUntil"
  FROM bank_statements s JOIN bank_statements c ON s.mode = c.mode AND s.account = c.account
    AND s.currency IS NOT DISTINCT FROM c.currency AND left(s.format, 8) = left(c.format, 8)
  WHERE c.id = $1 AND c.balanced AND s.balanced AND s.booked_until >= $2::date - ${NEAR_DAYS}
    AND s.booked_from <= $3::date + ${NEAR_DAYS}
  LIMIT ${NEAR_MAX + 1}`;

/** The latest earlier statement of the account, without copies of this one. */
export const BEFORE = `SELECT s.sequence, s.covers_until AS "coversUntil",
    s.closing_balance AS "closingBalance"
  FROM bank_statements o CROSS JOIN LATERAL (
    SELECT * FROM bank_statements b WHERE b.mode = o.mode AND b.account = o.account AND b.covers_until <= $2
    ORDER BY b.covers_until DESC LIMIT ${NEAR_MAX}) s
  WHERE o.id = $1 AND o.id <> s.id AND o.currency IS NOT DISTINCT FROM s.currency AND s.closing_balance IS NOT NULL
    AND (s.covers_until, s.opening_balance, s.closing_balance)
      IS DISTINCT FROM ($3::date, o.opening_balance, o.closing_balance)
  ORDER BY s.closing_balance = o.opening_balance AND s.covers_until > $2::date - 40 DESC,
    s.covers_until DESC, s.id DESC LIMIT 1`;
