import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { isUuid } from '../../common/ids.js';
import type { PayoutStatus } from '../../database/entities/payout.entity.js';
import { LedgerRepository } from '../../database/repositories/ledger.repository.js';
import {
  type ListedPayout,
  PayoutPageRepository,
  type ShownPayout,
} from '../../database/repositories/payout-page.repository.js';
import {
  type LineSum,
  PayoutRepository,
  type ReadLine,
} from '../../database/repositories/payout.repository.js';
import { BankAccountsService } from '../../payouts/bank-accounts.service.js';
import { AuditService } from '../people/audit.service.js';
import { notFound } from '../refusal.js';
import type { PlacedVisit } from '../visit.js';
import {
  type Obstacle,
  obstacleTo,
  offered,
  type PurseBalance,
  pursesOf,
} from './payout-balances.js';
import { placeText, windowIn } from './payout-list.js';
import { type PayoutStep, timelineOf } from './payout-timeline.js';

/** Lines on one page. */
export const PAGE_LINES = 50;

/** What the list shows. */
export interface PayoutsLook {
  readonly statuses: readonly PayoutStatus[];
  readonly rows: readonly ListedPayout[];
  /** Places from which on newer and older payouts are listed; null where there are none. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly counts: ReadonlyMap<PayoutStatus, number>;
  readonly purses: readonly PurseBalance[];
  readonly obstacle: Obstacle | null;
  readonly now: Date;
}

/** What the page of one payout shows. */
export interface PayoutLook {
  readonly payout: ShownPayout;
  readonly timeline: readonly PayoutStep[];
  readonly sums: readonly LineSum[];
  readonly lines: readonly ReadLine[];
  /** Which page of the lines, from 1 on. */
  readonly page: number;
  readonly pages: number;
  readonly now: Date;
}

/** Reads payouts for their pages. What the platform's people look at is written down. */
@Injectable()
export class PayoutPagesService {
  constructor(
    private readonly pages: PayoutPageRepository,
    private readonly payouts: PayoutRepository,
    private readonly ledger: LedgerRepository,
    private readonly accounts: BankAccountsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async list(visit: PlacedVisit, query: URLSearchParams): Promise<PayoutsLook> {
    const { place } = visit;
    const window = windowIn(query);
    await this.noteLook(visit, { action: 'payouts.listed', data: { mode: place.mode } });
    const [{ rows, hasNewer, hasOlder }, counts, balances, accounts] = await Promise.all([
      this.pages.page(place, window),
      this.pages.counts(place),
      this.ledger.balances(place),
      this.accounts.list(place),
    ]);
    const now = this.clock.now();
    const purses = pursesOf(balances);
    const [newest, oldest] = [rows[0], rows.at(-1)];
    return {
      statuses: window.statuses,
      rows,
      newer: hasNewer && newest ? placeText(newest) : null,
      older: hasOlder && oldest ? placeText(oldest) : null,
      counts,
      purses,
      obstacle: obstacleTo(purses, offered(accounts, now)),
      now,
    };
  }

  /** @throws Refusal 404 */
  async find({ place }: PlacedVisit, id: string): Promise<ShownPayout> {
    const payout = isUuid(id) ? await this.pages.find(place, id.toLowerCase()) : null;
    if (!payout) throw notFound();
    return payout;
  }

  /**
   * @param wanted the page of lines; one that is not there shows the nearest that is
   * @throws Refusal 404
   */
  async open(visit: PlacedVisit, id: string, wanted: number): Promise<PayoutLook> {
    const payout = await this.find(visit, id);
    await this.noteLook(visit, { action: 'payout.viewed', subject: payout.id });
    const [events, deeds, sums] = await Promise.all([
      this.payouts.events(payout),
      this.pages.deeds(payout),
      this.payouts.lineSums(payout),
    ]);
    const count = sums.reduce((sum, { lines }) => sum + lines, 0);
    const pages = Math.max(1, Math.ceil(count / PAGE_LINES));
    const page = Math.min(wanted, pages);
    return {
      payout,
      timeline: timelineOf(payout, events, deeds),
      sums,
      lines: await this.payouts.lines(payout, (page - 1) * PAGE_LINES, PAGE_LINES),
      page,
      pages,
      now: this.clock.now(),
    };
  }

  private async noteLook(
    visit: PlacedVisit,
    deed: Parameters<AuditService['look']>[1],
  ): Promise<void> {
    if (visit.place.role === 'support') await this.audit.look(visit, deed);
  }
}
