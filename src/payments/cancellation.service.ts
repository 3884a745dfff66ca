import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { Database } from '../database/database.js';
import type { Order, OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { Problem } from '../http/problems/problem.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import { isCancelable, mayBeCancelled } from '../lifecycle/cancelable.js';
import { StatusService } from '../status/status.service.js';
import { PaymentsService } from './payments.service.js';
import type { Owner } from '../database/keys.js';

/** Retries when another process changes the order during the cancellation. */
const ROUNDS_MAX = 3;

type By = 'by_merchant' | 'by_payer';

@Injectable()
export class CancellationService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentsService,
    private readonly status: StatusService,
    private readonly providers: ProviderRegistry,
    private readonly clock: Clock,
  ) {}

  isCancelable(order: OrderWithPayment): boolean {
    return isCancelable(order, this.providers);
  }

  /**
   * Voids a live payment at its provider, then cancels the order. Money received so far needs attention by an operator.
   * Cancelling a cancelled order changes nothing.
   * @throws Problem `order_not_found`, `order_not_cancelable`
   */
  async cancel(owner: Owner, txid: string, by: By): Promise<OrderWithPayment> {
    for (let round = 1; ; round++) {
      const order = await this.orders.find(owner, { txid });
      if (!order) throw new Problem('order_not_found');
      if (order.status === 'cancelled') return order;
      if (!mayBeCancelled(order, this.providers) || round > ROUNDS_MAX) throw notCancelable(order);
      if (order.status === 'open') {
        await this.database.transaction((tx) => this.cancelOpen(tx, order, by));
      } else if (!(await this.voidPayment(order, by))) return this.cancelledMeanwhile(owner, order);
    }
  }

  /** Another process may have voided the payment. */
  private async cancelledMeanwhile(owner: Owner, before: Order): Promise<OrderWithPayment> {
    const order = await this.orders.find(owner, { txid: before.txid });
    if (order?.status === 'cancelled') return order;
    throw notCancelable(order ?? before);
  }

  private async cancelOpen(tx: EntityManager, order: Order, by: By): Promise<void> {
    const locked = await this.orders.lock(tx, order.merchantId, order.txid);
    if (locked?.status !== 'open') return;
    await this.status.move(tx, locked, { to: 'cancelled', reason: by }, this.clock.now());
  }

  private async voidPayment(order: OrderWithPayment, by: By): Promise<boolean> {
    const { payment } = order;
    if (!payment) return false;
    if (await this.payments.void(payment)) {
      await this.payments.apply(payment, { kind: 'voided', because: by });
      return true;
    }
    // The provider did not void it, probably because it is paid: poll at once.
    await this.payments.poll(payment);
    return false;
  }
}

const notCancelable = (order: Order): Problem =>
  new Problem('order_not_cancelable', {
    detail: `The order is ${order.status} and can no longer be cancelled.`,
    members: { txid: order.txid, orderStatus: order.status },
  });
