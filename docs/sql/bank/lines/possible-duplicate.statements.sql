-- LOCK_ACCOUNT_OF
SELECT
  pg_advisory_xact_lock(hashtextextended ('bank ' || l.mode || ' ' || l.account, 0))
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND l.id = $2;

-- RIVALS
WITH
  given AS (
    SELECT
      *,
      coalesce("ofTransaction", "ofEntry") IS NOT NULL
      AND NOT "isDoubtful" AS "isReferred",
      (
        5 + CASE
          WHEN w."isBooked" THEN least(abs(w.day - w."valuedOn"), 30)
          ELSE 30
        END
      ) AS spread
    FROM
      json_to_recordset($4::json) w (
        n integer,
        money text,
        DAY date,
        "valuedOn" date,
        "isBooked" boolean,
        "ofTransaction" text,
        "ofEntry" text,
        "isDoubtful" boolean,
        "isNamed" boolean,
        "endToEndId" text,
        "transactionId" text,
        uetr text,
        named text,
        iban text
      )
  ),
  wanted AS MATERIALIZED (
    SELECT
      *,
      dense_rank() OVER (
        ORDER BY
          money,
          DAY,
          "valuedOn",
          "isBooked",
          "isReferred",
          "isNamed"
      ) AS g
    FROM
      given
  ),
  untold AS MATERIALIZED (
    SELECT
      w.g,
      l.*
    FROM
      (
        SELECT DISTINCT
          g,
          money,
          DAY,
          spread,
          "valuedOn",
          "isBooked",
          "isReferred",
          "isNamed"
        FROM
          wanted
      ) w
      CROSS JOIN LATERAL (
        SELECT
          l.id,
          l.key,
          l.booked_on,
          l.valued_on,
          l.identifiers,
          l.counterparty_account,
          l.counterparty_account_type,
          l.end_to_end_id,
          l.named_reference
        FROM
          (
            SELECT
              l.*
            FROM
              generate_series(0, 2 * w.spread + 1) d (n)
              CROSS JOIN LATERAL (
                SELECT
                  CASE d.n
                    WHEN 0 THEN w.money
                    ELSE w.money || to_char(w.day + d.n - w.spread - 1, 'YYYY-MM-DD')
                  END AS key
              ) k
              LEFT JOIN json_to_recordset($5::json) r (key text, low integer, high integer) ON r.key = k.key
              CROSS JOIN LATERAL (
                SELECT
                  *
                FROM
                  bank_lines l
                WHERE
                  (l.key, l.account, l.mode, l.ordinal) BETWEEN (k.key, $2, $1, coalesce(r.low, 0)) AND (k.key, $2, $1, coalesce(r.high, 2147483647))
                OFFSET
                  0
              ) l
            UNION ALL
            SELECT
              l.*
            FROM
              bank_lines l
            WHERE
              w.day IS NULL
              AND l.key BETWEEN w.money || '0' AND w.money || '~'
              AND l.account = $2
              AND l.mode = $1
          ) l
        WHERE
          (
            l.key = w.money
            OR w.day IS NULL
            OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
            OR (
              l.booked_on IS NULL
              OR NOT w."isBooked"
            )
            AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
          )
          AND (
            (
              l.key = w.money
              OR w.day IS NULL
              OR l.key = w.money || to_char(w.day, 'YYYY-MM-DD')
              OR coalesce(l.valued_on, l.booked_on) = w."valuedOn"
            )
            OR l.identifiers ->> $9 IS NULL
          )
          AND NOT (
            w."isReferred"
            AND w."isNamed"
            AND (
              (
                coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
                AND l.identifiers ->> 'doubtfulReference' IS NULL
              )
              AND coalesce(l.identifiers ->> $9 <> '-', FALSE)
            )
          )
          AND l.status = 'booked'
          AND l.reason IS DISTINCT FROM 'same_booking'
          AND NOT l.id = ANY ($7::UUID[])
          AND NOT EXISTS (
            SELECT
            FROM
              bank_line_places p
            WHERE
              p.line_id = l.id
              AND p.statement_id = ANY ($3::uuid || $6::UUID[])
              AND p.status IS DISTINCT FROM 'announced'
          )
        LIMIT
          $8
      ) l
  ),
  called AS MATERIALIZED (
    SELECT
      w.*,
      a.reference,
      a.beginning
    FROM
      wanted w
      CROSS JOIN LATERAL (
        SELECT
          k.reference,
          left(r.reference, 16) AS beginning
        FROM
          (
            VALUES
              (w."ofTransaction"),
              (w."ofEntry")
          ) r (reference)
          CROSS JOIN LATERAL (
            VALUES
              (r.reference),
              (
                CASE
                  WHEN length(r.reference) > 16 THEN left(r.reference, 16)
                END
              ),
              (
                CASE
                  WHEN length(r.reference) = 16 THEN r.reference || '…'
                END
              )
          ) k (reference)
        WHERE
          k.reference IS NOT NULL
      ) a
  ),
  referred AS MATERIALIZED (
    SELECT
      w.money,
      w.day,
      l.id,
      l.key,
      l.booked_on,
      l.valued_on,
      l.identifiers,
      l.counterparty_account,
      l.counterparty_account_type,
      l.end_to_end_id,
      l.named_reference,
      a.reference
    FROM
      (
        SELECT DISTINCT
          money,
          DAY,
          spread,
          '=' || beginning AS mark
        FROM
          called
      ) w
      CROSS JOIN LATERAL (
        SELECT
          l.*
        FROM
          (
            VALUES
              (w.mark)
          ) m (mark)
          CROSS JOIN (
            VALUES
              (w.money, w.money),
              (
                w.money || coalesce(to_char(w.day - w.spread, 'YYYY-MM-DD'), ''),
                w.money || coalesce(to_char(w.day + w.spread, 'YYYY-MM-DD'), '~')
              )
          ) r (low, high)
          CROSS JOIN LATERAL (
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
              ) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
            UNION ALL
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
              ) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
              AND l.identifiers ->> 'transactionBankReference' IS NOT NULL
            OFFSET
              0
          ) l
      ) l
      CROSS JOIN LATERAL (
        SELECT
          k.reference,
          left(r.reference, 16) AS beginning
        FROM
          (
            VALUES
              (l.identifiers ->> 'transactionBankReference'),
              (l.identifiers ->> 'entryBankReference')
          ) r (reference)
          CROSS JOIN LATERAL (
            VALUES
              (r.reference),
              (
                CASE
                  WHEN length(r.reference) > 16 THEN left(r.reference, 16) || '…'
                END
              )
          ) k (reference)
        WHERE
          k.reference IS NOT NULL
      ) a
    WHERE
      l.status = 'booked'
      AND l.reason IS DISTINCT FROM 'same_booking'
      AND NOT l.id = ANY ($7::UUID[])
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND p.statement_id = ANY ($3::uuid || $6::UUID[])
          AND p.status IS DISTINCT FROM 'announced'
      )
  ),
  twice_named AS MATERIALIZED (
    SELECT
      w.money,
      l.id,
      l.key,
      l.booked_on,
      l.valued_on,
      l.identifiers,
      l.counterparty_account,
      l.counterparty_account_type,
      l.end_to_end_id,
      l.named_reference,
      a.reference
    FROM
      (
        SELECT DISTINCT
          money,
          "endToEndId",
          '=' || beginning AS mark
        FROM
          called
        WHERE
          "endToEndId" IS NOT NULL
      ) w
      CROSS JOIN LATERAL (
        SELECT
          l.*
        FROM
          (
            VALUES
              (w.mark, w.money, w.money || '~')
          ) m (mark, low, high)
          CROSS JOIN LATERAL (
            SELECT
              m.low,
              m.high
          ) r
          CROSS JOIN LATERAL (
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
              ) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
            OFFSET
              0
          ) l
        WHERE
          l.end_to_end_id = w."endToEndId"
      ) l
      CROSS JOIN LATERAL (
        SELECT
          k.reference,
          left(r.reference, 16) AS beginning
        FROM
          (
            VALUES
              (l.identifiers ->> 'transactionBankReference'),
              (l.identifiers ->> 'entryBankReference')
          ) r (reference)
          CROSS JOIN LATERAL (
            VALUES
              (r.reference),
              (
                CASE
                  WHEN length(r.reference) > 16 THEN left(r.reference, 16) || '…'
                END
              )
          ) k (reference)
        WHERE
          k.reference IS NOT NULL
      ) a
    WHERE
      l.status = 'booked'
      AND l.reason IS DISTINCT FROM 'same_booking'
      AND NOT l.id = ANY ($7::UUID[])
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND p.statement_id = ANY (ARRAY[$3::uuid])
          AND p.status IS DISTINCT FROM 'announced'
      )
  ),
  named AS MATERIALIZED (
    SELECT
      w.money,
      w.day,
      l.id,
      l.key,
      l.booked_on,
      l.valued_on,
      l.identifiers,
      l.counterparty_account,
      l.counterparty_account_type,
      l.end_to_end_id,
      l.named_reference,
      (
        (
          coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
          AND l.identifiers ->> 'doubtfulReference' IS NULL
        )
        AND coalesce(l.identifiers ->> $9 <> '-', FALSE)
      ) AS "isNamedReference"
    FROM
      (
        SELECT DISTINCT
          money,
          DAY,
          spread,
          "endToEndId"
        FROM
          wanted
      ) w
      CROSS JOIN LATERAL (
        SELECT
          l.*
        FROM
          (
            VALUES
              ('=' || left(w."endToEndId", 64))
          ) m (mark)
          CROSS JOIN (
            VALUES
              (w.money, w.money),
              (
                w.money || coalesce(to_char(w.day - w.spread, 'YYYY-MM-DD'), ''),
                w.money || coalesce(to_char(w.day + w.spread, 'YYYY-MM-DD'), '~')
              )
          ) r (low, high)
          CROSS JOIN LATERAL (
            SELECT
              l.*
            FROM
              bank_lines l
            WHERE
              ((coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C", l.account, l.mode, l.key, l.ordinal) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
            OFFSET
              0
          ) l
        WHERE
          l.end_to_end_id = w."endToEndId"
      ) l
    WHERE
      l.status = 'booked'
      AND l.reason IS DISTINCT FROM 'same_booking'
      AND NOT l.id = ANY ($7::UUID[])
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND p.statement_id = ANY ($3::uuid || $6::UUID[])
          AND p.status IS DISTINCT FROM 'announced'
      )
    UNION ALL
    SELECT
      w.money,
      w.day,
      l.id,
      l.key,
      l.booked_on,
      l.valued_on,
      l.identifiers,
      l.counterparty_account,
      l.counterparty_account_type,
      l.end_to_end_id,
      l.named_reference,
      (
        (
          coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
          AND l.identifiers ->> 'doubtfulReference' IS NULL
        )
        AND coalesce(l.identifiers ->> $9 <> '-', FALSE)
      )
    FROM
      (
        SELECT DISTINCT
          money,
          DAY,
          spread,
          named
        FROM
          wanted
      ) w
      CROSS JOIN LATERAL (
        SELECT
          l.*
        FROM
          (
            VALUES
              (w.money, w.money),
              (
                w.money || coalesce(to_char(w.day - w.spread, 'YYYY-MM-DD'), ''),
                w.money || coalesce(to_char(w.day + w.spread, 'YYYY-MM-DD'), '~')
              )
          ) r (low, high)
          CROSS JOIN LATERAL (
            SELECT
              l.*
            FROM
              bank_lines l
            WHERE
              l.named_reference = w.named
              AND (l.named_reference, l.account, l.mode, l.key, l.ordinal) BETWEEN (w.named, $2, $1, r.low, 0) AND (w.named, $2, $1, r.high, 2147483647)
            OFFSET
              0
          ) l
      ) l
    WHERE
      l.status = 'booked'
      AND l.reason IS DISTINCT FROM 'same_booking'
      AND NOT l.id = ANY ($7::UUID[])
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND p.statement_id = ANY ($3::uuid || $6::UUID[])
          AND p.status IS DISTINCT FROM 'announced'
      )
  ),
  signed AS MATERIALIZED (
    SELECT DISTINCT
      ON (l.g, s.signs) l.g,
      s.signs,
      l.id
    FROM
      untold l
      JOIN (
        SELECT DISTINCT
          g,
          uetr IS NOT NULL AS has0,
          iban IS NOT NULL AS has1,
          "transactionId" IS NOT NULL AS has2
        FROM
          wanted
      ) k ON k.g = l.g
      CROSS JOIN LATERAL (
        SELECT
          ARRAY[
            CASE
              WHEN k.has0 THEN coalesce(l.identifiers ->> 'uetr', '')
            END,
            CASE
              WHEN k.has1 THEN coalesce(
                CASE
                  WHEN l.counterparty_account_type = 'iban'
                  AND l.identifiers ->> 'doubtfulAccount' IS NULL THEN l.counterparty_account
                END,
                ''
              )
            END,
            CASE
              WHEN k.has2 THEN coalesce(
                CASE
                  WHEN l.identifiers ->> $9 <> '-' THEN l.identifiers ->> 'transactionId'
                END,
                ''
              )
            END
          ] AS signs
      ) s
  ),
  signs AS MATERIALIZED (
    SELECT
      w.n,
      w.g,
      ARRAY[m0.m, m1.m, m2.m] AS signs
    FROM
      wanted w
      CROSS JOIN LATERAL (
        SELECT DISTINCT
          m
        FROM
          (
            VALUES
              (w.uetr),
              (left(w.uetr, 0))
          ) m (m)
      ) m0
      CROSS JOIN LATERAL (
        SELECT DISTINCT
          m
        FROM
          (
            VALUES
              (w.iban),
              (left(w.iban, 0))
          ) m (m)
      ) m1
      CROSS JOIN LATERAL (
        SELECT DISTINCT
          m
        FROM
          (
            VALUES
              (w."transactionId"),
              (left(w."transactionId", 0))
          ) m (m)
      ) m2
  )
