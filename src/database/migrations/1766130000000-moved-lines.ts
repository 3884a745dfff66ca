import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The row of the line is locked, so that nobody says meanwhile what else it is. */
const up = `
CREATE FUNCTION refuse_money_of_replaced_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE is_replaced boolean;
BEGIN
  SELECT state = 'superseded' INTO is_replaced FROM bank_lines WHERE id = NEW.line_id FOR NO KEY UPDATE;
  IF is_replaced OR EXISTS (SELECT FROM bank_payout_lines WHERE line_id = NEW.line_id) AND (
      EXISTS (SELECT FROM bank_returns WHERE line_id = NEW.line_id AND undone_at IS NULL)
      OR EXISTS (SELECT FROM bank_allocations WHERE line_id = NEW.line_id
        AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))) THEN
    RAISE EXCEPTION 'a line moves its money once' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_lines_move_once', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_allocations_move_once AFTER INSERT ON bank_allocations
  FOR EACH ROW EXECUTE FUNCTION refuse_money_of_replaced_line();
CREATE TRIGGER bank_returns_move_once AFTER INSERT ON bank_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_money_of_replaced_line();
CREATE TRIGGER bank_payout_lines_move_once AFTER INSERT ON bank_payout_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_money_of_replaced_line();

CREATE FUNCTION refuse_replaced_mover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bank_allocations WHERE line_id = NEW.id
      AND (undone_at IS NULL OR undone_by_line_id IS NOT NULL))
    OR EXISTS (SELECT FROM bank_returns WHERE line_id = NEW.id AND undone_at IS NULL)
    OR EXISTS (SELECT FROM bank_payout_lines WHERE line_id = NEW.id) THEN
    RAISE EXCEPTION 'a line that has moved money counts' USING ERRCODE = 'check_violation',
      CONSTRAINT = 'bank_lines_movers_count', TABLE = 'bank_lines';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_lines_movers_count AFTER UPDATE OF state ON bank_lines FOR EACH ROW
  WHEN (NEW.state = 'superseded' AND OLD.state <> 'superseded')
  EXECUTE FUNCTION refuse_replaced_mover();
`;

const down = `
DROP TRIGGER bank_lines_movers_count ON bank_lines;
DROP FUNCTION refuse_replaced_mover;
DROP TRIGGER bank_payout_lines_move_once ON bank_payout_lines;
DROP TRIGGER bank_returns_move_once ON bank_returns;
DROP TRIGGER bank_allocations_move_once ON bank_allocations;
DROP FUNCTION refuse_money_of_replaced_line;
`;

/** A line that has moved money is replaced by no other one, and moves it once. */
export class MovedLines1766130000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
