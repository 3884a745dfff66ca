import type { MigrationInterface, QueryRunner } from 'typeorm';

const OF_TRANSACTION = `identifiers ->> 'transactionBankReference'`;
const OF_ENTRY = `identifiers ->> 'entryBankReference'`;

const up = `
CREATE INDEX bank_lines_bank_reference ON bank_lines ((coalesce(
    '=' || left(coalesce(${OF_TRANSACTION}, ${OF_ENTRY}), 16),
    CASE WHEN end_to_end_id IS NULL THEN '' ELSE '-' END) COLLATE "C"),
  account, mode, key, ordinal);
CREATE INDEX bank_lines_entry_reference ON bank_lines ((('=' || left(${OF_ENTRY}, 16)) COLLATE "C"),
  account, mode, key, ordinal) WHERE ${OF_TRANSACTION} IS NOT NULL;
CREATE INDEX bank_lines_end_to_end_id ON bank_lines (
  (coalesce('=' || left(end_to_end_id, 64), '') COLLATE "C"), account, mode, key, ordinal);
`;

const down = `
DROP INDEX bank_lines_bank_reference;
DROP INDEX bank_lines_entry_reference;
DROP INDEX bank_lines_end_to_end_id;
`;

/** Bookings of the same money are found by what tells them apart, however many there are. */
export class ToldApart1765760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
