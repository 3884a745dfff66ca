import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Payout, PayoutStatus } from './payout.entity.js';
import type { ReadEntry } from '../people/audit.repository.js';
import type { Owner, PayoutKey } from '../keys.js';
import type { AccountFault } from './bank-account.statements.js';
import {
  BESIDE,
  COUNTS,
  AUDIT_ENTRIES,
  FIND_SHOWN_PAYOUT,
  LISTED,
  NEWER,
  OLDER,
} from './payout-page.statements.js';

/** Who stands behind a payout. */
interface PayoutPeople {
  /** Null for the schedule. */
  readonly requestedByName: string | null;
}

/** A payout in the list. */
export type ListedPayout = PayoutPeople & Pick<Payout, (typeof LISTED)[number]>;

/** A payout and those who decided about it. */
export type NamedPayout = Payout & PayoutPeople & { readonly approvedByName: string | null };

/** A payout on its own page. */
export type ShownPayout = NamedPayout & {
  /** Somebody has a file with it, which was not sent: it stays as it is. */
  readonly isInOldFile: boolean;
  /** Why nothing is paid to its account now. */
  readonly accountFault: AccountFault | null;
};

/** What somebody did about a payout in the portal. */
export type PayoutAuditEntry = Pick<ReadEntry, 'action' | 'data' | 'createdAt' | 'userName'>;

/** Payouts are listed by when they were made: the ids of older ones were made before, with a form. */
export type PayoutCursor = Pick<Payout, 'createdAt' | 'id'>;

export interface PayoutWindow {
  /** None = all. */
  readonly statuses: readonly PayoutStatus[];
  /** The payout beside which the page lies; null = the newest page. */
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

/** What the portal shows of payouts. */
@Injectable()
export class PayoutPageRepository {
  constructor(private readonly database: Database) {}

  async page({ merchantId, mode }: Owner, window: PayoutWindow): Promise<PayoutListPage> {
    const { statuses, cursor, direction, limit } = window;
    const values = [merchantId, mode, statuses.length > 0 ? statuses : null];
    const place = [cursor?.createdAt ?? null, cursor?.id ?? null];
    const isOlder = direction === 'older';
    const [found, beside] = await Promise.all([
      // One row more than asked for tells whether there are more.
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

  /** How many payouts there are of each status; statuses without any are left out. */
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
