-- LOCK_ACCOUNT
SELECT
  set_config('idle_in_transaction_session_timeout', '60s', TRUE),
  pg_advisory_xact_lock(hashtextextended ('bank ' || $1 || ' ' || $2, 0));

-- BY_MARKS
SELECT DISTINCT
  ON (l.id) l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt",
  ARRAY(
    SELECT
      p.statement_id
    FROM
      bank_line_places p
    WHERE
      p.line_id = CASE
        WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id)
        ELSE l.id
      END
      AND (
        l.status = 'announced'
        OR p.status IS DISTINCT FROM 'announced'
      )
  ) AS statements
FROM
  json_to_recordset($4::json) w (mark text, of text, low text, first integer, high text, last integer, among text)
  CROSS JOIN LATERAL (
    SELECT
      *
    FROM
      bank_lines l
    WHERE
      w.of = 'bank'
      AND (
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
      ) BETWEEN (w.mark, $2, $1, w.low, w.first) AND (w.mark, $2, $1, w.high, w.last)
    UNION ALL
    SELECT
      *
    FROM
      bank_lines l
    WHERE
      w.of = 'bank'
      AND l.identifiers ->> 'transactionBankReference' IS NOT NULL
      AND (
        ('=' || left(l.identifiers ->> 'entryBankReference', 16)) COLLATE "C",
        l.account,
        l.mode,
        l.key,
        l.ordinal
      ) BETWEEN (w.mark, $2, $1, w.low, w.first) AND (w.mark, $2, $1, w.high, w.last)
    UNION ALL
    SELECT
      *
    FROM
      bank_lines l
    WHERE
      w.of = 'payer'
      AND ((coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C", l.account, l.mode, l.key, l.ordinal) BETWEEN (w.mark, $2, $1, w.low, w.first) AND (w.mark, $2, $1, w.high, w.last)
    OFFSET
      0
  ) l
WHERE
  (
    w.among = 'all'
    OR w.among = 'announced'
    AND l.status = 'announced'
    OR w.among = 'referred'
    AND (
      w.mark LIKE '=%'
      OR l.identifiers ->> 'transactionId' = ANY ($5)
      OR l.identifiers ->> 'uetr' = ANY ($5)
      OR l.identifiers ->> 'instructionId' = ANY ($5)
    )
  )
  AND $3::uuid <> ALL (
    ARRAY(
      SELECT
        p.statement_id
      FROM
        bank_line_places p
      WHERE
        p.line_id = CASE
          WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id)
          ELSE l.id
        END
        AND (
          l.status = 'announced'
          OR p.status IS DISTINCT FROM 'announced'
        )
    )
  );

-- BY_KEYS
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt",
  ARRAY(
    SELECT
      p.statement_id
    FROM
      bank_line_places p
    WHERE
      p.line_id = CASE
        WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id)
        ELSE l.id
      END
      AND (
        l.status = 'announced'
        OR p.status IS DISTINCT FROM 'announced'
      )
  ) AS statements
FROM
  unnest($4::TEXT[], $5::INTEGER[], $6::INTEGER[]) w (key, low, high)
  CROSS JOIN LATERAL (
    SELECT
      *
    FROM
      bank_lines l
    WHERE
      (l.key, l.account, l.mode, l.ordinal) BETWEEN (w.key, $2, $1, w.low) AND (w.key, $2, $1, w.high)
    OFFSET
      0
  ) l
WHERE
  $3::uuid <> ALL (
    ARRAY(
      SELECT
        p.statement_id
      FROM
        bank_line_places p
      WHERE
        p.line_id = CASE
          WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id)
          ELSE l.id
        END
        AND (
          l.status = 'announced'
          OR p.status IS DISTINCT FROM 'announced'
        )
    )
  );

