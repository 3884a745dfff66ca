import { Injectable } from '@nestjs/common';
import { MISSING_DAYS } from '../../bank/missing-statements.js';
import { bankDaysBefore } from '../../common/bank-days.js';
import { Clock } from '../../common/clock.js';
import { addDays } from '../../common/time-zone.js';
import {
  BankWatchRepository,
  type LastStatement,
  type StatementGap,
} from '../../database/bank/bank-watch.repository.js';
import { type Mode, MODES } from '../../database/merchants/api-key.entity.js';

/** Days back to which a gap is told of. */
const GAP_DAYS = 90;
/** Of each kind. */
const TASKS_MAX = 10;
const ACCOUNTS_MAX = 100;

/** What waits for a person on the platform's accounts. */
export interface BankTasks {
  readonly lines: readonly {
    readonly mode: Mode;
    readonly lines: number;
    readonly oldestSeconds: number;
  }[];
  readonly gaps: readonly StatementGap[];
  /** Live accounts whose statements have stopped. */
  readonly missing: readonly LastStatement[];
}

@Injectable()
export class BankTasksService {
  constructor(
    private readonly watch: BankWatchRepository,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<BankTasks> {
    const now = this.clock.now();
    const today = now.toISOString().slice(0, 10);
    const [waiting, gaps, statements] = await Promise.all([
      this.watch.waiting(now),
      this.watch.gaps(addDays(today, -GAP_DAYS), TASKS_MAX),
      this.watch.lastStatements(today, ACCOUNTS_MAX),
    ]);
    const lines = MODES.map((mode) => {
      const ofMode = waiting.filter((each) => each.mode === mode);
      return {
        mode,
        lines: ofMode.reduce((sum, each) => sum + each.lines, 0),
        oldestSeconds: Math.max(0, ...ofMode.map(({ oldestSeconds }) => oldestSeconds)),
      };
    }).filter((each) => each.lines > 0);
    const due = bankDaysBefore(today, MISSING_DAYS);
    const missing = statements
      .filter(({ mode, lastDay }) => mode === 'live' && lastDay < due)
      .slice(0, TASKS_MAX);
    return { lines, gaps, missing };
  }
}
