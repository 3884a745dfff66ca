import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who had a hand in a payout from its row alone: who asked, and whose word the account rests on. */
const OF_ROW = (payout: string): string => `
  SELECT ${payout}.merchant_id, ${payout}.id, h.user_id, h.act
  FROM bank_accounts a CROSS JOIN LATERAL (VALUES (${payout}.requested_by, 'requested'),
    (a.created_by, 'account_added'), (a.confirmed_by, 'account_confirmed')) h (user_id, act)
  WHERE a.merchant_id = ${payout}.merchant_id AND a.id = ${payout}.bank_account_id
    AND h.user_id IS NOT NULL`;

const up = `
CREATE TABLE merchant_people (
  merchant_id uuid NOT NULL CONSTRAINT merchant_people_merchant_fk REFERENCES merchants (id),
  user_id uuid NOT NULL CONSTRAINT merchant_people_user_fk REFERENCES users (id),
  CONSTRAINT merchant_people_pk PRIMARY KEY (merchant_id, user_id)
);
CREATE TRIGGER merchant_people_append_only BEFORE UPDATE OR DELETE ON merchant_people
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER merchant_people_no_truncate BEFORE TRUNCATE ON merchant_people
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION note_merchant_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_people VALUES (NEW.merchant_id, NEW.user_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER memberships_people AFTER INSERT OR UPDATE OF merchant_id, user_id ON memberships
  FOR EACH ROW EXECUTE FUNCTION note_merchant_person();

CREATE TABLE payout_hands (
  merchant_id uuid NOT NULL,
  payout_id uuid NOT NULL,
  user_id uuid NOT NULL CONSTRAINT payout_hands_user_fk REFERENCES users (id),
  act text NOT NULL CONSTRAINT payout_hands_act_check CHECK (act IN ('requested', 'submitted',
    'changed', 'scheduled', 'account_added', 'account_confirmed')),
  CONSTRAINT payout_hands_pk PRIMARY KEY (merchant_id, payout_id, user_id, act),
  CONSTRAINT payout_hands_payout_fk
    FOREIGN KEY (merchant_id, payout_id) REFERENCES payouts (merchant_id, id)
);
CREATE TRIGGER payout_hands_append_only BEFORE UPDATE OR DELETE ON payout_hands
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_hands_no_truncate BEFORE TRUNCATE ON payout_hands
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION note_payout_hands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_hands ${OF_ROW('NEW')} ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_hands AFTER INSERT OR UPDATE OF requested_by, bank_account_id ON payouts
  FOR EACH ROW EXECUTE FUNCTION note_payout_hands();

-- Triggers of one event run by their names: this one comes after the hands are noted.
CREATE FUNCTION refuse_involved_approver() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER payouts_second_person AFTER INSERT OR UPDATE OF approved_by ON payouts
  FOR EACH ROW WHEN (NEW.approved_by IS NOT NULL) EXECUTE FUNCTION refuse_involved_approver();

ALTER TABLE payout_schedules ADD COLUMN changed_by uuid[] NOT NULL DEFAULT '{}';
`;

/** What is known of the time before; of whom nothing is known, nobody is kept from approving. */
const fill = `
INSERT INTO merchant_people
  SELECT merchant_id, user_id FROM memberships
  UNION
  SELECT merchant_id, subject::uuid FROM audit_entries
  WHERE action = 'member.removed' AND merchant_id IS NOT NULL AND subject IN (SELECT id::text FROM users);

INSERT INTO payout_hands SELECT h.* FROM payouts p CROSS JOIN LATERAL (${OF_ROW('p')}) h;

INSERT INTO payout_hands
  SELECT p.merchant_id, p.id, e.user_id, CASE WHEN e.action = 'payout.changed' THEN 'changed'
    WHEN e.user_id = p.requested_by THEN 'requested' ELSE 'submitted' END
  FROM payouts p JOIN audit_entries e ON e.merchant_id = p.merchant_id AND e.subject = p.id::text
  WHERE e.user_id IS NOT NULL AND e.action IN ('payout.requested', 'payout.changed')
  ON CONFLICT DO NOTHING;

INSERT INTO payout_hands
  SELECT p.merchant_id, p.id, e.user_id, 'scheduled' FROM payouts p JOIN audit_entries e
    ON e.merchant_id = p.merchant_id AND e.created_at <= p.created_at
    AND e.data ->> 'mode' = p.mode AND e.data ->> 'currency' = p.currency
  WHERE p.requested_by IS NULL AND e.action = 'payout-schedule.changed' AND e.user_id IS NOT NULL
  ON CONFLICT DO NOTHING;

UPDATE payout_schedules s SET changed_by = ARRAY(
  SELECT DISTINCT e.user_id FROM audit_entries e
  WHERE e.merchant_id = s.merchant_id AND e.action = 'payout-schedule.changed'
    AND e.user_id IS NOT NULL
    AND e.data ->> 'mode' = s.mode AND e.data ->> 'currency' = s.currency
);
`;

const down = `
ALTER TABLE payout_schedules DROP COLUMN changed_by;
DROP TRIGGER payouts_second_person ON payouts;
DROP TRIGGER payouts_hands ON payouts;
DROP TRIGGER memberships_people ON memberships;
DROP TABLE payout_hands, merchant_people;
DROP FUNCTION refuse_involved_approver;
DROP FUNCTION note_payout_hands;
DROP FUNCTION note_merchant_person;
`;

/** Everybody who had a hand in a payout is kept with it, and none of them approves it. */
export class TwoPeople1765180800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
