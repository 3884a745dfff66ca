import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `'codes-guessed', 'owners-changed', 'endpoint-by-key', 'account-changed', 'signed-in',
  'statements-missing', 'collection-account', 'payout-waits'`;
const kinds = (words: string): string => `
ALTER TABLE user_notices DROP CONSTRAINT user_notices_kind_check,
  ADD CONSTRAINT user_notices_kind_check CHECK (kind IN (${words}));
`;

/** @param since from when on there is only one operator, or the setting says so */
const waitsSince = (since: string): string => `
CREATE OR REPLACE FUNCTION payout_waits_since(merchant uuid, payout uuid, asked timestamptz)
  RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN count(n.sent_at) > 0 AND count(n.next_attempt_at) = 0 THEN greatest($3, max(n.sent_at),
      ${since},
      (SELECT max(h.created_at) FROM payout_lines l JOIN money_hands h
        ON h.merchant_id = l.merchant_id AND h.txid = l.txid
        WHERE l.merchant_id = $1 AND l.payout_id = $2),
      (SELECT max(o.created_at) FROM outgoing_hands_of($1, $2) o)) END
  FROM user_notices n WHERE n.merchant_id = $1 AND n.kind = 'payout-waits'
    AND n.data ->> 'payout' = $2::text AND n.created_at >= $3
$$;
`;

/** Null while another operator can sign in, or no setting allows one alone: then a second person is asked for. */
const alone = `
CREATE FUNCTION lone_operator_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN r.single_operator AND count(u.id) FILTER (WHERE u.disabled_at IS NULL) < 2
    THEN greatest(r.changed_at, max(u.disabled_at)) END
  FROM operating_rules r LEFT JOIN users u ON u.platform_role = 'operator'
  GROUP BY r.single_operator, r.changed_at
$$;
`;

const refusals = `
CREATE FUNCTION refuse_one_of_several_operators() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF lone_operator_since() IS NULL THEN
    RAISE EXCEPTION 'whoever had a hand in a payout does not approve it while another operator can'
      USING ERRCODE = 'check_violation', TABLE = 'payouts', CONSTRAINT = 'payouts_second_person';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER single_operator_approvals_alone AFTER INSERT ON single_operator_approvals
  FOR EACH ROW EXECUTE FUNCTION refuse_one_of_several_operators();

CREATE FUNCTION refuse_change_by_one_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF lone_operator_since() IS NULL THEN
    RAISE EXCEPTION 'a change that one person proposed is confirmed by another one'
      USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes',
        CONSTRAINT = 'collection_account_changes_second_person';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER collection_account_changes_alone AFTER UPDATE ON collection_account_changes
  FOR EACH ROW WHEN (OLD.rule IS NULL AND NEW.rule IN ('single_operator', 'command_line'))
  EXECUTE FUNCTION refuse_change_by_one_person();

CREATE FUNCTION refuse_change_by_nobody() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'only an operator who is signed in proposes where payers send money'
    USING ERRCODE = 'check_violation', TABLE = 'collection_account_changes',
      CONSTRAINT = 'collection_account_changes_operator';
END $$;
CREATE TRIGGER collection_account_changes_by_operator AFTER INSERT ON collection_account_changes
  FOR EACH ROW WHEN (NEW.proposed_by IS NULL) EXECUTE FUNCTION refuse_change_by_nobody();
`;

const down = `
DROP TRIGGER collection_account_changes_by_operator ON collection_account_changes;
DROP TRIGGER collection_account_changes_alone ON collection_account_changes;
DROP TRIGGER single_operator_approvals_alone ON single_operator_approvals;
DROP FUNCTION refuse_change_by_nobody;
DROP FUNCTION refuse_change_by_one_person;
DROP FUNCTION refuse_one_of_several_operators;
${waitsSince('(SELECT r.changed_at FROM operating_rules r)')}
DROP FUNCTION lone_operator_since;
DELETE FROM user_notices WHERE kind = 'operator-closed';
${kinds(KINDS)}`;

/** The rule for one operator holds only while there is one, and nobody proposes accounts without a name. */
export class LoneOperators1766110000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(alone + waitsSince('lone_operator_since()') + refusals);
    await runner.query(kinds(`${KINDS}, 'operator-closed'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
