import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Turn {
  readonly index: string;
  readonly on: string;
  /** The index whose place it takes, of what is due whoever's it is. */
  readonly before: string;
  readonly beforeOn: string;
}

const turn = (index: string, before: string, table: string, moment: string, due: string): Turn => ({
  index,
  on: `${table} (merchant_id, ${moment}) WHERE ${due}`,
  before,
  beforeOn: `${table} (${moment}) WHERE ${due}`,
});

const TURNS: readonly Turn[] = [
  turn('orders_due', 'orders_open', 'orders', 'expires_at', `status = 'open'`),
  turn('payments_due', 'payments_look', 'payments', 'next_look_at', `status = 'pending'`),
  turn(
    'provider_events_unapplied',
    'provider_events_waiting',
    'provider_events',
    'received_at',
    'applied_at IS NULL',
  ),
  turn(
    'sandbox_transactions_unsent',
    'sandbox_transactions_due',
    'sandbox_transactions',
    'due_at',
    'due_at IS NOT NULL',
  ),
];

/** Merchants take turns with what is due. Made beside the traffic, so outside of a transaction. */
export class Turns1765511000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { index, on } of TURNS) {
      // What is left of an attempt that broke off.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${on}`);
    }
    for (const { before } of TURNS) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${before}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { index, before, beforeOn } of TURNS) {
      await runner.query(`CREATE INDEX ${before} ON ${beforeOn}`);
      await runner.query(`DROP INDEX ${index}`);
    }
  }
}
