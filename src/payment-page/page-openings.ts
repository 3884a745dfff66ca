import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { outsideRequest } from '../database/connection/time-budget.js';
import type { Order } from '../database/orders/order.entity.js';
import type { PageOpening } from '../database/orders/page-opening.entity.js';
import { PageOpeningRepository } from '../database/orders/page-opening.repository.js';

/** So long openings are gathered before they are written; a crash loses no more than that. */
const GATHER_MS = 500;
/** Openings that are gathered at most; what comes on top is not worth the memory. */
const GATHERED_MAX = 10_000;

/** Writes down when a payment page was first opened. No payer waits for it. */
@Injectable()
export class PageOpenings implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PageOpenings.name);
  private gathered = new Map<string, PageOpening>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly openings: PageOpeningRepository,
    private readonly clock: Clock,
  ) {}

  /** Of an order that nobody has begun to pay: with the others it goes without saying. */
  note({ merchantId, txid, status, attempts }: Order): void {
    const isKnown = status !== 'open' || attempts > 0 || this.gathered.has(txid);
    if (isKnown || this.gathered.size >= GATHERED_MAX) return;
    this.gathered.set(txid, { merchantId, txid, openedAt: this.clock.now() });
    this.timer ??= outsideRequest(() => setTimeout(() => void this.write(), GATHER_MS));
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
      this.logger.warn({ err: error, openings: openings.length }, 'openings of pages are lost');
    });
  }
}
