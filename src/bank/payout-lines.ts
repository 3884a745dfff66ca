import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { uuidOf } from '../common/ids.js';
import { BankAllocationRepository } from '../database/bank/bank-allocation.repository.js';
import type { BankLine } from '../database/bank/bank-line.entity.js';
import {
  BankPayoutLineRepository,
  type ToldPayout,
} from '../database/bank/bank-payout-line.repository.js';
import { CollectionAccountRepository } from '../database/bank/collection-account.repository.js';
import { MatchingRepository } from '../database/bank/matching.repository.js';
import { PaidLineRepository } from '../database/bank/paid-line.repository.js';
import type { BankAllocation } from '../database/bank/bank-allocation.entity.js';
import { TakeBackService } from '../payments/take-back.service.js';
import { BookedPayouts } from '../payouts/booked-payouts.service.js';
import type { Decision, LineReason } from './matching.js';
import { sureReferences } from './reference-clues.js';
import { isPossibleDuplicate } from './waiting-line.js';

type Verdict = Pick<Decision, 'state' | 'reason'>;

/** Our id of a payout, as banks hand it back: without dashes. */
const PAYOUT_ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/gi;

/** Explains what left the platform's accounts, and what came back to them or was taken back. */
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

  /** Whether a line may move a payout, or take a payment back. */
  concerns({ status, state, direction, kind, amount }: BankLine): boolean {
    const isOver = state === 'superseded' || state === 'ignored' || state === 'matched';
    if (status !== 'booked' || isOver || amount === null) return false;
    return direction === 'out' || isTakingBack({ kind });
  }

  /** Books what the line tells, if it names just one thing; else it is a person's. The caller holds its lock. */
  async explain(tx: EntityManager, line: BankLine, now: Date): Promise<Verdict> {
    const reason = await this.reasonOf(tx, line, now);
    const isTask =
      reason === 'unknown_money_back' ||
      reason === 'payout_elsewhere' ||
      (reason === 'unknown_money_out' && isTakingBack(line));
    return { state: isTask ? 'unmatched' : 'not_a_payment', reason };
  }

  private async reasonOf(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
    if (!isSure(line)) return unknownOf(line);
    // A person has said of a part what it is.
    if ((await this.allocations.returnedBy(tx, line.id)) > 0) return 'unknown_money_out';
    if (line.direction === 'in') return this.cameBack(tx, line, now);
    return isTakingBack(line) ? this.takenBack(tx, line, now) : this.left(tx, line, now);
  }

  /** A payout by its id, or those of a file by its name and their sum. */
  private async left(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
    if (await this.maySendBack(tx, line)) return 'unknown_money_out';
    const named = await this.links.lock(tx, line.mode, payoutIdsIn(line));
    const paid =
      named.length > 0 ? named : await this.links.lockOfMessage(tx, line.mode, messageIdsIn(line));
    const fresh = paid.filter((payout) => !payout.left && isAtBank(payout));
    if (!comeTo(fresh, line)) return 'unknown_money_out';
    if (!(await this.arePaidFrom(tx, line, fresh))) return 'payout_elsewhere';
    const ids = new Set(fresh.map(({ id }) => id));
    for (const fileId of new Set(fresh.map((payout) => payout.fileId!)))
      await this.payouts.left(tx, fileId, ids);
    await this.links.link(tx, fresh, line, now);
    return 'payout_paid';
  }

  /** Not every format calls a return so: money of a payer that goes back bears what the payer wrote, also our own ids. */
  private async maySendBack(tx: EntityManager, line: BankLine): Promise<boolean> {
    return sureReferences(line).length > 0 || this.paidLines.hasPaymentCalled(tx, line);
  }

  private async cameBack(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
    const named = await this.links.lock(tx, line.mode, payoutIdsIn(line));
    const fresh = named.filter((payout) => !payout.cameBack && isAtBank(payout));
    if (fresh.length !== 1 || !comeTo(fresh, line)) return 'unknown_money_back';
    if (!(await this.arePaidFrom(tx, line, fresh))) return 'payout_elsewhere';
    const day = line.bookedOn ?? now.toISOString().slice(0, 10);
    // First: the database takes the line for the word of a bank.
    await this.links.link(tx, fresh, line, now);
    const bringers = await this.links.bringersOf(tx, line);
    await this.payouts.cameBack(tx, fresh[0]!, `The bank sent it back on ${day}.`, bringers);
    return 'payout_returned';
  }

  /** A statement of any other account, brought by mistake, can name a payout, too: that of the one who was paid. */
  private async arePaidFrom(
    tx: EntityManager,
    line: BankLine,
    payouts: readonly ToldPayout[],
  ): Promise<boolean> {
    if (await this.accounts.isOne(tx, line)) return true;
    const files = new Set(payouts.map(({ fileId }) => fileId!));
    return this.payouts.areOfDebtor(tx, files, line.account);
  }

  /** The money of an earlier line, which must be just one that is called the same and of the same amount, or a part of it. */
  private async takenBack(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
    const like = await this.paidLines.lockPaidLike(tx, line, namesOf(line));
    const paid = like && namesNoOther(line, like) ? like : null;
    // A person may have undone the match while this waited for the lock.
    const standing = paid ? await this.allocations.standing(tx, paid.id) : [];
    const parts = await this.leftOf(tx, standing);
    // What it has paid for nothing goes with it, and none of it went back before.
    const isWhole =
      paid && parts.length > 0 && sumOf(parts) === (await this.allocations.allocated(tx, paid.id));
    const taken = isWhole ? parts : await this.partly(tx, line);
    if (taken.length === 0) return 'unknown_money_out';
    await this.takeBackAll(tx, line, taken, null, now);
    return 'charged_back';
  }

  /** A part of one payment that a return names, for a reversal is of a whole booking: by a name of its booking or by the reference of its order. */
  private async partly(tx: EntityManager, line: BankLine): Promise<ReturnedPart[]> {
    if (line.kind !== 'return') return [];
    const amount = line.amount!;
    const named = await this.paidLines.lockPaidMore(tx, line, namesOf(line));
    const references = sureReferences(line).map(({ reference }) => reference);
    const found = named.length > 0 ? named : await this.paidLines.lockPaidFor(tx, line, references);
    const isOne = found.length === 1 && namesNoOther(line, found[0]!);
    const standing = isOne ? await this.allocations.standing(tx, found[0]!.id) : [];
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
   * Takes back of each allocation what the line returned of it. The caller holds the locks of the lines.
   * @param saidBy who says so; null = the rules
   * @throws Error when less is left of one
   */
  async takeBackAll(
    tx: EntityManager,
    { id: lineId }: BankLine,
    parts: readonly ReturnedPart[],
    saidBy: string | null,
    now: Date,
  ): Promise<void> {
    const paid = new Set(parts.map(({ allocation }) => allocation.lineId));
    for (const { allocation, left: amount } of parts) {
      const outcome = await this.takesBack.takeBack(
        tx,
        allocation,
        { lineId, amount, saidBy },
        now,
      );
      if (outcome !== 'taken_back') throw new Error(`a return of a payment was ${outcome}`);
    }
    for (const id of paid) {
      if ((await this.allocations.standing(tx, id)).length > 0) continue;
      await this.matching.decided(tx, [{ id, state: 'matched', reason: 'charged_back' }], now);
    }
  }
}

