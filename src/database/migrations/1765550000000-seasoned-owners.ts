import type { MigrationInterface, QueryRunner } from 'typeorm';

const ownership = `
ALTER TABLE memberships ADD COLUMN owner_since timestamptz(3);
UPDATE memberships SET owner_since = created_at WHERE role = 'owner';
ALTER TABLE former_owners ADD COLUMN since timestamptz(3);

CREATE FUNCTION keep_owner_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.owner_since := CASE
    WHEN NEW.role <> 'owner' THEN NULL
    WHEN TG_OP = 'INSERT' THEN NEW.created_at
    WHEN OLD.role = 'owner' THEN OLD.owner_since
    ELSE now() END;
  RETURN NEW;
END $$;
CREATE TRIGGER memberships_owner_since BEFORE INSERT OR UPDATE OF role, owner_since ON memberships
  FOR EACH ROW EXECUTE FUNCTION keep_owner_since();

-- Who is removed twice within a few days is who he was before.
CREATE OR REPLACE FUNCTION remember_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_owners (merchant_id, user_id, until, since)
  VALUES (OLD.merchant_id, OLD.user_id, now(), OLD.owner_since)
  ON CONFLICT ON CONSTRAINT former_owners_pk DO UPDATE SET until = excluded.until,
    since = CASE WHEN former_owners.until > now() - interval '7 days'
      THEN least(former_owners.since, excluded.since) ELSE excluded.since END;
  RETURN NULL;
END $$;
`;

const notices = `
ALTER TABLE bank_account_notices ADD COLUMN is_seasoned boolean NOT NULL DEFAULT false;
CREATE FUNCTION is_seasoned_owner(of_merchant uuid, who uuid, at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM memberships WHERE merchant_id = of_merchant AND user_id = who
      AND owner_since <= at - interval '7 days')
    OR EXISTS (SELECT FROM former_owners WHERE merchant_id = of_merchant AND user_id = who
      AND until > at - interval '7 days' AND coalesce(since, '-infinity') <= at - interval '7 days')
$$;
-- As it was when the account was added: what becomes of the owner afterwards changes nothing.
CREATE FUNCTION note_seasoned_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_seasoned := coalesce((SELECT is_seasoned_owner(merchant_id, NEW.user_id, created_at)
    FROM bank_accounts WHERE merchant_id = NEW.merchant_id AND id = NEW.bank_account_id), false);
  RETURN NEW;
END $$;
CREATE TRIGGER bank_account_notices_seasoned BEFORE INSERT ON bank_account_notices
  FOR EACH ROW EXECUTE FUNCTION note_seasoned_owner();
UPDATE bank_account_notices n
  SET is_seasoned = is_seasoned_owner(n.merchant_id, n.user_id, b.created_at)
  FROM bank_accounts b
  WHERE b.merchant_id = n.merchant_id AND b.id = n.bank_account_id AND b.noticed_at IS NULL;
`;

const day = (rank: string) => `
CREATE OR REPLACE FUNCTION begin_account_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT CASE WHEN count(next_attempt_at) = 0 THEN max(sent_at) END INTO NEW.noticed_at FROM (
    SELECT next_attempt_at, sent_at,
      rank() OVER (ORDER BY ${rank})
    FROM bank_account_notices WHERE merchant_id = NEW.merchant_id AND bank_account_id = NEW.id
  ) n WHERE rank = 1;
  NEW.usable_from := greatest(NEW.created_at, NEW.noticed_at, NEW.confirmed_at) + interval '24 hours';
  RETURN NEW;
END $$;
`;

const HAD_A_HAND = 'user_id IN (NEW.created_by, coalesce(NEW.confirmed_by, NEW.created_by))';

const down = `
DROP TRIGGER bank_account_notices_seasoned ON bank_account_notices;
DROP FUNCTION note_seasoned_owner;
DROP FUNCTION is_seasoned_owner;
ALTER TABLE bank_account_notices DROP COLUMN is_seasoned;
DROP TRIGGER memberships_owner_since ON memberships;
DROP FUNCTION keep_owner_since;
CREATE OR REPLACE FUNCTION remember_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_owners VALUES (OLD.merchant_id, OLD.user_id, now())
  ON CONFLICT ON CONSTRAINT former_owners_pk DO UPDATE SET until = excluded.until;
  RETURN NULL;
END $$;
ALTER TABLE former_owners DROP COLUMN since;
ALTER TABLE memberships DROP COLUMN owner_since;
`;

/** The day to object begins with owners of seven days: those whom a thief has just made warn nobody. */
export class SeasonedOwners1765550000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ownership + notices + day(`${HAD_A_HAND}, NOT is_seasoned`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(day(HAD_A_HAND) + down);
  }
}
