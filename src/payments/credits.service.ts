import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from '../common/ids.js';
import {
  BankAllocationRepository,
  type NewAllocation,
} from '../database/bank/matching/bank-allocation.repository.js';
import type { OrderKey, Owner, PaymentKey } from '../database/keys.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { type Payment, PAYMENTS_MAX } from '../database/payments/payment.entity.js';
import type { PaidOrder } from '../database/payments/paid-order.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { PricedPayment } from '../database/payments/payment.rows.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import type { Payer } from '../providers/provider.js';
import { StatusService } from '../status/status.service.js';
import {
  allocationOf,
  type Credit,
  type HeldCredit,
  type HeldOrder,
  isInTime,
  outcomeOf,
  plainlyCredited,
  waitingOf,
} from './credit.js';
import { FastPathPaymentsService } from './fast-path-payments.service.js';
import { expiry } from './settlement.js';
import { SettlementService } from './settlement.service.js';
import { transferNameOf } from './transfers.service.js';

/**
 * The only way in which bank lines become payments. Lock order: the caller holds the lock of the line, then orders are
 * locked.
 */
@Injectable()
export class CreditsService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly settlement: SettlementService,
    private readonly plainPayments: FastPathPaymentsService,
    private readonly status: StatusService,
  ) {}

  /**
   * Locks orders in a consistent order.
   * @returns existing orders by txid
   */
  async hold(
    tx: EntityManager,
    keys: readonly (Owner & OrderKey)[],
  ): Promise<Map<string, HeldOrder>> {
    const modes = new Map(keys.map(({ txid, mode }) => [txid, mode]));
    const locked = await this.orders.lockAll(tx, keys);
    const orders = locked.filter(({ txid, mode }) => modes.get(txid) === mode);
    const all = Map.groupBy(await this.payments.ofOrders(tx, orders), ({ txid }) => txid);
    return new Map(
      orders.map((order) => [order.txid, { order, payments: all.get(order.txid) ?? [] }]),
    );
  }

  /** Whether the order can have one more payment by transfer. */
  hasRoom({ payments }: HeldOrder): boolean {
    return payments.length < PAYMENTS_MAX || waitingOf(payments) !== undefined;
  }

  /**
   * Pays an order, or a part of it, with money of a line. If the order's last day had passed when the bank booked the
   * money, the order expires first, and the money is late.
   * @returns the updated payment
   * @throws Error if the order does not exist, or can have no more payments
   */
  async credit(
    tx: EntityManager,
    key: Owner & OrderKey,
    credit: Credit,
    now: Date,
  ): Promise<Payment> {
    const held = (await this.hold(tx, [key])).get(key.txid);
    if (!held) throw new Error('there is no such order in that mode');
    const paid = await this.pay(tx, held, credit, now);
    await this.allocations.insert(tx, [paid]);
    return (await this.payments.findIn(tx, { merchantId: key.merchantId, id: paid.paymentId }))!;
  }

  /**
   * Credits locked orders, each once.
   * @throws Error if one of them can have no more payments
   */
  async creditAll(tx: EntityManager, credits: readonly HeldCredit[], now: Date): Promise<void> {
    const allocations: NewAllocation[] = [];
    const plain: PaidOrder[] = [];
    for (const { held, credit } of credits) {
      const paid = plainlyCredited(held, credit, now);
      if (paid) plain.push(paid);
      allocations.push(
        paid ? allocationOf(paid.payment, credit, now) : await this.pay(tx, held, credit, now),
      );
    }
    await this.plainPayments.pay(tx, plain, now);
    await this.allocations.insert(tx, allocations);
  }

  /**
   * Adds missing payer details; known ones stay.
   * @returns null if no line of the mode paid it, or the match was undone: then it is not the order's payer
   */
  async addPayer(
    tx: EntityManager,
    mode: Mode,
    key: PaymentKey,
    payer: Payer,
    now: Date,
  ): Promise<Payment | null> {
    const order = await this.orders.lockByPayment(tx, key);
    const payment = order && (await this.payments.findIn(tx, key));
    if (order?.mode !== mode || !payment || !(await this.stands(tx, key))) return null;
    const { amountReceived: amount, receivedCurrency: currency } = payment;
    if (amount === null || currency === null) return null;
    const same = { kind: 'accepted', amount, currency, payer } as const;
    await this.settlement.settle(tx, key, same, undefined, now);
    return this.payments.findIn(tx, key);
  }

  private async stands(tx: EntityManager, { merchantId, id }: PaymentKey): Promise<boolean> {
    const allocation = await this.allocations.findIn(tx, { merchantId, paymentId: id });
    return allocation?.undoneAt === null;
  }

  private async pay(
    tx: EntityManager,
    known: HeldOrder,
    credit: Credit,
    now: Date,
  ): Promise<NewAllocation> {
    const { order, payments } = await this.inTime(tx, known, credit, now);
    const { payment, attempts } = await this.paymentFor(tx, order, payments, credit, now);
    const held = { order, payment };
    const outcome = outcomeOf(credit);
    const result = await this.settlement.settleHeld(tx, held, outcome, undefined, now, attempts);
    if (result !== 'applied') throw new Error(`money of a bank was ${result}`);
    return allocationOf(payment, credit, now);
  }

  /** Order state on the booking day of the money. */
  private async inTime(
    tx: EntityManager,
    held: HeldOrder,
    credit: Credit,
    now: Date,
  ): Promise<HeldOrder> {
    const { order } = held;
    if (!isAwaited(order) || isInTime(order, credit, now)) return held;
    await this.expire(tx, held, now);
    return (await this.hold(tx, [order])).get(order.txid)!;
  }

  /** Expires the waiting payment with its order; money can still arrive for it. */
  private async expire(
    tx: EntityManager,
    { order, payments }: HeldOrder,
    now: Date,
  ): Promise<void> {
    if (order.status === 'open') {
      await this.status.move(tx, order, expiry(order), now);
      return;
    }
    const payment = payments.find(({ id }) => id === order.paymentId)!;
    const ended = { kind: 'voided', because: 'expired' } as const;
    await this.settlement.settleHeld(tx, { order, payment }, ended, undefined, now);
  }

  /** The waiting payment, or a new one, which counts as an attempt. */
  private async paymentFor(
    tx: EntityManager,
    order: Order,
    payments: readonly PricedPayment[],
    credit: Credit,
    now: Date,
  ): Promise<{ payment: PricedPayment; attempts?: number }> {
    const waiting = waitingOf(payments);
    if (waiting) return { payment: waiting };
    if (payments.length >= PAYMENTS_MAX) throw new Error('an order has too many payments');
    const transfer = await this.allocations.formOf(tx, order);
    const place = payments.filter(({ provider }) => provider === BANK_TRANSFER).length + 1;
    const payment = await this.payments.insertArriving(tx, {
      merchantId: order.merchantId,
      id: uuidv7(now.getTime()),
      txid: order.txid,
      provider: BANK_TRANSFER,
      method: BANK_TRANSFER,
      amount: Math.max(order.amount - order.amountReceived, 0) || credit.amount,
      currency: order.currency,
      providerReference: transfer && transferNameOf(transfer.reference, place),
      transfer,
      nextPollAt: null,
      createdAt: now,
    });
    return { payment, attempts: order.attempts + 1 };
  }
}

/** An order that still waits can be paid by transfer. */
const isAwaited = (order: Order): boolean => order.status === 'open' || awaitsTransfer(order);
