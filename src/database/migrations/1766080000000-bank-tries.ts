import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE bank_line_tries (
  line_id uuid CONSTRAINT bank_line_tries_pk PRIMARY KEY,
  tries smallint NOT NULL CONSTRAINT bank_line_tries_tries_check CHECK (tries > 0),
  tried_at timestamptz(3) NOT NULL
);

CREATE TABLE bank_file_tries (
  id uuid CONSTRAINT bank_file_tries_pk PRIMARY KEY,
  mode text NOT NULL CONSTRAINT bank_file_tries_mode_check CHECK (mode IN ('test', 'live')),
  sha256 bytea NOT NULL,
  alive_at timestamptz(3) NOT NULL
);
CREATE INDEX bank_file_tries_file ON bank_file_tries (mode, sha256);
`;

const down = `
DROP TABLE bank_file_tries;
DROP TABLE bank_line_tries;
`;

/** A bank’s line or file that ends the process, or fails, is not tried for ever. */
export class BankTries1766080000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
