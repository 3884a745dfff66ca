import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATUSES = `('draft', 'pending_approval', 'approved', 'exported')`;

const guard = (name: string, event: string, condition: string): string => `
CREATE TRIGGER ${name} AFTER ${event} ON payouts
  FOR EACH ROW WHEN (NEW.status IN ${STATUSES}${condition}) EXECUTE FUNCTION refuse_unusable_account();
`;

const up =
  'DROP TRIGGER payouts_account_usable ON payouts;' +
  guard('payouts_account_usable_at_first', 'INSERT', '') +
  guard(
    'payouts_account_usable',
    'UPDATE OF status, bank_account_id',
    ` AND (OLD.status <> 'exported' OR NEW.bank_account_id <> OLD.bank_account_id)`,
  );

const down =
  `DROP TRIGGER payouts_account_usable_at_first ON payouts;
   DROP TRIGGER payouts_account_usable ON payouts;` +
  guard('payouts_account_usable', 'INSERT OR UPDATE OF status, bank_account_id', '');

/** A file that was not sent gives its payouts back whatever became of an account: no new file takes that one. */
export class NotSentFiles1765562000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
