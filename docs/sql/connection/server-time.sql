-- server_time
SELECT
  clock_timestamp() AS now;
