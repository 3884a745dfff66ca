import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { BankAllocation } from '../database/bank/bank-allocation.entity.js';
import {
  type AllocationKey,
  BankAllocationRepository,
} from '../database/bank/bank-allocation.repository.js';
import type { BankLine } from '../database/bank/bank-line.entity.js';
import { CollectionAccountRepository } from '../database/bank/collection-account.repository.js';
import { MatchingRepository } from '../database/bank/matching.repository.js';
import { Database } from '../database/database.js';
import type { OrderKey, PaymentKey } from '../database/keys.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { CreditsService } from '../payments/credits.service.js';
import { TakeBackService, type TakenBack } from '../payments/take-back.service.js';
import type { Payer } from '../providers/provider.js';
import { payerOf } from './matcher.service.js';
import { PayoutLines } from './payout-lines.js';
import { canBeMatched, canBeReturn, isPossibleDuplicate, isWaiting } from './waiting-line.js';

/** What a person says that a line, or a part of it, paid for; minor units of the line's currency. */
export interface LinePart extends OrderKey {
  readonly amount: number;
}

/**
 * What became of a match by hand. `not_waiting` = the line is not there, is no money that came in, or somebody else
 * has dealt with it; `too_much` = the parts come to more than is left of the line, or one is not above 0;
 * `no_order` = an order is not there, or of the other mode, or named twice; `unknown_account` = the line's account
 * was never a collection account of its mode and currency; the others speak for themselves.
 */
export type MatchOutcome =
  | 'matched'
  | 'not_waiting'
  | 'unknown_account'
  | 'too_much'
  | 'no_order'
  | 'wrong_currency'
  | 'too_many_payments';

/**
 * What became of a return by hand. `too_much` = it is not above 0, or more than is left of the line;
 * `no_payment` = no payment by transfer of the order has so much left; the others as of a match.
 */
export type ReturnOutcome =
  'returned' | 'not_waiting' | 'too_much' | 'no_order' | 'wrong_currency' | 'no_payment';

/** What became of another wish; `not_possible` = the line is not where that could be. */
export type DeskOutcome = 'done' | 'not_possible';

export type UndoOutcome = TakenBack | 'not_there';

/** What operators do with lines that the rules could not explain, and against what rules did. */
@Injectable()
export class LineDesk {
  constructor(
    private readonly database: Database,
    private readonly matching: MatchingRepository,
    private readonly orders: OrderRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly accounts: CollectionAccountRepository,
    private readonly credits: CreditsService,
    private readonly takesBack: TakeBackService,
    private readonly payoutLines: PayoutLines,
    private readonly clock: Clock,
  ) {}

