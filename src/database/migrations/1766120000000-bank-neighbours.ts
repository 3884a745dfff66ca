import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE bank_statements
  ADD COLUMN booked_from date,
  ADD COLUMN booked_until date,
  ADD CONSTRAINT bank_statements_booked_check CHECK (booked_from <= booked_until);
UPDATE bank_statements s SET booked_from = d.first, booked_until = d.last
  FROM (
    SELECT p.statement_id, min(coalesce(l.booked_on, l.valued_on)) AS first,
      max(coalesce(l.booked_on, l.valued_on)) AS last
    FROM bank_line_places p JOIN bank_lines l ON l.id = p.line_id
    WHERE l.status = 'booked' GROUP BY p.statement_id
    HAVING bool_and(coalesce(l.booked_on, l.valued_on) IS NOT NULL)
  ) d
  WHERE d.statement_id = s.id;
CREATE INDEX bank_statements_booked ON bank_statements (mode, account, booked_until);

ALTER TABLE bank_lines ADD COLUMN named_reference text COLLATE "C";
CREATE INDEX bank_lines_named_reference ON bank_lines (named_reference, account, mode, key, ordinal)
  WHERE named_reference IS NOT NULL;
`;

const down = `
DROP INDEX bank_lines_named_reference;
ALTER TABLE bank_lines DROP COLUMN named_reference;
DROP INDEX bank_statements_booked;
ALTER TABLE bank_statements DROP COLUMN booked_from, DROP COLUMN booked_until;
`;

/** Which statements follow each other is seen by the days of their bookings; bookings of one order are found by it. */
export class BankNeighbours1766120000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
