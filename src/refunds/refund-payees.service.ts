import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isToken, randomToken } from '../common/ids.js';
import { maskAccount } from '../common/mask.js';
import { isSepaIban } from '../common/money/iban.js';
import { toMajorUnits } from '../common/money/money.js';
import { Clock } from '../common/time/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { violatedCheck } from '../database/faults.js';
import type { Owner } from '../database/keys.js';
import { MembershipRepository } from '../database/people/membership.repository.js';
import type { Refund } from '../database/refunds/refund.entity.js';
import { RefundRepository } from '../database/refunds/refund.repository.js';
import type { RefundPayee } from '../database/refunds/refund-payee.entity.js';
import { RefundPayeeRepository } from '../database/refunds/refund-payee.repository.js';
import type { TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
import { RefundPayouts } from '../payouts/refund-payouts.service.js';
import { UserNotices } from '../people/mails/user-notices.js';
import { RefundMover } from '../refund-lifecycle/refund-mover.js';
import { payeeAt } from './payee.js';

const DAY_MS = 86_400_000;
/** Days in which the payer can enter an account. Then the refund is cancelled. */
export const LINK_DAYS = 30;
/** Days for which former owners still receive notices. */
const RECENTLY_CLOSED_DAYS = 7;

export const AWAITS_PAYER = 'Waits until the payer enters an account.';
const NOT_ENTERED = `The payer entered no account within ${LINK_DAYS} days.`;

/** The account that a payer enters: a name that bank files can have, and a normalised IBAN. */
export interface EnteredAccount {
  readonly holder: string;
  readonly iban: string;
}

export interface PayerLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** A refund that asks, or asked, its payer for an account. */
export interface AskingRefund {
  readonly payee: RefundPayee;
  readonly refund: Refund;
}

/** Asks payers whom the bank did not name for the account of their refund. */
@Injectable()
export class RefundPayees {
  constructor(
    private readonly database: Database,
    private readonly refunds: RefundRepository,
    private readonly payees: RefundPayeeRepository,
    private readonly memberships: MembershipRepository,
    private readonly mover: RefundMover,
    private readonly payouts: RefundPayouts,
    private readonly notices: UserNotices,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** When a link made now expires. */
  expiryOf(now: Date): Date {
    return new Date(now.getTime() + LINK_DAYS * DAY_MS);
  }

  /** Makes the link of a new refund, whose next attempt is when it expires. */
  async ask(tx: EntityManager, { merchantId, id, nextAttemptAt }: Refund): Promise<void> {
    const token = randomToken();
    await this.payees.insert(tx, { merchantId, refundId: id, token, expiresAt: nextAttemptAt! });
  }

  /** The link under which the payer can enter an account. @throws Problem `refund_not_found`, `refund_link_not_found` */
  async link(owner: Owner, id: string): Promise<PayerLink> {
    const refund = await this.refunds.find(owner, id);
    if (!refund) throw new Problem('refund_not_found');
    const link = await this.ofRequested(refund);
    if (!link || !('url' in link))
      throw new Problem('refund_link_not_found', { members: { refundId: id } });
    return link;
  }

  /** The link, or the account that the payer entered; null for other refunds, and for those that were approved. */
  async ofRequested(refund: Refund): Promise<PayerLink | RefundPayee | null> {
    if (refund.method !== 'bank' || refund.status !== 'requested') return null;
    const payee = await this.payees.find(refund);
    if (!payee || payee.enteredAt) return payee;
    const { token, expiresAt } = payee;
    return { url: `${this.config.publicUrl}/refund-account/${token}`, expiresAt };
  }

  /** The account that the payer of a refund entered; null if the bank named the payer. */
  entered(refund: Pick<Refund, 'merchantId' | 'id'>): Promise<RefundPayee | null> {
    return this.payees.find(refund);
  }

  /** Confirms the account that the payer entered. It is audited once. */
  async confirm(refund: Refund, userId: string, hook: TransactionHook<Refund>): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (await this.payees.confirm(tx, refund, userId, this.clock.now())) await hook(tx, refund);
    });
  }

  async findByToken(token: string): Promise<AskingRefund | null> {
    const payee = isToken(token) ? await this.payees.findByToken(token) : null;
    const refund = payee && (await this.refunds.findByKey({ ...payee, id: payee.refundId }));
    return refund && { payee, refund };
  }

  /** Whether the account can receive the refund. */
  isReachable({ currency }: Pick<Refund, 'currency'>, iban: string): boolean {
    return currency !== 'EUR' || isSepaIban(iban);
  }

  /**
   * Enters the payer's account, requests the payout to it, and announces it to the merchant's owners.
   * @returns false if the refund does not wait for it any more
   * @throws Problem `order_not_refundable` while too many refunds wait for approval
   */
  async enter({ payee, refund: found }: AskingRefund, entered: EnteredAccount): Promise<boolean> {
    const done = this.database.transaction(async (tx) => {
      const locked = await this.mover.lock(tx, found);
      if (!awaitsPayer(locked.refund)) return false;
      const enteredAt = this.clock.now();
      if (!(await this.payees.enter(tx, payee, { ...entered, enteredAt }))) return false;
      const refund = await this.mover.payeeEntered(tx, locked.refund);
      await this.payouts.request(tx, refund, payeeAt(entered, locked.order));
      if (refund.mode === 'live') await this.announce(tx, refund, entered);
      return true;
    });
    const isDone = await done.catch((error: unknown) => {
      // It waits for no account any more.
      if (violatedCheck(error) === 'refund_payees_awaited') return false;
      throw error;
    });
    if (isDone) await this.notices.wake();
    return isDone;
  }

  /** Cancels a refund whose payer entered no account in time. */
  async expire(due: Refund): Promise<void> {
    await this.database.transaction(async (tx) => {
      const locked = await this.mover.lock(tx, due);
      const { nextAttemptAt } = locked.refund;
      if (awaitsPayer(locked.refund) && nextAttemptAt && nextAttemptAt <= this.clock.now())
        await this.mover.move(tx, locked, 'cancelled', { statusReason: NOT_ENTERED });
    });
  }

  private async announce(
    tx: EntityManager,
    { merchantId, id, txid, amount, currency }: Refund,
    { iban }: EnteredAccount,
  ): Promise<void> {
    const since = new Date(this.clock.now().getTime() - RECENTLY_CLOSED_DAYS * DAY_MS);
    const owners = await this.memberships.ownersSince(tx, merchantId, since);
    const data = {
      refund: id,
      order: txid,
      amount: `${toMajorUnits(amount, currency)} ${currency}`,
      account: maskAccount(iban, 'iban'),
    };
    await this.notices.notify(tx, owners, { kind: 'refund-account', merchantId, data });
  }
}

/** Whether the payer still has to enter an account: only such a refund by bank has a next attempt. */
export const awaitsPayer = ({
  method,
  status,
  nextAttemptAt,
}: Pick<Refund, 'method' | 'status' | 'nextAttemptAt'>): boolean =>
  method === 'bank' && status === 'requested' && nextAttemptAt !== null;
