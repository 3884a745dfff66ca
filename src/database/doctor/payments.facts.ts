import type { Fact } from './fact.js';

/** The bank of `seed.statements.ts` knows nothing of the payments that were invented there. */
const IS_INVENTED = `coalesce(p.provider_reference, '') LIKE 'seed-%'`;

export const PAYMENT_FACTS: readonly Fact[] = [
  {
    name: 'payment-money',
    says: 'A payment is in the currency of its order, brings money in it when it succeeds, and fails with money only when that is in another currency or was not the order’s.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payment ' || p.id AS subject,
        format('%s %s for order %s in %s: %s %s arrived', p.status, p.currency, p.txid,
          coalesce(o.currency, 'nothing, as it is not there'), coalesce(p.amount_received, 0),
          p.received_currency) AS detail
      FROM payments p LEFT JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid
      WHERE o.txid IS NULL OR p.currency <> o.currency
        OR (p.amount_received IS NULL) <> (p.received_currency IS NULL)
        OR p.status = 'succeeded'
          AND (coalesce(p.amount_received, 0) <= 0 OR p.received_currency <> o.currency)
        OR p.status <> 'succeeded' AND p.amount_received IS NOT NULL
          AND (p.received_currency = o.currency) IS DISTINCT FROM
            CASE p.error_code WHEN 'wrong_currency' THEN false WHEN 'match_undone' THEN true END`,
  },
  {
    name: 'payment-reference-once',
    says: 'What a provider knows under one reference is one payment.',
    sql: `SELECT merchant_id AS "merchantId", provider || ' ' || provider_reference AS subject,
        format('%s payments', count(*)) AS detail
      FROM payments WHERE provider_reference IS NOT NULL
      GROUP BY merchant_id, provider, provider_reference HAVING count(*) > 1`,
  },
  {
    name: 'payment-live-once',
    says: 'At most one payment of an order is under way.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s payments are pending', count(*)) AS detail
      FROM payments WHERE status = 'pending' GROUP BY merchant_id, txid HAVING count(*) > 1`,
  },
  {
    name: 'sandbox-mode',
    says: 'The sandbox bank, which moves no money, pays nothing but test orders.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payment ' || p.id AS subject,
        format('%s, for the %s order %s', p.status, o.mode, p.txid) AS detail
      FROM payments p JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid
      WHERE p.provider = 'sandbox' AND o.mode <> 'test'`,
  },
  {
    name: 'sandbox-money',
    says: 'Money from the sandbox bank stands in the bank’s own book, or in a message that the bank has signed.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payment ' || p.id AS subject,
        format('%s %s arrived', p.amount_received, p.received_currency) AS detail
      FROM payments p
      LEFT JOIN sandbox_transactions b ON b.merchant_id = p.merchant_id AND b.payment_id = p.id
        AND b.outcome = 'paid' AND coalesce(b.paid_amount, b.amount) = p.amount_received
        AND coalesce(b.paid_currency, b.currency) = p.received_currency
      LEFT JOIN (
        SELECT DISTINCT merchant_id, payment_id,
          (report -> 'outcome' ->> 'amount')::bigint AS amount,
          report -> 'outcome' ->> 'currency' AS currency
        FROM provider_events WHERE provider = 'sandbox' AND result = 'applied'
          AND report -> 'outcome' ->> 'kind' = 'accepted'
      ) e ON e.merchant_id = p.merchant_id AND e.payment_id = p.id
        AND e.amount = p.amount_received AND e.currency = p.received_currency
      WHERE p.provider = 'sandbox' AND p.amount_received IS NOT NULL AND NOT ${IS_INVENTED}
        AND b.payment_id IS NULL AND e.payment_id IS NULL`,
  },
  {
    name: 'provider-event-once',
    says: 'A message of a provider counts once.',
    sql: `SELECT merchant_id AS "merchantId", provider || ' ' || provider_event_id AS subject,
        format('%s messages', count(*)) AS detail
      FROM provider_events GROUP BY merchant_id, provider, provider_event_id HAVING count(*) > 1`,
  },
  {
    name: 'provider-event-handled',
    says: 'What a provider says it was paid is applied, and a person has dealt with all that contradicts it or cannot be read.',
    sql: `SELECT merchant_id AS "merchantId", 'provider event ' || id AS subject,
        format('%s message about the payment %s, received %s: %s', provider,
          coalesce(payment_id::text, 'that nobody can read'), received_at, coalesce(result, 'there is no such payment')) AS detail
      FROM provider_events
      WHERE handled_at IS NULL AND (result = 'mismatch'
        OR result IS NULL AND report -> 'outcome' ->> 'kind' = 'accepted'
          AND received_at < (SELECT now FROM clock) - interval '24 hours')`,
  },
  {
    name: 'provider-event-booked',
    says: 'Of what a provider says a payment brought in all, nothing is missing in the ledger.',
    sql: `SELECT e.merchant_id AS "merchantId", 'provider event ' || e.id AS subject,
        format('%s says %s %s of the payment %s, the ledger has %s: ask it to send the message again',
          e.provider, e.said, e.currency, e.payment_id, coalesce(t.amount, 0)) AS detail
      FROM (
        SELECT merchant_id, id, provider, payment_id,
          (report -> 'outcome' ->> 'amount')::bigint AS said,
          report -> 'outcome' ->> 'currency' AS currency
        FROM provider_events
        WHERE result IN ('applied', 'ignored') AND report -> 'outcome' ->> 'kind' = 'accepted'
      ) e LEFT JOIN (
        SELECT merchant_id, payment_id, currency, sum(amount) AS amount FROM transfers
        WHERE kind IN ('payment', 'unallocated') GROUP BY merchant_id, payment_id, currency
      ) t ON t.merchant_id = e.merchant_id AND t.payment_id = e.payment_id
        AND t.currency = e.currency
      WHERE e.said > coalesce(t.amount, 0)`,
  },
  {
    name: 'provider-event-mode',
    says: 'What came through an account in one mode settles orders of that mode alone.',
    sql: `SELECT e.merchant_id AS "merchantId", 'provider event ' || e.id AS subject,
        format('%s message through an account in %s mode, %s, about a %s order', e.provider, e.mode,
          e.result, o.mode) AS detail
      FROM provider_events e
      JOIN payments p ON p.merchant_id = e.merchant_id AND p.id = e.payment_id
      JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid
      WHERE e.result = 'applied' AND e.mode <> o.mode`,
  },
  {
    name: 'provider-event-account',
    says: 'A message came through an account of its own merchant, at its own provider and in its own mode.',
    sql: `SELECT e.merchant_id AS "merchantId", 'provider event ' || e.id AS subject,
        format('%s message in %s mode through the %s account %s in %s mode of merchant %s',
          e.provider, e.mode, a.provider, a.id, a.mode, a.merchant_id) AS detail
      FROM provider_events e JOIN provider_accounts a ON a.id = e.account_id
      WHERE (e.merchant_id, e.provider, e.mode)
        IS DISTINCT FROM (a.merchant_id, a.provider, a.mode)`,
  },
  {
    name: 'provider-event-payment',
    says: 'A message that was applied is about a payment of its provider, and says what became of it.',
    sql: `SELECT e.merchant_id AS "merchantId", 'provider event ' || e.id AS subject,
        format('%s message, %s, about the payment %s at %s', e.provider, e.result, e.payment_id,
          coalesce(p.provider, 'nobody')) AS detail
      FROM provider_events e
      LEFT JOIN payments p ON p.merchant_id = e.merchant_id AND p.id = e.payment_id
      WHERE (e.applied_at IS NULL) <> (e.result IS NULL)
        OR e.result = 'applied' AND p.provider IS DISTINCT FROM e.provider`,
  },
];
