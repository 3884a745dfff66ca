import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueBy, LONGEST_RETRY } from '../due.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import { CLAIMED, CLAIM_MAILS, CLAIM_WEBHOOKS } from './delivery-claim.statements.js';
import type { Delivery } from './delivery.entity.js';
import { NotificationRecipient } from './notification-recipient.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** A delivery claimed by a worker until `nextAttemptAt`. */
export type Claimed = Pick<Delivery, (typeof CLAIMED)[number]>;

/** The delivery's state after an attempt. */
export type DeliveryPatch = Pick<Delivery, 'status' | 'nextAttemptAt' | 'completedAt'> & {
  /** Whether it was a failed extra attempt. */
  readonly isExtra?: boolean;
};

export type Attempt = Omit<DeliveryAttempt, 'merchantId' | 'deliveryId' | 'number'>;

/** A webhook delivery claimed by a worker. */
export interface ClaimedWebhook extends Claimed {
  /** Whether its endpoint is failing: no success since the last failure. */
  readonly isFailing: boolean;
  /** Whether it uses a slot for failing and slow endpoints. */
  readonly isHeldBack: boolean;
  /** Whether its endpoint has recovered, and earlier failed deliveries may still wait. */
  readonly isCatchingUp: boolean;
}

/** Running deliveries and free slots. Merchants share the free slots. */
export interface WebhookSlots {
  /** Free slots, and how many of them failing and slow endpoints may use. */
  readonly free: number;
  readonly freeHeldBack: number;
  /** Slots per endpoint; a failing one gets one slot, and those in `faster` more. */
  readonly perEndpoint: number;
  readonly faster: ReadonlyMap<string, number>;
  readonly slow: ReadonlySet<string>;
  /** Running deliveries by endpoint, and by merchant: throttled ones and all others. */
  readonly inFlight: ReadonlyMap<string, number>;
  readonly heldBack: ReadonlyMap<string, number>;
  readonly others: ReadonlyMap<string, number>;
}

/** No rows when another worker took over the delivery and finished first. */
const attempted = (set: string): string => `
  WITH attempted AS (
    UPDATE deliveries SET attempts = attempts + 1, ${set}
    WHERE merchant_id = $1 AND id = $2 AND attempts = $3 AND status = 'pending'
    RETURNING attempts
  )
  INSERT INTO delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms,
    succeeded, status_code, error, request_head, response_head)
  SELECT $1, $2, attempts, $4, $5, $6, $7, $8, $9, $10 FROM attempted RETURNING number`;

const ATTEMPTED = attempted(`status = $11::text, completed_at = $12::timestamptz, failed_at = $4,
  scheduled_at = NULL, extra_attempts = extra_attempts + $14::integer,
  next_attempt_at = CASE WHEN $11 = 'pending' THEN ${dueBy('$13', LONGEST_RETRY)} END`);

/** Stores a success in one round trip. */
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
  /** Due deliveries that are not claimed, without those of disabled endpoints. */
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

const columnsOfMap = (counts: ReadonlyMap<string, number>): [string[], number[]] => [
  [...counts.keys()],
  [...counts.values()],
];

/** The delivery queue. All state is in the rows, so a worker that dies loses nothing. */
@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookEndpoint)
    private readonly endpoints: LimitedRepository<WebhookEndpoint>,
    @InjectRepository(NotificationRecipient)
    private readonly recipients: LimitedRepository<NotificationRecipient>,
  ) {}

  /** Claims due webhooks until `until`; afterwards other workers may claim them. */
  claimWebhooks(now: Date, until: Date, slots: WebhookSlots): Promise<ClaimedWebhook[]> {
    const { free, freeHeldBack, perEndpoint, inFlight, faster, slow, heldBack, others } = slots;
    const merchants = [heldBack, others].flatMap((counts) =>
      [...counts].map(([id, count]) => ({ id, isHeldBack: counts === heldBack, count })),
    );
    return this.database.query(CLAIM_WEBHOOKS, [
      now,
      until,
      free,
      perEndpoint,
      ...columnsOfMap(inFlight),
      freeHeldBack,
      ...columnsOfMap(faster),
      [...slow],
      merchants.map(({ id }) => id),
      merchants.map(({ isHeldBack }) => isHeldBack),
      merchants.map(({ count }) => count),
    ]);
  }

  /**
   * Claims due mails until `until`.
   * @param free free slots
   * @param busy running mails by merchant
   */
  claimMails(
    now: Date,
    until: Date,
    free: number,
    busy: ReadonlyMap<string, number>,
  ): Promise<Claimed[]> {
    return this.database.query(CLAIM_MAILS, [now, until, free, ...columnsOfMap(busy)]);
  }

  /**
   * Stores an attempt and the delivery's new state.
   * @returns false when another worker was faster; nothing is stored
   */
  async attempted(
    tx: EntityManager,
    delivery: Attempted,
    attempt: Attempt,
    patch: DeliveryPatch,
  ): Promise<boolean> {
    const { status, completedAt, nextAttemptAt, isExtra = false } = patch;
    const values = [
      ...attemptValues(delivery, attempt),
      status,
      completedAt,
      nextAttemptAt,
      Number(isExtra),
    ];
    const rows: unknown[] = await tx.query(ATTEMPTED, values);
    return rows.length === 1;
  }

  /**
   * Stores a success immediately: if the worker dies before, the event is delivered twice.
   * @returns false when another worker was faster; nothing is stored
   */
  async delivered(delivery: Attempted, attempt: Attempt, now: Date): Promise<boolean> {
    const values = [...attemptValues(delivery, attempt), now];
    return (await this.database.query(DELIVERED, values)).length === 1;
  }

  /** The current state of the delivery's endpoint. */
  endpointOf({ merchantId, endpointId }: Claimed): Promise<WebhookEndpoint | null> {
    return this.endpoints.findOneBy({ merchantId, id: endpointId! });
  }

  /** The current state of the delivery's recipient. */
  recipientOf({ merchantId, recipientId }: Claimed): Promise<NotificationRecipient | null> {
    return this.recipients.findOneBy({ merchantId, id: recipientId! });
  }

  async backlog(now: Date): Promise<DeliveryBacklog[]> {
    return this.database.query(BACKLOG, [now]);
  }

  /**
   * Deletes deliveries created before `before`, at most `limit`.
   * @returns the number of deleted deliveries
   */
  async purge(before: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [before, limit])).length;
  }
}
