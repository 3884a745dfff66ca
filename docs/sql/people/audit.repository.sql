-- audit_page
SELECT
  a.id,
  a.merchant_id AS "merchantId",
  a.action,
  a.subject,
  a.data,
  a.address,
  a.created_at AS "createdAt",
  u.name AS "userName",
  u.email AS "userEmail"
FROM
  audit_entries a
  LEFT JOIN users u ON u.id = a.user_id
WHERE
  (
    $1::uuid IS NULL
    OR a.merchant_id = $1
  )
  AND (
    $2::uuid IS NULL
    OR a.id < $2
  )
ORDER BY
  a.id DESC
LIMIT
  $3;
