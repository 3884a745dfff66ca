import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import { BankLineTryRepository } from '../../database/bank/lines/bank-line-try.repository.js';
import { MatchingRepository } from '../../database/bank/matching/matching.repository.js';
import type { LineReason } from './line-reasons.js';
import { isNoFaultOfWork } from '../import/retry-while-unavailable.js';
import { UnavailableError } from '../../overload/errors.js';

/** After this many failed tries a line waits for an operator. */
const TRIES_MAX = 2;
/** Milliseconds after which the process of an unfinished try counts as gone. */
const GONE_MS = 60_000;

/** @returns ids of those lines that failed */
type Work<Line> = (lines: readonly Line[]) => Promise<readonly string[]>;

/**
 * Runs the matching rules with a limited number of tries per line. A try is recorded before it starts, so that a crash
 * counts. A failed line is retried once, alone, and then waits for an operator.
 */
@Injectable()
export class LineTries {
  private readonly logger = new Logger('matching');

  constructor(
    private readonly tries: BankLineTryRepository,
    private readonly matching: MatchingRepository,
    private readonly clock: Clock,
  ) {}

  /** Processes the lines in order, together where none has been tried before. */
  async each<Line extends BankLine>(lines: readonly Line[], work: Work<Line>): Promise<void> {
    for (const some of await this.planned(lines)) await this.attempt(some, work);
  }

  private async planned<Line extends BankLine>(lines: readonly Line[]): Promise<Line[][]> {
    if (lines.length === 0) return [];
    const tries = await this.tries.find(idsOf(lines));
    const tried = new Map(tries.map((each) => [each.lineId, each]));
    const gone = new Date(this.clock.now().getTime() - GONE_MS);
    const isOver = ({ id }: BankLine): boolean => (tried.get(id)?.tries ?? 0) >= TRIES_MAX;
    // Another process may be working on it.
    const left = lines.filter((line) => isOver(line) && tried.get(line.id)!.triedAt < gone);
    await this.setAside(idsOf(left));
    const groups: Line[][] = [[]];
    for (const line of lines.filter((each) => !isOver(each))) {
      if (tried.has(line.id)) groups.push([line], []);
      else groups.at(-1)!.push(line);
    }
    return groups.filter((group) => group.length > 0);
  }

  private async attempt<Line extends BankLine>(
    lines: readonly Line[],
    work: Work<Line>,
  ): Promise<void> {
    const begun = await this.tries.begin(idsOf(lines), this.clock.now());
    const tries = new Map(begun.map((each) => [each.lineId, each.tries]));
    const here = lines.filter(({ id }) => tries.has(id));
    if (here.length === 0) return;
    const failed = await this.failedOf(here, work);
    if (failed === 'one of them') {
      for (const line of here) await this.attempt([line], work);
      return;
    }
    const over = failed.filter((id) => tries.get(id)! >= TRIES_MAX);
    await this.setAside(over);
    await this.tries.end([...tries.keys()].filter((id) => !failed.includes(id)));
  }

  /** An unavailable database is not the line's fault; a statement timeout may be. */
  private async failedOf<Line extends BankLine>(
    lines: readonly Line[],
    work: Work<Line>,
  ): Promise<readonly string[] | 'one of them'> {
    try {
      return await work(lines);
    } catch (error) {
      if (isNoFaultOfWork(error)) {
        await this.tries.end(idsOf(lines)).catch(() => undefined);
        throw error;
      }
      this.logger.warn(
        { event: 'bank.matching.failed', err: error, lines: lines.length },
        'lines could not be matched',
      );
      return error instanceof UnavailableError || lines.length === 1 ? idsOf(lines) : 'one of them';
    }
  }

  private async setAside(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.logger.error(
      { event: 'bank.lines.suspended', lines: ids },
      'lines that cannot be matched need attention',
    );
    const reason: LineReason = 'matching_failed';
    const verdicts = ids.map((id) => ({ id, state: 'unmatched', reason }) as const);
    await this.matching.decidedTogether(verdicts, this.clock.now());
    await this.tries.end(ids);
  }
}

const idsOf = (lines: readonly BankLine[]): string[] => lines.map(({ id }) => id);
