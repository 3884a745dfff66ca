import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE FUNCTION refuse_gain_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'session % gains something only with another token', NEW.id
    USING ERRCODE = 'check_violation', TABLE = 'user_sessions', CONSTRAINT = 'user_sessions_gain';
END $$;
CREATE TRIGGER user_sessions_gain BEFORE UPDATE ON user_sessions
  FOR EACH ROW WHEN (NEW.user_id <> OLD.user_id OR NEW.created_at > OLD.created_at
    OR NEW.token_hash = OLD.token_hash
      AND coalesce(NEW.second_factor_at > OLD.second_factor_at, NEW.second_factor_at IS NOT NULL))
  EXECUTE FUNCTION refuse_gain_of_session();
`;

const down = `
DROP TRIGGER user_sessions_gain ON user_sessions;
DROP FUNCTION refuse_gain_of_session;
`;

/** A session in which a code is given goes on under another token. */
export class SessionsRenewed1765480000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
