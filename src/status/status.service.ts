import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Order } from '../database/entities/order.entity.js';
import { OrderRepository } from '../database/repositories/order.repository.js';
import { type OrderChange, planChange } from './order-change.js';
import { Tally } from './tally.js';

/** The only door through which an order changes. */
@Injectable()
export class StatusService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly tally: Tally,
  ) {}

  /**
   * Changes the order and appends its events, in the caller's transaction. The caller holds the
   * order's lock. Moving to where the order is already does nothing.
   * @throws Error for a move that the transition table does not allow
   */
  async move(tx: EntityManager, order: Order, change: OrderChange, now: Date): Promise<Order> {
    const plan = planChange(order, change, now);
    if (!plan) return order;
    const changed = await this.orders.change(tx, order, plan.patch, plan.events, now);
    if (!changed) throw new Error('an order changed although it was locked');
    if (changed.status !== order.status) this.tally.orders.inc({ status: changed.status });
    return changed;
  }
}
