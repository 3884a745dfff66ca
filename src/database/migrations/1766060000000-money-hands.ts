import type { MigrationInterface, QueryRunner } from 'typeorm';

const FILE_ACTS = `'file_brought', 'profile_written'`;
const LINE_ACTS = `'match_undone', 'payer_added', 'same_booking'`;
const ACTS = `${FILE_ACTS}, ${LINE_ACTS}, 'told_apart', 'account_proposed', 'matched', 'transfers_allowed',
  'money_accepted', 'refund_recorded', 'return_booked', 'report_handled'`;
const OUTGOING_ACTS = `'outgoing_brought', 'outgoing_decided'`;

const NOTICES = `'codes-guessed', 'owners-changed', 'endpoint-by-key', 'account-changed', 'signed-in',
  'statements-missing', 'collection-account'`;
const notices = (kinds: string): string => `
ALTER TABLE user_notices DROP CONSTRAINT user_notices_kind_check,
  ADD CONSTRAINT user_notices_kind_check CHECK (kind IN (${kinds}));
`;

const appendOnly = (table: string): string => `
CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table}
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

const tables = `
CREATE TABLE bank_file_hands (
  file_id uuid NOT NULL CONSTRAINT bank_file_hands_file_fk REFERENCES bank_files (id),
  user_id uuid NOT NULL CONSTRAINT bank_file_hands_user_fk REFERENCES users (id),
  act text NOT NULL CONSTRAINT bank_file_hands_act_check CHECK (act IN (${FILE_ACTS})),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_file_hands_pk PRIMARY KEY (file_id, user_id, act)
);
${appendOnly('bank_file_hands')}
CREATE TABLE bank_line_hands (
  line_id uuid NOT NULL CONSTRAINT bank_line_hands_line_fk REFERENCES bank_lines (id),
  user_id uuid NOT NULL CONSTRAINT bank_line_hands_user_fk REFERENCES users (id),
  act text NOT NULL CONSTRAINT bank_line_hands_act_check CHECK (act IN (${LINE_ACTS})),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT bank_line_hands_pk PRIMARY KEY (line_id, user_id, act, created_at)
);
${appendOnly('bank_line_hands')}
CREATE TABLE money_hands (
  merchant_id uuid NOT NULL,
  txid uuid NOT NULL,
  user_id uuid NOT NULL CONSTRAINT money_hands_user_fk REFERENCES users (id),
  act text NOT NULL CONSTRAINT money_hands_act_check CHECK (act IN (${ACTS})),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT money_hands_pk PRIMARY KEY (merchant_id, txid, user_id, act, created_at),
  CONSTRAINT money_hands_order_fk FOREIGN KEY (merchant_id, txid)
    REFERENCES orders (merchant_id, txid)
);
${appendOnly('money_hands')}
CREATE TABLE outgoing_hands (
  mode text NOT NULL,
  account text NOT NULL,
  user_id uuid NOT NULL CONSTRAINT outgoing_hands_user_fk REFERENCES users (id),
  act text NOT NULL CONSTRAINT outgoing_hands_act_check CHECK (act IN (${OUTGOING_ACTS})),
  created_at timestamptz(3) NOT NULL,
  booked_on date NOT NULL,
  CONSTRAINT outgoing_hands_pk PRIMARY KEY (mode, account, user_id, act, created_at, booked_on)
);
${appendOnly('outgoing_hands')}
CREATE TABLE single_operator_approvals (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  user_id uuid NOT NULL CONSTRAINT single_operator_approvals_user_fk REFERENCES users (id),
  approved_at timestamptz(3) NOT NULL,
  waited_since timestamptz(3) NOT NULL,
  waiting_hours integer NOT NULL,
  CONSTRAINT single_operator_approvals_pk PRIMARY KEY (merchant_id, payout_id, approved_at),
  CONSTRAINT single_operator_approvals_payout_fk
    FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts (merchant_id, id)
);
${appendOnly('single_operator_approvals')}
ALTER TABLE merchants ADD COLUMN transfers_allowed_by uuid
  CONSTRAINT merchants_transfers_allowed_by_fk REFERENCES users (id);
`;

/**
 * Who had a hand in the money of allocations \`a\`, when it came to its order.
 * @param until what keeps away those who came later; only rows of the time before have any
 */
const handsOf = (allocations: string, until = ''): string => `
INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
  SELECT a.merchant_id, a.txid, h.user_id, h.act, a.created_at
  FROM ${allocations} a JOIN bank_lines l ON l.id = a.line_id
  JOIN merchants m ON m.id = a.merchant_id
  CROSS JOIN LATERAL (
    SELECT a.matched_by AS user_id, 'matched' AS act
    UNION ALL SELECT m.transfers_allowed_by, 'transfers_allowed' WHERE l.mode = 'live'
    UNION ALL SELECT o.user_id, o.act FROM hands_of_line(a.line_id) o ${until}
  ) h WHERE h.user_id IS NOT NULL
  ON CONFLICT DO NOTHING;
