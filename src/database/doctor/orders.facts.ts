import { differsFrom } from '../entity-sql.js';
import { ERASED_ORDER, Order } from '../orders/order.entity.js';
import type { Fact } from './fact.js';
import { IS_SEED } from './sql.js';

export const ORDER_FACTS: readonly Fact[] = [
  {
    name: 'order-values',
    description: 'Every order has an amount within range, a currency and a valid status.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s %s %s, received %s, refunded %s, fee %s', status, amount, currency,
          amount_received, amount_refunded, fee) AS detail
      FROM orders
      WHERE amount NOT BETWEEN 1 AND 99999999999 OR currency !~ '^[A-Z]{3}$'
        OR status NOT IN ('open', 'processing', 'paid', 'failed', 'cancelled', 'expired')
        OR amount_received < 0 OR amount_charged_back < 0
        OR amount_refunded NOT BETWEEN 0 AND amount_received + amount_charged_back OR fee NOT BETWEEN 0 AND amount`,
  },
  {
    name: 'order-merchant',
    description: 'Every order has a merchant.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        'its merchant does not exist' AS detail
      FROM orders o LEFT JOIN merchants m ON m.id = o.merchant_id WHERE m.id IS NULL`,
  },
  {
    name: 'order-times',
    description:
      'Exactly the paid orders have a payment time, and no time of an order precedes its creation.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s, created %s, paid %s, updated %s, expires %s', status, created_at, paid_at, updated_at,
          expires_at) AS detail
      FROM orders
      WHERE (status = 'paid') <> (paid_at IS NOT NULL) OR paid_at < created_at
        OR updated_at < created_at OR expires_at <= created_at`,
  },
  {
    name: 'order-id-once',
    description:
      'A merchant’s order id belongs to one order, and can be reused only after that order ended unpaid.',
    sql: `SELECT merchant_id AS "merchantId", 'order id ' || order_merchant_id AS subject,
        format('%s orders in %s mode have it', count(*), mode) AS detail
      FROM orders WHERE holds_merchant_id
      GROUP BY merchant_id, mode, order_merchant_id HAVING count(*) > 1
      UNION ALL
      SELECT merchant_id, 'order ' || txid, format('released its id, but is %s', status)
      FROM orders WHERE NOT holds_merchant_id AND status NOT IN ('failed', 'cancelled', 'expired')
      UNION ALL
      SELECT merchant_id, 'order ' || txid, format('%s without money, but has not released its id', status)
      FROM orders WHERE holds_merchant_id AND status IN ('failed', 'cancelled', 'expired')
        AND amount_received = 0 AND exception <> 'wrong_currency'`,
  },
  {
    name: 'order-covered',
    description:
      'A paid order received at least its amount, before bank returns; an order that waits received less.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s, %s of %s %s', status, amount_received, amount, currency) AS detail
      FROM orders
      WHERE status = 'paid'
        AND amount_received + amount_charged_back < amount
        OR status IN ('open', 'processing') AND amount_received >= amount`,
  },
  {
    name: 'order-exception',
    description:
      'Money that does not match the order’s amount or status is recorded as an exception.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s, %s of %s %s', status, amount_received, amount, currency) AS detail
      FROM orders
      WHERE amount_received > 0 AND exception = 'none'
        AND (status <> 'paid' OR amount_received - amount_refunded > amount)`,
  },
  {
    name: 'order-received',
    description: 'The received amount of an order is the sum of its payments less returns.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('%s received, payments of %s, %s returned', o.amount_received,
          coalesce(p.amount, 0), coalesce(t.amount, 0)) AS detail
      FROM orders o LEFT JOIN (
        SELECT merchant_id, txid, received_currency AS currency, sum(amount_received) AS amount
        FROM payments WHERE amount_received IS NOT NULL
        GROUP BY merchant_id, txid, received_currency
      ) p ON p.merchant_id = o.merchant_id AND p.txid = o.txid AND p.currency = o.currency
      LEFT JOIN (
        SELECT merchant_id, txid, currency,
          sum(CASE kind WHEN 'return_undone' THEN -amount ELSE amount END) AS amount
        FROM transfers WHERE kind IN ('charge_back', 'unallocated_back', 'return_undone') GROUP BY merchant_id, txid, currency
      ) t ON t.merchant_id = o.merchant_id AND t.txid = o.txid AND t.currency = o.currency
      WHERE o.amount_received <> coalesce(p.amount, 0) - coalesce(t.amount, 0)`,
  },
  {
    name: 'order-share-not-below-zero',
    description: 'Banks took no more from a merchant than its share of an order.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject, format('%s %s', amount, currency) AS detail
      FROM (
        SELECT merchant_id, txid, currency,
          sum(CASE WHEN credit = 'available' THEN amount ELSE -amount END) AS amount
        FROM transfers WHERE kind IN ('payment', 'allocation', 'charge_back', 'deallocation')
        GROUP BY merchant_id, txid, currency
      ) t WHERE amount < 0`,
  },
  {
    name: 'order-completed',
    description:
      'Exactly one payment completed each paid order, the one that the order names; other orders have none.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('%s, names %s, completed by %s', o.status, o.payment_id, p.id) AS detail
      FROM orders o
      LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.txid = o.txid AND p.completes_order
      WHERE o.status = 'paid' AND p.id IS NULL AND o.status_reason IS DISTINCT FROM 'manual'
        OR p.id IS NOT NULL AND (o.status <> 'paid' OR p.id IS DISTINCT FROM o.payment_id)`,
  },
  {
    name: 'order-payment',
    description:
      'The payment that an order names is its own, and pending while the order is processing.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('%s, payment %s is %s', o.status, o.payment_id, coalesce(p.status, 'missing'))
          AS detail
      FROM orders o LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
      WHERE o.payment_id IS NOT NULL AND p.txid IS DISTINCT FROM o.txid
        OR o.status = 'processing' AND p.status IS DISTINCT FROM 'pending'`,
  },
  {
    name: 'order-awaited',
    description:
      'Every pending payment of a processing order has a scheduled status poll, or a last day for its transfer.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('waits for the payment %s, which is not polled', p.id) AS detail
      FROM orders o JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
      LEFT JOIN transfer_references t ON t.merchant_id = o.merchant_id AND t.txid = o.txid
        AND o.status_reason = 'awaiting_transfer' AND p.provider = 'bank_transfer'
      WHERE o.status = 'processing' AND p.status = 'pending'
        AND p.next_poll_at IS NULL AND t.waits_until IS NULL
        AND NOT ${IS_SEED}`,
  },
  {
    name: 'order-erased',
    description: 'An erased order and its payments have no personal data.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('erased %s, but has customer data', erased_at) AS detail
      FROM orders WHERE erased_at IS NOT NULL AND (${differsFrom(Order, ERASED_ORDER)})
      UNION ALL
      SELECT o.merchant_id, 'order ' || o.txid,
        format('erased %s, but the payment %s has payer data', o.erased_at, p.id)
      FROM orders o JOIN payments p ON p.merchant_id = o.merchant_id AND p.txid = o.txid
      WHERE o.erased_at IS NOT NULL
        AND num_nonnulls(p.payer_account_number, p.payer_account_name) > 0`,
  },
  {
    name: 'order-fields',
    description: 'The search index of optional fields matches the orders’ fields.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        CASE WHEN found.is_there THEN 'indexed by a field that it does not have'
          ELSE 'not indexed by a field that it has' END AS detail
      FROM (
        SELECT o.merchant_id, o.mode, f.key AS name, f.value, o.created_at, o.txid, true AS is_there
        FROM orders o CROSS JOIN LATERAL json_each_text(o.optional_fields) f
      ) had
      FULL JOIN (SELECT *, true AS is_there FROM order_fields) found
        USING (merchant_id, mode, name, value, created_at, txid)
      WHERE had.is_there IS NULL OR found.is_there IS NULL`,
  },
  {
    name: 'idempotency-once',
    description: 'An idempotency key is stored once per merchant, mode and route.',
    sql: `SELECT merchant_id AS "merchantId", route || ' in ' || mode || ' mode' AS subject,
        format('%s records of one key, of %s orders', count(*), count(DISTINCT txid)) AS detail
      FROM idempotency_records GROUP BY merchant_id, mode, route, key HAVING count(*) > 1`,
  },
  {
    name: 'idempotency-order',
    description: 'An idempotency key refers to an order of the same merchant and mode.',
    sql: `SELECT i.merchant_id AS "merchantId", 'order ' || i.txid AS subject,
        format('%s order, key used in %s mode', coalesce(o.mode, 'no'), i.mode) AS detail
      FROM idempotency_records i
      LEFT JOIN orders o ON o.merchant_id = i.merchant_id AND o.txid = i.txid
      WHERE o.mode IS DISTINCT FROM i.mode`,
  },
];

