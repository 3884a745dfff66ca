import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was sent again, and what people did: of everything else an order's page knows the way
 * already. Neither index is written where an order is created or paid.
 */
const up = `
CREATE INDEX deliveries_resent ON deliveries (merchant_id, txid) WHERE resent;
CREATE INDEX audit_entries_subject ON audit_entries (merchant_id, subject, id)
  WHERE subject IS NOT NULL;
`;

const down = 'DROP INDEX audit_entries_subject, deliveries_resent;';

/** What the page of one order finds its story by. */
export class OrderPage1764316800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
