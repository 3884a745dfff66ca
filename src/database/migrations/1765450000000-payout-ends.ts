import type { MigrationInterface, QueryRunner } from 'typeorm';

const ACTS = `'requested', 'submitted', 'changed', 'scheduled', 'account_added', 'account_confirmed'`;
const MORE_ACTS = `${ACTS}, 'file_made', 'file_downloaded', 'not_sent', 'failed', 'returned', 'earlier'`;

const acts = (known: string): string => `
ALTER TABLE payout_hands DROP CONSTRAINT payout_hands_act_check;
ALTER TABLE payout_hands ADD CONSTRAINT payout_hands_act_check CHECK (act IN (${known}));`;

/** Whether the payout \`p\` gave its money back, and the hand \`h\` in it goes on with the money. */
const GOES_ON = `p.status IN ('rejected', 'cancelled', 'failed', 'returned')
  AND h.act IN ('file_made', 'file_downloaded', 'not_sent', 'failed', 'returned', 'earlier')`;

const HAND = 'payout_hands WHERE merchant_id = NEW.merchant_id AND payout_id = NEW.id';
const DOWNLOADS = `audit_entries
  WHERE merchant_id IS NULL AND subject = OLD.file_id::text AND action = 'payout-file.downloaded'`;

/** A file is locked by whoever says that it was not sent, so nobody downloads it meanwhile. */
const up = `
${acts(MORE_ACTS)}

CREATE FUNCTION refuse_end_without_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ${HAND}
      AND act = CASE NEW.status WHEN 'pending_approval' THEN 'not_sent' ELSE NEW.status END) THEN
    RAISE EXCEPTION 'nobody has said that the payout was not sent, failed or came back'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_said';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_said AFTER UPDATE OF status ON payouts FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (NEW.status IN ('failed', 'returned')
    OR OLD.status = 'exported' AND NEW.status = 'pending_approval'))
  EXECUTE FUNCTION refuse_end_without_word();

CREATE FUNCTION refuse_old_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.approved_by IS NOT NULL AND EXISTS (SELECT FROM ${DOWNLOADS}) THEN
    RAISE EXCEPTION 'somebody has the file of the payout: it takes a new approval'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_new_approval';
  END IF;
  INSERT INTO payout_hands
    SELECT NEW.merchant_id, NEW.id, user_id, act FROM (
      SELECT created_by, 'file_made' FROM payout_files WHERE id = OLD.file_id
      UNION SELECT user_id, 'file_downloaded' FROM ${DOWNLOADS} AND user_id IS NOT NULL
    ) h (user_id, act)
    WHERE NEW.approved_by IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_new_approval AFTER UPDATE OF status ON payouts FOR EACH ROW
  WHEN (OLD.status = 'exported' AND NEW.status IN ('approved', 'pending_approval'))
  EXECUTE FUNCTION refuse_old_approval();

DROP TRIGGER payouts_in_a_file ON payouts;
CREATE TRIGGER payouts_in_a_file BEFORE UPDATE OF status ON payouts FOR EACH ROW
  WHEN (OLD.status = 'exported'
    AND NEW.status NOT IN ('exported', 'submitted', 'approved', 'pending_approval'))
  EXECUTE FUNCTION refuse_change();

CREATE FUNCTION note_earlier_hands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_hands
    SELECT DISTINCT n.merchant_id, n.payout_id, h.user_id, 'earlier'
    FROM added n JOIN payout_lines l ON l.merchant_id = n.merchant_id
      AND l.transfer_id = n.transfer_id AND l.payout_id <> n.payout_id
    JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
    JOIN payout_hands h ON h.merchant_id = l.merchant_id AND h.payout_id = l.payout_id
    WHERE ${GOES_ON}
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER payout_lines_earlier_hands AFTER INSERT ON payout_lines
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_earlier_hands();

CREATE FUNCTION refuse_change_of_sent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM removed l JOIN payout_hands h ON h.merchant_id = l.merchant_id
      AND h.payout_id = l.payout_id AND h.act = 'not_sent') THEN
    RAISE EXCEPTION 'somebody has a file with the payout: it stays as it is'
      USING ERRCODE = 'check_violation', TABLE = 'payout_lines', CONSTRAINT = 'payout_lines_of_sent';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payout_lines_of_sent AFTER DELETE ON payout_lines
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_sent();
`;

/** What the audit log knows of the time before. */
const fill = `
INSERT INTO payout_hands
  SELECT p.merchant_id, p.id, e.user_id, p.status FROM payouts p JOIN audit_entries e
    ON e.merchant_id = p.merchant_id AND e.subject = p.id::text AND e.action = 'payout.' || p.status
  WHERE p.status IN ('failed', 'returned') AND e.user_id IS NOT NULL ON CONFLICT DO NOTHING;

DO $$ BEGIN
  LOOP
    INSERT INTO payout_hands
      SELECT DISTINCT n.merchant_id, n.payout_id, h.user_id, 'earlier'
      FROM payout_hands h
      JOIN payouts p ON p.merchant_id = h.merchant_id AND p.id = h.payout_id
      JOIN payout_lines l ON l.merchant_id = p.merchant_id AND l.payout_id = p.id
      JOIN payout_lines n ON n.merchant_id = l.merchant_id AND n.transfer_id = l.transfer_id
      JOIN payouts later ON later.merchant_id = n.merchant_id AND later.id = n.payout_id
      WHERE ${GOES_ON} AND later.id <> p.id AND later.created_at > p.updated_at
      ON CONFLICT DO NOTHING;
    EXIT WHEN NOT FOUND;
  END LOOP;
END $$;
`;

const down = `
DROP TRIGGER payout_lines_of_sent ON payout_lines;
DROP TRIGGER payout_lines_earlier_hands ON payout_lines;
DROP TRIGGER payouts_in_a_file ON payouts;
CREATE TRIGGER payouts_in_a_file BEFORE UPDATE OF status ON payouts FOR EACH ROW
  WHEN (OLD.status = 'exported' AND NEW.status NOT IN ('exported', 'submitted', 'approved'))
  EXECUTE FUNCTION refuse_change();
DROP TRIGGER payouts_new_approval ON payouts;
DROP TRIGGER payouts_said ON payouts;
DROP FUNCTION refuse_change_of_sent;
DROP FUNCTION note_earlier_hands;
DROP FUNCTION refuse_old_approval;
DROP FUNCTION refuse_end_without_word;
ALTER TABLE payout_hands DISABLE TRIGGER payout_hands_append_only;
DELETE FROM payout_hands WHERE act NOT IN (${ACTS});
ALTER TABLE payout_hands ENABLE TRIGGER payout_hands_append_only;
${acts(ACTS)}
`;

/** Whoever says that money did not arrive has a hand in all that pays it later. */
export class PayoutEnds1765450000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
