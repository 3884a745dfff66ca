import type { Statement } from '../database.js';
import { dueBy, LEASE } from '../due.js';
import { columnsOf } from '../rows.js';

const CLAIMED = columnsOf('d', [
  'merchant_id',
  'id',
  'mode',
  'type',
  'event_id',
  'txid',
  'endpoint_id',
  'recipient_id',
  'data',
  'attempts',
  'next_attempt_at',
  'created_at',
]);

/** Endpoints with something to deliver, found by hopping from one to the next in the index. */
const WAITING = `
  waiting AS (
    (SELECT merchant_id, endpoint_id FROM deliveries
     WHERE endpoint_id IS NOT NULL AND status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT next.merchant_id, next.endpoint_id FROM waiting CROSS JOIN LATERAL (
      SELECT merchant_id, endpoint_id FROM deliveries
      WHERE endpoint_id > waiting.endpoint_id AND status = 'pending'
      ORDER BY endpoint_id LIMIT 1) next
  )`;

/** Those of them that have a slot left, in an order that favours none. */
const TARGETS = `
  targets AS (
    SELECT e.id, f.is_failing, f.free,
      row_number() OVER (PARTITION BY f.is_failing ORDER BY random()) AS turn
    FROM waiting w
    JOIN webhook_endpoints e ON e.merchant_id = w.merchant_id AND e.id = w.endpoint_id
    LEFT JOIN unnest($5::uuid[], $6::integer[]) AS busy (id, slots) ON busy.id = e.id
    LEFT JOIN unnest($8::uuid[], $9::integer[]) AS faster (id, slots) ON faster.id = e.id
    CROSS JOIN LATERAL (SELECT e.failing_since IS NOT NULL AS is_failing,
      CASE WHEN e.failing_since IS NULL THEN coalesce(faster.slots, $4::integer) ELSE 1 END
        - coalesce(busy.slots, 0) AS free) f
    WHERE (e.enabled OR e.deleted_at IS NOT NULL) AND f.free > 0
      AND EXISTS (SELECT FROM deliveries d
        WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= $1)
  )`;

/**
 * Due rows of an endpoint that one look reads: more than wait for what its places have under way,
 * and few enough that an endpoint for which a million wait costs others nothing.
 */
const FRONT = 200;

/**
 * A few of each endpoint's, so that none waits for another. An event is not tried before those
 * before it, of the same order, have been tried once: the first of them is taken in its place,
 * unless that stands before it anyway. What goes to a deleted endpoint is taken too, to be cancelled.
 */
export const CLAIM_WEBHOOKS: Statement = {
  name: 'deliveries_claim_webhooks',
  text: `WITH RECURSIVE ${WAITING}, ${TARGETS}, picked AS (
    SELECT d.merchant_id, d.id, t.is_failing, t.turn,
      row_number() OVER (PARTITION BY t.id ORDER BY d.stands_at) AS place
    FROM targets t CROSS JOIN LATERAL (
      SELECT d.merchant_id, d.id, front.next_attempt_at AS stands_at
      FROM (
        SELECT merchant_id, id, endpoint_id, txid, sequence, next_attempt_at FROM deliveries
        WHERE endpoint_id = t.id AND status = 'pending' AND next_attempt_at <= $1
        ORDER BY next_attempt_at LIMIT ${FRONT}
      ) front
      LEFT JOIN LATERAL (
        SELECT id, next_attempt_at FROM deliveries earlier
        WHERE earlier.endpoint_id = front.endpoint_id AND earlier.txid = front.txid
          AND earlier.sequence < front.sequence
          AND earlier.status = 'pending' AND earlier.attempts = 0
        ORDER BY earlier.sequence LIMIT 1
      ) first ON true
      JOIN deliveries d
        ON d.merchant_id = front.merchant_id AND d.id = coalesce(first.id, front.id)
      WHERE (first.id IS NULL OR first.next_attempt_at >= front.next_attempt_at)
        AND d.status = 'pending' AND d.next_attempt_at <= $1
      ORDER BY front.next_attempt_at LIMIT t.free FOR UPDATE OF d SKIP LOCKED
    ) d
    WHERE NOT t.is_failing OR t.turn <= $7
  ), held AS (
    SELECT p.*, coalesce(busy.slots, 0) +
      row_number() OVER (PARTITION BY p.merchant_id ORDER BY p.place, p.turn) AS held
    FROM picked p
    LEFT JOIN unnest($10::uuid[], $11::integer[]) AS busy (id, slots) ON busy.id = p.merchant_id
  ), due AS (SELECT * FROM held WHERE held <= $12 ORDER BY place, turn LIMIT $3)
  UPDATE deliveries d SET next_attempt_at = ${dueBy('$2', LEASE)} FROM due
  WHERE d.merchant_id = due.merchant_id AND d.id = due.id
  RETURNING ${CLAIMED}, due.is_failing AS "isFailing"`,
};

const MAIL_WAITS = `recipient_id IS NOT NULL AND status = 'pending'`;

/** Merchants, in each mode, with mails that wait: as for endpoints. */
const SENDERS = `
  senders AS (
    (SELECT merchant_id, mode FROM deliveries WHERE ${MAIL_WAITS}
     ORDER BY merchant_id, mode LIMIT 1)
    UNION ALL
    SELECT next.merchant_id, next.mode FROM senders s CROSS JOIN LATERAL (
      SELECT merchant_id, mode FROM deliveries
      WHERE ${MAIL_WAITS} AND (merchant_id, mode) > (s.merchant_id, s.mode)
      ORDER BY merchant_id, mode LIMIT 1) next
  )`;

/** A few of each sender's: thousands that one of them has waiting keep no other one's back. */
export const CLAIM_MAILS: Statement = {
  name: 'deliveries_claim_mails',
  text: `WITH RECURSIVE ${SENDERS}, picked AS (
    SELECT d.merchant_id, d.id, s.turn,
      row_number() OVER (PARTITION BY d.merchant_id, d.mode ORDER BY d.next_attempt_at) AS place
    FROM (SELECT merchant_id, mode, random() AS turn FROM senders) s CROSS JOIN LATERAL (
      SELECT merchant_id, mode, id, next_attempt_at FROM deliveries
      WHERE ${MAIL_WAITS} AND merchant_id = s.merchant_id AND mode = s.mode
        AND next_attempt_at <= $1
      ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ) d
  ), due AS (SELECT * FROM picked ORDER BY place, turn LIMIT $3)
  UPDATE deliveries d SET next_attempt_at = ${dueBy('$2', LEASE)} FROM due
  WHERE d.merchant_id = due.merchant_id AND d.id = due.id
  RETURNING ${CLAIMED}`,
};
