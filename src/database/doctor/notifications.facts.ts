import { LONGEST_RETRY } from '../due.js';
import { hasField, ordersIn } from '../notifications/delivery.statements.js';
import type { Fact } from './fact.js';

/**
 * Deliveries are expected for endpoints and recipients that were unchanged for `SUBSCRIBED`, and for events within the
 * retention of deliveries; the last day of it may be being deleted.
 */
const SUBSCRIBED = `interval '5 minutes'`;
const LOGGED = `interval '59 days'`;

/** Attempts after which a webhook delivery fails permanently. */
export const WEBHOOK_ATTEMPTS = 10;

export const NOTIFICATION_FACTS: readonly Fact[] = [
  {
    name: 'event-subject',
    description: 'An event is about an order or a payout of its own merchant and mode.',
    sql: `SELECT e.merchant_id AS "merchantId", 'event ' || e.id AS subject,
        format('%s in %s mode about order %s, payout %s', e.type, e.mode, e.txid, e.payout_id)
          AS detail
      FROM events e
      LEFT JOIN orders o ON o.merchant_id = e.merchant_id AND o.txid = e.txid
      LEFT JOIN payouts p ON p.merchant_id = e.merchant_id AND p.id = e.payout_id
      WHERE e.mode IS DISTINCT FROM coalesce(o.mode, p.mode)
        OR (e.txid IS NULL) = (e.payout_id IS NULL)
        OR (e.type LIKE 'payout.%') <> (e.payout_id IS NOT NULL)`,
  },
  {
    name: 'event-feed',
    description: 'The positions in a merchant’s event feed have no gaps.',
    sql: `SELECT merchant_id AS "merchantId", 'feed in ' || mode || ' mode' AS subject,
        format('%s events up to position %s, the feed ends at %s', coalesce(e.events, 0), e.last,
          f.last_position) AS detail
      FROM event_feeds f FULL JOIN (
        SELECT merchant_id, mode, count(*) AS events, max(position) AS last FROM events
        WHERE position IS NOT NULL GROUP BY merchant_id, mode
      ) e USING (merchant_id, mode)
      WHERE coalesce(e.events, 0) <> coalesce(f.last_position, 0)
        OR coalesce(e.last, 0) <> coalesce(f.last_position, 0)`,
  },
  {
    name: 'webhook-queued',
    description:
      'Every event was queued for each endpoint that subscribed to it and may receive it.',
    sql: `SELECT e.merchant_id AS "merchantId", 'event ' || e.id AS subject,
        format('%s, never queued for the endpoint %s', e.type, t.id) AS detail
      FROM events e
      JOIN webhook_endpoints t ON t.merchant_id = e.merchant_id AND t.mode = e.mode AND t.enabled
        AND t.deleted_at IS NULL AND (t.event_types = '{}' OR e.type = ANY (t.event_types))
        AND (t.sees_payouts OR e.type NOT LIKE 'payout.%')
        AND (t.field_key IS NULL OR ${hasField('e', 't.field_key', 't.field_value', ordersIn('orders'))}
          AND e.sequence >= (SELECT coalesce(max(u.sequence), 0) FROM events u
            WHERE u.merchant_id = e.merchant_id AND u.txid = e.txid AND u.type = 'order.updated'))
      LEFT JOIN deliveries d ON d.merchant_id = e.merchant_id AND d.endpoint_id = t.id
        AND d.event_id = e.id AND NOT d.resent
      WHERE d.id IS NULL AND t.updated_at < e.created_at - ${SUBSCRIBED}
        AND e.created_at > (SELECT now FROM clock) - ${LOGGED}`,
  },
  {
    name: 'mail-queued',
    description:
      'A mail about every paid order was queued for each recipient that subscribed to it.',
    sql: `SELECT e.merchant_id AS "merchantId", 'order ' || e.txid AS subject,
        format('paid, no mail to the recipient %s', t.id) AS detail
      FROM events e
      JOIN orders o ON o.merchant_id = e.merchant_id AND o.txid = e.txid
      JOIN notification_recipients t ON t.merchant_id = e.merchant_id AND t.mode = e.mode
        AND t.confirmed_at IS NOT NULL AND t.unsubscribed_at IS NULL AND t.deleted_at IS NULL
        AND o.amount >= coalesce(t.minimum_amount, 0)
      LEFT JOIN deliveries d ON d.merchant_id = e.merchant_id AND d.recipient_id = t.id
        AND d.event_id = e.id AND NOT d.resent
      WHERE e.type = 'order.paid' AND d.id IS NULL AND t.updated_at < e.created_at - ${SUBSCRIBED}
        AND e.created_at > (SELECT now FROM clock) - ${LOGGED}`,
  },
  {
    name: 'delivery-once',
    description: 'An event is delivered once to each endpoint and recipient, unless it was resent.',
    sql: `SELECT merchant_id AS "merchantId", 'event ' || event_id AS subject,
        format('%s deliveries to %s', count(*), coalesce(endpoint_id, recipient_id)) AS detail
      FROM deliveries WHERE event_id IS NOT NULL AND NOT resent
      GROUP BY merchant_id, event_id, endpoint_id, recipient_id HAVING count(*) > 1`,
  },
  {
    name: 'delivery-event',
    description: 'A delivery has the type, mode, order and sequence of its event.',
    sql: `SELECT d.merchant_id AS "merchantId", 'delivery ' || d.id AS subject,
        format('%s of order %s, %s in %s mode; its event is %s of order %s, %s in %s mode', d.type,
          d.txid, d.sequence, d.mode, e.type, e.txid, e.sequence, coalesce(e.mode, 'no')) AS detail
      FROM deliveries d LEFT JOIN events e ON e.merchant_id = d.merchant_id AND e.id = d.event_id
      WHERE d.event_id IS NOT NULL AND (e.type, e.mode, e.sequence, e.txid)
        IS DISTINCT FROM (d.type, d.mode, d.sequence, d.txid)`,
  },
  {
    name: 'delivery-target',
    description: 'A delivery has exactly one endpoint or recipient, of its own merchant and mode.',
    sql: `SELECT d.merchant_id AS "merchantId", 'delivery ' || d.id AS subject,
        format('in %s mode, to the endpoint %s, the recipient %s', d.mode, d.endpoint_id,
          d.recipient_id) AS detail
      FROM deliveries d
      LEFT JOIN webhook_endpoints w ON w.merchant_id = d.merchant_id AND w.id = d.endpoint_id
      LEFT JOIN notification_recipients r ON r.merchant_id = d.merchant_id AND r.id = d.recipient_id
      WHERE d.mode IS DISTINCT FROM coalesce(w.mode, r.mode)
        OR (d.endpoint_id IS NULL) = (d.recipient_id IS NULL)`,
  },
  {
    name: 'delivery-attempts',
    description:
      'The attempt count of a delivery equals its logged attempts, and exactly the delivered ones have a successful attempt.',
    sql: `SELECT d.merchant_id AS "merchantId", 'delivery ' || d.id AS subject,
        format('%s, %s attempts; %s logged, the last %s, %s succeeded', d.status, d.attempts,
          coalesce(a.attempts, 0), a.last, coalesce(a.good, 0)) AS detail
      FROM deliveries d LEFT JOIN (
        SELECT merchant_id, delivery_id, count(*) AS attempts, max(number) AS last,
          count(*) FILTER (WHERE succeeded) AS good
        FROM delivery_attempts GROUP BY merchant_id, delivery_id
      ) a ON a.merchant_id = d.merchant_id AND a.delivery_id = d.id
      WHERE coalesce(a.attempts, 0) <> d.attempts OR a.last <> d.attempts
        OR coalesce(a.good, 0) <> (d.status = 'delivered')::integer`,
  },
  {
    name: 'delivery-end',
    description:
      'Exactly the pending deliveries have a next attempt, and none fails before all attempts are made.',
    sql: `SELECT merchant_id AS "merchantId", 'delivery ' || id AS subject,
        format('%s after %s attempts, next %s, ended %s', status, attempts, next_attempt_at,
          completed_at) AS detail
      FROM deliveries
      WHERE (status = 'pending') <> (next_attempt_at IS NOT NULL)
        OR (status = 'pending') <> (completed_at IS NULL)
        OR status = 'failed' AND endpoint_id IS NOT NULL AND event_id IS NOT NULL
          AND attempts < ${WEBHOOK_ATTEMPTS}`,
  },
  {
    name: 'delivery-ahead',
    description: 'No delivery waits longer than the longest retry delay.',
    sql: `SELECT merchant_id AS "merchantId", 'delivery ' || id AS subject,
        format('%s, next attempt %s', type, next_attempt_at) AS detail
      FROM deliveries
      WHERE status = 'pending' AND next_attempt_at > now() + interval '${LONGEST_RETRY}'`,
  },
];