  /**
   * Pays orders with a line that waits, or with what is left of one. What the parts leave waits on.
   * @param mode of the operator's page, and so of the line and of the orders
   * @param userId who says so
   * @param note what the person saw; kept as evidence
   * @param hook gets the line as it is afterwards
   */
  matchByHand(
    mode: Mode,
    lineId: string,
    parts: readonly LinePart[],
    userId: string,
    note: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<MatchOutcome> {
    return this.database.transaction(async (tx) => {
      const line = await this.matching.lock(tx, mode, lineId);
      if (!line || !canBeMatched(line)) return 'not_waiting';
      // Whoever makes a statement up could pay with it.
      if (!(await this.accounts.isOne(tx, line))) return 'unknown_account';
      const left = await this.restOf(tx, line);
      const sum = parts.reduce((all, { amount }) => all + amount, 0);
      const isPositive = parts.every(({ amount }) => Number.isSafeInteger(amount) && amount > 0);
      if (parts.length === 0 || !isPositive || sum > left) return 'too_much';
      const refused = await this.refuse(tx, line, parts);
      if (refused) return refused;
      const now = this.clock.now();
      for (const part of inOrder(parts)) {
        const order = { merchantId: part.merchantId, txid: part.txid, mode };
        await this.credits.credit(tx, order, creditOf(line, part, userId, note), now);
      }
      const verdict =
        sum === left
          ? ({ state: 'matched', reason: 'by_hand' } as const)
          : ({ state: 'unmatched', reason: 'partly_matched' } as const);
      await this.decided(tx, line, verdict, now, hook);
      await this.matching.recall(tx, [line.id]);
      return 'matched';
    });
  }

  /**
   * Says that a line that left, or a part of it, took a payment back, or a part of one. What is left of the line waits
   * on.
   * @param mode of the operator's page, and so of the line and of the order
   * @param userId who says so
   * @param hook gets the line as it is afterwards
   */
  returnByHand(
    mode: Mode,
    lineId: string,
    part: LinePart,
    userId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<ReturnOutcome> {
    return this.database.transaction(async (tx) => {
      const line = await this.matching.lock(tx, mode, lineId);
      if (!line || !canBeReturn(line)) return 'not_waiting';
      const left = line.amount! - (await this.allocations.returnedBy(tx, line.id));
      const { amount } = part;
      if (!Number.isSafeInteger(amount) || amount <= 0 || amount > left) return 'too_much';
      const allocation = await this.returnable(tx, mode, line, part);
      if (typeof allocation === 'string') return allocation;
      const now = this.clock.now();
      const returned = [{ allocation, left: amount }];
      await this.payoutLines.takeBackAll(tx, line, returned, userId, now);
      const verdict =
        amount === left
          ? ({ state: 'not_a_payment', reason: 'charged_back' } as const)
          : { state: line.state, reason: line.reason };
      await this.decided(tx, line, verdict, now, hook);
      return 'returned';
    });
  }

  /** The newest payment by transfer of the order, on the line’s account, of which so much is left; its line is locked. */
  private async returnable(
    tx: EntityManager,
    mode: Mode,
    { currency, account }: BankLine,
    { amount, ...key }: LinePart,
  ): Promise<BankAllocation | 'no_order' | 'wrong_currency' | 'no_payment'> {
    const order = await this.orders.findIn(tx, { ...key, mode }, key.txid);
    if (!order) return 'no_order';
    if (order.currency !== currency) return 'wrong_currency';
    for (const allocation of await this.allocations.standingOf(tx, key)) {
      const paying = await this.matching.lock(tx, mode, allocation.lineId);
      if (paying?.account !== account) continue;
      if ((await this.allocations.left(tx, allocation)) >= amount) return allocation;
    }
    return 'no_payment';
  }

  /**
   * Says that a line that waits for a person pays for nothing, or what it is.
   * @param reason in the person's words; the line keeps it
   */
  ignore(
    mode: Mode,
    lineId: string,
    reason: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<DeskOutcome> {
    return this.withLine(mode, lineId, async (tx, line) => {
      if (!isWaiting(line) || isPossibleDuplicate(line)) return 'not_possible';
      await this.decided(tx, line, { state: 'ignored', reason }, this.clock.now(), hook);
      return 'done';
    });
  }

  /** Takes that back: the line waits for a person again. No rule pays with it any more. */
  reopen(
    mode: Mode,
    lineId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<DeskOutcome> {
    return this.withLine(mode, lineId, async (tx, line) => {
      if (line.state !== 'ignored') return 'not_possible';
      const waits = { state: 'unmatched', reason: 'reopened' } as const;
      await this.decided(tx, line, waits, this.clock.now(), hook);
      return 'done';
    });
  }

  /**
   * Undoes a match, whoever made it: the line waits for a person again, and the order becomes what it would be without
   * it. Where its money has left already, nothing changes.
   * @param hook gets the allocation as it was
   */
  undo(
    mode: Mode,
    key: AllocationKey,
    hook: TransactionHook<BankAllocation> = noHook,
  ): Promise<UndoOutcome> {
    return this.database.transaction(async (tx) => {
      const known = await this.allocations.findIn(tx, key);
      const line = known && (await this.matching.lock(tx, mode, known.lineId));
      if (!known || !line) return 'not_there';
      const now = this.clock.now();
      const outcome = await this.takesBack.undo(tx, known, now);
      if (outcome !== 'taken_back') return outcome;
      const reason = (await this.restOf(tx, line)) === line.amount ? 'undone' : 'partly_matched';
      await this.matching.decided(tx, [{ id: line.id, state: 'unmatched', reason }], now);
      await hook(tx, known);
      return outcome;
    });
  }

  /**
   * Adds what the bank did not say of a payer. What is known already stays; `payment.updated` tells of it.
   * @param hook gets the payment as it is afterwards
   */
  addPayer(
    mode: Mode,
    key: PaymentKey,
    payer: Payer,
    hook: TransactionHook<Payment> = noHook,
  ): Promise<DeskOutcome> {
    return this.database.transaction(async (tx) => {
      const payment = await this.credits.addPayer(tx, mode, key, payer, this.clock.now());
      if (!payment) return 'not_possible';
      await hook(tx, payment);
      return 'done';
    });
  }

  private withLine(
    mode: Mode,
    lineId: string,
    work: (tx: EntityManager, line: BankLine) => Promise<DeskOutcome>,
  ): Promise<DeskOutcome> {
    return this.database.transaction(async (tx) => {
      const line = await this.matching.lock(tx, mode, lineId);
      return line ? work(tx, line) : 'not_possible';
    });
  }

  /** Minor units of a line that came in and for which nothing was paid. */
  private async restOf(tx: EntityManager, { id, amount }: BankLine): Promise<number> {
    return amount! - (await this.allocations.allocated(tx, id));
  }

  /** Locks the orders; null when each can take its part. */
  private async refuse(
    tx: EntityManager,
    line: BankLine,
    parts: readonly LinePart[],
  ): Promise<MatchOutcome | null> {
    if (new Set(parts.map(({ txid }) => txid)).size < parts.length) return 'no_order';
    const { mode, currency } = line;
    const keys = parts.map(({ merchantId, txid }) => ({ merchantId, mode, txid }));
    const held = [...(await this.credits.hold(tx, keys)).values()];
    if (held.length < parts.length) return 'no_order';
    if (held.some(({ order }) => order.currency !== currency)) return 'wrong_currency';
    return held.every((one) => this.credits.hasRoom(one)) ? null : 'too_many_payments';
  }

  private async decided(
    tx: EntityManager,
    line: BankLine,
    verdict: Pick<BankLine, 'state' | 'reason'>,
    now: Date,
    hook: TransactionHook<BankLine>,
  ): Promise<void> {
    await this.matching.decided(tx, [{ id: line.id, ...verdict }], now);
    await hook(tx, { ...line, ...verdict, lookedAt: now });
  }
}

/** So that two people wait for each other, and never both. */
const inOrder = (parts: readonly LinePart[]): LinePart[] =>
  parts.toSorted((one, other) => (one.txid < other.txid ? -1 : 1));

const creditOf = (line: BankLine, { amount }: LinePart, userId: string, note: string) => ({
  lineId: line.id,
  amount,
  currency: line.currency!,
  payer: payerOf(line),
  bookedOn: line.bookedOn ?? line.createdAt.toISOString().slice(0, 10),
  matchedBy: userId,
  evidence: { rule: 'by_hand', note },
});
