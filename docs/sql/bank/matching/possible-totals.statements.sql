-- POSSIBLE_TOTALS
WITH
  own AS MATERIALIZED (
    SELECT
      l.*,
      ARRAY(
        SELECT DISTINCT
          unnest(references_in_line (l) || l.named_reference)
      ) AS written
    FROM
      bank_lines l
    WHERE
      l.id = ANY ($1::UUID[])
      AND l.named_reference IS NOT NULL
      AND l.marked_distinct_by IS NULL
  ),
  part AS MATERIALIZED (
    SELECT
      own.id AS own_id,
      l.id,
      l.amount,
      l.booked_on,
      l.named_reference = own.named_reference AS is_same_order
    FROM
      own
      CROSS JOIN LATERAL (
        SELECT
          l.*
        FROM
          unnest(own.written) o (reference)
          CROSS JOIN LATERAL (
            SELECT
              *
            FROM
              bank_lines l
            WHERE
              (l.named_reference, l.account, l.mode, l.key) BETWEEN (o.reference, own.account, own.mode, 'in|') AND (o.reference, own.account, own.mode, 'in|~')
              AND l.id <> own.id
              AND l.status = 'booked'
              AND l.state <> 'superseded'
              AND l.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
            OFFSET
              0
          ) l
        LIMIT
          100
      ) l
  ),
  candidate AS MATERIALIZED (
    SELECT
      own.id,
      p.id AS other_id
    FROM
      own
      JOIN part p ON p.own_id = own.id
    WHERE
      own.amount IN (
        SELECT
          sum(q.amount)
        FROM
          part q
        WHERE
          q.own_id = own.id
        GROUP BY
          GROUPING SETS ((), (q.booked_on))
        HAVING
          count(*) > 1
      )
      OR EXISTS (
        SELECT
        FROM
          part a
          JOIN part b USING (own_id)
        WHERE
          own_id = own.id
          AND a.id < b.id
          AND a.amount + b.amount = own.amount
      )
    UNION ALL
    SELECT
      own.id,
      t.id
    FROM
      own
      JOIN part t ON t.own_id = own.id
      AND t.is_same_order
    WHERE
      t.amount - own.amount IN (
        SELECT
          q.amount
        FROM
          part q
        WHERE
          q.own_id = own.id
          AND q.is_same_order
          AND q.id <> t.id
        UNION ALL
        SELECT
          sum(q.amount)
        FROM
          part q
        WHERE
          q.own_id = own.id
          AND q.is_same_order
          AND q.id <> t.id
        UNION ALL
        SELECT
          sum(q.amount)
        FROM
          part q
        WHERE
          q.own_id = own.id
          AND q.is_same_order
          AND q.id <> t.id
          AND q.booked_on = own.booked_on
      )
  )
SELECT
  own_id AS id
FROM
  part
GROUP BY
  own_id
HAVING
  count(*) = 100
UNION
SELECT
  c.id
FROM
  candidate c
WHERE
  NOT EXISTS (
    SELECT
    FROM
      (
        SELECT
          s.*
        FROM
          bank_line_places p
          JOIN bank_statements s ON s.id = p.statement_id
        WHERE
          p.line_id = c.id
          AND s.balanced
        OFFSET
          0
      ) s
      CROSS JOIN (
        SELECT
          s.*
        FROM
          bank_line_places p
          JOIN bank_statements s ON s.id = p.statement_id
        WHERE
          p.line_id = c.other_id
          AND s.balanced
        OFFSET
          0
      ) t
    WHERE
      s.id = t.id
      OR format_family (s.id) = format_family (t.id)
      AND (
        s.covers_until < t.covers_from
        OR t.covers_until < s.covers_from
      )
  );
