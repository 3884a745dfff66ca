-- bank_day_totals
WITH
  anchors AS (
    SELECT
      s.account,
      s.currency,
      max(s.covers_until) AS anchor
    FROM
      bank_statements s
    WHERE
      s.mode = $1
      AND (
        $2::text IS NULL
        OR s.account = $2
      )
      AND s.closing_balance IS NOT NULL
      AND s.covers_until < $3::date
    GROUP BY
      s.account,
      s.currency
  ),
  statements AS (
    SELECT
      s.id,
      s.number,
      s.account,
      s.currency,
      s.opening_balance,
      s.closing_balance,
      s.covers_until,
      s.created_at,
      s.covers_from + (
        s.covers_from < s.covers_until
        AND EXISTS (
          SELECT
          FROM
            bank_statements p
          WHERE
            p.mode = s.mode
            AND p.account = s.account
            AND p.currency = s.currency
            AND p.covers_until = s.covers_from
            AND p.closing_balance = s.opening_balance
        )
      )::integer AS begins
    FROM
      bank_statements s
      LEFT JOIN anchors n ON n.account = s.account
      AND n.currency = s.currency
    WHERE
      s.mode = $1
      AND (
        $2::text IS NULL
        OR s.account = $2
      )
      AND s.closing_balance IS NOT NULL
      AND s.covers_until >= coalesce(n.anchor - 31, '-infinity')
  ),
  lines AS (
    SELECT
      l.id,
      l.parent_id,
      l.account,
      l.currency,
      l.state,
      l.reason,
      coalesce(l.booked_on, l.valued_on) AS said_on,
      CASE l.direction
        WHEN 'in' THEN l.amount
        ELSE - l.amount
      END AS signed
    FROM
      bank_lines l
      LEFT JOIN anchors n ON n.account = l.account
      AND n.currency = l.currency
    WHERE
      l.mode = $1
      AND (
        $2::text IS NULL
        OR l.account = $2
      )
      AND l.status = 'booked'
      AND l.state <> 'superseded'
      AND (
        l.duplicate_of IS NULL
        OR l.marked_distinct_by IS NOT NULL
      )
      AND l.amount IS NOT NULL
      AND l.currency IS NOT NULL
      AND coalesce(l.booked_on, l.valued_on) >= coalesce(n.anchor - 31, '-infinity')
      AND coalesce(l.booked_on, l.valued_on) <= coalesce($4::date + 31, 'infinity')
  ),
  seen AS (
    SELECT DISTINCT
      ON (p.line_id) p.line_id,
      s.begins,
      s.covers_until
    FROM
      statements s
      JOIN bank_line_places p ON p.statement_id = s.id
    ORDER BY
      p.line_id,
      s.created_at,
      s.id
  ),
  paid AS (
    SELECT
      a.line_id,
      sum(a.amount) AS amount
    FROM
      bank_allocations a
      JOIN lines l ON l.id = a.line_id
    WHERE
      a.undone_at IS NULL
      OR a.undone_by_line_id IS NOT NULL
    GROUP BY
      a.line_id
  ),
  taken AS (
    SELECT
      r.line_id,
      sum(r.amount) AS amount
    FROM
      bank_returns r
      JOIN lines l ON l.id = r.line_id
    WHERE
      r.undone_at IS NULL
    GROUP BY
      r.line_id
  ),
  parts AS (
    SELECT
      l.account,
      l.currency,
      greatest(least(l.said_on, coalesce(s.covers_until, t.covers_until)), coalesce(s.begins, t.begins)) AS DAY,
      coalesce(paid.amount, 0) AS matched,
      - coalesce(taken.amount, 0) AS returned,
      l.signed - coalesce(paid.amount, 0) + coalesce(taken.amount, 0) AS remaining,
      CASE
        WHEN l.reason IN ('payout_returned', 'charged_back') THEN 'returned'
        WHEN l.reason = 'payout_paid' THEN 'paid_out'
        WHEN l.state = 'matched'
        OR (
          state IN ('suggested', 'unmatched')
          OR (
            state = 'not_a_payment'
            AND reason = 'unknown_money_out'
          )
        ) THEN 'unmatched'
        ELSE 'other'
      END AS rest
    FROM
      lines l
      LEFT JOIN seen s ON s.line_id = l.id
      LEFT JOIN seen t ON t.line_id = l.parent_id
      LEFT JOIN paid ON paid.line_id = l.id
      LEFT JOIN taken ON taken.line_id = l.id
  ),
  moved AS (
    SELECT
      account,
      currency,
      DAY,
      sum(matched) AS matched,
      sum(returned) + coalesce(
        sum(remaining) FILTER (
          WHERE
            rest = 'returned'
        ),
        0
      ) AS returned,
      sum(remaining) FILTER (
        WHERE
          rest = 'paid_out'
      ) AS paid_out,
      sum(remaining) FILTER (
        WHERE
          rest = 'unmatched'
      ) AS unmatched,
      sum(remaining) FILTER (
        WHERE
          rest = 'other'
      ) AS other
    FROM
      parts
    GROUP BY
      account,
      currency,
      DAY
  ),
  opened AS (
    SELECT
      s.account,
      s.currency,
      s.begins AS DAY,
      json_agg(
        s.opening_balance
        ORDER BY
          s.created_at,
          s.number
      ) AS balances
    FROM
      statements s
    WHERE
      s.opening_balance IS NOT NULL
    GROUP BY
      s.account,
      s.currency,
      s.begins
  ),
  closed AS (
    SELECT
      s.account,
      s.currency,
      s.covers_until AS DAY,
      json_agg(
        s.closing_balance
        ORDER BY
          s.created_at,
          s.number
      ) AS balances
    FROM
      statements s
    GROUP BY
      s.account,
      s.currency,
      s.covers_until
  )
SELECT
  account,
  currency,
  DAY::text,
  greatest(-9007199254740991, least(9007199254740991, coalesce(m.matched, 0)))::bigint AS matched,
  greatest(-9007199254740991, least(9007199254740991, coalesce(m.returned, 0)))::bigint AS returned,
  greatest(-9007199254740991, least(9007199254740991, coalesce(m.paid_out, 0)))::bigint AS "paidOut",
  greatest(-9007199254740991, least(9007199254740991, coalesce(m.unmatched, 0)))::bigint AS unmatched,
  greatest(-9007199254740991, least(9007199254740991, coalesce(m.other, 0)))::bigint AS other,
  coalesce(o.balances, '[]') AS openings,
  coalesce(c.balances, '[]') AS closings
FROM
  moved m
  FULL JOIN opened o USING (account, currency, DAY)
  FULL JOIN closed c USING (account, currency, DAY)
  LEFT JOIN anchors n USING (account, currency)
WHERE
  DAY >= coalesce(n.anchor, '-infinity')
  AND DAY <= coalesce($4::date, 'infinity')
  AND DAY IS NOT NULL
  AND currency IS NOT NULL
ORDER BY
  account,
  currency,
  DAY;
