-- MOVE_PLACES
UPDATE bank_line_places
SET
  line_id = $2
WHERE
  line_id = $1;

-- COPY_TEXTS
UPDATE bank_lines o
SET
  (
    text,
    payer_references,
    end_to_end_id,
    named_reference,
    counterparty_name,
    counterparty_account,
    counterparty_account_type,
    counterparty_bic
  ) = (
    l.text,
    l.payer_references,
    l.end_to_end_id,
    l.named_reference,
    l.counterparty_name,
    l.counterparty_account,
    l.counterparty_account_type,
    l.counterparty_bic
  )
FROM
  bank_lines l
WHERE
  l.id = $1
  AND o.id = $2
  AND l.unproven IS NULL
  AND o.unproven IS NOT NULL
  AND o.state IN ('suggested', 'unmatched', 'not_a_payment');

-- MOVE_DUPLICATES
UPDATE bank_lines
SET
  duplicate_of = $2
WHERE
  duplicate_of = $1
  AND id <> $2;

-- TOTAL_OF
SELECT
  t.id,
  p.batch_id AS batch,
  p.batch_key AS key
FROM
  bank_lines l
  JOIN bank_lines o ON o.id = l.duplicate_of
  JOIN bank_lines t ON t.id IN (l.id, o.id)
  AND t.batch_key IS NULL
  JOIN bank_lines p ON p.id IN (l.id, o.id)
  AND p.batch_key = t.key
  AND p.batch_id IS NOT NULL
WHERE
  l.id = $1;

-- NEXT_BATCH
UPDATE bank_lines t
SET
  batch_id = n.batch_id,
  duplicate_of = n.id
FROM
  (
    SELECT DISTINCT
      ON (p.batch_id) p.batch_id,
      p.id
    FROM
      bank_lines l
      JOIN bank_lines p ON p.mode = l.mode
      AND p.account = l.account
      AND p.batch_key = l.key
    WHERE
      l.id = $1
      AND l.batch_key IS NULL
      AND p.parent_id IS NULL
      AND p.status = 'booked'
      AND (
        l.counterparty_account IS NULL
        OR l.identifiers ->> 'doubtfulAccount' IS NOT NULL
      )
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_distinctions x
          JOIN bank_lines o ON o.id = x.other_id
        WHERE
          x.line_id = l.id
          AND o.batch_id = p.batch_id
      )
      AND NOT EXISTS (
        SELECT
        FROM
          bank_line_places a
          JOIN bank_line_places b ON b.statement_id = a.statement_id
        WHERE
          a.line_id = l.id
          AND b.line_id = p.id
      )
    ORDER BY
      p.batch_id,
      p.id
    LIMIT
      1
  ) n
WHERE
  t.id = $1
RETURNING
  t.id;

-- KEEP_MERGE
INSERT INTO
  bank_line_merges (
    line_id,
    other_id,
    places,
    text,
    payer_references,
    end_to_end_id,
    named_reference,
    counterparty_name,
    counterparty_account,
    counterparty_account_type,
    counterparty_bic,
    unproven,
    created_at
  )
SELECT
  $1,
  o.id,
  coalesce(
    (
      SELECT
        json_agg(json_build_object('statementId', p.statement_id, 'entry', p.entry, 'detail', p.detail))
      FROM
        bank_line_places p
      WHERE
        p.line_id = $1
    ),
    '[]'
  ),
  o.text,
  o.payer_references,
  o.end_to_end_id,
  o.named_reference,
  o.counterparty_name,
  o.counterparty_account,
  o.counterparty_account_type,
  o.counterparty_bic,
  o.unproven,
  $3
FROM
  bank_lines o
WHERE
  o.id = $2;

-- MERGED_WITH
SELECT
  m.other_id AS id,
  m.unproven IS NOT NULL
  AND (
    EXISTS (
      SELECT
      FROM
        bank_allocations x
      WHERE
        x.line_id = m.other_id
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
        x.line_id = m.other_id
        AND x.undone_at IS NULL
    )
    OR EXISTS (
      SELECT
      FROM
        bank_payout_lines x
      WHERE
        x.line_id = m.other_id
    )
  ) AS "isUsed"
