-- CONFIRM
UPDATE collection_account_changes c
SET
  confirmed_by = $2,
  confirmed_at = $3
WHERE
  c.id = $1
  AND c.confirmed_at IS NULL
  AND c.applied_at IS NULL
  AND c.withdrawn_at IS NULL
RETURNING
  c.id AS "id",
  c.kind AS "kind",
  c.account_id AS "accountId",
  c.currency AS "currency",
  c.holder AS "holder",
  c.account AS "account",
  c.bic AS "bic",
  c.bank_name AS "bankName",
  c.proposed_by AS "proposedBy",
  c.proposed_from AS "proposedFrom",
  c.proposed_at AS "proposedAt",
  c.confirmed_by AS "confirmedBy",
  c.confirmed_at AS "confirmedAt",
  c.rule AS "rule",
  c.effective_at AS "effectiveAt",
  c.withdrawn_by AS "withdrawnBy",
  c.withdrawn_at AS "withdrawnAt",
  c.applied_at AS "appliedAt",
  c.position AS "position";

-- WITHDRAW
UPDATE collection_account_changes c
SET
  withdrawn_by = $2,
  withdrawn_at = $3
WHERE
  c.id = $1
  AND c.applied_at IS NULL
  AND c.withdrawn_at IS NULL
RETURNING
  c.id AS "id",
  c.kind AS "kind",
  c.account_id AS "accountId",
  c.currency AS "currency",
  c.holder AS "holder",
  c.account AS "account",
  c.bic AS "bic",
  c.bank_name AS "bankName",
  c.proposed_by AS "proposedBy",
  c.proposed_from AS "proposedFrom",
  c.proposed_at AS "proposedAt",
  c.confirmed_by AS "confirmedBy",
  c.confirmed_at AS "confirmedAt",
  c.rule AS "rule",
  c.effective_at AS "effectiveAt",
  c.withdrawn_by AS "withdrawnBy",
  c.withdrawn_at AS "withdrawnAt",
  c.applied_at AS "appliedAt",
  c.position AS "position";

-- APPLY
UPDATE collection_account_changes c
SET
  applied_at = $2
WHERE
  c.id = $1
  AND c.effective_at <= $2
  AND c.applied_at IS NULL
  AND c.withdrawn_at IS NULL
RETURNING
  c.id AS "id",
  c.kind AS "kind",
  c.account_id AS "accountId",
  c.currency AS "currency",
  c.holder AS "holder",
  c.account AS "account",
  c.bic AS "bic",
  c.bank_name AS "bankName",
  c.proposed_by AS "proposedBy",
  c.proposed_from AS "proposedFrom",
  c.proposed_at AS "proposedAt",
  c.confirmed_by AS "confirmedBy",
  c.confirmed_at AS "confirmedAt",
  c.rule AS "rule",
  c.effective_at AS "effectiveAt",
  c.withdrawn_by AS "withdrawnBy",
  c.withdrawn_at AS "withdrawnAt",
  c.applied_at AS "appliedAt",
  c.position AS "position";

-- collection_account_changes_open
SELECT
  c.id AS "id",
  c.kind AS "kind",
  c.account_id AS "accountId",
  c.currency AS "currency",
  c.holder AS "holder",
  c.account AS "account",
  c.bic AS "bic",
  c.bank_name AS "bankName",
  c.proposed_by AS "proposedBy",
  c.proposed_from AS "proposedFrom",
  c.proposed_at AS "proposedAt",
  c.confirmed_by AS "confirmedBy",
  c.confirmed_at AS "confirmedAt",
  c.rule AS "rule",
  c.effective_at AS "effectiveAt",
  c.withdrawn_by AS "withdrawnBy",
  c.withdrawn_at AS "withdrawnAt",
  c.applied_at AS "appliedAt",
  c.position AS "position",
  p.name AS "proposedByName",
  w.name AS "confirmedByName",
  CASE
    WHEN c.proposed_by IS NULL
    AND c.confirmed_by IS NULL
    AND lone_operator_since () IS NULL THEN 'operator'
    WHEN NOT (
      c.proposed_by IS NULL
      OR EXISTS (
        SELECT
        FROM
          users u
        WHERE
          u.id = c.proposed_by
          AND u.platform_role = 'operator'
          AND u.disabled_at IS NULL
      )
    ) THEN 'proposer'
    WHEN NOT (
      c.confirmed_by IS NULL
      OR EXISTS (
        SELECT
        FROM
          users u
        WHERE
          u.id = c.confirmed_by
          AND u.platform_role = 'operator'
          AND u.disabled_at IS NULL
      )
    ) THEN 'confirmer'
    WHEN c.kind <> 'add'
    AND NOT EXISTS (
      SELECT
      FROM
        collection_accounts a
      WHERE
        a.id = c.account_id
        AND a.disabled_at IS NULL
    ) THEN 'account'
  END AS blocked,
  CASE
    WHEN collection_account_change_waits (c) THEN r.waiting_hours
    ELSE 0
  END AS "waitingHours",
  lone_operator_since () IS NOT NULL AS "isAlone"
FROM
  collection_account_changes c
  LEFT JOIN users p ON p.id = c.proposed_by
  LEFT JOIN users w ON w.id = c.confirmed_by
  CROSS JOIN operating_rules r
WHERE
  c.applied_at IS NULL
  AND c.withdrawn_at IS NULL
ORDER BY
  c.id
LIMIT
  $1;

-- collection_account_changes_due
SELECT
  c.id
FROM
  collection_account_changes c
WHERE
  c.applied_at IS NULL
  AND c.withdrawn_at IS NULL
  AND c.effective_at <= least($1, now())
  AND CASE
    WHEN c.proposed_by IS NULL
    AND c.confirmed_by IS NULL
    AND lone_operator_since () IS NULL THEN 'operator'
    WHEN NOT (
      c.proposed_by IS NULL
      OR EXISTS (
        SELECT
        FROM
          users u
        WHERE
          u.id = c.proposed_by
          AND u.platform_role = 'operator'
          AND u.disabled_at IS NULL
      )
    ) THEN 'proposer'
    WHEN NOT (
      c.confirmed_by IS NULL
      OR EXISTS (
        SELECT
        FROM
          users u
        WHERE
          u.id = c.confirmed_by
          AND u.platform_role = 'operator'
          AND u.disabled_at IS NULL
      )
    ) THEN 'confirmer'
    WHEN c.kind <> 'add'
    AND NOT EXISTS (
      SELECT
      FROM
        collection_accounts a
      WHERE
        a.id = c.account_id
        AND a.disabled_at IS NULL
    ) THEN 'account'
  END IS NULL
ORDER BY
  c.effective_at,
  c.id
LIMIT
  $2;

-- collection_account_changes_waiting
SELECT
  count(*) FILTER (
    WHERE
      c.confirmed_at IS NULL
  )::integer AS proposed,
  count(c.confirmed_at)::integer AS confirmed
FROM
  collection_account_changes c
WHERE
  c.applied_at IS NULL
  AND c.withdrawn_at IS NULL;
