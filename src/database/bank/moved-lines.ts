/**
 * Whether a line has moved money: it has paid for something, taken something back, or told how a payout ended. Whoever
 * is to move money with it holds its lock.
 * @param id of the line, as SQL
 */
export const hasMoved = (id: string): string => `(EXISTS (SELECT FROM bank_allocations x
      WHERE x.line_id = ${id} AND (x.undone_at IS NULL OR x.undone_by_line_id IS NOT NULL))
    OR EXISTS (SELECT FROM bank_returns x WHERE x.line_id = ${id} AND x.undone_at IS NULL)
    OR EXISTS (SELECT FROM bank_payout_lines x WHERE x.line_id = ${id}))`;