SELECT
  w.n,
  l.id
FROM
  wanted w
  JOIN untold l ON l.g = w.g
WHERE
  $8::integer IS NOT NULL
UNION ALL
SELECT
  w.n,
  l.id
FROM
  signs w
  JOIN signed l ON l.g = w.g
  AND l.signs = w.signs
UNION ALL
SELECT
  w.n,
  l.id
FROM
  called w
  JOIN referred l ON (l.money, l.reference) = (w.money, w.reference)
  AND l.day IS NOT DISTINCT FROM w.day
WHERE
  coalesce(
    CASE
      WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
      AND w."ofTransaction" IS NOT NULL THEN (
        l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
        OR length(l.identifiers ->> 'transactionBankReference') = 16
        AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
        OR length(w."ofTransaction") = 16
        AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
      )
      ELSE coalesce(
        (
          l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
          OR length(l.identifiers ->> 'transactionBankReference') = 16
          AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
          OR length(w."ofTransaction") = 16
          AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
        ),
        FALSE
      )
      OR coalesce(
        (
          l.identifiers ->> 'transactionBankReference' = w."ofEntry"
          OR length(l.identifiers ->> 'transactionBankReference') = 16
          AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
          OR length(w."ofEntry") = 16
          AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
        ),
        FALSE
      )
      OR coalesce(
        (
          l.identifiers ->> 'entryBankReference' = w."ofTransaction"
          OR length(l.identifiers ->> 'entryBankReference') = 16
          AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
          OR length(w."ofTransaction") = 16
          AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
        ),
        FALSE
      )
      OR coalesce(
        (
          l.identifiers ->> 'entryBankReference' = w."ofEntry"
          OR length(l.identifiers ->> 'entryBankReference') = 16
          AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
          OR length(w."ofEntry") = 16
          AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
        ),
        FALSE
      )
    END,
    FALSE
  )
  AND (
    l.key = w.money
    OR w.day IS NULL
    OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
    OR (
      l.booked_on IS NULL
      OR NOT w."isBooked"
    )
    AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
  )
  AND (
    $8::integer IS NOT NULL
    OR (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
    AND (
      CASE
        WHEN l.counterparty_account_type = 'iban'
        AND l.identifiers ->> 'doubtfulAccount' IS NULL THEN l.counterparty_account
      END <> w.iban
      AND NOT (
        coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
        OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
      )
      AND NOT (
        coalesce(
          CASE
            WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
            AND w."ofTransaction" IS NOT NULL THEN (
              l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
              OR length(l.identifiers ->> 'transactionBankReference') = 16
              AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
              OR length(w."ofTransaction") = 16
              AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
            )
            ELSE coalesce(
              (
                l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                OR length(l.identifiers ->> 'transactionBankReference') = 16
                AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                OR length(w."ofTransaction") = 16
                AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
              ),
              FALSE
            )
            OR coalesce(
              (
                l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                OR length(l.identifiers ->> 'transactionBankReference') = 16
                AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                OR length(w."ofEntry") = 16
                AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
              ),
              FALSE
            )
            OR coalesce(
              (
                l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                OR length(l.identifiers ->> 'entryBankReference') = 16
                AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                OR length(w."ofTransaction") = 16
                AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
              ),
              FALSE
            )
            OR coalesce(
              (
                l.identifiers ->> 'entryBankReference' = w."ofEntry"
                OR length(l.identifiers ->> 'entryBankReference') = 16
                AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                OR length(w."ofEntry") = 16
                AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
              ),
              FALSE
            )
          END,
          FALSE
        )
        AND coalesce(l.end_to_end_id = w."endToEndId", FALSE)
      )
    ) IS NOT TRUE
    AND (
      l.identifiers ->> $9 <> '-'
      AND w."isNamed"
      AND NOT (
        coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
        OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
      )
      AND (
        l.identifiers ->> 'transactionId' <> w."transactionId"
        OR w."isReferred"
        AND (
          coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
          AND l.identifiers ->> 'doubtfulReference' IS NULL
        )
        AND NOT coalesce(
          CASE
            WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
            AND w."ofTransaction" IS NOT NULL THEN (
              l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
              OR length(l.identifiers ->> 'transactionBankReference') = 16
              AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
              OR length(w."ofTransaction") = 16
              AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
            )
            ELSE coalesce(
              (
                l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                OR length(l.identifiers ->> 'transactionBankReference') = 16
                AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                OR length(w."ofTransaction") = 16
                AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
              ),
              FALSE
            )
            OR coalesce(
              (
                l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                OR length(l.identifiers ->> 'transactionBankReference') = 16
                AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                OR length(w."ofEntry") = 16
                AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
              ),
              FALSE
            )
            OR coalesce(
              (
                l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                OR length(l.identifiers ->> 'entryBankReference') = 16
                AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                OR length(w."ofTransaction") = 16
                AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
              ),
              FALSE
            )
            OR coalesce(
              (
                l.identifiers ->> 'entryBankReference' = w."ofEntry"
                OR length(l.identifiers ->> 'entryBankReference') = 16
                AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                OR length(w."ofEntry") = 16
                AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
              ),
              FALSE
            )
          END,
          FALSE
        )
      )
    ) IS NOT TRUE
    AND (
      (
        l.key = w.money
        OR w.day IS NULL
        OR l.key = w.money || to_char(w.day, 'YYYY-MM-DD')
        OR coalesce(l.valued_on, l.booked_on) = w."valuedOn"
      )
      OR l.identifiers ->> $9 IS NOT NULL IS NOT TRUE
      OR (
        coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
        OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
      )
      OR coalesce(
        CASE
          WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
          AND w."ofTransaction" IS NOT NULL THEN (
            l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
            OR length(l.identifiers ->> 'transactionBankReference') = 16
            AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
            OR length(w."ofTransaction") = 16
            AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
          )
          ELSE coalesce(
            (
              l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
              OR length(l.identifiers ->> 'transactionBankReference') = 16
              AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
              OR length(w."ofTransaction") = 16
              AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
            ),
            FALSE
          )
          OR coalesce(
            (
              l.identifiers ->> 'transactionBankReference' = w."ofEntry"
              OR length(l.identifiers ->> 'transactionBankReference') = 16
              AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
              OR length(w."ofEntry") = 16
              AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
            ),
            FALSE
          )
          OR coalesce(
            (
              l.identifiers ->> 'entryBankReference' = w."ofTransaction"
              OR length(l.identifiers ->> 'entryBankReference') = 16
              AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
              OR length(w."ofTransaction") = 16
              AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
            ),
            FALSE
          )
          OR coalesce(
            (
              l.identifiers ->> 'entryBankReference' = w."ofEntry"
              OR length(l.identifiers ->> 'entryBankReference') = 16
              AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
              OR length(w."ofEntry") = 16
              AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
            ),
            FALSE
          )
        END,
        FALSE
      )
      OR l.end_to_end_id = w."endToEndId"
      OR l.named_reference = w.named
    )
  )
UNION ALL
SELECT
  w.n,
  l.id
FROM
  wanted w
  CROSS JOIN LATERAL (
    SELECT
      l.id
    FROM
      named l
    WHERE
      l.money = w.money
      AND l.day IS NOT DISTINCT FROM w.day
      AND NOT (
        w."isReferred"
        AND w."isNamed"
        AND l."isNamedReference"
      )
      AND (
        l.key = w.money
        OR w.day IS NULL
        OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
        OR (
          l.booked_on IS NULL
          OR NOT w."isBooked"
        )
        AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
      )
      AND (
        l.end_to_end_id = w."endToEndId"
        OR l.named_reference = w.named
      )
      AND (
        $8::integer IS NOT NULL
        OR (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
        AND (
          CASE
            WHEN l.counterparty_account_type = 'iban'
            AND l.identifiers ->> 'doubtfulAccount' IS NULL THEN l.counterparty_account
          END <> w.iban
          AND NOT (
            coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
            OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
          )
          AND NOT (
            coalesce(
              CASE
                WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                AND w."ofTransaction" IS NOT NULL THEN (
                  l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                  OR length(l.identifiers ->> 'transactionBankReference') = 16
                  AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                  OR length(w."ofTransaction") = 16
                  AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                )
                ELSE coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                  ),
                  FALSE
                )
              END,
              FALSE
            )
            AND coalesce(l.end_to_end_id = w."endToEndId", FALSE)
          )
        ) IS NOT TRUE
        AND (
          l.identifiers ->> $9 <> '-'
          AND w."isNamed"
          AND NOT (
            coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
            OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
          )
          AND (
            l.identifiers ->> 'transactionId' <> w."transactionId"
            OR w."isReferred"
            AND (
              coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
              AND l.identifiers ->> 'doubtfulReference' IS NULL
            )
            AND NOT coalesce(
              CASE
                WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                AND w."ofTransaction" IS NOT NULL THEN (
                  l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                  OR length(l.identifiers ->> 'transactionBankReference') = 16
                  AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                  OR length(w."ofTransaction") = 16
                  AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                )
                ELSE coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                  ),
                  FALSE
                )
              END,
              FALSE
            )
          )
        ) IS NOT TRUE
        AND (
          (
            l.key = w.money
            OR w.day IS NULL
            OR l.key = w.money || to_char(w.day, 'YYYY-MM-DD')
            OR coalesce(l.valued_on, l.booked_on) = w."valuedOn"
          )
          OR l.identifiers ->> $9 IS NOT NULL IS NOT TRUE
          OR (
            coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
            OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
          )
          OR coalesce(
            CASE
              WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
              AND w."ofTransaction" IS NOT NULL THEN (
                l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                OR length(l.identifiers ->> 'transactionBankReference') = 16
                AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                OR length(w."ofTransaction") = 16
                AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
              )
              ELSE coalesce(
                (
                  l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                  OR length(l.identifiers ->> 'transactionBankReference') = 16
                  AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                  OR length(w."ofTransaction") = 16
                  AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                ),
                FALSE
              )
              OR coalesce(
                (
                  l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                  OR length(l.identifiers ->> 'transactionBankReference') = 16
                  AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                  OR length(w."ofEntry") = 16
                  AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                ),
                FALSE
              )
              OR coalesce(
                (
                  l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                  OR length(l.identifiers ->> 'entryBankReference') = 16
                  AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                  OR length(w."ofTransaction") = 16
                  AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                ),
                FALSE
              )
              OR coalesce(
                (
                  l.identifiers ->> 'entryBankReference' = w."ofEntry"
                  OR length(l.identifiers ->> 'entryBankReference') = 16
                  AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                  OR length(w."ofEntry") = 16
                  AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                ),
                FALSE
              )
            END,
            FALSE
          )
          OR l.end_to_end_id = w."endToEndId"
          OR l.named_reference = w.named
        )
      )
    LIMIT
      1
  ) l