/** Allowed status transitions of an order, besides no change. */
export const ORDER_MOVES: readonly (readonly [from: string, to: string])[] = [
  ['open', 'processing'],
  ['open', 'paid'],
  ['open', 'cancelled'],
  ['open', 'expired'],
  ['processing', 'open'],
  ['processing', 'paid'],
  ['processing', 'failed'],
  ['processing', 'cancelled'],
  ['processing', 'expired'],
  ['failed', 'paid'],
  ['cancelled', 'paid'],
  ['expired', 'paid'],
  // Only when a match is undone.
  ['paid', 'open'],
  ['paid', 'processing'],
  ['paid', 'failed'],
  ['paid', 'cancelled'],
  ['paid', 'expired'],
];

const MOVES = ORDER_MOVES.map(([from, to]) => `('${from}', '${to}')`).join(', ');

/** Checks of order events. Demo orders have no creation event: their sequence starts at 2. */
export const ORDER_EVENT_FACTS: readonly Fact[] = [
  {
    name: 'order-events',
    description: 'Every order has events from 1 to its version without gaps.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('version %s, %s events from %s to %s', o.version, coalesce(e.events, 0), e.first,
          e.last) AS detail
      FROM orders o LEFT JOIN (
        SELECT merchant_id, txid, count(*) AS events, min(sequence) AS first, max(sequence) AS last
        FROM events WHERE txid IS NOT NULL GROUP BY merchant_id, txid
      ) e ON e.merchant_id = o.merchant_id AND e.txid = o.txid
      CROSS JOIN LATERAL (
        SELECT (coalesce(e.first, 2) = 2 AND ${IS_SEED})::integer AS missing
      ) seed
      WHERE coalesce(e.events, 0) <> o.version - seed.missing
        OR e.first <> 1 + seed.missing OR e.last <> o.version`,
  },
  {
    name: 'event-order',
    description: 'An event of an order has the order’s merchant and mode.',
    sql: `SELECT e.merchant_id AS "merchantId", 'event ' || e.id AS subject,
        format('%s order %s, event in %s mode', coalesce(o.mode, 'no'), e.txid, e.mode) AS detail
      FROM events e LEFT JOIN orders o ON o.merchant_id = e.merchant_id AND o.txid = e.txid
      WHERE e.txid IS NOT NULL AND o.mode IS DISTINCT FROM e.mode`,
  },
  {
    name: 'order-last-event',
    description: 'The last event of an order has the order’s current state.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('%s, %s, %s received, %s refunded; event %s has %s', o.status, o.exception,
          o.amount_received, o.amount_refunded, e.sequence, e.data - 'payment') AS detail
      FROM orders o JOIN events e
        ON e.merchant_id = o.merchant_id AND e.txid = o.txid AND e.sequence = o.version
      WHERE e.data ->> 'status' IS DISTINCT FROM o.status
        OR coalesce(e.data ->> 'exception', 'none') <> o.exception
        OR coalesce((e.data ->> 'amountReceived')::bigint, 0) <> o.amount_received
        OR coalesce((e.data ->> 'amountChargedBack')::bigint, 0) <> o.amount_charged_back
        OR coalesce((e.data ->> 'amountRefunded')::bigint, 0) <> o.amount_refunded
        OR coalesce((e.data ->> 'amountRefundPending')::bigint, 0) <> o.amount_refund_pending
        OR coalesce((e.data ->> 'amount')::bigint, o.original_amount, o.amount) <> o.amount`,
  },
  {
    name: 'order-event-chain',
    description:
      'Each status change of an order starts at the previous status, and is an allowed transition.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('event %s changes from %s to %s, after %s', sequence, origin, status, before) AS detail
      FROM (
        SELECT merchant_id, txid, sequence, data ->> 'from' AS origin, data ->> 'status' AS status,
          lag(data ->> 'status') OVER history AS before, lag(data ->> 'from') OVER history AS beside
        FROM events WHERE txid IS NOT NULL
        WINDOW history AS (PARTITION BY merchant_id, txid ORDER BY sequence)
      ) e
      WHERE CASE
        WHEN sequence = 1 THEN origin IS NOT NULL OR status IS DISTINCT FROM 'open'
        WHEN before IS NOT NULL AND origin IS DISTINCT FROM before
          -- Two events of one change have the same statuses.
          AND (origin IS DISTINCT FROM beside OR status IS DISTINCT FROM before) THEN true
        ELSE origin IS DISTINCT FROM status AND (origin, status) NOT IN (${MOVES})
      END`,
  },
  {
    name: 'order-paid-event',
    description:
      'Every paid order has one `order.paid` event, plus one for each time its payment was undone; other orders have as many as were undone.',
    sql: `SELECT o.merchant_id AS "merchantId", 'order ' || o.txid AS subject,
        format('%s, %s events to paid, %s events from paid', o.status,
          coalesce(e.paid, 0), coalesce(e.unpaid, 0)) AS detail
      FROM orders o LEFT JOIN (
        SELECT merchant_id, txid, count(*) FILTER (WHERE type = 'order.paid') AS paid,
          count(*) FILTER (WHERE type <> 'order.paid') AS unpaid
        FROM events
        WHERE txid IS NOT NULL AND (type = 'order.paid' OR type <> 'order.exception'
          AND data ->> 'from' = 'paid' AND data ->> 'status' <> 'paid')
        GROUP BY merchant_id, txid
      ) e ON e.merchant_id = o.merchant_id AND e.txid = o.txid
      WHERE coalesce(e.paid - e.unpaid, 0) <> (o.status = 'paid')::integer
        AND (e.paid IS NOT NULL OR NOT ${IS_SEED})`,
  },
];
