import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An order that ended unpaid frees its id, also when a part of its money came. */
export class FreedIds1765600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE orders SET holds_merchant_id = false
      WHERE holds_merchant_id AND status IN ('failed', 'cancelled', 'expired')`);
  }

  /** Another order may have taken an id over: an earlier version finds nothing wrong with a free one. */
  async down(): Promise<void> {}
}
