-- REPORTED_ELSEWHERE
SELECT
  own.id
FROM
  bank_lines own
WHERE
  own.id = ANY ($1::UUID[])
  AND (
    EXISTS (
      SELECT
      FROM
        collection_accounts c
      WHERE
        c.mode = own.mode
        AND c.account = own.counterparty_account
    )
    OR EXISTS (
      SELECT
      FROM
        (
          SELECT
            l.*
          FROM
            collection_accounts c
            CROSS JOIN (
              VALUES
                (regexp_replace(own.key, '[^|]*$', ''))
            ) m (money)
            CROSS JOIN LATERAL (
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                (l.named_reference, l.account, l.mode, l.key) BETWEEN (own.named_reference, c.account, own.mode, 'in|') AND (own.named_reference, c.account, own.mode, 'in|~')
              UNION ALL
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                l.end_to_end_id = own.end_to_end_id
                AND ((coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C", l.account, l.mode, l.key) BETWEEN ('=' || left(own.end_to_end_id, 64), c.account, own.mode, m.money) AND ('=' || left(own.end_to_end_id, 64), c.account, own.mode, m.money || '~')
                AND l.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
                AND (
                  l.named_reference = own.named_reference
                  AND l.counterparty_account = own.counterparty_account
                ) IS NOT FALSE
              UNION ALL
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                l.identifiers ->> 'uetr' = own.identifiers ->> 'uetr'
                AND l.account = c.account
                AND l.mode = own.mode
              UNION ALL
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                l.identifiers ->> 'transactionId' = own.identifiers ->> 'transactionId'
                AND l.account = c.account
                AND l.mode = own.mode
            ) l
          WHERE
            c.mode = own.mode
            AND c.account <> own.account
          UNION ALL
          SELECT
            l.*
          FROM
            unnest($2::UUID[], $3::UUID[], $4::UUID[]) paid (line_id, merchant_id, txid)
            JOIN payments p ON p.merchant_id = paid.merchant_id
            AND p.txid = paid.txid
            JOIN bank_allocations a ON a.merchant_id = p.merchant_id
            AND a.payment_id = p.id
            JOIN bank_lines l ON l.id = a.line_id
          WHERE
            paid.line_id = own.id
        ) other
      WHERE
        other.account <> own.account
        AND other.mode = own.mode
        AND other.direction = 'in'
        AND other.currency = own.currency
        AND other.status = 'booked'
        AND other.state <> 'superseded'
        AND (
          other.has_paid
          OR other.id < own.id
        )
    )
  );

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
SELECT DISTINCT
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
