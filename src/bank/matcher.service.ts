import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { eachInTurn } from '../common/waiting/loop-turns.js';
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
import { type Allocation, decide, type Decision, type Surroundings } from './matching.js';
import { LineTries } from './line-tries.js';
import { OrderFinder } from './order-finder.js';
import { groupsOf, type PayingLine } from './paying-lines.js';
import { isUnavailableProblem } from './patience.js';
import { PayoutLines } from './payout-lines.js';
import { type ShownSuggestions, shownSuggestions } from './suggestions.js';

const MATCH_JOB = 'match-bank-lines';
/** A run of the job goes on for so long; what is left waits for the next. */
const RUN_MS = 40_000;

/** Microseconds of a processor that a decision about one line may take; it takes a thousandth of it. */
const DECIDED_MAX_US = 1_000_000;

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
    private readonly tries: LineTries,
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
      const others = lines.filter((line) => !this.payoutLines.concerns(line));
      await this.tries.each(others, async (some) => {
        const { again, failed } = await this.lookAt(some);
        postpone(again);
        return failed;
      });
    }
    // What takes back or comes back follows what was paid, in this file or another.
    const left = [...later.values()].toSorted(byDay);
    for (let at = 0; at < left.length; at += this.pace.steps.batch)
      await this.tries.each(left.slice(at, at + this.pace.steps.batch), (some) =>
        this.explainAll(some),
      );
    return (await this.matching.newLines(1)).length === 0;
  }

  /** Orders that a line may be for, and why; the likeliest first. */
  async suggestionsFor(line: BankLine): Promise<ShownSuggestions> {
    const hints = await this.finder.hints(line);
    // What stopped a process, or kept everybody waiting, is not tried again because somebody looks at it.
    if (isSetAside(line)) return shownSuggestions(hints);
    const around = await this.finder.around([line]);
    const { suggestions } = decide({ ...line, state: 'unmatched' }, around(line));
    return shownSuggestions([...suggestions, ...hints]);
  }

  /** What pays nothing is written down together; the rest is booked in groups. */
  private async lookAt(lines: readonly BankLine[]): Promise<LookedAt> {
    const around = await this.finder.around(lines);
    const decided = await eachInTurn(lines, (line) => ({ line, ...inTime(line, around) }));
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
    const all: LookedAt[] = [];
    for (const group of groupsOf(paying, this.pace.steps.group))
      all.push(await this.bookOrSplit(group));
    return joined(all);
  }

  /** Those of a group that fails are booked each for itself, so that one of them keeps no other waiting. */
  private async bookOrSplit(group: readonly PayingLine[]): Promise<LookedAt> {
    try {
      const book = () => this.database.transaction((tx) => this.book(tx, group));
      return { again: await this.pace.step(book), failed: [] };
    } catch (error) {
      if (group.length === 1) return { again: [], failed: this.failedBy(error, group[0]!.id) };
    }
    const all: LookedAt[] = [];
    for (const line of group) all.push(await this.bookOrSplit([line]));
    return joined(all);
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
    const booked = await eachInTurn(lines, (line) =>
      this.decideHeld(line, known.get(line.id)!, held),
    );
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
    const orders = known.flatMap(({ txid, reference, toldAccount }) => {
      const one = held.get(txid);
      return one ? [{ ...one.order, reference, toldAccount }] : [];
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

  private async explainAll(lines: readonly BankLine[]): Promise<string[]> {
    const failed: string[] = [];
    for (const { id } of lines) {
      const explain = () => this.explain(id);
      await this.pace
        .step(explain)
        .catch((error: unknown) => failed.push(...this.failedBy(error, id)));
    }
    return failed;
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

  /** A line that fails keeps no other waiting. Where the database was busy, or somebody holds an order, it is no fault of the line. */
  private failedBy(error: unknown, id: string): string[] {
    this.logger.warn({ err: error, line: id }, 'a line is looked at again later');
    return isUnavailableProblem(error) ? [] : [id];
  }
}

/** Lines to look at again, because they take back what was paid now, and ids of those that failed. */
interface LookedAt {
  readonly again: readonly BankLine[];
  readonly failed: readonly string[];
}

const joined = (all: readonly LookedAt[]): LookedAt => ({
  again: all.flatMap(({ again }) => again),
  failed: all.flatMap(({ failed }) => failed),
});

/** Decides a line, unless that keeps everybody waiting: it would when it is booked, too. */
function inTime(line: BankLine, around: (line: BankLine) => Surroundings): Decision {
  const start = process.threadCpuUsage();
  const decision = decide(line, around(line));
  const { user, system } = process.threadCpuUsage(start);
  return user + system < DECIDED_MAX_US
    ? decision
    : { ...TOO_COMPLEX, allocations: [], suggestions: [] };
}

/** Only what came to an account of ours gets that far, and it stays one; nothing is read beside the transaction. */
const NOTHING_AROUND = { isOurAccount: true, orders: [], numbered: [] };
const TOO_COMPLEX = { state: 'unmatched', reason: 'too_complex' } as const;
const TOO_MANY = { state: 'suggested', reason: 'too_many_payments' } as const;

const isSetAside = ({ reason }: BankLine): boolean =>
  reason === 'matching_failed' || reason === 'too_complex';

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
