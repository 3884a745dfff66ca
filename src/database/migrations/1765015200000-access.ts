import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
ALTER TABLE api_keys ADD COLUMN created_by uuid;

CREATE FUNCTION refuse_scope_not_held() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held text;
BEGIN
  SELECT role INTO held FROM memberships
    WHERE merchant_id = NEW.merchant_id AND user_id = NEW.created_by FOR SHARE;
  IF held = 'owner' OR (held = 'developer' AND NOT 'payouts:read' = ANY (NEW.scopes)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'user % may not make a key with these scopes', NEW.created_by
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'api_keys_scopes_held';
END $$;
CREATE TRIGGER api_keys_scopes_held BEFORE INSERT OR UPDATE OF scopes, created_by ON api_keys
  FOR EACH ROW WHEN (NEW.created_by IS NOT NULL) EXECUTE FUNCTION refuse_scope_not_held();

CREATE TABLE former_owners (
  merchant_id uuid NOT NULL CONSTRAINT former_owners_merchant_fk REFERENCES merchants (id),
  user_id uuid NOT NULL CONSTRAINT former_owners_user_fk REFERENCES users (id),
  until timestamptz(3) NOT NULL,
  CONSTRAINT former_owners_pk PRIMARY KEY (merchant_id, user_id)
);
CREATE FUNCTION remember_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_owners VALUES (OLD.merchant_id, OLD.user_id, now())
  ON CONFLICT ON CONSTRAINT former_owners_pk DO UPDATE SET until = excluded.until;
  RETURN NULL;
END $$;
CREATE TRIGGER memberships_owner_removed AFTER DELETE ON memberships
  FOR EACH ROW WHEN (OLD.role = 'owner') EXECUTE FUNCTION remember_owner();
CREATE TRIGGER memberships_owner_lowered AFTER UPDATE OF role ON memberships
  FOR EACH ROW WHEN (OLD.role = 'owner' AND NEW.role <> 'owner') EXECUTE FUNCTION remember_owner();
`;

const down = `
DROP TRIGGER memberships_owner_lowered ON memberships;
DROP TRIGGER memberships_owner_removed ON memberships;
DROP FUNCTION remember_owner;
DROP TABLE former_owners;
DROP TRIGGER api_keys_scopes_held ON api_keys;
DROP FUNCTION refuse_scope_not_held;
ALTER TABLE api_keys DROP COLUMN created_by;
`;

/** Who made a key, and who owned a merchant until lately. */
export class Access1765015200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
