import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import type { BankAllocation } from '../../database/bank/matching/bank-allocation.entity.js';
import {
  type AllocationKey,
  BankAllocationRepository,
} from '../../database/bank/matching/bank-allocation.repository.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import { LineStoreRepository } from '../../database/bank/lines/line-store.repository.js';
import { CollectionAccountRepository } from '../../database/bank/collection-accounts/collection-account.repository.js';
import { MatchingRepository } from '../../database/bank/matching/matching.repository.js';
import { Database } from '../../database/database.js';
import { violatedCheck } from '../../database/faults.js';
import type { OrderKey, PaymentKey } from '../../database/keys.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { OrderRepository } from '../../database/orders/order.repository.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import { noHook, type TransactionHook } from '../../database/transaction-hook.js';
import { CreditsService } from '../../payments/credits.service.js';
import { TakeBackService } from '../../payments/take-back.service.js';
import { RequestedRefunds } from '../../refund-lifecycle/requested-refunds.js';
import type { Payer } from '../../providers/provider.js';
import { payerOf } from './matcher.service.js';
import { PayoutLines } from './payout-lines.js';
import type {
  MatchOutcome,
  ReconciliationOutcome,
  ReopenOutcome,
  ReturnOutcome,
  UndoOutcome,
} from './outcomes.js';
import {
  canBeMatched,
  canBeReturn,
  isPossibleDuplicate,
  isWaiting,
} from '../recognition/waiting-line.js';

/** Part of a line that an operator allocates to an order; minor units of the line's currency. */
export interface LinePart extends OrderKey {
  readonly amount: number;
}

/** Actions of operators on bank lines. */
@Injectable()
export class ManualReconciliation {
  constructor(
    private readonly database: Database,
    private readonly matching: MatchingRepository,
    private readonly orders: OrderRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly accounts: CollectionAccountRepository,
    private readonly credits: CreditsService,
    private readonly takesBack: TakeBackService,
    private readonly requested: RequestedRefunds,
    private readonly payoutLines: PayoutLines,
    private readonly store: LineStoreRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Allocates a line, or the rest of one, to orders. The remainder stays unallocated.
   * @param mode mode of the operator's page, and so of the line and the orders
   * @param userId the operator
   * @param note reason; stored as evidence
   * @param hook receives the updated line
   */
  matchManually(
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
      // Otherwise a forged statement could pay orders.
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
   * Records that an outgoing line, or a part of it, took back a payment or a part of one. The rest of the line stays
   * open.
   * @param mode mode of the operator's page, and so of the line and the order
   * @param userId the operator
   * @param hook receives the updated line
   */
  returnManually(
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

  /** Locks the newest payment by transfer of the order that has enough left; one on the line's account comes first. */
  private async returnable(
    tx: EntityManager,
    mode: Mode,
    { currency, account }: BankLine,
    { amount, ...key }: LinePart,
  ): Promise<BankAllocation | 'no_order' | 'wrong_currency' | 'no_payment'> {
    const order = await this.orders.findIn(tx, { ...key, mode }, key.txid);
    if (!order) return 'no_order';
    if (order.currency !== currency) return 'wrong_currency';
    const isHeld = async () => amount <= (await this.takesBack.held(tx, key));
    if (!(await isHeld()) && !((await this.requested.cancel(tx, key)) && (await isHeld())))
      return 'no_payment';
    let elsewhere: BankAllocation | undefined;
    for (const allocation of await this.allocations.standingOf(tx, key)) {
      const paying = await this.matching.lock(tx, mode, allocation.lineId);
      if ((await this.allocations.left(tx, allocation)) < amount) continue;
      if (paying?.account === account) return allocation;
      elsewhere ??= allocation;
    }
    return elsewhere ?? 'no_payment';
  }

  /**
   * Marks a line as not a payment.
   * @param reason the operator's explanation; stored with the line
   */
  ignore(
    mode: Mode,
    lineId: string,
    reason: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<ReconciliationOutcome> {
    return this.withLine(mode, lineId, async (tx, line) => {
      if (!isWaiting(line) || isPossibleDuplicate(line)) return 'not_possible';
      await this.decided(tx, line, { state: 'ignored', reason }, this.clock.now(), hook);
      return 'done';
    });
  }

  /** Reverts that. The line waits for an operator; rules do not match it again. */
  reopen(
    mode: Mode,
    lineId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<ReopenOutcome> {
    return this.withLine(mode, lineId, async (tx, line) => {
      if (line.state !== 'ignored') return 'not_possible';
      const waits = { state: 'unmatched', reason: 'reopened' } as const;
      await this.decided(tx, line, waits, this.clock.now(), hook);
      return 'done';
    }).catch((error: unknown) => {
      if (violatedCheck(error) === 'bank_lines_stands_for_return') return 'stands_for_return';
      throw error;
    });
  }

  /**
   * Undoes a match of a rule or of an operator. The line becomes unallocated again, and the order is recalculated. If a
   * batch total has no other allocation, its payments replace it. Fails if the money was already paid out.
   * @param hook receives the allocation as it was
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
      let outcome = await this.takesBack.undo(tx, known, now);
      if (outcome === 'sent_back' && (await this.requested.cancel(tx, known)))
        outcome = await this.takesBack.undo(tx, known, now);
      if (outcome !== 'taken_back') return outcome;
      const reason = (await this.restOf(tx, line)) === line.amount ? 'undone' : 'partly_matched';
      await this.matching.decided(tx, [{ id: line.id, state: 'unmatched', reason }], now);
      await this.store.countParts(tx, line.id, now);
      await hook(tx, known);
      return outcome;
    });
  }

  /**
   * Adds payer details that the bank did not report. Known details stay; emits `payment.updated`.
   * @param hook receives the updated payment
   */
  addPayer(
    mode: Mode,
    key: PaymentKey,
    payer: Payer,
    hook: TransactionHook<Payment> = noHook,
  ): Promise<ReconciliationOutcome> {
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
    work: (tx: EntityManager, line: BankLine) => Promise<ReconciliationOutcome>,
  ): Promise<ReconciliationOutcome> {
    return this.database.transaction(async (tx) => {
      const line = await this.matching.lock(tx, mode, lineId);
      return line ? work(tx, line) : 'not_possible';
    });
  }

  /** Unallocated rest of an incoming line, in minor units. */
  private async restOf(tx: EntityManager, { id, amount }: BankLine): Promise<number> {
    return amount! - (await this.allocations.allocated(tx, id));
  }

  /** Locks the orders; returns null when each can take its part. */
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

/** Consistent lock order, so that two operators cannot deadlock. */
const inOrder = (parts: readonly LinePart[]): LinePart[] =>
  parts.toSorted((one, other) => (one.txid < other.txid ? -1 : 1));

const creditOf = (line: BankLine, { amount }: LinePart, userId: string, note: string) => ({
  lineId: line.id,
  amount,
  currency: line.currency!,
  payer: payerOf(line),
  bookedOn: line.bookedOn ?? line.valuedOn ?? line.createdAt.toISOString().slice(0, 10),
  matchedBy: userId,
  evidence: { rule: 'by_hand', note },
});
