-- Tables of src/database/payments/, providers/ and sandbox-bank/. The entities document the columns.

CREATE TABLE payments (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  txid uuid NOT NULL,
  provider text NOT NULL,
  method text NOT NULL,
  status text NOT NULL,
  amount bigint NOT NULL,
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
  transfer json,
  polls integer NOT NULL DEFAULT 0,
  next_poll_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  CONSTRAINT payments_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT payments_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders(merchant_id,txid),
  CONSTRAINT payments_amount_check CHECK (amount > 0),
  CONSTRAINT payments_completes_check CHECK (NOT completes_order OR status = 'succeeded'),
  CONSTRAINT payments_received_check CHECK (status <> 'succeeded' OR coalesce(amount_received, 0) > 0),
  CONSTRAINT payments_status_check CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled'))
);
CREATE UNIQUE INDEX payments_one_live ON payments (merchant_id, txid) WHERE status = 'pending';
CREATE UNIQUE INDEX payments_one_completes ON payments (merchant_id, txid) WHERE completes_order;
CREATE UNIQUE INDEX payments_provider_reference ON payments (merchant_id, provider, provider_reference);
CREATE INDEX payments_order ON payments (merchant_id, txid);
CREATE INDEX payments_history_provider ON payments (merchant_id, provider, txid);
CREATE INDEX payments_payer_name ON payments (merchant_id, lower(payer_account_name) text_pattern_ops, txid)
  WHERE (payer_account_name IS NOT NULL);
CREATE INDEX payments_payer_account
  ON payments (merchant_id, reverse(lower(replace(payer_account_number, ' ', ''))) text_pattern_ops, txid)
  WHERE (payer_account_number IS NOT NULL);
CREATE INDEX payments_due ON payments (merchant_id, next_poll_at) WHERE status = 'pending';
CREATE STATISTICS payments_payer_account_rows
  ON reverse(lower(replace(payer_account_number, ' ', ''))) FROM payments;
CREATE STATISTICS payments_payer_name_rows ON lower(payer_account_name) FROM payments;

CREATE TABLE provider_events (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  provider text NOT NULL,
  account_id uuid,
  mode text,
  provider_event_id text NOT NULL,
  payment_id uuid,
  report jsonb NOT NULL,
  body text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  applied_at timestamptz(3),
  result text,
  next_attempt_at timestamptz(3) DEFAULT now(),
  handled_at timestamptz(3),
  CONSTRAINT provider_events_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT provider_events_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT provider_events_handled_check CHECK (handled_at IS NULL OR applied_at IS NOT NULL
    OR handled_at - received_at > interval '24 hours'),
  CONSTRAINT provider_events_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT provider_events_result_check CHECK ((applied_at IS NULL) = (result IS NULL)),
  CONSTRAINT provider_events_unreadable_check CHECK (payment_id IS NOT NULL
    OR coalesce(result, '') = 'mismatch')
);
CREATE UNIQUE INDEX provider_events_once ON provider_events (merchant_id, provider, provider_event_id);
CREATE INDEX provider_events_mismatch ON provider_events (received_at) WHERE result = 'mismatch'
  AND handled_at IS NULL;
CREATE INDEX provider_events_kept ON provider_events (merchant_id, id) WHERE body <> '';
CREATE INDEX provider_events_attempts ON provider_events (merchant_id, next_attempt_at)
  WHERE applied_at IS NULL AND handled_at IS NULL;

CREATE TABLE sandbox_transactions (
  merchant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  reference text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  payee_name text NOT NULL,
  return_url text NOT NULL,
  outcome text,
  paid_amount bigint,
  paid_currency text,
  payer_account_number text,
  payer_account_type text,
  payer_account_name text,
  decline_code text,
  payer_due_at timestamptz(3),
  due_at timestamptz(3),
  repeat integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT sandbox_transactions_pk PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT sandbox_transactions_payment_fk FOREIGN KEY (merchant_id, payment_id)
    REFERENCES payments(merchant_id,id),
  CONSTRAINT sandbox_transactions_outcome_check
    CHECK (outcome IN ('paid', 'declined', 'pending', 'unknown', 'cancelled'))
);
CREATE INDEX sandbox_transactions_reference ON sandbox_transactions (reference);
CREATE INDEX sandbox_transactions_unsent ON sandbox_transactions (merchant_id, due_at) WHERE due_at IS NOT NULL;
