import { hasEndToEndId, hasIdentifier, keysOf } from './index-ranges.js';

/** Identifiers of a booking in `identifiers`; without sequence numbers, which are only unique within a statement. */
export const NAMES_OF_BOOKING = [
  'entryBankReference',
  'transactionBankReference',
  'transactionId',
  'uetr',
] as const;

/** All identifiers of a booking, by payer and banks. */
export const calledIn = (line: string): string =>
  `ARRAY[${line}.end_to_end_id, ${NAMES_OF_BOOKING.map((name) => `${line}.identifiers ->> '${name}'`).join(', ')}]`;

/** Maximum characters of a text that are searched, of which a payer can write 140. */
const TEXT_MAX = 5_000;

/**
 * Whether the booking has one of the names. The MT940 reader stores no end-to-end id where a payer's text may have
 * ended it: then the whole purpose is text.
 */
export const mayBeCalled = (line: string, names: string): string => `(${calledIn(line)} && ${names}
    OR ${line}.end_to_end_id IS NULL AND EXISTS (SELECT FROM unnest(${names}) n
      WHERE position('EREF+' || replace(n, ' ', '') IN replace(left(${line}.text, ${TEXT_MAX}), ' ', '')) > 0))`;

/**
 * An outgoing line `r` of the amount on any account: a condition of rows, so that every plan uses the index of amounts.
 */
export const isDebitOf = (
  line: string,
): string => `r.direction = 'out' AND r.currency = ${line}.currency
  AND (r.mode, r.amount) BETWEEN (${line}.mode, ${line}.amount) AND (${line}.mode, ${line}.amount)`;

/** Whether the debit `r` counts and is neither a payout nor a return that the rules book. */
const IS_NO_PAYOUT = `r.status = 'booked' AND r.state <> 'superseded'
  AND (r.kind NOT IN ('return', 'reversal') OR r.state = 'ignored')
  AND NOT EXISTS (SELECT FROM bank_payout_lines b WHERE b.line_id = r.id)`;

/** Maximum days by which a return may be booked before its payment. */
const EARLIER_DAYS = 10;

/** Debits on the account of the payment `own` with the same identifier. */
const withId = (condition: string): string =>
  `SELECT l.id FROM bank_lines l WHERE l.direction = 'out' AND ${condition}`;
const SAME_IDS = [
  hasEndToEndId('own.account', keysOf('out')),
  hasIdentifier('uetr', 'own.account'),
  hasIdentifier('transactionId', 'own.account'),
];

/**
 * Incoming lines that may be outgoing money that came back, or money that went back. A debit that is no payout, whatever
 * operators said about it, names the same order or has the same identifier on the same account, whatever its amount:
 * banks keep charges, and send back several payments at once. Or it has the amount and a common reference of the bank,
 * spells the order's reference in another way, or went to the payer's account since the line. Or a return was booked
 * for another payment with the same identifier before this line was imported.
 * - `naming`: debits that contain references, with all of them: only one is stored as named.
 */
export const MAY_HAVE_GONE_BACK = `WITH own AS MATERIALIZED (
    SELECT l.*, references_in_line(l) || l.named_reference AS written FROM bank_lines l WHERE l.id = ANY ($1::uuid[])
  ), naming AS MATERIALIZED (
    SELECT r.id, unnest(references_in_line(r)) AS reference FROM bank_lines r
    WHERE r.direction = 'out' AND r.named_reference IS NOT NULL AND r.mode IN (SELECT mode FROM own) AND ${IS_NO_PAYOUT}
      AND (r.booked_on IS NULL OR r.booked_on >= (
        SELECT coalesce(min(least(booked_on, valued_on)), '-infinity') - ${EARLIER_DAYS} FROM own))
  ), equal AS MATERIALIZED (
    SELECT own.id AS line_id, r.id FROM own JOIN bank_lines r ON ${isDebitOf('own')}
  ), called AS MATERIALIZED (
    SELECT own.id AS line_id, x.id FROM own
      CROSS JOIN LATERAL (${SAME_IDS.map(withId).join(' UNION ')}) x
      JOIN bank_lines r ON r.id = x.id
      WHERE (greatest(r.booked_on, r.valued_on) >= least(own.booked_on, own.valued_on) - ${EARLIER_DAYS}) IS NOT FALSE
    UNION
    SELECT e.line_id, e.id FROM equal e JOIN own ON own.id = e.line_id JOIN bank_lines r ON r.id = e.id
      WHERE r.account = own.account AND ${mayBeCalled('own', calledIn('r'))}
  ), debit AS (
    SELECT line_id, id FROM called
    UNION ALL
    SELECT e.line_id, e.id FROM equal e JOIN own ON own.id = e.line_id JOIN bank_lines r ON r.id = e.id
      WHERE r.counterparty_account = own.counterparty_account
        AND greatest(r.booked_on, r.valued_on) >= least(own.booked_on, own.valued_on)
        OR EXISTS (SELECT FROM transfer_references t WHERE t.reference = ANY (own.written)
        AND t.reference = ANY (references_in_line(r)))
    UNION ALL
    SELECT own.id, r.id FROM own JOIN bank_lines r ON r.named_reference = own.named_reference
      AND r.mode = own.mode AND r.direction = 'out'
    UNION ALL
    SELECT o.id, n.id FROM (SELECT id, unnest(written) AS reference FROM own) o
      JOIN transfer_references t USING (reference) JOIN naming n USING (reference)
  )
  SELECT own.id FROM own WHERE EXISTS (
    SELECT FROM debit d JOIN bank_lines r ON r.id = d.id WHERE d.line_id = own.id AND ${IS_NO_PAYOUT}
      AND NOT EXISTS (SELECT FROM bank_returns b
        JOIN payments y ON y.merchant_id = b.merchant_id AND y.id = b.payment_id
        JOIN transfer_references t ON t.merchant_id = y.merchant_id AND t.txid = y.txid
        WHERE b.line_id = r.id AND b.undone_at IS NULL
          AND (b.said_by IS NULL OR t.reference = ANY (own.written)))
  ) OR EXISTS (
    SELECT FROM called c JOIN bank_lines r ON r.id = c.id
    JOIN bank_returns b ON b.line_id = r.id AND b.undone_at IS NULL
    WHERE c.line_id = own.id AND r.created_at < own.created_at
      AND least(own.booked_on, own.valued_on) <= greatest(r.booked_on, r.valued_on))`;
