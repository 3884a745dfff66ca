import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Built beside the old one, so that nobody waits to read while it is. */
const once = (columns: string): string => `
CREATE UNIQUE INDEX transfers_payment_once_new ON transfers (${columns})
  WHERE kind <> 'reversal' AND payment_id IS NOT NULL;
DROP INDEX transfers_payment_once;
ALTER INDEX transfers_payment_once_new RENAME TO transfers_payment_once;`;

const KINDS = `'payment', 'unallocated', 'allocation', 'fee', 'payout_reserved', 'payout_released',
    'payout_paid', 'payout_returned', 'reversal'`;

const checks = (kinds: string, noted: string): string => `
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check,
  ADD CONSTRAINT transfers_kind_check CHECK (kind IN (${kinds})),
  DROP CONSTRAINT transfers_reversal_check,
  ADD CONSTRAINT transfers_reversal_check CHECK ((kind = 'reversal') = (reverses_id IS NOT NULL)
    AND (kind IN (${noted})) = (note IS NOT NULL));`;

/**
 * Whoever takes money out of `unallocated` waits for the order's lock, which this service has
 * already: two at a time would each see what the other takes.
 */
const up = `
${once('merchant_id, payment_id, kind, currency, occurrence')}
${checks(`${KINDS}, 'refund'`, `'reversal', 'refund'`)}

CREATE FUNCTION refuse_more_than_unallocated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM orders WHERE merchant_id = NEW.merchant_id AND txid = NEW.txid FOR NO KEY UPDATE;
  IF (SELECT sum(CASE WHEN t.credit = 'unallocated' THEN t.amount ELSE -t.amount END)
      FROM transfers t
      WHERE t.merchant_id = NEW.merchant_id AND t.mode = NEW.mode AND t.txid = NEW.txid
        AND t.currency = NEW.currency
        AND (t.debit = 'unallocated' OR t.credit = 'unallocated')) < 0 THEN
    RAISE EXCEPTION 'the order has less unallocated money than that'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'transfers_unallocated_left';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_unallocated_left AFTER INSERT ON transfers
  FOR EACH ROW WHEN (NEW.debit = 'unallocated')
  EXECUTE FUNCTION refuse_more_than_unallocated();
`;

const down = `
DROP TRIGGER transfers_unallocated_left ON transfers;
DROP FUNCTION refuse_more_than_unallocated;
${checks(KINDS, `'reversal'`)}
${once('merchant_id, payment_id, kind, currency')}
`;

/** Money that was sent back is written down, and never more of it than there is. */
export class Refunds1765094401000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
