import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE UNIQUE INDEX payouts_id ON payouts (id);
ALTER TABLE payouts ADD COLUMN form_id uuid;
CREATE UNIQUE INDEX payouts_form ON payouts (merchant_id, mode, form_id)
  WHERE form_id IS NOT NULL;
CREATE TRIGGER payouts_in_a_file BEFORE UPDATE OF status ON payouts FOR EACH ROW
  WHEN (OLD.status = 'exported' AND NEW.status NOT IN ('exported', 'submitted', 'approved'))
  EXECUTE FUNCTION refuse_change();
`;

const down = `
DROP TRIGGER payouts_in_a_file ON payouts;
DROP INDEX payouts_form;
ALTER TABLE payouts DROP COLUMN form_id;
DROP INDEX payouts_id;
`;

/** A bank knows a payout by its id alone, and pays what is in its file. */
export class PayoutIds1765180860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
