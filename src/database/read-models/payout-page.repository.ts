import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Payout, PayoutStatus } from '../payouts/payout.entity.js';
import type { ReadEntry } from '../people/audit.repository.js';
import type { Owner, PayoutKey } from '../keys.js';
import type { AccountFault } from '../payouts/bank-accounts/bank-account.statements.js';
import {
  BESIDE,
  COUNTS,
  AUDIT_ENTRIES,
  FIND_SHOWN_PAYOUT,
  LISTED,
  NEWER,
  OLDER,
} from './payout-page.statements.js';

/** Users of a payout. */
interface PayoutPeople {
  /** Null for a scheduled payout. */
  readonly requestedByName: string | null;
}

/** A payout in the list. */
export type ListedPayout = PayoutPeople & Pick<Payout, (typeof LISTED)[number]>;

/** A payout with the names of its users. */
export type NamedPayout = Payout & PayoutPeople & { readonly approvedByName: string | null };

/** A payout on its own page. */
export type ShownPayout = NamedPayout & {
  /** It is in an existing file that was marked as not sent, and so cannot be changed. */
  readonly isInOldFile: boolean;
  /** Why its account currently receives no payouts. */
  readonly accountFault: AccountFault | null;
};

/** An audit log entry about a payout. */
export type PayoutAuditEntry = Pick<ReadEntry, 'action' | 'data' | 'createdAt' | 'userName'>;

/** Sorted by creation time, because ids of older payouts were generated earlier, with a form. */
export type PayoutCursor = Pick<Payout, 'createdAt' | 'id'>;

export interface PayoutWindow {
  /** Empty = all. */
  readonly statuses: readonly PayoutStatus[];
  /** The payout next to the page; null = the newest page. */
  readonly cursor: PayoutCursor | null;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
}

export interface PayoutListPage {
  /** Newest first. */
  readonly rows: readonly ListedPayout[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/** Queries for the portal's payout pages. */
@Injectable()
export class PayoutPageRepository {
  constructor(private readonly database: Database) {}

  async page({ merchantId, mode }: Owner, window: PayoutWindow): Promise<PayoutListPage> {
    const { statuses, cursor, direction, limit } = window;
    const values = [merchantId, mode, statuses.length > 0 ? statuses : null];
    const place = [cursor?.createdAt ?? null, cursor?.id ?? null];
    const isOlder = direction === 'older';
    const [found, beside] = await Promise.all([
      // One extra row shows whether there are more.
      this.database.query<ListedPayout>(isOlder ? OLDER : NEWER, [...values, ...place, limit + 1]),
      cursor ? this.database.query<{ n: number }>(BESIDE, [...values, ...place, isOlder]) : [],
    ]);
    const rows = found.slice(0, limit);
    const hasBeyond = found.length > limit;
    const hasBefore = beside.length > 0;
    return isOlder
      ? { rows, hasOlder: hasBeyond, hasNewer: hasBefore }
      : { rows: rows.reverse(), hasOlder: hasBefore, hasNewer: hasBeyond };
  }

  /** Number of payouts by status, without zeros. */
  async counts({ merchantId, mode }: Owner): Promise<ReadonlyMap<PayoutStatus, number>> {
    type Row = { readonly status: PayoutStatus; readonly count: number };
    const rows = await this.database.query<Row>(COUNTS, [merchantId, mode]);
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  async find({ merchantId, mode }: Owner, id: string): Promise<ShownPayout | null> {
    return (
      (await this.database.query<ShownPayout>(FIND_SHOWN_PAYOUT, [merchantId, mode, id]))[0] ?? null
    );
  }

  /** Oldest first. */
  auditEntries({ merchantId, id }: PayoutKey): Promise<PayoutAuditEntry[]> {
    return this.database.query(AUDIT_ENTRIES, [merchantId, id]);
  }
}
