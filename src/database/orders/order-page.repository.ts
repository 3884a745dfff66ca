import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OrderKey } from '../keys.js';
import { Database, type Statement } from '../database.js';
import type { DeliveryAttempt } from '../notifications/delivery-attempt.entity.js';
import { Delivery } from '../notifications/delivery.entity.js';
import type {
  MerchantEvent,
  OrderEventData,
  OrderEventType,
} from '../notifications/event.entity.js';
import { OrderNote } from './order-note.entity.js';
import type { PageOpening } from './page-opening.entity.js';
import { Payment } from '../payments/payment.entity.js';
import type { Payout } from '../payouts/payout.entity.js';
import { Transfer, type TransferKind } from '../ledger/transfer.entity.js';
import type { NotificationRecipient } from '../notifications/notification-recipient.entity.js';
import type { WebhookEndpoint } from '../notifications/webhook-endpoint.entity.js';
import { columnsOf } from '../entity-sql.js';
import type { ReadEntry } from '../people/audit.repository.js';
import { PAYOUT_OF_ORDER } from './order-payout.statements.js';

/** Maximum deliveries on a page; newer ones are omitted. */
export const DELIVERIES_MAX = 200;
const ATTEMPTS_MAX = 2_000;
const EVENTS_MAX = 500;
/** Audit log action of writing a note; omitted, because the page shows the notes. */
export const NOTED = 'order.noted';
/** Maximum audit log entries on a page: the newest. */
const ENTRIES_MAX = 100;
/** Maximum notes of an order. */
export const NOTES_MAX = 200;

export type PageEvent = Pick<MerchantEvent, 'id' | 'sequence' | 'createdAt'> & {
  readonly type: OrderEventType;
  readonly data: OrderEventData;
};

/** Columns of a delivery. */
const DELIVERY = [
  'id',
  'type',
  'sequence',
  'endpointId',
  'recipientId',
  'resent',
  'status',
  'attempts',
  'nextAttemptAt',
  'createdAt',
  'completedAt',
] as const;

export type PageDelivery = Pick<Delivery, (typeof DELIVERY)[number]> & {
  /** Null for mails. */
  readonly url: WebhookEndpoint['url'] | null;
  readonly isEndpointDeleted: boolean;
  /** Null for webhooks and deleted recipients. */
  readonly email: NotificationRecipient['email'];
};

export type PageAttempt = Pick<
  DeliveryAttempt,
  'deliveryId' | 'number' | 'startedAt' | 'durationMs' | 'succeeded' | 'statusCode' | 'error'
>;

/** An audit log entry about the order. */
export type PageEntry = Pick<ReadEntry, 'id' | 'action' | 'data' | 'createdAt' | 'userName'>;

export type PageNote = Pick<OrderNote, 'id' | 'text' | 'createdAt'> & {
  readonly userName: string;
};

export interface OrderTraces {
  /** Oldest first, like all lists here. */
  readonly payments: readonly Payment[];
  readonly events: readonly PageEvent[];
  readonly deliveries: readonly PageDelivery[];
  readonly attempts: readonly PageAttempt[];
  readonly entries: readonly PageEntry[];
  readonly notes: readonly PageNote[];
  /** When its payment page was first opened. */
  readonly openedAt: Date | null;
}

const TRANSFER = [
  'id',
  'kind',
  'debit',
  'credit',
  'amount',
  'currency',
  'note',
  'createdAt',
] as const;

export type PageTransfer = Pick<Transfer, (typeof TRANSFER)[number]> & {
  /** Kind of the transfer that this one reverses. */
  readonly reversedKind: TransferKind | null;
};

/** The order's payout and ledger transfers. */
export interface OrderMoney {
  /** The current payout of the order. */
  readonly payout: Pick<Payout, 'id' | 'status'> | null;
  /** Oldest first. */
  readonly transfers: readonly PageTransfer[];
}

const PAYMENTS: Statement = {
  name: 'order_page_payments',
  text: `SELECT ${columnsOf('p', Payment)} FROM payments p WHERE p.merchant_id = $1 AND p.txid = $2
    ORDER BY p.created_at, p.id`,
};

const EVENTS: Statement = {
  name: 'order_page_events',
  text: `SELECT e.id, e.sequence, e.type, e.data, e.created_at AS "createdAt" FROM events e
    WHERE e.merchant_id = $1 AND e.txid = $2 ORDER BY e.sequence LIMIT ${EVENTS_MAX}`,
};

/** Finds deliveries by the order's events: avoids an index of deliveries by order. */
const DELIVERIES: Statement = {
  name: 'order_page_deliveries',
  text: `SELECT ${columnsOf('d', Delivery, DELIVERY)}, t.url, t.deleted_at IS NOT NULL AS "isEndpointDeleted", r.email
    FROM (
      SELECT d.* FROM events e JOIN webhook_endpoints t ON t.merchant_id = e.merchant_id
      JOIN deliveries d ON d.merchant_id = e.merchant_id AND d.endpoint_id = t.id
        AND d.event_id = e.id AND NOT d.resent
      WHERE e.merchant_id = $1 AND e.txid = $2
      UNION ALL
      SELECT d.* FROM events e JOIN notification_recipients t ON t.merchant_id = e.merchant_id
      JOIN deliveries d ON d.merchant_id = e.merchant_id AND d.recipient_id = t.id
        AND d.event_id = e.id AND NOT d.resent
      WHERE e.merchant_id = $1 AND e.txid = $2
      UNION ALL
      SELECT d.* FROM deliveries d WHERE d.merchant_id = $1 AND d.txid = $2 AND d.resent
    ) d
    LEFT JOIN webhook_endpoints t ON t.merchant_id = d.merchant_id AND t.id = d.endpoint_id
    LEFT JOIN notification_recipients r ON r.merchant_id = d.merchant_id AND r.id = d.recipient_id
    ORDER BY d.created_at, d.sequence, d.id LIMIT ${DELIVERIES_MAX}`,
};

