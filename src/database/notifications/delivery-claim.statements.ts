import type { Statement } from '../database.js';
import { dueBy, LEASE } from '../due.js';
import { columnsOf } from '../entity-sql.js';
import { Delivery } from './delivery.entity.js';

/** Columns of a claimed delivery. */
export const CLAIMED = [
  'merchantId',
  'id',
  'mode',
  'type',
  'eventId',
  'txid',
  'sequence',
  'endpointId',
  'recipientId',
  'data',
  'attempts',
  'extraAttempts',
  'scheduledAt',
  'nextAttemptAt',
  'createdAt',
] as const;

const COLUMNS = columnsOf('d', Delivery, CLAIMED);

/** Endpoints with pending deliveries, by a loose index scan. */
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

/**
 * Endpoints with free slots and due deliveries, alternating between merchants. The subquery with LIMIT replaces EXISTS,
 * which the planner may turn into a join that reads all due rows.
 */
const TARGETS = `
  targets AS (
    SELECT t.*, row_number() OVER (PARTITION BY is_held_back ORDER BY nth, random()) AS turn
    FROM (
      SELECT e.id, e.answers_since IS NOT NULL AS is_catching_up,
        f.is_failing, f.is_held_back, f.free,
        row_number() OVER (PARTITION BY e.merchant_id, f.is_held_back ORDER BY random()) AS nth
      FROM waiting w
      JOIN webhook_endpoints e ON e.merchant_id = w.merchant_id AND e.id = w.endpoint_id
      LEFT JOIN unnest($5::uuid[], $6::integer[]) AS busy (id, slots) ON busy.id = e.id
      LEFT JOIN unnest($8::uuid[], $9::integer[]) AS faster (id, slots) ON faster.id = e.id
      CROSS JOIN LATERAL (SELECT e.failing_since IS NOT NULL AS is_failing,
        e.failing_since IS NOT NULL OR e.id = ANY ($10::uuid[]) AS is_held_back,
        CASE WHEN e.failing_since IS NULL THEN coalesce(faster.slots, $4::integer) ELSE 1 END
          - coalesce(busy.slots, 0) AS free) f
      WHERE (e.enabled OR e.deleted_at IS NOT NULL) AND f.free > 0
        AND (SELECT true FROM deliveries d
          WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= $1 LIMIT 1)
    ) t
  )`;

/** Whether a webhook is due at `$1`. */
export const WEBHOOK_IS_DUE = `EXISTS (WITH RECURSIVE ${WAITING}
  SELECT FROM waiting w JOIN webhook_endpoints e ON e.merchant_id = w.merchant_id AND e.id = w.endpoint_id
  WHERE (e.enabled OR e.deleted_at IS NOT NULL)
    AND (SELECT true FROM deliveries d
      WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= $1 LIMIT 1))`;

/**
 * Whether a row may be claimed: its merchant, who then has `share` slots, must leave at least as many free. So a slot
 * remains for other merchants; the first slot of a merchant is always granted.
 * @param rank of the row by `share`, from 1
 * @param room free slots
 */
const isFair = (rank: string, room: string): string =>
  `${rank} <= ${room}::bigint - CASE WHEN share = 1 THEN 0 ELSE share END`;

/**
 * Due rows read per endpoint and poll: more than the ones that wait for an earlier delivery in progress, and few enough
 * that an endpoint with a million due rows does not slow down others.
 */
const FRONT = 200;
/** Throttled endpoints tried per poll: they share few slots, and their number is unbounded. */
const HELD_BACK_TRIED = 40;

/**
 * Claims a few deliveries per endpoint, so that endpoints do not block each other; merchants with the fewest slots go
 * first. Failing and slow endpoints are throttled: they share `$7` slots. An event's first attempt waits for the first
 * attempts of earlier events of the same order: the earliest one is claimed instead, unless it is due before anyway.
 * Deliveries to deleted endpoints are claimed, too, to be cancelled.
 */
export const CLAIM_WEBHOOKS: Statement = {
  name: 'deliveries_claim_webhooks',
  text: `WITH RECURSIVE ${WAITING}, ${TARGETS}, picked AS (
    SELECT d.merchant_id, d.id, t.is_catching_up, t.is_failing, t.is_held_back, t.turn,
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
    WHERE NOT t.is_held_back OR ($7::bigint > 0 AND t.turn <= ${HELD_BACK_TRIED})
  ), shares AS (
    SELECT p.*, coalesce(busy.slots, 0) + row_number()
      OVER (PARTITION BY p.merchant_id, p.is_held_back ORDER BY p.place, p.turn) AS share
    FROM picked p
    LEFT JOIN unnest($11::uuid[], $12::boolean[], $13::integer[])
      AS busy (id, is_held_back, slots)
      ON busy.id = p.merchant_id AND busy.is_held_back = p.is_held_back
  ), kinds AS (
    SELECT *, row_number() OVER (PARTITION BY is_held_back ORDER BY share, turn) AS place_of_kind
    FROM shares
  ), ranked AS (
    SELECT *, row_number() OVER (ORDER BY share, turn) AS rank FROM kinds
    WHERE NOT is_held_back OR ${isFair('place_of_kind', '$7')}
  ), due AS (SELECT * FROM ranked WHERE ${isFair('rank', '$3')})
  UPDATE deliveries d SET next_attempt_at = ${dueBy('$2', LEASE)}, failed_at = NULL FROM due
  WHERE d.merchant_id = due.merchant_id AND d.id = due.id
  RETURNING ${COLUMNS}, due.is_failing AS "isFailing", due.is_held_back AS "isHeldBack",
    due.is_catching_up AS "isCatchingUp"`,
};

const MAIL_WAITS = `recipient_id IS NOT NULL AND status = 'pending'`;

/** Whether a mail is due at `$1`. */
export const MAIL_IS_DUE = `EXISTS (SELECT FROM deliveries WHERE ${MAIL_WAITS} AND next_attempt_at <= $1)`;

/** Merchants and modes with pending mails, by a loose index scan. */
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

/**
 * Claims a few mails per merchant and mode; merchants with the fewest slots go first, so that thousands of mails of one
 * do not delay others.
 */
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
  ), shares AS (
    SELECT p.*, coalesce(busy.slots, 0)
      + row_number() OVER (PARTITION BY p.merchant_id ORDER BY p.place, p.turn) AS share
    FROM picked p LEFT JOIN unnest($4::uuid[], $5::integer[]) AS busy (id, slots)
      ON busy.id = p.merchant_id
  ), ranked AS (SELECT *, row_number() OVER (ORDER BY share, turn) AS rank FROM shares
  ), due AS (SELECT * FROM ranked WHERE ${isFair('rank', '$3')})
  UPDATE deliveries d SET next_attempt_at = ${dueBy('$2', LEASE)}, failed_at = NULL FROM due
  WHERE d.merchant_id = due.merchant_id AND d.id = due.id
  RETURNING ${COLUMNS}`,
};
