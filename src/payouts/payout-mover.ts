import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidOf } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { Owner } from '../database/keys.js';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
import { PayoutLineRepository } from '../database/payouts/payout-line.repository.js';
import type { Payout, PayoutPatch, PayoutStatus } from '../database/payouts/payout.entity.js';
import { type LockedPayout, PayoutRepository } from '../database/payouts/payout.repository.js';
import type { TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
import { LedgerService } from '../ledger/ledger.service.js';
import type { PayoutTransferKind } from '../ledger/rules.js';
import { DeliverySignal } from '../notifications/delivery-signal.js';
import { BankRefunds } from '../refund-lifecycle/bank-refunds.js';
import { EVENT_OF, movesOf } from './payout-moves.js';
import { throwUnusable } from './unusable-account.js';

/** The only place that changes the status of a payout. Lock order: payout, order of its refund, balance. */
@Injectable()
export class PayoutMover {
  constructor(
    private readonly database: Database,
    private readonly payouts: PayoutRepository,
    private readonly lines: PayoutLineRepository,
    private readonly transfers: LedgerRepository,
    private readonly ledger: LedgerService,
    private readonly bankRefunds: BankRefunds,
    private readonly deliverySignal: DeliverySignal,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the work with the payout to the merchant locked. Refunds are not the merchant's payouts.
   * @throws Problem `payout_not_found`, `bank_account_not_usable`
   */
  withLocked(
    { merchantId, mode }: Owner,
    text: string,
    hook: TransactionHook<Payout>,
    work: (tx: EntityManager, payout: LockedPayout) => Promise<Payout>,
  ): Promise<Payout> {
    return this.withAnyLocked({ merchantId, mode }, text, hook, async (tx, payout) => {
      if (payout.refundId !== null) throw new Problem('payout_not_found');
      return work(tx, payout);
    });
  }

  /** The same for operators: also with the payout of a refund. */
  withAnyLocked(
    { merchantId, mode }: Owner,
    text: string,
    hook: TransactionHook<Payout>,
    work: (tx: EntityManager, payout: LockedPayout) => Promise<Payout>,
  ): Promise<Payout> {
    const id = uuidOf(text);
    const done = this.database.transaction(async (tx) => {
      const payout = id && (await this.payouts.lock(tx, { merchantId, id }));
      if (!payout || payout.mode !== mode) throw new Problem('payout_not_found');
      const changed = await work(tx, payout);
      await hook(tx, changed);
      return changed;
    });
    return done.catch(throwUnusable);
  }

  /** @throws Problem `payout_not_possible` for an invalid transition */
  async move(
    tx: EntityManager,
    payout: Payout,
    to: PayoutStatus,
    patch: PayoutPatch = {},
  ): Promise<Payout> {
    const [moved] = await this.moveAll(tx, [payout], to, patch);
    return moved!;
  }

  /**
   * Moves locked payouts, books the transfers and emits events, in the caller's transaction.
   * @throws Problem `payout_not_possible` for an invalid transition of one of them
   */
  async moveAll(
    tx: EntityManager,
    payouts: readonly Payout[],
    to: PayoutStatus,
    patch: PayoutPatch,
  ): Promise<Payout[]> {
    const refunds = await this.bankRefunds.lock(tx, payouts, to);
    for (const payout of payouts) {
      const moves = movesOf(payout.status)[to];
      if (!moves) throw notPossible(payout, to);
      // The refund books its own transfers.
      if (moves !== 'nothing' && payout.refundId === null) await this.book(tx, payout, moves);
    }
    const change = { ...patch, status: to };
    const now = this.clock.now();
    const changed = await this.payouts.change(tx, payouts, change, EVENT_OF[to], now);
    await this.bankRefunds.follow(tx, refunds, changed);
    this.database.afterCommit(tx, () => this.deliverySignal.wake());
    return changed;
  }

  /** Returned money becomes available again. */
  private async book(tx: EntityManager, payout: Payout, kind: PayoutTransferKind): Promise<void> {
    await this.ledger.payoutMoved(tx, payout, kind);
    if (kind !== 'payout_released' && kind !== 'payout_returned') return;
    await this.transfers.hold(tx, payout);
    await this.lines.uncover(tx, payout);
  }
}

export const notPossible = ({ id, status }: Payout, to: PayoutStatus): Problem =>
  new Problem('payout_not_possible', {
    detail: `The payout is ${status} and cannot become ${to}.`,
    members: { payoutId: id, payoutStatus: status },
  });
