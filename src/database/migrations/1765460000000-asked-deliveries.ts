import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts what a merchant has asked to be sent again. Made beside the traffic, so outside of a transaction. */
export class AskedDeliveries1765460000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What is left of an attempt that broke off.
    await runner.query('DROP INDEX IF EXISTS deliveries_asked');
    await runner.query(`CREATE INDEX CONCURRENTLY deliveries_asked ON deliveries (merchant_id, mode)
      WHERE status = 'pending' AND endpoint_id IS NOT NULL AND (resent OR event_id IS NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX deliveries_asked');
  }
}
