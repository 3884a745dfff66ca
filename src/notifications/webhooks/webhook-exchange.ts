import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, DEFAULT_CIPHERS } from 'node:tls';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import type { Address } from './resolver.js';
import { cutBytes, headOf, readable } from './transcript.js';
import { failureReason, refusalReason } from './webhook-failure.js';

/** Maximum bytes read of an answer's headers and body. */
const HEADERS_MAX = 16 * 1024;
const BODY_MAX = 64 * 1024;
/** Maximum chunks of a body, and interim answers (103 Early Hints). */
const CHUNKS_MAX = 64;
const INTERIM_MAX = 8;
/** Maximum bytes of a connection, with those of TLS itself, and milliseconds between two looks at them. */
const WIRE_MAX = 512 * 1024;
const LOOK_MS = 50;
/** The server chooses the group of DHE, and a large one takes a second of the processor. */
const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`;
/** Stored bytes of a head, and of an answer's body. */
const HEAD_KEPT = 3 * 1024;
const BODY_KEPT = 1024;
export const TRANSCRIPT_KEPT = 4 * 1024;

/** A request to a checked target. Can be posted to a thread. */
export interface ExchangeRequest {
  readonly url: string;
  readonly host: string;
  readonly addresses: readonly Address[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Answers to live events may repeat payer data and are not stored. */
  readonly mode: Mode;
}

export interface Exchanged {
  readonly succeeded: boolean;
  /** Null without an answer. */
  readonly statusCode: number | null;
  /** Explanation; null after a success. */
  readonly error: string | null;
  /** Raw value from the receiver. */
  readonly retryAfter: string | undefined;
  readonly responseHead: string | null;
}

interface Answer {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

/** Posts one webhook. Every behaviour of the receiver becomes a result. */
export async function exchange(request: ExchangeRequest, signal: AbortSignal): Promise<Exchanged> {
  try {
    const answer = await send(request, signal);
    const { statusCode = 0, headers: answered } = answer.message;
    const succeeded = statusCode >= 200 && statusCode < 300;
    return {
      succeeded,
      statusCode,
      error: succeeded ? null : refusalReason(statusCode),
      retryAfter: answered['retry-after'],
      responseHead: transcript(answer, request.mode),
    };
  } catch (error) {
    return failed(failureReason(error));
  }
}

/** Result of an attempt without an answer. */
export const failed = (error: string): Exchanged => ({
  succeeded: false,
  statusCode: null,
  error,
  retryAfter: undefined,
  responseHead: null,
});

/** Each attempt uses a new connection to an address checked for this attempt. */
function send(request: ExchangeRequest, signal: AbortSignal): Promise<Answer> {
  const url = new URL(request.url);
  const isSecure = url.protocol === 'https:';
  const { host, headers } = request;
  const wire = connect({
    host,
    port: Number(url.port || (isSecure ? 443 : 80)),
    lookup: lookupOf(request),
  });
  const limit = setInterval(() => {
    if (wire.bytesRead > WIRE_MAX) wire.destroy(endless());
  }, LOOK_MS);
  const answered = new Promise<Answer>((resolve, reject) => {
    const sent = (isSecure ? httpsRequest : httpRequest)({
      method: 'POST',
      host,
      path: url.pathname + url.search,
      headers,
      createConnection: () => (isSecure ? secured(wire, host) : wire),
      maxHeaderSize: HEADERS_MAX,
      signal,
    });
    let hasAnswer = false;
    sent.on('error', reject);
    // Node only emits `close` for a connection that ends abnormally; a complete answer has its own end.
    sent.on('close', () => hasAnswer || reject(closed()));
    let interim = 0;
    sent.on('information', () => ++interim > INTERIM_MAX && sent.destroy(endless()));
    sent.on('upgrade', (message, socket) => {
      socket.destroy();
      resolve({ message, body: Buffer.alloc(0) });
    });
    sent.on('response', (message) => {
      hasAnswer = true;
      readBody(message).then((read) => {
        resolve({ message, body: read });
        sent.destroy();
      }, reject);
    });
    sent.end(request.body);
  });
  return answered.finally(() => {
    clearInterval(limit);
    wire.destroy();
  });
}

/** TLS over the connection. */
const secured = (wire: Socket, host: string): Socket =>
  connectTls({
    socket: wire,
    host,
    servername: isIP(host) ? '' : host,
    ciphers: CIPHERS,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });

/** Restricts the connection to the checked addresses. */
const lookupOf =
  ({ addresses }: ExchangeRequest): LookupFunction =>
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
    const keep = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= BODY_MAX && chunks.length <= CHUNKS_MAX) return;
      // The parser goes on with what was read: thousands of chunks.
      message.off('data', keep);
      finish();
      message.destroy();
    };
    message.on('data', keep);
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
