import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = (more: string) => `
ALTER TABLE user_notices
  DROP CONSTRAINT user_notices_kind_check,
  ADD CONSTRAINT user_notices_kind_check
    CHECK (kind IN ('codes-guessed', 'owners-changed', 'endpoint-by-key'${more}));
`;

const down = `DELETE FROM user_notices WHERE kind IN ('account-changed', 'signed-in');`;

/** People are told of what changes at their accounts, and of browsers that are new to them. */
export class AccountNews1765530000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(kinds(`, 'account-changed', 'signed-in'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down + kinds(''));
  }
}