FROM
  bank_line_merges m
  JOIN bank_lines l ON l.id = m.line_id
  AND l.duplicate_of = m.other_id
WHERE
  m.line_id = $1
  AND NOT EXISTS (
    SELECT
    FROM
      bank_line_merges x
    WHERE
      x.line_id = m.other_id
  );

-- PLACES_BACK
UPDATE bank_line_places p
SET
  line_id = m.line_id
FROM
  bank_line_merges m,
  json_to_recordset(m.places) x ("statementId" uuid, entry integer, detail integer)
WHERE
  m.line_id = $1
  AND p.statement_id = x."statementId"
  AND p.entry = x.entry
  AND p.detail = x.detail;

-- RESTORE_TEXTS
UPDATE bank_lines o
SET
  (
    text,
    payer_references,
    end_to_end_id,
    named_reference,
    counterparty_name,
    counterparty_account,
    counterparty_account_type,
    counterparty_bic
  ) = (
    m.text,
    m.payer_references,
    m.end_to_end_id,
    m.named_reference,
    m.counterparty_name,
    m.counterparty_account,
    m.counterparty_account_type,
    m.counterparty_bic
  ),
  unproven = m.unproven,
  looked_at = CASE
    WHEN o.state IN ('suggested', 'unmatched', 'not_a_payment')
    AND coalesce(o.reason <> ALL ($2), TRUE) THEN NULL
    ELSE o.looked_at
  END
FROM
  bank_line_merges m
WHERE
  m.line_id = $1
  AND m.unproven IS NOT NULL
  AND o.id = m.other_id;

-- DUPLICATES_BACK
UPDATE bank_lines l
SET
  duplicate_of = m.line_id
FROM
  bank_line_merges m
WHERE
  m.line_id = $1
  AND l.duplicate_of = m.other_id
  AND l.id IN (
    SELECT
      x.line_id
    FROM
      bank_line_merges x
    WHERE
      x.other_id = m.line_id
  );

-- MAY_BE_LATER
UPDATE bank_lines l
SET
  duplicate_of = coalesce(
    (
      SELECT
        n.id
      FROM
        bank_lines n
      WHERE
        n.mode = l.mode
        AND n.account = l.account
        AND n.id <> l.id
        AND n.created_at >= m.created_at
        AND n.direction = l.direction
        AND n.amount = l.amount
        AND n.currency = l.currency
        AND n.status = 'booked'
        AND n.reason IS DISTINCT FROM 'same_booking'
        AND n.key BETWEEN regexp_replace(l.key, '[^|]*$', '') || to_char(coalesce(l.booked_on, l.valued_on) - 5, 'YYYY-MM-DD') AND regexp_replace(l.key, '[^|]*$', '') || to_char(coalesce(l.booked_on, l.valued_on) + 5, 'YYYY-MM-DD')
      ORDER BY
        n.end_to_end_id = l.end_to_end_id DESC NULLS LAST,
        n.id
      LIMIT
        1
    ),
    l.duplicate_of
  )
FROM
  bank_line_merges m
WHERE
  m.line_id = $1
  AND l.id = m.line_id;

-- FORGET_MERGE
DELETE FROM bank_line_merges
WHERE
  line_id = $1;

-- WAIT_AGAIN
UPDATE bank_lines
SET
  state = 'unmatched',
  reason = NULL,
  looked_at = NULL
WHERE
  id = $1;

-- UNTIE
UPDATE bank_lines
SET
  state = 'unmatched',
  reason = NULL,
  looked_at = NULL
WHERE
  (
    id = $1
    OR parent_id = $1
  )
  AND state = 'superseded'
  AND reason = 'total';

-- UNNAME_TOTAL
UPDATE bank_lines
SET
  parent_id = NULL
WHERE
  parent_id = $1;
