import { MARKS, SHORT_END_TO_END_ID } from '../lines/line-store.statements.js';

/** Maximum days between two reports of one transfer. */
const APART_DAYS = 10;

/** Lines `l` with the money of `own` on account `c`: a condition of rows, so that every plan uses the index. */
const withMoney = (
  columns: string,
  values: string,
): string => `(${columns}, l.account, l.mode, l.key)
  BETWEEN (${values}, c.account, own.mode, m.money) AND (${values}, c.account, own.mode, m.money || '~')`;

const NAMED = `SELECT * FROM bank_lines l WHERE ${withMoney('l.named_reference', 'own.named_reference')}`;
/** Many payers may write the same end-to-end id, so no order or payer may differ. */
const CALLED = `SELECT * FROM bank_lines l WHERE l.end_to_end_id = own.end_to_end_id
  AND ${withMoney(`(${MARKS.bank_lines_end_to_end_id}) COLLATE "C"`, `'=' || left(own.end_to_end_id, ${SHORT_END_TO_END_ID})`)}
  AND l.booked_on BETWEEN own.booked_on - ${APART_DAYS} AND own.booked_on + ${APART_DAYS}
  AND (l.named_reference = own.named_reference AND l.counterparty_account = own.counterparty_account) IS NOT FALSE`;
const withId = (name: string): string => `SELECT * FROM bank_lines l
  WHERE l.identifiers ->> '${name}' = own.identifiers ->> '${name}' AND l.account = c.account AND l.mode = own.mode`;

/**
 * Incoming lines that may be a transfer which another account of the platform reports, too: a master account reports the
 * transfers of its virtual accounts, an account may be registered under two numbers, and an operator may read a CSV file
 * with the profile of another account. Such a line comes from an account of the platform, or a line of another account
 * has the same amount and a common identifier, or has paid the same order. Of two lines that have not paid, the first
 * one may pay.
 * @param $1 lines
 * @param $2 lines with the orders in `$3` (merchants) and `$4` (txids) that they pay, which the caller has locked
 */
export const REPORTED_ELSEWHERE = `SELECT own.id FROM bank_lines own
  WHERE own.id = ANY ($1::uuid[]) AND (
    EXISTS (SELECT FROM collection_accounts c WHERE c.mode = own.mode AND c.account = own.counterparty_account)
    OR EXISTS (
      SELECT FROM (
        SELECT l.* FROM collection_accounts c
        CROSS JOIN (VALUES (regexp_replace(own.key, '[^|]*$', ''))) m (money)
        CROSS JOIN LATERAL (
          ${NAMED} UNION ALL ${CALLED} UNION ALL ${withId('uetr')} UNION ALL ${withId('transactionId')}
        ) l
        WHERE c.mode = own.mode AND c.account <> own.account
        UNION ALL
        SELECT l.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) paid (line_id, merchant_id, txid)
        JOIN payments p ON p.merchant_id = paid.merchant_id AND p.txid = paid.txid
        JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
        JOIN bank_lines l ON l.id = a.line_id
        WHERE paid.line_id = own.id
      ) other
      WHERE other.account <> own.account AND other.mode = own.mode AND other.direction = 'in'
        AND other.amount = own.amount AND other.currency = own.currency AND other.status = 'booked'
        AND other.state <> 'superseded' AND (other.has_paid OR other.id < own.id)))`;
