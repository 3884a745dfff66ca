/**
 * Whether a line has moved money: it has an active allocation, return or payout. A caller that is about to move money
 * with the line holds its lock.
 * @param id SQL expression of the line's id
 */
export const hasMoved = (id: string): string => `(EXISTS (SELECT FROM bank_allocations x
      WHERE x.line_id = ${id} AND (x.undone_at IS NULL OR x.undone_by_line_id IS NOT NULL))
    OR EXISTS (SELECT FROM bank_returns x WHERE x.line_id = ${id} AND x.undone_at IS NULL)
    OR EXISTS (SELECT FROM bank_payout_lines x WHERE x.line_id = ${id}))`;
