import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE orders ADD COLUMN erased_at timestamptz(3);

CREATE FUNCTION is_erased(merchant uuid, id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM orders WHERE merchant_id = merchant AND txid = id
    AND erased_at IS NOT NULL)
$$;

CREATE FUNCTION forget_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(NEW.merchant_id, NEW.txid) THEN
    NEW.payer_account_number := NULL;
    NEW.payer_account_type := NULL;
    NEW.payer_account_name := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_forget_payer BEFORE UPDATE OF payer_account_number, payer_account_name
  ON payments FOR EACH ROW
  WHEN (NEW.payer_account_number IS NOT NULL OR NEW.payer_account_name IS NOT NULL)
  EXECUTE FUNCTION forget_payer();

CREATE FUNCTION forget_payer_of_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payments WHERE merchant_id = NEW.merchant_id AND id = NEW.payment_id
      AND is_erased(merchant_id, txid)) THEN
    NEW.body := '';
    NEW.report := without_payer(NEW.report);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER provider_events_forget_payer BEFORE UPDATE OF applied_at ON provider_events
  FOR EACH ROW WHEN (OLD.applied_at IS NULL AND NEW.applied_at IS NOT NULL)
  EXECUTE FUNCTION forget_payer_of_report();
`;

const down = `
DROP TRIGGER provider_events_forget_payer ON provider_events;
DROP TRIGGER payments_forget_payer ON payments;
DROP FUNCTION forget_payer_of_report;
DROP FUNCTION forget_payer;
DROP FUNCTION is_erased;
ALTER TABLE orders DROP COLUMN erased_at;
`;

/** Who was taken out of an order does not come back with its provider's next message. */
export class ErasedOrders1765450001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
