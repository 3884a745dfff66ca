/**
 * Rows made of rows that are there, for the service and its twin alike: the columns that are not
 * named here are as they were, whatever they are called.
 */

/** A UUID of version 7 of a moment: such ids lie beside each other in an index, as real ones do. */
export const uuidv7At = (moment: string): string => `(
  overlay(lpad(to_hex((extract(epoch FROM ${moment}) * 1000)::bigint), 12, '0') PLACING '-' FROM 9 FOR 0)
  || '-7' || substr(gen_random_uuid()::text, 16))::uuid`;

/** The row `alias` with other values in some columns, which are SQL. */
const like = (alias: string, values: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(values).map(([column, value]) => `'${column}', ${value}`);
  return `(jsonb_populate_record(${alias}, jsonb_build_object(${pairs.join(', ')}))).*`;
};

const TOKEN = `replace(gen_random_uuid()::text, '-', '')`;

/**
 * `$4` orders like the one of merchant `$1` that is called `$2`, called `$3-1`, `$3-2` and so on, with
 * their events and the payment that they wait for. Answers with what they are known by.
 * @param position SQL of the place in the feed of an event that nobody has read
 */
export const copyOrder = (position: string): string => `
  WITH copies AS MATERIALIZED (
    SELECT n, ${uuidv7At('now()')} AS txid, gen_random_uuid() AS payment
    FROM generate_series(1, $4::integer) n
  ), source AS (
    SELECT * FROM orders WHERE merchant_id = $1::uuid AND order_merchant_id = $2::text
  ), orders_made AS (
    INSERT INTO orders SELECT ${like('o', {
      txid: 'c.txid',
      order_merchant_id: `$3::text || '-' || c.n`,
      page_token: TOKEN,
      payment_id: 'CASE WHEN o.payment_id IS NOT NULL THEN c.payment END',
      // Each order has a moment of its own.
      created_at: `o.created_at - c.n * interval '1 millisecond'`,
    })} FROM orders o JOIN source USING (merchant_id, txid) CROSS JOIN copies c
    RETURNING txid, payment_id, page_token
  ), events_made AS (
    INSERT INTO events SELECT ${like('e', { txid: 'c.txid', id: uuidv7At('now()'), position })}
    FROM events e JOIN source USING (merchant_id, txid) CROSS JOIN copies c
  ), payments_made AS (
    INSERT INTO payments SELECT ${like('p', {
      txid: 'c.txid',
      id: 'c.payment',
      provider_reference: 'c.payment',
    })} FROM payments p JOIN source s ON s.merchant_id = p.merchant_id AND s.payment_id = p.id
    CROSS JOIN copies c
  )
  SELECT txid, payment_id AS payment, page_token AS token FROM orders_made`;

/** Merchants like `$1`, one for each of the keys `$2`. */
export const COPY_MERCHANT = `
  WITH copies AS MATERIALIZED (SELECT gen_random_uuid() AS id, key FROM unnest($2::text[]) key
  ), merchants_made AS (
    INSERT INTO merchants SELECT ${like('m', { id: 'c.id' })}
    FROM merchants m CROSS JOIN copies c WHERE m.id = $1::uuid
  ), keys_made AS (
    INSERT INTO api_keys SELECT ${like('k', {
      merchant_id: 'c.id',
      id: 'gen_random_uuid()',
      key_hash: `sha256(convert_to(c.key, 'UTF8'))`,
    })} FROM api_keys k CROSS JOIN copies c WHERE k.merchant_id = $1::uuid
  )
  INSERT INTO provider_accounts SELECT ${like('a', {
    merchant_id: 'c.id',
    id: 'gen_random_uuid()',
  })} FROM provider_accounts a CROSS JOIN copies c WHERE a.merchant_id = $1::uuid`;
