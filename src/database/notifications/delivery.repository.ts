import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueBy, LONGEST_RETRY } from '../due.js';
import type { GatedRepository } from '../gated-repository.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import { CLAIMED, CLAIM_MAILS, CLAIM_WEBHOOKS } from './delivery-claim.statements.js';
import type { Delivery } from './delivery.entity.js';
import { NotificationRecipient } from './notification-recipient.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** A delivery that a worker has taken, until `nextAttemptAt`. */
export type Claimed = Pick<Delivery, (typeof CLAIMED)[number]>;

/** What an attempt leaves in its delivery. */
export type DeliveryPatch = Pick<Delivery, 'status' | 'nextAttemptAt' | 'completedAt'> & {
  /** Whether it was made before its time, and in vain. */
  readonly isExtra?: boolean;
};

export type Attempt = Omit<DeliveryAttempt, 'merchantId' | 'deliveryId' | 'number'>;

/** A webhook that a worker has taken. */
export interface ClaimedWebhook extends Claimed {
  /** Whether nothing was delivered to its endpoint since a failure. */
  readonly isFailing: boolean;
  /** Whether it took one of the places for endpoints that fail or are slow. */
  readonly isHeldBack: boolean;
  /** Whether its endpoint answers again, and others may still wait for that. */
  readonly isCatchingUp: boolean;
}

/** What is under way already, and how much more may be. Merchants share what is free. */
export interface WebhookSlots {
  /** Places that are free, and how many of them endpoints may have that fail or are slow. */
  readonly free: number;
  readonly freeHeldBack: number;
  /** At one endpoint; one that is failing gets a single place, and those that are `faster` more. */
  readonly perEndpoint: number;
  readonly faster: ReadonlyMap<string, number>;
  readonly slow: ReadonlySet<string>;
  /** Deliveries under way by endpoint, and by merchant: those that are held back, and all others. */
  readonly inFlight: ReadonlyMap<string, number>;
  readonly heldBack: ReadonlyMap<string, number>;
  readonly others: ReadonlyMap<string, number>;
}

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

const ATTEMPTED = attempted(`status = $11::text, completed_at = $12::timestamptz, failed_at = $4,
  scheduled_at = NULL, extra_attempts = extra_attempts + $14::integer,
  next_attempt_at = CASE WHEN $11 = 'pending' THEN ${dueBy('$13', LONGEST_RETRY)} END`);

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

const columnsOfMap = (counts: ReadonlyMap<string, number>): [string[], number[]] => [
  [...counts.keys()],
  [...counts.values()],
];

/** The queue of deliveries: rows are the truth, and a worker that dies loses none. */
@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookEndpoint) private readonly endpoints: GatedRepository<WebhookEndpoint>,
    @InjectRepository(NotificationRecipient)
    private readonly recipients: GatedRepository<NotificationRecipient>,
  ) {}

  /** Takes due webhooks until `until`; then another worker may. */
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
   * Takes due mails until `until`.
   * @param free places that are free
   * @param busy mails under way by merchant
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
   * Writes down an attempt and what becomes of the delivery.
   * @returns false when somebody else was faster; then nothing is written
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
   * Writes down a success, at once: a worker that dies before this makes the receiver get it twice.
   * @returns false when somebody else was faster; then nothing is written
   */
  async delivered(delivery: Attempted, attempt: Attempt, now: Date): Promise<boolean> {
    const values = [...attemptValues(delivery, attempt), now];
    return (await this.database.query(DELIVERED, values)).length === 1;
  }

  /** The endpoint that a delivery goes to, as it is now. */
  endpointOf({ merchantId, endpointId }: Claimed): Promise<WebhookEndpoint | null> {
    return this.endpoints.findOneBy({ merchantId, id: endpointId! });
  }

  /** The recipient that a delivery goes to, as it is now. */
  recipientOf({ merchantId, recipientId }: Claimed): Promise<NotificationRecipient | null> {
    return this.recipients.findOneBy({ merchantId, id: recipientId! });
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
