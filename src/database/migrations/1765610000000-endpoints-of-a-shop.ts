import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE webhook_endpoints
  ADD COLUMN field_key text,
  ADD COLUMN field_value text,
  ADD CONSTRAINT webhook_endpoints_field_check
    CHECK ((field_key IS NULL) = (field_value IS NULL));
`;

const down = `
ALTER TABLE webhook_endpoints
  DROP CONSTRAINT webhook_endpoints_field_check,
  DROP COLUMN field_value,
  DROP COLUMN field_key;
`;

/** An endpoint may hear the orders of one shop only; older ones hear all. */
export class EndpointsOfAShop1765610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
