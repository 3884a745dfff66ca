import type { Fact } from './fact.js';

const PENDING = `r.status IN ('requested', 'approved', 'submitted')`;

/** Expected sum of a refund's transfers per account, by its status; `apart` = unallocated funds. */
const EXPECTED = `CASE WHEN ${PENDING} THEN r.amount ELSE 0 END AS pending,
  CASE WHEN ${PENDING} OR r.status = 'succeeded' THEN r.from_unallocated ELSE 0 END AS apart,
  CASE WHEN r.status = 'succeeded' THEN r.amount ELSE 0 END AS paid`;

const sumAt = (account: string, credit: string, debit: string): string =>
  `coalesce(sum(t.amount * ((${credit} ${account})::integer - (${debit} ${account})::integer)), 0)`;

const AWAITS_PAYER = `EXISTS (SELECT FROM refund_payees e
  WHERE e.merchant_id = r.merchant_id AND e.refund_id = r.id AND e.entered_at IS NULL)`;

/** Checks of refunds. */
export const REFUND_FACTS: readonly Fact[] = [
  {
    name: 'refund-booked',
    description:
      'The money of a refund is reserved while it is in progress, at the provider once it succeeded, and otherwise where it came from.',
    sql: `SELECT e.merchant_id AS "merchantId", 'refund ' || e.id AS subject,
        format('%s of %s: %s reserved, %s unallocated, %s at the provider', e.status, e.amount, b.pending, b.apart,
          b.paid) AS detail
      FROM (SELECT r.*, ${EXPECTED} FROM refunds r) e CROSS JOIN LATERAL (
        SELECT ${sumAt(`= 'refund_pending'`, 't.credit', 't.debit')} AS pending,
          ${sumAt(`= 'unallocated'`, 't.debit', 't.credit')} AS apart,
          ${sumAt(`LIKE 'clearing:%'`, 't.credit', 't.debit')} AS paid
        FROM transfers t WHERE t.merchant_id = e.merchant_id AND t.refund_id = e.id
      ) b WHERE (e.pending, e.apart, e.paid) IS DISTINCT FROM (b.pending, b.apart, b.paid)`,
  },
  {
    name: 'refund-transfer',
    description:
      'A ledger transfer of a refund has the refund’s order, payment, mode and currency.',
    sql: `SELECT t.merchant_id AS "merchantId", 'transfer ' || t.id AS subject,
        format('refund %s of order %s', t.refund_id, r.txid) AS detail
      FROM transfers t LEFT JOIN refunds r ON r.merchant_id = t.merchant_id AND r.id = t.refund_id
      WHERE t.refund_id IS NOT NULL AND (t.txid, t.payment_id, t.mode, t.currency)
        IS DISTINCT FROM (r.txid, r.payment_id, r.mode, r.currency)`,
  },
  {
    name: 'refund-once',
    description: 'Each step of a refund is booked once.',
    sql: `SELECT merchant_id AS "merchantId", 'refund ' || refund_id AS subject,
        format('%s transfers %s from %s to %s', count(*), kind, debit, credit) AS detail
      FROM transfers WHERE refund_id IS NOT NULL
      GROUP BY merchant_id, refund_id, kind, debit, credit HAVING count(*) > 1`,
  },
  {
    name: 'refund-of-payment',
    description: 'Refunds of a payment do not exceed what it brought in.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payment ' || p.id AS subject,
        format('%s received, refunds of %s', p.amount_received, r.amount) AS detail
      FROM (
        SELECT merchant_id, payment_id AS id, sum(amount) AS amount FROM refunds r
        WHERE ${PENDING} OR r.status = 'succeeded' GROUP BY merchant_id, payment_id
      ) r JOIN payments p USING (merchant_id, id) WHERE r.amount > coalesce(p.amount_received, 0)`,
  },
  {
    name: 'order-refund-pending',
    description: 'The pending refund amount of an order is the sum of its refunds in progress.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('%s pending, refunds of %s in progress', o.amount_refund_pending, coalesce(r.amount, 0)) AS detail
      FROM orders o FULL JOIN (
        SELECT merchant_id, txid, sum(amount) AS amount FROM refunds r WHERE ${PENDING}
        GROUP BY merchant_id, txid
      ) r USING (merchant_id, txid)
      WHERE coalesce(o.amount_refund_pending, 0) <> coalesce(r.amount, 0)`,
  },
  {
    name: 'refund-waits',
    description:
      'Every refund that a provider makes or is about to make has a time for its next call, and one that waits for its payer a last time.',
    sql: `SELECT merchant_id AS "merchantId", 'refund ' || id AS subject,
        format('%s since %s without a next call', status, updated_at) AS detail
      FROM refunds r
      WHERE (method = 'provider' AND status IN ('approved', 'submitted') OR ${AWAITS_PAYER} AND status = 'requested')
        <> (next_attempt_at IS NOT NULL)`,
  },
  {
    name: 'refund-payout',
    description:
      'Every refund by bank whose payer is known has a payout of its amount in a matching state, and no other refund has one.',
    sql: `SELECT coalesce(r.merchant_id, p.merchant_id) AS "merchantId", 'refund ' || coalesce(r.id, p.id) AS subject,
        format('%s by %s; payout %s of %s %s', r.status, r.method, p.status, p.amount, p.currency) AS detail
      FROM (SELECT * FROM refunds r WHERE method = 'bank'
        AND NOT (${AWAITS_PAYER} AND status IN ('requested', 'cancelled'))) r
      FULL JOIN (SELECT * FROM payouts WHERE refund_id IS NOT NULL) p
        ON p.merchant_id = r.merchant_id AND p.refund_id = r.id
      WHERE (r.mode, r.currency, r.amount, r.requested_by) IS DISTINCT FROM (p.mode, p.currency, p.amount, p.requested_by)
        OR p.status <> ALL (CASE r.status WHEN 'requested' THEN ARRAY['pending_approval']
          -- A payout whose downloaded file was not sent needs a new approval.
          WHEN 'approved' THEN ARRAY['approved', 'exported', 'pending_approval'] WHEN 'submitted' THEN ARRAY['submitted']
          WHEN 'succeeded' THEN ARRAY['paid'] WHEN 'failed' THEN ARRAY['failed', 'returned']
          WHEN 'rejected' THEN ARRAY['rejected'] ELSE ARRAY['cancelled', 'rejected'] END)`,
  },
  {
    name: 'refund-payee',
    description:
      'A refund by bank that can still be sent goes to the account from which its payment came, according to the bank, or to the one that the payer entered.',
    sql: `SELECT merchant_id AS "merchantId", 'refund ' || refund_id AS subject, status || ' to ' || iban AS detail
      FROM payouts p WHERE refund_id IS NOT NULL AND status IN ('pending_approval', 'approved', 'exported')
        AND NOT goes_back_to_payer(merchant_id, id)`,
  },
];
