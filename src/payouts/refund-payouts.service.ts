import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payout } from '../database/payouts/payout.entity.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import type { Refund } from '../database/refunds/refund.entity.js';
import { Problem } from '../http/problems/problem.js';
import { PayoutMover } from './payout-mover.js';
import { movesOf } from './payout-moves.js';

/** The payer's account, as the bank reported it, and a text for its statement. */
export type Payee = Pick<Payout, 'holder' | 'iban'> & { readonly remittance: string };

/** Maximum refunds by bank of a merchant and mode that wait for approval; refunds of the same moment may exceed it. */
export const REFUNDS_WAITING_MAX = 500;

/** Sends refunds by bank: each by a payout with its id, under the rules of all payouts. */
@Injectable()
export class RefundPayouts {
  constructor(
    private readonly payouts: PayoutRepository,
    private readonly mover: PayoutMover,
  ) {}

  /**
   * Requests the payout of a new refund. The caller holds the lock of its order.
   * @throws Problem `order_not_refundable` while too many wait
   */
  async request(tx: EntityManager, refund: Refund, payee: Payee): Promise<void> {
    if ((await this.payouts.countWaiting(tx, refund, 'refunds')) >= REFUNDS_WAITING_MAX)
      throw tooMany(refund);
    const { merchantId, id, mode, currency, amount, requestedBy, createdAt } = refund;
    await this.payouts.insert(tx, {
      ...payee,
      merchantId,
      id,
      refundId: id,
      mode,
      currency,
      amount,
      requestedBy,
      createdAt,
      bankAccountId: null,
      formId: null,
    });
    await this.payouts.seal(tx, refund);
    const draft = await this.payouts.lock(tx, refund);
    await this.mover.move(tx, draft!, 'pending_approval');
  }

  /**
   * Cancels the payout, and with it the refund, until it is in a bank file. The caller holds no lock of the order:
   * payouts are locked first.
   * @returns false if it was cancelled before, or its payer has entered no account yet
   * @throws Problem `refund_not_cancelable`
   */
  async cancel(tx: EntityManager, { merchantId, id, status }: Refund): Promise<boolean> {
    const payout = await this.payouts.lock(tx, { merchantId, id });
    if (!payout || status === 'cancelled' || payout.status === 'cancelled') return false;
    if (!movesOf(payout.status).cancelled)
      throw new Problem('refund_not_cancelable', {
        members: { refundId: id, refundStatus: status },
      });
    await this.mover.move(tx, payout, 'cancelled');
    return true;
  }
}

const tooMany = ({ txid }: Refund): Problem =>
  new Problem('order_not_refundable', {
    detail: `${REFUNDS_WAITING_MAX} refunds by bank wait for approval already. Cancel some, or ask again later.`,
    members: { txid, orderStatus: 'paid' },
  });
