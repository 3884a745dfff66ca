-- PAST
SELECT
  coalesce(b.data ->> 'status', 'open') AS status,
  b.data ->> 'statusReason' AS "statusReason",
  w.data ->> 'statusReason' AS "lastWait",
  EXISTS (
    SELECT
    FROM
      transfer_references r
    WHERE
      r.merchant_id = o.merchant_id
      AND r.txid = o.txid
      AND r.waits_until IS NOT NULL
  ) AS "isTransferTold"
FROM
  orders o
  LEFT JOIN LATERAL (
    SELECT
      data
    FROM
      events e
    WHERE
      e.merchant_id = o.merchant_id
      AND e.txid = o.txid
      AND e.data ->> 'status' <> 'paid'
    ORDER BY
      e.sequence DESC
    LIMIT
      1
  ) b ON TRUE
  LEFT JOIN LATERAL (
    SELECT
      data
    FROM
      events e
    WHERE
      e.merchant_id = o.merchant_id
      AND e.txid = o.txid
      AND e.type IN ('order.processing', 'order.reopened')
      AND e.data ->> 'status' = 'processing'
    ORDER BY
      e.sequence DESC
    LIMIT
      1
  ) w ON TRUE
WHERE
  o.merchant_id = $1
  AND o.txid = $2;