-- PROVE
UPDATE bank_lines
SET
  unproven = NULL,
  looked_at = CASE
    WHEN state IN ('suggested', 'unmatched', 'not_a_payment')
    AND coalesce(reason <> ALL ($2), TRUE) THEN NULL
    ELSE looked_at
  END
WHERE
  id = ANY ($1)
  AND unproven IS NOT NULL;

-- LAST_ORDINALS
SELECT
  w.key,
  l.ordinal
FROM
  unnest($3::TEXT[]) w (key)
  CROSS JOIN LATERAL (
    SELECT
      l.ordinal
    FROM
      bank_lines l
    WHERE
      (l.key, l.account, l.mode, l.ordinal) BETWEEN (w.key, $2, $1, 0) AND (w.key, $2, $1, 2147483647)
    ORDER BY
      l.key DESC,
      l.account DESC,
      l.mode DESC,
      l.ordinal DESC
    LIMIT
      1
  ) l;

-- BY_BATCHES
SELECT
  l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt",
  ARRAY(
    SELECT
      p.statement_id
    FROM
      bank_line_places p
    WHERE
      p.line_id = CASE
        WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id)
        ELSE l.id
      END
      AND (
        l.status = 'announced'
        OR p.status IS DISTINCT FROM 'announced'
      )
  ) AS statements
FROM
  bank_lines l
WHERE
  l.mode = $1
  AND l.account = $2
  AND l.batch_key IS NOT NULL
  AND l.batch_key = ANY ($3);

-- ANNOUNCED_AROUND
SELECT DISTINCT
  ON (l.id) l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt",
  ARRAY(
    SELECT
      p.statement_id
    FROM
      bank_line_places p
    WHERE
      p.line_id = CASE
        WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id)
        ELSE l.id
      END
      AND (
        l.status = 'announced'
        OR p.status IS DISTINCT FROM 'announced'
      )
  ) AS statements
FROM
  unnest($3::TEXT[], $4::TEXT[]) w (low, high)
  JOIN bank_lines l ON l.mode = $1
  AND l.account = $2
  AND l.key >= w.low
  AND l.key <= w.high
WHERE
  l.status = 'announced';

-- REFERRED_AROUND
SELECT DISTINCT
  ON (l.id) l.id AS "id",
  l.mode AS "mode",
  l.account AS "account",
  l.key AS "key",
  l.ordinal AS "ordinal",
  l.booked_on AS "bookedOn",
  l.valued_on AS "valuedOn",
  l.amount AS "amount",
  l.amount_text AS "amountText",
  l.currency AS "currency",
  l.direction AS "direction",
  l.status AS "status",
  l.kind AS "kind",
  l.reversal AS "reversal",
  l.returned AS "returned",
  l.contradicts AS "contradicts",
  l.counterparty_name AS "counterpartyName",
  l.counterparty_account AS "counterpartyAccount",
  l.counterparty_account_type AS "counterpartyAccountType",
  l.counterparty_bic AS "counterpartyBic",
  l.payer_references AS "references",
  l.end_to_end_id AS "endToEndId",
  l.bank_reference AS "bankReference",
  l.text AS "text",
  l.named_reference AS "namedReference",
  l.identifiers AS "identifiers",
  l.state AS "state",
  l.reason AS "reason",
  l.parent_id AS "parentId",
  l.batch_id AS "batchId",
  l.batch_key AS "batchKey",
  l.unproven AS "unproven",
  l.duplicate_of AS "duplicateOf",
  l.marked_distinct_by AS "markedDistinctBy",
  l.created_at AS "createdAt",
  l.looked_at AS "lookedAt",
  ARRAY(
    SELECT
      p.statement_id
    FROM
      bank_line_places p
    WHERE
      p.line_id = CASE
        WHEN l.reason = 'same_booking' THEN coalesce(l.duplicate_of, l.id)
        ELSE l.id
      END
      AND (
        l.status = 'announced'
        OR p.status IS DISTINCT FROM 'announced'
      )
  ) AS statements
