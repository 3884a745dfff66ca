import type { MigrationInterface, QueryRunner } from 'typeorm';

const OPEN = `kind = 'invitation' AND used_at IS NULL`;

/** Of those of before: all but the newest of an address, and those of who left, or is there. */
const clean = `
DELETE FROM user_links l WHERE l.${OPEN} AND (
  EXISTS (SELECT FROM user_links n WHERE n.${OPEN} AND n.merchant_id = l.merchant_id
    AND n.email = l.email AND (n.created_at, n.id) > (l.created_at, l.id))
  OR EXISTS (SELECT FROM users u WHERE u.email = l.email AND (u.disabled_at IS NOT NULL
    OR EXISTS (SELECT FROM memberships m WHERE m.merchant_id = l.merchant_id AND m.user_id = u.id)
    OR EXISTS (SELECT FROM audit_entries a WHERE a.merchant_id = l.merchant_id
      AND a.action = 'member.removed' AND a.subject = u.id::text AND a.created_at >= l.created_at))));
`;

const up = `
CREATE UNIQUE INDEX user_links_open ON user_links (merchant_id, email) WHERE ${OPEN};

-- When the transaction ends: until then whoever changes it takes them back and writes that down.
CREATE FUNCTION end_invitations_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_links l USING users u
    WHERE l.${OPEN} AND l.merchant_id = coalesce(NEW.merchant_id, OLD.merchant_id)
      AND u.id = coalesce(NEW.user_id, OLD.user_id) AND l.email = u.email;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER memberships_invitations AFTER INSERT OR DELETE OR UPDATE OF role ON memberships
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_invitations_of_member();

CREATE FUNCTION end_invitations_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_links l WHERE l.${OPEN} AND l.email = NEW.email;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER users_invitations AFTER UPDATE OF disabled_at ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL)
  EXECUTE FUNCTION end_invitations_of_user();
`;

const down = `
DROP TRIGGER users_invitations ON users;
DROP TRIGGER memberships_invitations ON memberships;
DROP FUNCTION end_invitations_of_user;
DROP FUNCTION end_invitations_of_member;
DROP INDEX user_links_open;
`;

/** An address has one open invitation of a merchant, and none once somebody joins, changes or goes. */
export class OneInvitation1765480001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(clean);
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
