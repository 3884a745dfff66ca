import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Characters of a file for a bank within which it names the account that pays. */
const DEBTOR_WITHIN = 2_000;

const up = `
CREATE FUNCTION came_on_collection_account(line uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM bank_lines l JOIN collection_accounts c
    ON c.mode = l.mode AND c.account = l.account AND c.currency = l.currency WHERE l.id = $1)
$$;

CREATE FUNCTION refuse_money_from_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT came_on_collection_account(NEW.line_id) THEN
    RAISE EXCEPTION 'only money on a collection account of the mode and currency pays an order'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'bank_allocations_own_account',
        TABLE = 'bank_allocations';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_own_account AFTER INSERT OR UPDATE OF line_id ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_money_from_elsewhere();

CREATE FUNCTION refuse_word_from_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT a.line_id, p.file_id FROM added a
      JOIN payouts p ON p.merchant_id = a.merchant_id AND p.id = a.payout_id) t
    JOIN bank_lines l ON l.id = t.line_id
    WHERE NOT came_on_collection_account(t.line_id) AND l.account IS DISTINCT FROM (
      SELECT substring(left(f.content, ${DEBTOR_WITHIN}) FROM '<DbtrAcct><Id><IBAN>([^<]*)<')
      FROM payout_files f WHERE f.id = t.file_id)) THEN
    RAISE EXCEPTION 'only the bank of an account of the platform tells how a payout ended'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'bank_payout_lines_own_account',
        TABLE = 'bank_payout_lines';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_payout_lines_own_account AFTER INSERT ON bank_payout_lines
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_word_from_elsewhere();
`;

const down = `
DROP TRIGGER bank_payout_lines_own_account ON bank_payout_lines;
DROP TRIGGER bank_allocations_own_account ON bank_allocations;
DROP FUNCTION refuse_word_from_elsewhere;
DROP FUNCTION refuse_money_from_elsewhere;
DROP FUNCTION came_on_collection_account;
`;

/** A statement of an account that is none of the platform's moves no money. */
export class OwnAccounts1766100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
