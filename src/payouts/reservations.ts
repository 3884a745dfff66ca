import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AMOUNT_MAX, isAmount } from '../common/money.js';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
import { PayoutLineRepository } from '../database/payouts/payout-line.repository.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import { Problem } from '../http/problem.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { planLines } from './lines.js';
import type { BalanceKey } from '../database/keys.js';

/** Transfers that one payout pays at most: some 50,000 orders with their fees. */
export const PAYOUT_TRANSFERS_MAX = 100_000;

/** Ties payouts to what they pay, so that nothing is paid out twice. The caller locks the payout. */
@Injectable()
export class Reservations {
  constructor(
    private readonly payouts: PayoutRepository,
    private readonly lines: PayoutLineRepository,
    private readonly transfers: LedgerRepository,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * As much as one payout can pay now, in minor units. Others who want money out of the same balance
   * wait until the transaction ends.
   * @throws Problem `insufficient_balance` when less than `minimum` is available, and
   *   `payout_too_large` when the oldest entries make nothing together
   */
  async most(tx: EntityManager, balance: BalanceKey, minimum: number): Promise<number> {
    await this.transfers.hold(tx, balance);
    const available = await this.transfers.available(tx, balance);
    if (available < minimum) throw insufficient(balance, available);
    const open = await this.transfers.open(tx, balance, PAYOUT_TRANSFERS_MAX);
    const inOne = open.reduce((sum, { amount }) => sum + amount, 0);
    if (inOne <= 0) throw new Problem('payout_too_large');
    return Math.min(available, AMOUNT_MAX, inOne);
  }

  /**
   * Divides the payout's amount among what is open and seals it. Others who want money out of the
   * same balance wait until the transaction ends.
   * @throws Problem `insufficient_balance`, `payout_too_large`
   */
  async take(tx: EntityManager, payout: Payout): Promise<void> {
    await this.transfers.hold(tx, payout);
    const available = await this.transfers.available(tx, payout);
    if (payout.amount > available) throw insufficient(payout, available);
    const open = await this.transfers.open(tx, payout, PAYOUT_TRANSFERS_MAX);
    // What is more than a bank moves at once would stop the file that it stands in.
    const plan = isAmount(payout.amount) ? planLines(open, payout.amount) : null;
    if (!plan) throw new Problem('payout_too_large');
    await this.lines.insert(tx, payout, plan.lines);
    await this.transfers.cover(tx, payout.merchantId, plan.covered, true);
    await this.payouts.seal(tx, payout);
  }

  /**
   * Gives back what the payout had taken and takes what it wants now.
   * @param payout with its new amount and account, which stand in its row already
   * @throws Problem as `take`
   */
  async retake(tx: EntityManager, before: Payout, payout: Payout): Promise<void> {
    await this.transfers.hold(tx, before);
    await this.ledger.payoutMoved(tx, before, 'payout_released');
    await this.lines.uncover(tx, before);
    await this.lines.delete(tx, before);
    await this.take(tx, payout);
    await this.ledger.payoutMoved(tx, payout, 'payout_reserved');
  }
}

const insufficient = ({ currency }: BalanceKey, available: number): Problem =>
  new Problem('insufficient_balance', { members: { available, currency } });
