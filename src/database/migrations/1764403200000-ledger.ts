import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7Beside } from '../notifications/delivery.statements.js';

/** All columns but the two that only say what has been counted, and what has been paid out. */
const FACTS =
  'merchant_id, id, mode, currency, kind, debit, credit, amount, txid, payment_id, payout_id, payout_version, reverses_id, note, created_at';

/**
 * - `transfers_fresh`: what a balance adds to the checkpoint.
 * - `transfers_open`: what a payout can pay, oldest first.
 * - `transfers_unallocated`: money that no order explains, of all merchants.
 *
 * Parts that came before the payment that completed an order are what it lacked. Only where more came
 * than that do times have to tell, and those of two processes may be the wrong way round.
 */
const up = `
ALTER TABLE orders ADD COLUMN fee bigint
  CONSTRAINT orders_fee_check CHECK (fee BETWEEN 0 AND amount);

CREATE TABLE fee_rates (
  merchant_id uuid NOT NULL CONSTRAINT fee_rates_merchant_fk REFERENCES merchants (id),
  provider text NOT NULL,
  currency text NOT NULL CONSTRAINT fee_rates_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  parts_per_million integer NOT NULL
    CONSTRAINT fee_rates_parts_check CHECK (parts_per_million BETWEEN 0 AND 1000000),
  fixed bigint NOT NULL CONSTRAINT fee_rates_fixed_check CHECK (fixed BETWEEN 0 AND 99999999999),
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT fee_rates_pk PRIMARY KEY (merchant_id, provider, currency)
);

CREATE TABLE transfers (
  merchant_id uuid NOT NULL CONSTRAINT transfers_merchant_fk REFERENCES merchants (id),
  id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT transfers_mode_check CHECK (mode IN ('test', 'live')),
  currency text NOT NULL CONSTRAINT transfers_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  kind text NOT NULL CONSTRAINT transfers_kind_check CHECK (kind IN ('payment', 'unallocated',
    'allocation', 'fee', 'payout_reserved', 'payout_released', 'payout_paid', 'payout_returned',
    'reversal')),
  debit text NOT NULL,
  credit text NOT NULL,
  amount bigint NOT NULL CONSTRAINT transfers_amount_check CHECK (amount > 0),
  txid uuid,
  payment_id uuid,
  payout_id uuid,
  payout_version integer,
  reverses_id uuid,
  note text,
  created_at timestamptz(3) NOT NULL,
  checkpointed boolean NOT NULL DEFAULT false,
  covered boolean NOT NULL DEFAULT false,
  CONSTRAINT transfers_pk PRIMARY KEY (merchant_id, id),
  CONSTRAINT transfers_order_fk
    FOREIGN KEY (merchant_id, txid) REFERENCES orders (merchant_id, txid),
  CONSTRAINT transfers_payment_fk
    FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, id),
  CONSTRAINT transfers_reverses_fk
    FOREIGN KEY (merchant_id, reverses_id) REFERENCES transfers (merchant_id, id),
  CONSTRAINT transfers_accounts_check CHECK (debit <> credit),
  CONSTRAINT transfers_cause_check CHECK ((payment_id IS NULL) = (txid IS NULL)
    AND (payout_id IS NULL) = (payout_version IS NULL)
    AND (payment_id IS NULL) <> (payout_id IS NULL)),
  CONSTRAINT transfers_reversal_check CHECK ((kind = 'reversal') = (reverses_id IS NOT NULL)
    AND (kind = 'reversal') = (note IS NOT NULL))
);
CREATE UNIQUE INDEX transfers_payment_once ON transfers (merchant_id, payment_id, kind, currency)
  WHERE kind <> 'reversal' AND payment_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_payout_once
  ON transfers (merchant_id, payout_id, payout_version, kind) WHERE payout_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_reversed_once ON transfers (merchant_id, reverses_id)
  WHERE reverses_id IS NOT NULL;
CREATE INDEX transfers_fresh ON transfers (merchant_id, mode, currency) WHERE NOT checkpointed;
CREATE INDEX transfers_open ON transfers (merchant_id, mode, currency, id)
  WHERE NOT covered AND payment_id IS NOT NULL AND (debit = 'available' OR credit = 'available');
CREATE INDEX transfers_unallocated ON transfers (mode, txid)
  WHERE debit = 'unallocated' OR credit = 'unallocated';

CREATE TABLE balances (
  merchant_id uuid NOT NULL CONSTRAINT balances_merchant_fk REFERENCES merchants (id),
  mode text NOT NULL CONSTRAINT balances_mode_check CHECK (mode IN ('test', 'live')),
  currency text NOT NULL CONSTRAINT balances_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  account text NOT NULL,
  amount bigint NOT NULL DEFAULT 0,
  CONSTRAINT balances_pk PRIMARY KEY (merchant_id, mode, currency, account)
);

UPDATE orders SET fee = 0 WHERE status = 'paid';

INSERT INTO transfers (merchant_id, id, mode, currency, kind, debit, credit, amount, txid,
  payment_id, created_at)
SELECT p.merchant_id, ${uuidv7Beside('p.id')}, o.mode, p.received_currency, t.kind,
  CASE WHEN t.kind = 'allocation' THEN 'unallocated' ELSE 'clearing:' || p.provider END,
  CASE WHEN t.kind = 'unallocated' THEN 'unallocated' ELSE 'available' END,
  t.amount, p.txid, p.id, coalesce(p.completed_at, p.created_at)
FROM payments p
JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid
CROSS JOIN LATERAL (
  SELECT greatest(0, o.amount - p.amount_received, (
    SELECT sum(b.amount_received) FROM payments b
    WHERE b.merchant_id = p.merchant_id AND b.txid = p.txid AND b.status = 'succeeded'
      AND p.completes_order AND NOT b.completes_order AND b.completed_at <= p.completed_at
      AND o.status_reason <> 'exact'
  )) AS before
) parts
CROSS JOIN LATERAL (VALUES
  ('payment', CASE WHEN p.completes_order THEN o.amount - parts.before END),
  ('unallocated', CASE WHEN p.completes_order THEN p.amount_received + parts.before - o.amount
    ELSE p.amount_received END),
  ('allocation', CASE WHEN p.completes_order THEN parts.before END)
) t (kind, amount)
WHERE p.amount_received > 0 AND t.amount > 0;

CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OF ${FACTS} ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_checkpointed_once BEFORE UPDATE OF checkpointed ON transfers
  FOR EACH ROW WHEN (OLD.checkpointed) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_no_truncate BEFORE TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

const down = `
DROP TABLE balances, transfers, fee_rates;
ALTER TABLE orders DROP COLUMN fee;
`;

/** Where every amount is, and what it cost to take it. Payments of before are booked as they came. */
export class Ledger1764403200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
