-- page_opening_insert
INSERT INTO
  page_openings (merchant_id, txid, opened_at)
SELECT
  *
FROM
  unnest($1::UUID[], $2::UUID[], $3::TIMESTAMPTZ[])
ORDER BY
  1,
  2
ON CONFLICT DO NOTHING;
