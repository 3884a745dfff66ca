import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns without a value: no row is written for them. */
const up = `
ALTER TABLE orders ADD COLUMN original_amount bigint, ADD COLUMN original_expires_at timestamptz(3);
`;

const down = `
ALTER TABLE orders DROP COLUMN original_amount, DROP COLUMN original_expires_at;
`;

/** What an order asked for before it was changed. */
export class ChangedOrders1765601000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
