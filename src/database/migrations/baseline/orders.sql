-- Tables of src/database/orders/ and order-list/. The entities document the columns.

CREATE TABLE orders (
  merchant_id uuid NOT NULL,
  txid uuid NOT NULL,
  mode text NOT NULL,
  order_merchant_id text NOT NULL,
  holds_merchant_id boolean NOT NULL DEFAULT true,
  content_hash bytea NOT NULL,
  status text NOT NULL,
  status_reason text,
  exception text NOT NULL DEFAULT 'none',
  amount bigint NOT NULL,
  currency text NOT NULL,
  amount_received bigint NOT NULL DEFAULT 0,
  amount_charged_back bigint NOT NULL DEFAULT 0,
  amount_refunded bigint NOT NULL DEFAULT 0,
  amount_refund_pending bigint NOT NULL DEFAULT 0,
  fee bigint,
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
  original_amount bigint,
  original_expires_at timestamptz(3),
  erased_at timestamptz(3),
  erased_as_unpaid boolean NOT NULL DEFAULT false,
  CONSTRAINT orders_pk PRIMARY KEY (merchant_id, txid),
  CONSTRAINT orders_amount_check CHECK (amount BETWEEN 1 AND 99999999999),
  CONSTRAINT orders_charged_back_check CHECK (amount_charged_back >= 0 AND amount_received >= 0),
  CONSTRAINT orders_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT orders_exception_check CHECK (exception IN ('none', 'underpaid', 'overpaid', 'paid_late',
    'duplicate_payment', 'wrong_currency', 'charged_back')),
  CONSTRAINT orders_fee_check CHECK (fee BETWEEN 0 AND amount),
  CONSTRAINT orders_holds_merchant_id_check CHECK (holds_merchant_id
    OR status IN ('failed', 'cancelled', 'expired')),
  CONSTRAINT orders_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT orders_order_merchant_id_check CHECK (char_length(order_merchant_id) BETWEEN 1 AND 64),
  CONSTRAINT orders_paid_at_check CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CONSTRAINT orders_paid_in_full_check CHECK (status <> 'paid'
    OR amount_received + amount_charged_back >= amount OR status_reason IS NOT DISTINCT FROM 'manual'),
  CONSTRAINT orders_refund_pending_check CHECK (amount_refund_pending = 0
    OR amount_refund_pending BETWEEN 1 AND amount_received - amount_refunded),
  CONSTRAINT orders_refunded_check CHECK (amount_refunded BETWEEN 0 AND amount_received + amount_charged_back),
  CONSTRAINT orders_status_check CHECK (status IN ('open', 'processing', 'paid', 'failed', 'cancelled',
    'expired')),
  CONSTRAINT orders_times_check CHECK (expires_at > created_at AND paid_at >= created_at)
);
CREATE UNIQUE INDEX orders_order_merchant_id_once ON orders (merchant_id, mode, order_merchant_id)
  WHERE holds_merchant_id;
CREATE INDEX orders_order_merchant_id ON orders (order_merchant_id, merchant_id, mode, holds_merchant_id, txid);
CREATE INDEX orders_page_token ON orders (page_token);
CREATE INDEX orders_history ON orders (merchant_id, mode, created_at, currency, amount) WHERE amount > 0;
CREATE INDEX orders_history_status ON orders (merchant_id, mode, status, created_at) WHERE amount > 0;
CREATE INDEX orders_history_amount ON orders (merchant_id, mode, currency, amount, created_at, txid)
  WHERE amount > 0;
CREATE INDEX orders_history_paid ON orders (merchant_id, mode, paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX orders_history_exception ON orders (merchant_id, mode, created_at) WHERE exception <> 'none';
CREATE INDEX orders_customer_email ON orders (merchant_id, mode, lower(customer_email), created_at)
  WHERE (customer_email IS NOT NULL);
CREATE INDEX orders_kept_without_money ON orders (merchant_id, txid) WHERE erased_at IS NULL
  AND status IN ('paid', 'failed', 'cancelled', 'expired') AND amount_received = 0 AND exception = 'none';
CREATE INDEX orders_kept_with_money ON orders (merchant_id, txid) WHERE erased_at IS NULL
  AND status IN ('paid', 'failed', 'cancelled', 'expired') AND (amount_received > 0 OR exception <> 'none');
CREATE INDEX orders_expiring ON orders (merchant_id, mode, expires_at) WHERE status = 'open';
CREATE STATISTICS orders_customer_email_rows ON lower(customer_email) FROM orders;

CREATE TABLE order_fields (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  txid uuid NOT NULL,
  CONSTRAINT order_fields_pk PRIMARY KEY (merchant_id, mode, name, value, created_at, txid)
);

CREATE TABLE order_notes (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  txid uuid NOT NULL,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT order_notes_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT order_notes_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders(merchant_id,txid),
  CONSTRAINT order_notes_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT order_notes_text_check CHECK (char_length(text) BETWEEN 1 AND 1000)
);
CREATE INDEX order_notes_order ON order_notes (merchant_id, txid, id);
CREATE INDEX order_notes_kept ON order_notes (merchant_id, id) WHERE text <> '[erased]';

CREATE TABLE idempotency_records (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  content_hash bytea NOT NULL,
  txid uuid NOT NULL,
  api_version text,
  status integer,
  body text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_records_pk PRIMARY KEY (merchant_id, mode, route, key),
  CONSTRAINT idempotency_records_answer_check CHECK ((status IS NULL) = (body IS NULL)
    AND (status IS NULL) = (api_version IS NULL)),
  CONSTRAINT idempotency_records_key_check CHECK (char_length(key) BETWEEN 1 AND 255)
);
CREATE INDEX idempotency_records_age ON idempotency_records (created_at);

CREATE TABLE page_openings (
  merchant_id uuid NOT NULL,
  txid uuid NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  CONSTRAINT page_openings_pk PRIMARY KEY (merchant_id, txid),
  CONSTRAINT page_openings_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders(merchant_id,txid)
);

CREATE TABLE saved_views (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT saved_views_pk PRIMARY KEY (merchant_id, user_id, name),
  CONSTRAINT saved_views_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT saved_views_user_fk FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT saved_views_name_check CHECK (char_length(name) BETWEEN 1 AND 60)
);
