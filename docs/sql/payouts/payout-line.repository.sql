-- INSERT
INSERT INTO
  payout_lines (merchant_id, payout_id, number, kind, transfer_id, txid, amount)
SELECT
  $1,
  $2,
  $7 + l.number,
  l.kind,
  l.transfer_id,
  l.txid,
  l.amount
FROM
  unnest($3::TEXT[], $4::UUID[], $5::UUID[], $6::BIGINT[]) WITH ORDINALITY AS l (kind, transfer_id, txid, amount, number);

-- LAST
SELECT
  coalesce(max(number), 0) AS last
FROM
  payout_lines
WHERE
  merchant_id = $1
  AND payout_id = $2;

-- DELETE
DELETE FROM payout_lines
WHERE
  merchant_id = $1
  AND payout_id = $2
  AND number > $3
  AND number <= $4;

-- UNCOVER
UPDATE transfers t
SET
  covered = FALSE
FROM
  payout_lines l
WHERE
  l.merchant_id = $1
  AND l.payout_id = $2
  AND l.number > $3
  AND l.number <= $4
  AND t.merchant_id = l.merchant_id
  AND t.id = l.transfer_id
  AND t.covered;
