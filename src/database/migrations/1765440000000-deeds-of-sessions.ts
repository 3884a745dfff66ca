import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE audit_entries ADD COLUMN session_id uuid;

CREATE FUNCTION refuse_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Whoever ends the session waits for what is under way in it, and is waited for.
  PERFORM FROM user_sessions
    WHERE id = NEW.session_id AND user_id = NEW.user_id AND ended_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'session % of user % has ended', NEW.session_id, NEW.user_id
      USING ERRCODE = 'check_violation', TABLE = 'audit_entries', CONSTRAINT = 'audit_entries_session';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entries_session BEFORE INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.session_id IS NOT NULL) EXECUTE FUNCTION refuse_ended_session();
`;

const down = `
DROP TRIGGER audit_entries_session ON audit_entries;
DROP FUNCTION refuse_ended_session;
ALTER TABLE audit_entries DROP COLUMN session_id;
`;

/** What is done in the portal is written down with the session, which must go on. */
export class DeedsOfSessions1765440000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
