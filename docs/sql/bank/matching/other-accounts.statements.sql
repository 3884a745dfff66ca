-- REPORTED_ELSEWHERE
SELECT
  own.id
FROM
  bank_lines own
WHERE
  own.id = ANY ($1::UUID[])
  AND (
    EXISTS (
      SELECT
      FROM
        collection_accounts c
      WHERE
        c.mode = own.mode
        AND c.account = own.counterparty_account
    )
    OR EXISTS (
      SELECT
      FROM
        (
          SELECT
            l.*
          FROM
            collection_accounts c
            CROSS JOIN (
              VALUES
                (regexp_replace(own.key, '[^|]*$', ''))
            ) m (money)
            CROSS JOIN LATERAL (
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                (l.named_reference, l.account, l.mode, l.key) BETWEEN (own.named_reference, c.account, own.mode, 'in|') AND (own.named_reference, c.account, own.mode, 'in|~')
              UNION ALL
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                l.end_to_end_id = own.end_to_end_id
                AND ((coalesce('=' || left(l.end_to_end_id, 64), '')) COLLATE "C", l.account, l.mode, l.key) BETWEEN ('=' || left(own.end_to_end_id, 64), c.account, own.mode, m.money) AND ('=' || left(own.end_to_end_id, 64), c.account, own.mode, m.money || '~')
                AND l.booked_on BETWEEN own.booked_on - 10 AND own.booked_on + 10
                AND (
                  l.named_reference = own.named_reference
                  AND l.counterparty_account = own.counterparty_account
                ) IS NOT FALSE
              UNION ALL
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                l.identifiers ->> 'uetr' IS NOT NULL
                AND (l.identifiers ->> 'uetr', l.account, l.mode) BETWEEN (own.identifiers ->> 'uetr', c.account, own.mode) AND (own.identifiers ->> 'uetr', c.account, own.mode)
              UNION ALL
              SELECT
                *
              FROM
                bank_lines l
              WHERE
                l.identifiers ->> 'transactionId' IS NOT NULL
                AND (l.identifiers ->> 'transactionId', l.account, l.mode) BETWEEN (own.identifiers ->> 'transactionId', c.account, own.mode) AND (own.identifiers ->> 'transactionId', c.account, own.mode)
            ) l
          WHERE
            c.mode = own.mode
            AND c.account <> own.account
          UNION ALL
          SELECT
            l.*
          FROM
            unnest($2::UUID[], $3::UUID[], $4::UUID[]) paid (line_id, merchant_id, txid)
            JOIN payments p ON p.merchant_id = paid.merchant_id
            AND p.txid = paid.txid
            JOIN bank_allocations a ON a.merchant_id = p.merchant_id
            AND a.payment_id = p.id
            JOIN bank_lines l ON l.id = a.line_id
          WHERE
            paid.line_id = own.id
        ) other
      WHERE
        other.account <> own.account
        AND other.mode = own.mode
        AND other.direction = 'in'
        AND other.currency = own.currency
        AND other.status = 'booked'
        AND other.state <> 'superseded'
        AND (
          other.has_paid
          OR other.id < own.id
        )
    )
  );
