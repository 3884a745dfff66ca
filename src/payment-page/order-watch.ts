import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { OrderWithPayment } from '../database/entities/order.entity.js';
import { OrderRepository } from '../database/repositories/order.repository.js';
import { OrderNews } from '../status/order-news.js';
import { fingerprintOf } from './page-state.js';

/** Open pages of all payers in one process; the others ask again by themselves. */
const STREAMS_MAX = 5_000;
/** Changes made by other processes are found within this time. */
const LOOK_MS = 250;
/** A line now and then keeps proxies from closing a quiet connection. */
const KEEP_ALIVE_MS = 15_000;
/** A stream ends after this time; the browser opens a new one if the page is still there. */
const LIFETIME_MS = 10 * 60_000;
const RECONNECT_MS = 2_000;

interface Stream {
  readonly token: string;
  readonly reply: FastifyReply;
  sentVersion: number;
}

/** Tells open payment pages that their order changed, by server-sent events. */
@Injectable()
export class OrderWatch implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('order-watch');
  private readonly streams = new Set<Stream>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(
    private readonly orders: OrderRepository,
    private readonly news: OrderNews,
  ) {}

  onModuleInit(): void {
    this.news.onChange((token) => {
      if ([...this.streams].some((stream) => stream.token === token)) void this.look();
    });
  }

  get size(): number {
    return this.streams.size;
  }

  stream(order: OrderWithPayment, reply: FastifyReply): void {
    if (this.streams.size >= STREAMS_MAX) {
      return void reply.status(503).header('retry-after', '10').send();
    }
    const stream: Stream = { token: order.pageToken, reply, sentVersion: order.version };
    reply.hijack();
    reply.raw.writeHead(200, {
      ...headersOf(reply),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.raw.write(`retry: ${RECONNECT_MS}\n${statusLine(order)}`);
    const keepAlive = setInterval(() => reply.raw.write(':\n\n'), KEEP_ALIVE_MS);
    const end = setTimeout(() => reply.raw.end(), LIFETIME_MS);
    reply.raw.once('close', () => {
      clearInterval(keepAlive);
      clearTimeout(end);
      this.streams.delete(stream);
      if (this.streams.size === 0) this.stopTimer();
    });
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.look(), LOOK_MS);
  }

  beforeApplicationShutdown(): void {
    this.stopTimer();
    for (const { reply } of this.streams) reply.raw.end();
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** One statement finds what changed for all open pages. */
  private async look(): Promise<void> {
    if (this.looking || this.streams.size === 0) return;
    this.looking = true;
    try {
      const tokens = [...new Set([...this.streams].map(({ token }) => token))];
      const versions = await this.orders.versionsOf(tokens);
      for (const stream of this.streams) {
        const version = versions.get(stream.token);
        if (version !== undefined && version !== stream.sentVersion) await this.tell(stream);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'open pages not told');
    } finally {
      this.looking = false;
    }
  }

  private async tell(stream: Stream): Promise<void> {
    const order = await this.orders.findByPageToken(stream.token);
    if (!order) return;
    stream.sentVersion = order.version;
    stream.reply.raw.write(statusLine(order));
  }
}

const statusLine = (order: OrderWithPayment): string =>
  `event: status\ndata: ${fingerprintOf(order)}\n\n`;

/** A hijacked reply would lose the security headers that were set before. */
const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