FROM
  unnest($3::TEXT[], $4::TEXT[]) w (low, high)
  JOIN bank_lines l ON l.mode || '' = $1
  AND l.account || '' = $2
  AND l.key >= w.low
  AND l.key <= w.high
WHERE
  l.identifiers ->> 'transactionId' = ANY ($5)
  OR l.identifiers ->> 'uetr' = ANY ($5)
  OR l.identifiers ->> 'instructionId' = ANY ($5);

-- INSERT_LINES
INSERT INTO
  bank_lines (
    id,
    mode,
    account,
    key,
    ordinal,
    booked_on,
    valued_on,
    amount,
    amount_text,
    currency,
    direction,
    status,
    kind,
    reversal,
    returned,
    contradicts,
    counterparty_name,
    counterparty_account,
    counterparty_account_type,
    counterparty_bic,
    payer_references,
    end_to_end_id,
    bank_reference,
    text,
    named_reference,
    identifiers,
    state,
    reason,
    parent_id,
    batch_id,
    batch_key,
    unproven,
    duplicate_of,
    marked_distinct_by,
    formats,
    created_at,
    looked_at
  )
SELECT
  n."id",
  n."mode",
  n."account",
  n."key",
  n."ordinal",
  n."bookedOn",
  n."valuedOn",
  n."amount",
  n."amountText",
  n."currency",
  n."direction",
  n."status",
  n."kind",
  n."reversal",
  n."returned",
  n."contradicts",
  n."counterpartyName",
  n."counterpartyAccount",
  n."counterpartyAccountType",
  n."counterpartyBic",
  n."references",
  n."endToEndId",
  n."bankReference",
  n."text",
  n."namedReference",
  n."identifiers",
  n."state",
  n."reason",
  n."parentId",
  n."batchId",
  n."batchKey",
  n."unproven",
  n."duplicateOf",
  n."markedDistinctBy",
  CASE n.status
    WHEN 'booked' THEN ARRAY[s.format]
    ELSE '{}'
  END,
  n."createdAt",
  n."lookedAt"
FROM
  json_to_recordset($1::json) n (
    "id" uuid,
    "mode" text,
    "account" text,
    "key" text,
    "ordinal" integer,
    "bookedOn" date,
    "valuedOn" date,
    "amount" bigint,
    "amountText" text,
    "currency" text,
    "direction" text,
    "status" text,
    "kind" text,
    "reversal" boolean,
    "returned" boolean,
    "contradicts" text,
    "counterpartyName" text,
    "counterpartyAccount" text,
    "counterpartyAccountType" text,
    "counterpartyBic" text,
    "references" json,
    "endToEndId" text,
    "bankReference" text,
    "text" text,
    "namedReference" text,
    "identifiers" json,
    "state" text,
    "reason" text,
    "parentId" uuid,
    "batchId" uuid,
    "batchKey" text,
    "unproven" text,
    "duplicateOf" uuid,
    "markedDistinctBy" uuid,
    "createdAt" timestamptz,
    "lookedAt" timestamptz
  )
  CROSS JOIN (
    SELECT
      format_family ($2) AS format
  ) s;

-- INSERT_PLACES
INSERT INTO
  bank_line_places (statement_id, entry, detail, line_id, status)
SELECT
  n."statementId",
  n."entry",
  n."detail",
  n."lineId",
  n."status"
FROM
  json_to_recordset($1::json) n ("statementId" uuid, "entry" integer, "detail" integer, "lineId" uuid, "status" text);

-- PLACES_BETWEEN
SELECT
  p.statement_id AS "statementId",
  p.entry AS "entry",
  p.detail AS "detail",
  p.line_id AS "lineId",
  p.status AS "status"
FROM
  bank_line_places p
WHERE
  p.statement_id = $1
  AND p.entry BETWEEN $2 AND $3;

