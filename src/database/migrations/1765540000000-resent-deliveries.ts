import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds whether an event was sent again. Made beside the traffic, so outside of a transaction. */
export class ResentDeliveries1765540000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What is left of an attempt that broke off.
    await runner.query('DROP INDEX IF EXISTS deliveries_resent_events');
    await runner.query(`CREATE INDEX CONCURRENTLY deliveries_resent_events
      ON deliveries (merchant_id, endpoint_id, event_id) WHERE endpoint_id IS NOT NULL AND resent`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX deliveries_resent_events');
  }
}
