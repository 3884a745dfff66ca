import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import type { Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { DeliverySignal } from '../notifications/delivery-signal.js';
import { type OrderChange, planChange } from './order-change.js';
import { OrderMetrics } from './order-metrics.js';
import { OrderUpdates } from './order-updates.js';

/** The only place that changes the status of an order. */
@Injectable()
export class StatusService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly updates: OrderUpdates,
    private readonly deliverySignal: DeliverySignal,
    private readonly metrics: OrderMetrics,
  ) {}

  /**
   * Changes the order and appends its events, in the caller's transaction. The caller holds the order's lock. No-op if
   * the order is already in that state.
   * @throws Error for a transition that the table does not allow
   */
  async move(tx: EntityManager, order: Order, change: OrderChange, now: Date): Promise<Order> {
    const plan = planChange(order, change, now);
    if (!plan) return order;
    const changed = await this.orders.change(tx, order, plan.patch, plan.events, plan.at);
    if (!changed) throw new Error('an order changed although it was locked');
    this.database.afterCommit(tx, () => this.changed(order, changed));
    return changed;
  }

  /** Signals all listeners of this process that the order changed. */
  changed(before: Order, { status }: Pick<Order, 'status'>): void {
    if (status !== before.status) this.metrics.orders.inc({ status });
    this.updates.changed(before.pageToken);
    this.deliverySignal.wake();
  }
}
