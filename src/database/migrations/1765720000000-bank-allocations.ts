import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `'payment', 'unallocated', 'allocation', 'fee', 'payout_reserved', 'payout_released',
  'payout_paid', 'payout_returned', 'reversal', 'refund'`;

const kinds = (words: string): string => `
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check,
  ADD CONSTRAINT transfers_kind_check CHECK (kind IN (${words}));
`;

/** Somebody's word, or what else counts as one. */
const ends = (orElse: string): string => `
CREATE OR REPLACE FUNCTION refuse_end_without_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payout_hands WHERE merchant_id = NEW.merchant_id AND payout_id = NEW.id
      AND act = CASE NEW.status WHEN 'pending_approval' THEN 'not_sent' ELSE NEW.status END)${orElse} THEN
    RAISE EXCEPTION 'nobody has said that the payout was not sent, failed or came back'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_said';
  END IF;
  RETURN NULL;
END $$;
`;

const BANK_SAYS = `
    AND NOT (NEW.status = 'returned' AND EXISTS (SELECT FROM bank_payout_lines
      WHERE merchant_id = NEW.merchant_id AND payout_id = NEW.id AND direction = 'in'))`;

const up = `
CREATE TABLE bank_allocations (
  merchant_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  txid uuid NOT NULL,
  line_id uuid NOT NULL CONSTRAINT bank_allocations_line_fk REFERENCES bank_lines (id),
  amount bigint NOT NULL CONSTRAINT bank_allocations_amount_check CHECK (amount > 0),
  evidence json NOT NULL,
  matched_by uuid CONSTRAINT bank_allocations_matched_by_fk REFERENCES users (id),
  created_at timestamptz(3) NOT NULL,
  undone_at timestamptz(3),
  undone_by_line_id uuid,
  CONSTRAINT bank_allocations_pk PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT bank_allocations_payment_fk FOREIGN KEY (merchant_id, payment_id)
    REFERENCES payments (merchant_id, id)
);
CREATE INDEX bank_allocations_line ON bank_allocations (line_id);

CREATE TABLE bank_payout_lines (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  direction text NOT NULL
    CONSTRAINT bank_payout_lines_direction_check CHECK (direction IN ('in', 'out')),
  line_id uuid NOT NULL CONSTRAINT bank_payout_lines_line_fk REFERENCES bank_lines (id),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_payout_lines_pk PRIMARY KEY (merchant_id, payout_id, direction),
  CONSTRAINT bank_payout_lines_payout_fk FOREIGN KEY (merchant_id, payout_id)
    REFERENCES payouts (merchant_id, id)
);
CREATE INDEX bank_payout_lines_line ON bank_payout_lines (line_id);

CREATE FUNCTION refuse_overspent_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE most bigint;
BEGIN
  SELECT amount INTO most FROM bank_lines
    WHERE id = NEW.line_id AND direction = 'in' AND status = 'booked' FOR NO KEY UPDATE;
  IF most IS NULL OR most < (SELECT sum(amount) FROM bank_allocations
      WHERE line_id = NEW.line_id AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))
    OR EXISTS (SELECT FROM bank_allocations
      WHERE line_id = NEW.line_id AND undone_by_line_id IS NOT NULL) THEN
    RAISE EXCEPTION 'a line pays for no more than it brought' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_allocations_within_line', TABLE = 'bank_allocations';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_within_line AFTER INSERT OR UPDATE ON bank_allocations
  FOR EACH ROW WHEN (NEW.undone_at IS NULL) EXECUTE FUNCTION refuse_overspent_line();

CREATE FUNCTION refuse_payer_of_undone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bank_allocations
      WHERE merchant_id = NEW.merchant_id AND payment_id = NEW.id AND undone_at IS NOT NULL) THEN
    RAISE EXCEPTION 'who sent money that was taken back is no payer of the order'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_payer_stands', TABLE = 'payments';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_payer_stands BEFORE UPDATE OF payer_account_number, payer_account_name ON payments
  FOR EACH ROW WHEN (OLD.provider = 'bank_transfer' AND OLD.amount_received IS NOT NULL AND (
    NEW.payer_account_number IS NOT NULL AND NEW.payer_account_number IS DISTINCT FROM OLD.payer_account_number
    OR NEW.payer_account_name IS NOT NULL AND NEW.payer_account_name IS DISTINCT FROM OLD.payer_account_name))
  EXECUTE FUNCTION refuse_payer_of_undone();
${ends(BANK_SAYS)}
${kinds(`${KINDS}, 'charge_back', 'unallocated_back'`)}`;

const down = `
${ends('')}
${kinds(KINDS)}
DROP TRIGGER payments_payer_stands ON payments;
DROP FUNCTION refuse_payer_of_undone;
DROP TABLE bank_payout_lines;
DROP TABLE bank_allocations;
DROP FUNCTION refuse_overspent_line();
`;

/** Which line of a bank paid for which order. */
export class BankAllocations1765720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
