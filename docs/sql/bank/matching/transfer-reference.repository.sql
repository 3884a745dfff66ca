-- REISSUE
UPDATE transfer_references
SET
  collection_account_id = $3,
  waits_until = $4
WHERE
  merchant_id = $1
  AND txid = $2
RETURNING
  reference;

-- INSERT
INSERT INTO
  transfer_references (merchant_id, txid, mode, reference, collection_account_id, waits_until, created_at)
VALUES
  ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT DO NOTHING
RETURNING
  reference;

-- MOVE
UPDATE transfer_references
SET
  waits_until = $3
WHERE
  merchant_id = $1
  AND txid = $2
  AND waits_until IS NOT NULL;

-- FORGET
UPDATE transfer_references
SET
  waits_until = NULL
WHERE
  merchant_id = $1
  AND txid = $2;

-- transfers_over
SELECT
  merchant_id AS "merchantId",
  txid
FROM
  (
    SELECT
      id AS whose
    FROM
      merchants
  ) m
  CROSS JOIN (
    VALUES
      ('live'),
      ('test')
  ) l (at)
  CROSS JOIN LATERAL (
    SELECT
      r.*,
      row_number() OVER (
        ORDER BY
          waits_until
      ) AS place
    FROM
      transfer_references r
    WHERE
      r.merchant_id = m.whose
      AND r.waits_until < $1
      AND EXISTS (
        SELECT
        FROM
          orders o
        WHERE
          o.merchant_id = r.merchant_id
          AND o.txid = r.txid
          AND (
            o.status NOT IN ('open', 'processing')
            OR (
              o.status = 'open'
              OR o.status_reason = 'awaiting_transfer'
            )
            AND o.expires_at <= $2
            AND (
              r.waits_until <= $3
              OR EXISTS (
                SELECT
                FROM
                  collection_accounts a
                  JOIN bank_statements s ON s.mode = a.mode
                  AND s.account = a.account
                  AND s.covers_until BETWEEN r.waits_until AND $1
                  AND coalesce(s.covers_from, r.waits_until) <= r.waits_until
                WHERE
                  a.id = r.collection_account_id
                  AND NOT EXISTS (
                    SELECT
                    FROM
                      bank_lines l
                    WHERE
                      l.mode = a.mode
                      AND l.account = a.account
                      AND l.looked_at IS NULL
                  )
              )
            )
          )
      )
      AND r.mode = l.at
    ORDER BY
      waits_until
    LIMIT
      100
  ) r
ORDER BY
  r.place,
  random()
LIMIT
  $4;
