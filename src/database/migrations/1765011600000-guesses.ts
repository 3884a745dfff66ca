import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE users
  ADD COLUMN wrong_codes integer NOT NULL DEFAULT 0,
  ADD COLUMN codes_from timestamptz(3);
ALTER TABLE user_sessions ADD COLUMN wrong_guesses integer NOT NULL DEFAULT 0;

CREATE TABLE sign_in_refusals (
  whose uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  tries bigint NOT NULL CONSTRAINT sign_in_refusals_tries_check CHECK (tries > 0),
  CONSTRAINT sign_in_refusals_pk PRIMARY KEY (whose, hour)
);
CREATE INDEX sign_in_refusals_age ON sign_in_refusals (hour);

CREATE TABLE user_notices (
  id uuid CONSTRAINT user_notices_pk PRIMARY KEY,
  user_id uuid NOT NULL CONSTRAINT user_notices_user_fk REFERENCES users (id),
  kind text NOT NULL
    CONSTRAINT user_notices_kind_check CHECK (kind IN ('codes-guessed', 'owners-changed')),
  merchant_id uuid CONSTRAINT user_notices_merchant_fk REFERENCES merchants (id),
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  attempts smallint NOT NULL DEFAULT '0',
  next_attempt_at timestamptz(3),
  sent_at timestamptz(3),
  CONSTRAINT user_notices_sent_check CHECK (sent_at IS NULL OR next_attempt_at IS NULL)
);
CREATE INDEX user_notices_unsent ON user_notices (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX user_notices_user ON user_notices (user_id, created_at);
`;

const down = `
DROP TABLE user_notices, sign_in_refusals;
ALTER TABLE user_sessions DROP COLUMN wrong_guesses;
ALTER TABLE users DROP COLUMN wrong_codes, DROP COLUMN codes_from;
`;

/** Guesses at passwords and codes are counted, and those whom they concern are told. */
export class Guesses1765011600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