UNION ALL
SELECT
  w.n,
  l.id
FROM
  wanted w
  CROSS JOIN LATERAL (
    SELECT
      l.id
    FROM
      (
        SELECT
          l.*
        FROM
          bank_lines l
        WHERE
          l.identifiers ->> 'uetr' IS NOT NULL
          AND (l.identifiers ->> 'uetr', l.account, l.mode) BETWEEN (w."uetr", $2, $1) AND (w."uetr", $2, $1)
          AND l.direction = split_part(w.money, '|', 1)
        UNION ALL
        SELECT
          l.*
        FROM
          bank_lines l
        WHERE
          l.identifiers ->> 'transactionId' IS NOT NULL
          AND (l.identifiers ->> 'transactionId', l.account, l.mode) BETWEEN (w."transactionId", $2, $1) AND (w."transactionId", $2, $1)
          AND l.direction = split_part(w.money, '|', 1)
          AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
          AND (
            starts_with(l.key, w.money)
            OR l.end_to_end_id = w."endToEndId"
            OR l.named_reference = w.named
            OR coalesce(
              CASE
                WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                AND w."ofTransaction" IS NOT NULL THEN (
                  l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                  OR length(l.identifiers ->> 'transactionBankReference') = 16
                  AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                  OR length(w."ofTransaction") = 16
                  AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                )
                ELSE coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                  ),
                  FALSE
                )
              END,
              FALSE
            )
          )
      ) l
    WHERE
      l.status = 'booked'
      AND l.reason IS DISTINCT FROM 'same_booking'
      AND NOT l.id = ANY ($7::UUID[])
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND p.statement_id = ANY (ARRAY[$3::uuid])
          AND p.status IS DISTINCT FROM 'announced'
      )
    LIMIT
      1
  ) l
