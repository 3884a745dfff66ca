import { Injectable } from '@nestjs/common';
import { MISSING_DAYS } from '../../bank/import/missing-statements.js';
import { bankDaysBefore } from '../../common/time/bank-days.js';
import { Clock } from '../../common/time/clock.js';
import { addDays } from '../../common/time/time-zone.js';
import {
  BankWatchRepository,
  type LastStatement,
  type StatementGap,
  type WaitingLines,
} from '../../database/bank/files/bank-watch.repository.js';
import {
  CollectionAccountChangeRepository,
  type WaitingChanges,
} from '../../database/bank/collection-accounts/collection-account-change.repository.js';
import { type Mode, MODES } from '../../database/merchants/api-key.entity.js';
import { TABS } from './bank/line-filter.js';

/** How far back gaps between statements are reported. */
const GAP_DAYS = 90;
/** Per kind of task. */
const TASKS_MAX = 10;
const ACCOUNTS_MAX = 100;

/** Queue tabs whose lines need an operator. */
const LISTS = ['waiting', 'unknown_money_out'] as const;

interface LineHeap {
  readonly mode: Mode;
  readonly tab: (typeof LISTS)[number];
  readonly lines: number;
  readonly oldestSeconds: number;
}

/** Open tasks of operators on the platform's bank accounts. */
export interface BankTasks {
  readonly lines: readonly LineHeap[];
  readonly gaps: readonly StatementGap[];
  /** Live accounts whose statements have stopped. */
  readonly missing: readonly LastStatement[];
  /** Open changes of live collection accounts. */
  readonly changes: WaitingChanges;
}

@Injectable()
export class BankTasksService {
  constructor(
    private readonly watch: BankWatchRepository,
    private readonly accountChanges: CollectionAccountChangeRepository,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<BankTasks> {
    const now = this.clock.now();
    const today = now.toISOString().slice(0, 10);
    const [waiting, gaps, statements, changes] = await Promise.all([
      this.watch.waiting(now),
      this.watch.gaps(addDays(today, -GAP_DAYS), TASKS_MAX),
      this.watch.lastStatements(today, ACCOUNTS_MAX),
      this.accountChanges.waiting(),
    ]);
    const lines = MODES.flatMap((mode) => LISTS.map((tab) => heapOf(waiting, mode, tab))).filter(
      (heap) => heap.lines > 0,
    );
    const due = bankDaysBefore(today, MISSING_DAYS);
    const missing = statements
      .filter(({ mode, lastDay }) => mode === 'live' && lastDay < due)
      .slice(0, TASKS_MAX);
    return { lines, gaps, missing, changes };
  }
}

function heapOf(waiting: readonly WaitingLines[], mode: Mode, tab: LineHeap['tab']): LineHeap {
  const states: readonly string[] = TABS[tab];
  const heap = waiting.filter((each) => each.mode === mode && states.includes(each.state));
  return {
    mode,
    tab,
    lines: heap.reduce((sum, each) => sum + each.lines, 0),
    oldestSeconds: Math.max(0, ...heap.map(({ oldestSeconds }) => oldestSeconds)),
  };
}
