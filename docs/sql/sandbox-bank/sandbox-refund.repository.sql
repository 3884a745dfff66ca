-- sandbox_refund_open
INSERT INTO
  sandbox_refunds (merchant_id, refund_id, amount, currency, outcome, booked_at)
VALUES
  ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING;

-- sandbox_refund_decide
INSERT INTO
  sandbox_refunds (merchant_id, refund_id, amount, currency, outcome, booked_at)
VALUES
  ($1, $2, $3, $4, $5, $6)
ON CONFLICT ON CONSTRAINT sandbox_refunds_pk DO UPDATE
SET
  outcome = excluded.outcome,
  booked_at = excluded.booked_at;

-- sandbox_refund_find
SELECT
  s.merchant_id AS "merchantId",
  s.refund_id AS "refundId",
  s.amount AS "amount",
  s.currency AS "currency",
  s.outcome AS "outcome",
  s.booked_at AS "bookedAt"
FROM
  sandbox_refunds s
WHERE
  s.merchant_id = $1
  AND s.refund_id = $2;
