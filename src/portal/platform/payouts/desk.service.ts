import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { Mode } from '../../../database/entities/api-key.entity.js';
import {
  type DeskFile,
  type DeskPayout,
  PayoutDeskRepository,
  type DeskTotal,
} from '../../../database/repositories/payout-desk.repository.js';
import { type ListPage, type ListQuery, PAGE, pageOf } from '../list-query.js';

/** Files that the queue shows: the others have a page of their own. */
const FILES_SHOWN = 10;

/** What waits for people of the platform. */
export interface Desk {
  readonly mode: Mode;
  readonly waiting: ListPage<DeskPayout>;
  /** Of those that wait for an approval, with those on other pages. */
  readonly waitingTotals: readonly DeskTotal[];
  readonly approvedTotals: readonly DeskTotal[];
  readonly files: readonly DeskFile[];
  readonly hasMoreFiles: boolean;
  /** Whether the service knows whose account pays. */
  readonly canPay: boolean;
}

@Injectable()
export class DeskService {
  constructor(
    private readonly desk: PayoutDeskRepository,
    private readonly config: Config,
  ) {}

  async look(mode: Mode, query: ListQuery): Promise<Desk> {
    const [waiting, totals, files] = await Promise.all([
      this.desk.waiting(mode, query.after, PAGE + 1),
      this.desk.totals(mode),
      this.desk.files(mode, null, FILES_SHOWN + 1),
    ]);
    return {
      mode,
      waiting: pageOf(query, waiting),
      waitingTotals: totals.filter(({ status }) => status === 'pending_approval'),
      approvedTotals: totals.filter(({ status }) => status === 'approved'),
      files: files.slice(0, FILES_SHOWN),
      hasMoreFiles: files.length > FILES_SHOWN,
      canPay: this.config.payoutAccount !== undefined,
    };
  }
}
