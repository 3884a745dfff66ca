import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueAtOnce, dueBy } from '../due.js';
import type { LimitedRepository } from '../limited-repository.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';
import { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { columnsOf } from '../entity-sql.js';
import { idAt, idOrNewest } from '../ids.js';
import { hasField, ordersIn, uuidv7Beside } from './delivery.statements.js';
import type { EndpointKey } from './webhook-endpoint.repository.js';

export interface LogPage {
  /** Cursor: only deliveries created before this one. */
  readonly after: string | null;
  readonly status: DeliveryStatus | null;
  readonly limit: number;
}

export interface Resend {
  readonly from: Date;
  readonly to: Date;
  /** Includes events that the endpoint has received already. */
  readonly includeDelivered: boolean;
  readonly limit: number;
}

const COLUMNS = columnsOf('d', Delivery);

const pageOf = (name: string, condition: string): Statement => ({
  name,
  text: `SELECT ${COLUMNS} FROM deliveries d WHERE d.merchant_id = $1 AND d.endpoint_id = $2
    AND d.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND ${condition}
    ORDER BY d.id DESC LIMIT $4`,
});
const PAGE = pageOf('delivery_log_page', 'true');
/** Literals, so that each rare status uses its partial index. */
const PAGE_OF: Readonly<Record<DeliveryStatus, Statement>> = {
  pending: pageOf('delivery_log_pending', `d.status = 'pending'`),
  delivered: pageOf('delivery_log_delivered', `d.status = 'delivered'`),
  failed: pageOf('delivery_log_failed', `d.status = 'failed'`),
  cancelled: pageOf('delivery_log_cancelled', `d.status = 'cancelled'`),
};

/** Separate conditions use separate indexes; a combined one would join all events with all deliveries. */
const wasSent = (way: 'resent' | 'NOT resent') => `EXISTS (SELECT FROM deliveries
      WHERE merchant_id = $1 AND endpoint_id = $2 AND endpoint_id IS NOT NULL AND event_id = e.id
        AND ${way} AND (status = 'pending' OR status = 'delivered' AND NOT $8))`;

/** Queues each event once, unless it is pending already. */
const RESEND = `INSERT INTO deliveries (merchant_id, id, mode, type, event_id, txid, sequence,
    endpoint_id, resent, created_at, next_attempt_at)
  SELECT e.merchant_id, ${uuidv7Beside('$9')}, e.mode, e.type, e.id, e.txid, e.sequence,
    $2::uuid, true, $10::timestamptz, ${dueBy('$10')}
  FROM events e
  WHERE e.merchant_id = $1 AND e.mode = $5 AND e.id >= $3 AND e.id < $4
    AND ($6::text[] = '{}' OR e.type = ANY ($6))
    AND ($11::text IS NULL OR ${hasField('e', '$11', '$12::text', ordersIn('orders'))})
    AND NOT ${wasSent('NOT resent')} AND NOT ${wasSent('resent')}
  ORDER BY e.id LIMIT $7
  RETURNING id`;

/** Counts test and resent events only: regular ones may wait for days for an unavailable endpoint. */
const COUNT_ASKED = `SELECT count(*)::integer AS count FROM (
    SELECT FROM deliveries WHERE merchant_id = $1 AND mode = $2 AND status = 'pending'
      AND endpoint_id IS NOT NULL AND (resent OR event_id IS NULL) LIMIT $3) asked`;

/** The delivery log of endpoints, and resending. */
@Injectable()
export class DeliveryLogRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Delivery) private readonly deliveries: LimitedRepository<Delivery>,
    @InjectRepository(DeliveryAttempt) private readonly tries: LimitedRepository<DeliveryAttempt>,
  ) {}

  /** Newest first. */
  page(endpoint: EndpointKey, { after, status, limit }: LogPage): Promise<Delivery[]> {
    const statement = status === null ? PAGE : PAGE_OF[status];
    return this.database.query(statement, [endpoint.merchantId, endpoint.id, after, limit]);
  }

  find(endpoint: EndpointKey, id: string): Promise<Delivery | null> {
    const { merchantId, id: endpointId } = endpoint;
    return this.deliveries.findOne({
      where: { merchantId, endpointId, ...idOrNewest(id) },
      order: { id: 'DESC' },
    });
  }

  /** Oldest first. */
  attempts({ merchantId, id }: Pick<Delivery, 'merchantId' | 'id'>): Promise<DeliveryAttempt[]> {
    return this.tries.find({ where: { merchantId, deliveryId: id }, order: { number: 'ASC' } });
  }

  /** Counts pending test and resent events of the merchant's endpoints, up to `max`. */
  async countAsked(
    tx: EntityManager,
    { merchantId, mode }: WebhookEndpoint,
    max: number,
  ): Promise<number> {
    const rows = await tx.query<{ count: number }[]>(COUNT_ASKED, [merchantId, mode, max]);
    return rows[0]!.count;
  }

  /** Queues a delivery for immediate sending. */
  async insert(tx: EntityManager, delivery: Delivery): Promise<void> {
    const nextAttemptAt = dueAtOnce(delivery.createdAt);
    await tx.insert(Delivery, { ...delivery, nextAttemptAt } as object);
  }

  /**
   * Queues events of the range to which the endpoint subscribes again, unless they are pending. The caller holds the
   * endpoint's lock. Ids are derived from `id`.
   * @returns the number of queued deliveries
   */
  async resend(
    tx: EntityManager,
    endpoint: WebhookEndpoint,
    range: Resend,
    id: string,
    now: Date,
  ): Promise<number> {
    const rows: unknown[] = await tx.query(RESEND, [
      endpoint.merchantId,
      endpoint.id,
      idAt(range.from),
      idAt(range.to),
      endpoint.mode,
      endpoint.eventTypes,
      range.limit,
      range.includeDelivered,
      id,
      now,
      endpoint.fieldKey,
      endpoint.fieldValue,
    ]);
    return rows.length;
  }
}