-- ENRICH_LINES
UPDATE bank_lines l
SET
  key = n."key",
  ordinal = n."ordinal",
  booked_on = n."bookedOn",
  valued_on = n."valuedOn",
  status = n."status",
  kind = n."kind",
  reversal = n."reversal",
  returned = n."returned",
  contradicts = n."contradicts",
  counterparty_name = n."counterpartyName",
  counterparty_account = n."counterpartyAccount",
  counterparty_account_type = n."counterpartyAccountType",
  counterparty_bic = n."counterpartyBic",
  payer_references = n."references",
  end_to_end_id = n."endToEndId",
  bank_reference = n."bankReference",
  text = n."text",
  named_reference = n."namedReference",
  identifiers = n."identifiers",
  batch_id = n."batchId",
  batch_key = n."batchKey",
  unproven = n."unproven",
  duplicate_of = n."duplicateOf",
  state = CASE
    WHEN n.booked IS NULL THEN l.state
    ELSE n.booked
  END,
  looked_at = CASE
    WHEN n.booked <> 'superseded'
    OR l.state IN ('suggested', 'unmatched', 'not_a_payment')
    AND coalesce(l.reason <> ALL ($2), TRUE) THEN NULL
    ELSE l.looked_at
  END
FROM
  json_to_recordset($1::json) n (
    "id" uuid,
    "key" text,
    "ordinal" integer,
    "bookedOn" date,
    "valuedOn" date,
    "status" text,
    "kind" text,
    "reversal" boolean,
    "returned" boolean,
    "contradicts" text,
    "counterpartyName" text,
    "counterpartyAccount" text,
    "counterpartyAccountType" text,
    "counterpartyBic" text,
    "references" json,
    "endToEndId" text,
    "bankReference" text,
    "text" text,
    "namedReference" text,
    "identifiers" json,
    "batchId" uuid,
    "batchKey" text,
    "unproven" text,
    "duplicateOf" uuid,
    booked text
  )
WHERE
  l.id = n.id;

-- SUPERSEDE
UPDATE bank_lines l
SET
  state = 'superseded',
  reason = NULL,
  looked_at = $2
WHERE
  l.id = ANY ($1)
  AND l.state <> 'matched'
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
RETURNING
  l.id;

-- FREE_PARTS
WITH
  freed AS (
    UPDATE bank_lines l
    SET
      duplicate_of = NULL,
      looked_at = NULL
    FROM
      bank_lines t
    WHERE
      t.id = ANY ($1)
      AND l.mode = t.mode
      AND l.account = t.account
      AND l.batch_key = t.key
      AND l.batch_id = t.batch_id
      AND l.duplicate_of = t.id
      AND l.marked_distinct_by IS NULL
      AND l.state IN ('suggested', 'unmatched')
    RETURNING
      t.id AS total,
      l.id
  )
UPDATE bank_lines t
SET
  duplicate_of = f.id
FROM
  (
    SELECT DISTINCT
      ON (total) *
    FROM
      freed
    ORDER BY
      total,
      id
  ) f
WHERE
  t.id = f.total
  AND t.duplicate_of IS NULL;

-- SUPERSEDE_PARTS
UPDATE bank_lines l
SET
  state = 'superseded',
  reason = NULL,
  looked_at = $2
FROM
  bank_lines t
WHERE
  t.id = ANY ($1)
  AND l.mode = t.mode
  AND l.account = t.account
  AND l.batch_key = t.key
  AND l.batch_id = t.batch_id
  AND l.state NOT IN ('matched', 'ignored')
  AND l.reason IS DISTINCT FROM 'same_booking'
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
  );

-- COUNT_PARTS
UPDATE bank_lines l
SET
  state = 'unmatched',
  reason = NULL,
  looked_at = NULL
FROM
  bank_lines t,
  bank_lines before
