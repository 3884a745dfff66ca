import type { MigrationInterface, QueryRunner } from 'typeorm';

const IN_PLACE = `EXISTS (SELECT FROM orders WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid
    AND erased_at IS NOT NULL AND NOT erased_as_unpaid)`;

/** @param isErased whether the payment's order stays without its payer */
const forgetWhere = (isErased: string) => `
CREATE OR REPLACE FUNCTION forget_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF ${isErased} THEN
    NEW.payer_account_number := NULL;
    NEW.payer_account_type := NULL;
    NEW.payer_account_name := NULL;
  END IF;
  RETURN NEW;
END $$;
`;

/** What a function asks is planned each time that it is called; what its caller asks is planned once. */
export class PayersLookedUpOnce1765572000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forgetWhere(IN_PLACE));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(forgetWhere('is_erased_for_good(NEW.merchant_id, NEW.txid)'));
  }
}
