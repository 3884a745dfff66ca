-- MAY_HAVE_GONE_BACK
WITH
  own AS MATERIALIZED (
    SELECT
      l.*,
      references_in_line (l) || l.named_reference AS written
    FROM
      bank_lines l
    WHERE
      l.id = ANY ($1::UUID[])
  ),
  naming AS MATERIALIZED (
    SELECT
      r.id,
      unnest(references_in_line (r)) AS reference
    FROM
      bank_lines r
    WHERE
      r.direction = 'out'
      AND r.named_reference IS NOT NULL
      AND r.mode IN (
        SELECT
          mode
        FROM
          own
      )
      AND r.status = 'booked'
      AND r.state <> 'superseded'
      AND (
        r.kind NOT IN ('return', 'reversal')
        OR r.state = 'ignored'
      )
      AND NOT EXISTS (
        SELECT
        FROM
          bank_payout_lines b
        WHERE
          b.line_id = r.id
      )
      AND (
        r.booked_on IS NULL
        OR r.booked_on >= (
          SELECT
            coalesce(min(least(booked_on, valued_on)), '-infinity') - 10
          FROM
            own
        )
      )
  ),
  equal AS MATERIALIZED (
    SELECT
      own.id AS line_id,
      r.id
    FROM
      own
      JOIN bank_lines r ON r.direction = 'out'
      AND r.currency = own.currency
      AND (r.mode, r.amount) BETWEEN (own.mode, own.amount) AND (own.mode, own.amount)
  ),
  called AS MATERIALIZED (
    SELECT
      own.id AS line_id,
      x.id
    FROM
      own
      CROSS JOIN LATERAL (
        SELECT
          l.id
        FROM
          bank_lines l
        WHERE
          l.direction = 'out'
          AND l.end_to_end_id = own.end_to_end_id
          AND ((coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C", l.account, l.mode, l.key) BETWEEN ('=' || left(own.end_to_end_id, 64), own.account, own.mode, 'out|') AND ('=' || left(own.end_to_end_id, 64), own.account, own.mode, 'out|~')
        UNION
        SELECT
          l.id
        FROM
          bank_lines l
        WHERE
          l.direction = 'out'
          AND l.identifiers ->> 'uetr' IS NOT NULL
          AND (l.identifiers ->> 'uetr', l.account, l.mode) BETWEEN (own.identifiers ->> 'uetr', own.account, own.mode) AND (own.identifiers ->> 'uetr', own.account, own.mode)
        UNION
        SELECT
          l.id
        FROM
          bank_lines l
        WHERE
          l.direction = 'out'
          AND l.identifiers ->> 'transactionId' IS NOT NULL
          AND (l.identifiers ->> 'transactionId', l.account, l.mode) BETWEEN (own.identifiers ->> 'transactionId', own.account, own.mode) AND (own.identifiers ->> 'transactionId', own.account, own.mode)
      ) x
      JOIN bank_lines r ON r.id = x.id
    WHERE
      (greatest(r.booked_on, r.valued_on) >= least(own.booked_on, own.valued_on) - 10) IS NOT FALSE
    UNION
    SELECT
      e.line_id,
      e.id
    FROM
      equal e
      JOIN own ON own.id = e.line_id
      JOIN bank_lines r ON r.id = e.id
    WHERE
      r.account = own.account
      AND (
        ARRAY[
          own.end_to_end_id,
          own.identifiers ->> 'entryBankReference',
          own.identifiers ->> 'transactionBankReference',
          own.identifiers ->> 'transactionId',
          own.identifiers ->> 'uetr'
        ] && ARRAY[
          r.end_to_end_id,
          r.identifiers ->> 'entryBankReference',
          r.identifiers ->> 'transactionBankReference',
          r.identifiers ->> 'transactionId',
          r.identifiers ->> 'uetr'
        ]
        OR own.end_to_end_id IS NULL
        AND EXISTS (
          SELECT
          FROM
            unnest(
              ARRAY[
                r.end_to_end_id,
                r.identifiers ->> 'entryBankReference',
                r.identifiers ->> 'transactionBankReference',
                r.identifiers ->> 'transactionId',
                r.identifiers ->> 'uetr'
              ]
            ) n
          WHERE
            position('EREF+' || replace(n, ' ', '') IN replace(left(own.text, 5000), ' ', '')) > 0
        )
      )
  ),
  debit AS (
    SELECT
      line_id,
      id
    FROM
      called
    UNION ALL
    SELECT
      e.line_id,
      e.id
    FROM
      equal e
      JOIN own ON own.id = e.line_id
      JOIN bank_lines r ON r.id = e.id
    WHERE
      r.counterparty_account = own.counterparty_account
      AND greatest(r.booked_on, r.valued_on) >= least(own.booked_on, own.valued_on)
      OR EXISTS (
        SELECT
        FROM
          transfer_references t
        WHERE
          t.reference = ANY (own.written)
          AND t.reference = ANY (references_in_line (r))
      )
    UNION ALL
    SELECT
      own.id,
      r.id
    FROM
      own
      JOIN bank_lines r ON r.named_reference = own.named_reference
      AND r.mode = own.mode
      AND r.direction = 'out'
    UNION ALL
    SELECT
      o.id,
      n.id
    FROM
      (
        SELECT
          id,
          unnest(written) AS reference
        FROM
          own
      ) o
      JOIN transfer_references t USING (reference)
      JOIN naming n USING (reference)
  )
SELECT
  own.id
FROM
  own
WHERE
  EXISTS (
    SELECT
    FROM
      debit d
      JOIN bank_lines r ON r.id = d.id
    WHERE
      d.line_id = own.id
      AND r.status = 'booked'
      AND r.state <> 'superseded'
      AND (
        r.kind NOT IN ('return', 'reversal')
        OR r.state = 'ignored'
      )
      AND NOT EXISTS (
        SELECT
        FROM
          bank_payout_lines b
        WHERE
          b.line_id = r.id
      )
      AND NOT EXISTS (
        SELECT
        FROM
          bank_returns b
          JOIN payments y ON y.merchant_id = b.merchant_id
          AND y.id = b.payment_id
          JOIN transfer_references t ON t.merchant_id = y.merchant_id
          AND t.txid = y.txid
        WHERE
          b.line_id = r.id
          AND b.undone_at IS NULL
          AND (
            b.said_by IS NULL
            OR t.reference = ANY (own.written)
          )
      )
  )
  OR EXISTS (
    SELECT
    FROM
      called c
      JOIN bank_lines r ON r.id = c.id
      JOIN bank_returns b ON b.line_id = r.id
      AND b.undone_at IS NULL
    WHERE
      c.line_id = own.id
      AND r.created_at < own.created_at
      AND least(own.booked_on, own.valued_on) <= greatest(r.booked_on, r.valued_on)
  );
