import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BankAllocationRepository } from '../../database/bank/matching/bank-allocation.repository.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import {
  BankPayoutLineRepository,
  type ReportedPayout,
} from '../../database/bank/matching/bank-payout-line.repository.js';
import { CollectionAccountRepository } from '../../database/bank/collection-accounts/collection-account.repository.js';
import {
  MatchingRepository,
  type TotalDoubt,
} from '../../database/bank/matching/matching.repository.js';
import { PaidLineRepository } from '../../database/bank/matching/paid-line.repository.js';
import type { BankAllocation } from '../../database/bank/matching/bank-allocation.entity.js';
import { TakeBackService } from '../../payments/take-back.service.js';
import { BookedPayouts } from '../../payouts/booked-payouts.service.js';
import {
  isReturnOf,
  namesOf,
  type ReturnedPart,
  sharesOnlyBankReference,
  sumOf,
} from './return-match.js';
import type { LineReason } from './line-reasons.js';
import type { Decision } from './matching.js';
import { payoutIdsIn, payoutIdsWithin } from './payout-ids.js';
import { isAtBank, isPaidTo, mayBePaidTo, messageIdsIn, sumsToLine } from './payout-match.js';
import { doubtfulReferences, sureReferences } from './reference-clues.js';
import { isSure, isTakingBack } from '../recognition/waiting-line.js';

type Verdict = Pick<Decision, 'state' | 'reason'>;

/** Reasons for which an operator has to decide. */
const TASKS: ReadonlySet<LineReason> = new Set([
  'unknown_money_back',
  'payout_elsewhere',
  'payout_contradicted',
  'may_be_refund',
  'payer_not_named',
  'total_or_payment',
  'statements_differ',
]);

/** Explains outgoing money, and money that was returned or taken back. */
@Injectable()
export class PayoutLines {
  constructor(
    private readonly matching: MatchingRepository,
    private readonly paidLines: PaidLineRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly links: BankPayoutLineRepository,
    private readonly accounts: CollectionAccountRepository,
    private readonly takesBack: TakeBackService,
    private readonly payouts: BookedPayouts,
  ) {}

  /** Whether a line may belong to a payout, or take a payment back. */
  concerns({ status, state, direction, kind, amount }: BankLine): boolean {
    const isOver = state === 'superseded' || state === 'ignored' || state === 'matched';
    if (status !== 'booked' || isOver || amount === null) return false;
    return direction === 'out' || isTakingBack({ kind });
  }

  /**
   * Books the line if it matches exactly one payout or payment. The caller holds the account lock.
   * @param doubt why the line may be the total of several returns, or one of them
   */
  async explain(
    tx: EntityManager,
    line: BankLine,
    doubt: TotalDoubt | null,
    now: Date,
  ): Promise<Verdict> {
    const reason = await this.reasonOf(tx, line, doubt, now);
    const isTask =
      TASKS.has(reason) ||
      (reason === 'unknown_money_out' &&
        (isTakingBack(line) ||
          (await this.maySendBack(tx, line)) ||
          (await this.namesPayout(tx, line))));
    return { state: isTask ? 'unmatched' : 'not_a_payment', reason };
  }

  private async reasonOf(
    tx: EntityManager,
    line: BankLine,
    doubt: TotalDoubt | null,
    now: Date,
  ): Promise<LineReason> {
    if (!isSure(line)) return this.unsure(tx, line);
    // An operator has already explained a part of it.
    if ((await this.allocations.returnedBy(tx, line.id)) > 0) return 'unknown_money_out';
    if (line.direction === 'in') return this.cameBack(tx, line, now);
    return isTakingBack(line) ? this.takenBack(tx, line, doubt, now) : this.left(tx, line, now);
  }

  /** Matches a payout by its id, or the payouts of a file by message id and sum. */
  private async left(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
    const named = await this.links.lock(tx, line.mode, payoutIdsIn(line));
    const paid =
      named.length > 0 ? named : await this.links.lockOfMessage(tx, line.mode, messageIdsIn(line));
    const fresh = paid.filter((payout) => !payout.left && isAtBank(payout));
    if (!sumsToLine(fresh, line)) return this.contradicts(tx, line, named);
    // The creditor of a direct debit chooses its end-to-end id.
    if (line.kind === 'collection' || (fresh.length === 1 && !mayBePaidTo(fresh[0]!, line)))
      return 'unknown_money_out';
    // A payer who knows the id of a payout can pay with it, and his bank can send that money back.
    const from = isPaidTo(fresh, line) ? line.counterpartyAccount : null;
    if (await this.maySendBack(tx, line, from)) return 'unknown_money_out';
    if (!(await this.arePaidFrom(tx, line, fresh))) return 'payout_elsewhere';
    const ids = new Set(fresh.map(({ id }) => id));
    for (const fileId of new Set(fresh.map((payout) => payout.fileId!)))
      await this.payouts.left(tx, fileId, ids);
    await this.links.link(tx, fresh, line, now);
    return 'payout_paid';
  }

