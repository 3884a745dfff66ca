import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { eachInTurn } from '../../common/loop-turns.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import {
  type KnownOrder,
  type LineVerdict,
  MatchingRepository,
  type VersionedLine,
} from '../../database/bank/matching/matching.repository.js';
import { Database } from '../../database/database.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import type { HeldCredit, HeldOrder } from '../../payments/credit.js';
import { CreditsService } from '../../payments/credits.service.js';
import { ImportThrottle } from '../import/import-throttle.js';
import { dayOf } from '../recognition/line-key.js';
import {
  type Allocation,
  decide,
  type Decision,
  type PayingDoubt,
  type Surroundings,
  unlessTotal,
} from './matching.js';
import { LineTries } from './line-tries.js';
import { OrderFinder } from './order-finder.js';
import { groupsOf, type PayingLine } from './paying-lines.js';
import { isNoFaultOfWork } from '../import/retry-while-unavailable.js';
import { PayingDoubtsService } from './paying-doubts.service.js';
import { PayoutLines } from './payout-lines.js';
import { type ShownSuggestions, shownSuggestions } from './suggestions.js';

const MATCH_JOB = 'match-bank-lines';
/** Maximum duration of a job run; the next run continues. */
const RUN_MS = 40_000;

/** Maximum CPU microseconds per line decision; a typical one takes a thousandth of it. */
const DECIDED_MAX_US = 1_000_000;

/** Runs the matching rules once per bank line, and books the matches. */
@Injectable()
export class MatcherService implements OnModuleInit {
  private readonly logger = new Logger('matching');

