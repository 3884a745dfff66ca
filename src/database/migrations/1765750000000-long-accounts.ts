import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexOn = (account: string): string => `
DROP INDEX bank_lines_payer;
CREATE INDEX bank_lines_payer ON bank_lines (mode, ${account}) WHERE state = 'matched';
`;

/** What a bank calls an account may be longer than an index takes: it is found by its start. */
export class LongAccounts1765750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexOn('left(counterparty_account, 64)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(indexOn('counterparty_account'));
  }
}
