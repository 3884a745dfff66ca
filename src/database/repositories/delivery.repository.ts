import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { DeliveryAttempt } from '../entities/delivery-attempt.entity.js';
import type { Delivery } from '../entities/delivery.entity.js';
import type { NotificationRecipient } from '../entities/notification-recipient.entity.js';
import type { WebhookEndpoint } from '../entities/webhook-endpoint.entity.js';
import { assignments, columnsOf } from '../rows.js';

/** A delivery that a worker has taken, until `nextAttemptAt`. */
export type Claimed = Pick<
  Delivery,
  | 'merchantId'
  | 'id'
  | 'mode'
  | 'type'
  | 'eventId'
  | 'txid'
  | 'endpointId'
  | 'recipientId'
  | 'data'
  | 'attempts'
  | 'nextAttemptAt'
  | 'createdAt'
>;

/** What an attempt leaves in its delivery. */
export type DeliveryPatch = Pick<Delivery, 'status' | 'nextAttemptAt' | 'completedAt'>;

export type Attempt = Omit<DeliveryAttempt, 'merchantId' | 'deliveryId' | 'number'>;

/** A webhook that a worker has taken. */
export interface ClaimedWebhook extends Claimed {
  /** Whether nothing was delivered to its endpoint since a failure. */
  readonly isFailing: boolean;
}

