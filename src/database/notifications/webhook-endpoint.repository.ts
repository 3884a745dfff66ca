import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOneOptions, IsNull } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueBy } from '../due.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { lockMerchant } from '../lock-merchant.js';
import { uuidv7Beside } from './delivery.statements.js';
import { idOrNewest } from '../ids.js';
import type { Owner } from '../keys.js';

/** Primary key of an endpoint. */
export type EndpointKey = Pick<WebhookEndpoint, 'merchantId' | 'id'>;

export type EndpointPatch = Partial<Omit<WebhookEndpoint, 'merchantId' | 'id' | 'mode'>>;

/** A service mail to the merchant's recipients. */
export interface Message {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Cancels all deliveries of a deleted endpoint; otherwise only payout events. */
const CANCEL = `UPDATE deliveries SET status = 'cancelled', next_attempt_at = NULL, completed_at = $3
  WHERE merchant_id = $1 AND endpoint_id = $2 AND status = 'pending'
    AND (type LIKE 'payout.%' OR EXISTS (SELECT FROM webhook_endpoints e
      WHERE e.merchant_id = $1 AND e.id = $2 AND e.deleted_at IS NOT NULL))`;

const NOTIFY_MAILBOXES = `INSERT INTO deliveries
    (merchant_id, id, mode, type, recipient_id, data, created_at, next_attempt_at)
  SELECT t.merchant_id, ${uuidv7Beside('$3')}, t.mode, $4::text, t.id, $5::jsonb, $6::timestamptz, ${dueBy('$6')}
  FROM notification_recipients t WHERE t.merchant_id = $1 AND t.mode = $2
    AND t.confirmed_at IS NOT NULL AND t.unsubscribed_at IS NULL AND t.deleted_at IS NULL`;

const FAILING: Statement = {
  name: 'webhook_endpoints_failing',
  text: `SELECT e.id, e.mode, e.url, m.name AS "merchantName",
      extract(epoch FROM $1::timestamptz - e.failing_since)::float8 AS seconds,
      count(*) OVER ()::integer AS total
    FROM webhook_endpoints e JOIN merchants m ON m.id = e.merchant_id
    WHERE e.enabled AND e.deleted_at IS NULL AND e.failing_since IS NOT NULL
    ORDER BY e.failing_since LIMIT $2`,
};

export interface FailingEndpoint {
  readonly id: string;
  readonly mode: Mode;
  readonly url: string;
  readonly merchantName: string;
  readonly seconds: number;
  /** Number of failing endpoints, including those beyond the limit. */
  readonly total: number;
}

/** The endpoint with the id, or the newest one, unless deleted. */
const one = ({ merchantId, mode }: Owner, id: string): FindOneOptions<WebhookEndpoint> => ({
  where: { merchantId, mode, deletedAt: IsNull(), ...idOrNewest(id) },
  order: { id: 'DESC' },
});

@Injectable()
export class WebhookEndpointRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookEndpoint)
    private readonly endpoints: LimitedRepository<WebhookEndpoint>,
  ) {}

  /**
   * Adds an endpoint unless its merchant has `max` in this mode.
   * @returns false when the limit is reached
   */
  async insert(tx: EntityManager, endpoint: WebhookEndpoint, max: number): Promise<boolean> {
    const { merchantId, mode } = endpoint;
    await lockMerchant(tx, merchantId);
    const count = await tx.countBy(WebhookEndpoint, { merchantId, mode, deletedAt: IsNull() });
    if (count >= max) return false;
    await tx.insert(WebhookEndpoint, endpoint);
    return true;
  }

  /** Oldest first. */
  list({ merchantId, mode }: Owner): Promise<WebhookEndpoint[]> {
    const where = { merchantId, mode, deletedAt: IsNull() };
    return this.endpoints.find({ where, order: { id: 'ASC' } });
  }

  find(owner: Owner, id: string): Promise<WebhookEndpoint | null> {
    return this.endpoints.findOne(one(owner, id));
  }

  /** The same, locked until the transaction ends. */
  lockOne(tx: EntityManager, owner: Owner, id: string): Promise<WebhookEndpoint | null> {
    return tx.findOne(WebhookEndpoint, { ...one(owner, id), lock: { mode: 'for_no_key_update' } });
  }

  /** Locks the endpoint, deleted or not, until the transaction ends. Concurrent statements may still reference it. */
  lock(tx: EntityManager, { merchantId, id }: EndpointKey): Promise<WebhookEndpoint | null> {
    return tx.findOne(WebhookEndpoint, {
      where: { merchantId, id },
      lock: { mode: 'for_no_key_update' },
    });
  }

  async update(tx: EntityManager, key: EndpointKey, patch: EndpointPatch): Promise<void> {
    await tx.update(WebhookEndpoint, { merchantId: key.merchantId, id: key.id }, patch);
  }

  /** Cancels pending deliveries of an endpoint that was deleted or lost access to payouts. */
  async cancelDeliveries(tx: EntityManager, key: EndpointKey, now: Date): Promise<void> {
    await tx.query(CANCEL, [key.merchantId, key.id, now]);
  }

  /** Queues a mail to every confirmed recipient; delivery ids are derived from `id`. */
  async notify(tx: EntityManager, message: Message, id: string, now: Date): Promise<void> {
    const { merchantId, mode, type, data } = message;
    await tx.query(NOTIFY_MAILBOXES, [merchantId, mode, id, type, JSON.stringify(data), now]);
  }

  /** Failing endpoints, longest first. */
  failing(now: Date, limit: number): Promise<FailingEndpoint[]> {
    return this.database.query(FAILING, [now, limit]);
  }
}
