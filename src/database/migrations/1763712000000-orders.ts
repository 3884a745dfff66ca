import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE merchants (
  id uuid CONSTRAINT merchants_pk PRIMARY KEY,
  name text NOT NULL CONSTRAINT merchants_name_check CHECK (char_length(name) BETWEEN 1 AND 140),
  colour text NOT NULL DEFAULT '0b4f9e'
    CONSTRAINT merchants_colour_check CHECK (colour ~ '^[0-9a-f]{6}$'),
  logo_url text,
  contact_url text,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE api_keys (
  merchant_id uuid NOT NULL CONSTRAINT api_keys_merchant_fk REFERENCES merchants (id),
  id uuid NOT NULL,
  name text NOT NULL,
  mode text NOT NULL CONSTRAINT api_keys_mode_check CHECK (mode IN ('test', 'live')),
  key_hash bytea NOT NULL CONSTRAINT api_keys_hash_check CHECK (octet_length(key_hash) = 32),
  hint text NOT NULL,
  scopes text[] NOT NULL,
  api_version text NOT NULL,
  allowed_ips text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  CONSTRAINT api_keys_pk PRIMARY KEY (merchant_id, id)
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (key_hash);

CREATE TABLE deprecated_calls (
  merchant_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  operation text NOT NULL,
  day date NOT NULL,
  calls bigint NOT NULL,
  CONSTRAINT deprecated_calls_pk PRIMARY KEY (merchant_id, api_key_id, operation, day),
  CONSTRAINT deprecated_calls_api_key_fk
    FOREIGN KEY (merchant_id, api_key_id) REFERENCES api_keys (merchant_id, id)
);

CREATE TABLE provider_accounts (
  merchant_id uuid NOT NULL CONSTRAINT provider_accounts_merchant_fk REFERENCES merchants (id),
  mode text NOT NULL CONSTRAINT provider_accounts_mode_check CHECK (mode IN ('test', 'live')),
  provider text NOT NULL,
  id uuid NOT NULL,
  callback_secret text NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT provider_accounts_pk PRIMARY KEY (merchant_id, mode, provider)
);
CREATE INDEX provider_accounts_id ON provider_accounts (id);

CREATE TABLE orders (
  merchant_id uuid NOT NULL CONSTRAINT orders_merchant_fk REFERENCES merchants (id),
  txid uuid NOT NULL,
  mode text NOT NULL CONSTRAINT orders_mode_check CHECK (mode IN ('test', 'live')),
  order_merchant_id text NOT NULL
    CONSTRAINT orders_order_merchant_id_check CHECK (char_length(order_merchant_id) BETWEEN 1 AND 64),
  holds_merchant_id boolean NOT NULL DEFAULT true,
  content_hash bytea NOT NULL,
  status text NOT NULL CONSTRAINT orders_status_check
    CHECK (status IN ('open', 'processing', 'paid', 'failed', 'cancelled', 'expired')),
  status_reason text,
  exception text NOT NULL DEFAULT 'none' CONSTRAINT orders_exception_check CHECK (exception IN
    ('none', 'underpaid', 'overpaid', 'paid_late', 'duplicate_payment', 'wrong_currency')),
  amount bigint NOT NULL CONSTRAINT orders_amount_check CHECK (amount BETWEEN 1 AND 99999999999),
  currency text NOT NULL CONSTRAINT orders_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  amount_received bigint NOT NULL DEFAULT 0,
  amount_refunded bigint NOT NULL DEFAULT 0,
  description text,
  customer_name text,
  customer_email text,
  optional_fields json NOT NULL,
  page_token text NOT NULL,
  return_url text,
  cancel_url text,
  locale text,
  attempts integer NOT NULL DEFAULT 0,
  payment_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  paid_at timestamptz(3),
  CONSTRAINT orders_pk PRIMARY KEY (merchant_id, txid),
  CONSTRAINT orders_paid_at_check CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CONSTRAINT orders_paid_in_full_check CHECK
    (status <> 'paid' OR amount_received >= amount OR status_reason IS NOT DISTINCT FROM 'manual'),
  CONSTRAINT orders_refunded_check CHECK (amount_refunded BETWEEN 0 AND amount_received),
  CONSTRAINT orders_holds_merchant_id_check
    CHECK (holds_merchant_id OR status IN ('failed', 'cancelled', 'expired')),
  CONSTRAINT orders_times_check CHECK (expires_at > created_at AND paid_at >= created_at)
);
CREATE UNIQUE INDEX orders_order_merchant_id_once
  ON orders (merchant_id, mode, order_merchant_id) WHERE holds_merchant_id;
CREATE INDEX orders_order_merchant_id
  ON orders (order_merchant_id, merchant_id, mode, holds_merchant_id, txid);
CREATE INDEX orders_page_token ON orders (page_token);
CREATE INDEX orders_open ON orders (expires_at) WHERE status = 'open';

CREATE TABLE payments (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  txid uuid NOT NULL,
  provider text NOT NULL,
  method text NOT NULL,
  status text NOT NULL CONSTRAINT payments_status_check
    CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled')),
  amount bigint NOT NULL CONSTRAINT payments_amount_check CHECK (amount > 0),
  currency text NOT NULL,
  amount_received bigint,
  received_currency text,
  completes_order boolean NOT NULL DEFAULT false,
  provider_reference text,
  redirect_url text,
  error_code text,
  error_message text,
  payer_account_number text,
  payer_account_type text,
  payer_account_name text,
  looks integer NOT NULL DEFAULT 0,
  next_look_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  CONSTRAINT payments_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT payments_order_fk
    FOREIGN KEY (merchant_id, txid) REFERENCES orders (merchant_id, txid),
  CONSTRAINT payments_received_check CHECK (status <> 'succeeded' OR coalesce(amount_received, 0) > 0),
  CONSTRAINT payments_completes_check CHECK (NOT completes_order OR status = 'succeeded')
);
CREATE UNIQUE INDEX payments_one_live ON payments (merchant_id, txid) WHERE status = 'pending';
CREATE UNIQUE INDEX payments_one_completes ON payments (merchant_id, txid) WHERE completes_order;
CREATE UNIQUE INDEX payments_provider_reference
  ON payments (merchant_id, provider, provider_reference);
CREATE INDEX payments_order ON payments (merchant_id, txid);
CREATE INDEX payments_look ON payments (next_look_at) WHERE status = 'pending';

CREATE TABLE events (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  txid uuid NOT NULL,
  sequence integer NOT NULL CONSTRAINT events_sequence_check CHECK (sequence > 0),
  type text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT events_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT events_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders (merchant_id, txid)
);
CREATE UNIQUE INDEX events_order ON events (merchant_id, txid, sequence);

CREATE TABLE provider_events (
  merchant_id uuid NOT NULL CONSTRAINT provider_events_merchant_fk REFERENCES merchants (id),
  id uuid NOT NULL,
  provider text NOT NULL,
  provider_event_id text NOT NULL,
  payment_id uuid NOT NULL,
  report jsonb NOT NULL,
  body text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  applied_at timestamptz(3),
  result text,
  CONSTRAINT provider_events_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT provider_events_result_check CHECK ((applied_at IS NULL) = (result IS NULL))
);
CREATE UNIQUE INDEX provider_events_once
  ON provider_events (merchant_id, provider, provider_event_id);
CREATE INDEX provider_events_waiting ON provider_events (received_at) WHERE applied_at IS NULL;

CREATE TABLE idempotency_records (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  route text NOT NULL,
  key text NOT NULL CONSTRAINT idempotency_records_key_check CHECK (char_length(key) BETWEEN 1 AND 255),
  content_hash bytea NOT NULL,
  txid uuid NOT NULL,
  api_version text NOT NULL,
  status integer NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_records_pk PRIMARY KEY (merchant_id, mode, route, key),
  CONSTRAINT idempotency_records_order_fk
    FOREIGN KEY (merchant_id, txid) REFERENCES orders (merchant_id, txid)
);
CREATE INDEX idempotency_records_age ON idempotency_records (created_at);

CREATE TABLE sandbox_transactions (
  merchant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  reference text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  payee_name text NOT NULL,
  return_url text NOT NULL,
  outcome text CONSTRAINT sandbox_transactions_outcome_check
    CHECK (outcome IN ('paid', 'declined', 'pending', 'unknown', 'cancelled')),
  paid_amount bigint,
  paid_currency text,
  payer_account_number text,
  payer_account_name text,
  due_at timestamptz(3),
  repeat integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT sandbox_transactions_pk PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT sandbox_transactions_payment_fk
    FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, id)
);
CREATE INDEX sandbox_transactions_reference ON sandbox_transactions (reference);
CREATE INDEX sandbox_transactions_due ON sandbox_transactions (due_at) WHERE due_at IS NOT NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_events_append_only BEFORE DELETE OR UPDATE OF
  merchant_id, id, provider, provider_event_id, payment_id, report, body, received_at
  ON provider_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_events_no_truncate BEFORE TRUNCATE ON provider_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

const down = `
DROP TABLE sandbox_transactions, idempotency_records, provider_events, events, payments, orders,
  provider_accounts, deprecated_calls, api_keys, merchants;
DROP FUNCTION refuse_change;
`;

/** Merchants, keys, orders, payments, and what happened to them. */
export class Orders1763712000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
