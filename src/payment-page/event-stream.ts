import type { FastifyReply } from 'fastify';
import { hijack } from '../http/hijack.js';

/** Milliseconds; tests have less time. */
export interface StreamTimes {
  /** A line now and then keeps proxies from closing a quiet connection. */
  readonly keepAlive: number;
  /** A stream ends after this time; the browser opens a new one if the page is still there. */
  readonly lifetime: number;
  /** Whoever has not taken the end by then is cut off. */
  readonly farewell: number;
}

const TIMES: StreamTimes = { keepAlive: 15_000, lifetime: 10 * 60_000, farewell: 2_000 };

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/**
 * Server-sent events to one browser. The stream belongs to its socket and is over with it: an answer
 * that waits behind others of the same connection is told neither of its end nor of an error.
 */
export class EventStream {
  private readonly keepAlive: NodeJS.Timeout;
  private readonly lifetime: NodeJS.Timeout;

  /** @param onClose is called once, however the stream ends; not for a browser that is gone already */
  constructor(
    private readonly reply: FastifyReply,
    onClose: () => void,
    private readonly times = TIMES,
  ) {
    hijack(reply, { ...STREAM_HEADERS, connection: 'close' });
    // It comes with the end of the socket, and that is what is looked at.
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
