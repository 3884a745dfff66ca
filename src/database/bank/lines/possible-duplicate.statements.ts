import {
  MARKS,
  OF_ENTRY,
  OF_TRANSACTION,
  ORDINAL_MAX,
  SHORT_END_TO_END_ID,
  SHORT_REFERENCE,
} from './line-store.statements.js';
import { hasMoved } from './moved-lines.js';
import {
  AS_WANTED,
  HAS_END_TO_END_ID,
  IBAN,
  IS_NEAR,
  IS_OF_DAY,
  IS_REFERRED,
  IS_WANTED_REFERRED,
  MAY_BE,
  MAY_BE_KNOWN,
  NAME_THERE,
  NAMES_REFERENCE,
  NAMES_SEVERAL,
  NO_NAME,
  SHARES_REFERENCE,
  sharesReference,
  SPREAD,
  TRANSACTION_ID,
  UETR,
  WANTED,
} from './same-booking.statements.js';

/** `LOCK_ACCOUNT` by a line of the account. */
export const LOCK_ACCOUNT_OF = `SELECT pg_advisory_xact_lock(hashtextextended('bank ' || l.mode || ' ' || l.account, 0))
  FROM bank_lines l WHERE l.mode = $1 AND l.id = $2`;

/** Lines of the wanted money without a day or of the days around, except ordinals that the statement has assigned. */
const OF_DAYS = `SELECT l.* FROM generate_series(0, 2 * w.spread + 1) d (n)
  CROSS JOIN LATERAL (SELECT CASE d.n WHEN 0 THEN w.money
    ELSE w.money || to_char(w.day + d.n - w.spread - 1, 'YYYY-MM-DD') END AS key) k
  LEFT JOIN json_to_recordset($5::json) r (key text, low integer, high integer) ON r.key = k.key
  CROSS JOIN LATERAL (SELECT * FROM bank_lines l
    WHERE (l.key, l.account, l.mode, l.ordinal) BETWEEN (k.key, $2, $1, coalesce(r.low, 0))
      AND (k.key, $2, $1, coalesce(r.high, ${ORDINAL_MAX})) OFFSET 0) l
  UNION ALL SELECT l.* FROM bank_lines l
    WHERE w.day IS NULL AND l.key BETWEEN w.money || '0' AND w.money || '~' AND l.account = $2 AND l.mode = $1`;

/** A line without a day may be of any day. */
const near = (days: string, anyDay: string): string =>
  `w.money || coalesce(to_char(w.day ${days}, 'YYYY-MM-DD'), '${anyDay}')`;
const between = (index: keyof typeof MARKS): string => `SELECT l.* FROM bank_lines l
  WHERE ((${MARKS[index]}) COLLATE "C", l.account, l.mode, l.key, l.ordinal)
    BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, ${ORDINAL_MAX})`;
const DAYS_AROUND = `(VALUES (w.money, w.money), (${near('- w.spread', '')}, ${near('+ w.spread', '~')})) r (low, high)`;

/** Lines with a bank reference of the same prefix, `w.mark`. */
const REFERRED = `SELECT l.* FROM (VALUES (w.mark)) m (mark) CROSS JOIN ${DAYS_AROUND}
  CROSS JOIN LATERAL (${between('bank_lines_bank_reference')}
    UNION ALL ${between('bank_lines_entry_reference')} AND ${OF_TRANSACTION} IS NOT NULL OFFSET 0) l`;

/** Lines with the same end-to-end id. */
const NAMED = `SELECT l.* FROM (VALUES ('=' || left(w."endToEndId", ${SHORT_END_TO_END_ID}))) m (mark) CROSS JOIN ${DAYS_AROUND}
  CROSS JOIN LATERAL (${between('bank_lines_end_to_end_id')} OFFSET 0) l WHERE ${HAS_END_TO_END_ID}`;

