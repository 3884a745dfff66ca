import { getCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { type Exchanged, type ExchangeRequest, failed } from './webhook-exchange.js';

/** What the thread starts with: it trusts the same certificates as the process. */
export interface ThreadData {
  readonly ca: readonly string[];
}

/** Message to the thread. */
export type ThreadMessage =
  { readonly id: number; readonly request: ExchangeRequest } | { readonly stop: number };

/** Answer of the thread. */
interface ThreadAnswer {
  readonly id: number;
  readonly exchanged: Exchanged;
}

const ENTRY = new URL('./webhook-thread-entry.js', import.meta.url);
/** A thread that does not react to an abort for so long is replaced. */
const STUCK_MS = 5_000;
/** A thread that needs more memory ends, and its attempts fail. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };
const ENDED = 'The attempt ended early; it is repeated.';

/**
 * Exchanges webhooks with receivers in a thread of its own, so that TLS of hostile receivers never blocks requests. The
 * thread starts with the first webhook, and again after it ended.
 */
export class WebhookThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, (exchanged: Exchanged) => void>();
  private last = 0;
  private readonly logger = new Logger('webhooks');

  exchange(request: ExchangeRequest, signal: AbortSignal): Promise<Exchanged> {
    const id = ++this.last;
    const worker = (this.worker ??= this.start());
    const { promise, resolve } = Promise.withResolvers<Exchanged>();
    this.waiting.set(id, resolve);
    let stuck: NodeJS.Timeout | undefined;
    const stop = () => {
      worker.postMessage({ stop: id } satisfies ThreadMessage);
      stuck = setTimeout(() => this.lost(worker), STUCK_MS).unref();
    };
    signal.addEventListener('abort', stop);
    worker.ref();
    worker.postMessage({ id, request } satisfies ThreadMessage);
    return promise.finally(() => {
      signal.removeEventListener('abort', stop);
      clearTimeout(stuck);
      if (this.waiting.size === 0) worker.unref();
    });
  }

  async stop(): Promise<void> {
    if (this.worker) await this.end(this.worker);
  }

  private start(): Worker {
    const workerData = { ca: getCACertificates('default') } satisfies ThreadData;
    const worker = new Worker(ENTRY, { execArgv: [], resourceLimits: LIMITS, workerData });
    worker.on('message', ({ id, exchanged }: ThreadAnswer) => {
      this.waiting.get(id)?.(exchanged);
      this.waiting.delete(id);
    });
    worker.on('error', (err) => this.lost(worker, err));
    worker.on('exit', () => this.lost(worker));
    return worker;
  }

  private lost(worker: Worker, err?: Error): void {
    if (this.worker !== worker) return;
    const attempts = this.waiting.size;
    this.logger.warn(
      { event: 'webhook.thread.ended', err, attempts },
      'the thread of webhooks ended or was stuck; its attempts failed and are retried',
    );
    this.end(worker).catch((error: unknown) =>
      this.logger.error({ event: 'webhook.thread.not_ended', err: error }, 'a thread did not end'),
    );
  }

  /** Fails the attempts of a thread that is stuck or ended. */
  private async end(worker: Worker): Promise<void> {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const answers = [...this.waiting.values()];
    this.waiting.clear();
    for (const answer of answers) answer(failed(ENDED));
    await worker.terminate();
  }
}
