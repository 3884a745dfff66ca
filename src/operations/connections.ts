import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ipAllowed } from '../common/ip-allow-list.js';
import { ipNetwork } from '../common/ip-network.js';
import { HolderCounts } from '../common/waiting/holder-counts.js';
import { Config } from '../config/config.js';

/** Requests that one connection may have sent ahead of their answers. No browser sends any ahead. */
const UNANSWERED_MAX = 8;
/** Of an answer that waits to be read, something must have been taken within this time. */
export const UNREAD_MAX_MS = 30_000;
const CHECK_MS = 5_000;

interface State {
  unanswered: number;
  /** Bytes that the system has not taken yet, and since when (monotonic ms) it is so many. */
  waiting: number;
  since: number;
}

/** What of a socket tells how much of a large write is still to be taken. */
interface WithHandle {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

function waitingBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as WithHandle;
  return handle?.writeQueueSize ?? 0;
}

/**
 * The connections of this process: so many in all and for each address, none of which may leave
 * answers unread. Whoever does is cut off, because what waits for him waits in memory.
 */
@Injectable()
export class Connections implements BeforeApplicationShutdown {
  /** Connections that found no place, and such as were cut off. */
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

  /** Stands before the server's own handler: what nobody can be told is not worked on. */
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

  /** Null for a proxy, which comes for many. */
  private holderOf(address: string): string | null {
    const { trustProxy } = this.config;
    const isProxy = Array.isArray(trustProxy)
      ? ipAllowed(address, trustProxy)
      : trustProxy !== false;
    return isProxy ? null : ipNetwork(address);
  }

  /** Requests that were read before their connection was cut off still come, and cost next to nothing. */
  private mayAsk({ socket }: IncomingMessage, reply: ServerResponse): boolean {
    const state = this.states.get(socket);
    if (!state || socket.destroyed) return false;
    reply.once('close', () => state.unanswered--);
    if (++state.unanswered <= UNANSWERED_MAX) return true;
    this.cut(socket);
    return false;
  }

  private cut(socket: Socket): void {
    if (socket.destroyed) return;
    this.cutOff++;
    socket.destroy();
  }
}
