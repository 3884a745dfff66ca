import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE page_openings (
  merchant_id uuid NOT NULL,
  txid uuid NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  CONSTRAINT page_openings_pk PRIMARY KEY (merchant_id, txid),
  CONSTRAINT page_openings_order_fk FOREIGN KEY (merchant_id, txid)
    REFERENCES orders (merchant_id, txid)
);
`;

const down = 'DROP TABLE page_openings;';

/** When an order's payment page was first opened: a table of its own, so that no order is locked. */
export class PageOpenings1764835200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
