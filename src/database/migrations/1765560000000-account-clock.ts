import type { MigrationInterface, QueryRunner } from 'typeorm';

const refuse = (since: string, message: string) => `
CREATE OR REPLACE FUNCTION refuse_unusable_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM bank_accounts WHERE merchant_id = NEW.merchant_id
      AND id = NEW.bank_account_id AND confirmed_at IS NOT NULL AND noticed_at IS NOT NULL
      AND retired_at IS NULL AND usable_from <= ${since}) THEN
    RAISE EXCEPTION ${message}
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_account_usable';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER payouts_account_usable ON payouts;
`;

const ACCOUNT = `'bank account % cannot be paid to', NEW.bank_account_id`;
const ACCOUNT_AND_PAYOUT = `'bank account % of payout % cannot be paid to', NEW.bank_account_id, NEW.id`;

const guard = (statuses: string) => `
CREATE TRIGGER payouts_account_usable AFTER INSERT OR UPDATE OF status, bank_account_id ON payouts
  FOR EACH ROW WHEN (NEW.status IN (${statuses})) EXECUTE FUNCTION refuse_unusable_account();
`;

/** A process whose clock is ahead ends nobody's day to object: the database's clock counts, too. */
export class AccountClock1765560000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statuses = `'draft', 'pending_approval', 'approved', 'exported'`;
    const since = 'least(NEW.updated_at, now())';
    await runner.query(refuse(since, ACCOUNT_AND_PAYOUT) + guard(statuses));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuse('NEW.updated_at', ACCOUNT) + guard(`'pending_approval'`));
  }
}
