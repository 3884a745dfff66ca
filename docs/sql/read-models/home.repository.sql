-- 
SELECT
  exception,
  count(*)::integer AS count
FROM
  orders
WHERE
  merchant_id = $1
  AND mode = $2
  AND exception <> 'none'
  AND NOT (
    status = 'paid'
    AND exception IN ('paid_late', 'underpaid')
  )
  AND NOT (
    amount_refunded > 0
    AND exception <> 'wrong_currency'
    AND amount_refunded >= CASE
      WHEN status = 'paid' THEN amount_received - amount
      ELSE amount_received
    END
  )
  AND created_at >= $3
  AND created_at < $4
GROUP BY
  exception
ORDER BY
  count DESC,
  exception;
