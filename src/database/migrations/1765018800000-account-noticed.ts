import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE bank_accounts ADD COLUMN noticed_at timestamptz(3);

CREATE FUNCTION note_account_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_accounts SET noticed_at = NEW.sent_at
    WHERE merchant_id = NEW.merchant_id AND id = NEW.bank_account_id AND noticed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_account_notices_noticed AFTER INSERT OR UPDATE OF sent_at ON bank_account_notices
  FOR EACH ROW WHEN (NEW.sent_at IS NOT NULL) EXECUTE FUNCTION note_account_notice();

CREATE FUNCTION refuse_unusable_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM bank_accounts WHERE merchant_id = NEW.merchant_id
      AND id = NEW.bank_account_id AND confirmed_at IS NOT NULL AND noticed_at IS NOT NULL
      AND retired_at IS NULL AND usable_from <= NEW.updated_at) THEN
    RAISE EXCEPTION 'bank account % cannot be paid to', NEW.bank_account_id
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_account_usable';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_account_usable AFTER INSERT OR UPDATE OF status, bank_account_id ON payouts
  FOR EACH ROW WHEN (NEW.status = 'pending_approval') EXECUTE FUNCTION refuse_unusable_account();
`;

/** Whatever could be paid to before can be paid to afterwards. */
const fill = `
UPDATE bank_accounts a SET noticed_at = coalesce(
  (SELECT min(sent_at) FROM bank_account_notices n
    WHERE n.merchant_id = a.merchant_id AND n.bank_account_id = a.id),
  CASE WHEN usable_from <= now() THEN usable_from END);
`;

const down = `
DROP TRIGGER payouts_account_usable ON payouts;
DROP FUNCTION refuse_unusable_account;
DROP TRIGGER bank_account_notices_noticed ON bank_account_notices;
DROP FUNCTION note_account_notice;
ALTER TABLE bank_accounts DROP COLUMN noticed_at;
`;

/** Nothing is paid out to a bank account of which nobody could hear. */
export class AccountNoticed1765018800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
