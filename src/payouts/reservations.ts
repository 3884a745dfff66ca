import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AMOUNT_MAX, isAmount } from '../common/money/money.js';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
import { PayoutLineRepository } from '../database/payouts/payout-line.repository.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import { Problem } from '../http/problems/problem.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { planLines } from './lines.js';
import type { BalanceKey } from '../database/keys.js';

/** Maximum transfers per payout: about 50,000 orders with their fees. */
export const PAYOUT_TRANSFERS_MAX = 100_000;

/** Reserves transfers for payouts, so that nothing is paid out twice. The caller locks the payout. */
@Injectable()
export class Reservations {
  constructor(
    private readonly payouts: PayoutRepository,
    private readonly lines: PayoutLineRepository,
    private readonly transfers: LedgerRepository,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * Maximum amount of one payout now, in minor units. Locks the balance until the transaction ends.
   * @throws Problem `insufficient_balance` if less than `minimum` is available, and `payout_too_large` if the oldest
   * entries add up to nothing
   */
  async most(tx: EntityManager, balance: BalanceKey, minimum: number): Promise<number> {
    const available = await this.ledger.available(tx, balance, minimum);
    const open = await this.transfers.open(tx, balance, PAYOUT_TRANSFERS_MAX);
    const inOne = open.reduce((sum, { amount }) => sum + amount, 0);
    if (inOne <= 0) throw new Problem('payout_too_large');
    return Math.min(available, AMOUNT_MAX, inOne);
  }

  /**
   * Reserves open transfers for the payout's amount, and seals it. Locks the balance until the transaction ends.
   * @returns the number of lines
   * @throws Problem `insufficient_balance`, `payout_too_large`
   */
  async take(tx: EntityManager, payout: Payout): Promise<number> {
    await this.ledger.available(tx, payout, payout.amount);
    const open = await this.transfers.open(tx, payout, PAYOUT_TRANSFERS_MAX);
    // A larger amount than a bank accepts would block the whole file.
    const plan = isAmount(payout.amount) ? planLines(open, payout.amount) : null;
    if (!plan) throw new Problem('payout_too_large');
    await this.lines.insert(tx, payout, plan.lines);
    await this.transfers.cover(tx, payout.merchantId, plan.covered, true);
    await this.payouts.seal(tx, payout);
    return plan.lines.length;
  }

  /**
   * Releases the payout's reservations and reserves its new amount.
   * @param payout with its new amount and account, already stored
   * @returns the number of new lines
   * @throws Problem as `take`
   */
  async retake(tx: EntityManager, before: Payout, payout: Payout): Promise<number> {
    await this.transfers.hold(tx, before);
    await this.ledger.payoutMoved(tx, before, 'payout_released');
    await this.lines.uncover(tx, before);
    await this.lines.delete(tx, before);
    const lines = await this.take(tx, payout);
    await this.ledger.payoutMoved(tx, payout, 'payout_reserved');
    return lines;
  }

  /** Deletes the lines of a payout that ended without them. */
  forget(tx: EntityManager, payout: Payout): Promise<void> {
    return this.lines.delete(tx, payout);
  }
}
