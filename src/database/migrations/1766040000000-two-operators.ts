import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `'codes-guessed', 'owners-changed', 'endpoint-by-key', 'account-changed', 'signed-in',
  'statements-missing', 'payout-waits'`;

const kinds = (words: string): string => `
ALTER TABLE user_notices DROP CONSTRAINT user_notices_kind_check,
  ADD CONSTRAINT user_notices_kind_check CHECK (kind IN (${words}));
`;

const OPEN = 'applied_at IS NULL AND withdrawn_at IS NULL';

const table = `
CREATE TABLE collection_account_changes (
  id uuid CONSTRAINT collection_account_changes_pk PRIMARY KEY,
  kind text NOT NULL
    CONSTRAINT collection_account_changes_kind_check CHECK (kind IN ('add', 'prefer', 'disable')),
  account_id uuid NOT NULL,
  currency text NOT NULL,
  holder text NOT NULL,
  account text NOT NULL,
  bic text,
  bank_name text,
  proposed_by uuid CONSTRAINT collection_account_changes_proposed_by_fk REFERENCES users (id),
  proposed_from text NOT NULL,
  proposed_at timestamptz(3) NOT NULL,
  confirmed_by uuid CONSTRAINT collection_account_changes_confirmed_by_fk REFERENCES users (id),
  confirmed_at timestamptz(3),
  rule text CONSTRAINT collection_account_changes_rule_check
    CHECK (rule IN ('two_people', 'command_line', 'single_operator', 'earlier')),
  effective_at timestamptz(3),
  withdrawn_by uuid CONSTRAINT collection_account_changes_withdrawn_by_fk REFERENCES users (id),
  withdrawn_at timestamptz(3),
  applied_at timestamptz(3),
  position integer,
  CONSTRAINT collection_account_changes_confirmed_check CHECK (
    num_nonnulls(confirmed_at, effective_at, rule) IN (0, 3)
    AND (confirmed_by IS NULL) = (coalesce(rule, 'earlier') = 'earlier')),
  CONSTRAINT collection_account_changes_withdrawn_check
    CHECK ((withdrawn_by IS NULL) = (withdrawn_at IS NULL)),
  CONSTRAINT collection_account_changes_applied_check CHECK (applied_at IS NULL
    OR (withdrawn_at IS NULL AND coalesce(effective_at <= applied_at, false))),
  CONSTRAINT collection_account_changes_position_check
    CHECK ((position IS NULL) = (applied_at IS NULL OR kind = 'disable'))
);
CREATE UNIQUE INDEX collection_account_changes_once
  ON collection_account_changes (account_id, kind) WHERE ${OPEN};
CREATE UNIQUE INDEX collection_account_changes_add_once
  ON collection_account_changes (currency, account) WHERE kind = 'add' AND ${OPEN};
CREATE INDEX collection_account_changes_account ON collection_account_changes (account_id);
`;

/** Live accounts that were there before the rule came by nobody's change that is known. */
const fill = `
INSERT INTO collection_account_changes (id, kind, account_id, currency, holder, account, bic,
    bank_name, proposed_from, proposed_at, confirmed_at, rule, effective_at, applied_at, position)
  SELECT gen_random_uuid(), k.kind, a.id, a.currency, a.holder, a.account, a.bic, a.bank_name,
    'before this rule', k.at, k.at, 'earlier', k.at, k.at,
    CASE WHEN k.kind = 'add' THEN a.position END
  FROM collection_accounts a
  CROSS JOIN LATERAL (VALUES ('add', a.created_at), ('disable', a.disabled_at)) k (kind, at)
  WHERE a.mode = 'live' AND k.at IS NOT NULL;
`;

const refuse = (name: string, sentence: string): string => `RAISE EXCEPTION '${sentence}'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes', CONSTRAINT = '${name}';`;

/** What is proposed is only proposed, and of an account that is as it says. */
const proposing = `
CREATE FUNCTION demand_operator(who uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Whoever closes the account of this operator waits, or was first.
  PERFORM FROM users WHERE id = who AND platform_role = 'operator' AND disabled_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    ${refuse('collection_account_changes_operator', 'only an operator decides where payers send money')}
  END IF;
END $$;

CREATE FUNCTION check_collection_account_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF num_nonnulls(NEW.confirmed_at, NEW.withdrawn_at, NEW.applied_at) > 0 THEN
    ${refuse('collection_account_changes_proposed', 'a change is proposed first')}
  END IF;
  IF NEW.proposed_by IS NOT NULL THEN PERFORM demand_operator(NEW.proposed_by); END IF;
  IF (NEW.kind <> 'add') <> EXISTS (SELECT FROM collection_accounts a
      WHERE a.id = NEW.account_id AND a.mode = 'live' AND a.disabled_at IS NULL
        AND (a.currency, a.holder, a.account, a.bic, a.bank_name) IS NOT DISTINCT FROM
          (NEW.currency, NEW.holder, NEW.account, NEW.bic, NEW.bank_name))
    OR NEW.kind = 'add' AND EXISTS (SELECT FROM collection_accounts WHERE id = NEW.account_id) THEN
    ${refuse('collection_account_changes_of_account', 'the account is not as the change says')}
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_account_changes_proposed AFTER INSERT ON collection_account_changes
  FOR EACH ROW EXECUTE FUNCTION check_collection_account_proposal();
`;

