-- SAVE
INSERT INTO
  payout_schedules AS s (
    merchant_id,
    mode,
    currency,
    frequency,
    DAY,
    minimum_amount,
    bank_account_id,
    changed_by,
    next_run_at,
    updated_at
  )
VALUES
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (merchant_id, mode, currency) DO UPDATE
SET
  frequency = excluded.frequency,
  DAY = excluded.day,
  minimum_amount = excluded.minimum_amount,
  bank_account_id = excluded.bank_account_id,
  next_run_at = excluded.next_run_at,
  updated_at = excluded.updated_at,
  changed_by = ARRAY(
    SELECT DISTINCT
      unnest(s.changed_by || excluded.changed_by)
  );

-- payout_schedules_due
SELECT
  s.merchant_id AS "merchantId",
  s.mode AS "mode",
  s.currency AS "currency",
  s.frequency AS "frequency",
  s.day AS "day",
  s.minimum_amount AS "minimumAmount",
  s.bank_account_id AS "bankAccountId",
  s.changed_by AS "changedBy",
  s.next_run_at AS "nextRunAt",
  s.updated_at AS "updatedAt"
FROM
  payout_schedules s
WHERE
  s.next_run_at <= $1
ORDER BY
  row_number() OVER (
    PARTITION BY
      s.merchant_id
    ORDER BY
      s.next_run_at
  ),
  random()
LIMIT
  $2;
