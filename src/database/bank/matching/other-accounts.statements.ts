import { hasEndToEndId, hasIdentifier, namesOrder } from './index-ranges.js';

/** Maximum days between two reports of one transfer. */
export const APART_DAYS = 10;

const NAMED = `SELECT * FROM bank_lines l WHERE ${namesOrder('own.named_reference', 'c.account')}`;
/** Many payers may write the same end-to-end id, so the amount is the same, and no order or payer may differ. */
const CALLED = `SELECT * FROM bank_lines l WHERE ${hasEndToEndId('c.account', ['m.money', "m.money || '~'"])}
  AND l.booked_on BETWEEN own.booked_on - ${APART_DAYS} AND own.booked_on + ${APART_DAYS}
  AND (l.named_reference = own.named_reference AND l.counterparty_account = own.counterparty_account) IS NOT FALSE`;
const withId = (name: 'uetr' | 'transactionId'): string =>
  `SELECT * FROM bank_lines l WHERE ${hasIdentifier(name, 'c.account')}`;

/**
 * Incoming lines that may be a transfer which another account of the platform reports, too: a master account reports the
 * transfers of its virtual accounts, perhaps as a sum, an account may be registered under two numbers, and an operator
 * may read a CSV file with the profile of another account. Such a line comes from an account of the platform, or a line
 * of another account has a common identifier, names the same order, or has paid it. The amounts may differ by charges.
 * Of two lines that have not paid, the first one may pay.
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
        AND other.currency = own.currency AND other.status = 'booked'
        AND other.state <> 'superseded' AND (other.has_paid OR other.id < own.id)))`;
