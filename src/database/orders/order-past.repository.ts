import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OrderKey } from '../keys.js';
import type { OrderStatus } from './order.entity.js';

/** An order's state before it was paid, from its events. */
export interface OrderPast {
  readonly status: OrderStatus;
  readonly statusReason: string | null;
  /** The status reason after the payer's last choice of a payment method. */
  readonly lastWait: string | null;
  /** Whether there is a last day for a transfer. */
  readonly isTransferTold: boolean;
}

/** Demo orders have no first event. */
const PAST = `
  SELECT coalesce(b.data ->> 'status', 'open') AS status, b.data ->> 'statusReason' AS "statusReason",
    w.data ->> 'statusReason' AS "lastWait",
    EXISTS (SELECT FROM transfer_references r WHERE r.merchant_id = o.merchant_id
      AND r.txid = o.txid AND r.waits_until IS NOT NULL) AS "isTransferTold"
  FROM orders o
  LEFT JOIN LATERAL (
    SELECT data FROM events e WHERE e.merchant_id = o.merchant_id AND e.txid = o.txid
      AND e.data ->> 'status' <> 'paid' ORDER BY e.sequence DESC LIMIT 1
  ) b ON true
  LEFT JOIN LATERAL (
    SELECT data FROM events e WHERE e.merchant_id = o.merchant_id AND e.txid = o.txid
      AND e.type IN ('order.processing', 'order.reopened') AND e.data ->> 'status' = 'processing'
    ORDER BY e.sequence DESC LIMIT 1
  ) w ON true
  WHERE o.merchant_id = $1 AND o.txid = $2`;

/** Reads previous states of orders. */
@Injectable()
export class OrderPastRepository {
  /** The caller holds the order's lock. */
  async find(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<OrderPast> {
    const [row] = await tx.query<[OrderPast]>(PAST, [merchantId, txid]);
    return row;
  }
}