UNION ALL
SELECT
  w.n,
  l.id
FROM
  called w
  JOIN twice_named l ON (l.money, l.reference, l.end_to_end_id) = (w.money, w.reference, w."endToEndId")
WHERE
  coalesce(
    CASE
      WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
      AND w."ofTransaction" IS NOT NULL THEN (
        l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
        OR length(l.identifiers ->> 'transactionBankReference') = 16
        AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
        OR length(w."ofTransaction") = 16
        AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
      )
      ELSE coalesce(
        (
          l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
          OR length(l.identifiers ->> 'transactionBankReference') = 16
          AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
          OR length(w."ofTransaction") = 16
          AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
        ),
        FALSE
      )
      OR coalesce(
        (
          l.identifiers ->> 'transactionBankReference' = w."ofEntry"
          OR length(l.identifiers ->> 'transactionBankReference') = 16
          AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
          OR length(w."ofEntry") = 16
          AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
        ),
        FALSE
      )
      OR coalesce(
        (
          l.identifiers ->> 'entryBankReference' = w."ofTransaction"
          OR length(l.identifiers ->> 'entryBankReference') = 16
          AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
          OR length(w."ofTransaction") = 16
          AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
        ),
        FALSE
      )
      OR coalesce(
        (
          l.identifiers ->> 'entryBankReference' = w."ofEntry"
          OR length(l.identifiers ->> 'entryBankReference') = 16
          AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
          OR length(w."ofEntry") = 16
          AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
        ),
        FALSE
      )
    END,
    FALSE
  )
  AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE;

