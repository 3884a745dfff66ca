import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Share, sharesOf } from '../common/ip-network.js';
import { HolderCounts } from '../overload/holder-counts.js';
import { runDetached } from '../overload/request-context.js';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { Problem, unavailable } from '../http/problems/problem.js';
import { OrderUpdates } from '../status/order-updates.js';
import { EventStream } from './event-stream.js';
import { fingerprintOf } from './page-state.js';

/** Maximum streams per process; other pages poll. */
const STREAMS_MAX = 5_000;
/** Maximum streams per order: tabs and devices of its payer. */
const STREAMS_PER_ORDER = 10;
/** Maximum streams per IP address, which may be a whole office. */
const STREAMS_PER_ADDRESS = 100;
/** Milliseconds until changes by other processes are noticed. */
const POLL_MS = 250;
const RECONNECT_MS = 2_000;
/** Retry delay in seconds for a rejected browser. */
const RETRY_SECONDS = 10;

interface Watcher {
  readonly token: string;
  readonly stream: EventStream;
  sentVersion: number;
}

/** Notifies open payment pages of order changes by server-sent events. */
@Injectable()
export class OrderWatch implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('order-watch');
  private readonly watchers = new Set<Watcher>();
  private readonly byOrder = new HolderCounts(STREAMS_PER_ORDER);
  private readonly byAddress = new HolderCounts(STREAMS_PER_ADDRESS);
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;

  constructor(
    private readonly orders: OrderRepository,
    private readonly updates: OrderUpdates,
  ) {}

  onModuleInit(): void {
    this.updates.onChange((token) => {
      if (this.byOrder.has(token)) this.pollNow();
    });
  }

  get size(): number {
    return this.watchers.size;
  }

  /**
   * @throws Problem `rate_limited` if the order or the IP address has too many streams
   * @throws Problem `unavailable` if the process has too many
   */
  stream(order: OrderWithPayment, reply: FastifyReply): void {
    const { pageToken: token } = order;
    const networks = sharesOf(reply.request.ip);
    // The client disconnected while the order was read.
    if (reply.request.raw.socket.destroyed) return void reply.hijack();
    this.assertPlace(token, networks);
    const free = [
      this.byOrder.take(token),
      ...networks.map(({ holder, share }) => this.byAddress.take(holder, share)),
    ];
    const stream = new EventStream(reply, () => {
      for (const giveBack of free) giveBack();
      this.watchers.delete(watcher);
      if (this.watchers.size === 0) this.stopTimer();
    });
    const watcher: Watcher = { token, stream, sentVersion: order.version };
    this.watchers.add(watcher);
    this.timer ??= runDetached(() => setInterval(() => this.pollNow(), POLL_MS));
    stream.write(`retry: ${RECONNECT_MS}\n${statusLine(order)}`);
  }

  beforeApplicationShutdown(): void {
    this.stopTimer();
    for (const { stream } of this.watchers) stream.end();
  }

  private assertPlace(token: string, networks: readonly Share[]): void {
    const headers = { 'retry-after': String(RETRY_SECONDS) };
    const isFull = networks.some(({ holder, share }) => this.byAddress.isFull(holder, share));
    if (isFull || this.byOrder.isFull(token)) {
      throw new Problem('rate_limited', { headers });
    }
    if (this.size >= STREAMS_MAX) throw unavailable('Too many pages are open.');
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private pollNow(): void {
    this.poll().catch((error: unknown) =>
      this.logger.warn(
        { event: 'payment_page.update.failed', err: error },
        'open payment pages were not notified',
      ),
    );
  }

  /** One statement finds the changes for all open pages. */
  private async poll(): Promise<void> {
    if (this.isPolling || this.size === 0) return;
    this.isPolling = true;
    try {
      const tokens = [...new Set([...this.watchers].map(({ token }) => token))];
      const versions = await this.orders.versionsOf(tokens);
      for (const watcher of this.watchers) {
        const version = versions.get(watcher.token);
        if (version !== undefined && version !== watcher.sentVersion) await this.push(watcher);
      }
    } finally {
      this.isPolling = false;
    }
  }

  private async push(watcher: Watcher): Promise<void> {
    const order = await this.orders.findByPageToken(watcher.token);
    if (!order) return;
    watcher.sentVersion = order.version;
    watcher.stream.write(statusLine(order));
  }
}

const statusLine = (order: OrderWithPayment): string =>
  `event: status\ndata: ${fingerprintOf(order)}\n\n`;
