import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = (unique: '' | 'UNIQUE') => `
DROP INDEX api_keys_hash;
CREATE ${unique} INDEX api_keys_hash ON api_keys (key_hash);
DROP INDEX notification_recipients_token;
CREATE ${unique} INDEX notification_recipients_token ON notification_recipients (token);
`;

/**
 * Every unique key of a table that a merchant owns begins with the merchant, so that the tables can
 * be cut by it. Secrets of 256 random bits are unique without an index that says so.
 */
export class KeysByMerchant1765353600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexes(''));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(indexes('UNIQUE'));
  }
}
