import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Merchants take turns with their mails. Made beside the traffic, so outside of a transaction. */
export class MailTurns1764921600000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What is left of an attempt that broke off.
    await runner.query('DROP INDEX IF EXISTS deliveries_mail_turn');
    await runner.query(`CREATE INDEX CONCURRENTLY deliveries_mail_turn
      ON deliveries (merchant_id, mode, next_attempt_at)
      WHERE status = 'pending' AND recipient_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX deliveries_mail_turn');
  }
}
