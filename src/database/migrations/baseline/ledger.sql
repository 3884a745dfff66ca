-- Tables of src/database/ledger/. The entities document the columns.

CREATE TABLE transfers (
  merchant_id uuid NOT NULL,
  id uuid NOT NULL,
  mode text NOT NULL,
  currency text NOT NULL,
  kind text NOT NULL,
  debit text NOT NULL,
  credit text NOT NULL,
  amount bigint NOT NULL,
  txid uuid,
  payment_id uuid,
  payout_id uuid,
  payout_version integer,
  refund_id uuid,
  reverses_id uuid,
  occurrence integer NOT NULL DEFAULT 1,
  note text,
  created_at timestamptz(3) NOT NULL,
  checkpointed boolean NOT NULL DEFAULT false,
  covered boolean NOT NULL DEFAULT false,
  CONSTRAINT transfers_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT transfers_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT transfers_order_fk FOREIGN KEY (merchant_id, txid) REFERENCES orders(merchant_id,txid),
  CONSTRAINT transfers_payment_fk FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id,id),
  CONSTRAINT transfers_reverses_fk FOREIGN KEY (merchant_id, reverses_id) REFERENCES transfers(merchant_id,id),
  CONSTRAINT transfers_accounts_check CHECK (debit <> credit),
  CONSTRAINT transfers_amount_check CHECK (amount > 0),
  CONSTRAINT transfers_cause_check CHECK ((payment_id IS NULL) = (txid IS NULL)
    AND (payout_id IS NULL) = (payout_version IS NULL) AND (payment_id IS NULL) <> (payout_id IS NULL)),
  CONSTRAINT transfers_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT transfers_kind_check CHECK (kind IN ('payment', 'unallocated', 'allocation', 'fee',
    'payout_reserved', 'payout_released', 'payout_paid', 'payout_returned', 'reversal', 'refund', 'charge_back',
    'unallocated_back', 'deallocation', 'return_undone', 'refund_reserved', 'refund_released', 'refund_paid',
    'refund_returned')),
  CONSTRAINT transfers_refund_check CHECK ((refund_id IS NULL OR payment_id IS NOT NULL)
    AND (kind IN ('refund_reserved', 'refund_released', 'refund_paid', 'refund_returned')) = (refund_id IS NOT NULL)),
  CONSTRAINT transfers_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT transfers_reversal_check CHECK ((kind = 'reversal') = (reverses_id IS NOT NULL)
    AND (kind IN ('reversal', 'refund')) = (note IS NOT NULL))
);
CREATE UNIQUE INDEX transfers_payout_once ON transfers (merchant_id, payout_id, payout_version, kind)
  WHERE payout_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_reversed_once ON transfers (merchant_id, reverses_id)
  WHERE reverses_id IS NOT NULL;
CREATE INDEX transfers_fresh ON transfers (merchant_id, mode, currency) WHERE NOT checkpointed;
CREATE INDEX transfers_open ON transfers (merchant_id, mode, currency, id) WHERE NOT covered
  AND payment_id IS NOT NULL AND (debit = 'available' OR credit = 'available');
CREATE INDEX transfers_unallocated ON transfers (mode, txid) WHERE debit = 'unallocated'
  OR credit = 'unallocated';
CREATE INDEX transfers_unallocated_back ON transfers (merchant_id, mode, txid) WHERE kind = 'unallocated_back';
CREATE UNIQUE INDEX transfers_payment_once
  ON transfers (merchant_id, payment_id, kind, currency, occurrence) WHERE kind <> 'reversal'
  AND payment_id IS NOT NULL AND refund_id IS NULL;
CREATE INDEX transfers_payment ON transfers (merchant_id, payment_id) WHERE payment_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_refund_once ON transfers (merchant_id, refund_id, kind, debit, credit)
  WHERE refund_id IS NOT NULL;

CREATE TABLE balances (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  currency text NOT NULL,
  account text NOT NULL,
  amount bigint NOT NULL DEFAULT 0,
  CONSTRAINT balances_pk PRIMARY KEY (merchant_id, mode, currency, account),
  CONSTRAINT balances_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT balances_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT balances_mode_check CHECK (mode IN ('test', 'live'))
);

CREATE TABLE fee_rates (
  merchant_id uuid NOT NULL,
  provider text NOT NULL,
  currency text NOT NULL,
  parts_per_million integer NOT NULL,
  fixed bigint NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT fee_rates_pk PRIMARY KEY (merchant_id, provider, currency),
  CONSTRAINT fee_rates_merchant_fk FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT fee_rates_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT fee_rates_fixed_check CHECK (fixed BETWEEN 0 AND 99999999999),
  CONSTRAINT fee_rates_parts_check CHECK (parts_per_million BETWEEN 0 AND 1000000)
);
