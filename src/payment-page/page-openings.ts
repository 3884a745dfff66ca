import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { runDetached } from '../overload/request-context.js';
import type { Order } from '../database/orders/order.entity.js';
import type { PageOpening } from '../database/orders/page-opening.entity.js';
import { PageOpeningRepository } from '../database/orders/page-opening.repository.js';

/** Milliseconds for which openings are batched before writing; a crash loses at most these. */
const GATHER_MS = 500;
/** Maximum batched openings; more are dropped to limit memory. */
const GATHERED_MAX = 10_000;

/** Records the first opening of payment pages in the background. */
@Injectable()
export class PageOpenings implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PageOpenings.name);
  private gathered = new Map<string, PageOpening>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly openings: PageOpeningRepository,
    private readonly clock: Clock,
  ) {}

  /** Only for orders without payment attempts; an attempt implies an opening. */
  note({ merchantId, txid, status, attempts }: Order): void {
    const isKnown = status !== 'open' || attempts > 0 || this.gathered.has(txid);
    if (isKnown || this.gathered.size >= GATHERED_MAX) return;
    this.gathered.set(txid, { merchantId, txid, openedAt: this.clock.now() });
    this.timer ??= runDetached(() => setTimeout(() => void this.write(), GATHER_MS));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }

  private async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const openings = [...this.gathered.values()];
    this.gathered = new Map();
    if (openings.length === 0) return;
    await this.openings.insert(openings).catch((error: unknown) => {
      this.logger.warn(
        { event: 'payment_page.openings.lost', err: error, openings: openings.length },
        'openings of payment pages were not recorded',
      );
    });
  }
}
