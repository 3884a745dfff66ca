import type { Statement } from '../../database.js';
import { IS_WAITING } from '../lines/waiting-lines.js';

/** Maximum difference in days between a booking and the statement in which it first appeared. */
const STRAY_DAYS = 31;

/**
 * Clamps a sum to the safe integers, so that an absurd one (two lines of the maximum amount) does not break the page.
 */
const safe = (sum: string): string =>
  `greatest(${Number.MIN_SAFE_INTEGER}, least(${Number.MAX_SAFE_INTEGER}, coalesce(${sum}, 0)))::bigint`;

const OF_FILTER = (of: string) => `${of}.mode = $1 AND ($2::text IS NULL OR ${of}.account = $2)`;

/**
 * `$1` mode, `$2` account, `$3` first day, `$4` last day. A line belongs to the day of its booking, or to the nearest
 * day of the statement in which it first appeared: banks put bookings of a weekend into Monday's statement. A statement
 * whose opening balance is dated with the day of the previous closing balance starts on the next day. Excluded are
 * announced lines, totals whose details are stored, and possible duplicates.
 */
export const DAY_TOTALS: Statement = {
  name: 'bank_day_totals',
  text: `WITH anchors AS (
    SELECT s.account, s.currency, max(s.covers_until) AS anchor FROM bank_statements s
    WHERE ${OF_FILTER('s')} AND s.closing_balance IS NOT NULL AND s.covers_until < $3::date
    GROUP BY s.account, s.currency
  ), statements AS (
    SELECT s.id, s.number, s.account, s.currency, s.opening_balance, s.closing_balance,
      s.covers_until, s.created_at,
      s.covers_from + (s.covers_from < s.covers_until AND EXISTS (
        SELECT FROM bank_statements p WHERE p.mode = s.mode AND p.account = s.account
          AND p.currency = s.currency AND p.covers_until = s.covers_from
          AND p.closing_balance = s.opening_balance))::integer AS begins
    FROM bank_statements s
    LEFT JOIN anchors n ON n.account = s.account AND n.currency = s.currency
    WHERE ${OF_FILTER('s')} AND s.closing_balance IS NOT NULL
      AND s.covers_until >= coalesce(n.anchor - ${STRAY_DAYS}, '-infinity')
  ), lines AS (
    SELECT l.id, l.parent_id, l.account, l.currency, l.state, l.reason,
      coalesce(l.booked_on, l.valued_on) AS said_on,
      CASE l.direction WHEN 'in' THEN l.amount ELSE -l.amount END AS signed
    FROM bank_lines l
    LEFT JOIN anchors n ON n.account = l.account AND n.currency = l.currency
    WHERE ${OF_FILTER('l')} AND l.status = 'booked' AND l.state <> 'superseded'
      AND (l.duplicate_of IS NULL OR l.marked_distinct_by IS NOT NULL)
      AND l.amount IS NOT NULL AND l.currency IS NOT NULL
      AND coalesce(l.booked_on, l.valued_on) >= coalesce(n.anchor - ${STRAY_DAYS}, '-infinity')
      AND coalesce(l.booked_on, l.valued_on) <= coalesce($4::date + ${STRAY_DAYS}, 'infinity')
  ), seen AS (
    SELECT DISTINCT ON (p.line_id) p.line_id, s.begins, s.covers_until
    FROM statements s JOIN bank_line_places p ON p.statement_id = s.id
    ORDER BY p.line_id, s.created_at, s.id
  ), paid AS (
    SELECT a.line_id, sum(a.amount) AS amount FROM bank_allocations a JOIN lines l ON l.id = a.line_id
    WHERE a.undone_at IS NULL OR a.undone_by_line_id IS NOT NULL GROUP BY a.line_id
  ), taken AS (
    SELECT r.line_id, sum(r.amount) AS amount FROM bank_returns r JOIN lines l ON l.id = r.line_id
    WHERE r.undone_at IS NULL GROUP BY r.line_id
  ), parts AS (
    SELECT l.account, l.currency,
      greatest(least(l.said_on, coalesce(s.covers_until, t.covers_until)),
        coalesce(s.begins, t.begins)) AS day,
      coalesce(paid.amount, 0) AS matched, -coalesce(taken.amount, 0) AS returned,
      l.signed - coalesce(paid.amount, 0) + coalesce(taken.amount, 0) AS remaining,
      CASE WHEN l.reason IN ('payout_returned', 'charged_back') THEN 'returned'
        WHEN l.reason = 'payout_paid' THEN 'paid_out'
        WHEN l.state = 'matched' OR ${IS_WAITING} THEN 'unmatched'
        ELSE 'other' END AS rest
    FROM lines l
    LEFT JOIN seen s ON s.line_id = l.id
    LEFT JOIN seen t ON t.line_id = l.parent_id
    LEFT JOIN paid ON paid.line_id = l.id
    LEFT JOIN taken ON taken.line_id = l.id
  ), moved AS (
    SELECT account, currency, day, sum(matched) AS matched,
      sum(returned) + coalesce(sum(remaining) FILTER (WHERE rest = 'returned'), 0) AS returned,
      sum(remaining) FILTER (WHERE rest = 'paid_out') AS paid_out,
      sum(remaining) FILTER (WHERE rest = 'unmatched') AS unmatched,
      sum(remaining) FILTER (WHERE rest = 'other') AS other
    FROM parts GROUP BY account, currency, day
  ), opened AS (
    SELECT s.account, s.currency, s.begins AS day,
      json_agg(s.opening_balance ORDER BY s.created_at, s.number) AS balances
    FROM statements s WHERE s.opening_balance IS NOT NULL
    GROUP BY s.account, s.currency, s.begins
  ), closed AS (
    SELECT s.account, s.currency, s.covers_until AS day,
      json_agg(s.closing_balance ORDER BY s.created_at, s.number) AS balances
    FROM statements s GROUP BY s.account, s.currency, s.covers_until
  )
  SELECT account, currency, day::text, ${safe('m.matched')} AS matched,
    ${safe('m.returned')} AS returned, ${safe('m.paid_out')} AS "paidOut",
    ${safe('m.unmatched')} AS unmatched, ${safe('m.other')} AS other,
    coalesce(o.balances, '[]') AS openings, coalesce(c.balances, '[]') AS closings
  FROM moved m FULL JOIN opened o USING (account, currency, day)
  FULL JOIN closed c USING (account, currency, day)
  LEFT JOIN anchors n USING (account, currency)
  WHERE day >= coalesce(n.anchor, '-infinity') AND day <= coalesce($4::date, 'infinity')
    AND day IS NOT NULL AND currency IS NOT NULL
  ORDER BY account, currency, day`,
};
