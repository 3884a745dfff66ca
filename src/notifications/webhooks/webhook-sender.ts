import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { type CheckedTarget, TargetGuard } from './target-guard.js';
import { failureReason, refusalReason } from './webhook-failure.js';
import { TargetRefused } from './webhook-target.js';
import { cutBytes, headOf, readable } from './transcript.js';

/** From the DNS lookup to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** Maximum bytes read of an answer's headers and body. */
const HEADERS_MAX = 16 * 1024;
const BODY_MAX = 64 * 1024;
/** Maximum chunks of a body, and interim answers (103 Early Hints). */
const CHUNKS_MAX = 64;
const INTERIM_MAX = 8;
/** Stored bytes of a head, and of an answer's body. */
const HEAD_KEPT = 3 * 1024;
const BODY_KEPT = 1024;
const TRANSCRIPT_KEPT = 4 * 1024;

export const USER_AGENT = 'payment-order-service';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Answers to live events may repeat payer data and are not stored. */
  readonly mode: Mode;
}

export interface WebhookResult {
  readonly succeeded: boolean;
  /** Null without an answer. */
  readonly statusCode: number | null;
  /** Explanation; null after a success. */
  readonly error: string | null;
  /** Raw value from the receiver. */
  readonly retryAfter: string | undefined;
  readonly requestHead: string | null;
  readonly responseHead: string | null;
}

interface Answer {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

/** Each attempt uses a new connection to an address checked for this attempt. */
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: false }),
  'https:': new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
};

/** Posts webhooks to untrusted addresses. */
@Injectable()
export class WebhookSender {
  constructor(private readonly guard: TargetGuard) {}

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
      const exchanged = exchange(target, headers, request, signal);
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

async function exchange(
  target: CheckedTarget,
  headers: Record<string, string>,
  { body, mode }: WebhookRequest,
  signal: AbortSignal,
): Promise<Omit<WebhookResult, 'requestHead'>> {
  const answer = await send(target, headers, body, signal);
  const { statusCode = 0, headers: answered } = answer.message;
  const succeeded = statusCode >= 200 && statusCode < 300;
  return {
    succeeded,
    statusCode,
    error: succeeded ? null : refusalReason(statusCode),
    retryAfter: answered['retry-after'],
    responseHead: transcript(answer, mode),
  };
}

function failure(error: unknown, timedOut: boolean): Omit<WebhookResult, 'requestHead'> {
  const reason = error instanceof TargetRefused ? error.message : failureReason(error);
  const late = `The receiver’s answer was not complete within ${ATTEMPT_TIMEOUT_MS / 1000} s.`;
  return {
    succeeded: false,
    statusCode: null,
    error: timedOut ? late : reason,
    retryAfter: undefined,
    responseHead: null,
  };
}

function send(
  target: CheckedTarget,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Answer> {
  const { url, host } = target;
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)({
      method: 'POST',
      host,
      port: url.port || (isSecure ? 443 : 80),
      path: url.pathname + url.search,
      headers,
      agent: AGENTS[isSecure ? 'https:' : 'http:'],
      lookup: lookupOf(target),
      rejectUnauthorized: true,
      maxHeaderSize: HEADERS_MAX,
      signal,
    });
    let hasAnswer = false;
    request.on('error', reject);
    // Node only emits `close` for a connection that ends abnormally; a complete answer has its own end.
    request.on('close', () => hasAnswer || reject(closed()));
    let interim = 0;
    request.on('information', () => ++interim > INTERIM_MAX && request.destroy(endless()));
    request.on('upgrade', (message, socket) => {
      socket.destroy();
      resolve({ message, body: Buffer.alloc(0) });
    });
    request.on('response', (message) => {
      hasAnswer = true;
      readBody(message).then((read) => {
        resolve({ message, body: read });
        request.destroy();
      }, reject);
    });
    request.end(body);
  });
}

/** Restricts the connection to the checked addresses. */
const lookupOf =
  ({ addresses }: CheckedTarget): LookupFunction =>
  (_name, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first!.address, first!.family);
  };

/** The body up to the limit. */
function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => resolve(Buffer.concat(chunks));
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= BODY_MAX && chunks.length <= CHUNKS_MAX) return;
      finish();
      // Destroys at once, so that the rest is not even parsed.
      message.destroy();
    });
    message.on('end', finish);
    message.on('error', reject);
    message.on('close', () => reject(closed()));
  });
}

const endless = (): Error => Object.assign(new Error('endless'), { code: 'HPE_ENDLESS' });

/** The connection was lost without an error from Node. */
const closed = (): Error => Object.assign(new Error('closed'), { code: 'ECONNRESET' });

function transcript({ message, body }: Answer, mode: Mode): string {
  const line = `HTTP/${message.httpVersion} ${message.statusCode} ${message.statusMessage}`;
  const head = cutBytes(headOf(line, message.rawHeaders), HEAD_KEPT);
  if (mode === 'live') return head;
  const text = readable(new TextDecoder().decode(body.subarray(0, BODY_KEPT), { stream: true }));
  return cutBytes(`${head}\n${text}`, TRANSCRIPT_KEPT);
}
