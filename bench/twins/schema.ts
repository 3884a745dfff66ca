import { uuidv7At } from '../sides/copies.js';

/**
 * The tables of the twin: what the works need and nothing else, under the names that the service has
 * for the same, so that both are filled and looked at by the same SQL.
 */
export const SCHEMA = `
  CREATE TABLE merchants (id uuid PRIMARY KEY, name text NOT NULL);
  CREATE TABLE api_keys (
    merchant_id uuid NOT NULL REFERENCES merchants, id uuid PRIMARY KEY,
    key_hash bytea NOT NULL UNIQUE);
  CREATE TABLE provider_accounts (
    merchant_id uuid NOT NULL REFERENCES merchants, id uuid PRIMARY KEY,
    callback_secret text NOT NULL);
  CREATE TABLE user_sessions (
    token_hash bytea PRIMARY KEY, merchant_id uuid NOT NULL REFERENCES merchants);
  CREATE TABLE orders (
    merchant_id uuid NOT NULL REFERENCES merchants, txid uuid NOT NULL, mode text NOT NULL,
    order_merchant_id text NOT NULL, content_hash bytea NOT NULL, status text NOT NULL,
    status_reason text, version integer NOT NULL DEFAULT 1, amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL, amount_received bigint NOT NULL DEFAULT 0, description text,
    customer_name text, customer_email text, optional_fields json NOT NULL, page_token text NOT NULL,
    return_url text, locale text, payment_id uuid, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, paid_at timestamptz,
    PRIMARY KEY (merchant_id, txid));
  CREATE UNIQUE INDEX orders_once ON orders (merchant_id, order_merchant_id);
  CREATE INDEX orders_page_token ON orders (page_token);
  CREATE INDEX orders_history ON orders (merchant_id, created_at, txid);
  CREATE TABLE payments (
    merchant_id uuid NOT NULL, id uuid NOT NULL, txid uuid NOT NULL, provider text NOT NULL,
    provider_reference text, status text NOT NULL, amount bigint NOT NULL, currency text NOT NULL,
    amount_received bigint, payer_account_number text, payer_account_name text,
    created_at timestamptz NOT NULL, completed_at timestamptz, PRIMARY KEY (merchant_id, id),
    FOREIGN KEY (merchant_id, txid) REFERENCES orders);
  CREATE INDEX payments_order ON payments (merchant_id, txid);
  CREATE TABLE provider_events (
    merchant_id uuid NOT NULL, id uuid NOT NULL, provider_event_id text NOT NULL,
    payment_id uuid NOT NULL, body text NOT NULL, received_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_id, id));
  CREATE UNIQUE INDEX provider_events_once ON provider_events (merchant_id, provider_event_id);
  CREATE TABLE ledger_entries (
    merchant_id uuid NOT NULL, payment_id uuid NOT NULL, account text NOT NULL, amount bigint NOT NULL,
    currency text NOT NULL, created_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_id, payment_id, account));
  CREATE TABLE idempotency_records (
    merchant_id uuid NOT NULL, route text NOT NULL, key text NOT NULL, content_hash bytea NOT NULL,
    txid uuid NOT NULL, body text NOT NULL, created_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_id, route, key));
  CREATE SEQUENCE positions;
  CREATE TABLE events (
    merchant_id uuid NOT NULL, id uuid NOT NULL, txid uuid NOT NULL, sequence integer NOT NULL,
    type text NOT NULL, data jsonb NOT NULL, position bigint NOT NULL DEFAULT nextval('positions'),
    created_at timestamptz NOT NULL, PRIMARY KEY (merchant_id, id));
  CREATE INDEX events_feed ON events (merchant_id, position)`;

/** Orders `$2` to `$3` of `$4` in ended states, spread over a year, those that were paid with a payment. */
export const SEED = `
  WITH seeds AS MATERIALIZED (
    SELECT n, now() - make_interval(secs => 31536000 * (1 - n / $4::float8)) AS created_at,
      gen_random_uuid() AS payment, n % 10 < 7 AS is_paid, 100 + n::bigint * 7919 % 200000 AS amount
    FROM generate_series($2::integer, $3::integer) n
  ), named AS MATERIALIZED (
    SELECT *, ${uuidv7At('created_at')} AS txid FROM seeds
  ), made AS (
    INSERT INTO orders (merchant_id, txid, mode, order_merchant_id, content_hash, status, status_reason,
      amount, currency, amount_received, description, customer_name, customer_email, optional_fields,
      page_token, payment_id, created_at, updated_at, expires_at, paid_at)
    SELECT $1::uuid, txid, 'test', 'seed-bench-' || n, sha256(uuid_send(txid)),
      CASE WHEN is_paid THEN 'paid' ELSE 'expired' END, CASE WHEN is_paid THEN 'exact' ELSE 'not_paid' END,
      amount, 'EUR', CASE WHEN is_paid THEN amount ELSE 0 END, 'Order ' || n, 'Erika Mustermann',
      'customer' || n % 60000 || '@mail.example', '{"channel":"web"}',
      replace(gen_random_uuid()::text, '-', ''), CASE WHEN is_paid THEN payment END, created_at,
      created_at + interval '1 hour', created_at + interval '1 hour',
      CASE WHEN is_paid THEN created_at + interval '5 minutes' END
    FROM named RETURNING txid
  )
  INSERT INTO payments
  SELECT $1::uuid, payment, txid, 'sandbox', 'seed-' || n, 'succeeded', amount, 'EUR', amount,
    'DE89370400440532013000', 'Erika Mustermann', created_at, created_at + interval '5 minutes'
  FROM named JOIN made USING (txid) WHERE is_paid`;
