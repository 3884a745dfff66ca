-- SUSPECT_REFERENCE
UPDATE bank_lines b
SET
  duplicate_of = f.other
FROM
  (
    SELECT
      n.id,
      (
        WITH
          called AS MATERIALIZED (
            SELECT
              l.*
            FROM
              (
                SELECT DISTINCT
                  '=' || left(reference, 16) AS mark
                FROM
                  (
                    VALUES
                      (n.identifiers ->> 'transactionBankReference'),
                      (n.identifiers ->> 'entryBankReference')
                  ) r (reference)
                WHERE
                  reference IS NOT NULL
              ) m
              CROSS JOIN LATERAL (
                (
                  SELECT
                    l.*
                  FROM
                    bank_lines l
                  WHERE
                    (
                      (
                        coalesce(
                          '=' || left(coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference'), 16),
                          CASE
                            WHEN l.end_to_end_id IS NULL THEN ''
                            ELSE '-'
                          END
                        )
                      ) COLLATE "C",
                      l.account,
                      l.mode,
                      l.key,
                      l.ordinal
                    ) BETWEEN (m.mark, n.account, n.mode, 'in|', 0) AND (m.mark, n.account, n.mode, 'in|~', 0)
                  ORDER BY
                    (
                      coalesce(
                        '=' || left(coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference'), 16),
                        CASE
                          WHEN l.end_to_end_id IS NULL THEN ''
                          ELSE '-'
                        END
                      )
                    ) COLLATE "C",
                    l.account,
                    l.mode,
                    l.key,
                    l.ordinal
                  LIMIT
                    50
                )
                UNION ALL
                (
                  SELECT
                    l.*
                  FROM
                    bank_lines l
                  WHERE
                    (
                      ('=' || left(l.identifiers ->> 'entryBankReference', 16)) COLLATE "C",
                      l.account,
                      l.mode,
                      l.key,
                      l.ordinal
                    ) BETWEEN (m.mark, n.account, n.mode, 'in|', 0) AND (m.mark, n.account, n.mode, 'in|~', 0)
                    AND l.identifiers ->> 'transactionBankReference' IS NOT NULL
                  ORDER BY
                    ('=' || left(l.identifiers ->> 'entryBankReference', 16)) COLLATE "C",
                    l.account,
                    l.mode,
                    l.key,
                    l.ordinal
                  LIMIT
                    50
                )
              ) l
            LIMIT
              50
          ),
          same AS MATERIALIZED (
            SELECT DISTINCT
              l.id,
              l.amount
            FROM
              called l
            WHERE
              (
                SELECT
                  count(*)
                FROM
                  called
              ) < 50
              AND l.status = 'booked'
              AND l.currency = n.currency
              AND l.kind = 'payment'
              AND (
                (
                  EXISTS (
                    SELECT
                    FROM
                      bank_allocations x
                    WHERE
                      x.line_id = l.id
                      AND (
                        x.undone_at IS NULL
                        OR x.undone_by_line_id IS NOT NULL
                      )
                  )
                  OR EXISTS (
                    SELECT
                    FROM
                      bank_returns x
                    WHERE
                      x.line_id = l.id
                      AND x.undone_at IS NULL
                  )
                  OR EXISTS (
                    SELECT
                    FROM
                      bank_payout_lines x
                    WHERE
                      x.line_id = l.id
                  )
                )
                OR l.state IN ('unmatched', 'suggested')
                AND l.duplicate_of IS NULL
              )
              AND EXISTS (
                SELECT
                FROM
                  (
                    VALUES
                      (n.identifiers ->> 'transactionBankReference'),
                      (n.identifiers ->> 'entryBankReference')
                  ) r (reference)
                WHERE
                  r.reference IN (l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference')
                  AND length(r.reference) <> 16
              )
              AND abs(coalesce(l.booked_on, l.valued_on) - coalesce(n.booked_on, n.valued_on)) <= 5
          ),
          total AS (
            SELECT
              *
            FROM
              same
            ORDER BY
              amount DESC
            LIMIT
              1
          ),
          parts AS (
            SELECT
              s.*
            FROM
              same s,
              total t
            WHERE
              s.id <> t.id
              AND NOT EXISTS (
                SELECT
                  p.statement_id
                FROM
                  bank_line_places p
                WHERE
                  p.line_id = s.id
                INTERSECT
                SELECT
                  o.statement_id
                FROM
                  bank_line_places o
                WHERE
                  o.line_id = t.id
              )
          )
        SELECT
          CASE t.id
            WHEN n.id THEN (
              SELECT
                id
              FROM
                parts
              LIMIT
                1
            )
            ELSE t.id
          END
        FROM
          total t
        WHERE
          t.amount = (
            SELECT
              sum(amount)
            FROM
              parts
          )
          AND (
            SELECT
              count(*)
            FROM
              parts
          ) > 1
          AND (
            t.id = n.id
            OR n.id IN (
              SELECT
                id
              FROM
                parts
            )
          )
      ) AS other
    FROM
      bank_lines n
    WHERE
      n.id = ANY ($1::UUID[])
      AND n.status = 'booked'
      AND n.direction = 'in'
      AND n.kind = 'payment'
      AND n.looked_at IS NULL
      AND n.duplicate_of IS NULL
    OFFSET
      0
  ) f
WHERE
  b.id = f.id
  AND f.other IS NOT NULL;