WHERE
  t.id = $1
  AND l.mode = t.mode
  AND l.account = t.account
  AND l.batch_key = t.key
  AND l.batch_id = t.batch_id
  AND l.parent_id = t.id
  AND before.id = l.id
  AND l.state = 'superseded'
  AND l.status = 'booked'
  AND coalesce(l.reason, 'total') = 'total'
  AND t.state <> 'matched'
  AND NOT (
    EXISTS (
      SELECT
      FROM
        bank_allocations x
      WHERE
        x.line_id = t.id
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
        x.line_id = t.id
        AND x.undone_at IS NULL
    )
    OR EXISTS (
      SELECT
      FROM
        bank_payout_lines x
      WHERE
        x.line_id = t.id
    )
  )
RETURNING
  before.reason;

-- TIE
UPDATE bank_lines l
SET
  batch_id = n.batch
FROM
  json_to_recordset($1::json) n (id uuid, batch uuid)
WHERE
  l.id = n.id;

-- CALL_TOTAL
UPDATE bank_lines
SET
  reason = 'total'
WHERE
  state = 'superseded'
  AND reason IS DISTINCT FROM 'same_booking'
  AND (
    id = $1
    OR parent_id = $1
  );

-- NAME_TOTALS
UPDATE bank_lines l
SET
  parent_id = t.id
FROM
  bank_lines t
WHERE
  t.id = ANY ($1)
  AND l.mode = t.mode
  AND l.account = t.account
  AND l.batch_key = t.key
  AND l.batch_id = t.batch_id;

-- LOCK_TOTALS
SELECT
FROM
  json_to_recordset($1::json) n (id uuid, batch uuid, key text)
  JOIN bank_lines t ON t.id = n.id
ORDER BY
  t.id
FOR UPDATE OF
  t;

-- SUSPECT
UPDATE bank_lines t
SET
  batch_id = n.batch,
  looked_at = NULL,
  duplicate_of = (
    SELECT
      l.id
    FROM
      bank_lines l
    WHERE
      l.mode = t.mode
      AND l.account = t.account
      AND l.batch_key = n.key
      AND l.batch_id = n.batch
      AND l.id <> t.id
    ORDER BY
      l.id
    LIMIT
      1
  )
FROM
  json_to_recordset($1::json) n (id uuid, batch uuid, key text)
WHERE
  t.id = n.id
  AND t.duplicate_of IS NULL
  AND (
    state IN ('suggested', 'unmatched')
    OR (
      state = 'not_a_payment'
      AND reason = 'unknown_money_out'
    )
  )
  AND NOT (
    EXISTS (
      SELECT
      FROM
        bank_allocations x
      WHERE
        x.line_id = t.id
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
        x.line_id = t.id
        AND x.undone_at IS NULL
    )
    OR EXISTS (
      SELECT
      FROM
        bank_payout_lines x
      WHERE
        x.line_id = t.id
    )
  );

-- SUSPECT_PARTS
UPDATE bank_lines l
SET
  duplicate_of = t.id
FROM
  json_to_recordset($1::json) n (id uuid, batch uuid, key text)
  JOIN bank_lines t ON t.id = n.id
  AND t.batch_id IS NULL
WHERE
  l.mode = t.mode
  AND l.account = t.account
  AND l.batch_key = n.key
  AND l.batch_id = n.batch
  AND (
    l.looked_at IS NULL
    OR l.status = 'announced'
    AND (
      EXISTS (
        SELECT
        FROM
          bank_allocations x
        WHERE
          x.line_id = t.id
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
          x.line_id = t.id
          AND x.undone_at IS NULL
      )
      OR EXISTS (
        SELECT
        FROM
          bank_payout_lines x
        WHERE
          x.line_id = t.id
      )
    )
  )
  AND l.duplicate_of IS NULL
  AND l.id <> t.id;

-- SUPERSEDE_ANNOUNCED
UPDATE bank_lines
SET
  state = 'superseded',
  looked_at = $2
