import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock.js';
import {
  type ListedState,
  type QueueFilter,
  BankQueueRepository,
} from '../../../database/bank/matching/bank-queue.repository.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import { type ListPage, PAGE, pageOf } from '../../kit/list-query.js';
import { lineFilter, type QueueQuery, ODD_DECIMALS } from './line-filter.js';

/** Lines of the open tab, and counts of all tabs. */
export interface BankQueue {
  readonly mode: Mode;
  readonly query: QueueQuery;
  readonly lines: ListPage<BankLine>;
  readonly counts: ReadonlyMap<ListedState, number>;
  /** Accounts that have lines. */
  readonly accounts: readonly string[];
  readonly now: Date;
}

@Injectable()
export class BankQueueService {
  constructor(
    private readonly queue: BankQueueRepository,
    private readonly clock: Clock,
  ) {}

  async look(mode: Mode, query: QueueQuery): Promise<BankQueue> {
    const [found, counts, accounts] = await Promise.all([
      this.found(lineFilter(mode, query)),
      this.queue.counts(mode),
      this.queue.accounts(mode),
    ]);
    return { mode, query, lines: pageOf(query, found), counts, accounts, now: this.clock.now() };
  }

  private found(filter: QueueFilter): Promise<BankLine[]> {
    return this.queue.list(filter, ODD_DECIMALS, PAGE + 1);
  }
}