-- RECHECK
WITH
  known AS (
    SELECT
      l.id,
      l.identifiers,
      regexp_replace(l.key, '[^|]*$', '') AS money,
      coalesce(l.booked_on, l.valued_on) AS DAY,
      coalesce(l.valued_on, l.booked_on) AS "valuedOn",
      l.booked_on IS NOT NULL AS "isBooked",
      l.identifiers ->> 'transactionBankReference' AS "ofTransaction",
      l.identifiers ->> 'entryBankReference' AS "ofEntry",
      (
        coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
        AND l.identifiers ->> 'doubtfulReference' IS NULL
      ) AS "isReferred",
      l.identifiers ->> 'uetr' AS uetr,
      l.identifiers ->> 'transactionId' AS "transactionId",
      CASE
        WHEN l.counterparty_account_type = 'iban'
        AND l.identifiers ->> 'doubtfulAccount' IS NULL THEN l.counterparty_account
      END AS iban,
      l.end_to_end_id AS "endToEndId",
      l.named_reference AS named,
      l.id = ANY ($4::UUID[]) AS "isWhole",
      l.id = ANY ($4::UUID[]) AS "isSettled"
    FROM
      bank_lines l
    WHERE
      l.id = ANY ($3::UUID[] || $4::UUID[])
      AND l.status = 'booked'
      AND l.looked_at IS NULL
      AND l.duplicate_of IS NULL
      AND NOT (
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
      AND (
        l.direction = 'in'
        AND l.kind = 'payment'
        OR l.kind IN ('return', 'reversal')
        OR l.direction = 'out'
        AND l.named_reference IS NOT NULL
      )
  ),
  asked AS MATERIALIZED (
    SELECT
      *,
      (
        5 + CASE
          WHEN w."isBooked" THEN least(abs(w.day - w."valuedOn"), 30)
          ELSE 30
        END
      ) AS spread
    FROM
      known w
  ),
  found AS MATERIALIZED (
    SELECT
      w.id,
      o.id AS other
    FROM
      asked w
      CROSS JOIN LATERAL (
        SELECT
          l.id
        FROM
          (
            SELECT
              l.*
            FROM
              (
                VALUES
                  ('=' || left(w."endToEndId", 64))
              ) m (mark)
              CROSS JOIN (
                VALUES
                  (w.money, w.money),
                  (
                    w.money || coalesce(to_char(w.day - w.spread, 'YYYY-MM-DD'), ''),
                    w.money || coalesce(to_char(w.day + w.spread, 'YYYY-MM-DD'), '~')
                  )
              ) r (low, high)
              CROSS JOIN LATERAL (
                SELECT
                  l.*
                FROM
                  bank_lines l
                WHERE
                  ((coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C", l.account, l.mode, l.key, l.ordinal) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
                OFFSET
                  0
              ) l
            WHERE
              l.end_to_end_id = w."endToEndId"
              AND (
                l.key = w.money
                OR w.day IS NULL
                OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
                OR (
                  l.booked_on IS NULL
                  OR NOT w."isBooked"
                )
                AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
              )
            UNION ALL
            SELECT
              l.*
            FROM
              (
                VALUES
                  (w.money, w.money),
                  (
                    w.money || coalesce(to_char(w.day - w.spread, 'YYYY-MM-DD'), ''),
                    w.money || coalesce(to_char(w.day + w.spread, 'YYYY-MM-DD'), '~')
                  )
              ) r (low, high)
              CROSS JOIN LATERAL (
                SELECT
                  l.*
                FROM
                  bank_lines l
                WHERE
                  l.named_reference = w.named
                  AND (l.named_reference, l.account, l.mode, l.key, l.ordinal) BETWEEN (w.named, $2, $1, r.low, 0) AND (w.named, $2, $1, r.high, 2147483647)
                OFFSET
                  0
              ) l
            WHERE
              (
                l.key = w.money
                OR w.day IS NULL
                OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
                OR (
                  l.booked_on IS NULL
                  OR NOT w."isBooked"
                )
                AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
              )
            UNION ALL
            SELECT
              l.*
            FROM
              bank_lines l
            WHERE
              l.identifiers ->> 'uetr' IS NOT NULL
              AND (l.identifiers ->> 'uetr', l.account, l.mode) BETWEEN (w."uetr", $2, $1) AND (w."uetr", $2, $1)
              AND l.direction = split_part(w.money, '|', 1)
            UNION ALL
            SELECT
              l.*
            FROM
              bank_lines l
            WHERE
              l.identifiers ->> 'transactionId' IS NOT NULL
              AND (l.identifiers ->> 'transactionId', l.account, l.mode) BETWEEN (w."transactionId", $2, $1) AND (w."transactionId", $2, $1)
              AND l.direction = split_part(w.money, '|', 1)
              AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
              AND (
                starts_with(l.key, w.money)
                OR l.end_to_end_id = w."endToEndId"
                OR l.named_reference = w.named
                OR coalesce(
                  CASE
                    WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                    AND w."ofTransaction" IS NOT NULL THEN (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    )
                    ELSE coalesce(
                      (
                        l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                        OR length(l.identifiers ->> 'transactionBankReference') = 16
                        AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                        OR length(w."ofTransaction") = 16
                        AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                      ),
                      FALSE
                    )
                    OR coalesce(
                      (
                        l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                        OR length(l.identifiers ->> 'transactionBankReference') = 16
                        AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                        OR length(w."ofEntry") = 16
                        AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                      ),
                      FALSE
                    )
                    OR coalesce(
                      (
                        l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                        OR length(l.identifiers ->> 'entryBankReference') = 16
                        AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                        OR length(w."ofTransaction") = 16
                        AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                      ),
                      FALSE
                    )
                    OR coalesce(
                      (
                        l.identifiers ->> 'entryBankReference' = w."ofEntry"
                        OR length(l.identifiers ->> 'entryBankReference') = 16
                        AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                        OR length(w."ofEntry") = 16
                        AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                      ),
                      FALSE
                    )
                  END,
                  FALSE
                )
              )
            UNION ALL
            SELECT
              l.*
            FROM
              (
                VALUES
                  ('=' || left(coalesce(w."ofTransaction", w."ofEntry"), 16), w.money, w.money || '~')
              ) m (mark, low, high)
              CROSS JOIN LATERAL (
                SELECT
                  m.low,
                  m.high
              ) r
              CROSS JOIN LATERAL (
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
                  ) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
                OFFSET
                  0
              ) l
            WHERE
              l.end_to_end_id = w."endToEndId"
              AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
              AND coalesce(
                CASE
                  WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                  AND w."ofTransaction" IS NOT NULL THEN (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  )
                  ELSE coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                END,
                FALSE
              )
            UNION ALL
            SELECT
              l.*
            FROM
              (
                SELECT
                  l.*
                FROM
                  generate_series(0, 2 * w.spread + 1) d (n)
                  CROSS JOIN LATERAL (
                    SELECT
                      CASE d.n
                        WHEN 0 THEN w.money
                        ELSE w.money || to_char(w.day + d.n - w.spread - 1, 'YYYY-MM-DD')
                      END AS key
                  ) k
                  LEFT JOIN json_to_recordset($5::json) r (key text, low integer, high integer) ON r.key = k.key
                  CROSS JOIN LATERAL (
                    SELECT
                      *
                    FROM
                      bank_lines l
                    WHERE
                      (l.key, l.account, l.mode, l.ordinal) BETWEEN (k.key, $2, $1, coalesce(r.low, 0)) AND (k.key, $2, $1, coalesce(r.high, 2147483647))
                    OFFSET
                      0
                  ) l
                UNION ALL
                SELECT
                  l.*
                FROM
                  bank_lines l
                WHERE
                  w.day IS NULL
                  AND l.key BETWEEN w.money || '0' AND w.money || '~'
                  AND l.account = $2
                  AND l.mode = $1
              ) l
            WHERE
              w."isWhole"
              AND (
                l.key = w.money
                OR w.day IS NULL
                OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
                OR (
                  l.booked_on IS NULL
                  OR NOT w."isBooked"
                )
                AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
              )
          ) l
        WHERE
          l.id <> w.id
          AND l.status = 'booked'
          AND l.reason IS DISTINCT FROM 'same_booking'
          AND (
            l.duplicate_of IS NULL
            OR l.marked_distinct_by IS NOT NULL
          )
          AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
          AND (
            CASE
              WHEN l.counterparty_account_type = 'iban'
              AND l.identifiers ->> 'doubtfulAccount' IS NULL THEN l.counterparty_account
            END <> w.iban
            AND NOT (
              coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
              OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
            )
            AND NOT (
              coalesce(
                CASE
                  WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                  AND w."ofTransaction" IS NOT NULL THEN (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  )
                  ELSE coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                END,
                FALSE
              )
              AND coalesce(l.end_to_end_id = w."endToEndId", FALSE)
            )
          ) IS NOT TRUE
          AND (
            EXISTS (
              SELECT
              FROM
                json_each_text(l.identifiers) a
                JOIN json_each_text(w.identifiers) b ON b.key = a.key
                AND starts_with(a.key, 'nameIn ')
                AND a.value <> '-'
                AND b.value <> '-'
            )
            AND NOT (
              coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
              OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
            )
            AND (
              l.identifiers ->> 'transactionId' <> w."transactionId"
              OR w."isReferred"
              AND (
                coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
                AND l.identifiers ->> 'doubtfulReference' IS NULL
              )
              AND NOT coalesce(
                CASE
                  WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                  AND w."ofTransaction" IS NOT NULL THEN (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  )
                  ELSE coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                END,
                FALSE
              )
            )
          ) IS NOT TRUE
          AND (
            (
              l.key = w.money
              OR w.day IS NULL
              OR l.key = w.money || to_char(w.day, 'YYYY-MM-DD')
              OR coalesce(l.valued_on, l.booked_on) = w."valuedOn"
            )
            OR EXISTS (
              SELECT
              FROM
                json_each_text(l.identifiers) a
                JOIN json_each_text(w.identifiers) b ON b.key = a.key
                AND starts_with(a.key, 'nameIn ')
                AND a.value IS NOT NULL
                AND b.value IS NOT NULL
            ) IS NOT TRUE
            OR (
              coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
              OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
            )
            OR coalesce(
              CASE
                WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                AND w."ofTransaction" IS NOT NULL THEN (
                  l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                  OR length(l.identifiers ->> 'transactionBankReference') = 16
                  AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                  OR length(w."ofTransaction") = 16
                  AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                )
                ELSE coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                  ),
                  FALSE
                )
              END,
              FALSE
            )
            OR l.end_to_end_id = w."endToEndId"
            OR l.named_reference = w.named
          )
          AND NOT (
            (
              w."isSettled"
              OR NOT (
                coalesce(l.named_reference = w.named, FALSE)
                OR EXISTS (
                  SELECT
                  FROM
                    bank_lines x
                  WHERE
                    x.id IN (l.id, w.id)
                    AND upper(
                      regexp_replace(concat_ws('|', x.text, x.end_to_end_id, x.payer_references::text), '[^A-Za-z0-9]', '', 'g')
                    ) ~ 'RF[0-9]{18}.*RF[0-9]{18}'
                )
              )
            )
            AND EXISTS (
              SELECT
              FROM
                bank_line_places p
                JOIN bank_line_places o ON o.statement_id = p.statement_id
              WHERE
                p.line_id = l.id
                AND o.line_id = w.id
            )
            OR EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = w.id
                AND p.statement_id = ANY (ARRAY[$7::uuid])
                AND p.status IS DISTINCT FROM 'announced'
            )
            AND EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = l.id
                AND p.statement_id = ANY ($6::UUID[])
                AND p.status IS DISTINCT FROM 'announced'
            )
            OR EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = w.id
                AND p.statement_id = ANY ($6::UUID[])
                AND p.status IS DISTINCT FROM 'announced'
            )
            AND EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = l.id
                AND p.statement_id = ANY (ARRAY[$7::uuid])
                AND p.status IS DISTINCT FROM 'announced'
            )
          )
        LIMIT
          1
      ) o
  )
