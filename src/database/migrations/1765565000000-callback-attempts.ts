import type { MigrationInterface, QueryRunner } from 'typeorm';

const NEW = `provider_events_attempts ON provider_events (merchant_id, next_attempt_at)
  WHERE applied_at IS NULL AND handled_at IS NULL`;

/**
 * Each message of a provider says when it is tried, so that none is forgotten for its age, and those without
 * a payment are not read again and again. Made beside the traffic, so outside of a transaction.
 */
export class CallbackAttempts1765565000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE provider_events
      ADD COLUMN IF NOT EXISTS next_attempt_at timestamptz(3) DEFAULT now()`);
    // What is left of an attempt that broke off.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS provider_events_attempts');
    await runner.query(`CREATE INDEX CONCURRENTLY ${NEW}`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS provider_events_unapplied');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX provider_events_unapplied ON provider_events (merchant_id, received_at)
        WHERE applied_at IS NULL`,
    );
    await runner.query('DROP INDEX provider_events_attempts');
    await runner.query('ALTER TABLE provider_events DROP COLUMN next_attempt_at');
  }
}
