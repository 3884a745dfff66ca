-- STORE_ODD
INSERT INTO
  provider_events (
    merchant_id,
    id,
    provider,
    account_id,
    mode,
    provider_event_id,
    payment_id,
    report,
    body,
    received_at,
    applied_at,
    result,
    next_attempt_at
  )
VALUES
  (
    $1,
    $2,
    $3,
    $4,
    $5,
    $6,
    $7,
    $8,
    $9,
    $10,
    $11,
    $12,
    least($13::timestamptz, now() + interval '1 minute')
  )
ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING
RETURNING
  id;

-- provider_event_same_id
SELECT
  id,
  body = $4
  OR report = $5::jsonb
  OR body = ''
  AND without_payer (report) = without_payer ($5::jsonb) AS "hasSameContent"
FROM
  provider_events
WHERE
  merchant_id = $1
  AND provider = $2
  AND provider_event_id = $3;

-- provider_events_claim
WITH
  waiting AS (
    SELECT
      r.merchant_id,
      r.id
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
              next_attempt_at
          ) AS place
        FROM
          provider_events r
        WHERE
          r.merchant_id = m.whose
          AND applied_at IS NULL
          AND handled_at IS NULL
          AND next_attempt_at <= $1
          AND coalesce(r.mode, 'live') = l.at
        ORDER BY
          next_attempt_at
        LIMIT
          100
      ) r
    ORDER BY
      r.place,
      random()
    LIMIT
      $2
  ),
  due AS (
    SELECT
      e.merchant_id,
      e.id,
      p.id IS NOT NULL AS is_known
    FROM
      waiting w
      JOIN provider_events e ON e.merchant_id = w.merchant_id
      AND e.id = w.id
      LEFT JOIN payments p ON p.merchant_id = e.merchant_id
      AND p.id = e.payment_id
    WHERE
      e.applied_at IS NULL
      AND e.next_attempt_at <= $1
    FOR UPDATE OF
      e SKIP LOCKED
  ),
  taken AS (
    UPDATE provider_events e
    SET
      next_attempt_at = CASE
        WHEN due.is_known THEN least(
          ($1::timestamptz + least(($1::timestamptz - e.received_at), interval '10 minutes'))::timestamptz,
          now() + interval '10 minutes'
        )
        WHEN ($1::timestamptz - e.received_at) <= interval '24 hours' THEN least(
          (
            e.received_at + least(2 * ($1::timestamptz - e.received_at), interval '24 hours') + interval '1 second'
          )::timestamptz,
          now() + interval '24 hours'
        )
      END
    FROM
      due
    WHERE
      e.merchant_id = due.merchant_id
      AND e.id = due.id
    RETURNING
      e.*,
      due.is_known
  )
SELECT
  t.merchant_id AS "merchantId",
  t.id AS "id",
  t.provider AS "provider",
  t.account_id AS "accountId",
  t.mode AS "mode",
  t.provider_event_id AS "providerEventId",
  t.payment_id AS "paymentId",
  t.report AS "report",
  t.body AS "body",
  t.received_at AS "receivedAt",
  t.applied_at AS "appliedAt",
  t.result AS "result",
  t.next_attempt_at AS "nextAttemptAt",
  t.handled_at AS "handledAt",
  t.is_known AS "isKnown"
FROM
  taken t
ORDER BY
  t.id;

-- IS_AFTER_MONEY
SELECT
  EXISTS (
    SELECT
    FROM
      provider_events
    WHERE
      merchant_id = $1
      AND id < $2
      AND id > $4::uuid
      AND payment_id = $3
      AND result IS NOT NULL
      AND report -> 'outcome' ->> 'kind' = 'accepted'
  ) AS found;

-- RECALL_REFUSALS
UPDATE provider_events
SET
  result = 'mismatch'
WHERE
  merchant_id = $1
  AND id > $2
  AND payment_id = $3
  AND result = 'applied'
  AND report -> 'outcome' ->> 'kind' = 'declined';

-- provider_events_for_people
SELECT
  e.merchant_id AS "merchantId",
  m.name AS "merchantName",
  e.id,
  e.provider,
  e.payment_id AS "paymentId",
  e.received_at AS "receivedAt",
  e.result,
  e.report ->> 'sameIdAs' AS "sameIdAs",
  e.report ->> 'txid' AS txid,
  e.report -> 'outcome' ->> 'kind' AS kind,
  (e.report -> 'outcome' ->> 'amount')::bigint AS amount,
  e.report -> 'outcome' ->> 'currency' AS currency,
  CASE
    WHEN e.payment_id IS NULL THEN left(e.body, 2000)
  END AS words
FROM
  (
    SELECT
      *
    FROM
      provider_events
    WHERE
      result = 'mismatch'
      AND handled_at IS NULL
    UNION ALL
    SELECT
      *
    FROM
      provider_events
    WHERE
      applied_at IS NULL
      AND handled_at IS NULL
      AND next_attempt_at IS NULL
  ) e
  JOIN merchants m ON m.id = e.merchant_id
WHERE
  coalesce(e.mode, 'live') = $1
ORDER BY
  e.received_at
LIMIT
  $2;
