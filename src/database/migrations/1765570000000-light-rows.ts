import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Link {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const TO_ORDER = 'FOREIGN KEY (merchant_id, txid) REFERENCES orders (merchant_id, txid)';

/** Foreign keys of rows that are written from the row that they name: see decision 41. */
const LINKS: readonly Link[] = [
  {
    table: 'orders',
    name: 'orders_merchant_fk',
    definition: 'FOREIGN KEY (merchant_id) REFERENCES merchants (id)',
  },
  { table: 'events', name: 'events_order_fk', definition: TO_ORDER },
  { table: 'idempotency_records', name: 'idempotency_records_order_fk', definition: TO_ORDER },
  { table: 'order_fields', name: 'order_fields_order_fk', definition: TO_ORDER },
];

const up = `
CREATE FUNCTION write_new_order_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_fields (merchant_id, mode, name, value, created_at, txid)
  SELECT o.merchant_id, o.mode, f.key, f.value, o.created_at, o.txid
  FROM made o, json_each_text(o.optional_fields) f;
  RETURN NULL;
END $$;
DROP TRIGGER orders_write_fields ON orders;
CREATE TRIGGER orders_write_fields AFTER INSERT ON orders
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION write_new_order_fields();
`;

const down = `
DROP TRIGGER orders_write_fields ON orders;
CREATE TRIGGER orders_write_fields AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.optional_fields::text <> '{}') EXECUTE FUNCTION write_order_fields();
DROP FUNCTION write_new_order_fields;
`;

/** A new order asks for less: its fields are written a statement at a time, and proven links are not looked up. */
export class LightRows1765570000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
    for (const { table, name } of LINKS) {
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, name, definition } of LINKS) {
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    await runner.query(down);
  }
}
