import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE csv_profiles (
  id uuid CONSTRAINT csv_profiles_pk PRIMARY KEY,
  name text NOT NULL CONSTRAINT csv_profiles_name_check CHECK (char_length(name) BETWEEN 1 AND 140),
  profile json NOT NULL,
  created_by uuid NOT NULL CONSTRAINT csv_profiles_created_by_fk REFERENCES users (id),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX csv_profiles_once ON csv_profiles (name);

CREATE TABLE bank_line_notes (
  id uuid CONSTRAINT bank_line_notes_pk PRIMARY KEY,
  line_id uuid NOT NULL CONSTRAINT bank_line_notes_line_fk REFERENCES bank_lines (id),
  user_id uuid NOT NULL CONSTRAINT bank_line_notes_user_fk REFERENCES users (id),
  text text NOT NULL
    CONSTRAINT bank_line_notes_text_check CHECK (char_length(text) BETWEEN 1 AND 1000),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX bank_line_notes_line ON bank_line_notes (line_id, id);
CREATE TRIGGER bank_line_notes_append_only BEFORE UPDATE OR DELETE ON bank_line_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_notes_no_truncate BEFORE TRUNCATE ON bank_line_notes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE INDEX bank_lines_state ON bank_lines (mode, state, id);
`;

const down = `
DROP INDEX bank_lines_state;
DROP TABLE bank_line_notes;
DROP TABLE csv_profiles;
`;

/** What operators write down about lines of banks, and about how banks write CSV. */
export class BankPages1765730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
