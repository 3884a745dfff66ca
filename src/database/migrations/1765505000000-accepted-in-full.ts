import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A trigger and no check: orders that were accepted with less, before, can still change otherwise. */
const up = `
CREATE FUNCTION refuse_paid_in_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR OLD.status <> 'paid' OR OLD.amount_received >= OLD.amount THEN
    RAISE EXCEPTION 'an order is paid with no less than it asks for'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_accepted_in_full';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_accepted_in_full
  AFTER INSERT OR UPDATE OF status, amount, amount_received ON orders
  FOR EACH ROW WHEN (NEW.status = 'paid' AND NEW.amount_received < NEW.amount)
  EXECUTE FUNCTION refuse_paid_in_part();
`;

const down = `
DROP TRIGGER orders_accepted_in_full ON orders;
DROP FUNCTION refuse_paid_in_part;
`;

/** Nobody makes an order paid with less than it asks for, persons neither. */
export class AcceptedInFull1765505000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
