-- SHARE_ACCOUNTS
SELECT
  pg_advisory_xact_lock_shared(hashtextextended ('bank ' || mode || ' ' || account, 0))
FROM
  (
    SELECT DISTINCT
      mode,
      account
    FROM
      bank_lines
    WHERE
      id = ANY ($1::UUID[])
    ORDER BY
      1,
      2
  ) a;

-- MAYBE_TOTALS
WITH
  line AS MATERIALIZED (
    SELECT
      l.id,
      l.mode,
      l.account,
      l.direction,
      l.amount,
      l.counterparty_account,
      l.batch_key,
      l.batch_id,
      (
        l.counterparty_account IS NULL
        OR l.identifiers ->> 'doubtfulAccount' IS NOT NULL
      ) AS "isUnnamed",
      ARRAY(
        SELECT DISTINCT
          CASE s.format
            WHEN 'csv' THEN 'csv ' || f.reading
            ELSE left(s.format, 8)
          END
        FROM
          bank_line_places p
          JOIN bank_statements s
          JOIN bank_files f ON f.id = s.file_id ON p.statement_id = s.id
        WHERE
          p.line_id = l.id
          AND p.status IS DISTINCT FROM 'announced'
      ) AS formats,
      coalesce(least(l.booked_on, l.valued_on), l.created_at::date) - 10 AS first,
      coalesce(greatest(l.booked_on, l.valued_on), l.created_at::date) + 10 AS last
    FROM
      bank_lines l
    WHERE
      l.id = ANY ($1::UUID[])
  ),
  near AS MATERIALIZED (
    SELECT
      d.mode,
      d.account,
      d.first,
      d.last,
      array_agg(
        DISTINCT CASE s.format
          WHEN 'csv' THEN 'csv ' || f.reading
          ELSE left(s.format, 8)
        END
      ) AS formats
    FROM
      (
        SELECT DISTINCT
          mode,
          account,
          first,
          last
        FROM
          line
      ) d
      JOIN bank_statements s
      JOIN bank_files f ON f.id = s.file_id ON s.mode = d.mode
      AND s.account = d.account
      AND (
        s.booked_until >= d.first
        AND s.booked_from <= d.last
        OR s.booked_until IS NULL
        AND s.created_at >= d.first
        AND EXISTS (
          SELECT
          FROM
            bank_line_places p
          WHERE
            p.statement_id = s.id
            AND p.status IS DISTINCT FROM 'announced'
        )
      )
    GROUP BY
      d.mode,
      d.account,
      d.first,
      d.last
  )
SELECT
  line.id,
  CASE
    WHEN line."isUnnamed" THEN 'payer_not_named'
    WHEN EXISTS (
      SELECT
      FROM
        bank_lines t
      WHERE
        (
          t.state = 'matched'
          OR t.reason = 'partly_matched'
        )
        AND (
          t.counterparty_account IS NULL
          OR t.identifiers ->> 'doubtfulAccount' IS NOT NULL
        )
        AND t.amount > line.amount
        AND (t.mode, t.account, t.direction) = (line.mode, line.account, line.direction)
        AND (
          coalesce(t.booked_on, t.valued_on) BETWEEN line.first AND line.last
          OR coalesce(t.booked_on, t.valued_on) IS NULL
        )
        AND NOT ARRAY(
          SELECT DISTINCT
            CASE s.format
              WHEN 'csv' THEN 'csv ' || f.reading
              ELSE left(s.format, 8)
            END
          FROM
            bank_line_places p
            JOIN bank_statements s
            JOIN bank_files f ON f.id = s.file_id ON p.statement_id = s.id
          WHERE
            p.line_id = t.id
            AND p.status IS DISTINCT FROM 'announced'
        ) && line.formats
    )
    OR EXISTS (
      SELECT
      FROM
        bank_lines t
      WHERE
        t.state IN ('matched', 'suggested', 'unmatched')
        AND left(t.counterparty_account, 64) = left(line.counterparty_account, 64)
        AND t.amount <> line.amount
        AND (t.mode, t.account, t.direction) = (line.mode, line.account, line.direction)
        AND (
          coalesce(t.booked_on, t.valued_on) BETWEEN line.first AND line.last
          OR coalesce(t.booked_on, t.valued_on) IS NULL
        )
        AND NOT ARRAY(
          SELECT DISTINCT
            CASE s.format
              WHEN 'csv' THEN 'csv ' || f.reading
              ELSE left(s.format, 8)
            END
          FROM
            bank_line_places p
            JOIN bank_statements s
            JOIN bank_files f ON f.id = s.file_id ON p.statement_id = s.id
          WHERE
            p.line_id = t.id
            AND p.status IS DISTINCT FROM 'announced'
        ) && line.formats
    )
    OR EXISTS (
      SELECT
      FROM
        bank_lines p
        JOIN bank_lines t ON t.state IN ('matched', 'suggested', 'unmatched')
        AND left(t.counterparty_account, 64) = left(p.counterparty_account, 64)
        AND t.amount <> p.amount
        AND (t.mode, t.account, t.direction) = (line.mode, line.account, line.direction)
        AND (
          coalesce(t.booked_on, t.valued_on) BETWEEN line.first AND line.last
          OR coalesce(t.booked_on, t.valued_on) IS NULL
        )
        AND NOT ARRAY(
          SELECT DISTINCT
            CASE s.format
              WHEN 'csv' THEN 'csv ' || f.reading
              ELSE left(s.format, 8)
            END
          FROM
            bank_line_places p
            JOIN bank_statements s
            JOIN bank_files f ON f.id = s.file_id ON p.statement_id = s.id
          WHERE
            p.line_id = t.id
            AND p.status IS DISTINCT FROM 'announced'
        ) && line.formats
      WHERE
        p.mode = line.mode
        AND p.account = line.account
        AND p.batch_key = line.batch_key
        AND p.batch_id = line.batch_id
    ) THEN 'total_or_payment'
  END AS reason
FROM
  line
  JOIN near USING (mode, account, first, last)
WHERE
  NOT near.formats <@ line.formats;
