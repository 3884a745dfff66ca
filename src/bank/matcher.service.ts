import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { BankLine } from '../database/bank/bank-line.entity.js';
import {
  type KnownOrder,
  type LineVerdict,
  MatchingRepository,
} from '../database/bank/matching.repository.js';
import { Database } from '../database/database.js';
import { JobQueue } from '../database/job-queue.js';
import type { HeldCredit, HeldOrder } from '../payments/credit.js';
import { CreditsService } from '../payments/credits.service.js';
import { ImportPace } from './import-pace.js';
import { type Allocation, decide, SUGGESTIONS_MAX, type Suggestion } from './matching.js';
import { OrderFinder } from './order-finder.js';
import { groupsOf, type PayingLine } from './paying-lines.js';
import { PayoutLines } from './payout-lines.js';

const MATCH_JOB = 'match-bank-lines';
/** A run of the job goes on for so long; what is left waits for the next. */
const RUN_MS = 40_000;

/** Looks at each line of a bank once, and pays what it pays. */
@Injectable()
export class MatcherService implements OnModuleInit {
  private readonly logger = new Logger('matching');

  constructor(
    private readonly database: Database,
    private readonly matching: MatchingRepository,
    private readonly credits: CreditsService,
    private readonly finder: OrderFinder,
    private readonly payoutLines: PayoutLines,
    private readonly pace: ImportPace,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** What a crash left, or another process has not come to, is found again. */
  onModuleInit(): void {
    this.jobs.register(MATCH_JOB, async () => void (await this.matchNew(RUN_MS)));
  }

  /**
   * Looks at all lines at which nobody has looked; those that pay are booked some at a time, each whole or not at all.
   * Several processes may do so at once: each line is taken by one of them.
   * @param milliseconds after which it stops between two batches
   * @returns whether no line is left, as one is whose order somebody holds
   */
  async matchNew(milliseconds = Number.POSITIVE_INFINITY): Promise<boolean> {
    const end = performance.now() + milliseconds;
    const later = new Map<string, BankLine>();
    const postpone = (lines: readonly BankLine[]): void =>
      lines.forEach((line) => void later.set(line.id, line));
    let behind: string | undefined;
    while (performance.now() < end) {
      const lines = await this.matching.newLines(this.pace.steps.batch, behind);
      if (lines.length === 0) break;
      behind = lines.at(-1)!.id;
      postpone(lines.filter((line) => this.payoutLines.concerns(line)));
      postpone(await this.lookAt(lines.filter((line) => !this.payoutLines.concerns(line))));
    }
    // What takes back or comes back follows what was paid, in this file or another.
    for (const { id } of [...later.values()].toSorted(byDay))
      await this.pace.step(() => this.explain(id)).catch(this.goOn);
    return (await this.matching.newLines(1)).length === 0;
  }

  /** Orders that a line may be for, and why; the likeliest first. */
  async suggestionsFor(line: BankLine): Promise<Suggestion[]> {
    const around = await this.finder.around([line]);
    const { suggestions } = decide({ ...line, state: 'unmatched' }, around(line));
    const more = suggestions.length < SUGGESTIONS_MAX ? await this.finder.hints(line) : [];
    const known = new Set(suggestions.map(({ order }) => order.txid));
    return [...suggestions, ...more.filter(({ order }) => !known.has(order.txid))].slice(
      0,
      SUGGESTIONS_MAX,
    );
  }

  /**
   * What pays nothing is written down together; the rest is booked in groups.
   * @returns lines to look at again, because they take back what was paid now
   */
  private async lookAt(lines: readonly BankLine[]): Promise<BankLine[]> {
    const around = await this.finder.around(lines);
    const decided = lines.map((line) => ({ line, ...decide(line, around(line)) }));
    const quiet = decided.filter(({ allocations }) => allocations.length === 0);
    const verdicts = quiet.map(({ line, state, reason }) => ({ id: line.id, state, reason }));
    if (verdicts.length > 0)
      await this.pace.step(() => this.matching.decidedTogether(verdicts, this.clock.now()));
    const paying = decided
      .filter(({ allocations }) => allocations.length > 0)
      .map(({ line, allocations }) => ({
        id: line.id,
        orders: allocations.map(({ order }) => order),
      }));
    const again: BankLine[] = [];
    for (const group of groupsOf(paying, this.pace.steps.group))
      again.push(...(await this.bookOrSplit(group)));
    return again;
  }

  /** Those of a group that fails are booked each for itself, so that one of them keeps no other waiting. */
  private async bookOrSplit(group: readonly PayingLine[]): Promise<BankLine[]> {
    try {
      return await this.pace.step(() => this.database.transaction((tx) => this.book(tx, group)));
    } catch (error) {
      if (group.length === 1) this.goOn(error);
    }
    const again: BankLine[] = [];
    if (group.length > 1) for (const line of group) again.push(...(await this.bookOrSplit([line])));
    return again;
  }

  /** Looks once more, with the lines and the orders locked, and books what comes out. */
  private async book(tx: EntityManager, group: readonly PayingLine[]): Promise<BankLine[]> {
    const known = new Map(group.map(({ id, orders }) => [id, orders]));
    const lines = await this.matching.claim(tx, [...known.keys()]);
    const held = await this.credits.hold(
      tx,
      lines.flatMap(({ id }) => known.get(id)!),
    );
    const now = this.clock.now();
    const booked = lines.map((line) => this.decideHeld(line, known.get(line.id)!, held));
    await this.credits.creditAll(
      tx,
      booked.flatMap(({ credits }) => credits),
      now,
    );
    await this.matching.decided(
      tx,
      booked.map(({ verdict }) => verdict),
      now,
    );
    const paid = booked.filter(({ credits }) => credits.length > 0);
    return this.matching.recall(
      tx,
      paid.map(({ verdict }) => verdict.id),
    );
  }

  private decideHeld(
    line: BankLine,
    known: readonly KnownOrder[],
    held: ReadonlyMap<string, HeldOrder>,
  ): { verdict: LineVerdict; credits: HeldCredit[] } {
    const orders = known.flatMap(({ txid, reference }) => {
      const one = held.get(txid);
      return one ? [{ ...one.order, reference }] : [];
    });
    const { allocations, ...decision } = decide(line, { ...NOTHING_AROUND, orders });
    const credits = allocations.map((allocation) => ({
      held: held.get(allocation.order.txid)!,
      credit: creditOf(line, allocation),
    }));
    const { state, reason } = credits.every(({ held: one }) => this.credits.hasRoom(one))
      ? decision
      : TOO_MANY;
    return { verdict: { id: line.id, state, reason }, credits: state === 'matched' ? credits : [] };
  }

  private explain(id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const [line] = await this.matching.claim(tx, [id]);
      if (!line) return;
      const now = this.clock.now();
      const { state, reason } = this.payoutLines.concerns(line)
        ? await this.payoutLines.explain(tx, line, now)
        : decide(line, NOTHING_AROUND);
      await this.matching.decided(tx, [{ id, state, reason }], now);
    });
  }

  /** A line that fails must not keep the others waiting: the job comes back to it. */
  private readonly goOn = (error: unknown): void =>
    this.logger.warn({ err: error }, 'a line is looked at again later');
}

/** Only what came to an account of ours gets that far, and it stays one; nothing is read beside the transaction. */
const NOTHING_AROUND = { isOurAccount: true, orders: [], numbered: [] };
const TOO_MANY = { state: 'suggested', reason: 'too_many_payments' } as const;

/** Day by day, what left before what came. */
const byDay = (one: BankLine, other: BankLine): number =>
  (one.bookedOn ?? '').localeCompare(other.bookedOn ?? '') ||
  Number(one.direction === 'in') - Number(other.direction === 'in');

/** A line without a day was booked when it was read, at the latest. */
const creditOf = (line: BankLine, { amount, evidence }: Allocation) => ({
  lineId: line.id,
  amount,
  currency: line.currency!,
  payer: payerOf(line),
  bookedOn: line.bookedOn ?? line.createdAt.toISOString().slice(0, 10),
  matchedBy: null,
  evidence,
});

/** Who paid, as the bank gave it. */
export const payerOf = (line: BankLine) => ({
  accountNumber: line.counterpartyAccount,
  accountType: line.counterpartyAccountType,
  accountName: line.counterpartyName,
});
