import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE operating_rules (
  id smallint NOT NULL CONSTRAINT operating_rules_id_check CHECK (id = 1),
  single_operator boolean NOT NULL,
  waiting_hours integer NOT NULL
    CONSTRAINT operating_rules_waiting_hours_check CHECK (waiting_hours BETWEEN 1 AND 720),
  changed_at timestamptz(3) NOT NULL,
  CONSTRAINT operating_rules_pk PRIMARY KEY (id)
);
INSERT INTO operating_rules (id, single_operator, waiting_hours, changed_at)
  VALUES (1, false, 24, to_timestamp(0));
CREATE TRIGGER operating_rules_one_row BEFORE DELETE ON operating_rules
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operating_rules_no_truncate BEFORE TRUNCATE ON operating_rules
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

const down = 'DROP TABLE operating_rules;';

/** The settings about the second person, where triggers can read them. */
export class OperatingRules1766030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