/** Lines with the same payment reference of this service. */
const OF_ORDER = `SELECT l.* FROM ${DAYS_AROUND} CROSS JOIN LATERAL (SELECT l.* FROM bank_lines l
  WHERE ${NAMES_REFERENCE} AND (l.named_reference, l.account, l.mode, l.key, l.ordinal)
    BETWEEN (w.named, $2, $1, r.low, 0) AND (w.named, $2, $1, r.high, ${ORDINAL_MAX}) OFFSET 0) l`;

/** Without statistics of the account, equal columns would be planned as a scan of all its lines, once per wanted line. */
const ofBank = (name: 'uetr' | 'transactionId'): string => `SELECT l.* FROM bank_lines l
  WHERE l.identifiers ->> '${name}' IS NOT NULL AND (l.identifiers ->> '${name}', l.account, l.mode)
    BETWEEN (w."${name}", $2, $1) AND (w."${name}", $2, $1) AND l.direction = split_part(w.money, '|', 1)`;

/** Lines with the same UETR, or the same transaction id and one more match; a bank can correct day and amount. */
const OF_UNIQUE_ID = `${ofBank('uetr')} UNION ALL ${ofBank('transactionId')} AND (${UETR} <> w.uetr) IS NOT TRUE
  AND (starts_with(l.key, w.money) OR ${HAS_END_TO_END_ID} OR ${NAMES_REFERENCE} OR ${SHARES_REFERENCE})`;

/** Lines with a bank reference of the same prefix, the same end-to-end id and the same money, of any day. */
const ofSameNames = (
  mark: string,
): string => `SELECT l.* FROM (VALUES (${mark}, w.money, w.money || '~')) m (mark, low, high)
  CROSS JOIN LATERAL (SELECT m.low, m.high) r
  CROSS JOIN LATERAL (${between('bank_lines_bank_reference')} OFFSET 0) l WHERE ${HAS_END_TO_END_ID}`;
const OF_SAME_ID = `${OF_UNIQUE_ID} UNION ALL ${ofSameNames(`'=' || left(coalesce(w."ofTransaction", w."ofEntry"), ${SHORT_REFERENCE})`)}
  AND (${UETR} <> w.uetr) IS NOT TRUE AND ${SHARES_REFERENCE}`;

/** Candidate lines: not contained in the statements, and not identified with another line of the chunk (`$7`). */
const isUnreported = (statements: string): string => `l.status = 'booked'
  AND l.reason IS DISTINCT FROM 'same_booking' AND NOT l.id = ANY ($7::uuid[])
  AND NOT EXISTS (SELECT FROM bank_line_places p WHERE p.line_id = l.id AND p.statement_id = ANY (${statements}) AND p.status IS DISTINCT FROM 'announced')`;
/**
 * Not contained in statement `$3` or in those with different bookings (`$6`). Other statements of the same file are
 * allowed: an archive may have several reports of one day.
 */
const IS_UNREPORTED = isUnreported('$3::uuid || $6::uuid[]');
/** With a unique id even those with different bookings count: one of the two proofs is wrong. */
const IS_NOT_HERE = isUnreported('ARRAY[$3::uuid]');

/** Bank data that distinguishes near lines: where both have a value, it must be equal. */
const TELLING = [
  ['uetr', UETR],
  ['iban', IBAN],
  ['"transactionId"', `CASE WHEN ${NAME_THERE} <> '${NO_NAME}' THEN ${TRANSACTION_ID} END`],
] as const;

/** One line per group and combination of these values; empty where the line has none. */
const SIGNED = `SELECT DISTINCT ON (l.g, s.signs) l.g, s.signs, l.id FROM untold l
  JOIN (SELECT DISTINCT g, ${TELLING.map(([name], at) => `${name} IS NOT NULL AS has${at}`).join(', ')} FROM wanted) k ON k.g = l.g
  CROSS JOIN LATERAL (SELECT ARRAY[${TELLING.map(([, of], at) => `CASE WHEN k.has${at} THEN coalesce(${of}, '') END`).join(', ')}] AS signs) s`;