UPDATE bank_lines l
SET
  duplicate_of = f.other
FROM
  found f
WHERE
  l.id = f.id
RETURNING
  l.id;

-- CROWDED
SELECT
  w.key,
  l.id
FROM
  unnest($4::TEXT[]) w (key)
  CROSS JOIN LATERAL (
    SELECT
      l.id
    FROM
      bank_lines l
    WHERE
      (l.key, l.account, l.mode, l.ordinal) BETWEEN (w.key, $2, $1, 50) AND (w.key, $2, $1, 2147483647)
    LIMIT
      1
  ) more
  CROSS JOIN LATERAL (
    SELECT
      l.id
    FROM
      bank_lines l
    WHERE
      (l.key, l.account, l.mode, l.ordinal) BETWEEN (w.key, $2, $1, 0) AND (w.key, $2, $1, 50)
      AND l.status = 'booked'
      AND l.reason IS DISTINCT FROM 'same_booking'
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND (
            p.statement_id = $3
            OR p.statement_id = ANY ($5::UUID[])
          )
      )
    LIMIT
      1
  ) l;

-- SETTLE
UPDATE bank_lines l
SET
  duplicate_of = NULL,
  looked_at = NULL
FROM
  (
    SELECT
      id,
      duplicate_of
    FROM
      bank_lines
    WHERE
      id = ANY ($1)
      AND duplicate_of IS NOT NULL
    UNION
    SELECT
      id,
      duplicate_of
    FROM
      bank_lines
    WHERE
      duplicate_of = ANY ($1)
  ) d
  JOIN bank_lines o ON o.id = d.duplicate_of
WHERE
  l.id = d.id
  AND l.marked_distinct_by IS NULL
  AND l.state NOT IN ('superseded', 'ignored')
  AND (
    EXISTS (
      SELECT
      FROM
        bank_line_places p
      WHERE
        p.line_id = l.id
        AND p.statement_id = ANY (ARRAY[$2::uuid])
        AND p.status IS DISTINCT FROM 'announced'
    )
    AND EXISTS (
      SELECT
      FROM
        bank_line_places p
      WHERE
        p.line_id = o.id
        AND p.statement_id = ANY (ARRAY[$2::uuid])
        AND p.status IS DISTINCT FROM 'announced'
    )
    OR NOT (
      coalesce(
        CASE
          WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
          AND (o.identifiers ->> 'transactionBankReference') IS NOT NULL THEN (
            l.identifiers ->> 'transactionBankReference' = (o.identifiers ->> 'transactionBankReference')
            OR length(l.identifiers ->> 'transactionBankReference') = 16
            AND starts_with((o.identifiers ->> 'transactionBankReference'), l.identifiers ->> 'transactionBankReference')
            OR length((o.identifiers ->> 'transactionBankReference')) = 16
            AND starts_with(l.identifiers ->> 'transactionBankReference', (o.identifiers ->> 'transactionBankReference'))
          )
          ELSE coalesce(
            (
              l.identifiers ->> 'transactionBankReference' = (o.identifiers ->> 'transactionBankReference')
              OR length(l.identifiers ->> 'transactionBankReference') = 16
              AND starts_with((o.identifiers ->> 'transactionBankReference'), l.identifiers ->> 'transactionBankReference')
              OR length((o.identifiers ->> 'transactionBankReference')) = 16
              AND starts_with(l.identifiers ->> 'transactionBankReference', (o.identifiers ->> 'transactionBankReference'))
            ),
            FALSE
          )
          OR coalesce(
            (
              l.identifiers ->> 'transactionBankReference' = (o.identifiers ->> 'entryBankReference')
              OR length(l.identifiers ->> 'transactionBankReference') = 16
              AND starts_with((o.identifiers ->> 'entryBankReference'), l.identifiers ->> 'transactionBankReference')
              OR length((o.identifiers ->> 'entryBankReference')) = 16
              AND starts_with(l.identifiers ->> 'transactionBankReference', (o.identifiers ->> 'entryBankReference'))
            ),
            FALSE
          )
          OR coalesce(
            (
              l.identifiers ->> 'entryBankReference' = (o.identifiers ->> 'transactionBankReference')
              OR length(l.identifiers ->> 'entryBankReference') = 16
              AND starts_with((o.identifiers ->> 'transactionBankReference'), l.identifiers ->> 'entryBankReference')
              OR length((o.identifiers ->> 'transactionBankReference')) = 16
              AND starts_with(l.identifiers ->> 'entryBankReference', (o.identifiers ->> 'transactionBankReference'))
            ),
            FALSE
          )
          OR coalesce(
            (
              l.identifiers ->> 'entryBankReference' = (o.identifiers ->> 'entryBankReference')
              OR length(l.identifiers ->> 'entryBankReference') = 16
              AND starts_with((o.identifiers ->> 'entryBankReference'), l.identifiers ->> 'entryBankReference')
              OR length((o.identifiers ->> 'entryBankReference')) = 16
              AND starts_with(l.identifiers ->> 'entryBankReference', (o.identifiers ->> 'entryBankReference'))
            ),
            FALSE
          )
        END,
        FALSE
      )
      OR coalesce(l.identifiers ->> 'uetr' = (o.identifiers ->> 'uetr'), FALSE)
      OR coalesce(l.identifiers ->> 'transactionId' = (o.identifiers ->> 'transactionId'), FALSE)
    )
    AND (
      EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND p.statement_id = ANY (ARRAY[$2::uuid])
          AND p.status IS DISTINCT FROM 'announced'
      )
      AND EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = o.id
          AND p.statement_id = ANY ($3::UUID[])
          AND p.status IS DISTINCT FROM 'announced'
      )
      OR EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = l.id
          AND p.statement_id = ANY ($3::UUID[])
          AND p.status IS DISTINCT FROM 'announced'
      )
      AND EXISTS (
        SELECT
        FROM
          bank_line_places p
        WHERE
          p.line_id = o.id
          AND p.statement_id = ANY (ARRAY[$2::uuid])
          AND p.status IS DISTINCT FROM 'announced'
      )
    )
  )
