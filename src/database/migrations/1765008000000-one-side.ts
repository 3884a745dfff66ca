import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each side locks the user first, so that the one waits for what the other has done. */
const up = `
CREATE FUNCTION refuse_staff_as_member() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  role text;
BEGIN
  SELECT platform_role INTO role FROM users WHERE id = NEW.user_id FOR SHARE;
  IF role IS NOT NULL THEN
    RAISE EXCEPTION 'user % works for the platform and belongs to no merchant', NEW.user_id
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'memberships_no_staff';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER memberships_no_staff BEFORE INSERT OR UPDATE OF user_id ON memberships
  FOR EACH ROW EXECUTE FUNCTION refuse_staff_as_member();

CREATE FUNCTION refuse_member_as_staff() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM memberships WHERE user_id = NEW.id) THEN
    RAISE EXCEPTION 'user % belongs to a merchant and does not work for the platform', NEW.id
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'users_no_member';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER users_no_member BEFORE UPDATE OF platform_role ON users FOR EACH ROW
  WHEN (NEW.platform_role IS NOT NULL AND OLD.platform_role IS DISTINCT FROM NEW.platform_role)
  EXECUTE FUNCTION refuse_member_as_staff();
`;

const down = `
DROP TRIGGER users_no_member ON users;
DROP FUNCTION refuse_member_as_staff;
DROP TRIGGER memberships_no_staff ON memberships;
DROP FUNCTION refuse_staff_as_member;
`;

/** Whoever works for the platform belongs to no merchant. */
export class OneSide1765008000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
