import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `'payment', 'unallocated', 'allocation', 'fee', 'payout_reserved', 'payout_released',
  'payout_paid', 'payout_returned', 'reversal', 'refund', 'charge_back', 'unallocated_back', 'deallocation'`;
const FILE_ACTS = `'file_brought', 'profile_written'`;
const LINE_ACTS = `'match_undone', 'payer_added', 'same_booking'`;
const OTHER_ACTS = `'told_apart', 'account_proposed', 'matched', 'transfers_allowed', 'money_accepted',
  'refund_recorded', 'return_booked', 'report_handled'`;

const words = (kinds: string, lineActs: string, otherActs: string): string => `
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check,
  ADD CONSTRAINT transfers_kind_check CHECK (kind IN (${kinds}));
ALTER TABLE bank_line_hands DROP CONSTRAINT bank_line_hands_act_check,
  ADD CONSTRAINT bank_line_hands_act_check CHECK (act IN (${lineActs}));
ALTER TABLE money_hands DROP CONSTRAINT money_hands_act_check,
  ADD CONSTRAINT money_hands_act_check CHECK (act IN (${FILE_ACTS}, ${lineActs}, ${otherActs}));
`;

/**
 * @param stands what else makes a return count
 * @param back what keeps an allocation from standing again
 */
const within = (stands: string, back: string): string => `
CREATE OR REPLACE FUNCTION refuse_returned_twice() RETURNS trigger LANGUAGE plpgsql AS $$
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
      WHERE merchant_id = NEW.merchant_id AND payment_id = NEW.payment_id${stands})
    OR went < (SELECT sum(amount) FROM bank_returns WHERE line_id = NEW.line_id${stands}) THEN
    RAISE EXCEPTION 'no more of a payment goes back than came' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_returns_within_payment', TABLE = 'bank_returns';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refuse_overspent_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE most bigint;
BEGIN
  SELECT amount INTO most FROM bank_lines
    WHERE id = NEW.line_id AND direction = 'in' AND status = 'booked' FOR NO KEY UPDATE;
  IF most IS NULL OR most < (SELECT sum(amount) FROM bank_allocations
      WHERE line_id = NEW.line_id AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))
    OR ${back} THEN
    RAISE EXCEPTION 'a line pays for no more than it brought' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_allocations_within_line', TABLE = 'bank_allocations';
  END IF;
  RETURN NULL;
END $$;
`;

const TAKEN_BACK = `EXISTS (SELECT FROM bank_allocations
      WHERE line_id = NEW.line_id AND undone_by_line_id IS NOT NULL)`;
/** Only what a bank was said to have taken back stands again, and only as far as it did not. */
const NOT_GIVEN_BACK = `TG_OP = 'INSERT' AND ${TAKEN_BACK}
    OR TG_OP = 'UPDATE' AND OLD.undone_at IS NOT NULL AND (OLD.undone_by_line_id IS NULL
      OR NEW.undone_by_line_id IS NOT NULL OR NEW.amount <= (SELECT coalesce(sum(amount), 0) FROM bank_returns
        WHERE merchant_id = NEW.merchant_id AND payment_id = NEW.payment_id AND undone_at IS NULL))`;

const returns = `
ALTER TABLE bank_returns ADD COLUMN undone_at timestamptz(3),
  ADD COLUMN undone_by uuid CONSTRAINT bank_returns_undone_by_fk REFERENCES users (id),
  ADD CONSTRAINT bank_returns_undone_check CHECK ((undone_at IS NULL) = (undone_by IS NULL)),
  DROP CONSTRAINT bank_returns_pk,
  ADD CONSTRAINT bank_returns_pk PRIMARY KEY (line_id, merchant_id, payment_id, created_at);
DROP TRIGGER bank_returns_append_only ON bank_returns;
CREATE TRIGGER bank_returns_append_only BEFORE DELETE ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_returns_undone_once BEFORE UPDATE ON bank_returns FOR EACH ROW
  WHEN (OLD.undone_at IS NOT NULL OR NEW.undone_at IS NULL
    OR (OLD.line_id, OLD.merchant_id, OLD.payment_id, OLD.amount, OLD.said_by, OLD.created_at)
      IS DISTINCT FROM (NEW.line_id, NEW.merchant_id, NEW.payment_id, NEW.amount, NEW.said_by, NEW.created_at))
  EXECUTE FUNCTION refuse_change();

CREATE FUNCTION note_hand_in_undone_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
    SELECT p.merchant_id, p.txid, NEW.undone_by, 'return_undone', NEW.undone_at
    FROM payments p WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payment_id
    ON CONFLICT DO NOTHING;
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT mode, account, NEW.undone_by, 'outgoing_decided', NEW.undone_at,
      coalesce(greatest(booked_on, valued_on), 'infinity')
    FROM bank_lines WHERE id = NEW.line_id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_returns_undone_hands AFTER UPDATE ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION note_hand_in_undone_return();
`;