/** Values with which a line may match a wanted one: the same, or none. */
const MAY_HAVE = TELLING.map(
  ([name], at) =>
    `CROSS JOIN LATERAL (SELECT DISTINCT m FROM (VALUES (w.${name}), (left(w.${name}, 0))) m (m)) m${at}`,
).join(' ');

const HAS_NAMED_REFERENCE = `(${IS_REFERRED} AND coalesce(${NAME_THERE} <> '${NO_NAME}', false))`;
const HAS_OWN_REFERENCE = `w."isReferred" AND w."isNamed" AND ${HAS_NAMED_REFERENCE}`;
/** Columns of a line that are compared. */
const COMPARED = `l.id, l.key, l.booked_on, l.valued_on, l.identifiers, l.counterparty_account,
  l.counterparty_account_type, l.end_to_end_id, l.named_reference`;

/**
 * Bank references with a key for each way in which they can be the same: complete, or one of them truncated. Truncated
 * ones have separate keys, because thousands of references can have the same beginning.
 */
const references = (ofTransaction: string, ofEntry: string, ...keys: string[]): string => `(
  SELECT k.reference, left(r.reference, ${SHORT_REFERENCE}) AS beginning FROM (VALUES (${ofTransaction}), (${ofEntry})) r (reference)
  CROSS JOIN LATERAL (VALUES (r.reference), ${keys.map((key) => `(${key})`).join(', ')}) k (reference)
  WHERE k.reference IS NOT NULL)`;
const BEGINNING = `left(r.reference, ${SHORT_REFERENCE})`;
const IS_LONG = `length(r.reference) > ${SHORT_REFERENCE}`;
const REFERENCES = references(
  OF_TRANSACTION,
  OF_ENTRY,
  `CASE WHEN ${IS_LONG} THEN ${BEGINNING} || '…' END`,
);
const REFERENCES_OF_WANTED = references(
  'w."ofTransaction"',
  'w."ofEntry"',
  `CASE WHEN ${IS_LONG} THEN ${BEGINNING} END`,
  `CASE WHEN length(r.reference) = ${SHORT_REFERENCE} THEN r.reference || '…' END`,
);

/**
 * Finds for each wanted line a stored one that may be the same booking: of the same money and near days, and no data of
 * the bank distinguishes them (`mayBeSame`); or with the same id of the bank (`OF_SAME_ID`). There may be thousands of
 * lines of the same money and day, and with the same names, most of which the statement itself contains. So wanted
 * lines share the candidates, and one candidate of each kind is compared.
 * With `$8` = 1 any line counts, even if the statement may still contain it.
 */
