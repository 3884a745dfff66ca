/**
 * A bank can report payments as a total in one format and one by one in another, on other days and with other texts. So
 * a line pays by itself only if all lines that have paid around its day are also in a format that contains it.
 */

/** Maximum days between the bookings that two formats report. */
const APART_DAYS = 10;
/** Maximum days from the closing balance of a statement to the next statement. */
const CLOSED_DAYS = 5;

/** Locks the accounts of lines against imports and other matching. */
export const LOCK_ACCOUNTS = `SELECT pg_advisory_xact_lock(hashtextextended('bank ' || mode || ' ' || account, 0))
  FROM (SELECT DISTINCT mode, account FROM bank_lines WHERE id = ANY ($1::uuid[]) ORDER BY 1, 2) a`;

/** Some banks give a total the reference or the id of a transaction, so only an account names a payer. */
const IS_UNNAMED = `(l.counterparty_account IS NULL OR l.identifiers ->> 'doubtfulAccount' IS NOT NULL)`;

const dayOf = (line: string): string =>
  `coalesce(${line}.booked_on, ${line}.valued_on, (${line}.created_at AT TIME ZONE 'UTC')::date)`;

/**
 * Lines that have ever paid: undoing or ignoring one decides nothing about the lines of another format. See the index
 * `bank_lines_paid`.
 */
const PAID = `(t.has_paid AND t.state <> 'superseded')`;
const PAID_OF = `bank_lines t WHERE ${PAID} AND t.mode = d.mode AND t.account = d.account AND t.direction = d.direction`;

const handoverOf = (day: string, before: string, after: string, isNear: string): string => `(
    SELECT ${day} FROM handovers h WHERE h.mode = line.mode AND h.account = line.account
      AND h.before <@ ${before}.formats AND h.after <@ ${after}.formats AND ${isNear})`;

/** Days on which lines of the other formats may have the money of the line. */
const doubtfulDays = (other: string): string => `BETWEEN
    greatest(line.first, ${handoverOf('max(h.day) + 1', other, 'line', 'h.day < line.day')})
    AND least(line.last, ${handoverOf('min(h.day)', 'line', other, 'h.day >= line.day')})`;

/** Lines of the account that no format of the line contains. */
const isElsewhere = (
  other: string,
): string => `${other}.mode = line.mode AND ${other}.account = line.account
  AND ${other}.direction = line.direction AND NOT ${other}.formats && line.formats`;

/**
 * Of statements with equal days but other balances, each is a part; with the same id, number and opening balance, one is
 * a correction.
 */
const IS_COPY = `(own.covers_from, own.covers_until, own.opening_balance) = (other.covers_from, other.covers_until, other.opening_balance)
  AND (own.closing_balance = other.closing_balance OR (own.statement_id, own.sequence) = (other.statement_id, other.sequence))`;
const HAS_OTHER_DAYS = `(own.covers_from, own.covers_until) <> (other.covers_from, other.covers_until)`;
/** Whether one of the statements has all days of the other one. */
const IS_WITHIN = `(own.covers_from <= other.covers_from AND own.covers_until >= other.covers_until
  OR own.covers_from >= other.covers_from AND own.covers_until <= other.covers_until)`;
const isIn = (line: string, statement: string): string =>
  `EXISTS (SELECT FROM bank_line_places x WHERE x.line_id = ${line}.id AND x.statement_id = ${statement}.id)`;
/** Of statements that only overlap, the first common day may be that of the previous closing balance. */
const inBoth = (day: string): string =>
  `${day} BETWEEN greatest(own.covers_from, other.covers_from) + (NOT ${IS_WITHIN})::integer
    AND least(own.covers_until, other.covers_until)`;

/**
 * Those of the lines that an operator may have to decide, with the reason, or null. A line that is decided at the same
 * time has paid for those with a higher id.
 * - `several`: lines on whose accounts and days another format reports.
 * - `paid_formats`: sets of formats of lines that have paid.
 * - `handovers`: the last statement of one format ends with the balance with which the first one of another format
 *   begins, so each reports its own days.
 * - `changed`: lines that a balanced statement of the same days and balances, or of the same format and common days,
 *   does not contain, and that instead of them contains
 *   another line, which has paid; without lines that an operator has marked as distinct.
 */