RETURNING
  l.id;

-- INSERT_DISTINCTION
INSERT INTO
  bank_line_distinctions (line_id, other_id, user_id, created_at)
SELECT
  id,
  duplicate_of,
  $2,
  $3
FROM
  bank_lines
WHERE
  id = $1
ON CONFLICT DO NOTHING;

-- NEXT_OTHER
WITH
  known AS (
    SELECT
      l.id,
      l.identifiers,
      regexp_replace(l.key, '[^|]*$', '') AS money,
      coalesce(l.booked_on, l.valued_on) AS DAY,
      coalesce(l.valued_on, l.booked_on) AS "valuedOn",
      l.booked_on IS NOT NULL AS "isBooked",
      l.identifiers ->> 'transactionBankReference' AS "ofTransaction",
      l.identifiers ->> 'entryBankReference' AS "ofEntry",
      (
        coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
        AND l.identifiers ->> 'doubtfulReference' IS NULL
      ) AS "isReferred",
      l.identifiers ->> 'uetr' AS uetr,
      l.identifiers ->> 'transactionId' AS "transactionId",
      CASE
        WHEN l.counterparty_account_type = 'iban'
        AND l.identifiers ->> 'doubtfulAccount' IS NULL THEN l.counterparty_account
      END AS iban,
      l.end_to_end_id AS "endToEndId",
      l.named_reference AS named,
      TRUE AS "isWhole",
      FALSE AS "isSettled"
    FROM
      bank_lines l
    WHERE
      l.id = ANY ($3::UUID[] || $4::UUID[])
  ),
  asked AS MATERIALIZED (
    SELECT
      *,
      (
        5 + CASE
          WHEN w."isBooked" THEN least(abs(w.day - w."valuedOn"), 30)
          ELSE 30
        END
      ) AS spread
    FROM
      known w
  ),
  found AS MATERIALIZED (
    SELECT
      w.id,
      o.id AS other
    FROM
      asked w
      CROSS JOIN LATERAL (
        SELECT
          l.id
        FROM
          (
            SELECT
              l.*
            FROM
              (
                VALUES
                  ('=' || left(w."endToEndId", 64))
              ) m (mark)
              CROSS JOIN (
                VALUES
                  (w.money, w.money),
                  (
                    w.money || coalesce(to_char(w.day - w.spread, 'YYYY-MM-DD'), ''),
                    w.money || coalesce(to_char(w.day + w.spread, 'YYYY-MM-DD'), '~')
                  )
              ) r (low, high)
              CROSS JOIN LATERAL (
                SELECT
                  l.*
                FROM
                  bank_lines l
                WHERE
                  ((coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C", l.account, l.mode, l.key, l.ordinal) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
                OFFSET
                  0
              ) l
            WHERE
              l.end_to_end_id = w."endToEndId"
              AND (
                l.key = w.money
                OR w.day IS NULL
                OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
                OR (
                  l.booked_on IS NULL
                  OR NOT w."isBooked"
                )
                AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
              )
            UNION ALL
            SELECT
              l.*
            FROM
              (
                VALUES
                  (w.money, w.money),
                  (
                    w.money || coalesce(to_char(w.day - w.spread, 'YYYY-MM-DD'), ''),
                    w.money || coalesce(to_char(w.day + w.spread, 'YYYY-MM-DD'), '~')
                  )
              ) r (low, high)
              CROSS JOIN LATERAL (
                SELECT
                  l.*
                FROM
                  bank_lines l
                WHERE
                  l.named_reference = w.named
                  AND (l.named_reference, l.account, l.mode, l.key, l.ordinal) BETWEEN (w.named, $2, $1, r.low, 0) AND (w.named, $2, $1, r.high, 2147483647)
                OFFSET
                  0
              ) l
            WHERE
              (
                l.key = w.money
                OR w.day IS NULL
                OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
                OR (
                  l.booked_on IS NULL
                  OR NOT w."isBooked"
                )
                AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
              )
            UNION ALL
            SELECT
              l.*
            FROM
              bank_lines l
            WHERE
              l.identifiers ->> 'uetr' IS NOT NULL
              AND (l.identifiers ->> 'uetr', l.account, l.mode) BETWEEN (w."uetr", $2, $1) AND (w."uetr", $2, $1)
              AND l.direction = split_part(w.money, '|', 1)
            UNION ALL
            SELECT
              l.*
            FROM
              bank_lines l
            WHERE
              l.identifiers ->> 'transactionId' IS NOT NULL
              AND (l.identifiers ->> 'transactionId', l.account, l.mode) BETWEEN (w."transactionId", $2, $1) AND (w."transactionId", $2, $1)
              AND l.direction = split_part(w.money, '|', 1)
              AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
              AND (
                starts_with(l.key, w.money)
                OR l.end_to_end_id = w."endToEndId"
                OR l.named_reference = w.named
                OR coalesce(
                  CASE
                    WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                    AND w."ofTransaction" IS NOT NULL THEN (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    )
                    ELSE coalesce(
                      (
                        l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                        OR length(l.identifiers ->> 'transactionBankReference') = 16
                        AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                        OR length(w."ofTransaction") = 16
                        AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                      ),
                      FALSE
                    )
                    OR coalesce(
                      (
                        l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                        OR length(l.identifiers ->> 'transactionBankReference') = 16
                        AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                        OR length(w."ofEntry") = 16
                        AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                      ),
                      FALSE
                    )
                    OR coalesce(
                      (
                        l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                        OR length(l.identifiers ->> 'entryBankReference') = 16
                        AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                        OR length(w."ofTransaction") = 16
                        AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                      ),
                      FALSE
                    )
                    OR coalesce(
                      (
                        l.identifiers ->> 'entryBankReference' = w."ofEntry"
                        OR length(l.identifiers ->> 'entryBankReference') = 16
                        AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                        OR length(w."ofEntry") = 16
                        AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                      ),
                      FALSE
                    )
                  END,
                  FALSE
                )
              )
            UNION ALL
            SELECT
              l.*
            FROM
              (
                VALUES
                  ('=' || left(coalesce(w."ofTransaction", w."ofEntry"), 16), w.money, w.money || '~')
              ) m (mark, low, high)
              CROSS JOIN LATERAL (
                SELECT
                  m.low,
                  m.high
              ) r
              CROSS JOIN LATERAL (
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
                  ) BETWEEN (m.mark, $2, $1, r.low, 0) AND (m.mark, $2, $1, r.high, 2147483647)
                OFFSET
                  0
              ) l
            WHERE
              l.end_to_end_id = w."endToEndId"
              AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
              AND coalesce(
                CASE
                  WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                  AND w."ofTransaction" IS NOT NULL THEN (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  )
                  ELSE coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                END,
                FALSE
              )
            UNION ALL
            SELECT
              l.*
            FROM
              (
                SELECT
                  l.*
                FROM
                  generate_series(0, 2 * w.spread + 1) d (n)
                  CROSS JOIN LATERAL (
                    SELECT
                      CASE d.n
                        WHEN 0 THEN w.money
                        ELSE w.money || to_char(w.day + d.n - w.spread - 1, 'YYYY-MM-DD')
                      END AS key
                  ) k
                  LEFT JOIN json_to_recordset($5::json) r (key text, low integer, high integer) ON r.key = k.key
                  CROSS JOIN LATERAL (
                    SELECT
                      *
                    FROM
                      bank_lines l
                    WHERE
                      (l.key, l.account, l.mode, l.ordinal) BETWEEN (k.key, $2, $1, coalesce(r.low, 0)) AND (k.key, $2, $1, coalesce(r.high, 2147483647))
                    OFFSET
                      0
                  ) l
                UNION ALL
                SELECT
                  l.*
                FROM
                  bank_lines l
                WHERE
                  w.day IS NULL
                  AND l.key BETWEEN w.money || '0' AND w.money || '~'
                  AND l.account = $2
                  AND l.mode = $1
              ) l
            WHERE
              w."isWhole"
              AND (
                l.key = w.money
                OR w.day IS NULL
                OR abs(coalesce(l.booked_on, l.valued_on) - w.day) <= 5
                OR (
                  l.booked_on IS NULL
                  OR NOT w."isBooked"
                )
                AND abs(coalesce(l.valued_on, l.booked_on) - w."valuedOn") <= 5
              )
          ) l
        WHERE
          l.id <> w.id
          AND l.status = 'booked'
          AND l.reason IS DISTINCT FROM 'same_booking'
          AND (
            l.duplicate_of IS NULL
            OR l.marked_distinct_by IS NOT NULL
          )
          AND (l.identifiers ->> 'uetr' <> w.uetr) IS NOT TRUE
          AND (
            CASE
              WHEN l.counterparty_account_type = 'iban'
              AND l.identifiers ->> 'doubtfulAccount' IS NULL THEN l.counterparty_account
            END <> w.iban
            AND NOT (
              coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
              OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
            )
            AND NOT (
              coalesce(
                CASE
                  WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                  AND w."ofTransaction" IS NOT NULL THEN (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  )
                  ELSE coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                END,
                FALSE
              )
              AND coalesce(l.end_to_end_id = w."endToEndId", FALSE)
            )
          ) IS NOT TRUE
          AND (
            EXISTS (
              SELECT
              FROM
                json_each_text(l.identifiers) a
                JOIN json_each_text(w.identifiers) b ON b.key = a.key
                AND starts_with(a.key, 'nameIn ')
                AND a.value <> '-'
                AND b.value <> '-'
            )
            AND NOT (
              coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
              OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
            )
            AND (
              l.identifiers ->> 'transactionId' <> w."transactionId"
              OR w."isReferred"
              AND (
                coalesce(l.identifiers ->> 'transactionBankReference', l.identifiers ->> 'entryBankReference') IS NOT NULL
                AND l.identifiers ->> 'doubtfulReference' IS NULL
              )
              AND NOT coalesce(
                CASE
                  WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                  AND w."ofTransaction" IS NOT NULL THEN (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  )
                  ELSE coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'transactionBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofTransaction") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                    ),
                    FALSE
                  )
                  OR coalesce(
                    (
                      l.identifiers ->> 'entryBankReference' = w."ofEntry"
                      OR length(l.identifiers ->> 'entryBankReference') = 16
                      AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                      OR length(w."ofEntry") = 16
                      AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                    ),
                    FALSE
                  )
                END,
                FALSE
              )
            )
          ) IS NOT TRUE
          AND (
            (
              l.key = w.money
              OR w.day IS NULL
              OR l.key = w.money || to_char(w.day, 'YYYY-MM-DD')
              OR coalesce(l.valued_on, l.booked_on) = w."valuedOn"
            )
            OR EXISTS (
              SELECT
              FROM
                json_each_text(l.identifiers) a
                JOIN json_each_text(w.identifiers) b ON b.key = a.key
                AND starts_with(a.key, 'nameIn ')
                AND a.value IS NOT NULL
                AND b.value IS NOT NULL
            ) IS NOT TRUE
            OR (
              coalesce(l.identifiers ->> 'uetr' = w.uetr, FALSE)
              OR coalesce(l.identifiers ->> 'transactionId' = w."transactionId", FALSE)
            )
            OR coalesce(
              CASE
                WHEN l.identifiers ->> 'transactionBankReference' IS NOT NULL
                AND w."ofTransaction" IS NOT NULL THEN (
                  l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                  OR length(l.identifiers ->> 'transactionBankReference') = 16
                  AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                  OR length(w."ofTransaction") = 16
                  AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                )
                ELSE coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'transactionBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'transactionBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'transactionBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'transactionBankReference', w."ofEntry")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofTransaction"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofTransaction", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofTransaction") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofTransaction")
                  ),
                  FALSE
                )
                OR coalesce(
                  (
                    l.identifiers ->> 'entryBankReference' = w."ofEntry"
                    OR length(l.identifiers ->> 'entryBankReference') = 16
                    AND starts_with(w."ofEntry", l.identifiers ->> 'entryBankReference')
                    OR length(w."ofEntry") = 16
                    AND starts_with(l.identifiers ->> 'entryBankReference', w."ofEntry")
                  ),
                  FALSE
                )
              END,
              FALSE
            )
            OR l.end_to_end_id = w."endToEndId"
            OR l.named_reference = w.named
          )
          AND NOT (
            (
              w."isSettled"
              OR NOT (
                coalesce(l.named_reference = w.named, FALSE)
                OR EXISTS (
                  SELECT
                  FROM
                    bank_lines x
                  WHERE
                    x.id IN (l.id, w.id)
                    AND upper(
                      regexp_replace(concat_ws('|', x.text, x.end_to_end_id, x.payer_references::text), '[^A-Za-z0-9]', '', 'g')
                    ) ~ 'RF[0-9]{18}.*RF[0-9]{18}'
                )
              )
            )
            AND EXISTS (
              SELECT
              FROM
                bank_line_places p
                JOIN bank_line_places o ON o.statement_id = p.statement_id
              WHERE
                p.line_id = l.id
                AND o.line_id = w.id
            )
            OR EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = w.id
                AND p.statement_id = ANY (ARRAY[$7::uuid])
                AND p.status IS DISTINCT FROM 'announced'
            )
            AND EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = l.id
                AND p.statement_id = ANY ($6::UUID[])
                AND p.status IS DISTINCT FROM 'announced'
            )
            OR EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = w.id
                AND p.statement_id = ANY ($6::UUID[])
                AND p.status IS DISTINCT FROM 'announced'
            )
            AND EXISTS (
              SELECT
              FROM
                bank_line_places p
              WHERE
                p.line_id = l.id
                AND p.statement_id = ANY (ARRAY[$7::uuid])
                AND p.status IS DISTINCT FROM 'announced'
            )
          )
          AND NOT EXISTS (
            SELECT
            FROM
              bank_line_distinctions x
            WHERE
              (x.line_id, x.other_id) IN ((w.id, l.id), (l.id, w.id))
          )
        LIMIT
          1
      ) o
  )
