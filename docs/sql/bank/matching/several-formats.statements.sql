-- LOCK_ACCOUNTS
SELECT
  pg_advisory_xact_lock(hashtextextended ('bank ' || mode || ' ' || account, 0))
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
WITH RECURSIVE
  line AS MATERIALIZED (
    SELECT
      l.id,
      l.mode,
      l.account,
      l.direction,
      l.formats,
      (
        l.counterparty_account IS NULL
        OR l.identifiers ->> 'doubtfulAccount' IS NOT NULL
      ) AS "isUnnamed",
      l.marked_distinct_by IS NOT NULL AS "isDistinct",
      coalesce(l.booked_on, l.valued_on, (l.created_at AT TIME ZONE 'UTC')::date) AS DAY,
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
      array_agg(DISTINCT format_family (s.id)) AS formats
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
      JOIN bank_statements s ON s.mode = d.mode
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
  ),
  several AS MATERIALIZED (
    SELECT
      line.*
    FROM
      line
      JOIN near USING (mode, account, first, last)
    WHERE
      NOT near.formats <@ line.formats
  ),
  paid_formats AS (
    (
      SELECT
        d.mode,
        d.account,
        d.direction,
        f.formats
      FROM
        (
          SELECT DISTINCT
            mode,
            account,
            direction
          FROM
            several
        ) d
        CROSS JOIN LATERAL (
          SELECT
            t.formats
          FROM
            bank_lines t
          WHERE
            (
              t.has_paid
              AND t.state <> 'superseded'
            )
            AND t.mode = d.mode
            AND t.account = d.account
            AND t.direction = d.direction
          ORDER BY
            t.formats
          LIMIT
            1
        ) f
    )
    UNION ALL
    SELECT
      d.mode,
      d.account,
      d.direction,
      f.formats
    FROM
      paid_formats d
      CROSS JOIN LATERAL (
        SELECT
          t.formats
        FROM
          bank_lines t
        WHERE
          (
            t.has_paid
            AND t.state <> 'superseded'
          )
          AND t.mode = d.mode
          AND t.account = d.account
          AND t.direction = d.direction
          AND t.formats > d.formats
        ORDER BY
          t.formats
        LIMIT
          1
      ) f
  ),
  statements AS MATERIALIZED (
    SELECT
      s.*,
      min(least(s.covers_from, s.booked_from)) OVER of_format AS begins,
      max(greatest(s.covers_until, s.booked_until)) OVER of_format AS ends
    FROM
      (
        SELECT
          s.*,
          ARRAY[format_family (s.id)] AS family
        FROM
          (
            SELECT
              mode,
              account,
              min(first) AS first,
              max(last) AS last
            FROM
              several
            GROUP BY
              mode,
              account
          ) d
          JOIN bank_statements s ON s.mode = d.mode
          AND s.account = d.account
          AND (
            s.covers_until >= d.first
            OR s.booked_until >= d.first
          )
          AND (
            s.covers_from <= d.last + 5
            OR s.booked_from <= d.last + 5
          )
      ) s
    WINDOW
      of_format AS (
        PARTITION BY
          s.mode,
          s.account,
          s.family
      )
  ),
  handovers AS MATERIALIZED (
    SELECT DISTINCT
      b.mode,
      b.account,
      b.family AS before,
      a.family AS after,
      b.covers_until AS DAY
    FROM
      statements b
      JOIN statements a USING (mode, account, currency)
    WHERE
      a.balanced
      AND b.balanced
      AND a.opening_balance = b.closing_balance
      AND a.family <> b.family
      AND b.covers_until = b.ends
      AND a.covers_from = a.begins
      AND a.covers_from BETWEEN b.covers_until AND b.covers_until + 5
      AND a.booked_from > b.covers_until
  ),
  changed AS MATERIALIZED (
    SELECT
      line.id
    FROM
      line
    WHERE
      NOT line."isDistinct"
      AND EXISTS (
        SELECT
        FROM
          bank_line_places p
          JOIN bank_statements own ON own.id = p.statement_id
          JOIN bank_statements other ON other.mode = own.mode
          AND other.account = own.account
          AND other.currency IS NOT DISTINCT FROM own.currency
          AND other.id <> own.id
          AND other.covers_until >= own.covers_from
          AND other.covers_from <= own.covers_until
          AND other.balanced
          AND (
            (own.covers_from, own.covers_until, own.opening_balance) = (other.covers_from, other.covers_until, other.opening_balance)
            AND (
              own.closing_balance = other.closing_balance
              OR (own.statement_id, own.sequence) = (other.statement_id, other.sequence)
            )
            OR (own.covers_from, own.covers_until) <> (other.covers_from, other.covers_until)
            AND format_family (other.id) = format_family (own.id)
          )
        WHERE
          p.line_id = line.id
          AND own.balanced
          AND line.day BETWEEN greatest(own.covers_from, other.covers_from) + (
            NOT (
              own.covers_from <= other.covers_from
              AND own.covers_until >= other.covers_until
              OR own.covers_from >= other.covers_from
              AND own.covers_until <= other.covers_until
            )
          )::integer AND least(own.covers_until, other.covers_until)
          AND NOT EXISTS (
            SELECT
            FROM
              bank_line_places x
            WHERE
              x.line_id = line.id
              AND x.statement_id = other.id
          )
          AND EXISTS (
            SELECT
            FROM
              bank_line_places o
              JOIN bank_lines t ON t.id = o.line_id
            WHERE
              o.statement_id = other.id
              AND (
                (
                  t.has_paid
                  AND t.state <> 'superseded'
                )
                OR t.id < line.id
                AND t.id = ANY ($1)
              )
              AND t.direction = line.direction
              AND coalesce(t.booked_on, t.valued_on, (t.created_at AT TIME ZONE 'UTC')::date) BETWEEN greatest(own.covers_from, other.covers_from) + (
                NOT (
                  own.covers_from <= other.covers_from
                  AND own.covers_until >= other.covers_until
                  OR own.covers_from >= other.covers_from
                  AND own.covers_until <= other.covers_until
                )
              )::integer AND least(own.covers_until, other.covers_until)
              AND NOT EXISTS (
                SELECT
                FROM
                  bank_line_places x
                WHERE
                  x.line_id = t.id
                  AND x.statement_id = own.id
              )
          )
      )
  )
