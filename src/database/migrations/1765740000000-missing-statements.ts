import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `'codes-guessed', 'owners-changed', 'endpoint-by-key', 'account-changed', 'signed-in'`;

const kinds = (words: string): string => `
ALTER TABLE user_notices DROP CONSTRAINT user_notices_kind_check,
  ADD CONSTRAINT user_notices_kind_check CHECK (kind IN (${words}));
`;

const up = `
ALTER TABLE collection_accounts ADD COLUMN told_missing_after date;
${kinds(`${KINDS}, 'statements-missing'`)}`;

const down = `
DELETE FROM user_notices WHERE kind = 'statements-missing';
${kinds(KINDS)}
ALTER TABLE collection_accounts DROP COLUMN told_missing_after;
`;

/** Operators are told when the statements of an account stop coming. */
export class MissingStatements1765740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
