import type { Statement } from '../../database.js';
import { columnsOf } from '../../entity-sql.js';
import { BankLine } from './bank-line.entity.js';

/** By account and day; `$5` to `$7`: cursor, the last line of the previous page. */
export const LIST_LINES: Statement = {
  name: 'bank_lines_list',
  text: `SELECT ${columnsOf('l', BankLine)}, coalesce((
      SELECT json_agg(json_build_object('merchantId', a.merchant_id, 'txid', a.txid, 'amount', a.amount)
        ORDER BY a.created_at, a.payment_id)
      FROM bank_allocations a WHERE a.line_id = l.id AND a.undone_at IS NULL), '[]') AS orders
    FROM bank_lines l
    WHERE l.mode = $1 AND ($2::text IS NULL OR l.account = $2) AND ($3::text IS NULL OR l.state = $3)
      AND ($5::uuid IS NULL OR (l.account, coalesce(l.booked_on, '-infinity'), l.id)
        > ($6, coalesce($7::date, '-infinity'), $5))
    ORDER BY l.account, coalesce(l.booked_on, '-infinity'), l.id LIMIT $4`,
};
