import { HAS_ITS_BYTES, PAYS_ITS_PAYOUTS } from '../payouts/payout-file.statements.js';
import { CONTENT_HASH } from '../payouts/payout.statements.js';
import type { Fact } from './fact.js';

/** Maximum clock difference between processes, and delay between reading and writing a time. */
const SKEW = `interval '5 minutes'`;

/** Bookings per payout: number and amounts. */
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

/** Expected bookings by status: 1 or 0. Refunds book their own transfers. */
const DUE = `(
  SELECT (p.refund_id IS NULL AND (p.status IN ('pending_approval', 'approved', 'exported', 'submitted', 'paid')
      OR p.status = 'returned' AND p.paid_at IS NOT NULL))::integer AS holds,
    (p.refund_id IS NULL AND (p.status = 'paid' OR p.paid_at IS NOT NULL))::integer AS paid,
    (p.refund_id IS NULL AND p.status = 'returned' AND p.paid_at IS NOT NULL)::integer AS returned)`;

export const PAYOUT_FACTS: readonly Fact[] = [
  {
    name: 'payout-booked',
    description:
      'A payout is reserved, released, paid and returned in the ledger as its status requires, always with its full amount.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s, %s %s: reserved %s (%s), paid %s (%s times), returned %s (%s times)', p.status,
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
    description:
      'The lines of a requested payout sum to its amount; a draft, one cancelled before its approval, or a refund has none.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s, %s %s, lines of %s', p.status, p.amount, p.currency, coalesce(l.amount, 0))
          AS detail
      FROM payouts p LEFT JOIN (
        SELECT merchant_id, payout_id, sum(amount) AS amount FROM payout_lines
        GROUP BY merchant_id, payout_id
      ) l ON l.merchant_id = p.merchant_id AND l.payout_id = p.id
      WHERE l.amount IS DISTINCT FROM CASE WHEN p.content_hash IS NOT NULL AND p.refund_id IS NULL THEN p.amount END`,
  },
  {
    name: 'payout-line-transfer',
    description:
      'A payout line pays all or a part of its ledger transfer, with the same order, mode and currency.',
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
          WHEN 'refund_reserved' THEN 'correction' WHEN 'refund_released' THEN 'correction'
          WHEN 'refund_returned' THEN 'correction'
          WHEN 'payment' THEN 'order' WHEN 'allocation' THEN 'order' ELSE 'none' END`,
  },
  {
    name: 'payout-content',
    description:
      'Amount, account and lines of a payout are unchanged since the request and the approval.',
    sql: `SELECT merchant_id AS "merchantId", 'payout ' || id AS subject,
        format('%s: hash %s, requested with %s, approved with %s', status, encode(present, 'hex'),
          encode(content_hash, 'hex'), encode(approved_hash, 'hex')) AS detail
      FROM (SELECT p.*, ${CONTENT_HASH} AS present FROM payouts p WHERE p.content_hash IS NOT NULL) p
      WHERE present IS DISTINCT FROM content_hash OR approved_hash <> content_hash`,
  },
  {
    name: 'payout-account',
    description:
      'A payout goes to a bank account of its own merchant and mode, with the confirmed and notified holder and IBAN, at least 24 hours old at the approval and active at the request.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s in %s mode, requested %s, approved %s; account %s in %s mode, added %s, confirmed %s, notified %s, retired %s',
          p.status, p.mode, p.created_at, p.approved_at, p.bank_account_id, coalesce(a.mode, 'no'),
          a.created_at, a.confirmed_at, a.noticed_at, a.retired_at) AS detail
      FROM payouts p
      LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id AND a.id = p.bank_account_id
      WHERE p.refund_id IS NULL AND ((a.mode, a.holder, a.iban) IS DISTINCT FROM (p.mode, p.holder, p.iban)
        OR a.confirmed_at IS NULL OR a.noticed_at IS NULL
        OR p.approved_at + ${SKEW} < greatest(a.created_at + interval '24 hours', a.confirmed_at)
        OR p.created_at - ${SKEW} > a.retired_at)`,
  },
  {
    name: 'bank-account-day',
    description:
      'A bank account is notified when a mail about it was sent, and usable 24 hours after it was added, notified and confirmed.',
    // Accounts older than this rule count as notified 24 hours after they were added.
    sql: `SELECT merchant_id AS "merchantId", 'bank account ' || id AS subject,
        format('added %s, notified %s, confirmed %s, usable from %s', created_at, noticed_at,
          confirmed_at, usable_from) AS detail
      FROM bank_accounts a
      WHERE usable_from <> greatest(created_at, noticed_at, confirmed_at) + interval '24 hours'
        OR noticed_at <> created_at + interval '24 hours' AND NOT EXISTS (
          SELECT FROM bank_account_notices n WHERE n.merchant_id = a.merchant_id
            AND n.bank_account_id = a.id AND n.sent_at = a.noticed_at)`,
  },
  {
    name: 'payout-return',
    description:
      'No payout was approved while a possible return of its money was unresolved, unless it was resolved since.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('approved %s; the return %s is unresolved since %s', p.approved_at, r.id,
          coalesce(r.looked_at, r.created_at)) AS detail
      FROM bank_lines r JOIN payouts p ON p.mode = r.mode
        AND p.approved_at > coalesce(r.looked_at, r.created_at) + ${SKEW}
      WHERE r.direction = 'out' AND r.status = 'booked' AND r.state IN ('suggested', 'unmatched')
        AND r.kind IN ('return', 'reversal') AND EXISTS (
          SELECT FROM payout_lines l
          JOIN payments y ON y.merchant_id = l.merchant_id AND y.txid = l.txid
          JOIN bank_allocations a ON a.merchant_id = y.merchant_id AND a.payment_id = y.id
          JOIN bank_lines b ON b.id = a.line_id AND b.account = r.account
          WHERE l.merchant_id = p.merchant_id AND l.payout_id = p.id
            AND coalesce(greatest(r.booked_on, r.valued_on), 'infinity') + interval '10 days'
              >= least(a.created_at, b.booked_on::timestamptz, b.valued_on::timestamptz))`,
  },
  {
    name: 'payout-left-before',
    description:
      'No approved payout pays money that, according to a bank line, already left with a payout or file marked as failed, returned or not sent.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        p.status || ', but according to a bank line its money already left' AS detail
      FROM payouts p WHERE p.status IN ('approved', 'exported', 'submitted', 'paid')
        AND (EXISTS (SELECT FROM bank_lines WHERE direction = 'out' AND status = 'booked'
            AND state IN ('suggested', 'unmatched') AND mode = p.mode)
          OR EXISTS (SELECT FROM payout_hands WHERE merchant_id = p.merchant_id AND act = 'returned'))
        AND left_before(p.merchant_id, p.id)`,
  },
  {
    name: 'payout-paid-at',
    description: 'Every paid payout has a payment time.',
    sql: `SELECT merchant_id AS "merchantId", 'payout ' || id AS subject, 'paid' AS detail
      FROM payouts WHERE status = 'paid' AND paid_at IS NULL`,
  },
  {
    name: 'payout-file-sums',
    description:
      'Number and total of a payout file match its payouts, and a file marked as not sent has none.',
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
    description: 'A payout file is unchanged since it was created.',
    sql: `SELECT NULL::uuid AS "merchantId", 'payout file ' || id AS subject,
        format('hash %s, created with %s',
          encode(sha256(convert_to(content, 'UTF8')), 'hex'), encode(sha256, 'hex')) AS detail
      FROM payout_files f WHERE NOT ${HAS_ITS_BYTES}`,
  },
  {
    name: 'payout-file-content',
    description: 'A payout file pays exactly its payouts, each with its account, amount and id.',
    sql: `SELECT NULL::uuid AS "merchantId", 'payout file ' || f.id AS subject,
        format('%s payouts of %s %s', f.payouts, f.amount, f.currency) AS detail
      FROM payout_files f WHERE f.not_sent_at IS NULL AND NOT ${PAYS_ITS_PAYOUTS}`,
  },
  {
    name: 'payout-events',
    description:
      'Every requested payout has events without gaps, and the last one has its current state; a refund has events of its order.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('%s, %s; %s events from %s to %s, the last with %s, %s', p.status, p.amount,
          coalesce(e.events, 0), e.first, e.last, l.data ->> 'status', l.data ->> 'amount') AS detail
      FROM payouts p LEFT JOIN (
        SELECT merchant_id, payout_id, count(*) AS events, min(sequence) AS first,
          max(sequence) AS last
        FROM events WHERE payout_id IS NOT NULL GROUP BY merchant_id, payout_id
      ) e ON e.merchant_id = p.merchant_id AND e.payout_id = p.id
      LEFT JOIN events l
        ON l.merchant_id = p.merchant_id AND l.payout_id = p.id AND l.sequence = e.last
      WHERE CASE WHEN p.status = 'draft' OR p.refund_id IS NOT NULL THEN e.events IS NOT NULL
        ELSE coalesce(e.first, 0) <> 1 OR e.events <> e.last
          OR (l.data ->> 'status', l.data ->> 'amount', l.data ->> 'holder', l.data ->> 'iban')
            IS DISTINCT FROM (p.status, p.amount::text, p.holder, p.iban) END`,
  },
];
