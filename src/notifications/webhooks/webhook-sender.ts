import { type OnApplicationShutdown, Injectable } from '@nestjs/common';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { type CheckedTarget, TargetGuard } from './target-guard.js';
import { type Exchanged, failed, TRANSCRIPT_KEPT } from './webhook-exchange.js';
import { failureReason } from './webhook-failure.js';
import { WebhookThread } from './webhook-thread.js';
import { TargetRefused } from './webhook-target.js';
import { cutBytes, headOf } from './transcript.js';

/** From the DNS lookup to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
export const USER_AGENT = 'payment-order-service';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Answers to live events may repeat payer data and are not stored. */
  readonly mode: Mode;
}

export interface WebhookResult extends Exchanged {
  readonly requestHead: string | null;
}

/** Posts webhooks to untrusted addresses. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly thread = new WebhookThread();

  constructor(private readonly guard: TargetGuard) {}

  onApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }

  /**
   * Makes one attempt. Every behaviour of the receiver becomes a result.
   * @param stop aborts the attempt
   * @throws when aborted
   */
  async post(request: WebhookRequest, stop: AbortSignal): Promise<WebhookResult> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), ATTEMPT_TIMEOUT_MS);
    const signal = AbortSignal.any([stop, timeout.signal]);
    let requestHead: string | null = null;
    try {
      const target = await orAborted(this.guard.check(request.url, signal), signal);
      const headers = headersOf(request, target);
      requestHead = cutBytes(headOf(requestLine(target), headers), TRANSCRIPT_KEPT);
      const { host, addresses, url } = target;
      const { body, mode } = request;
      const asked = { url: url.href, host, addresses, headers, body, mode };
      const exchanged = this.thread.exchange(asked, signal);
      return { ...(await orAborted(exchanged, signal)), requestHead };
    } catch (error) {
      stop.throwIfAborted();
      return { ...failure(error, timeout.signal.aborted), requestHead };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Returns on abort without waiting for the work, which may never settle. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason as Error);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

const requestLine = ({ url }: CheckedTarget): string =>
  `POST ${url.pathname}${url.search} HTTP/1.1`;

const headersOf = (request: WebhookRequest, { url }: CheckedTarget): Record<string, string> => ({
  host: url.host,
  'user-agent': USER_AGENT,
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(request.body)),
  ...request.headers,
});

function failure(error: unknown, timedOut: boolean): Exchanged {
  const reason = error instanceof TargetRefused ? error.message : failureReason(error);
  const late = `The receiver’s answer was not complete within ${ATTEMPT_TIMEOUT_MS / 1000} s.`;
  return failed(timedOut ? late : reason);
}