  /** A line that the bank does not prove moves no money, but it can contradict an operator. */
  private async unsure(tx: EntityManager, line: BankLine): Promise<LineReason> {
    if (line.direction === 'in') return 'unknown_money_back';
    return this.contradicts(tx, line, await this.links.lock(tx, line.mode, payoutIdsIn(line)));
  }

  /** Whether an operator reported a payout as failed, or its file as not sent, that the bank reports as executed. */
  private async contradicts(
    tx: EntityManager,
    line: BankLine,
    named: readonly ReportedPayout[],
  ): Promise<LineReason> {
    const denied = named.filter((payout) => !payout.left && !isAtBank(payout));
    const isDenied =
      sumsToLine(denied, line) ||
      denied.some((payout) => mayBePaidTo(payout, line)) ||
      (await this.links.isOfDenied(tx, line.mode, messageIdsIn(line)));
    return isDenied ? 'payout_contradicted' : 'unknown_money_out';
  }

  private async namesPayout(tx: EntityManager, line: BankLine): Promise<boolean> {
    const ids = [...payoutIdsIn(line), ...payoutIdsWithin(line)];
    const named = await this.links.lock(tx, line.mode, ids);
    const ofFile = await this.links.lockOfMessage(tx, line.mode, messageIdsIn(line));
    const isNamed = (payout: ReportedPayout): boolean =>
      mayBePaidTo(payout, line) || payout.amount === line.amount;
    return named.some(isNamed) || ofFile.length > 0;
  }

  /**
   * Not every format marks returns: a returned payment carries the payer's texts, including our own references.
   * @param from the payer’s account; null for any
   */
  private async maySendBack(
    tx: EntityManager,
    line: BankLine,
    from: string | null = null,
  ): Promise<boolean> {
    if (sureReferences(line).length > 0) return true;
    const doubtful = doubtfulReferences(line).map(({ reference }) => reference);
    if (await this.paidLines.hasReference(tx, doubtful)) return true;
    return this.paidLines.hasPaymentCalled(tx, line, namesOf(line), from);
  }

  private async cameBack(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
    const named = await this.links.lock(tx, line.mode, payoutIdsIn(line));
    const fresh = named.filter((payout) => !payout.cameBack && isAtBank(payout));
    if (fresh.length !== 1 || !sumsToLine(fresh, line)) return 'unknown_money_back';
    if (!mayBePaidTo(fresh[0]!, line)) return 'unknown_money_back';
    if (!(await this.arePaidFrom(tx, line, fresh))) return 'payout_elsewhere';
    // Requires an earlier line for the outgoing payment: a direct debit may use the payout's id.
    if (!fresh[0]!.left || (await this.links.mayBeOfAnother(tx, fresh[0]!, line)))
      return 'unknown_money_back';
    const day = line.bookedOn ?? line.valuedOn ?? now.toISOString().slice(0, 10);
    // Link first: a database trigger requires the line as proof from a bank.
    await this.links.link(tx, fresh, line, now);
    const bringers = await this.links.involvedUsers(tx, line);
    await this.payouts.cameBack(tx, fresh[0]!, `The bank sent it back on ${day}.`, bringers);
    return 'payout_returned';
  }

  /** A statement of another account can name a payout, too: for example that of the payee, imported by mistake. */
  private async arePaidFrom(
    tx: EntityManager,
    line: BankLine,
    payouts: readonly ReportedPayout[],
  ): Promise<boolean> {
    if (await this.accounts.isOne(tx, line)) return true;
    const files = new Set(payouts.map(({ fileId }) => fileId!));
    return this.payouts.areOfDebtor(tx, files, line.account);
  }

