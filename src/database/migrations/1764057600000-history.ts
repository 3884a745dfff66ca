import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every index is paid for by whoever creates or changes an order, so each stands here for one
 * question of the transaction history that no other of them answers in time: at a million orders of
 * one merchant a page costs the same wherever its rows lie. Rows of one millisecond are few enough to be
 * sorted, so that `txid` need not stand at the end: only the planner, who takes orders of one amount
 * to be few, would sort all of them.
 *
 * Every amount is above 0. The history says so, and what does not say so cannot be planned through
 * its indexes: while the table is small, a look-up by txid would be, and stay so for a long time.
 *
 * - `orders_history`: the list, a range of days, and whatever matches so often that a walk through
 *   time finds a page soon. Currency and amount stand in it so that such a walk need not look at
 *   the orders that it passes.
 * - `orders_history_status`: one status, however rare or long ago, and the numbers on the chips.
 * - `orders_history_amount`: a search for an amount, a narrow range of amounts, a rare currency.
 * - `orders_history_paid`, `orders_history_exception`: the list by the time of payment, and what
 *   needs a person. Orders enter them only when that happens; creation is not slower for them.
 * - `orders_customer_email`: a search for an address. Orders without one are not in it.
 * - `payments_history_provider`, `payments_payer_name`, `payments_payer_account`: by what is known
 *   of a payment. Payments are made later and less often than orders. The account is kept from its
 *   end to its start, so that its last characters are the beginning of something.
 *
 * PostgreSQL learns nothing from indexes of some rows only: what is told apart by the expressions in
 * them, and how often, is gathered on its own.
 *
 * A pair of the optional fields cannot be found by an index on the orders in the order of time. They
 * are written out, a row a pair, in a table that is nothing but such an index. A trigger keeps it,
 * which costs orders without fields nothing.
 */
const up = `
CREATE INDEX orders_history
  ON orders (merchant_id, mode, created_at, currency, amount) WHERE amount > 0;
CREATE INDEX orders_history_status ON orders (merchant_id, mode, status, created_at)
  WHERE amount > 0;
CREATE INDEX orders_history_amount
  ON orders (merchant_id, mode, currency, amount, created_at, txid) WHERE amount > 0;
CREATE INDEX orders_history_paid ON orders (merchant_id, mode, paid_at)
  WHERE paid_at IS NOT NULL;
CREATE INDEX orders_history_exception ON orders (merchant_id, mode, created_at)
  WHERE exception <> 'none';
CREATE INDEX orders_customer_email
  ON orders (merchant_id, mode, lower(customer_email), created_at)
  WHERE customer_email IS NOT NULL;

CREATE INDEX payments_history_provider ON payments (merchant_id, provider, txid);
CREATE INDEX payments_payer_name
  ON payments (merchant_id, lower(payer_account_name) text_pattern_ops, txid)
  WHERE payer_account_name IS NOT NULL;
CREATE INDEX payments_payer_account
  ON payments (merchant_id, reverse(lower(replace(payer_account_number, ' ', ''))) text_pattern_ops, txid)
  WHERE payer_account_number IS NOT NULL;

CREATE STATISTICS orders_customer_email_rows ON lower(customer_email) FROM orders;
CREATE STATISTICS payments_payer_name_rows ON lower(payer_account_name) FROM payments;
CREATE STATISTICS payments_payer_account_rows
  ON reverse(lower(replace(payer_account_number, ' ', ''))) FROM payments;

CREATE TABLE order_fields (
  merchant_id uuid NOT NULL,
  mode text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  txid uuid NOT NULL,
  CONSTRAINT order_fields_pk PRIMARY KEY (merchant_id, mode, name, value, created_at, txid),
  CONSTRAINT order_fields_order_fk
    FOREIGN KEY (merchant_id, txid) REFERENCES orders (merchant_id, txid)
);

INSERT INTO order_fields (merchant_id, mode, name, value, created_at, txid)
SELECT o.merchant_id, o.mode, f.key, f.value, o.created_at, o.txid
FROM orders o, json_each_text(o.optional_fields) f;

CREATE FUNCTION write_order_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM order_fields g USING json_each_text(OLD.optional_fields) f
    WHERE g.merchant_id = OLD.merchant_id AND g.mode = OLD.mode AND g.name = f.key
      AND g.value = f.value AND g.created_at = OLD.created_at AND g.txid = OLD.txid;
  END IF;
  INSERT INTO order_fields (merchant_id, mode, name, value, created_at, txid)
  SELECT NEW.merchant_id, NEW.mode, f.key, f.value, NEW.created_at, NEW.txid
  FROM json_each_text(NEW.optional_fields) f;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_write_fields AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.optional_fields::text <> '{}') EXECUTE FUNCTION write_order_fields();
CREATE TRIGGER orders_rewrite_fields AFTER UPDATE OF optional_fields ON orders
  FOR EACH ROW EXECUTE FUNCTION write_order_fields();
`;

const down = `
DROP TRIGGER orders_rewrite_fields ON orders;
DROP TRIGGER orders_write_fields ON orders;
DROP FUNCTION write_order_fields;
DROP TABLE order_fields;
DROP STATISTICS payments_payer_account_rows, payments_payer_name_rows, orders_customer_email_rows;
DROP INDEX payments_payer_account, payments_payer_name, payments_history_provider,
  orders_customer_email, orders_history_exception, orders_history_paid, orders_history_amount,
  orders_history_status, orders_history;
`;

/** What the transaction history finds its orders by. */
export class History1764057600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