/** What a merge has moved, so that it can be undone; the row is there as long as the merge stands. */
const merges = `
CREATE TABLE bank_line_merges (
  line_id uuid CONSTRAINT bank_line_merges_pk PRIMARY KEY
    CONSTRAINT bank_line_merges_line_fk REFERENCES bank_lines (id),
  other_id uuid NOT NULL CONSTRAINT bank_line_merges_other_fk REFERENCES bank_lines (id),
  places json NOT NULL,
  text text,
  payer_references json NOT NULL,
  end_to_end_id text,
  named_reference text,
  counterparty_name text,
  counterparty_account text,
  counterparty_account_type text,
  counterparty_bic text,
  unproven text,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX bank_line_merges_other ON bank_line_merges (other_id);

CREATE FUNCTION refuse_used_merge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.unproven IS NOT NULL AND (
    EXISTS (SELECT FROM bank_allocations WHERE line_id = OLD.other_id
      AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))
    OR EXISTS (SELECT FROM bank_returns WHERE line_id = OLD.other_id AND undone_at IS NULL)
    OR EXISTS (SELECT FROM bank_payout_lines WHERE line_id = OLD.other_id)) THEN
    RAISE EXCEPTION 'a line has moved money that nothing else proves' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_line_merges_unused', TABLE = 'bank_line_merges';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER bank_line_merges_unused BEFORE DELETE ON bank_line_merges
  FOR EACH ROW EXECUTE FUNCTION refuse_used_merge();
CREATE TRIGGER bank_line_merges_unchanged BEFORE UPDATE ON bank_line_merges
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

/**
 * @param more acts beside those of before
 * @param line in which somebody has a hand
 */
const audited = (more: string, line: string, others: string): string => `
CREATE OR REPLACE FUNCTION money_act_of(action text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE $1 WHEN 'order.money-accepted' THEN 'money_accepted'
    WHEN 'order.refunded' THEN 'refund_recorded' WHEN 'bank-line.undone' THEN 'match_undone'
    WHEN 'bank-line.payer-added' THEN 'payer_added' WHEN 'bank-line.same-booking' THEN 'same_booking'
    WHEN 'provider-report.handled' THEN 'report_handled'${more} END
$$;

CREATE OR REPLACE FUNCTION note_audited_hand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.action LIKE 'bank-line.%' THEN
    INSERT INTO bank_line_hands (line_id, user_id, act, created_at)
      SELECT ${line}, NEW.user_id, money_act_of(NEW.action), NEW.created_at
      FROM bank_lines l${others} WHERE l.id = NEW.subject::uuid
      ON CONFLICT DO NOTHING;
  ELSIF NEW.action = 'provider-report.handled' THEN
    INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
      SELECT p.merchant_id, p.txid, NEW.user_id, money_act_of(NEW.action), NEW.created_at
      FROM provider_events e JOIN payments p ON p.merchant_id = e.merchant_id AND p.id = e.payment_id
      WHERE e.merchant_id = NEW.merchant_id AND e.id = NEW.subject::uuid
      ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
      VALUES (NEW.merchant_id, NEW.subject::uuid, NEW.user_id, money_act_of(NEW.action), NEW.created_at)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER audit_entries_outgoing_hands ON audit_entries;
CREATE TRIGGER audit_entries_outgoing_hands AFTER INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND NEW.action IN ('bank-line.ignored', 'bank-line.reopened',
    'bank-line.returned', 'bank-line.same-booking', 'bank-line.another-booking'${more && `, 'bank-line.same-booking-undone'`}))
  EXECUTE FUNCTION note_outgoing_hand();
`;

const UNDONE_ACT = ` WHEN 'bank-line.same-booking-undone' THEN 'same_booking_undone'`;
/** Both lines are what they were before, and either may pay. */
const BOTH = ` CROSS JOIN LATERAL (
        SELECT l.id WHERE NEW.action <> 'bank-line.same-booking' OR l.duplicate_of IS NULL
        UNION SELECT l.duplicate_of WHERE l.duplicate_of IS NOT NULL
          AND NEW.action IN ('bank-line.same-booking', 'bank-line.same-booking-undone')) h`;
/** As it was before. */
const OF_EITHER = `CASE NEW.action WHEN 'bank-line.same-booking' THEN coalesce(l.duplicate_of, l.id)
          ELSE l.id END`;

const down = `
${audited('', OF_EITHER, '')}
DROP TABLE bank_line_merges;
DROP FUNCTION refuse_used_merge;
DROP TRIGGER bank_returns_undone_hands ON bank_returns;
DROP FUNCTION note_hand_in_undone_return;
DROP TRIGGER bank_returns_undone_once ON bank_returns;
DROP TRIGGER bank_returns_append_only ON bank_returns;
DELETE FROM bank_returns WHERE undone_at IS NOT NULL;
CREATE TRIGGER bank_returns_append_only BEFORE UPDATE OR DELETE ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE bank_returns DROP CONSTRAINT bank_returns_pk, DROP COLUMN undone_at, DROP COLUMN undone_by,
  ADD CONSTRAINT bank_returns_pk PRIMARY KEY (line_id, merchant_id, payment_id);
${within('', TAKEN_BACK)}
ALTER TABLE money_hands DISABLE TRIGGER USER;
ALTER TABLE bank_line_hands DISABLE TRIGGER USER;
DELETE FROM money_hands WHERE act IN ('return_undone', 'same_booking_undone');
DELETE FROM bank_line_hands WHERE act = 'same_booking_undone';
ALTER TABLE money_hands ENABLE TRIGGER USER;
ALTER TABLE bank_line_hands ENABLE TRIGGER USER;
${words(KINDS, LINE_ACTS, OTHER_ACTS)}`;

/** A return that was booked, and a duplicate that was none, can be taken back. */
export class UndoneDecisions1766090500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const acts = [`${LINE_ACTS}, 'same_booking_undone'`, `${OTHER_ACTS}, 'return_undone'`] as const;
    await runner.query(words(`${KINDS}, 'return_undone'`, ...acts));
    await runner.query(returns + within(' AND undone_at IS NULL', NOT_GIVEN_BACK));
    await runner.query(merges + audited(UNDONE_ACT, 'h.id', BOTH));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
