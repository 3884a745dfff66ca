-- bank_lines_waiting
SELECT
  mode,
  CASE
    WHEN (
      state = 'not_a_payment'
      AND reason = 'unknown_money_out'
    ) THEN 'unknown_money_out'
    ELSE state
  END AS state,
  count(*)::integer AS lines,
  greatest(
    extract(
      epoch
      FROM
        $1::timestamptz - min(created_at)
    ),
    0
  )::float8 AS "oldestSeconds"
FROM
  bank_lines
WHERE
  (
    state IN ('suggested', 'unmatched')
    OR (
      state = 'not_a_payment'
      AND reason = 'unknown_money_out'
    )
  )
GROUP BY
  1,
  2;

-- bank_last_statements
SELECT
  c.id,
  c.mode,
  c.currency,
  c.account,
  coalesce(
    (
      SELECT
        max(s.covers_until)
      FROM
        bank_statements s
      WHERE
        s.mode = c.mode
        AND s.account = c.account
        AND s.covers_until <= $1::date
    ),
    c.created_at::date
  )::text AS "lastDay"
FROM
  collection_accounts c
WHERE
  c.disabled_at IS NULL
ORDER BY
  "lastDay",
  c.id
LIMIT
  $2;

-- bank_statements_missing
SELECT
  id,
  currency,
  account,
  "lastDay"
FROM
  (
    SELECT
      c.*,
      coalesce(
        (
          SELECT
            max(s.covers_until)
          FROM
            bank_statements s
          WHERE
            s.mode = c.mode
            AND s.account = c.account
            AND s.covers_until <= $1::date
        ),
        c.created_at::date
      )::text AS "lastDay"
    FROM
      collection_accounts c
    WHERE
      c.disabled_at IS NULL
      AND c.mode = 'live'
  ) c
WHERE
  "lastDay" < $2
  AND missing_notified_after::text IS DISTINCT FROM "lastDay"
ORDER BY
  id
LIMIT
  $3;

-- MARK_NOTIFIED
UPDATE collection_accounts
SET
  missing_notified_after = $2
WHERE
  id = $1
  AND disabled_at IS NULL
  AND missing_notified_after IS DISTINCT FROM $2
RETURNING
  1;

-- bank_statement_gaps
WITH
  statements AS (
    SELECT
      id,
      mode,
      account,
      currency,
      opening_balance,
      closing_balance,
      covers_from,
      covers_until
    FROM
      bank_statements
    WHERE
      covers_until >= $1::date
  ),
  ends AS (
    SELECT
      s.*,
      (
        SELECT
          max(p.covers_until)
        FROM
          statements p
        WHERE
          p.mode = s.mode
          AND p.account = s.account
          AND p.currency = s.currency
          AND p.covers_until < s.covers_from
          AND p.closing_balance IS NOT NULL
      ) AS last_day
    FROM
      statements s
    WHERE
      s.opening_balance IS NOT NULL
  )
SELECT
  s.mode,
  s.account,
  s.currency,
  s.last_day::text AS "lastDay",
  s.covers_from::text AS "nextDay"
FROM
  ends s
WHERE
  s.last_day IS NOT NULL
  AND NOT EXISTS (
    SELECT
    FROM
      statements p
    WHERE
      p.mode = s.mode
      AND p.account = s.account
      AND p.currency = s.currency
      AND p.id <> s.id
      AND p.closing_balance = s.opening_balance
      AND p.covers_until BETWEEN s.last_day AND s.covers_from
  )
GROUP BY
  s.mode,
  s.account,
  s.currency,
  s.last_day,
  s.covers_from
ORDER BY
  s.covers_from DESC,
  s.mode,
  s.account
LIMIT
  $2;
