import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE orders ADD COLUMN erased_as_unpaid boolean NOT NULL DEFAULT false;

CREATE FUNCTION is_erased_for_good(merchant uuid, id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM orders WHERE merchant_id = merchant AND txid = id
    AND erased_at IS NOT NULL AND NOT erased_as_unpaid)
$$;

CREATE FUNCTION know_payer_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.erased_at := NULL;
  NEW.erased_as_unpaid := false;
  RETURN NEW;
END $$;
CREATE TRIGGER orders_know_payer_again BEFORE UPDATE OF amount_received, exception ON orders
  FOR EACH ROW WHEN (OLD.erased_as_unpaid AND (NEW.amount_received > 0 OR NEW.exception <> 'none'))
  EXECUTE FUNCTION know_payer_again();
`;

/** @param isErased the function that says whether an order's payer stays out of it */
const forgetBy = (isErased: string) => `
CREATE OR REPLACE FUNCTION forget_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF ${isErased}(NEW.merchant_id, NEW.txid) THEN
    NEW.payer_account_number := NULL;
    NEW.payer_account_type := NULL;
    NEW.payer_account_name := NULL;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION forget_payer_of_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payments WHERE merchant_id = NEW.merchant_id AND id = NEW.payment_id
      AND ${isErased}(merchant_id, txid)) THEN
    NEW.body := '';
    NEW.report := without_payer(NEW.report);
  END IF;
  RETURN NEW;
END $$;
`;

const down = `
DROP TRIGGER orders_know_payer_again ON orders;
DROP FUNCTION know_payer_again;
DROP FUNCTION is_erased_for_good;
ALTER TABLE orders DROP COLUMN erased_as_unpaid;
`;

/** Money that comes for an order that was forgotten because nobody paid it can be sent back. */
export class UnpaidOrders1765561000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up + forgetBy('is_erased_for_good'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(forgetBy('is_erased') + down);
  }
}
