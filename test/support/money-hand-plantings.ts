import type { Planting } from './plantings.js';

const planting = (fact: string, sql: string): Planting => ({
  fact,
  sql: sql.replace(/\s+/g, ' '),
  without: [],
});

/** Orders that approved payouts pay, and their approvers. */
const APPROVED = `payouts p JOIN payout_lines l ON l.merchant_id = p.merchant_id
  AND l.payout_id = p.id AND p.approved_by IS NOT NULL`;
const ADMIT = `INSERT INTO audit_entries
  (id, merchant_id, user_id, action, subject, data, address, created_at)
  SELECT gen_random_uuid(), a.merchant_id, u.id`;
const BROUGHT = `INSERT INTO bank_files (id, mode, sha256, name, size, format, source, brought_by,
    warnings, created_at)
  SELECT l.id, 'test', sha256(convert_to(l.id::text, 'UTF8')), 'x', 1, 'MT940', 'portal',
    (SELECT id FROM users LIMIT 1), '[]', '2020-01-01' FROM bank_lines l;
  INSERT INTO bank_statements (id, mode, file_id, number, format, account, created_at)
  SELECT id, mode, id, 0, 'MT940', 'x', created_at FROM bank_files WHERE created_at = '2020-01-01';
  INSERT INTO bank_line_places SELECT id, 0, 0, id FROM bank_statements
    WHERE created_at = '2020-01-01'`;

/** What somebody could do to the tables of hands in money. */
export const MONEY_HAND_PLANTINGS: readonly Planting[] = [
  planting(
    'money-two-people',
    `INSERT INTO money_hands SELECT DISTINCT l.merchant_id, l.txid, p.approved_by, 'matched',
       p.approved_at - interval '1 day' FROM ${APPROVED}`,
  ),
  planting(
    'money-two-people',
    `INSERT INTO audit_entries (id, merchant_id, user_id, action, subject, data, address, created_at)
     SELECT gen_random_uuid(), l.merchant_id, p.approved_by, 'order.money-accepted', l.txid, '{}', '',
       p.approved_at - interval '1 day' FROM ${APPROVED}`,
  ),
  planting(
    'spared-debts',
    `INSERT INTO money_hands SELECT DISTINCT l.merchant_id, l.txid, p.approved_by, 'return_spared',
       p.approved_at - interval '1 second' FROM ${APPROVED}`,
  ),
  planting(
    'money-hands',
    'UPDATE bank_allocations SET matched_by = (SELECT id FROM users LIMIT 1)',
  ),
  planting('money-hands', BROUGHT),
  planting(
    'money-hands',
    `${BROUGHT}; UPDATE bank_files SET brought_by = NULL;
     INSERT INTO bank_file_hands SELECT id, (SELECT id FROM users LIMIT 1), 'profile_written',
       created_at FROM bank_files WHERE created_at = '2020-01-01'`,
  ),
  ...['order.money-accepted', 'order.refunded'].map((action) =>
    planting(
      'money-hands',
      `${ADMIT}, '${action}', a.txid, '{}', '', a.created_at FROM bank_allocations a, users u`,
    ),
  ),
  ...['bank-line.undone', 'bank-line.payer-added'].map((action) =>
    planting(
      'money-hands',
      `${ADMIT}, '${action}', a.line_id, '{}', '', a.created_at FROM bank_allocations a, users u`,
    ),
  ),
  planting(
    'money-hands',
    `UPDATE bank_lines SET mode = 'live';
     ${ADMIT}, 'merchant.transfers-allowed', a.merchant_id, '{}', '', '2020-01-01'
     FROM bank_allocations a, users u`,
  ),
];
