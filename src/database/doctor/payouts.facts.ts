import { HAS_ITS_BYTES, PAYS_ITS_PAYOUTS } from '../payouts/payout-file.statements.js';
import { CONTENT_HASH } from '../payouts/payout.statements.js';
import type { Fact } from './fact.js';

/** How far the clocks of two processes may be apart, and what one read from when it was written. */
const SKEW = `interval '5 minutes'`;

/** How often and how much each payout has booked. */
const BOOKED = `(
  SELECT merchant_id, payout_id,
    count(*) FILTER (WHERE kind = 'payout_reserved')
      - count(*) FILTER (WHERE kind = 'payout_released') AS holds,
    coalesce(sum(amount) FILTER (WHERE kind = 'payout_reserved'), 0)
      - coalesce(sum(amount) FILTER (WHERE kind = 'payout_released'), 0) AS held,
    count(*) FILTER (WHERE kind = 'payout_paid') AS times_paid,
    coalesce(sum(amount) FILTER (WHERE kind = 'payout_paid'), 0) AS paid,
    count(*) FILTER (WHERE kind = 'payout_returned') AS times_returned,
    coalesce(sum(amount) FILTER (WHERE kind = 'payout_returned'), 0) AS returned
  FROM transfers WHERE payout_id IS NOT NULL GROUP BY merchant_id, payout_id)`;

/** How often it should have, by its status: 1 or 0. */
const DUE = `(
  SELECT (p.status IN ('pending_approval', 'approved', 'exported', 'submitted', 'paid')
      OR p.status = 'returned' AND p.paid_at IS NOT NULL)::integer AS holds,
    (p.status = 'paid' OR p.paid_at IS NOT NULL)::integer AS paid,
    (p.status = 'returned' AND p.paid_at IS NOT NULL)::integer AS returned)`;

