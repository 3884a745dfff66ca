import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { isSepaIban } from '../common/iban.js';
import { uuidOf, uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { BalanceKey, Owner } from '../database/keys.js';
import type { BankAccount } from '../database/payouts/bank-account.entity.js';
import { BankAccountRepository } from '../database/payouts/bank-account.repository.js';
import { PayoutHandRepository } from '../database/payouts/payout-hand.repository.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problem.js';
import { isUsableAccount } from './bank-accounts.service.js';
import { PayoutMover } from './payout-mover.js';
import { Reservations } from './reservations.js';
import { throwUnusable } from './unusable-account.js';

/** What is asked for. */
export interface PayoutRequest {
  /** Minor units of the balance's currency. */
  readonly amount: number;
  readonly bankAccountId: string;
}

/** What is asked for anew. */
export interface NewPayoutRequest extends PayoutRequest {
  /** Of the form that asks, where there is one: what is sent twice asks once. A UUID. */
  readonly formId?: string;
}

/** What a merchant can do about a payout. */
@Injectable()
export class PayoutsService {
  constructor(
    private readonly database: Database,
    private readonly payouts: PayoutRepository,
    private readonly hands: PayoutHandRepository,
    private readonly accounts: BankAccountRepository,
    private readonly reservations: Reservations,
    private readonly mover: PayoutMover,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `payout_not_found` */
  async find(owner: Owner, text: string): Promise<Payout> {
    const id = uuidOf(text);
    const payout = id && (await this.payouts.find(owner, id));
    if (!payout) throw new Problem('payout_not_found');
    return payout;
  }

  /** The payout that a form has made, if it was sent before. */
  madeBy(owner: Owner, formId: string): Promise<Payout | null> {
    return this.payouts.findByForm(owner, formId);
  }

  /**
   * Writes a wish down. Nothing is reserved, and nobody is told.
   * @param requestedBy null for the schedule
   * @returns the payout that the form has made already, where there is one
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
   * Asks for a payout: its amount is no longer available from now on.
   * @param requestedBy null for the schedule
   * @returns the payout that the form has made already, where there is one
   * @throws Problem `insufficient_balance`, `bank_account_not_usable`, `payout_too_large`
   */
  request(
    balance: BalanceKey,
    request: NewPayoutRequest,
    requestedBy: string | null,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    return this.once(balance, request, async (tx) => {
      const draft = await this.insert(tx, balance, request, requestedBy);
      const payout = await this.ask(tx, draft);
      await hook(tx, payout);
      return payout;
    });
  }

  /**
   * Asks for all that is available, or as much of it as one payout can pay, in the caller's
   * transaction. It writes nothing before it throws. The balance may be locked first: nobody else
   * knows the payout yet.
   * @param wish its amount is the least that is worth a payout
   * @param scheduledBy the users whose schedule asks
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
   * Asks for a payout that was a draft.
   * @throws Problem `payout_not_found`, `payout_not_possible`, and as `request`
   */
  submit(
    owner: Owner,
    id: string,
    submittedBy: string,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    return this.mover.withLocked(owner, id, hook, async (tx, payout) => {
      await this.usable(tx, payout, payout.bankAccountId);
      await this.hands.note(tx, payout, 'submitted', [submittedBy]);
      return this.ask(tx, payout);
    });
  }

  /**
   * Changes a payout that nobody has approved yet. Whoever was about to approve it has to look again.
   * @throws Problem `payout_not_found`, `payout_not_possible`, and as `request`
   */
  change(
    owner: Owner,
    id: string,
    { amount, bankAccountId }: PayoutRequest,
    changedBy: string,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
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
      if (isReserved) await this.reservations.retake(tx, payout, changed!);
      return changed!;
    });
  }

  /** @throws Problem `payout_not_found`, `payout_not_possible` */
  cancel(owner: Owner, id: string, hook: TransactionHook<Payout> = noHook): Promise<Payout> {
    return this.mover.withLocked(owner, id, hook, (tx, payout) =>
      this.mover.move(tx, payout, 'cancelled'),
    );
  }

  /** Of several of one form, at the same moment too, the first makes the payout. */
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
      mode,
      currency,
      amount,
      requestedBy,
      formId: formId ?? null,
      createdAt,
    });
    return (await this.payouts.lock(tx, key))!;
  }

  private async ask(tx: EntityManager, draft: Payout): Promise<Payout> {
    if (draft.status !== 'draft') throw notChangeable(draft);
    await this.reservations.take(tx, draft);
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

/** The bank would refuse the whole file. */
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
