import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { Order } from '../database/entities/order.entity.js';
import type { Payment } from '../database/entities/payment.entity.js';
import type { Payout } from '../database/entities/payout.entity.js';
import type { Transfer } from '../database/entities/transfer.entity.js';
import { LedgerRepository } from '../database/repositories/ledger.repository.js';
import {
  acceptanceOf,
  type Arrival,
  type Booking,
  bookingsOf,
  type PayoutTransferKind,
  RULES,
} from './rules.js';

/** Money that came with a payment, in the currency in which it came. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Writes down where money goes, in the transaction of what moves it. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Books money that arrived with a payment.
   * @param order as it was before
   */
  async moneyArrived(
    tx: EntityManager,
    order: Order,
    payment: Payment,
    { amount, currency }: Money,
    completes: Arrival['completes'],
  ): Promise<void> {
    await this.book(tx, order, payment, currency, bookingsOf({ amount, completes }));
  }

  /**
   * Books money that came after the order's end and that a person accepts as its payment.
   * @param arrived its payments with the money, the first first
   * @param accepted what of it counts for the order, and the fee
   */
  async moneyAccepted(
    tx: EntityManager,
    order: Order,
    arrived: readonly Payment[],
    accepted: { readonly amount: number; readonly fee: number },
  ): Promise<void> {
    const amounts = arrived.map(({ amountReceived }) => amountReceived ?? 0);
    for (const [i, bookings] of acceptanceOf(accepted, amounts).entries()) {
      await this.book(tx, order, arrived[i]!, order.currency, bookings);
    }
  }

  /** Books what a change of a payout moves. */
  async payoutMoved(tx: EntityManager, payout: Payout, kind: PayoutTransferKind): Promise<void> {
    const cause = { payoutId: payout.id, payoutVersion: payout.version };
    const transfer = { kind, ...RULES[kind], amount: payout.amount };
    await this.ledger.book(tx, payout, cause, [transfer], this.clock.now());
  }

  /**
   * Takes a transfer back that a payment has caused, such as a fee that should not have been taken.
   * What is available may fall below 0: the next payments make up for it.
   * @returns false when there is no such transfer
   */
  async reverse(
    tx: EntityManager,
    transfer: Pick<Transfer, 'merchantId' | 'id' | 'mode' | 'currency'>,
    note: string,
  ): Promise<boolean> {
    await this.ledger.hold(tx, transfer);
    return this.ledger.reverse(tx, transfer, note, this.clock.now());
  }

  private async book(
    tx: EntityManager,
    { merchantId, mode, txid }: Order,
    payment: Payment,
    currency: string,
    bookings: readonly Booking[],
  ): Promise<void> {
    const clearing = `clearing:${payment.provider}` as const;
    const transfers = bookings.map((booking) => {
      const { debit, credit } = RULES[booking.kind];
      return { ...booking, debit: debit === 'clearing' ? clearing : debit, credit };
    });
    const cause = { txid, paymentId: payment.id };
    await this.ledger.book(tx, { merchantId, mode, currency }, cause, transfers, this.clock.now());
  }
}
