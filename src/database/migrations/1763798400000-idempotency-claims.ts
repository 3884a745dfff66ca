import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE idempotency_records
  ALTER COLUMN api_version DROP NOT NULL,
  ALTER COLUMN status DROP NOT NULL,
  ALTER COLUMN body DROP NOT NULL,
  ADD CONSTRAINT idempotency_records_answer_check CHECK (
    (status IS NULL) = (body IS NULL) AND (status IS NULL) = (api_version IS NULL));
`;

const down = `
DELETE FROM idempotency_records WHERE status IS NULL;
ALTER TABLE idempotency_records
  DROP CONSTRAINT idempotency_records_answer_check,
  ALTER COLUMN api_version SET NOT NULL,
  ALTER COLUMN status SET NOT NULL,
  ALTER COLUMN body SET NOT NULL;
`;

/** A key can be claimed before there is an answer to remember. */
export class IdempotencyClaims1763798400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
