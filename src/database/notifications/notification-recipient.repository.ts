import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOneOptions, IsNull } from 'typeorm';
import { uuidv7 } from '../../common/ids.js';
import { Database, type Statement } from '../database.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import { Delivery } from './delivery.entity.js';
import type { LimitedRepository } from '../limited-repository.js';
import { NotificationRecipient } from './notification-recipient.entity.js';
import { lockMerchant } from '../lock-merchant.js';
import { dueBy } from '../due.js';
import { idOrNewest } from '../ids.js';
import type { Owner } from '../keys.js';

/** Primary key of a recipient. */
export type RecipientKey = Pick<NotificationRecipient, 'merchantId' | 'id'>;

export type RecipientPatch = Partial<Omit<NotificationRecipient, 'merchantId' | 'id' | 'mode'>>;

const QUEUE = `INSERT INTO deliveries
    (merchant_id, id, mode, type, recipient_id, created_at, next_attempt_at)
  VALUES ($1, $2, $3, $4, $5, $6, ${dueBy('$6')})`;

const LAST = `SELECT max(created_at) AS at FROM deliveries
  WHERE merchant_id = $1 AND recipient_id = $2 AND event_id IS NULL AND NOT resent AND type = $3`;

const OF_RECIPIENT = `FROM deliveries WHERE merchant_id = $1 AND recipient_id = r.id AND NOT resent`;

/** Event ids are sorted by time, so the index finds the newest mail about an event. */
const LAST_DELIVERIES: Statement = {
  name: 'recipients_last_deliveries',
  text: `SELECT d.recipient_id AS "recipientId", d.id, d.type, d.status, d.attempts,
      d.created_at AS "createdAt", d.completed_at AS "completedAt",
      a.status_code AS "statusCode", a.error
    FROM unnest($2::uuid[]) AS r (id)
    CROSS JOIN LATERAL (
      (SELECT * ${OF_RECIPIENT} AND event_id IS NOT NULL ORDER BY event_id DESC LIMIT 1)
      UNION ALL (SELECT * ${OF_RECIPIENT} AND event_id IS NULL)
      ORDER BY id DESC LIMIT 1
    ) d
    LEFT JOIN delivery_attempts a ON a.merchant_id = d.merchant_id AND a.delivery_id = d.id
      AND a.number = d.attempts`,
};

/** The newest mail to a recipient, with the result of its last attempt. */
export type LastDelivery = Pick<
  Delivery,
  'id' | 'type' | 'status' | 'attempts' | 'createdAt' | 'completedAt'
> &
  Pick<DeliveryAttempt, 'statusCode' | 'error'> & { readonly recipientId: string };

const PENDING = 'pending';
const cancelledAt = (now: Date) =>
  ({ status: 'cancelled', nextAttemptAt: null, completedAt: now }) as const;

/** The recipient with the id, or the newest one, unless deleted. */
const one = ({ merchantId, mode }: Owner, id: string): FindOneOptions<NotificationRecipient> => ({
  where: { merchantId, mode, deletedAt: IsNull(), ...idOrNewest(id) },
  order: { id: 'DESC' },
});

@Injectable()
export class NotificationRecipientRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(NotificationRecipient)
    private readonly recipients: LimitedRepository<NotificationRecipient>,
    @InjectRepository(Delivery) private readonly deliveries: LimitedRepository<Delivery>,
  ) {}

  /** Serializes the creation of recipients until the transaction ends. */
  async lockMerchant(tx: EntityManager, merchantId: string): Promise<void> {
    await lockMerchant(tx, merchantId);
  }

  findByEmail(
    tx: EntityManager,
    { merchantId, mode }: Owner,
    email: string,
  ): Promise<NotificationRecipient | null> {
    return tx.findOne(NotificationRecipient, {
      where: { merchantId, mode, email },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Counts recipients that are not deleted. */
  count(tx: EntityManager, { merchantId, mode }: Owner): Promise<number> {
    return tx.countBy(NotificationRecipient, { merchantId, mode, deletedAt: IsNull() });
  }

  async insert(tx: EntityManager, recipient: NotificationRecipient): Promise<void> {
    await tx.insert(NotificationRecipient, recipient);
  }

  /** Oldest first. */
  list({ merchantId, mode }: Owner): Promise<NotificationRecipient[]> {
    const where = { merchantId, mode, deletedAt: IsNull() };
    return this.recipients.find({ where, order: { id: 'ASC' } });
  }

  find(owner: Owner, id: string): Promise<NotificationRecipient | null> {
    return this.recipients.findOne(one(owner, id));
  }

  /** The same, locked until the transaction ends. */
  lockOne(tx: EntityManager, owner: Owner, id: string): Promise<NotificationRecipient | null> {
    return tx.findOne(NotificationRecipient, {
      ...one(owner, id),
      lock: { mode: 'for_no_key_update' },
    });
  }

  findByToken(token: string): Promise<NotificationRecipient | null> {
    return this.recipients.findOneBy({ token, deletedAt: IsNull() });
  }

  /** Locks the recipient until the transaction ends, unless it was deleted. */
  lock(tx: EntityManager, { merchantId, id }: RecipientKey): Promise<NotificationRecipient | null> {
    return tx.findOne(NotificationRecipient, {
      where: { merchantId, id, deletedAt: IsNull() },
      lock: { mode: 'for_no_key_update' },
    });
  }

  async update(tx: EntityManager, key: RecipientKey, patch: RecipientPatch): Promise<void> {
    const { merchantId, id } = key;
    await tx.update(NotificationRecipient, { merchantId, id }, patch);
  }

  /** Queues a service mail. */
  async queue(
    tx: EntityManager,
    { merchantId, id, mode }: NotificationRecipient,
    type: string,
    now: Date,
  ): Promise<void> {
    await tx.query(QUEUE, [merchantId, uuidv7(now.getTime()), mode, type, id, now]);
  }

  /** When a service mail of this type was last queued. */
  async lastQueuedAt(tx: EntityManager, key: RecipientKey, type: string): Promise<Date | null> {
    const rows = (await tx.query(LAST, [key.merchantId, key.id, type])) as { at: Date | null }[];
    return rows[0]?.at ?? null;
  }

  /** The newest mail to each of the merchant's recipients, if any. */
  lastDeliveries(merchantId: string, ids: readonly string[]): Promise<LastDelivery[]> {
    return this.database.query(LAST_DELIVERIES, [merchantId, ids]);
  }

  /** Cancels the recipient's pending deliveries. */
  async cancelDeliveries(tx: EntityManager, key: RecipientKey, now: Date): Promise<void> {
    const underWay = { merchantId: key.merchantId, recipientId: key.id, status: PENDING };
    await tx.update(Delivery, underWay, cancelledAt(now));
  }

  /** Cancels a claimed delivery. */
  async cancelDelivery(
    delivery: Pick<Delivery, 'merchantId' | 'id' | 'attempts'>,
    now: Date,
  ): Promise<void> {
    const { merchantId, id, attempts } = delivery;
    await this.deliveries.update({ merchantId, id, attempts, status: PENDING }, cancelledAt(now));
  }
}
