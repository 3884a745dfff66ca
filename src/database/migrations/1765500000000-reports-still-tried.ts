import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A check that is first made and then proven stops nobody for long. */
const up = [
  'ALTER TABLE provider_events DROP CONSTRAINT IF EXISTS provider_events_handled_check',
  `ALTER TABLE provider_events ADD CONSTRAINT provider_events_handled_check CHECK (
    handled_at IS NULL OR applied_at IS NOT NULL OR handled_at - received_at > interval '24 hours') NOT VALID`,
  `UPDATE provider_events SET handled_at = NULL
    WHERE applied_at IS NULL AND handled_at - received_at <= interval '24 hours'`,
  'ALTER TABLE provider_events VALIDATE CONSTRAINT provider_events_handled_check',
];

const down = `ALTER TABLE provider_events DROP CONSTRAINT provider_events_handled_check;`;

/** A provider's message is dealt with by a person only once nobody tries to apply it any more. */
export class ReportsStillTried1765500000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
