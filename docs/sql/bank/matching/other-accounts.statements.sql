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
  )
SELECT
  own.id
FROM
  own
WHERE
  (
    EXISTS (
      SELECT
      FROM
        unnest(own.written) o (reference)
        JOIN bank_lines part ON (part.named_reference, part.account, part.mode, part.key) BETWEEN (o.reference, own.account, own.mode, 'in|') AND (o.reference, own.account, own.mode, 'in|~')
      WHERE
        part.id <> own.id
        AND part.status = 'booked'
        AND part.state <> 'superseded'
        AND part.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
      GROUP BY
        GROUPING SETS ((), (part.booked_on))
      HAVING
        count(*) > 1
        AND sum(part.amount) = own.amount
    )
    OR EXISTS (
      SELECT
      FROM
        (
          SELECT
            part.id,
            part.amount
          FROM
            unnest(own.written) o (reference)
            JOIN bank_lines part ON (part.named_reference, part.account, part.mode, part.key) BETWEEN (o.reference, own.account, own.mode, 'in|') AND (o.reference, own.account, own.mode, 'in|~')
          WHERE
            part.id <> own.id
            AND part.status = 'booked'
            AND part.state <> 'superseded'
            AND part.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
        ) a
        JOIN (
          SELECT
            part.id,
            part.amount
          FROM
            unnest(own.written) o (reference)
            JOIN bank_lines part ON (part.named_reference, part.account, part.mode, part.key) BETWEEN (o.reference, own.account, own.mode, 'in|') AND (o.reference, own.account, own.mode, 'in|~')
          WHERE
            part.id <> own.id
            AND part.status = 'booked'
            AND part.state <> 'superseded'
            AND part.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
        ) b ON a.id < b.id
      WHERE
        a.amount + b.amount = own.amount
    )
  )
  AND EXISTS (
    SELECT
    FROM
      unnest(own.written) o (reference)
      JOIN bank_lines part ON (part.named_reference, part.account, part.mode, part.key) BETWEEN (o.reference, own.account, own.mode, 'in|') AND (o.reference, own.account, own.mode, 'in|~')
    WHERE
      part.id <> own.id
      AND part.status = 'booked'
      AND part.state <> 'superseded'
      AND part.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
          JOIN bank_statements s ON s.id = p.statement_id
          JOIN bank_line_places q ON q.line_id = own.id
          JOIN bank_statements t ON t.id = q.statement_id
        WHERE
          p.line_id = part.id
          AND s.balanced
          AND t.balanced
          AND (
            s.id = t.id
            OR format_family (s.id) = format_family (t.id)
            AND (
              s.covers_until < t.covers_from
              OR t.covers_until < s.covers_from
            )
          )
      )
  )
  OR EXISTS (
    SELECT
    FROM
      unnest(ARRAY[own.named_reference]) o (reference)
      JOIN bank_lines total ON (total.named_reference, total.account, total.mode, total.key) BETWEEN (o.reference, own.account, own.mode, 'in|') AND (o.reference, own.account, own.mode, 'in|~')
    WHERE
      total.id <> own.id
      AND total.status = 'booked'
      AND total.state <> 'superseded'
      AND total.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
      AND (
        EXISTS (
          SELECT
          FROM
            unnest(ARRAY[total.named_reference]) o (reference)
            JOIN bank_lines part ON (part.named_reference, part.account, part.mode, part.key) BETWEEN (o.reference, total.account, total.mode, 'in|') AND (o.reference, total.account, total.mode, 'in|~')
          WHERE
            part.id <> total.id
            AND part.status = 'booked'
            AND part.state <> 'superseded'
            AND part.booked_on BETWEEN total.booked_on - 10 AND total.booked_on + 10
          GROUP BY
            GROUPING SETS ((), (part.booked_on))
          HAVING
            count(*) > 1
            AND sum(part.amount) = total.amount
        )
        OR EXISTS (
          SELECT
          FROM
            (
              SELECT
                part.id,
                part.amount
              FROM
                unnest(ARRAY[total.named_reference]) o (reference)
                JOIN bank_lines part ON (part.named_reference, part.account, part.mode, part.key) BETWEEN (o.reference, total.account, total.mode, 'in|') AND (o.reference, total.account, total.mode, 'in|~')
              WHERE
                part.id <> total.id
                AND part.status = 'booked'
                AND part.state <> 'superseded'
                AND part.booked_on BETWEEN total.booked_on - 10 AND total.booked_on + 10
            ) a
            JOIN (
              SELECT
                part.id,
                part.amount
              FROM
                unnest(ARRAY[total.named_reference]) o (reference)
                JOIN bank_lines part ON (part.named_reference, part.account, part.mode, part.key) BETWEEN (o.reference, total.account, total.mode, 'in|') AND (o.reference, total.account, total.mode, 'in|~')
              WHERE
                part.id <> total.id
                AND part.status = 'booked'
                AND part.state <> 'superseded'
                AND part.booked_on BETWEEN total.booked_on - 10 AND total.booked_on + 10
            ) b ON a.id < b.id
          WHERE
            a.amount + b.amount = total.amount
        )
      )
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
          JOIN bank_statements s ON s.id = p.statement_id
          JOIN bank_line_places q ON q.line_id = own.id
          JOIN bank_statements t ON t.id = q.statement_id
        WHERE
          p.line_id = total.id
          AND s.balanced
          AND t.balanced
          AND (
            s.id = t.id
            OR format_family (s.id) = format_family (t.id)
            AND (
              s.covers_until < t.covers_from
              OR t.covers_until < s.covers_from
            )
          )
      )
  );