WHERE
  id = ANY ($1)
  AND state = 'announced';

-- INSERT_STATEMENT
INSERT INTO
  bank_statements (
    id,
    mode,
    file_id,
    number,
    format,
    statement_id,
    sequence,
    account,
    currency,
    opening_balance,
    closing_balance,
    balanced,
    covers_until,
    covers_from,
    booked_from,
    booked_until,
    created_at
  )
SELECT
  n."id",
  n."mode",
  n."fileId",
  n."number",
  n."format",
  n."statementId",
  n."sequence",
  n."account",
  n."currency",
  n."openingBalance",
  n."closingBalance",
  n."balanced",
  n."coversUntil",
  n."coversFrom",
  n."bookedFrom",
  n."bookedUntil",
  n."createdAt"
FROM
  json_to_record($1::json) n (
    "id" uuid,
    "mode" text,
    "fileId" uuid,
    "number" integer,
    "format" text,
    "statementId" text,
    "sequence" text,
    "account" text,
    "currency" text,
    "openingBalance" bigint,
    "closingBalance" bigint,
    "balanced" boolean,
    "coversUntil" date,
    "coversFrom" date,
    "bookedFrom" date,
    "bookedUntil" date,
    "createdAt" timestamptz
  )
ON CONFLICT (file_id, number) DO UPDATE
SET
  number = excluded.number
RETURNING
  id;

-- COVER_DAYS
UPDATE bank_statements
SET
  covers_from = $2,
  covers_until = $3
WHERE
  id = $1;

-- REQUEUE_DIFFERENT
UPDATE bank_lines l
SET
  looked_at = NULL
FROM
  bank_statements s
WHERE
  s.id = $1
  AND l.mode = s.mode
  AND l.account = s.account
  AND l.reason IN ('total_or_payment', 'statements_differ', 'unknown_money_back')
  AND l.state IN ('suggested', 'unmatched')
  AND (
    s.balanced
    OR EXISTS (
      SELECT
      FROM
        bank_line_places p
        JOIN bank_lines k ON k.id = p.line_id
      WHERE
        p.statement_id = s.id
        AND (
          cardinality(k.formats) > 1
          OR k.state = 'superseded'
        )
    )
  );

-- NEAR_STATEMENTS
SELECT
  s.id,
  s.sequence,
  s.opening_balance AS "openingBalance",
  s.closing_balance AS "closingBalance",
  s.booked_from AS "bookedFrom",
  s.booked_until AS "bookedUntil"
FROM
  bank_statements s
  JOIN bank_statements c ON s.mode = c.mode
  AND s.account = c.account
  AND s.currency IS NOT DISTINCT FROM c.currency
  AND left(s.format, 8) = left(c.format, 8)
WHERE
  c.id = $1
  AND c.balanced
  AND s.balanced
  AND s.booked_until >= $2::date - 5
  AND s.booked_from <= $3::date + 5
LIMIT
  2001;

-- BEFORE
SELECT
  s.sequence,
  s.covers_until AS "coversUntil",
  s.closing_balance AS "closingBalance"
FROM
  bank_statements o
  CROSS JOIN LATERAL (
    SELECT
      *
    FROM
      bank_statements b
    WHERE
      b.mode = o.mode
      AND b.account = o.account
      AND b.covers_until <= $2
    ORDER BY
      b.covers_until DESC
    LIMIT
      2000
  ) s
WHERE
  o.id = $1
  AND o.id <> s.id
  AND o.currency IS NOT DISTINCT FROM s.currency
  AND s.closing_balance IS NOT NULL
  AND (s.covers_until, s.opening_balance, s.closing_balance) IS DISTINCT FROM ($3::date, o.opening_balance, o.closing_balance)
ORDER BY
  s.closing_balance = o.opening_balance
  AND s.covers_until > $2::date - 40 DESC,
  s.covers_until DESC,
  s.id DESC
LIMIT
  1;
