import type { MigrationInterface, QueryRunner } from 'typeorm';

const NEW = `orders_expiring ON orders (merchant_id, mode, expires_at) WHERE status = 'open'`;

/** Orders of live mode never wait for those of test mode. Made beside the traffic, so outside of a transaction. */
export class TurnsOfModes1765564000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What is left of an attempt that broke off.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS orders_expiring');
    await runner.query(`CREATE INDEX CONCURRENTLY ${NEW}`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS orders_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX orders_due ON orders (merchant_id, expires_at) WHERE status = 'open'`,
    );
    await runner.query('DROP INDEX orders_expiring');
  }
}