export const PAYOUT_FACTS: readonly Fact[] = [
  {
    name: 'payout-booked',
    says: 'A payout is reserved, released, paid and returned in the ledger as often as its status says, each time whole.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s, %s %s: held %s (%s), paid %s (%s times), returned %s (%s times)', p.status,
          p.amount, p.currency, coalesce(t.held, 0), coalesce(t.holds, 0), coalesce(t.paid, 0),
          coalesce(t.times_paid, 0), coalesce(t.returned, 0), coalesce(t.times_returned, 0)) AS detail
      FROM payouts p
      LEFT JOIN ${BOOKED} t ON t.merchant_id = p.merchant_id AND t.payout_id = p.id
      CROSS JOIN LATERAL ${DUE} due
      WHERE coalesce(t.holds, 0) <> due.holds OR coalesce(t.held, 0) <> due.holds * p.amount
        OR coalesce(t.times_paid, 0) <> due.paid OR coalesce(t.paid, 0) <> due.paid * p.amount
        OR coalesce(t.times_returned, 0) <> due.returned
        OR coalesce(t.returned, 0) <> due.returned * p.amount`,
  },
  {
    name: 'payout-lines',
    says: 'The lines of a payout that was asked for sum to its amount; a wish has none.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s, %s %s, lines of %s', p.status, p.amount, p.currency, coalesce(l.amount, 0))
          AS detail
      FROM payouts p LEFT JOIN (
        SELECT merchant_id, payout_id, sum(amount) AS amount FROM payout_lines
        GROUP BY merchant_id, payout_id
      ) l ON l.merchant_id = p.merchant_id AND l.payout_id = p.id
      WHERE l.amount IS DISTINCT FROM CASE WHEN p.content_hash IS NOT NULL THEN p.amount END`,
  },
  {
    name: 'payout-line-transfer',
    says: 'A line pays what its transfer moved, or a part of it: of the same order, mode and currency.',
    sql: `SELECT l.merchant_id AS "merchantId", 'payout ' || l.payout_id AS subject,
        format('line %s, %s of %s for order %s; transfer %s, %s of %s %s in %s mode for order %s',
          l.number, l.kind, l.amount, l.txid, l.transfer_id, t.kind, t.amount, t.currency, t.mode,
          t.txid) AS detail
      FROM payout_lines l
      LEFT JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
      LEFT JOIN transfers t ON t.merchant_id = l.merchant_id AND t.id = l.transfer_id
      WHERE (t.mode, t.currency, t.txid) IS DISTINCT FROM (p.mode, p.currency, l.txid)
        OR abs(l.amount) > t.amount
        OR CASE sign(l.amount) WHEN 1 THEN t.credit ELSE t.debit END <> 'available'
        OR l.kind <> CASE t.kind WHEN 'fee' THEN 'fee' WHEN 'reversal' THEN 'correction'
          WHEN 'charge_back' THEN 'correction' WHEN 'deallocation' THEN 'correction'
          WHEN 'payment' THEN 'order' WHEN 'allocation' THEN 'order' ELSE 'none' END`,
  },
  {
    name: 'payout-content',
    says: 'Amount, account and lines of a payout are those that were asked for, and those that were approved.',
    sql: `SELECT merchant_id AS "merchantId", 'payout ' || id AS subject,
        format('%s: is %s, asked for as %s, approved as %s', status, encode(present, 'hex'),
          encode(content_hash, 'hex'), encode(approved_hash, 'hex')) AS detail
      FROM (SELECT p.*, ${CONTENT_HASH} AS present FROM payouts p WHERE p.content_hash IS NOT NULL) p
      WHERE present IS DISTINCT FROM content_hash OR approved_hash <> content_hash`,
  },
  {
    name: 'payout-account',
    says: 'A payout goes to an account of its own merchant and mode, with the name and the IBAN that were confirmed and told of, a day old when it was approved, and in use when it was asked for.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s in %s mode, asked for %s, approved %s; account %s in %s mode, added %s, confirmed %s, told of %s, retired %s',
          p.status, p.mode, p.created_at, p.approved_at, p.bank_account_id, coalesce(a.mode, 'no'),
          a.created_at, a.confirmed_at, a.noticed_at, a.retired_at) AS detail
      FROM payouts p
      LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id AND a.id = p.bank_account_id
      WHERE (a.mode, a.holder, a.iban) IS DISTINCT FROM (p.mode, p.holder, p.iban)
        OR a.confirmed_at IS NULL OR a.noticed_at IS NULL
        OR p.approved_at + ${SKEW} < greatest(a.created_at + interval '24 hours', a.confirmed_at)
        OR p.created_at - ${SKEW} > a.retired_at`,
  },
  {
    name: 'bank-account-day',
    says: 'A bank account is said to be told of when a mail about it left, and can be paid to a day after all that has to happen before.',
    // Those of before anybody had to be told count as told of on their first day's end.
    sql: `SELECT merchant_id AS "merchantId", 'bank account ' || id AS subject,
        format('added %s, told of %s, confirmed %s, can be paid to from %s', created_at, noticed_at,
          confirmed_at, usable_from) AS detail
      FROM bank_accounts a
      WHERE usable_from <> greatest(created_at, noticed_at, confirmed_at) + interval '24 hours'
        OR noticed_at <> created_at + interval '24 hours' AND NOT EXISTS (
          SELECT FROM bank_account_notices n WHERE n.merchant_id = a.merchant_id
            AND n.bank_account_id = a.id AND n.sent_at = a.noticed_at)`,
  },
  {
    name: 'payout-paid-at',
    says: 'A payout that was paid says when.',
    sql: `SELECT merchant_id AS "merchantId", 'payout ' || id AS subject, 'paid' AS detail
      FROM payouts WHERE status = 'paid' AND paid_at IS NULL`,
  },
  {
    name: 'payout-file-sums',
    says: 'A file for the bank holds the payouts that were exported with it, and one that was not sent holds none.',
    sql: `SELECT NULL::uuid AS "merchantId", 'payout file ' || f.id AS subject,
        format('%s payouts of %s %s; %s of %s belong to it', f.payouts, f.amount, f.currency,
          coalesce(p.payouts, 0), coalesce(p.amount, 0)) AS detail
      FROM payout_files f LEFT JOIN (
        SELECT file_id, mode, currency, count(*) AS payouts, sum(amount) AS amount,
          count(*) FILTER (WHERE status <> 'failed') AS gone
        FROM payouts WHERE file_id IS NOT NULL GROUP BY file_id, mode, currency
      ) p ON p.file_id = f.id
      WHERE CASE WHEN f.not_sent_at IS NOT NULL THEN p.gone > 0
        ELSE (p.mode, p.currency, p.payouts, p.amount)
          IS DISTINCT FROM (f.mode, f.currency, f.payouts::bigint, f.amount::numeric) END`,
  },
  {
    name: 'payout-file-bytes',
    says: 'A file for the bank has the bytes that it was made with.',
    sql: `SELECT NULL::uuid AS "merchantId", 'payout file ' || id AS subject,
        format('has the hash %s, made with %s',
          encode(sha256(convert_to(content, 'UTF8')), 'hex'), encode(sha256, 'hex')) AS detail
      FROM payout_files f WHERE NOT ${HAS_ITS_BYTES}`,
  },
  {
    name: 'payout-file-content',
    says: 'A file for the bank pays its payouts, each to its account and with its amount and id, and nothing else.',
    sql: `SELECT NULL::uuid AS "merchantId", 'payout file ' || f.id AS subject,
        format('%s payouts of %s %s', f.payouts, f.amount, f.currency) AS detail
      FROM payout_files f WHERE f.not_sent_at IS NULL AND NOT ${PAYS_ITS_PAYOUTS}`,
  },
  {
    name: 'payout-events',
    says: 'Every payout that was asked for has its events without a gap, and the last tells what it is now.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s, %s; %s events from %s to %s, the last tells of %s, %s', p.status, p.amount,
          coalesce(e.events, 0), e.first, e.last, l.data ->> 'status', l.data ->> 'amount') AS detail
      FROM payouts p LEFT JOIN (
        SELECT merchant_id, payout_id, count(*) AS events, min(sequence) AS first,
          max(sequence) AS last
        FROM events WHERE payout_id IS NOT NULL GROUP BY merchant_id, payout_id
      ) e ON e.merchant_id = p.merchant_id AND e.payout_id = p.id
      LEFT JOIN events l
        ON l.merchant_id = p.merchant_id AND l.payout_id = p.id AND l.sequence = e.last
      WHERE CASE WHEN p.status = 'draft' THEN e.events IS NOT NULL
        ELSE coalesce(e.first, 0) <> 1 OR e.events <> e.last
          OR (l.data ->> 'status', l.data ->> 'amount', l.data ->> 'holder', l.data ->> 'iban')
            IS DISTINCT FROM (p.status, p.amount::text, p.holder, p.iban) END`,
  },
];