  constructor(
    private readonly database: Database,
    private readonly matching: MatchingRepository,
    private readonly doubts: PayingDoubtsService,
    private readonly credits: CreditsService,
    private readonly finder: OrderFinder,
    private readonly payoutLines: PayoutLines,
    private readonly tries: LineTries,
    private readonly throttle: ImportThrottle,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  /** Picks up lines that a crash or another process left. */
  onModuleInit(): void {
    this.jobs.register(MATCH_JOB, async () => void (await this.matchNew(RUN_MS)));
  }

  /**
   * Matches all new lines and books them in groups, each line atomically. Several processes can run in parallel: each
   * line is claimed by one of them.
   * @param milliseconds after which it stops between two batches
   * @returns whether no line is left; a line whose order is locked stays
   */
  async matchNew(milliseconds = Number.POSITIVE_INFINITY): Promise<boolean> {
    const end = performance.now() + milliseconds;
    await this.matching.requeue();
    const later = new Map<string, BankLine>();
    const postpone = (lines: readonly BankLine[]): void =>
      lines.forEach((line) => void later.set(line.id, line));
    let behind: string | undefined;
    while (performance.now() < end) {
      const lines = await this.matching.newLines(this.throttle.steps.batch, behind);
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
    // Reversals and returns depend on payments in this or other files.
    const left = [...later.values()].toSorted(byDay);
    for (let at = 0; at < left.length; at += this.throttle.steps.batch)
      await this.tries.each(left.slice(at, at + this.throttle.steps.batch), (some) =>
        this.explainAll(some),
      );
    // Money that was taken back makes its orders due again.
    if (left.length > 0) await this.matching.requeue();
    return (await this.matching.newLines(1)).length === 0;
  }

  /** Possible orders for a line, with reasons; the likeliest first. */
  async suggestionsFor(line: BankLine): Promise<ShownSuggestions> {
    const hints = await this.finder.hints(line);
    // Opening the page does not rerun a decision that crashed or took too long.
    if (isSetAside(line)) return shownSuggestions(hints);
    const around = await this.finder.around([line]);
    const { suggestions } = decide({ ...line, state: 'unmatched' }, around(line));
    return shownSuggestions([...suggestions, ...hints]);
  }

  /** Lines without a match are written together; the others are booked in groups. */
  private async lookAt(lines: readonly VersionedLine[]): Promise<LookedAt> {
    const around = await this.finder.around(lines);
    const decided = await eachInTurn(lines, (line) => ({ line, ...inTime(line, around) }));
    const quiet = decided.filter(({ allocations }) => allocations.length === 0);
    const verdicts = quiet.map(({ line, state, reason }) => {
      const { id, version } = line;
      return { id, version, state, reason };
    });
    if (verdicts.length > 0)
      await this.throttle.step(() => this.matching.decidedTogether(verdicts, this.clock.now()));
    const paying = decided
      .filter(({ allocations }) => allocations.length > 0)
      .map(({ line, allocations }) => ({
        id: line.id,
        orders: allocations.map(({ order }) => order),
      }));
    const all: LookedAt[] = [];
    for (const group of groupsOf(paying, this.throttle.steps.group))
      all.push(await this.bookOrSplit(group));
    return joined(all);
  }

  /** Retries the lines of a failed group one by one, so that one bad line does not block the others. */
  private async bookOrSplit(group: readonly PayingLine[]): Promise<LookedAt> {
    try {
      const book = () => this.database.transaction((tx) => this.book(tx, group));
      return { again: await this.throttle.step(book), failed: [] };
    } catch (error) {
      if (group.length === 1) return { again: [], failed: this.failedBy(error, group[0]!.id) };
    }
    const all: LookedAt[] = [];
    for (const line of group) all.push(await this.bookOrSplit([line]));
    return joined(all);
  }

  /** Decides again with lines and orders locked, and books the result. */
  private async book(tx: EntityManager, group: readonly PayingLine[]): Promise<BankLine[]> {
    const known = new Map(group.map(({ id, orders }) => [id, orders]));
    await this.matching.lockAccounts(tx, [...known.keys()]);
    const lines = await this.matching.claim(tx, [...known.keys()]);
    const ids = lines.map(({ id }) => id);
    const held = await this.credits.hold(
      tx,
      lines.flatMap(({ id }) => known.get(id)!),
    );
    const doubts = await this.doubts.of(tx, ids, known);
    const now = this.clock.now();
    const booked = await eachInTurn(lines, (line) =>
      this.decideHeld(line, known.get(line.id)!, held, doubts),
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
    doubts: ReadonlyMap<string, PayingDoubt | null>,
  ): { verdict: LineVerdict; credits: HeldCredit[] } {
    const orders = known.flatMap(({ txid, reference, instructedAccount }) => {
      const one = held.get(txid);
      return one ? [{ ...one.order, reference, instructedAccount }] : [];
    });
    const decision = unlessTotal(decide(line, { ...NOTHING_AROUND, orders }), doubts.get(line.id));
    const credits = decision.allocations.map((allocation) => ({
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
      await this.throttle
        .step(explain)
        .catch((error: unknown) => failed.push(...this.failedBy(error, id)));
    }
    return failed;
  }

  private explain(id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.matching.lockAccounts(tx, [id]);
      const [line] = await this.matching.claim(tx, [id]);
      if (!line) return;
      const doubt = (await this.matching.maybeTotals(tx, [id])).get(id) ?? null;
      const now = this.clock.now();
      const { state, reason } = this.payoutLines.concerns(line)
        ? await this.payoutLines.explain(tx, line, doubt, now)
        : decide(line, NOTHING_AROUND);
      await this.matching.decided(tx, [{ id, state, reason }], now);
    });
  }

  /** A failed line does not block others. A busy database or a locked order is not the line's fault. */
  private failedBy(error: unknown, id: string): string[] {
    this.logger.warn(
      { event: 'bank.line.failed', err: error, line: id },
      'line could not be booked and is retried',
    );
    return isNoFaultOfWork(error) ? [] : [id];
  }
}

/** Lines to match again because they take back a payment booked now, and ids of failed lines. */
interface LookedAt {
  readonly again: readonly BankLine[];
  readonly failed: readonly string[];
}

const joined = (all: readonly LookedAt[]): LookedAt => ({
  again: all.flatMap(({ again }) => again),
  failed: all.flatMap(({ failed }) => failed),
});

/** Decides a line within the CPU limit; booking would need the same time. */
function inTime(line: BankLine, around: (line: BankLine) => Surroundings): Decision {
  const start = process.threadCpuUsage();
  const decision = decide(line, around(line));
  const { user, system } = process.threadCpuUsage(start);
  return user + system < DECIDED_MAX_US
    ? decision
    : { ...TOO_COMPLEX, allocations: [], suggestions: [] };
}

/** Only lines on our accounts get here, so nothing has to be read. */
const NOTHING_AROUND = { isOurAccount: true, orders: [], numbered: [] };
const TOO_COMPLEX = { state: 'unmatched', reason: 'too_complex' } as const;
const TOO_MANY = { state: 'suggested', reason: 'too_many_payments' } as const;

const isSetAside = ({ reason }: BankLine): boolean =>
  reason === 'matching_failed' || reason === 'too_complex';

/** By day, outgoing before incoming. */
const byDay = (one: BankLine, other: BankLine): number =>
  dayOf(one).localeCompare(dayOf(other)) ||
  Number(one.direction === 'in') - Number(other.direction === 'in');

/** A line without a day was booked at the latest when it was read. */
const creditOf = (line: BankLine, { amount, evidence }: Allocation) => ({
  lineId: line.id,
  amount,
  currency: line.currency!,
  payer: payerOf(line),
  bookedOn: line.bookedOn ?? line.valuedOn ?? line.createdAt.toISOString().slice(0, 10),
  matchedBy: null,
  evidence,
});

/** Payer details as the bank reported them. */
export const payerOf = (line: BankLine) => ({
  accountNumber: line.counterpartyAccount,
  accountType: line.counterpartyAccountType,
  accountName: line.counterpartyName,
});
