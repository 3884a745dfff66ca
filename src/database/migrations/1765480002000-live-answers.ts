import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of what receivers answered to live webhooks the status line stays: the rest may repeat the payer. */
export class LiveAnswers1765480002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE delivery_attempts a SET response_head = split_part(response_head, E'\\n', 1)
      FROM deliveries d WHERE d.merchant_id = a.merchant_id AND d.id = a.delivery_id
        AND d.mode = 'live' AND d.endpoint_id IS NOT NULL AND a.response_head IS NOT NULL`);
  }

  /** What is forgotten does not come back. */
  async down(): Promise<void> {
    // Nothing to do.
  }
}
