import type { FastifyReply } from 'fastify';
import { hijack } from '../http/hijack.js';

/** Milliseconds; shorter in tests. */
export interface StreamTimes {
  /** Interval of keep-alive lines, since proxies close idle connections. */
  readonly keepAlive: number;
  /** Maximum lifetime of a stream; browsers reconnect. */
  readonly lifetime: number;
  /** Time to read the end of the stream before the connection is terminated. */
  readonly farewell: number;
}

const TIMES: StreamTimes = { keepAlive: 15_000, lifetime: 10 * 60_000, farewell: 2_000 };

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/**
 * Server-sent events to one browser. Bound to the socket: a pipelined answer gets neither an end nor an error event.
 */
export class EventStream {
  private readonly keepAlive: NodeJS.Timeout;
  private readonly lifetime: NodeJS.Timeout;

  /** @param onClose called once when the stream ends; not for a client that has already disconnected */
  constructor(
    private readonly reply: FastifyReply,
    onClose: () => void,
    private readonly times = TIMES,
  ) {
    hijack(reply, { ...STREAM_HEADERS, connection: 'close' });
    // Errors come with the end of the socket, which is handled.
    reply.raw.on('error', () => undefined);
    this.keepAlive = setInterval(() => this.write(':\n\n'), times.keepAlive);
    this.lifetime = setTimeout(() => this.end(), times.lifetime);
    this.socket.once('close', () => {
      this.stopTimers();
      onClose();
    });
  }

  write(text: string): void {
    const { raw } = this.reply;
    if (!raw.writableEnded && !raw.destroyed && !this.socket.destroyed) raw.write(text);
  }

  end(): void {
    this.stopTimers();
    this.reply.raw.end();
    setTimeout(() => this.socket.destroy(), this.times.farewell).unref();
  }

  private get socket() {
    return this.reply.request.raw.socket;
  }

  private stopTimers(): void {
    clearInterval(this.keepAlive);
    clearTimeout(this.lifetime);
  }
}