UPDATE bank_lines l
SET
  duplicate_of = f.other
FROM
  found f
WHERE
  l.id = f.id
RETURNING
  l.id;

-- LEAVE_MERGED
UPDATE bank_lines l
SET
  duplicate_of = NULL,
  looked_at = NULL
FROM
  bank_lines o
WHERE
  l.id = $1
  AND o.id = l.duplicate_of
  AND o.state = 'superseded'
  AND o.reason = 'same_booking'
RETURNING
  l.mode,
  l.account;

-- DELETE_DISTINCTIONS
DELETE FROM bank_line_distinctions
WHERE
  line_id = $1;

-- MARK_DISTINCT
UPDATE bank_lines
SET
  marked_distinct_by = $2,
  state = 'unmatched',
  reason = NULL,
  looked_at = NULL
WHERE
  id = $1;

-- UNDO_MARK_DISTINCT
UPDATE bank_lines
SET
  marked_distinct_by = NULL,
  state = 'unmatched',
  reason = NULL,
  looked_at = NULL
WHERE
  id = $1
  AND NOT (
    EXISTS (
      SELECT
      FROM
        bank_allocations x
      WHERE
        x.line_id = id
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
        x.line_id = id
        AND x.undone_at IS NULL
    )
    OR EXISTS (
      SELECT
      FROM
        bank_payout_lines x
      WHERE
        x.line_id = id
    )
  )
RETURNING
  id;
