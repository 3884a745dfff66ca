import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A check that is first made and then proven stops nobody for long. */
const up = [
  'ALTER TABLE provider_events ALTER COLUMN payment_id DROP NOT NULL',
  'ALTER TABLE provider_events DROP CONSTRAINT IF EXISTS provider_events_unreadable_check',
  `ALTER TABLE provider_events ADD CONSTRAINT provider_events_unreadable_check
    CHECK (payment_id IS NOT NULL OR coalesce(result, '') = 'mismatch') NOT VALID`,
  'ALTER TABLE provider_events VALIDATE CONSTRAINT provider_events_unreadable_check',
];

const down = [
  'ALTER TABLE provider_events DROP CONSTRAINT provider_events_unreadable_check',
  'ALTER TABLE provider_events ALTER COLUMN payment_id SET NOT NULL',
];

/** What a provider signed and nobody here understands is kept for a person. */
export class UnreadableReports1765470000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
