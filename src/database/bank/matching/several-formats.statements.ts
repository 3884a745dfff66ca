/**
 * A bank can report payments as a total in one format and one by one in another, on other days and with other texts. So
 * where files in several formats report an account, a line that may be such a total, or one of its payments, pays only
 * by an operator's decision.
 */

/** Maximum days between the bookings that two formats report. */
const APART_DAYS = 10;

/** `camt.053` for `camt.053.001.08`. Each way to read CSV files is a format. */
const FORMAT = `CASE s.format WHEN 'csv' THEN 'csv ' || f.reading ELSE left(s.format, 8) END`;
const STATEMENTS = `bank_statements s JOIN bank_files f ON f.id = s.file_id`;

/** A format that only announced the line may report it in another way once it is booked. */
const IS_BOOKED_PLACE = `p.status IS DISTINCT FROM 'announced'`;
const formatsOf = (line: string): string => `ARRAY(SELECT DISTINCT ${FORMAT}
  FROM bank_line_places p JOIN ${STATEMENTS} ON p.statement_id = s.id WHERE p.line_id = ${line} AND ${IS_BOOKED_PLACE})`;

/** Some banks give a total the reference or the id of a transaction, so only an account names a payer. */
const isUnnamed = (line: string): string => `(${line}.counterparty_account IS NULL
    OR ${line}.identifiers ->> 'doubtfulAccount' IS NOT NULL)`;

/** Whether a line of the account is of these days or without a day, and no format reports both. */
const isElsewhere = (other: string): string =>
  `(${other}.mode, ${other}.account, ${other}.direction) = (line.mode, line.account, line.direction)
  AND (coalesce(${other}.booked_on, ${other}.valued_on) BETWEEN line.first AND line.last
    OR coalesce(${other}.booked_on, ${other}.valued_on) IS NULL)
  AND NOT ${formatsOf(`${other}.id`)} && line.formats`;

/** A larger line that has paid without a payer's name; see the index `bank_lines_paid_unnamed`. */
const LARGER = `SELECT FROM bank_lines t
  WHERE (t.state = 'matched' OR t.reason = 'partly_matched') AND ${isUnnamed('t')}
    AND t.amount > line.amount AND ${isElsewhere('t')}`;

/** A line of the same payer with another amount: banks copy the account of a payment into a total. */
const samePayer = (one: string): string => `t.state IN ('matched', 'suggested', 'unmatched')
  AND left(t.counterparty_account, 64) = left(${one}.counterparty_account, 64) AND t.amount <> ${one}.amount
  AND ${isElsewhere('t')}`;

/** Locks the accounts of lines against imports, but not against matching. */
export const SHARE_ACCOUNTS = `SELECT pg_advisory_xact_lock_shared(hashtextextended('bank ' || mode || ' ' || account, 0))
  FROM (SELECT DISTINCT mode, account FROM bank_lines WHERE id = ANY ($1::uuid[]) ORDER BY 1, 2) a`;

/**
 * Those of the lines on whose accounts and days another format reports, with the reason for which an operator decides, or
 * null.
 */
export const MAYBE_TOTALS = `WITH line AS MATERIALIZED (
    SELECT l.id, l.mode, l.account, l.direction, l.amount, l.counterparty_account, l.batch_key, l.batch_id,
      ${isUnnamed('l')} AS "isUnnamed", ${formatsOf('l.id')} AS formats,
      coalesce(least(l.booked_on, l.valued_on), l.created_at::date) - ${APART_DAYS} AS first,
      coalesce(greatest(l.booked_on, l.valued_on), l.created_at::date) + ${APART_DAYS} AS last
    FROM bank_lines l WHERE l.id = ANY ($1::uuid[])
  ), near AS MATERIALIZED (
    SELECT d.mode, d.account, d.first, d.last, array_agg(DISTINCT ${FORMAT}) AS formats
    FROM (SELECT DISTINCT mode, account, first, last FROM line) d
    JOIN ${STATEMENTS} ON s.mode = d.mode AND s.account = d.account
      AND (s.booked_until >= d.first AND s.booked_from <= d.last
        OR s.booked_until IS NULL AND s.created_at >= d.first AND EXISTS (
          SELECT FROM bank_line_places p WHERE p.statement_id = s.id AND ${IS_BOOKED_PLACE}))
    GROUP BY d.mode, d.account, d.first, d.last
  )
  SELECT line.id, CASE
      WHEN line."isUnnamed" THEN 'payer_not_named'
      WHEN EXISTS (${LARGER})
        OR EXISTS (SELECT FROM bank_lines t WHERE ${samePayer('line')})
        OR EXISTS (SELECT FROM bank_lines p JOIN bank_lines t ON ${samePayer('p')}
          WHERE p.mode = line.mode AND p.account = line.account
            AND p.batch_key = line.batch_key AND p.batch_id = line.batch_id) THEN 'total_or_payment'
    END AS reason
  FROM line JOIN near USING (mode, account, first, last) WHERE NOT near.formats <@ line.formats`;
