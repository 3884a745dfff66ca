import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { uuidOf } from '../../common/ids.js';
import { LedgerRepository } from '../../database/ledger/ledger.repository.js';
import {
  type ListedPayout,
  PayoutPageRepository,
  type ShownPayout,
} from '../../database/read-models/payout-page.repository.js';
import type { PayoutStatus } from '../../database/payouts/payout.entity.js';
import {
  type LineSum,
  PayoutRepository,
  type ReadLine,
} from '../../database/payouts/payout.repository.js';
import { BankAccountsService } from '../../payouts/bank-accounts.service.js';
import { AuditService } from '../../people/audit.service.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { type PayoutStep, payoutTimeline } from '../kit/payout-timeline.js';
import {
  type Obstacle,
  obstacleTo,
  offered,
  type CurrencyBalance,
  currencyBalancesOf,
} from './payout-balances.js';
import { payoutCursorText, windowIn } from './payout-list.js';

/** Page size of the lines. */
export const PAGE_LINES = 50;

/** Data of the payout list. */
export interface PayoutsPage {
  readonly statuses: readonly PayoutStatus[];
  readonly rows: readonly ListedPayout[];
  /** Cursors of the newer and older page, or null. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly counts: ReadonlyMap<PayoutStatus, number>;
  readonly currencyBalances: readonly CurrencyBalance[];
  readonly obstacle: Obstacle | null;
  readonly now: Date;
}

/** Data of the page of one payout. */
export interface PayoutView {
  readonly payout: ShownPayout;
  readonly timeline: readonly PayoutStep[];
  readonly sums: readonly LineSum[];
  readonly lines: readonly ReadLine[];
  /** Page number of the lines, from 1. */
  readonly page: number;
  readonly pages: number;
  readonly now: Date;
}

/** Reads payouts for their pages. Views by support are audited. */
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

  async list(context: MerchantContext, query: URLSearchParams): Promise<PayoutsPage> {
    const { access } = context;
    const window = windowIn(query);
    await this.recordView(context, { action: 'payouts.listed', data: { mode: access.mode } });
    const [{ rows, hasNewer, hasOlder }, counts, balances, accounts] = await Promise.all([
      this.pages.page(access, window),
      this.pages.counts(access),
      this.ledger.balances(access),
      this.accounts.list(access),
    ]);
    const now = this.clock.now();
    const currencyBalances = currencyBalancesOf(balances);
    const [newest, oldest] = [rows[0], rows.at(-1)];
    return {
      statuses: window.statuses,
      rows,
      newer: hasNewer && newest ? payoutCursorText(newest) : null,
      older: hasOlder && oldest ? payoutCursorText(oldest) : null,
      counts,
      currencyBalances,
      obstacle: obstacleTo(currencyBalances, offered(accounts, now)),
      now,
    };
  }

  /** @throws Refusal 404 */
  async find({ access }: MerchantContext, id: string): Promise<ShownPayout> {
    const known = uuidOf(id);
    const payout = known && (await this.pages.find(access, known));
    if (!payout) throw notFound();
    return payout;
  }

  /**
   * @param wanted page number of the lines; limited to the last page
   * @throws Refusal 404
   */
  async open(context: MerchantContext, id: string, wanted: number): Promise<PayoutView> {
    const payout = await this.find(context, id);
    await this.recordView(context, { action: 'payout.viewed', subject: payout.id });
    const [events, auditEntries, sums] = await Promise.all([
      this.payouts.events(payout),
      this.pages.auditEntries(payout),
      this.payouts.lineSums(payout),
    ]);
    const count = sums.reduce((sum, { lines }) => sum + lines, 0);
    const pages = Math.max(1, Math.ceil(count / PAGE_LINES));
    const page = Math.min(wanted, pages);
    return {
      payout,
      timeline: payoutTimeline(payout, events, auditEntries),
      sums,
      lines: await this.payouts.lines(payout, (page - 1) * PAGE_LINES, PAGE_LINES),
      page,
      pages,
      now: this.clock.now(),
    };
  }

  private async recordView(
    context: MerchantContext,
    entry: Parameters<AuditService['recordView']>[1],
  ): Promise<void> {
    if (context.access.role === 'support') await this.audit.recordView(context, entry);
  }
}
