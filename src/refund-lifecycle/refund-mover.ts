import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import type { RefundSnapshot } from '../database/notifications/event.entity.js';
import type { Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import {
  type NewRefund,
  type Refund,
  REFUND_SNAPSHOT,
  type RefundPatch,
  type RefundStatus,
} from '../database/refunds/refund.entity.js';
import { RefundRepository } from '../database/refunds/refund.repository.js';
import { Problem } from '../http/problems/problem.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { exceptionOfPaid } from '../payments/owed-again.js';
import { stay } from '../payments/settlement.js';
import type { OrderChange } from '../status/order-change.js';
import { StatusService } from '../status/status.service.js';
import { eventOf, isPending, refundMovesOf } from './refund-moves.js';

/** A refund with its order, both locked, and its payment. */
export interface LockedRefund {
  readonly order: Order;
  readonly refund: Refund;
  readonly payment: Pick<Payment, 'id' | 'provider'>;
}

/**
 * The only place that creates refunds and changes their status. Each step books its transfers, changes the order's sums
 * and appends an event of the order. Lock order: order, refund, balance.
 */
@Injectable()
export class RefundMover {
  constructor(
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly refunds: RefundRepository,
    private readonly ledger: LedgerService,
    private readonly status: StatusService,
    private readonly clock: Clock,
  ) {}

  /** Locks a refund and its order, in this order. */
  async lock(
    tx: EntityManager,
    { merchantId, id, txid }: Pick<Refund, 'merchantId' | 'id' | 'txid'>,
  ): Promise<LockedRefund> {
    const order = await this.orders.lock(tx, merchantId, txid);
    const refund = await this.refunds.lock(tx, { merchantId, id });
    const payment =
      refund && (await this.payments.findIn(tx, { merchantId, id: refund.paymentId }));
    if (!order || !payment) throw new Error('a refund has no order or no payment');
    return { order, refund, payment };
  }

  /** Creates a requested refund and reserves its money. The caller has locked the order, and the balance if needed. */
  async request(
    tx: EntityManager,
    order: Order,
    payment: Pick<Payment, 'id' | 'provider'>,
    fresh: NewRefund,
  ): Promise<LockedRefund> {
    const refund = await this.refunds.insert(tx, fresh);
    await this.ledger.refundMoved(tx, refund, payment, 'refund_reserved');
    const change = { refundMove: moveOf(refund, refund.amount) };
    const changed = await this.status.move(tx, order, stay(order, change), refund.createdAt);
    return { order: changed, refund, payment };
  }

  /** Ends the wait for the payer's account of a locked refund. */
  payeeEntered(tx: EntityManager, refund: Refund): Promise<Refund> {
    const { status, createdAt } = refund;
    const now = this.clock.now();
    const updatedAt = now < createdAt ? createdAt : now;
    const patch = { status, statusReason: null, nextAttemptAt: null, updatedAt, completedAt: null };
    return this.refunds.change(tx, refund, patch);
  }

  /** @throws Problem `refund_not_cancelable` for an invalid transition */
  async move(
    tx: EntityManager,
    { order, refund, payment }: LockedRefund,
    to: RefundStatus,
    patch: RefundPatch = {},
  ): Promise<LockedRefund> {
    const booking = refundMovesOf(refund.status)[to];
    if (!booking) throw notPossible(refund, to);
    const now = this.clock.now();
    const { createdAt, amount, currency } = refund;
    const updatedAt = now < createdAt ? createdAt : now;
    const changed = await this.refunds.change(tx, refund, {
      ...patch,
      ...(isPending(to) ? {} : { nextAttemptAt: null }),
      status: to,
      updatedAt,
      completedAt: isPending(to) ? null : updatedAt,
    });
    if (booking !== 'nothing') await this.ledger.refundMoved(tx, changed, payment, booking);
    const ends = isPending(refund.status) && !isPending(to);
    const refunded = { refund_paid: amount, refund_returned: -amount }[booking as string];
    const change: Partial<OrderChange> = {
      refundMove: moveOf(changed, ends ? -amount : 0),
      ...(refunded === undefined
        ? {}
        : { refund: { amount: refunded, currency }, exception: exceptionAfter(order, refunded) }),
    };
    const moved = await this.status.move(tx, order, stay(order, change), now);
    return { order: moved, refund: changed, payment };
  }
}

/** Whether the order still has more money than its amount, once so much more was refunded. */
function exceptionAfter(order: Order, refunded: number): Order['exception'] {
  if (order.exception === 'charged_back') return order.exception;
  const amountRefunded = order.amountRefunded + refunded;
  return exceptionOfPaid({ ...order, amountRefunded }, order.amountReceived, 0);
}

const moveOf = (refund: Refund, pending: number): NonNullable<OrderChange['refundMove']> => ({
  type: eventOf(refund.status),
  refund: snapshotOf(refund),
  pending,
});

const snapshotOf = (refund: Refund): RefundSnapshot =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(REFUND_SNAPSHOT.map((name) => [name, refund[name]]))),
  ) as RefundSnapshot;

const notPossible = ({ id, status }: Refund, to: RefundStatus): Problem =>
  new Problem('refund_not_cancelable', {
    detail: `The status of the refund is ${status}, and cannot become ${to}.`,
    members: { refundId: id, refundStatus: status },
  });
