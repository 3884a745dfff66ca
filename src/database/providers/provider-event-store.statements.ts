import type { Statement } from '../database.js';
import { dueBy, LEASE } from '../due.js';
import { insertOf, membersOf, recordOf, setOf } from '../entity-sql.js';
import { lookup } from '../lookup.js';
import { NEW_TRANSFER, takenByItsFee } from '../ledger/ledger.statements.js';
import { Transfer } from '../ledger/transfer.entity.js';
import { QUEUE_MAILS, QUEUE_WEBHOOKS, SNAPSHOT } from '../notifications/delivery.statements.js';
import { Order } from '../orders/order.entity.js';
import { ORDER_WITH_PAYMENT_COLUMNS, PAYMENT_PREFIX } from '../orders/order.rows.js';
import { Payment } from '../payments/payment.entity.js';
import { PRICE, PRICE_JOIN } from '../payments/payment.rows.js';
import { ProviderEvent } from './provider-event.entity.js';

/** What is written of a message. */
export const NEW_EVENT = [
  'merchantId',
  'id',
  'provider',
  'accountId',
  'mode',
  'providerEventId',
  'paymentId',
  'report',
  'body',
  'receivedAt',
  'appliedAt',
  'result',
  'nextAttemptAt',
] as const;

/** What becomes different of an order that a payment pays in full, and of that payment. */
export const PAID_ORDER = [
  'status',
  'statusReason',
  'exception',
  'amountReceived',
  'fee',
  'paidAt',
  'paymentId',
  'updatedAt',
  'version',
] as const;
export const PAID_PAYMENT = [
  'status',
  'amountReceived',
  'receivedCurrency',
  'completesOrder',
  'payerAccountNumber',
  'payerAccountType',
  'payerAccountName',
  'errorCode',
  'errorMessage',
  'nextLookAt',
  'completedAt',
] as const;

export const ORDER_PREFIX = 'order.';

/** A pending payment with its order, and what its merchant pays for an order that it completes. */
export const WAITING_ORDER = lookup(
  'order_that_waits',
  { merchantId: 'uuid', paymentId: 'uuid' },
  ({ merchantId, paymentId }) => `
    SELECT ${ORDER_WITH_PAYMENT_COLUMNS}, ${PRICE} AS price FROM payments p
    JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid ${PRICE_JOIN}
    WHERE p.merchant_id = ${merchantId} AND p.id = ${paymentId} AND p.status = 'pending'
      AND o.status = 'processing' AND o.erased_at IS NULL`,
);

const message = membersOf('asked', NEW_EVENT);
const order = membersOf('a', PAID_ORDER, ORDER_PREFIX);
const payment = membersOf('a', PAID_PAYMENT, PAYMENT_PREFIX);
const transfer = membersOf('t', NEW_TRANSFER);

/**
 * Messages, and of those that pay an order in full all that follows: payment, transfers, order, event and
 * deliveries. Nobody waits for a lock: where the order is not any more as it was read, or somebody else
 * has it, the message is stored and not applied. Of an order it takes one message at a time.
 */
export const STORE: Statement = {
  name: 'provider_events_store',
  text: `
    WITH asked AS (
      SELECT * FROM json_to_recordset($1) AS asked (${recordOf(ProviderEvent, NEW_EVENT)},
        txid uuid, "versionBefore" integer, "eventId" uuid, "eventType" text, "eventData" jsonb,
        transfers json, ${recordOf(Order, PAID_ORDER, ORDER_PREFIX)},
        ${recordOf(Payment, PAID_PAYMENT, PAYMENT_PREFIX)})
    ), locked AS (
      SELECT asked.id FROM asked CROSS JOIN LATERAL (
        SELECT FROM orders o JOIN payments p ON p.merchant_id = o.merchant_id AND p.txid = o.txid
        WHERE o.merchant_id = ${message.merchantId} AND o.txid = asked.txid
          AND o.version = asked."versionBefore" AND o.status = 'processing' AND o.erased_at IS NULL
          AND p.merchant_id = ${message.merchantId} AND p.id = ${message.paymentId}
          AND p.status = 'pending'
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ) one WHERE asked.txid IS NOT NULL
    ), stored AS (
      ${insertOf(
        ProviderEvent,
        {
          ...message,
          appliedAt: `CASE WHEN l.id IS NULL THEN ${message.appliedAt} ELSE ${message.receivedAt} END`,
          result: `CASE WHEN l.id IS NULL THEN ${message.result} ELSE 'applied' END`,
          nextAttemptAt: dueBy(message.nextAttemptAt, LEASE),
        },
        `FROM asked LEFT JOIN locked l ON l.id = ${message.id} ORDER BY ${message.providerEventId}`,
      )}
      ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING
      RETURNING id
    ), applied AS (
      SELECT asked.* FROM stored JOIN locked USING (id) JOIN asked USING (id)
    ), paid AS (
      UPDATE payments p SET ${setOf(Payment, payment)} FROM applied a
      WHERE p.merchant_id = a."merchantId" AND p.id = a."paymentId" RETURNING a.*, p AS payment
    ), changed AS (
      UPDATE orders o SET ${setOf(Order, order)} FROM paid a
      WHERE o.merchant_id = a."merchantId" AND o.txid = a.txid
      RETURNING o.*, a."eventId", a."eventType", a."eventData", a.payment
    ), booked AS (
      ${insertOf(
        Transfer,
        {
          ...transfer,
          merchantId: 'a."merchantId"',
          mode: 'a.mode',
          currency: `a."${PAYMENT_PREFIX}receivedCurrency"`,
          txid: 'a.txid',
          paymentId: 'a."paymentId"',
          createdAt: 'a."receivedAt"',
          covered: takenByItsFee('t', 'PARTITION BY a.id'),
        },
        `FROM applied a CROSS JOIN LATERAL
          json_to_recordset(a.transfers) AS t (${recordOf(Transfer, NEW_TRANSFER)})`,
      )}
    ), happened AS (
      INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
      SELECT o.merchant_id, o."eventId", o.txid, o.mode, o.version, o."eventType",
        o."eventData" || ${SNAPSHOT}, o.updated_at
      FROM changed o CROSS JOIN LATERAL (SELECT (o.payment).*) p
      RETURNING *
    ), webhooks AS (${QUEUE_WEBHOOKS}), mails AS (${QUEUE_MAILS})
    SELECT stored.id, locked.id IS NOT NULL AS "isApplied" FROM stored LEFT JOIN locked USING (id)`,
};