/** What a line took back of an allocation, in minor units. */
export interface ReturnedPart {
  readonly allocation: BankAllocation;
  readonly left: number;
}

const sumOf = (parts: readonly ReturnedPart[]): number =>
  parts.reduce((sum, { left }) => sum + left, 0);

/** It undoes an earlier booking. */
const isTakingBack = ({ kind }: Pick<BankLine, 'kind'>): boolean =>
  kind === 'return' || kind === 'reversal';

/** A return bears what its payer wrote: what names other orders of ours is another payment's. */
function namesNoOther(back: BankLine, paid: BankLine): boolean {
  const named = new Set(sureReferences(paid).map(({ reference }) => reference));
  return sureReferences(back).every(({ reference }) => named.has(reference));
}

/** What the bank does not prove moves no money. */
const isSure = (line: BankLine): boolean =>
  line.contradicts === null && line.unproven === null && !isPossibleDuplicate(line);

const unknownOf = ({ direction }: BankLine): LineReason =>
  direction === 'out' ? 'unknown_money_out' : 'unknown_money_back';

/** The bank got it, and did not refuse it. */
const isAtBank = ({ status, fileId }: ToldPayout): boolean =>
  fileId !== null && ['exported', 'submitted', 'paid', 'returned'].includes(status);

/** Whether payouts of the line's currency come to its amount. */
const comeTo = (payouts: readonly ToldPayout[], { amount, currency }: BankLine): boolean =>
  payouts.length > 0 &&
  payouts.every((payout) => payout.currency === currency) &&
  payouts.reduce((sum, payout) => sum + payout.amount, 0) === amount;

/** All that payer, banks and we called the booking. */
export const namesOf = ({ endToEndId, bankReference, identifiers }: BankLine): string[] => [
  ...new Set(
    [
      endToEndId,
      bankReference,
      identifiers['transactionId'],
      identifiers['transactionBankReference'],
      identifiers['uetr'],
    ].filter((name) => name !== null && name !== undefined),
  ),
];

/** In the text they may be a payer's words. */
function payoutIdsIn({ endToEndId, identifiers }: BankLine): string[] {
  const texts = [endToEndId, identifiers['instructionId']];
  const found = texts.flatMap((each) => each?.match(PAYOUT_ID) ?? []);
  const ids = found.map((id) => uuidOf(id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')));
  return [...new Set(ids.filter((id) => id !== null))];
}

function messageIdsIn({ endToEndId, identifiers }: BankLine): string[] {
  const names = [identifiers['messageId'], identifiers['paymentInformationId'], endToEndId];
  return [...new Set(names.filter((name) => name !== null && name !== undefined))];
}
