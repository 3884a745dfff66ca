import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns with a constant beginning: no row is written for them. */
const up = `
ALTER TABLE webhook_endpoints ADD COLUMN answers_since timestamptz(3);
ALTER TABLE deliveries ADD COLUMN failed_at timestamptz(3), ADD COLUMN scheduled_at timestamptz(3),
  ADD COLUMN extra_attempts integer NOT NULL DEFAULT 0;
`;

/** What waits while the tables change; what a worker has taken comes due within a minute. */
const waiting = `
UPDATE deliveries SET failed_at = created_at
WHERE endpoint_id IS NOT NULL AND status = 'pending' AND attempts > 0
  AND next_attempt_at > now() + interval '2 minutes'
`;

const down = `
ALTER TABLE webhook_endpoints DROP COLUMN answers_since;
ALTER TABLE deliveries DROP COLUMN failed_at, DROP COLUMN scheduled_at, DROP COLUMN extra_attempts;
`;

/** An endpoint that answers again is caught up at once. */
export class CatchingUp1765580000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
    await runner.query(waiting);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
