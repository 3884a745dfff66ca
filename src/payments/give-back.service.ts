import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BankAllocation } from '../database/bank/matching/bank-allocation.entity.js';
import { BankAllocationRepository } from '../database/bank/matching/bank-allocation.repository.js';
import type { BankReturn } from '../database/bank/matching/bank-return.entity.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { PricedPayment } from '../database/payments/payment.rows.js';
import { feeOf } from '../ledger/fee.js';
import { LedgerService } from '../ledger/ledger.service.js';
import type { OrderChange } from '../status/order-change.js';
import { StatusService } from '../status/status.service.js';
import { withReturnUndone } from './given-back.js';

/**
 * Undoes a return, so that the payment counts again. If other money has made up for it, the surplus is an overpayment.
 * Lock order: the caller holds the locks of the lines, then orders are locked.
 */
@Injectable()
export class GiveBackService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly status: StatusService,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * @param allocation state behind the lock of its line
   * @param userId the operator; recorded for the separation of duties
   * @returns false if the return was undone before
   */
  async giveBack(
    tx: EntityManager,
    allocation: BankAllocation,
    returned: BankReturn,
    userId: string,
    now: Date,
  ): Promise<boolean> {
    const { merchantId, txid, paymentId: id } = allocation;
    const order = await this.orders.lock(tx, merchantId, txid);
    const payment = await this.payments.findIn(tx, { merchantId, id });
    if (!order || !payment) throw new Error('an allocation has no order or no payment');
    if (!(await this.allocations.undoReturn(tx, returned, userId, now))) return false;
    await this.allocations.reactivate(tx, allocation);
    const { amount } = returned;
    const owed = order.status === 'paid' ? await this.owed(tx, order) : 0;
    const counts = Math.min(owed, amount);
    const change = withReturnUndone({ order, payment, amount, owed: owed - counts });
    const completes = change.to === 'paid' && order.status !== 'paid';
    const fee = completes ? feeOf(order.amount, payment.price) : 0;
    const booked = { amount, counts: completes ? order.amount : counts, fee };
    await this.ledger.returnUndone(tx, order, payment, booked);
    if (completes) await this.complete(tx, order, payment, { ...change, fee }, now);
    else await this.status.move(tx, order, change, now);
    return true;
  }

  private async owed(tx: EntityManager, order: Order): Promise<number> {
    const { own, price } = await this.ledger.share(tx, order);
    return Math.max(price - own, 0);
  }

  /** Other parts arrived meanwhile and complete the price with this one. */
  private async complete(
    tx: EntityManager,
    order: Order,
    payment: PricedPayment,
    change: OrderChange,
    now: Date,
  ): Promise<void> {
    const { merchantId } = order;
    if (awaitsTransfer(order)) {
      const awaited = { merchantId, id: order.paymentId! };
      await this.payments.change(tx, awaited, { status: 'cancelled', completedAt: now });
    }
    await this.payments.change(tx, payment, { completesOrder: true });
    await this.status.move(tx, order, change, now);
  }
}
