import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE bank_lines
  ADD COLUMN unproven text CONSTRAINT bank_lines_unproven_check
    CHECK (unproven IN ('statement_not_balanced', 'statement_without_balance')),
  ADD COLUMN duplicate_of uuid CONSTRAINT bank_lines_duplicate_of_fk REFERENCES bank_lines (id),
  ADD COLUMN told_apart_by uuid CONSTRAINT bank_lines_told_apart_by_fk REFERENCES users (id),
  ADD CONSTRAINT bank_lines_told_apart_check CHECK (told_apart_by IS NULL OR duplicate_of IS NOT NULL),
  ADD CONSTRAINT bank_lines_duplicate_check CHECK (duplicate_of <> id);
CREATE INDEX bank_lines_duplicate_of ON bank_lines (duplicate_of) WHERE duplicate_of IS NOT NULL;
ALTER TABLE bank_line_places ADD COLUMN status text CONSTRAINT bank_line_places_status_check
  CHECK (status IN ('booked', 'announced'));

CREATE FUNCTION refuse_unproven_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bank_lines WHERE id = NEW.line_id AND (
      duplicate_of IS NOT NULL AND told_apart_by IS NULL OR unproven IS NOT NULL AND NEW.matched_by IS NULL)) THEN
    RAISE EXCEPTION 'a line that may be another booking, or that its statement does not prove, pays for nothing by itself'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'bank_allocations_proven', TABLE = 'bank_allocations';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_proven AFTER INSERT ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_unproven_line();
`;

const down = `
DROP TRIGGER bank_allocations_proven ON bank_allocations;
DROP FUNCTION refuse_unproven_line();
ALTER TABLE bank_line_places DROP COLUMN status;
DROP INDEX bank_lines_duplicate_of;
ALTER TABLE bank_lines DROP COLUMN unproven, DROP COLUMN told_apart_by, DROP COLUMN duplicate_of;
`;

/** What banks do not prove of a line: that it is in its statement, and that it is no other booking. */
export class BankProofs1766020000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