  /** Matches exactly one earlier line with the same names and amount, or a part of one. */
  private async takenBack(
    tx: EntityManager,
    line: BankLine,
    doubt: TotalDoubt | null,
    now: Date,
  ): Promise<LineReason> {
    const like = await this.paidLines.lockPaidLike(tx, line, namesOf(line));
    const paid = like && (await this.isSureReturnOf(tx, line, like)) ? like : null;
    // The match may have been undone while this waited for the lock.
    const standing = paid ? await this.allocations.standing(tx, paid.id) : [];
    const parts = await this.leftOf(tx, standing);
    // Whole only if all of the line is allocated and nothing was taken back before.
    const isWhole =
      paid && parts.length > 0 && sumOf(parts) === (await this.allocations.allocated(tx, paid.id));
    const taken = isWhole ? parts : await this.partly(tx, line);
    if (taken.length === 0) return 'unknown_money_out';
    // A total of returns without a name seldom has the amount of a payment.
    if (doubt && (doubt !== 'payer_not_named' || !isWhole)) return doubt;
    if (await this.mayBeRefund(tx, taken)) return 'may_be_refund';
    await this.takeBackAll(tx, line, taken, null, now);
    return 'charged_back';
  }

  /** Money of the order may have left before, by a recorded refund or by a debit that an operator explained. */
  private async mayBeRefund(tx: EntityManager, taken: readonly ReturnedPart[]): Promise<boolean> {
    if (await this.takesBack.mayBeRefund(tx, taken)) return true;
    for (const { allocation } of taken)
      if (await this.paidLines.hasExplainedDebit(tx, allocation)) return true;
    return false;
  }

  private async isSureReturnOf(
    tx: EntityManager,
    line: BankLine,
    paid: BankLine,
  ): Promise<boolean> {
    if (!isReturnOf(line, paid)) return false;
    return (
      !sharesOnlyBankReference(line, paid) || !(await this.paidLines.hasEqualPayment(tx, paid))
    );
  }

  /**
   * Matches a partial return to one payment, by a name of its booking or by the order's reference. Reversals always
   * concern a whole booking.
   */
  private async partly(tx: EntityManager, line: BankLine): Promise<ReturnedPart[]> {
    if (line.kind !== 'return') return [];
    const amount = line.amount!;
    const named = await this.paidLines.lockPaidMore(tx, line, namesOf(line));
    // A payer may write any order's reference as end-to-end id, so it only names a payment that has it, too.
    const references = sureReferences(line)
      .filter(({ place }) => place !== 'end_to_end_id')
      .map(({ reference }) => reference);
    const found = named.length > 0 ? named : await this.paidLines.lockPaidFor(tx, line, references);
    const isOne =
      found.length === 1 &&
      isReturnOf(line, found[0]!) &&
      !sharesOnlyBankReference(line, found[0]!);
    // The bank may have returned the part that no order has.
    const isAllocated =
      isOne && (await this.allocations.allocated(tx, found[0]!.id)) === found[0]!.amount;
    const standing = isAllocated ? await this.allocations.standing(tx, found[0]!.id) : [];
    const [part, ...more] = await this.leftOf(tx, standing);
    return part && more.length === 0 && part.left >= amount ? [{ ...part, left: amount }] : [];
  }

  private async leftOf(
    tx: EntityManager,
    standing: readonly BankAllocation[],
  ): Promise<ReturnedPart[]> {
    const parts: ReturnedPart[] = [];
    for (const allocation of standing)
      parts.push({ allocation, left: await this.allocations.left(tx, allocation) });
    return parts;
  }

  /**
   * Takes the amounts back from the allocations. The caller holds the locks of the lines.
   * @param saidBy user who decided; null = the rules
   * @throws Error when an allocation has less left
   */
  async takeBackAll(
    tx: EntityManager,
    { id: lineId, mode, amount: went }: BankLine,
    parts: readonly ReturnedPart[],
    saidBy: string | null,
    now: Date,
  ): Promise<void> {
    const paid = new Set(parts.map(({ allocation }) => allocation.lineId));
    for (const { allocation, left: amount } of parts) {
      const back = { lineId, amount, saidBy };
      const outcome = await this.takesBack.takeBack(tx, allocation, back, now);
      if (outcome !== 'taken_back') throw new Error(`a return of a payment was ${outcome}`);
    }
    for (const id of paid) {
      if ((await this.allocations.standing(tx, id)).length > 0) continue;
      const came = (await this.matching.lock(tx, mode, id))!.amount!;
      const isAll = went === came || (await this.allocations.allocated(tx, id)) === came;
      const verdict = isAll
        ? ({ state: 'matched', reason: 'charged_back' } as const)
        : ({ state: 'unmatched', reason: 'partly_matched' } as const);
      await this.matching.decided(tx, [{ id, ...verdict }], now);
    }
  }
}
