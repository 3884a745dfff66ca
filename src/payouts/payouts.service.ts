import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { isSepaIban } from '../common/money/iban.js';
import { uuidOf, uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { BalanceKey, Owner } from '../database/keys.js';
import type { BankAccount } from '../database/payouts/bank-accounts/bank-account.entity.js';
import { BankAccountRepository } from '../database/payouts/bank-accounts/bank-account.repository.js';
import { PayoutHandRepository } from '../database/payouts/payout-hand.repository.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
import { WrittenRows } from '../merchants/written-rows.js';
import { isUsableAccount } from './bank-accounts.service.js';
import { PayoutMover } from './payout-mover.js';
import { Reservations } from './reservations.js';
import { throwUnusable } from './unusable-account.js';

/** Maximum requested payouts of a merchant and mode that wait for approval. Schedules are not limited. */
export const PAYOUTS_WAITING_MAX = 100;

/** Requested payout. */
export interface PayoutRequest {
  /** Minor units of the balance's currency. */
  readonly amount: number;
  readonly bankAccountId: string;
}

/** Request for a new payout. */
export interface NewPayoutRequest extends PayoutRequest {
  /** Form id, a UUID: sending a form twice creates one payout. */
  readonly formId?: string;
}

/** Payout operations of merchants. */
@Injectable()
export class PayoutsService {
  constructor(
    private readonly database: Database,
    private readonly payouts: PayoutRepository,
    private readonly hands: PayoutHandRepository,
    private readonly accounts: BankAccountRepository,
    private readonly reservations: Reservations,
    private readonly mover: PayoutMover,
    private readonly writtenRows: WrittenRows,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `payout_not_found` */
  async find(owner: Owner, text: string): Promise<Payout> {
    const id = uuidOf(text);
    const payout = id && (await this.payouts.find(owner, id));
    if (!payout) throw new Problem('payout_not_found');
    return payout;
  }

  /** Payout created by an earlier submission of the form. */
  madeBy(owner: Owner, formId: string): Promise<Payout | null> {
    return this.payouts.findByForm(owner, formId);
  }

  /**
   * Saves a draft. Reserves nothing and sends no events.
   * @param requestedBy null for the schedule
   * @returns the existing payout if the form was already submitted
   * @throws Problem `bank_account_not_usable`
   */
  draft(
    balance: BalanceKey,
    request: NewPayoutRequest,
    requestedBy: string | null,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    return this.once(balance, request, async (tx) => {
      const payout = await this.insert(tx, balance, request, requestedBy);
      await hook(tx, payout);
      return payout;
    });
  }

  /**
   * Requests a payout, and reserves its amount.
   * @param requestedBy null for the schedule
   * @returns the existing payout if the form was already submitted
   * @throws Problem `insufficient_balance`, `bank_account_not_usable`, `payout_too_large`, `payout_not_possible` while
   *   too many wait, or after too many lines
   */
  async request(
    balance: BalanceKey,
    request: NewPayoutRequest,
    requestedBy: string | null,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    await this.assertFewLines(balance);
    return this.once(balance, request, async (tx) => {
      await this.assertRoom(tx, balance);
      const draft = await this.insert(tx, balance, request, requestedBy);
      const payout = await this.ask(tx, draft);
      await hook(tx, payout);
      return payout;
    });
  }

  /**
   * Requests the whole available balance, or as much as one payout can pay, in the caller's transaction. Writes nothing
   * before it throws. May lock the balance first, since no other transaction knows the payout.
   * @param wish its amount is the minimum for a payout
   * @param scheduledBy authors of the schedule
   * @throws Problem `insufficient_balance`, `bank_account_not_usable`
   */
  async requestAll(
    tx: EntityManager,
    balance: BalanceKey,
    wish: PayoutRequest,
    scheduledBy: readonly string[],
  ): Promise<Payout> {
    const amount = await this.reservations.most(tx, balance, wish.amount);
    const draft = await this.insert(tx, balance, { ...wish, amount }, null);
    await this.hands.note(tx, draft, 'scheduled', scheduledBy);
    return this.ask(tx, draft);
  }

  /**
   * Requests a payout that was a draft.
   * @throws Problem `payout_not_found`, `payout_not_possible`, and as `request`
   */
  async submit(
    owner: Owner,
    id: string,
    submittedBy: string,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    await this.assertFewLines(owner);
    return this.mover.withLocked(owner, id, hook, async (tx, payout) => {
      await this.assertRoom(tx, payout);
      await this.usable(tx, payout, payout.bankAccountId!);
      await this.hands.note(tx, payout, 'submitted', [submittedBy]);
      return this.ask(tx, payout);
    });
  }

  /**
   * Changes a payout that is not approved yet. Approvers have to review it again.
   * @throws Problem `payout_not_found`, `payout_not_possible`, and as `request`
   */
  async change(
    owner: Owner,
    id: string,
    { amount, bankAccountId }: PayoutRequest,
    changedBy: string,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    await this.assertFewLines(owner);
    return this.mover.withLocked(owner, id, hook, async (tx, payout) => {
      const isReserved = payout.status === 'pending_approval';
      if (!isReserved && payout.status !== 'draft') throw notChangeable(payout);
      if (await this.hands.isInOldFile(tx, payout)) throw inOldFile(payout);
      const { holder, iban } = await this.usable(tx, payout, bankAccountId);
      await this.hands.note(tx, payout, 'changed', [changedBy]);
      const patch = { amount, bankAccountId, holder, iban };
      const event = isReserved ? 'payout.changed' : null;
      const now = this.clock.now();
      const [changed] = await this.payouts.change(tx, [payout], patch, event, now);
      if (isReserved) this.count(tx, payout, await this.reservations.retake(tx, payout, changed!));
      return changed!;
    });
  }

  /**
   * Deletes the lines of a payout that was never approved: they are not needed, and each request would leave thousands.
   * Lines of a payout that was approved stay, since its file may have been at the bank.
   * @throws Problem `payout_not_found`, `payout_not_possible`
   */
  cancel(owner: Owner, id: string, hook: TransactionHook<Payout> = noHook): Promise<Payout> {
    return this.mover.withLocked(owner, id, hook, async (tx, payout) => {
      const keepsLines =
        payout.status !== 'pending_approval' || (await this.hands.isInOldFile(tx, payout));
      if (keepsLines) return this.mover.move(tx, payout, 'cancelled');
      const cancelled = await this.mover.move(tx, payout, 'cancelled', { contentHash: null });
      await this.reservations.forget(tx, payout);
      return cancelled;
    });
  }

  /** Of concurrent submissions of one form, the first creates the payout. */
  private async once(
    owner: Owner,
    { formId }: NewPayoutRequest,
    work: (tx: EntityManager) => Promise<Payout>,
  ): Promise<Payout> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      const made = violatedUnique(error) === 'payouts_form' && (await this.madeBy(owner, formId!));
      return made || throwUnusable(error);
    }
  }

  private async insert(
    tx: EntityManager,
    { merchantId, mode, currency }: BalanceKey,
    { formId, amount, bankAccountId }: NewPayoutRequest,
    requestedBy: string | null,
  ): Promise<Payout> {
    const { holder, iban } = await this.usable(tx, { merchantId, mode, currency }, bankAccountId);
    const createdAt = this.clock.now();
    const key = { merchantId, id: uuidv7(createdAt.getTime()) };
    const account = { bankAccountId, holder, iban };
    await this.payouts.insert(tx, {
      ...key,
      ...account,
      refundId: null,
      remittance: null,
      mode,
      currency,
      amount,
      requestedBy,
      formId: formId ?? null,
      createdAt,
    });
    return (await this.payouts.lock(tx, key))!;
  }

  /** Without a lock: requests of the same moment may exceed it by their number. */
  private async assertRoom(tx: EntityManager, owner: Owner): Promise<void> {
    if ((await this.payouts.countWaiting(tx, owner)) < PAYOUTS_WAITING_MAX) return;
    throw new Problem('payout_not_possible', {
      detail: `${PAYOUTS_WAITING_MAX} payouts wait for approval already. Cancel some, or wait until they are approved.`,
    });
  }

  /** Schedules count but are never refused: they run once a day at most, and write only lines that are to be paid. */
  private async assertFewLines(owner: Owner): Promise<void> {
    const wait = await this.writtenRows.secondsUntilAllowed('payoutLines', owner);
    if (wait !== null) throw tooManyLines(wait);
  }

  private count(tx: EntityManager, owner: Owner, lines: number): void {
    this.database.afterCommit(tx, () => void this.writtenRows.wrote('payoutLines', owner, lines));
  }

  private async ask(tx: EntityManager, draft: Payout): Promise<Payout> {
    if (draft.status !== 'draft') throw notChangeable(draft);
    this.count(tx, draft, await this.reservations.take(tx, draft));
    return this.mover.move(tx, draft, 'pending_approval');
  }

  private async usable(tx: EntityManager, balance: BalanceKey, text: string): Promise<BankAccount> {
    const id = uuidOf(text);
    const account = id && (await this.accounts.hold(tx, balance, id));
    if (!account || !isUsableAccount(account, this.clock.now())) {
      throw new Problem('bank_account_not_usable');
    }
    if (balance.currency === 'EUR' && !isSepaIban(account.iban)) throw notInSepa();
    return account;
  }
}

const tooManyLines = (seconds: number): Problem =>
  new Problem('payout_not_possible', {
    detail: `Payouts were requested and changed too often for their many entries. Try again in ${Math.ceil(seconds / 60)} minutes; schedules go on.`,
  });

/** The bank would reject the whole file. */
const notInSepa = (): Problem =>
  new Problem('bank_account_not_usable', {
    detail: 'Euros are sent by SEPA, which does not reach the country of this account.',
  });

const inOldFile = ({ id, status }: Payout): Problem =>
  new Problem('payout_not_possible', {
    detail:
      'A file with this payout was made for the bank, so it stays as it is. Cancel it and ask anew.',
    members: { payoutId: id, payoutStatus: status },
  });

const notChangeable = ({ id, status }: Payout): Problem =>
  new Problem('payout_not_possible', {
    detail: `The payout is ${status} and can no longer be changed.`,
    members: { payoutId: id, payoutStatus: status },
  });