const SHOWN = `(SELECT id FROM collection_accounts
      WHERE mode = 'live' AND currency = change.currency AND disabled_at IS NULL
      ORDER BY position, id LIMIT 1)`;

/**
 * The first account of a currency redirects nobody while there is no live order, and a payer whom no other account is
 * shown instead is redirected nowhere.
 */
const waiting = `
CREATE FUNCTION collection_account_change_waits(change collection_account_changes)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE change.kind
    WHEN 'add' THEN EXISTS (SELECT FROM collection_accounts
        WHERE mode = 'live' AND currency = change.currency)
      OR EXISTS (SELECT FROM merchants m
        WHERE EXISTS (SELECT FROM orders o WHERE o.merchant_id = m.id AND o.mode = 'live'
          AND o.amount > 0))
    WHEN 'disable' THEN change.account_id = ${SHOWN}
      AND EXISTS (SELECT FROM collection_accounts WHERE mode = 'live' AND disabled_at IS NULL
        AND currency = change.currency AND id <> change.account_id)
    ELSE true END
$$;
`;

const deciding = `
CREATE FUNCTION confirm_collection_account_change(INOUT change collection_account_changes)
LANGUAGE plpgsql AS $$
DECLARE
  rules operating_rules;
  is_alone boolean := change.confirmed_by IS NOT DISTINCT FROM change.proposed_by;
BEGIN
  SELECT * INTO rules FROM operating_rules;
  PERFORM demand_operator(change.confirmed_by);
  IF change.proposed_by IS NOT NULL THEN PERFORM demand_operator(change.proposed_by); END IF;
  IF change.confirmed_at < change.proposed_at THEN
    ${refuse('collection_account_changes_order', 'a change is confirmed after it was proposed')}
  END IF;
  IF is_alone AND rules.single_operator IS NOT TRUE THEN
    ${refuse('collection_account_changes_second_person', 'whoever proposed a change does not confirm it')}
  END IF;
  change.rule := CASE WHEN change.proposed_by IS NULL THEN 'command_line'
    WHEN is_alone THEN 'single_operator' ELSE 'two_people' END;
  change.effective_at := CASE WHEN collection_account_change_waits(change)
    THEN change.confirmed_at + rules.waiting_hours * interval '1 hour'
    ELSE least(change.confirmed_at, now()) END;
END $$;

-- A process whose clock is ahead ends nobody's time to object: the database's clock counts, too.
CREATE FUNCTION apply_collection_account_change(INOUT change collection_account_changes)
LANGUAGE plpgsql AS $$
BEGIN
  IF change.confirmed_at IS NULL OR change.effective_at > least(change.applied_at, now()) THEN
    ${refuse('collection_account_changes_waiting', 'the waiting time of the change is not over')}
  END IF;
  PERFORM demand_operator(change.confirmed_by);
  IF change.proposed_by IS NOT NULL THEN PERFORM demand_operator(change.proposed_by); END IF;
  SELECT CASE change.kind WHEN 'add' THEN coalesce(max(position) + 1, 0)
      WHEN 'prefer' THEN min(position) - 1 END INTO change.position
    FROM collection_accounts WHERE mode = 'live' AND currency = change.currency;
END $$;

CREATE FUNCTION guard_collection_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.withdrawn_at IS NOT NULL OR OLD.applied_at IS NOT NULL
    OR (NEW.id, NEW.kind, NEW.account_id, NEW.currency, NEW.holder, NEW.account, NEW.bic,
        NEW.bank_name, NEW.proposed_by, NEW.proposed_from, NEW.proposed_at)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.account_id, OLD.currency, OLD.holder, OLD.account,
        OLD.bic, OLD.bank_name, OLD.proposed_by, OLD.proposed_from, OLD.proposed_at)
    OR num_nonnulls(NEW.withdrawn_at, NEW.applied_at, CASE WHEN OLD.confirmed_at IS NULL
        THEN NEW.confirmed_at END) <> 1
    OR OLD.confirmed_at IS NOT NULL
      AND (NEW.confirmed_by, NEW.confirmed_at, NEW.rule, NEW.effective_at)
        IS DISTINCT FROM (OLD.confirmed_by, OLD.confirmed_at, OLD.rule, OLD.effective_at) THEN
    ${refuse('collection_account_changes_append_only', 'a change is confirmed, withdrawn or applied once, and else stays as it was proposed')}
  END IF;
  IF NEW.withdrawn_at IS NOT NULL THEN PERFORM demand_operator(NEW.withdrawn_by);
  ELSIF NEW.applied_at IS NOT NULL THEN NEW := apply_collection_account_change(NEW);
  ELSE NEW := confirm_collection_account_change(NEW); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER collection_account_changes_guard BEFORE UPDATE ON collection_account_changes
  FOR EACH ROW EXECUTE FUNCTION guard_collection_account_change();
CREATE TRIGGER collection_account_changes_no_delete BEFORE DELETE ON collection_account_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER collection_account_changes_no_truncate BEFORE TRUNCATE ON collection_account_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

/** A live account is what the changes that were applied to it say, and nothing else writes it. */
const applying = `
CREATE FUNCTION change_collection_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE NEW.kind
    WHEN 'add' THEN
      INSERT INTO collection_accounts (id, mode, currency, holder, account, bic, bank_name, position,
          created_at)
        VALUES (NEW.account_id, 'live', NEW.currency, NEW.holder, NEW.account, NEW.bic,
          NEW.bank_name, NEW.position, NEW.applied_at);
    WHEN 'prefer' THEN
      UPDATE collection_accounts SET position = NEW.position
        WHERE id = NEW.account_id AND disabled_at IS NULL;
    ELSE
      UPDATE collection_accounts SET disabled_at = NEW.applied_at
        WHERE id = NEW.account_id AND disabled_at IS NULL;
  END CASE;
  IF NOT FOUND THEN
    ${refuse('collection_account_changes_of_account', 'the account is not in use any more')}
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_account_changes_applied AFTER UPDATE ON collection_account_changes
  FOR EACH ROW WHEN (NEW.applied_at IS NOT NULL) EXECUTE FUNCTION change_collection_account();