export const RIVALS = `WITH given AS (
    SELECT *, ${IS_WANTED_REFERRED}, ${SPREAD} AS spread FROM json_to_recordset($4::json) w (${WANTED})
  ), wanted AS MATERIALIZED (
    SELECT *, dense_rank() OVER (ORDER BY money, day, "valuedOn", "isBooked", "isReferred", "isNamed") AS g FROM given
  ), untold AS MATERIALIZED (
    SELECT w.g, l.*
    FROM (SELECT DISTINCT g, money, day, spread, "valuedOn", "isBooked", "isReferred", "isNamed" FROM wanted) w
    CROSS JOIN LATERAL (
      SELECT ${COMPARED} FROM (${OF_DAYS}) l
      WHERE ${IS_NEAR} AND (${IS_OF_DAY} OR ${NAME_THERE} IS NULL) AND NOT (${HAS_OWN_REFERENCE}) AND ${IS_UNREPORTED}
      LIMIT $8
    ) l
  ), called AS MATERIALIZED (
    SELECT w.*, a.reference, a.beginning FROM wanted w CROSS JOIN LATERAL ${REFERENCES_OF_WANTED} a
  ), referred AS MATERIALIZED (
    SELECT w.money, w.day, ${COMPARED}, a.reference
    FROM (SELECT DISTINCT money, day, spread, '=' || beginning AS mark FROM called) w
    CROSS JOIN LATERAL (${REFERRED}) l
    CROSS JOIN LATERAL ${REFERENCES} a WHERE ${IS_UNREPORTED}
  ), twice_named AS MATERIALIZED (
    SELECT w.money, ${COMPARED}, a.reference
    FROM (SELECT DISTINCT money, "endToEndId", '=' || beginning AS mark FROM called
      WHERE "endToEndId" IS NOT NULL) w
    CROSS JOIN LATERAL (${ofSameNames('w.mark')}) l
    CROSS JOIN LATERAL ${REFERENCES} a WHERE ${IS_NOT_HERE}
  ), named AS MATERIALIZED (
    SELECT w.money, w.day, ${COMPARED}, ${HAS_NAMED_REFERENCE} AS "isNamedReference"
    FROM (SELECT DISTINCT money, day, spread, "endToEndId" FROM wanted) w CROSS JOIN LATERAL (${NAMED}) l WHERE ${IS_UNREPORTED}
    UNION ALL SELECT w.money, w.day, ${COMPARED}, ${HAS_NAMED_REFERENCE}
    FROM (SELECT DISTINCT money, day, spread, named FROM wanted) w CROSS JOIN LATERAL (${OF_ORDER}) l WHERE ${IS_UNREPORTED}
  ), signed AS MATERIALIZED (${SIGNED}), signs AS MATERIALIZED (
    SELECT w.n, w.g, ARRAY[${TELLING.map((_, at) => `m${at}.m`).join(', ')}] AS signs FROM wanted w ${MAY_HAVE}
  )
  SELECT w.n, l.id FROM wanted w JOIN untold l ON l.g = w.g WHERE $8::integer IS NOT NULL
  UNION ALL SELECT w.n, l.id FROM signs w JOIN signed l ON l.g = w.g AND l.signs = w.signs
  UNION ALL SELECT w.n, l.id FROM called w JOIN referred l
    ON (l.money, l.reference) = (w.money, w.reference) AND l.day IS NOT DISTINCT FROM w.day
    WHERE ${SHARES_REFERENCE} AND ${IS_NEAR} AND ($8::integer IS NOT NULL OR ${MAY_BE})
  UNION ALL SELECT w.n, l.id FROM wanted w CROSS JOIN LATERAL (
    SELECT l.id FROM named l
    WHERE l.money = w.money AND l.day IS NOT DISTINCT FROM w.day AND NOT (w."isReferred" AND w."isNamed" AND l."isNamedReference")
      AND ${IS_NEAR} AND (${HAS_END_TO_END_ID} OR ${NAMES_REFERENCE}) AND ($8::integer IS NOT NULL OR ${MAY_BE}) LIMIT 1
  ) l
  UNION ALL SELECT w.n, l.id FROM wanted w CROSS JOIN LATERAL (
    SELECT l.id FROM (${OF_UNIQUE_ID}) l WHERE ${IS_NOT_HERE} LIMIT 1
  ) l
  UNION ALL SELECT w.n, l.id FROM called w JOIN twice_named l
    ON (l.money, l.reference, l.end_to_end_id) = (w.money, w.reference, w."endToEndId")
    WHERE ${SHARES_REFERENCE} AND (${UETR} <> w.uetr) IS NOT TRUE`;

/** Whether one of the statements has booked the line. */
const isIn = (statements: string, line: string): string => `EXISTS (SELECT FROM bank_line_places p
  WHERE p.line_id = ${line} AND p.statement_id = ANY (${statements}) AND p.status IS DISTINCT FROM 'announced')`;
