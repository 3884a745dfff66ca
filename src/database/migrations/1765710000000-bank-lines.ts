import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE bank_files (
  id uuid CONSTRAINT bank_files_pk PRIMARY KEY,
  mode text NOT NULL CONSTRAINT bank_files_mode_check CHECK (mode IN ('test', 'live')),
  sha256 bytea NOT NULL CONSTRAINT bank_files_sha256_check CHECK (octet_length(sha256) = 32),
  name text NOT NULL,
  size bigint NOT NULL,
  format text NOT NULL,
  source text NOT NULL
    CONSTRAINT bank_files_source_check CHECK (source IN ('cli', 'folder', 'portal')),
  brought_by uuid CONSTRAINT bank_files_brought_by_fk REFERENCES users (id),
  warnings json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  imported_at timestamptz(3)
);
CREATE UNIQUE INDEX bank_files_once ON bank_files (mode, sha256);

CREATE TABLE bank_file_parts (
  file_id uuid NOT NULL
    CONSTRAINT bank_file_parts_file_fk REFERENCES bank_files (id) ON DELETE CASCADE,
  number integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT bank_file_parts_pk PRIMARY KEY (file_id, number)
);

CREATE TABLE bank_statements (
  id uuid CONSTRAINT bank_statements_pk PRIMARY KEY,
  mode text NOT NULL CONSTRAINT bank_statements_mode_check CHECK (mode IN ('test', 'live')),
  file_id uuid NOT NULL CONSTRAINT bank_statements_file_fk REFERENCES bank_files (id),
  number integer NOT NULL,
  format text NOT NULL,
  statement_id text,
  sequence text,
  account text NOT NULL,
  currency text,
  opening_balance bigint,
  closing_balance bigint,
  balanced boolean,
  covers_until date,
  covers_from date,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX bank_statements_of_file ON bank_statements (file_id, number);
CREATE INDEX bank_statements_account ON bank_statements (mode, account, covers_until);

CREATE TABLE bank_lines (
  id uuid CONSTRAINT bank_lines_pk PRIMARY KEY,
  mode text NOT NULL CONSTRAINT bank_lines_mode_check CHECK (mode IN ('test', 'live')),
  account text NOT NULL,
  key text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  booked_on date,
  valued_on date,
  amount bigint,
  amount_text text,
  currency text,
  direction text NOT NULL CONSTRAINT bank_lines_direction_check CHECK (direction IN ('in', 'out')),
  status text NOT NULL CONSTRAINT bank_lines_status_check CHECK (status IN ('booked', 'announced')),
  kind text NOT NULL,
  reversal boolean NOT NULL,
  returned boolean NOT NULL,
  contradicts text,
  counterparty_name text,
  counterparty_account text,
  counterparty_account_type text,
  counterparty_bic text,
  payer_references json NOT NULL,
  end_to_end_id text,
  bank_reference text,
  text text,
  identifiers json NOT NULL,
  state text NOT NULL CONSTRAINT bank_lines_state_check CHECK (state IN ('announced', 'matched',
    'suggested', 'unmatched', 'not_a_payment', 'ignored', 'superseded')),
  reason text,
  parent_id uuid,
  batch_id uuid,
  batch_key text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  looked_at timestamptz(3),
  CONSTRAINT bank_lines_amount_check CHECK ((amount IS NULL) = (amount_text IS NOT NULL) AND amount >= 0)
);
CREATE UNIQUE INDEX bank_lines_once ON bank_lines (key, account, mode, ordinal);
CREATE INDEX bank_lines_day ON bank_lines (mode, account, booked_on, id);
CREATE INDEX bank_lines_new ON bank_lines (id) WHERE looked_at IS NULL;
CREATE INDEX bank_lines_amount ON bank_lines (mode, account, amount) WHERE direction = 'in';
CREATE INDEX bank_lines_taken_back ON bank_lines (mode, account, amount)
  WHERE direction = 'out' AND kind <> 'payment';
CREATE INDEX bank_lines_payer ON bank_lines (mode, counterparty_account) WHERE state = 'matched';
CREATE INDEX bank_lines_waiting ON bank_lines (mode, id) WHERE state IN ('suggested', 'unmatched');
CREATE INDEX bank_lines_unknown_money_out ON bank_lines (mode, id)
  WHERE state = 'not_a_payment' AND reason = 'unknown_money_out';
CREATE INDEX bank_lines_announced ON bank_lines (mode, account, key) WHERE status = 'announced';
CREATE INDEX bank_lines_batch ON bank_lines (mode, account, batch_key) WHERE batch_key IS NOT NULL;

CREATE FUNCTION refuse_other_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what a bank has booked does not change' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'bank_lines_facts', TABLE = 'bank_lines';
END $$;
CREATE TRIGGER bank_lines_facts BEFORE UPDATE ON bank_lines FOR EACH ROW
  WHEN ((OLD.mode, OLD.account, OLD.amount, OLD.amount_text, OLD.currency, OLD.direction)
      IS DISTINCT FROM (NEW.mode, NEW.account, NEW.amount, NEW.amount_text, NEW.currency, NEW.direction)
    OR OLD.status = 'booked' AND (NEW.status <> 'booked'
      OR OLD.booked_on IS NOT NULL AND NEW.booked_on IS DISTINCT FROM OLD.booked_on))
  EXECUTE FUNCTION refuse_other_booking();

CREATE TABLE bank_line_places (
  statement_id uuid NOT NULL
    CONSTRAINT bank_line_places_statement_fk REFERENCES bank_statements (id),
  entry integer NOT NULL,
  detail integer NOT NULL,
  line_id uuid NOT NULL CONSTRAINT bank_line_places_line_fk REFERENCES bank_lines (id),
  CONSTRAINT bank_line_places_pk PRIMARY KEY (statement_id, entry, detail)
);
CREATE INDEX bank_line_places_line ON bank_line_places (line_id);
`;

const down = `
DROP TABLE bank_line_places;
DROP TABLE bank_lines;
DROP FUNCTION refuse_other_booking();
DROP TABLE bank_file_parts;
DROP TABLE bank_statements;
DROP TABLE bank_files;
`;

/** What banks say of the accounts of the platform. */
export class BankLines1765710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
