import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ipAllowed } from '../common/ip-allow-list.js';
import { ipNetwork } from '../common/ip-network.js';
import { HolderCounts } from '../overload/holder-counts.js';
import { Config } from '../config/config.js';

/** Maximum pipelined requests per connection. Browsers and common clients do not pipeline. */
const UNANSWERED_MAX = 4;
/** Disconnects a client that has read nothing of a waiting answer for this long. */
export const UNREAD_MAX_MS = 30_000;
const CHECK_MS = 5_000;
/**
 * Maximum chunks of a request body, besides one per `CHUNK_BYTES`. Node calls JavaScript for each chunk, and before any
 * other limit counts the request: a chunk of one byte costs as much as one of kilobytes.
 */
export const CHUNKS_MAX = 200;
const CHUNK_BYTES = 32;

interface State {
  unanswered: number;
  /** Unsent bytes, and the time since they last decreased (monotonic ms). */
  waiting: number;
  since: number;
}

/** Socket internals with the unsent bytes of a large write. */
interface WithHandle {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Internals of Node's parser: callbacks for a request, and (`kOnBody`) for a chunk. */
interface Parser {
  onIncoming: () => number;
  3: unknown;
}

/** Answer of `onIncoming` at which the parser stops. */
const STOP = 2;

/**
 * Without this, Node goes on with all requests and chunks of the 64 kB that it has read, even of a closed connection. It
 * uses the parser for another connection after `close`.
 */
function discardRest(socket: Socket): void {
  const { parser } = socket as unknown as { readonly parser?: Parser | null };
  if (!parser) return;
  parser.onIncoming = () => STOP;
  const { 3: onBody } = parser;
  parser[3] = undefined;
  socket.once('close', () => void (parser[3] = onBody));
}

function waitingBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as WithHandle;
  return handle?.writeQueueSize ?? 0;
}

/**
 * Connection limits: in total and per IP address. Disconnects clients that do not read their answers, which would fill
 * the memory.
 */
@Injectable()
export class Connections implements BeforeApplicationShutdown {
  /** Rejected and terminated connections. */
  refused = 0;
  cutOff = 0;
  private readonly states = new Map<Socket, State>();
  private readonly byAddress: HolderCounts;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly config: Config) {
    this.byAddress = new HolderCounts(config.connections.perAddress);
  }

  get size(): number {
    return this.states.size;
  }

  /** Runs before the server's own handler: requests of terminated connections are not processed. */
  watch(server: Server): void {
    server.maxConnections = this.config.connections.max;
    server.on('drop', () => this.refused++);
    server.on('connection', (socket: Socket) => this.accept(socket));
    const [handle] = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request, reply) => {
      if (this.mayAsk(request, reply)) handle?.(request, reply);
    });
    this.timer = setInterval(() => this.cutStalled(performance.now()), CHECK_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** @param now monotonic ms */
  cutStalled(now: number): void {
    for (const [socket, state] of this.states) {
      const waiting = waitingBytes(socket);
      const stands = waiting > 0 && waiting === state.waiting;
      if (!stands) Object.assign(state, { waiting, since: now });
      else if (now - state.since >= UNREAD_MAX_MS) this.cut(socket);
    }
  }

  private accept(socket: Socket): void {
    const holder = this.holderOf(socket.remoteAddress ?? '');
    if (holder !== null && this.byAddress.isFull(holder)) {
      this.refused++;
      return void socket.destroy();
    }
    const giveBack = holder === null ? undefined : this.byAddress.take(holder);
    this.states.set(socket, { unanswered: 0, waiting: 0, since: performance.now() });
    socket.once('close', () => {
      giveBack?.();
      this.states.delete(socket);
    });
  }

  /** Null for a proxy, which connects for many clients. */
  private holderOf(address: string): string | null {
    const { trustProxy } = this.config;
    const isProxy = Array.isArray(trustProxy)
      ? ipAllowed(address, trustProxy)
      : trustProxy !== false;
    return isProxy ? null : ipNetwork(address);
  }

  /** Requests read before their connection was terminated are dropped here. */
  private mayAsk(request: IncomingMessage, reply: ServerResponse): boolean {
    const { socket } = request;
    const state = this.states.get(socket);
    if (!state || socket.destroyed) return false;
    reply.once('close', () => state.unanswered--);
    if (++state.unanswered > UNANSWERED_MAX) {
      this.cut(socket);
      return false;
    }
    const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
    if (encoding !== undefined || length !== undefined) this.limitChunks(request);
    return true;
  }

  private limitChunks(request: IncomingMessage): void {
    const push = request.push.bind(request);
    let chunks = 0;
    let bytes = 0;
    request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      chunks += 1;
      bytes += chunk?.length ?? 0;
      if (chunks <= CHUNKS_MAX + bytes / CHUNK_BYTES) return push(chunk, encoding);
      this.cut(request.socket);
      return false;
    };
    // Node drops the rest of a body after the answer without `push`.
    const dropRest = () => void request.removeAllListeners('data').resume();
    Object.assign(request, { _dump: dropRest });
  }

  private cut(socket: Socket): void {
    if (socket.destroyed) return;
    this.cutOff++;
    discardRest(socket);
    socket.destroy();
  }
}
