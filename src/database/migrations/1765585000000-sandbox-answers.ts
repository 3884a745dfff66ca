import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sandbox bank gives reasons, kinds of accounts, and tells later who paid. */
export class SandboxAnswers1765585000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sandbox_transactions ADD COLUMN decline_code text,
      ADD COLUMN payer_account_type text, ADD COLUMN payer_due_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sandbox_transactions DROP COLUMN decline_code,
      DROP COLUMN payer_account_type, DROP COLUMN payer_due_at`);
  }
}