/** Whether the rules have yet to decide about a line that can move money: see `mayMove`. */
const WOULD_MOVE = `l.status = 'booked' AND l.looked_at IS NULL AND l.duplicate_of IS NULL AND NOT ${hasMoved('l.id')}
  AND (l.direction = 'in' AND l.kind = 'payment' OR l.kind IN ('return', 'reversal')
    OR l.direction = 'out' AND l.named_reference IS NOT NULL)`;

/**
 * Whether one statement contains both, or the statement `$7` contains one and a statement apart from it the other. The
 * first is no proof if both may name one order: with few details, a line may have been mistaken there.
 */
const ARE_DISTINCT = `((w."isSettled" OR NOT (coalesce(${NAMES_REFERENCE}, false) OR ${NAMES_SEVERAL})) AND EXISTS (
    SELECT FROM bank_line_places p JOIN bank_line_places o ON o.statement_id = p.statement_id
    WHERE p.line_id = l.id AND o.line_id = w.id)
  OR ${isIn('ARRAY[$7::uuid]', 'w.id')} AND ${isIn('$6::uuid[]', 'l.id')}
  OR ${isIn('$6::uuid[]', 'w.id')} AND ${isIn('ARRAY[$7::uuid]', 'l.id')})`;

const IS_MARKED_DISTINCT = `EXISTS (SELECT FROM bank_line_distinctions x
  WHERE (x.line_id, x.other_id) IN ((w.id, l.id), (l.id, w.id)))`;

/** Known lines that a line of `asked` may be; lines with `isWhole` are compared with all lines of the money. */
const OTHER_BOOKINGS = `SELECT l.id FROM (${NAMED} AND ${IS_NEAR} UNION ALL ${OF_ORDER} WHERE ${IS_NEAR} UNION ALL ${OF_SAME_ID}
    UNION ALL SELECT l.* FROM (${OF_DAYS}) l WHERE w."isWhole" AND ${IS_NEAR}) l
  WHERE l.id <> w.id AND l.status = 'booked' AND l.reason IS DISTINCT FROM 'same_booking'
    AND (l.duplicate_of IS NULL OR l.marked_distinct_by IS NOT NULL) AND ${MAY_BE_KNOWN} AND NOT ${ARE_DISTINCT}`;

/** Makes each line of `asked` a possible duplicate of a known line, if it may be one. */
const compared = (
  asked: string,
  rule = '',
): string => `WITH known AS (${asked}), asked AS MATERIALIZED (SELECT *, ${SPREAD} AS spread FROM known w), found AS MATERIALIZED (
    SELECT w.id, o.id AS other FROM asked w CROSS JOIN LATERAL (${OTHER_BOOKINGS}${rule} LIMIT 1) o)
  UPDATE bank_lines l SET duplicate_of = f.other FROM found f WHERE l.id = f.id RETURNING l.id`;

/**
 * Compares known lines again before the rules decide about them: lines with new texts (`$3`) with lines of nearby days,
 * lines of `$4` with all lines of the money. A line that may be another one pays nothing.
 */
export const RECHECK = compared(`
    SELECT l.id, ${AS_WANTED}, l.id = ANY ($4::uuid[]) AS "isWhole", l.id = ANY ($4::uuid[]) AS "isSettled"
    FROM bank_lines l WHERE l.id = ANY ($3::uuid[] || $4::uuid[]) AND ${WOULD_MOVE}`);

/** Equal lines of a day from which `CROWDED` applies. */
const CROWD_MIN = 50;

const ofKey = (low: number, high: number): string => `SELECT l.id FROM bank_lines l
  WHERE (l.key, l.account, l.mode, l.ordinal) BETWEEN (w.key, $2, $1, ${low}) AND (w.key, $2, $1, ${high})`;

