import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { deadlineDay, endOfDay, nextBankDay } from '../common/time/bank-days.js';
import { Clock } from '../common/time/clock.js';
import { TransferReferenceRepository } from '../database/bank/matching/transfer-reference.repository.js';
import { Database } from '../database/database.js';
import type { Owner } from '../database/keys.js';
import {
  type EditableOrderFields,
  awaitsTransfer,
  type Order,
  type OrderWithPayment,
} from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { Problem } from '../http/problems/problem.js';
import { stay } from '../payments/settlement.js';
import { StatusService } from '../status/status.service.js';
import { askedAnew, type UpdateOrderRequest } from './dto/update-order.request.js';

/** ETag of an order; changes with each of its events. */
export const etagOf = ({ version }: Pick<Order, 'version'>): string => `"${version}"`;

/** Idempotent answer of a change, in its transaction. */
export interface AnsweredOnce<Answer> {
  /** Answer of an earlier request with the same key. */
  readonly earlier: (tx: EntityManager) => Promise<Answer | null>;
  readonly answer: (tx: EntityManager, order: OrderWithPayment) => Promise<Answer>;
}

/**
 * Changes an order while no payment is in progress. While it awaits a transfer, only what the payer has not received
 * can change. Its amount never changes after the payer has received transfer details: a transfer of another amount may
 * be on its way, and would pay the order.
 */
@Injectable()
export class OrderUpdateService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly references: TransferReferenceRepository,
    private readonly status: StatusService,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs behind the order's lock, like the start of a payment, so that the payer sees one amount or the other.
   * Unchanged values cause no event.
   * @param tags accepted ETags; undefined = any
   * @param once idempotency: a repeat that waited for the lock gets the first answer, whatever the order is now
   * @throws Problem `order_not_found`, `order_changed`, `payment_in_progress`, `order_not_changeable`
   */
  update<Answer>(
    owner: Owner,
    txid: string,
    request: UpdateOrderRequest,
    tags: readonly string[] | undefined,
    once: AnsweredOnce<Answer>,
  ): Promise<Answer> {
    return this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const order = await this.orders.lock(tx, owner.merchantId, txid);
      if (order?.mode !== owner.mode) throw new Problem('order_not_found');
      const earlier = await once.earlier(tx);
      if (earlier) return earlier;
      assertMatches(order, tags);
      const wanted = differing(order, askedAnew(request, now));
      assertChangeable(order, wanted, now);
      if (wanted.amount !== undefined && (await this.references.isIssued(tx, order)))
        throw notChangeable(order, 'The payer has transfer details with this amount.');
      const edits = differing(order, onBankDay(order, wanted));
      if (Object.keys(edits).length > 0) {
        if (edits.expiresAt && order.attempts > 0)
          await this.references.moveDay(tx, order, deadlineDay(edits.expiresAt));
        await this.status.move(tx, order, stay(order, { edits }), now);
      }
      return once.answer(tx, (await this.orders.findIn(tx, owner, txid))!);
    });
  }
}

function differing(
  order: Order,
  edits: Partial<EditableOrderFields>,
): Partial<EditableOrderFields> {
  const others = Object.entries(edits).filter(
    ([name, value]) => !isDeepStrictEqual(value, order[name as keyof EditableOrderFields]),
  );
  return Object.fromEntries(others);
}

/** Waiting for a transfer ends with a bank day. */
function onBankDay(
  order: Order,
  edits: Partial<EditableOrderFields>,
): Partial<EditableOrderFields> {
  if (!edits.expiresAt || !awaitsTransfer(order)) return edits;
  return { ...edits, expiresAt: endOfDay(nextBankDay(deadlineDay(edits.expiresAt))) };
}

function assertMatches(order: Order, tags: readonly string[] | undefined): void {
  if (!tags || tags.includes('*') || tags.includes(etagOf(order))) return;
  throw new Problem('order_changed', { members: { txid: order.txid, orderStatus: order.status } });
}

/** A payer with transfer details may have sent the money: amount and day are fixed, but the day can become later. */
const isFree = (order: Order, { amount, expiresAt }: Partial<EditableOrderFields>): boolean =>
  amount === undefined && (expiresAt === undefined || expiresAt >= order.expiresAt);

function assertChangeable(order: Order, edits: Partial<EditableOrderFields>, now: Date): void {
  const { amount } = edits;
  const { txid, status, amountReceived, exception } = order;
  const members = { txid, orderStatus: status };
  const waits = awaitsTransfer(order);
  if (status === 'processing' && !(waits && isFree(order, edits)))
    throw new Problem('payment_in_progress', { members });
  if ((status !== 'open' && !waits) || order.expiresAt <= now) {
    throw new Problem('order_not_changeable', { members });
  }
  if (amount === undefined || (amountReceived === 0 && exception === 'none')) return;
  throw notChangeable(order, 'Money has come for the order.');
}

const notChangeable = ({ txid, status }: Order, reason: string): Problem =>
  new Problem('order_not_changeable', {
    detail: `${reason} The amount of the order stays as it is.`,
    members: { txid, orderStatus: status },
  });