SELECT
  line.id,
  CASE
    WHEN changed.id IS NOT NULL THEN 'statements_differ'
    WHEN EXISTS (
      SELECT
      FROM
        paid_formats f
      WHERE
        f.mode = line.mode
        AND f.account = line.account
        AND f.direction = line.direction
        AND NOT f.formats && line.formats
        AND EXISTS (
          SELECT
          FROM
            bank_lines t
          WHERE
            (
              t.has_paid
              AND t.state <> 'superseded'
            )
            AND t.mode = f.mode
            AND t.account = f.account
            AND t.direction = f.direction
            AND t.formats = f.formats
            AND coalesce(t.booked_on, t.valued_on, (t.created_at AT TIME ZONE 'UTC')::date) BETWEEN greatest(
              line.first,
              (
                SELECT
                  max(h.day) + 1
                FROM
                  handovers h
                WHERE
                  h.mode = line.mode
                  AND h.account = line.account
                  AND h.before <@ f.formats
                  AND h.after <@ line.formats
                  AND h.day < line.day
              )
            ) AND least(
              line.last,
              (
                SELECT
                  min(h.day)
                FROM
                  handovers h
                WHERE
                  h.mode = line.mode
                  AND h.account = line.account
                  AND h.before <@ line.formats
                  AND h.after <@ f.formats
                  AND h.day >= line.day
              )
            )
        )
    )
    OR EXISTS (
      SELECT
      FROM
        several o
      WHERE
        o.id < line.id
        AND o.mode = line.mode
        AND o.account = line.account
        AND o.direction = line.direction
        AND NOT o.formats && line.formats
        AND o.day BETWEEN greatest(
          line.first,
          (
            SELECT
              max(h.day) + 1
            FROM
              handovers h
            WHERE
              h.mode = line.mode
              AND h.account = line.account
              AND h.before <@ o.formats
              AND h.after <@ line.formats
              AND h.day < line.day
          )
        ) AND least(
          line.last,
          (
            SELECT
              min(h.day)
            FROM
              handovers h
            WHERE
              h.mode = line.mode
              AND h.account = line.account
              AND h.before <@ line.formats
              AND h.after <@ o.formats
              AND h.day >= line.day
          )
        )
    ) THEN 'total_or_payment'
    WHEN line."isUnnamed" THEN 'payer_not_named'
  END AS reason
FROM
  line
  LEFT JOIN changed USING (id)
WHERE
  changed.id IS NOT NULL
  OR line.id IN (
    SELECT
      id
    FROM
      several
  );