const ATTEMPTS: Statement = {
  name: 'order_page_attempts',
  text: `SELECT a.delivery_id AS "deliveryId", a.number, a.started_at AS "startedAt",
      a.duration_ms AS "durationMs", a.succeeded, a.status_code AS "statusCode", a.error
    FROM delivery_attempts a WHERE a.merchant_id = $1 AND a.delivery_id = ANY ($2::uuid[])
    ORDER BY a.delivery_id, a.number LIMIT ${ATTEMPTS_MAX}`,
};

const ENTRIES: Statement = {
  name: 'order_page_entries',
  text: `SELECT a.id, a.action, a.data, a.created_at AS "createdAt", u.name AS "userName"
    FROM audit_entries a LEFT JOIN users u ON u.id = a.user_id
    WHERE a.merchant_id = $1 AND a.subject = $2 AND a.action <> '${NOTED}'
    ORDER BY a.id DESC LIMIT ${ENTRIES_MAX}`,
};

const NOTES: Statement = {
  name: 'order_page_notes',
  text: `SELECT n.id, n.text, n.created_at AS "createdAt", u.name AS "userName"
    FROM order_notes n JOIN users u ON u.id = n.user_id
    WHERE n.merchant_id = $1 AND n.txid = $2 ORDER BY n.id DESC LIMIT ${NOTES_MAX}`,
};

const OPENED: Statement = {
  name: 'order_page_opened',
  text: `SELECT opened_at AS "openedAt" FROM page_openings WHERE merchant_id = $1 AND txid = $2`,
};

const PAYOUT: Statement = {
  name: 'order_page_payout',
  text: `SELECT payout.id, payout.status FROM orders o ${PAYOUT_OF_ORDER}
    WHERE o.merchant_id = $1 AND o.txid = $2 AND payout.id IS NOT NULL`,
};

/** Finds transfers by the order's payments: avoids an index of transfers by order. */
const TRANSFERS: Statement = {
  name: 'order_page_transfers',
  text: `WITH caused AS (
      SELECT t.* FROM payments p JOIN transfers t ON t.merchant_id = p.merchant_id
        AND t.payment_id = p.id AND t.kind <> 'reversal'
      WHERE p.merchant_id = $1 AND p.txid = $2
    )
    SELECT ${columnsOf('t', Transfer, TRANSFER)}, NULL AS "reversedKind" FROM caused t
    UNION ALL
    SELECT ${columnsOf('t', Transfer, TRANSFER)}, c.kind FROM caused c
    JOIN transfers t ON t.merchant_id = c.merchant_id AND t.reverses_id = c.id
    ORDER BY "createdAt", id`,
};

/** Queries for an order's page: everything beside the order itself. */
@Injectable()
export class OrderPageRepository {
  constructor(private readonly database: Database) {}

  async traces({ merchantId, txid }: OrderKey): Promise<OrderTraces> {
    const key = [merchantId, txid];
    const [payments, events, deliveries, entries, notes, [opened]] = await Promise.all([
      this.database.query<Payment>(PAYMENTS, key),
      this.database.query<PageEvent>(EVENTS, key),
      this.database.query<PageDelivery>(DELIVERIES, key),
      this.database.query<PageEntry>(ENTRIES, key),
      this.database.query<PageNote>(NOTES, key),
      this.database.query<PageOpening>(OPENED, key),
    ]);
    const ids = deliveries.map(({ id }) => id);
    const attempts =
      ids.length === 0 ? [] : await this.database.query<PageAttempt>(ATTEMPTS, [merchantId, ids]);
    return {
      payments,
      events,
      deliveries,
      attempts,
      entries: entries.reverse(),
      notes: notes.reverse(),
      openedAt: opened?.openedAt ?? null,
    };
  }

  /** @returns false when the order has the maximum number of notes */
  async insertNote(tx: EntityManager, note: OrderNote): Promise<boolean> {
    const { merchantId, txid } = note;
    if ((await tx.countBy(OrderNote, { merchantId, txid })) >= NOTES_MAX) return false;
    await tx.insert(OrderNote, note);
    return true;
  }

  async money({ merchantId, txid }: OrderKey): Promise<OrderMoney> {
    const key = [merchantId, txid];
    const [[payout = null], transfers] = await Promise.all([
      this.database.query<NonNullable<OrderMoney['payout']>>(PAYOUT, key),
      this.database.query<PageTransfer>(TRANSFERS, key),
    ]);
    return { payout, transfers };
  }
}
