import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
UPDATE bank_accounts SET usable_from = greatest(usable_from,
  greatest(created_at, noticed_at, confirmed_at) + interval '24 hours');
ALTER TABLE bank_accounts DROP CONSTRAINT bank_accounts_times_check;
ALTER TABLE bank_accounts ADD CONSTRAINT bank_accounts_times_check CHECK
  (usable_from - greatest(created_at, noticed_at, confirmed_at) >= interval '24 hours');

-- A mail to whoever added or confirmed the account warns nobody, unless there is no other owner.
CREATE FUNCTION begin_account_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT CASE WHEN count(next_attempt_at) = 0 THEN max(sent_at) END INTO NEW.noticed_at FROM (
    SELECT next_attempt_at, sent_at,
      rank() OVER (ORDER BY user_id IN (NEW.created_by, coalesce(NEW.confirmed_by, NEW.created_by)))
    FROM bank_account_notices WHERE merchant_id = NEW.merchant_id AND bank_account_id = NEW.id
  ) n WHERE rank = 1;
  NEW.usable_from := greatest(NEW.created_at, NEW.noticed_at, NEW.confirmed_at) + interval '24 hours';
  RETURN NEW;
END $$;
CREATE TRIGGER bank_accounts_day BEFORE UPDATE OF noticed_at, confirmed_at ON bank_accounts
  FOR EACH ROW EXECUTE FUNCTION begin_account_day();

-- Two mails that end at the same moment wait for each other's row of the account here.
CREATE OR REPLACE FUNCTION note_account_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_accounts SET noticed_at = noticed_at
    WHERE merchant_id = NEW.merchant_id AND id = NEW.bank_account_id;
  RETURN NULL;
END $$;
DROP TRIGGER bank_account_notices_noticed ON bank_account_notices;
CREATE TRIGGER bank_account_notices_noticed
  AFTER INSERT OR UPDATE OF sent_at, next_attempt_at ON bank_account_notices
  FOR EACH ROW WHEN (NEW.next_attempt_at IS NULL) EXECUTE FUNCTION note_account_notice();
`;

const down = `
DROP TRIGGER bank_account_notices_noticed ON bank_account_notices;
CREATE OR REPLACE FUNCTION note_account_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_accounts SET noticed_at = NEW.sent_at
    WHERE merchant_id = NEW.merchant_id AND id = NEW.bank_account_id AND noticed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_account_notices_noticed AFTER INSERT OR UPDATE OF sent_at ON bank_account_notices
  FOR EACH ROW WHEN (NEW.sent_at IS NOT NULL) EXECUTE FUNCTION note_account_notice();
DROP TRIGGER bank_accounts_day ON bank_accounts;
DROP FUNCTION begin_account_day;
ALTER TABLE bank_accounts DROP CONSTRAINT bank_accounts_times_check;
ALTER TABLE bank_accounts ADD CONSTRAINT bank_accounts_times_check
  CHECK (usable_from >= created_at);
`;

/** The day in which owners can object to a bank account begins when they could hear of it. */
export class AccountDay1765470000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
