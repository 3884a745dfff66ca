-- schema_fence
SELECT
  reads
FROM
  schema_fence;
