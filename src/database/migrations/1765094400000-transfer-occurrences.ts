import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE transfers ADD COLUMN occurrence integer NOT NULL DEFAULT 1;
CREATE TRIGGER transfers_occurrence_append_only BEFORE UPDATE OF occurrence ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;

const down = `
DROP TRIGGER transfers_occurrence_append_only ON transfers;
ALTER TABLE transfers DROP COLUMN occurrence;
`;

/**
 * What one payment brings may come in parts, and go back in parts. By itself, so that nobody waits
 * for the index over it.
 */
export class TransferOccurrences1765094400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
