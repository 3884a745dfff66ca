import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many mails a merchant's people were sent lately is counted by it. */
export class NoticesOfMerchants1765512000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX user_notices_merchant ON user_notices (merchant_id, created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX user_notices_merchant');
  }
}