export const MAYBE_TOTALS = `WITH RECURSIVE line AS MATERIALIZED (
    SELECT l.id, l.mode, l.account, l.direction, l.formats, ${IS_UNNAMED} AS "isUnnamed",
      l.marked_distinct_by IS NOT NULL AS "isDistinct", ${dayOf('l')} AS day,
      coalesce(least(l.booked_on, l.valued_on), l.created_at::date) - ${APART_DAYS} AS first,
      coalesce(greatest(l.booked_on, l.valued_on), l.created_at::date) + ${APART_DAYS} AS last
    FROM bank_lines l WHERE l.id = ANY ($1::uuid[])
  ), near AS MATERIALIZED (
    SELECT d.mode, d.account, d.first, d.last, array_agg(DISTINCT format_family(s.id)) AS formats
    FROM (SELECT DISTINCT mode, account, first, last FROM line) d
    JOIN bank_statements s ON s.mode = d.mode AND s.account = d.account
      AND (s.booked_until >= d.first AND s.booked_from <= d.last
        OR s.booked_until IS NULL AND s.created_at >= d.first AND EXISTS (
          SELECT FROM bank_line_places p WHERE p.statement_id = s.id AND p.status IS DISTINCT FROM 'announced'))
    GROUP BY d.mode, d.account, d.first, d.last
  ), several AS MATERIALIZED (
    SELECT line.* FROM line JOIN near USING (mode, account, first, last) WHERE NOT near.formats <@ line.formats
  ), paid_formats AS (
    (SELECT d.mode, d.account, d.direction, f.formats
      FROM (SELECT DISTINCT mode, account, direction FROM several) d
      CROSS JOIN LATERAL (SELECT t.formats FROM ${PAID_OF} ORDER BY t.formats LIMIT 1) f)
    UNION ALL
    SELECT d.mode, d.account, d.direction, f.formats FROM paid_formats d
      CROSS JOIN LATERAL (SELECT t.formats FROM ${PAID_OF} AND t.formats > d.formats ORDER BY t.formats LIMIT 1) f
  ), statements AS MATERIALIZED (
    SELECT s.*, min(least(s.covers_from, s.booked_from)) OVER of_format AS begins,
      max(greatest(s.covers_until, s.booked_until)) OVER of_format AS ends
    FROM (SELECT s.*, ARRAY[format_family(s.id)] AS family
      FROM (SELECT mode, account, min(first) AS first, max(last) AS last FROM several GROUP BY mode, account) d
      JOIN bank_statements s ON s.mode = d.mode AND s.account = d.account
        AND (s.covers_until >= d.first OR s.booked_until >= d.first)
        AND (s.covers_from <= d.last + ${CLOSED_DAYS} OR s.booked_from <= d.last + ${CLOSED_DAYS})) s
    WINDOW of_format AS (PARTITION BY s.mode, s.account, s.family)
  ), handovers AS MATERIALIZED (
    SELECT DISTINCT b.mode, b.account, b.family AS before, a.family AS after, b.covers_until AS day
    FROM statements b JOIN statements a USING (mode, account, currency)
    WHERE a.balanced AND b.balanced AND a.opening_balance = b.closing_balance AND a.family <> b.family
      AND b.covers_until = b.ends AND a.covers_from = a.begins
      AND a.covers_from BETWEEN b.covers_until AND b.covers_until + ${CLOSED_DAYS} AND a.booked_from > b.covers_until
  ), changed AS MATERIALIZED (
    SELECT line.id FROM line WHERE NOT line."isDistinct" AND EXISTS (
      SELECT FROM bank_line_places p JOIN bank_statements own ON own.id = p.statement_id
      JOIN bank_statements other ON other.mode = own.mode AND other.account = own.account
        AND other.currency IS NOT DISTINCT FROM own.currency AND other.id <> own.id
        AND other.covers_until >= own.covers_from AND other.covers_from <= own.covers_until
        AND other.balanced AND (${IS_COPY} OR ${HAS_OTHER_DAYS} AND format_family(other.id) = format_family(own.id))
      WHERE p.line_id = line.id AND own.balanced AND ${inBoth('line.day')} AND NOT ${isIn('line', 'other')}
        AND EXISTS (SELECT FROM bank_line_places o JOIN bank_lines t ON t.id = o.line_id
          WHERE o.statement_id = other.id AND (${PAID} OR t.id < line.id AND t.id = ANY ($1))
            AND t.direction = line.direction
            AND ${inBoth(dayOf('t'))} AND NOT ${isIn('t', 'own')}))
  )
  SELECT line.id, CASE
      WHEN changed.id IS NOT NULL THEN 'statements_differ'
      WHEN EXISTS (SELECT FROM paid_formats f WHERE ${isElsewhere('f')} AND EXISTS (
          SELECT FROM bank_lines t WHERE ${PAID} AND t.mode = f.mode AND t.account = f.account
            AND t.direction = f.direction AND t.formats = f.formats AND ${dayOf('t')} ${doubtfulDays('f')}))
        OR EXISTS (SELECT FROM several o
          WHERE o.id < line.id AND ${isElsewhere('o')} AND o.day ${doubtfulDays('o')}) THEN 'total_or_payment'
      WHEN line."isUnnamed" THEN 'payer_not_named'
    END AS reason
  FROM line LEFT JOIN changed USING (id)
  WHERE changed.id IS NOT NULL OR line.id IN (SELECT id FROM several)`;
