-- payout_money_sources
SELECT
  s.*,
  c.created_at AS since,
  c.holder,
  p.name AS "proposedByName",
  w.name AS "confirmedByName",
  o.*
FROM
  (
    SELECT
      p.provider,
      b.mode,
      b.account,
      p.received_currency AS currency,
      count(*)::integer AS payments,
      sum(p.amount_received)::bigint AS amount,
      coalesce(sum(r.amount), 0)::bigint AS returned
    FROM
      (
        SELECT
          $1::uuid AS merchant_id,
          txid
        FROM
          payout_orders ($1, $2)
      ) l
      JOIN payments p ON p.merchant_id = l.merchant_id
      AND p.txid = l.txid
      AND p.status = 'succeeded'
      AND p.amount_received IS NOT NULL
      LEFT JOIN bank_allocations a ON a.merchant_id = p.merchant_id
      AND a.payment_id = p.id
      LEFT JOIN bank_lines b ON b.id = a.line_id
      LEFT JOIN LATERAL (
        SELECT
          sum(amount) AS amount
        FROM
          bank_returns
        WHERE
          merchant_id = a.merchant_id
          AND payment_id = a.payment_id
          AND undone_at IS NULL
      ) r ON TRUE
    GROUP BY
      p.provider,
      b.mode,
      b.account,
      p.received_currency
  ) s
  LEFT JOIN LATERAL (
    SELECT
      *
    FROM
      collection_accounts c
    WHERE
      c.mode = s.mode
      AND c.account = s.account
      AND c.currency = s.currency
    ORDER BY
      c.created_at
    LIMIT
      1
  ) c ON TRUE
  LEFT JOIN collection_account_changes h ON h.account_id = c.id
  AND h.kind = 'add'
  AND h.applied_at IS NOT NULL
  CROSS JOIN LATERAL (
    SELECT
      (
        SELECT
          count(*)::integer
        FROM
          (
            SELECT
            FROM
              bank_lines
            WHERE
              mode = s.mode
              AND account = s.account
              AND direction = 'out'
              AND status = 'booked'
              AND state IN ('suggested', 'unmatched')
            LIMIT
              100
          ) x
      ) AS returns,
      (
        SELECT
          count(*)::integer
        FROM
          (
            SELECT
            FROM
              bank_lines
            WHERE
              mode = s.mode
              AND account = s.account
              AND direction = 'out'
              AND status = 'booked'
              AND (
                state = 'not_a_payment'
                AND reason = 'unknown_money_out'
              )
            LIMIT
              100
          ) x
      ) AS unknown
  ) o
  LEFT JOIN users p ON p.id = h.proposed_by
  LEFT JOIN users w ON w.id = h.confirmed_by
ORDER BY
  s.amount DESC,
  s.account
LIMIT
  100;

-- payout_money_hands
SELECT
  h.act,
  u.name AS "userName",
  u.email,
  count(DISTINCT h.txid)::integer AS orders,
  max(h.created_at) AS at
FROM
  (
    SELECT
      h.act,
      h.user_id,
      h.txid,
      h.created_at
    FROM
      (
        SELECT
          $1::uuid AS merchant_id,
          txid
        FROM
          payout_orders ($1, $2)
      ) l
      JOIN money_hands h ON h.merchant_id = l.merchant_id
      AND h.txid = l.txid
    UNION ALL
    SELECT
      o.act,
      o.user_id,
      NULL,
      o.created_at
    FROM
      outgoing_hands_of ($1, $2) o
  ) h
  JOIN users u ON u.id = h.user_id
GROUP BY
  h.act,
  u.id
ORDER BY
  max(h.created_at) DESC,
  h.act,
  u.id
LIMIT
  100;

-- payout_earlier
SELECT
  *
FROM
  (
    SELECT
      p.id,
      p.status,
      p.status_reason AS "statusReason",
      EXISTS (
        SELECT
        FROM
          bank_lines b
        WHERE
          b.mode = p.mode
          AND b.direction = 'out'
          AND b.status = 'booked'
          AND b.state <> 'superseded'
          AND (coalesce('=' || left(b.end_to_end_id, 64), '')) COLLATE "C" IN (
            '=' || replace(p.id::text, '-', ''),
            '=' || upper(replace(p.id::text, '-', '')),
            '=' || (
              SELECT
                message_id
              FROM
                payout_files f
              WHERE
                f.id = p.file_id
            )
          )
      )
      OR EXISTS (
        SELECT
        FROM
          bank_payout_lines b
        WHERE
          b.merchant_id = $1
          AND b.payout_id = p.id
          AND b.direction = 'out'
      ) AS "left",
      EXISTS (
        SELECT
        FROM
          bank_payout_lines b
        WHERE
          b.merchant_id = $1
          AND b.payout_id = p.id
          AND b.direction = 'in'
      ) AS "cameBack",
      ARRAY(
        SELECT
          u.name
        FROM
          payout_hands h
          JOIN users u ON u.id = h.user_id
        WHERE
          h.merchant_id = $1
          AND h.payout_id = p.id
          AND h.act IN ('failed', 'returned', 'not_sent')
        ORDER BY
          u.name
      ) AS "saidBy"
    FROM
      payouts p
    WHERE
      p.merchant_id = $1
      AND p.id <> $2
      AND (
        p.id IN (
          SELECT
            o.payout_id
          FROM
            payout_lines l
            JOIN payout_lines o USING (merchant_id, transfer_id)
          WHERE
            l.merchant_id = $1
            AND l.payout_id = $2
        )
        -- A refund took money of the whole balance, and gave it back to all of it.
        OR p.refund_id IS NOT NULL
        AND p.status IN ('rejected', 'cancelled', 'failed', 'returned')
        AND (p.mode, p.currency) = (
          SELECT
            o.mode,
            o.currency
          FROM
            payouts o
          WHERE
            o.merchant_id = $1
            AND o.id = $2
        )
        AND EXISTS (
          SELECT
          FROM
            payout_hands h
          WHERE
            h.merchant_id = $1
            AND h.payout_id = p.id
            AND h.act IN ('failed', 'returned', 'not_sent')
        )
      )
  ) e
ORDER BY
  "left" DESC,
  cardinality("saidBy") > 0 DESC,
  id DESC
LIMIT
  100;

-- payout_wait
SELECT
  CASE
    WHEN coalesce(payee_usable_from ($1, $2) > $3, TRUE)
    AND EXISTS (
      SELECT
      FROM
        refund_payees
      WHERE
        merchant_id = $1
        AND refund_id = $2
    ) THEN 'account_waits'
    ELSE why_payout_waits ($1, $2)
  END AS wait;
