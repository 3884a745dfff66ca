import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type CopyOptions, DatabaseCopy } from '../copy/copy.js';
import { Database } from '../database.js';
import type { Owner } from '../keys.js';
import { type Refund, REFUND_STATUSES, type RefundStatus } from './refund.entity.js';
import {
  type LISTED_REFUND,
  refundCountsSql,
  type RefundFilter,
  type RefundListSql,
  refundPageSql,
  refundsBesideSql,
  refundsSource,
  type RefundWindow,
} from './refund-list.statements.js';

/** Counting stops here for each status. */
export const REFUND_COUNT_MAX = 10_000;

export type ListedRefund = Pick<Refund, (typeof LISTED_REFUND)[number]> & {
  readonly orderMerchantId: string;
  /** The user who requested it, or who created the API key. */
  readonly requestedByName: string | null;
};

export type RefundCounts = Readonly<Record<RefundStatus, number>>;

export interface ListedRefunds {
  /** Newest first. */
  readonly rows: readonly ListedRefund[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/**
 * The list of refunds. Its statements are unnamed, so that each is planned for its values: a plan for a rare status is
 * bad for a frequent one.
 */
@Injectable()
export class RefundListRepository {
  constructor(
    private readonly database: Database,
    private readonly copy: DatabaseCopy,
  ) {}

  /** Keyset pagination by id, which ascends with the time. */
  async page(owner: Owner, filter: RefundFilter, window: RefundWindow): Promise<ListedRefunds> {
    const { cursor, direction, limit } = window;
    const [found, beside] = await Promise.all([
      // One extra row shows whether there are more.
      this.query<ListedRefund>(refundPageSql(owner, filter, { ...window, limit: limit + 1 })),
      cursor === null ? [] : this.query(refundsBesideSql(owner, filter, cursor, direction)),
    ]);
    const rows = found.slice(0, limit);
    const hasBeyond = found.length > limit;
    const hasBefore = beside.length > 0;
    return direction === 'older'
      ? { rows, hasOlder: hasBeyond, hasNewer: hasBefore }
      : { rows: rows.reverse(), hasOlder: hasBefore, hasNewer: hasBeyond };
  }

  /** Refunds by status, up to one more than `REFUND_COUNT_MAX` each; the filter's statuses do not matter. */
  async counts(owner: Owner, filter: RefundFilter): Promise<RefundCounts> {
    const sql = refundCountsSql(owner, filter, REFUND_STATUSES, REFUND_COUNT_MAX + 1);
    return (await this.query<RefundCounts>(sql))[0]!;
  }

  /**
   * CSV without header.
   * @throws UnavailableError when there are too many downloads or the database is unavailable
   */
  file(
    owner: Owner,
    filter: RefundFilter,
    options: Pick<CopyOptions, 'timeZone' | 'signal'>,
  ): Promise<Readable> {
    const { merchantId } = owner;
    return this.copy.download(refundsSource(owner, filter), { merchantId, ...options });
  }

  private query<Row>({ text, values }: RefundListSql): Promise<Row[]> {
    return this.database.query({ name: '', text }, values);
  }
}
