-- tables_doubled
SELECT
  relname AS "table"
FROM
  pg_class
WHERE
  relnamespace = 'public'::regnamespace
  AND relkind = 'r'
  AND relpages < $2
  AND pg_relation_size(oid) >= greatest(2 * relpages, $1) * current_setting('block_size')::bigint;
