import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE provider_events
  ADD COLUMN account_id uuid,
  ADD COLUMN mode text CONSTRAINT provider_events_mode_check CHECK (mode IN ('test', 'live')),
  ADD COLUMN handled_at timestamptz(3);
CREATE INDEX provider_events_mismatch ON provider_events (received_at)
  WHERE result = 'mismatch' AND handled_at IS NULL;
CREATE TRIGGER provider_events_account_append_only BEFORE UPDATE OF account_id, mode
  ON provider_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

const down = `
DROP TRIGGER provider_events_account_append_only ON provider_events;
DROP INDEX provider_events_mismatch;
ALTER TABLE provider_events DROP COLUMN account_id, DROP COLUMN mode, DROP COLUMN handled_at;
`;

/** Which account a provider's message came through, and whether a person dealt with it. */
export class ProviderReports1765094402000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
