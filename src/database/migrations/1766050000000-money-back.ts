import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7Beside } from '../notifications/delivery.statements.js';

const KINDS = `'payment', 'unallocated', 'allocation', 'fee', 'payout_reserved', 'payout_released',
    'payout_paid', 'payout_returned', 'reversal', 'refund', 'charge_back', 'unallocated_back'`;

const kinds = (words: string): string => `
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check,
  ADD CONSTRAINT transfers_kind_check CHECK (kind IN (${words}));`;

/** @param covered what makes an order that was paid before one that must not get less */
const paidInFull = (covered: string, columns: string): string => `
CREATE OR REPLACE FUNCTION refuse_paid_in_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR OLD.status <> 'paid' OR ${covered} THEN
    RAISE EXCEPTION 'an order is paid with no less than it asks for'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_accepted_in_full';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER orders_accepted_in_full ON orders;
CREATE TRIGGER orders_accepted_in_full
  AFTER INSERT OR UPDATE OF ${columns} ON orders
  FOR EACH ROW WHEN (NEW.status = 'paid' AND NEW.amount_received < NEW.amount)
  EXECUTE FUNCTION refuse_paid_in_part();`;

const COVERED_BEFORE = 'OLD.amount_received >= OLD.amount';
/** What was taken back had come. */
const COVERED = `NEW.amount_received + NEW.amount_charged_back < NEW.amount
    AND OLD.amount_received + OLD.amount_charged_back >= OLD.amount`;

/** What the bank, or a person by an undone match, took back of each order before: of all of it, and of the merchant's own. */
const TAKEN = `
  SELECT t.merchant_id, t.txid, sum(t.amount) AS amount,
    coalesce(sum(t.amount) FILTER (WHERE t.kind = 'charge_back'), 0) AS own
  FROM transfers t WHERE t.kind IN ('charge_back', 'unallocated_back')
  GROUP BY t.merchant_id, t.txid`;

/** Money that was taken back and is still counted as received: the order says so from now on, with an event. */
const CORRECT = `
WITH taken AS (${TAKEN}), changed AS (
  UPDATE orders o SET amount_received = o.amount_received - t.own, amount_charged_back = t.amount,
    exception = CASE WHEN o.status = 'paid' AND o.amount_received - o.amount_refunded - t.own < o.amount
      THEN 'charged_back' ELSE o.exception END,
    version = o.version + (t.own > 0)::integer
  FROM taken t WHERE o.merchant_id = t.merchant_id AND o.txid = t.txid
  RETURNING o.*, t.own
)
INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
SELECT o.merchant_id, ${uuidv7Beside('e.id')}, o.txid, o.mode, o.version, 'order.exception',
  e.data || jsonb_build_object('from', o.status, 'exception', o.exception,
    'amountReceived', o.amount_received, 'amountChargedBack', o.amount_charged_back),
  e.created_at
FROM changed o JOIN events e
  ON e.merchant_id = o.merchant_id AND e.txid = o.txid AND e.sequence = o.version - 1
WHERE o.own > 0;`;

const up = `
ALTER TABLE orders ADD COLUMN amount_charged_back bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT orders_paid_in_full_check, DROP CONSTRAINT orders_refunded_check;
${paidInFull(COVERED, 'status, amount, amount_received, amount_charged_back')}
${CORRECT}
ALTER TABLE orders
  ADD CONSTRAINT orders_paid_in_full_check CHECK (status <> 'paid'
    OR amount_received + amount_charged_back >= amount OR status_reason IS NOT DISTINCT FROM 'manual'),
  ADD CONSTRAINT orders_refunded_check
    CHECK (amount_refunded BETWEEN 0 AND amount_received + amount_charged_back),
  ADD CONSTRAINT orders_charged_back_check
    CHECK (amount_charged_back >= 0 AND amount_received >= 0);

CREATE TABLE bank_returns (
  line_id uuid NOT NULL CONSTRAINT bank_returns_line_fk REFERENCES bank_lines (id),
  merchant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  amount bigint NOT NULL CONSTRAINT bank_returns_amount_check CHECK (amount > 0),
  said_by uuid CONSTRAINT bank_returns_said_by_fk REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_returns_pk PRIMARY KEY (line_id, merchant_id, payment_id),
  CONSTRAINT bank_returns_allocation_fk FOREIGN KEY (merchant_id, payment_id)
    REFERENCES bank_allocations (merchant_id, payment_id)
);
CREATE INDEX bank_returns_payment ON bank_returns (merchant_id, payment_id);
INSERT INTO bank_returns (line_id, merchant_id, payment_id, amount, created_at)
SELECT undone_by_line_id, merchant_id, payment_id, amount, undone_at FROM bank_allocations
WHERE undone_by_line_id IS NOT NULL;

CREATE FUNCTION refuse_returned_twice() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE came bigint; went bigint;
BEGIN
  SELECT amount INTO came FROM bank_allocations WHERE merchant_id = NEW.merchant_id
    AND payment_id = NEW.payment_id AND undone_at IS NULL FOR NO KEY UPDATE;
  SELECT amount INTO went FROM bank_lines
    WHERE id = NEW.line_id AND direction = 'out' AND status = 'booked'
      AND (mode, account) = (SELECT l.mode, l.account FROM bank_allocations a
        JOIN bank_lines l ON l.id = a.line_id
        WHERE a.merchant_id = NEW.merchant_id AND a.payment_id = NEW.payment_id) FOR NO KEY UPDATE;
  IF came IS NULL OR went IS NULL
    OR came < (SELECT sum(amount) FROM bank_returns
      WHERE merchant_id = NEW.merchant_id AND payment_id = NEW.payment_id)
    OR went < (SELECT sum(amount) FROM bank_returns WHERE line_id = NEW.line_id) THEN
    RAISE EXCEPTION 'no more of a payment goes back than came' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_returns_within_payment', TABLE = 'bank_returns';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_returns_within_payment AFTER INSERT ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_returned_twice();
CREATE TRIGGER bank_returns_append_only BEFORE UPDATE OR DELETE ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_returns_no_truncate BEFORE TRUNCATE ON bank_returns
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
${kinds(`${KINDS}, 'deallocation'`)}`;

const down = `
${kinds(KINDS)}
DROP TABLE bank_returns;
DROP FUNCTION refuse_returned_twice;
ALTER TABLE orders DROP CONSTRAINT orders_paid_in_full_check, DROP CONSTRAINT orders_refunded_check,
  DROP CONSTRAINT orders_charged_back_check;
${paidInFull(COVERED_BEFORE, 'status, amount, amount_received')}
UPDATE orders o SET amount_received = o.amount_received + t.own FROM (${TAKEN}) t
WHERE o.merchant_id = t.merchant_id AND o.txid = t.txid AND t.own > 0;
ALTER TABLE orders DROP COLUMN amount_charged_back,
  ADD CONSTRAINT orders_paid_in_full_check CHECK
    (status <> 'paid' OR amount_received >= amount OR status_reason IS NOT DISTINCT FROM 'manual'),
  ADD CONSTRAINT orders_refunded_check CHECK (amount_refunded BETWEEN 0 AND amount_received);
`;

/** What banks take back is no longer counted as received, also where it is a part of a payment. */
export class MoneyBack1766050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
