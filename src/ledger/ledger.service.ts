import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import {
  type Brought,
  LedgerRepository,
  type OrderShare,
} from '../database/ledger/ledger.repository.js';
import type { Transfer } from '../database/ledger/transfer.entity.js';
import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { BalanceKey, OrderKey, Owner, PaymentKey } from '../database/keys.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import type { Refund } from '../database/refunds/refund.entity.js';
import { Problem } from '../http/problems/problem.js';
import {
  acceptanceOf,
  type Arrival,
  type Booking,
  bookingsOf,
  type PayoutTransferKind,
  refundsOf,
  type RefundTransferKind,
  refundTransfersOf,
  RULES,
  takenBackOf,
  transfersOf,
} from './rules.js';

/** Money of a payment in its original currency. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Source of a transfer of an order. */
interface PaymentCause extends Pick<Payment, 'id' | 'provider'> {
  readonly occurrence?: number;
  readonly note?: string;
}

/** Records transfers in the transaction that causes them. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Books money that arrived with a payment.
   * @param order state before the payment
   * @param occurrence number of this arrival of the payment in the currency, from 1
   */
  async moneyArrived(
    tx: EntityManager,
    order: Order,
    payment: Payment,
    { amount, currency }: Money,
    completes: Arrival['completes'],
    occurrence: number,
  ): Promise<void> {
    const cause = { ...payment, occurrence };
    await this.book(tx, order, cause, currency, bookingsOf({ amount, completes }));
  }

  /**
   * Books accepted late money as payment of its order.
   * @param arrived payments with the money that is left of each, the oldest first; together they cover `counts`
   * @param counts the merchant's part of it, and the price of the order, in minor units
   */
  async moneyAccepted(
    tx: EntityManager,
    order: Order,
    arrived: readonly (Payment & { readonly left: number })[],
    counts: { readonly amount: number; readonly fee: number },
  ): Promise<void> {
    const amounts = arrived.map(({ left }) => left);
    for (const [i, bookings] of acceptanceOf(counts, amounts).entries()) {
      const occurrence = await this.ledger.nextOccurrence(tx, arrived[i]!);
      await this.book(tx, order, { ...arrived[i]!, occurrence }, order.currency, bookings);
    }
  }

  /** Money received from the payment, one entry per currency. */
  brought(tx: EntityManager, payment: PaymentKey): Promise<Brought[]> {
    return this.ledger.brought(tx, payment);
  }

  /** Unallocated funds of the order, in minor units. The caller holds its lock. */
  unallocated(tx: EntityManager, order: Owner & OrderKey, currency: string): Promise<number> {
    return this.ledger.unallocatedIn(tx, order, currency);
  }

  /**
   * What of the order's unallocated funds can only be this payment's, in minor units: other payments may have brought the
   * rest, and the payment's own money may be part of the price.
   */
  async unallocatedOf(
    tx: EntityManager,
    order: Owner & OrderKey & { readonly currency: string },
    paymentId: string,
  ): Promise<number> {
    const payments = await this.ledger.refundable(tx, order, order.currency);
    const others = payments.filter(({ id }) => id !== paymentId);
    const theirs = others.reduce((sum, { left }) => sum + Math.max(left, 0), 0);
    return Math.max((await this.unallocated(tx, order, order.currency)) - theirs, 0);
  }

  /** Unallocated money of the order that was not taken back, by payment id, in minor units. */
  async left(tx: EntityManager, order: Owner & OrderKey & Money): Promise<Map<string, number>> {
    const payments = await this.ledger.refundable(tx, order, order.currency);
    return new Map(payments.map(({ id, left }) => [id, left]));
  }

  /**
   * Books a refund of unallocated funds of the order.
   * @param refund at most what is unallocated
   */
  async moneySentBack(
    tx: EntityManager,
    order: Order,
    { amount, currency, note }: Money & { readonly note: string },
  ): Promise<void> {
    const payments = await this.ledger.refundable(tx, order, currency);
    const parts = refundsOf(
      amount,
      payments.map(({ left }) => left),
    );
    for (const [i, part] of parts.entries()) {
      const { refunds, ...payment } = payments[i]!;
      const cause = { ...payment, occurrence: refunds + 1, note };
      if (part > 0) await this.book(tx, order, cause, currency, [{ kind: 'refund', amount: part }]);
    }
  }

  /**
   * Books money of a payment that is taken back. The available balance may fall below 0; later payments make up for it.
   * @param order state before; the caller holds its lock
   * @returns how much of it was unallocated, in minor units
   */
  async moneyTakenBack(
    tx: EntityManager,
    order: Order,
    payment: Pick<Payment, 'id' | 'provider'>,
    { amount, currency }: Money,
  ): Promise<number> {
    const bookings = takenBackOf(amount, await this.unallocated(tx, order, currency));
    await this.bookAgain(tx, order, payment, currency, bookings);
    return bookings.find(({ kind }) => kind === 'unallocated_back')?.amount ?? 0;
  }

  /**
   * Books that money of a payment was not taken back after all.
   * @param amount of the return
   * @param counts part of the order's unallocated funds that becomes the merchant's
   * @param fee if the order becomes paid, else 0
   */
  async returnUndone(
    tx: EntityManager,
    order: Order,
    payment: Pick<Payment, 'id' | 'provider'>,
    {
      amount,
      counts,
      fee,
    }: { readonly amount: number; readonly counts: number; readonly fee: number },
  ): Promise<void> {
    const bookings: Booking[] = [
      { kind: 'return_undone', amount },
      { kind: 'allocation', amount: counts },
      { kind: 'fee', amount: fee },
    ];
    const moving = bookings.filter((booking) => booking.amount > 0);
    await this.bookAgain(tx, order, payment, order.currency, moving);
  }

  /** Money of an order that was not returned, reversed, sent back or reserved for refunds, in minor units. */
  held(tx: EntityManager, order: Order): Promise<number> {
    return this.ledger.held(tx, order);
  }

  /** The merchant's share of the price. The caller holds its lock. */
  share(tx: EntityManager, order: Order): Promise<OrderShare> {
    return this.ledger.share(tx, order);
  }

  /**
   * Books that an order is no longer paid: the rest of its price becomes unallocated, and the fee is refunded.
   * @param left the merchant's share of the price, in minor units
   */
  async unpaid(
    tx: EntityManager,
    order: Order,
    payment: Pick<Payment, 'id' | 'provider'>,
    left: number,
  ): Promise<void> {
    if (left > 0)
      await this.bookAgain(tx, order, payment, order.currency, [
        { kind: 'deallocation', amount: left },
      ]);
    const { merchantId, mode, currency } = order;
    for (const id of await this.ledger.feesTaken(tx, order))
      await this.reverse(tx, { merchantId, id, mode, currency }, 'The match was undone.');
  }

  /** Books the transfers of a refund change. The caller holds the order's lock, and the balance's to reserve. */
  async refundMoved(
    tx: EntityManager,
    refund: Refund,
    { id: paymentId, provider }: Pick<Payment, 'id' | 'provider'>,
    kind: RefundTransferKind,
  ): Promise<void> {
    const why = { txid: refund.txid, paymentId, refundId: refund.id, occurrence: 1, note: null };
    const transfers = refundTransfersOf(kind, refund, provider);
    await this.ledger.book(tx, refund, why, transfers, this.clock.now());
  }

  /**
   * The merchant's available balance in minor units, locked until the transaction ends.
   * @throws Problem `insufficient_balance` if less than `minimum` is available
   */
  async available(tx: EntityManager, balance: BalanceKey, minimum: number): Promise<number> {
    await this.ledger.hold(tx, balance);
    const available = await this.ledger.available(tx, balance);
    const { currency } = balance;
    if (available < minimum)
      throw new Problem('insufficient_balance', { members: { available, currency } });
    return available;
  }

  /** Locks the available balance. */
  hold(tx: EntityManager, balance: BalanceKey): Promise<void> {
    return this.ledger.hold(tx, balance);
  }

  /** Books the transfers of a payout change. */
  async payoutMoved(tx: EntityManager, payout: Payout, kind: PayoutTransferKind): Promise<void> {
    const cause = { payoutId: payout.id, payoutVersion: payout.version };
    const transfer = { kind, ...RULES[kind], amount: payout.amount };
    await this.ledger.book(tx, payout, cause, [transfer], this.clock.now());
  }

  /**
   * Reverses a transfer of a payment, such as a wrong fee. The available balance may fall below 0; later payments make
   * up for it.
   * @returns false if there is no such transfer
   */
  async reverse(
    tx: EntityManager,
    transfer: Pick<Transfer, 'merchantId' | 'id' | 'mode' | 'currency'>,
    note: string,
  ): Promise<boolean> {
    await this.ledger.hold(tx, transfer);
    return this.ledger.reverse(tx, transfer, note, this.clock.now());
  }

  /** For transfers that a payment can cause more than once. */
  private async bookAgain(
    tx: EntityManager,
    order: Order,
    { id, provider }: Pick<Payment, 'id' | 'provider'>,
    currency: string,
    bookings: readonly Booking[],
  ): Promise<void> {
    const { merchantId } = order;
    const occurrence = await this.ledger.nextOccurrence(tx, { merchantId, id });
    await this.book(tx, order, { id, provider, occurrence }, currency, bookings);
  }

  private async book(
    tx: EntityManager,
    { merchantId, mode, txid }: Order,
    { id: paymentId, provider, ...cause }: PaymentCause,
    currency: string,
    bookings: readonly Booking[],
  ): Promise<void> {
    const transfers = transfersOf(provider, bookings);
    const { occurrence = 1, note = null } = cause;
    const why = { txid, paymentId, occurrence, note };
    await this.ledger.book(tx, { merchantId, mode, currency }, why, transfers, this.clock.now());
  }
}
