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
import { CreditsService } from '../payments/credits.service.js';
import { BookedPayouts } from '../payouts/booked-payouts.service.js';
import type { Decision, LineReason } from './matching.js';
import { isPossibleDuplicate } from './waiting-line.js';

type Verdict = Pick<Decision, 'state' | 'reason'>;

/** Our id of a payout, as banks hand it back: without dashes. */
const PAYOUT_ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/gi;
/** The name of a file of payouts. */
const MESSAGE_ID = /(?:TEST[0-9a-f]{31}|[0-9a-f]{32})/gi;

/** Explains what left the platform's accounts, and what came back to them or was taken back. */
@Injectable()
export class PayoutLines {
  constructor(
    private readonly matching: MatchingRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly links: BankPayoutLineRepository,
    private readonly accounts: CollectionAccountRepository,
    private readonly credits: CreditsService,
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
    if (line.direction === 'in') return this.cameBack(tx, line, now);
    return isTakingBack(line) ? this.takenBack(tx, line, now) : this.left(tx, line, now);
  }

  /** A payout by its id, or those of a file by its name and their sum. */
  private async left(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
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
    { mode, account }: BankLine,
    payouts: readonly ToldPayout[],
  ): Promise<boolean> {
    if (await this.accounts.isOne(tx, mode, account)) return true;
    return this.payouts.areOfDebtor(tx, new Set(payouts.map(({ fileId }) => fileId!)), account);
  }

  /** The money of an earlier line, which must be just one that is called the same and of the same amount. */
  private async takenBack(tx: EntityManager, line: BankLine, now: Date): Promise<LineReason> {
    const paid = await this.matching.lockPaidLike(tx, line, namesOf(line));
    // A person may have undone the match while this waited for the lock.
    const standing = paid ? await this.allocations.standing(tx, paid.id) : [];
    if (!paid || standing.length === 0) return 'unknown_money_out';
    const how = { because: 'returned', lineId: line.id } as const;
    for (const allocation of standing) await this.credits.takeBack(tx, allocation, how, now);
    const verdict = { id: paid.id, state: 'matched', reason: 'charged_back' } as const;
    await this.matching.decided(tx, [verdict], now);
    return 'charged_back';
  }
}

/** It undoes an earlier booking. */
const isTakingBack = ({ kind }: Pick<BankLine, 'kind'>): boolean =>
  kind === 'return' || kind === 'reversal';

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

function payoutIdsIn(line: BankLine): string[] {
  const { endToEndId, identifiers, text } = line;
  const texts = [endToEndId, identifiers['instructionId'], text?.replace(/\s/g, '')];
  const found = texts.flatMap((each) => each?.match(PAYOUT_ID) ?? []);
  const ids = found.map((id) => uuidOf(id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')));
  return [...new Set(ids.filter((id) => id !== null))];
}

function messageIdsIn({ endToEndId, identifiers, text }: BankLine): string[] {
  const { messageId, paymentInformationId } = identifiers;
  const found = text?.replace(/\s/g, '').match(MESSAGE_ID) ?? [];
  const names = [messageId, paymentInformationId, endToEndId, ...found];
  return [...new Set(names.filter((name) => name !== null && name !== undefined))];
}
