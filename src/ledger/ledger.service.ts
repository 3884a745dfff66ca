import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { Order } from '../database/entities/order.entity.js';
import type { Payment } from '../database/entities/payment.entity.js';
import type { Payout } from '../database/entities/payout.entity.js';
import type { Transfer } from '../database/entities/transfer.entity.js';
import { LedgerRepository } from '../database/repositories/ledger.repository.js';
import { type Arrival, bookingsOf, type PayoutTransferKind, RULES } from './rules.js';

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
    const { merchantId, mode, txid } = order;
    const clearing = `clearing:${payment.provider}` as const;
    const transfers = bookingsOf({ amount, completes }).map((booking) => {
      const { debit, credit } = RULES[booking.kind];
      return { ...booking, debit: debit === 'clearing' ? clearing : debit, credit };
    });
    const cause = { txid, paymentId: payment.id };
    await this.ledger.book(tx, { merchantId, mode, currency }, cause, transfers, this.clock.now());
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
}
