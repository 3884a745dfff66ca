import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import {
  type PlatformFile,
  type PlatformPayout,
  PlatformPayoutRepository,
  type PlatformTotal,
} from '../../../database/read-models/platform-payout.repository.js';
import { type ListPage, type ListQuery, PAGE, pageOf } from '../../kit/list-query.js';

/** Number of files on the overview; all others are on the files page. */
const FILES_SHOWN = 10;

/** Data of the payout overview. */
export interface PlatformPayouts {
  readonly mode: Mode;
  readonly waiting: ListPage<PlatformPayout>;
  /** Totals of payouts pending approval, including other pages. */
  readonly waitingTotals: readonly PlatformTotal[];
  readonly approvedTotals: readonly PlatformTotal[];
  readonly files: readonly PlatformFile[];
  readonly hasMoreFiles: boolean;
  /** Whether the paying account is configured. */
  readonly canPay: boolean;
}

@Injectable()
export class PlatformPayoutsService {
  constructor(
    private readonly platform: PlatformPayoutRepository,
    private readonly config: Config,
  ) {}

  async look(mode: Mode, query: ListQuery): Promise<PlatformPayouts> {
    const [waiting, totals, files] = await Promise.all([
      this.platform.waiting(mode, query.after, PAGE + 1),
      this.platform.totals(mode),
      this.platform.files(mode, null, FILES_SHOWN + 1),
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