/** What is under way already, and how much more may be. */
export interface WebhookSlots {
  readonly free: number;
  /** At one endpoint; one that is failing gets a single slot. */
  readonly perEndpoint: number;
  /** Deliveries under way by endpoint. */
  readonly underWay: ReadonlyMap<string, number>;
  /** How many more endpoints that are failing may be tried. */
  readonly failing: number;
}

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
    CROSS JOIN LATERAL (SELECT e.failing_since IS NOT NULL AS is_failing,
      CASE WHEN e.failing_since IS NULL THEN $4::integer ELSE 1 END - coalesce(busy.slots, 0)
        AS free) f
    WHERE (e.enabled OR e.deleted_at IS NOT NULL) AND f.free > 0
      AND EXISTS (SELECT FROM deliveries d
        WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= $1)
  )`;

/**
 * A few of each endpoint's, so that none waits for another. An event is not tried before those
 * before it, of the same order, have been tried once: asked row by row, as a join would read all
 * that waits for the endpoint. What goes to a deleted endpoint is taken too, to be cancelled.
 */
const CLAIM_WEBHOOKS: Statement = {
  name: 'deliveries_claim_webhooks',
  text: `WITH RECURSIVE ${WAITING}, ${TARGETS}, picked AS (
    SELECT d.merchant_id, d.id, t.is_failing, t.turn,
      row_number() OVER (PARTITION BY t.id ORDER BY d.next_attempt_at) AS place
    FROM targets t CROSS JOIN LATERAL (
      SELECT d.merchant_id, d.id, d.next_attempt_at FROM deliveries d
      WHERE d.endpoint_id = t.id AND d.status = 'pending' AND d.next_attempt_at <= $1
        AND (SELECT true FROM deliveries earlier
          WHERE earlier.endpoint_id = d.endpoint_id AND earlier.txid = d.txid
            AND earlier.sequence < d.sequence
            AND earlier.status = 'pending' AND earlier.attempts = 0 LIMIT 1) IS NOT TRUE
      ORDER BY d.next_attempt_at LIMIT t.free FOR UPDATE SKIP LOCKED
    ) d
    WHERE NOT t.is_failing OR t.turn <= $7
  ), due AS (SELECT * FROM picked ORDER BY place, turn LIMIT $3)
  UPDATE deliveries d SET next_attempt_at = $2 FROM due
  WHERE d.merchant_id = due.merchant_id AND d.id = due.id
  RETURNING ${CLAIMED}, due.is_failing AS "isFailing"`,
};

const CLAIM_MAILS: Statement = {
  name: 'deliveries_claim_mails',
  text: `WITH due AS (
    SELECT merchant_id, id FROM deliveries
    WHERE recipient_id IS NOT NULL AND status = 'pending' AND next_attempt_at <= $1
    ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE deliveries d SET next_attempt_at = $2 FROM due
  WHERE d.merchant_id = due.merchant_id AND d.id = due.id
  RETURNING ${CLAIMED}`,
};

/** Nothing when another worker took the delivery over and was faster. */
const attempted = (set: string): string => `
  WITH attempted AS (
    UPDATE deliveries SET attempts = attempts + 1, ${set}
    WHERE merchant_id = $1 AND id = $2 AND attempts = $3 AND status = 'pending'
    RETURNING attempts
  )
  INSERT INTO delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms,
    succeeded, status_code, error, request_head, response_head)
  SELECT $1, $2, attempts, $4, $5, $6, $7, $8, $9, $10 FROM attempted RETURNING number`;

/** The same for a success, in one round trip. */
const DELIVERED: Statement = {
  name: 'delivery_delivered',
  text: attempted(`status = 'delivered', next_attempt_at = NULL, completed_at = $11`),
};

const PURGE: Statement = {
  name: 'deliveries_purge',
  text: `DELETE FROM deliveries WHERE (merchant_id, id) IN
      (SELECT merchant_id, id FROM deliveries WHERE created_at < $1 ORDER BY created_at LIMIT $2)
    RETURNING 1`,
};

const BACKLOG: Statement = {
  name: 'deliveries_backlog',
  text: `SELECT CASE WHEN endpoint_id IS NULL THEN 'mail' ELSE 'webhook' END AS channel,
      count(*) AS depth,
      extract(epoch FROM $1::timestamptz - min(next_attempt_at))::float8 AS "oldestSeconds"
    FROM deliveries d WHERE status = 'pending' AND next_attempt_at <= $1
      AND NOT EXISTS (SELECT FROM webhook_endpoints e
        WHERE e.merchant_id = d.merchant_id AND e.id = d.endpoint_id AND NOT e.enabled)
    GROUP BY 1`,
};

export interface DeliveryBacklog {
  readonly channel: 'mail' | 'webhook';
  /** Deliveries that are due and that no worker has taken; not those of disabled endpoints. */
  readonly depth: number;
  readonly oldestSeconds: number;
}

type Attempted = Pick<Claimed, 'merchantId' | 'id' | 'attempts'>;

const attemptValues = (delivery: Attempted, attempt: Attempt): unknown[] => [
  delivery.merchantId,
  delivery.id,
  delivery.attempts,
  attempt.startedAt,
  attempt.durationMs,
  attempt.succeeded,
  attempt.statusCode,
  attempt.error,
  attempt.requestHead,
  attempt.responseHead,
];

/** The queue of deliveries: rows are the truth, and a worker that dies loses none. */
@Injectable()
export class DeliveryRepository {
  constructor(private readonly database: Database) {}

  /** Takes due webhooks until `until`; then another worker may. */
  claimWebhooks(now: Date, until: Date, slots: WebhookSlots): Promise<ClaimedWebhook[]> {
    const { free, perEndpoint, underWay, failing } = slots;
    const busy = [[...underWay.keys()], [...underWay.values()]];
    return this.database.query(CLAIM_WEBHOOKS, [now, until, free, perEndpoint, ...busy, failing]);
  }

  /** Takes due mails until `until`. */
  claimMails(now: Date, until: Date, limit: number): Promise<Claimed[]> {
    return this.database.query(CLAIM_MAILS, [now, until, limit]);
  }

  /**
   * Writes down an attempt and what becomes of the delivery.
   * @returns false when somebody else was faster; then nothing is written
   */
  async attempted(
    tx: EntityManager,
    delivery: Attempted,
    attempt: Attempt,
    patch: DeliveryPatch,
  ): Promise<boolean> {
    const set = assignments({ ...patch }, 11);
    const values = [...attemptValues(delivery, attempt), ...set.values];
    const rows: unknown[] = await tx.query(attempted(set.sql), values);
    return rows.length === 1;
  }

  /**
   * Writes down a success, at once: a worker that dies before this makes the receiver get it twice.
   * @returns false when somebody else was faster; then nothing is written
   */
  async delivered(delivery: Attempted, attempt: Attempt, now: Date): Promise<boolean> {
    const values = [...attemptValues(delivery, attempt), now];
    return (await this.database.query(DELIVERED, values)).length === 1;
  }

  /** The endpoint that a delivery goes to, as it is now. */
  async endpointOf(delivery: Claimed): Promise<WebhookEndpoint | null> {
    const { merchantId, endpointId } = delivery;
    return this.database.entities((manager) =>
      manager.findOneBy<WebhookEndpoint>('WebhookEndpoint', { merchantId, id: endpointId! }),
    );
  }

  /** The recipient that a delivery goes to, as it is now. */
  async recipientOf(delivery: Claimed): Promise<NotificationRecipient | null> {
    const { merchantId, recipientId } = delivery;
    return this.database.entities((manager) =>
      manager.findOneBy<NotificationRecipient>('NotificationRecipient', {
        merchantId,
        id: recipientId!,
      }),
    );
  }

  async backlog(now: Date): Promise<DeliveryBacklog[]> {
    return this.database.query(BACKLOG, [now]);
  }

  /**
   * Forgets deliveries made before `before`, at most `limit` of them.
   * @returns how many
   */
  async purge(before: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [before, limit])).length;
  }
}
