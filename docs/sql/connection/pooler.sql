-- UNLIMITED
SELECT
  name,
  quote_ident(session_user) AS role
FROM
  pg_settings
WHERE
  setting = '0'
  AND name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout');
