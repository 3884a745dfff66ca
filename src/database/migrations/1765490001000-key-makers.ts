import type { MigrationInterface, QueryRunner } from 'typeorm';

const IS_MAKING = `action IN ('key.created', 'key.rolled')`;

/** Whoever may not hold its scopes is written down as well: the doctor tells of it. */
const up = `
ALTER TABLE api_keys DISABLE TRIGGER api_keys_scopes_held;
UPDATE api_keys k SET created_by = a.user_id FROM audit_entries a
WHERE k.created_by IS NULL AND a.${IS_MAKING}
  AND a.merchant_id = k.merchant_id AND a.subject = k.id::text;
ALTER TABLE api_keys ENABLE TRIGGER api_keys_scopes_held;

CREATE FUNCTION name_key_maker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys SET created_by = NEW.user_id
  WHERE merchant_id = NEW.merchant_id AND id::text = NEW.subject AND created_by IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_entries_key_maker AFTER INSERT ON audit_entries
  FOR EACH ROW WHEN (NEW.${IS_MAKING}) EXECUTE FUNCTION name_key_maker();
`;

const down = `
DROP TRIGGER audit_entries_key_maker ON audit_entries;
DROP FUNCTION name_key_maker;
`;

/**
 * The makers of keys, where the audit log knows them. Programs of before the column are held to it
 * too: what they write into the log names the maker, who may then not give away what he has not.
 */
export class KeyMakers1765490001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
