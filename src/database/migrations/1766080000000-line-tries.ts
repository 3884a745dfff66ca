import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE bank_line_tries (
  line_id uuid CONSTRAINT bank_line_tries_pk PRIMARY KEY,
  tries smallint NOT NULL CONSTRAINT bank_line_tries_tries_check CHECK (tries > 0),
  tried_at timestamptz(3) NOT NULL
);
`;

const down = `
DROP TABLE bank_line_tries;
`;

/** A line of a bank that stops the process, or fails, is not tried for ever. */
export class LineTries1766080000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
