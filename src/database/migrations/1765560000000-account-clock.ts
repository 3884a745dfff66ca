import type { MigrationInterface, QueryRunner } from 'typeorm';

const refuse = (since: string) => `
CREATE OR REPLACE FUNCTION refuse_unusable_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM bank_accounts WHERE merchant_id = NEW.merchant_id
      AND id = NEW.bank_account_id AND confirmed_at IS NOT NULL AND noticed_at IS NOT NULL
      AND retired_at IS NULL AND usable_from <= ${since}) THEN
    RAISE EXCEPTION 'bank account % of payout % cannot be paid to', NEW.bank_account_id, NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_account_usable';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER payouts_account_usable ON payouts;
`;

const guard = (statuses: string) => `
CREATE TRIGGER payouts_account_usable AFTER INSERT OR UPDATE OF status, bank_account_id ON payouts
  FOR EACH ROW WHEN (NEW.status IN (${statuses})) EXECUTE FUNCTION refuse_unusable_account();
`;

/** A process whose clock is ahead ends nobody's day to object: the database's clock counts, too. */
export class AccountClock1765560000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statuses = `'draft', 'pending_approval', 'approved', 'exported'`;
    await runner.query(refuse('least(NEW.updated_at, now())') + guard(statuses));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(refuse('NEW.updated_at') + guard(`'pending_approval'`));
  }
}
