import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE doctor_reports (
  name text CONSTRAINT doctor_reports_pk PRIMARY KEY,
  due_at timestamptz(3) NOT NULL,
  findings jsonb
);
`;

const down = 'DROP TABLE doctor_reports;';

/** What the last examination of the facts found. */
export class Doctor1764576000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
