import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE orders ADD COLUMN accepted_amount bigint;
UPDATE orders o SET accepted_amount = b.amount FROM (
  SELECT o.merchant_id, o.txid, sum(t.amount) AS amount FROM orders o
  JOIN payments p ON p.merchant_id = o.merchant_id AND p.txid = o.txid
  JOIN transfers t ON t.merchant_id = p.merchant_id AND t.payment_id = p.id
    AND t.currency = o.currency AND t.kind IN ('payment', 'allocation')
  WHERE o.status = 'paid' AND o.status_reason = 'manual'
  GROUP BY o.merchant_id, o.txid
) b WHERE b.merchant_id = o.merchant_id AND b.txid = o.txid AND b.amount < o.amount;
CREATE TRIGGER orders_accepted_amount_kept BEFORE UPDATE OF accepted_amount ON orders
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

INSERT INTO bank_account_notices (merchant_id, bank_account_id, user_id, attempts, sent_at)
SELECT merchant_id, id, created_by, 1, noticed_at FROM bank_accounts a
WHERE mode = 'test' AND noticed_at = created_at AND confirmed_at = created_at
  AND confirmed_by = created_by AND NOT EXISTS (SELECT FROM bank_account_notices n
    WHERE n.merchant_id = a.merchant_id AND n.bank_account_id = a.id);
`;

const down = `
DROP TRIGGER orders_accepted_amount_kept ON orders;
ALTER TABLE orders DROP COLUMN accepted_amount;
`;

/**
 * What earlier versions did by rules of their own is written down: of orders that people accepted with
 * less than their price, how much that was; that whoever the demo made knew of the account it made.
 */
export class EarlierRules1765563000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