`;

const ofLine = `
CREATE FUNCTION hands_of_line(line uuid)
  RETURNS TABLE (user_id uuid, act text, created_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT h.user_id, h.act, h.created_at FROM bank_line_places p
    JOIN bank_statements s ON s.id = p.statement_id
    JOIN bank_file_hands h ON h.file_id = s.file_id WHERE p.line_id = $1
  UNION ALL SELECT h.user_id, h.act, h.created_at FROM bank_line_hands h WHERE h.line_id = $1
  UNION ALL SELECT l.told_apart_by, 'told_apart', l.created_at FROM bank_lines l WHERE l.id = $1
  UNION ALL SELECT c.proposed_by, 'account_proposed', c.applied_at
    FROM bank_lines l JOIN collection_account_changes c ON c.account = l.account
    WHERE l.id = $1 AND l.mode = 'live' AND c.kind <> 'disable' AND c.applied_at IS NOT NULL
$$;

CREATE FUNCTION note_bringer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO bank_file_hands VALUES (NEW.id, NEW.brought_by, 'file_brought', NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER bank_files_hands AFTER INSERT ON bank_files
  FOR EACH ROW WHEN (NEW.brought_by IS NOT NULL) EXECUTE FUNCTION note_bringer();

CREATE FUNCTION note_hands_of_allocations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  ${handsOf('added')}
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_hands AFTER INSERT ON bank_allocations
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_hands_of_allocations();

CREATE FUNCTION note_hand_in_paid_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
    SELECT a.merchant_id, a.txid, NEW.user_id, NEW.act, NEW.created_at
    FROM bank_allocations a WHERE a.line_id = NEW.line_id ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_line_hands_orders AFTER INSERT ON bank_line_hands
  FOR EACH ROW EXECUTE FUNCTION note_hand_in_paid_orders();
`;

/** What only the audit log knows, which every act of a person in the portal writes in its own transaction. */
const audited = `
CREATE FUNCTION money_act_of(action text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE $1 WHEN 'order.money-accepted' THEN 'money_accepted'
    WHEN 'order.refunded' THEN 'refund_recorded' WHEN 'bank-line.undone' THEN 'match_undone'
    WHEN 'bank-line.payer-added' THEN 'payer_added' WHEN 'bank-line.same-booking' THEN 'same_booking'
    WHEN 'provider-report.handled' THEN 'report_handled' END
$$;

CREATE FUNCTION note_audited_hand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.action LIKE 'bank-line.%' THEN
    INSERT INTO bank_line_hands (line_id, user_id, act, created_at)
      SELECT CASE NEW.action WHEN 'bank-line.same-booking' THEN coalesce(l.duplicate_of, l.id)
          ELSE l.id END, NEW.user_id, money_act_of(NEW.action), NEW.created_at
      FROM bank_lines l WHERE l.id = NEW.subject::uuid
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
CREATE TRIGGER audit_entries_money_hands AFTER INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND money_act_of(NEW.action) IS NOT NULL)
  EXECUTE FUNCTION note_audited_hand();
`;

/**
 * Whoever says, or brings a file that says, what money that left an account was decides whose payment a bank took back,
 * and whose it did not: that person has a hand in all money that had come on the account by then, also where it is
 * matched later. A line may be dated ahead, and tellings up to 10 days apart are taken for one booking (`WINDOW_DAYS` of
 * `src/bank/line-key.ts`). A return that was booked makes the order owed again.
 */
const returns = `
CREATE FUNCTION outgoing_hands_of(merchant uuid, payout uuid)
  RETURNS TABLE (user_id uuid, act text, created_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT h.user_id, h.act, h.created_at FROM payout_lines l
    JOIN payments p ON p.merchant_id = l.merchant_id AND p.txid = l.txid
    JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
    JOIN bank_lines b ON b.id = a.line_id
    JOIN outgoing_hands h ON h.mode = b.mode AND h.account = b.account
      AND greatest(h.created_at, h.booked_on + interval '10 days')
        >= least(a.created_at, b.booked_on::timestamptz, b.valued_on::timestamptz)
  WHERE l.merchant_id = $1 AND l.payout_id = $2
$$;

CREATE FUNCTION note_outgoing_hand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT mode, account, NEW.user_id, 'outgoing_decided', NEW.created_at,
      coalesce(greatest(booked_on, valued_on), 'infinity')
    FROM bank_lines WHERE id = NEW.subject::uuid AND (direction = 'out' OR kind <> 'payment')
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_entries_outgoing_hands AFTER INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL AND NEW.action IN ('bank-line.ignored',
    'bank-line.reopened', 'bank-line.returned', 'bank-line.same-booking', 'bank-line.another-booking'))
  EXECUTE FUNCTION note_outgoing_hand();

CREATE FUNCTION note_bringer_of_outgoing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT b.mode, b.account, h.user_id, 'outgoing_brought', s.created_at,
      max(coalesce(greatest(b.booked_on, b.valued_on), 'infinity'))
    FROM added p JOIN bank_statements s ON s.id = p.statement_id
    JOIN bank_file_hands h ON h.file_id = s.file_id
    JOIN bank_lines b ON b.id = p.line_id AND b.direction = 'out'
    GROUP BY b.mode, b.account, h.user_id, s.created_at
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_line_places_outgoing_hands AFTER INSERT ON bank_line_places
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_bringer_of_outgoing();

CREATE FUNCTION note_hand_in_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
    SELECT p.merchant_id, p.txid, NEW.said_by, 'return_booked', NEW.created_at
    FROM payments p WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payment_id
      AND NEW.said_by IS NOT NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO outgoing_hands (mode, account, user_id, act, created_at, booked_on)
    SELECT b.mode, b.account, h.user_id, 'outgoing_brought', NEW.created_at,
      coalesce(greatest(b.booked_on, b.valued_on), 'infinity')
    FROM bank_lines b CROSS JOIN LATERAL hands_of_line(b.id) h
    WHERE b.id = NEW.line_id AND h.user_id IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_returns_hands AFTER INSERT ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION note_hand_in_return();
`;

/**
 * A hand and an approval of the same payout wait for each other: either the approver is refused, or the money was
 * approved before.
 */
const lateHands = `
CREATE FUNCTION hold_payouts_of_hand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM payouts p WHERE p.status = 'pending_approval' AND (p.merchant_id, p.id) IN (
    SELECT l.merchant_id, l.payout_id FROM added a JOIN payout_lines l
      ON l.merchant_id = a.merchant_id AND l.txid = a.txid AND l.kind = 'order')
    ORDER BY p.id FOR SHARE OF p;
  RETURN NULL;
END $$;
CREATE TRIGGER money_hands_payouts AFTER INSERT ON money_hands
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_payouts_of_hand();

CREATE FUNCTION hold_pending_payouts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM payouts WHERE status = 'pending_approval' ORDER BY id FOR SHARE;
  RETURN NULL;
END $$;
CREATE TRIGGER outgoing_hands_payouts AFTER INSERT ON outgoing_hands
  FOR EACH STATEMENT EXECUTE FUNCTION hold_pending_payouts();
`;

const refuse = `
    RAISE EXCEPTION 'whoever had a hand in a payout, or belongs to its merchant, does not approve it'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';`;
const IS_MEMBER = `EXISTS (SELECT FROM merchant_people WHERE merchant_id = NEW.merchant_id
      AND user_id = NEW.approved_by)`;
const HAS_HAND = `EXISTS (SELECT FROM payout_hands WHERE merchant_id = NEW.merchant_id
      AND payout_id = NEW.id AND user_id = NEW.approved_by)`;

const approvals = `
CREATE FUNCTION payout_waits_since(merchant uuid, payout uuid, asked timestamptz)
  RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN count(n.sent_at) > 0 AND count(n.next_attempt_at) = 0 THEN greatest($3, max(n.sent_at),
      (SELECT r.changed_at FROM operating_rules r),
      (SELECT max(h.created_at) FROM payout_lines l JOIN money_hands h
        ON h.merchant_id = l.merchant_id AND h.txid = l.txid
        WHERE l.merchant_id = $1 AND l.payout_id = $2),
      (SELECT max(o.created_at) FROM outgoing_hands_of($1, $2) o)) END
  FROM user_notices n WHERE n.merchant_id = $1 AND n.kind = 'payout-waits'
    AND n.data ->> 'payout' = $2::text AND n.created_at >= $3
$$;

CREATE OR REPLACE FUNCTION refuse_involved_approver() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rules operating_rules;
  since timestamptz;
BEGIN
  IF ${IS_MEMBER} THEN ${refuse}
  END IF;
  IF NOT ${HAS_HAND}
    AND NOT EXISTS (SELECT FROM payout_lines l JOIN money_hands h
      ON h.merchant_id = l.merchant_id AND h.txid = l.txid
      WHERE l.merchant_id = NEW.merchant_id AND l.payout_id = NEW.id AND h.user_id = NEW.approved_by)
    AND NOT EXISTS (SELECT FROM outgoing_hands_of(NEW.merchant_id, NEW.id) o
      WHERE o.user_id = NEW.approved_by) THEN
    RETURN NULL;
  END IF;
  SELECT * INTO rules FROM operating_rules;
  IF NOT rules.single_operator OR TG_OP = 'INSERT' THEN ${refuse}
  END IF;
  since := CASE NEW.mode WHEN 'test' THEN NEW.created_at - rules.waiting_hours * interval '1 hour'
    ELSE payout_waits_since(NEW.merchant_id, NEW.id, OLD.updated_at) END;
  IF since IS NULL
    OR since + rules.waiting_hours * interval '1 hour' > least(NEW.approved_at, now()) THEN ${refuse}
  END IF;
  INSERT INTO single_operator_approvals
    VALUES (NEW.merchant_id, NEW.id, NEW.approved_by, NEW.approved_at, since, rules.waiting_hours);
  RETURN NULL;
END $$;
`;

/** What is known of the time before. */
const fill = `
INSERT INTO bank_file_hands
  SELECT id, brought_by, 'file_brought', created_at FROM bank_files WHERE brought_by IS NOT NULL;

UPDATE merchants m SET transfers_allowed_by = (
  SELECT e.user_id FROM audit_entries e WHERE e.merchant_id = m.id
    AND e.action = 'merchant.transfers-allowed' ORDER BY e.id DESC LIMIT 1)
  WHERE m.takes_transfers;

${handsOf('bank_allocations', 'WHERE o.created_at <= a.created_at')}
INSERT INTO bank_line_hands (line_id, user_id, act, created_at)
  SELECT l.id, e.user_id, money_act_of(e.action), e.created_at
  FROM audit_entries e JOIN bank_lines l ON l.id::text = e.subject
  WHERE e.user_id IS NOT NULL AND e.action LIKE 'bank-line.%' AND money_act_of(e.action) IS NOT NULL
  ON CONFLICT DO NOTHING;

INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at)
  SELECT o.merchant_id, o.txid, e.user_id, money_act_of(e.action), e.created_at
  FROM audit_entries e JOIN orders o ON o.merchant_id = e.merchant_id AND o.txid::text = e.subject
  WHERE e.user_id IS NOT NULL AND e.action LIKE 'order.%' AND money_act_of(e.action) IS NOT NULL
  ON CONFLICT DO NOTHING;

INSERT INTO single_operator_approvals
  SELECT DISTINCT p.merchant_id, p.id, p.approved_by, p.approved_at, p.approved_at, 0
  FROM payouts p JOIN payout_lines l ON l.merchant_id = p.merchant_id AND l.payout_id = p.id
  JOIN money_hands h ON h.merchant_id = l.merchant_id AND h.txid = l.txid
    AND h.user_id = p.approved_by
  WHERE p.approved_by IS NOT NULL;
`;

const down = `
CREATE OR REPLACE FUNCTION refuse_involved_approver() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payout_hands WHERE merchant_id = NEW.merchant_id AND payout_id = NEW.id
      AND user_id = NEW.approved_by)
    OR EXISTS (SELECT FROM merchant_people WHERE merchant_id = NEW.merchant_id
      AND user_id = NEW.approved_by) THEN
    RAISE EXCEPTION 'whoever had a hand in a payout, or belongs to its merchant, does not approve it'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';
  END IF;
  RETURN NULL;
END $$;
DROP FUNCTION payout_waits_since;
DROP TRIGGER audit_entries_money_hands ON audit_entries;
DROP TRIGGER bank_allocations_hands ON bank_allocations;
DROP TRIGGER bank_files_hands ON bank_files;
DROP TRIGGER audit_entries_outgoing_hands ON audit_entries;
DROP TRIGGER bank_returns_hands ON bank_returns;
DROP TRIGGER bank_line_places_outgoing_hands ON bank_line_places;
DROP TABLE single_operator_approvals, outgoing_hands, money_hands, bank_line_hands, bank_file_hands;
DROP FUNCTION note_audited_hand;
DROP FUNCTION money_act_of;
DROP FUNCTION hold_payouts_of_hand;
DROP FUNCTION note_hand_in_return;
DROP FUNCTION note_bringer_of_outgoing;
DROP FUNCTION note_outgoing_hand;
DROP FUNCTION hold_pending_payouts;
DROP FUNCTION outgoing_hands_of;
DROP FUNCTION note_hand_in_paid_orders;
DROP FUNCTION note_hands_of_allocations;
DROP FUNCTION note_bringer;
DROP FUNCTION hands_of_line;
ALTER TABLE merchants DROP COLUMN transfers_allowed_by;
DELETE FROM user_notices WHERE kind = 'payout-waits';
${notices(NOTICES)}`;

/** Whoever decides that money is an order's has a hand in each payout that pays it. */
export class MoneyHands1766060000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables + notices(`${NOTICES}, 'payout-waits'`));
    await runner.query(ofLine + audited + returns + lateHands + approvals);
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