/** For each key with more lines than that: one that is not in the statement `$3` nor in those of `$5`. */
export const CROWDED = `SELECT w.key, l.id FROM unnest($4::text[]) w (key)
  CROSS JOIN LATERAL (${ofKey(CROWD_MIN, ORDINAL_MAX)} LIMIT 1) more
  CROSS JOIN LATERAL (${ofKey(0, CROWD_MIN)} AND l.status = 'booked' AND l.reason IS DISTINCT FROM 'same_booking'
    AND NOT EXISTS (SELECT FROM bank_line_places p
      WHERE p.line_id = l.id AND (p.statement_id = $3 OR p.statement_id = ANY ($5::uuid[]))) LIMIT 1) l`;

const HERE = 'ARRAY[$2::uuid]';
const ofOther = (name: string): string => `(o.identifiers ->> '${name}')`;
const SHARE_NAME = `(${sharesReference(ofOther('transactionBankReference'), ofOther('entryBankReference'))}
  OR ${['uetr', 'transactionId'].map((name) => `coalesce(l.identifiers ->> '${name}' = ${ofOther(name)}, false)`).join(' OR ')})`;

/**
 * Clears the duplicate flag of lines `$1` of the balanced statement `$2` when both are bookings of this statement, or
 * the other one is of a statement with different bookings (`$3`), unless the bank gave both the same identifier.
 */
export const SETTLE = `UPDATE bank_lines l SET duplicate_of = NULL, looked_at = NULL
  FROM (SELECT id, duplicate_of FROM bank_lines WHERE id = ANY ($1) AND duplicate_of IS NOT NULL
    UNION SELECT id, duplicate_of FROM bank_lines WHERE duplicate_of = ANY ($1)) d
  JOIN bank_lines o ON o.id = d.duplicate_of
  WHERE l.id = d.id AND l.marked_distinct_by IS NULL AND l.state NOT IN ('superseded', 'ignored')
    AND (${isIn(HERE, 'l.id')} AND ${isIn(HERE, 'o.id')} OR NOT ${SHARE_NAME} AND (
      ${isIn(HERE, 'l.id')} AND ${isIn('$3::uuid[]', 'o.id')}
      OR ${isIn('$3::uuid[]', 'l.id')} AND ${isIn(HERE, 'o.id')}))
  RETURNING l.id`;

export const INSERT_DISTINCTION = `INSERT INTO bank_line_distinctions (line_id, other_id, user_id, created_at)
  SELECT id, duplicate_of, $2, $3 FROM bank_lines WHERE id = $1 ON CONFLICT DO NOTHING`;

/** Compares a possible duplicate (`$4`) with the next known line, with the parameters of `RECHECK`; no row without one. */
export const NEXT_OTHER = compared(
  `SELECT l.id, ${AS_WANTED}, true AS "isWhole", false AS "isSettled" FROM bank_lines l WHERE l.id = ANY ($3::uuid[] || $4::uuid[])`,
  ` AND NOT ${IS_MARKED_DISTINCT}`,
);

/** Ends the comparison with a line that was merged with another one, perhaps with this one. */
export const LEAVE_MERGED = `UPDATE bank_lines l SET duplicate_of = NULL, looked_at = NULL FROM bank_lines o
  WHERE l.id = $1 AND o.id = l.duplicate_of AND o.state = 'superseded' AND o.reason = 'same_booking'
  RETURNING l.mode, l.account`;

export const DELETE_DISTINCTIONS = `DELETE FROM bank_line_distinctions WHERE line_id = $1`;
export const MARK_DISTINCT = `UPDATE bank_lines SET marked_distinct_by = $2, state = 'unmatched', reason = NULL, looked_at = NULL
  WHERE id = $1`;

/** Same condition as the trigger `bank_lines_marked_distinct_movers`. */
export const UNDO_MARK_DISTINCT = `UPDATE bank_lines
  SET marked_distinct_by = NULL, state = 'unmatched', reason = NULL, looked_at = NULL
  WHERE id = $1 AND NOT ${hasMoved('id')} RETURNING id`;
