-- Tables of src/database/refunds/. The entities document the columns.

CREATE TABLE refunds (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL,
  txid uuid NOT NULL,
  payment_id uuid NOT NULL,
  refund_merchant_id text,
  content_hash bytea NOT NULL,
  amount bigint NOT NULL,
  from_unallocated bigint NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  status_reason text,
  method text NOT NULL,
  origin text NOT NULL,
  reason text,
  requested_by uuid,
  approved_by uuid,
  provider_reference text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  CONSTRAINT refunds_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT refunds_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders(merchant_id,txid),
  CONSTRAINT refunds_payment_fk FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id,id),
  CONSTRAINT refunds_requested_by_fk FOREIGN KEY (requested_by) REFERENCES users(id),
  CONSTRAINT refunds_approved_by_fk FOREIGN KEY (approved_by) REFERENCES users(id),
  CONSTRAINT refunds_amount_check CHECK (amount > 0),
  CONSTRAINT refunds_approved_check CHECK (mode = 'test' OR method = 'bank' OR approved_by IS NOT NULL
    OR status IN ('requested', 'cancelled', 'rejected')),
  CONSTRAINT refunds_requester_check CHECK (mode = 'test' OR method = 'bank' OR requested_by IS NOT NULL),
  CONSTRAINT refunds_completed_check CHECK ((status IN ('requested', 'approved', 'submitted')) = (completed_at IS NULL)),
  CONSTRAINT refunds_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT refunds_method_check CHECK (method IN ('provider', 'bank')),
  CONSTRAINT refunds_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT refunds_origin_check CHECK (origin IN ('api', 'portal')),
  CONSTRAINT refunds_reason_check CHECK (char_length(reason) BETWEEN 1 AND 140),
  CONSTRAINT refunds_reference_check CHECK (char_length(refund_merchant_id) BETWEEN 1 AND 64),
  CONSTRAINT refunds_status_check CHECK (status IN ('requested', 'approved', 'submitted', 'succeeded', 'failed',
    'cancelled', 'rejected')),
  CONSTRAINT refunds_two_people_check CHECK (approved_by <> requested_by),
  CONSTRAINT refunds_unallocated_check CHECK (from_unallocated BETWEEN 0 AND amount),
  CONSTRAINT refunds_version_check CHECK (version > 0)
);
CREATE INDEX refunds_order ON refunds (merchant_id, txid, id);
CREATE INDEX refunds_list ON refunds (merchant_id, mode, id);
CREATE INDEX refunds_list_status ON refunds (merchant_id, mode, status, id);
CREATE INDEX refunds_due ON refunds (merchant_id, mode, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE UNIQUE INDEX refunds_merchant_id_once ON refunds (merchant_id, mode, refund_merchant_id)
  WHERE refund_merchant_id IS NOT NULL;
ALTER TABLE payouts
  ADD CONSTRAINT payouts_refund_fk FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id,id);
ALTER TABLE transfers
  ADD CONSTRAINT transfers_refund_fk FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id,id);

CREATE TABLE refund_payees (
  merchant_id uuid NOT NULL,
  refund_id uuid NOT NULL,
  token text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  holder text,
  iban text,
  entered_at timestamptz(3),
  confirmed_by uuid,
  confirmed_at timestamptz(3),
  CONSTRAINT refund_payees_pk PRIMARY KEY (merchant_id, refund_id),
  CONSTRAINT refund_payees_refund_fk FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id,id),
  CONSTRAINT refund_payees_confirmed_by_fk FOREIGN KEY (confirmed_by) REFERENCES users(id),
  CONSTRAINT refund_payees_confirmed_check CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)
    AND (confirmed_at IS NULL OR confirmed_at >= entered_at)),
  CONSTRAINT refund_payees_entered_check CHECK ((entered_at IS NULL) = (holder IS NULL)
    AND (entered_at IS NULL) = (iban IS NULL) AND (entered_at IS NULL OR entered_at < expires_at)),
  CONSTRAINT refund_payees_holder_check CHECK (char_length(holder) BETWEEN 1 AND 70),
  CONSTRAINT refund_payees_iban_check CHECK (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$')
);
CREATE INDEX refund_payees_token ON refund_payees (token);

CREATE TABLE sandbox_refunds (
  merchant_id uuid NOT NULL,
  refund_id uuid NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  outcome text NOT NULL,
  booked_at timestamptz(3) NOT NULL,
  CONSTRAINT sandbox_refunds_pk PRIMARY KEY (merchant_id, refund_id),
  CONSTRAINT sandbox_refunds_refund_fk FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id,id),
  CONSTRAINT sandbox_refunds_outcome_check CHECK (outcome IN ('succeeded', 'failed', 'returned', 'silent'))
);