CREATE FUNCTION refuse_unconfirmed_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.mode <> 'live' AND NEW.mode <> 'live'
    OR TG_OP = 'INSERT' AND NEW.mode <> 'live' OR TG_OP = 'DELETE' AND OLD.mode <> 'live' THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.mode = 'live' AND EXISTS (
    SELECT FROM collection_account_changes c WHERE c.account_id = NEW.id AND c.applied_at IS NOT NULL
    HAVING bool_and((c.currency, c.holder, c.account, c.bic, c.bank_name) IS NOT DISTINCT FROM
        (NEW.currency, NEW.holder, NEW.account, NEW.bic, NEW.bank_name))
      AND min(c.position) = NEW.position
      AND min(c.applied_at) FILTER (WHERE c.kind = 'add') = NEW.created_at
      AND min(c.applied_at) FILTER (WHERE c.kind = 'disable') IS NOT DISTINCT FROM NEW.disabled_at
  ) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'a live collection account changes only by a change that was confirmed'
    USING ERRCODE = 'check_violation', TABLE = 'collection_accounts',
      CONSTRAINT = 'collection_accounts_confirmed';
END $$;
CREATE TRIGGER collection_accounts_confirmed AFTER INSERT OR DELETE OR UPDATE OF id, mode, currency,
    holder, account, bic, bank_name, position, created_at, disabled_at ON collection_accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_unconfirmed_account();
`;

const down = `
DELETE FROM user_notices WHERE kind = 'collection-account';
${kinds(KINDS)}
DROP TRIGGER collection_accounts_confirmed ON collection_accounts;
DROP FUNCTION refuse_unconfirmed_account;
DROP FUNCTION collection_account_change_waits;
DROP FUNCTION confirm_collection_account_change;
DROP FUNCTION apply_collection_account_change;
DROP TABLE collection_account_changes;
DROP FUNCTION check_collection_account_proposal;
DROP FUNCTION guard_collection_account_change;
DROP FUNCTION change_collection_account;
DROP FUNCTION demand_operator;
`;

/** Live accounts on which payers transfer money change by two operators, after a waiting time. */
export class TwoOperators1766040000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const parts = [table, fill, proposing, waiting, deciding, applying];
    for (const sql of parts) await runner.query(sql);
    await runner.query(kinds(`${KINDS}, 'collection-account'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
