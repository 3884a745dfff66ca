import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE user_links
  ADD COLUMN attempts smallint NOT NULL DEFAULT '0',
  ADD COLUMN next_attempt_at timestamptz(3),
  ADD COLUMN sent_at timestamptz(3);
UPDATE user_links SET next_attempt_at = created_at WHERE token IS NOT NULL;
DROP INDEX user_links_unsent;
CREATE INDEX user_links_unsent ON user_links (next_attempt_at) WHERE token IS NOT NULL;
ALTER TABLE user_links
  ADD CONSTRAINT user_links_unsent_check CHECK ((token IS NULL) = (next_attempt_at IS NULL));
`;

const down = `
ALTER TABLE user_links DROP CONSTRAINT user_links_unsent_check;
DROP INDEX user_links_unsent;
CREATE INDEX user_links_unsent ON user_links (created_at) WHERE token IS NOT NULL;
ALTER TABLE user_links DROP COLUMN attempts, DROP COLUMN next_attempt_at, DROP COLUMN sent_at;
`;

/** When to send the mail of a link, and whether it left. */
export class LinkMails1764230400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
