import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEPT = `erased_at IS NULL AND status IN ('paid', 'failed', 'cancelled', 'expired')`;

const INDEXES: Readonly<Record<string, string>> = {
  orders_kept_without_money: `orders (merchant_id, txid)
    WHERE ${KEPT} AND amount_received = 0 AND exception = 'none'`,
  orders_kept_with_money: `orders (merchant_id, txid)
    WHERE ${KEPT} AND (amount_received > 0 OR exception <> 'none')`,
  provider_events_kept: `provider_events (merchant_id, id) WHERE body <> ''`,
  order_notes_kept: `order_notes (merchant_id, id) WHERE text <> '[erased]'`,
};

/** The sandbox bank may hear of a payer after the order was erased. */
const up = `
CREATE OR REPLACE FUNCTION forget_sandbox_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payments WHERE merchant_id = NEW.merchant_id AND id = NEW.payment_id
      AND is_erased(merchant_id, txid)) THEN
    NEW.payer_account_number := NULL;
    NEW.payer_account_name := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER sandbox_transactions_forget_payer
  BEFORE UPDATE OF payer_account_number, payer_account_name ON sandbox_transactions FOR EACH ROW
  WHEN (NEW.payer_account_number IS NOT NULL OR NEW.payer_account_name IS NOT NULL)
  EXECUTE FUNCTION forget_sandbox_payer();
`;

const down = `
DROP TRIGGER sandbox_transactions_forget_payer ON sandbox_transactions;
DROP FUNCTION forget_sandbox_payer;
DROP INDEX ${Object.keys(INDEXES).join(', ')};
`;

/** What still tells of people can be found, however late its order ended. Made beside the traffic. */
export class KeptPeople1765510000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      // What is left of an attempt that broke off.
      await runner.query(`DROP INDEX IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
