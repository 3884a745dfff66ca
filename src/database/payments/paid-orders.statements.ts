import { insertOf, columnRefs, recordOf, setOf } from '../entity-sql.js';
import { NEW_TRANSFER, takenByItsFee } from '../ledger/ledger.statements.js';
import { Transfer } from '../ledger/transfer.entity.js';
import { QUEUE_MAILS, QUEUE_WEBHOOKS, SNAPSHOT } from '../notifications/delivery.statements.js';
import { Order } from '../orders/order.entity.js';
import { PAYMENT_PREFIX } from '../orders/order.rows.js';
import { Payment } from './payment.entity.js';

/** Columns of order and payment that change when a payment pays an order in full. */
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
  'nextPollAt',
  'completedAt',
] as const;

export const ORDER_PREFIX = 'order.';

/** Columns of `json_to_recordset` for `paidRow`. */
export const PAID_RECORD = `txid uuid, "versionBefore" integer, "eventId" uuid, "eventType" text,
  "eventData" jsonb, transfers json, ${recordOf(Order, PAID_ORDER, ORDER_PREFIX)},
  ${recordOf(Payment, PAID_PAYMENT, PAYMENT_PREFIX)}`;

const order = columnRefs('a', PAID_ORDER, ORDER_PREFIX);
const payment = columnRefs('a', PAID_PAYMENT, PAYMENT_PREFIX);
const transfer = columnRefs('t', NEW_TRANSFER);

/**
 * CTEs that store the results for each row of the CTE `applied`, an order paid in full: payments, transfers, orders,
 * events and deliveries. `applied` holds the orders' locks, and has the columns of `PAID_RECORD`, "merchantId", mode,
 * "paymentId" and "receivedAt".
 */
export const PAID_IN_FULL = `paid AS (
      UPDATE payments p SET ${setOf(Payment, payment)} FROM applied a
      WHERE p.merchant_id = a."merchantId" AND p.id = a."paymentId" RETURNING a.*, p AS payment
    ), changed AS (
      UPDATE orders o SET ${setOf(Order, order)} FROM paid a
      WHERE o.merchant_id = a."merchantId" AND o.txid = a.txid AND o.version = a."versionBefore"
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
          covered: takenByItsFee('t', 'PARTITION BY a."paymentId"'),
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
    ), webhooks AS (${QUEUE_WEBHOOKS}), mails AS (${QUEUE_MAILS})`;

/** For orders that the transaction has locked. */
export const PAY_IN_FULL = `
    WITH applied AS (
      SELECT * FROM json_to_recordset($1) AS a ("merchantId" uuid, mode text, "paymentId" uuid,
        "receivedAt" timestamptz, ${PAID_RECORD})
    ), ${PAID_IN_FULL}
    SELECT txid FROM changed`;
