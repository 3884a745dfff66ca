import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ipSite } from '../common/ip-network.js';
import { RoundRobin } from '../overload/round-robin.js';
import { Problem, unavailable } from '../http/problems/problem.js';

/** Milliseconds of an event loop turn after which no more requests start in it. */
const TURN_MS = 4;
/** Maximum requests started per turn. */
const CHECKS = 64;
/** Maximum milliseconds that a request waits to start. */
export const ADMISSION_WAIT_MS = 5_000;

interface Waiting {
  readonly request: FastifyRequest;
  readonly since: number;
  readonly begin: (refusal?: Problem) => void;
}

/**
 * Admission control: starts requests only in a part of each event loop turn, so that turns stay short under load. Other
 * requests wait in a queue that is fair between networks.
 */
@Injectable()
export class Admission {
  /** Rejected requests. */
  refused = 0;
  private readonly line = new RoundRobin<Waiting>();
  private turnStart = 0;
  private isTurnAhead = false;

  /** Waiting requests. */
  get waiting(): number {
    return this.line.size;
  }

  /**
   * Calls `begin` at once under low load, otherwise when the request is dequeued.
   * @param begin receives the reason if the request is rejected
   */
  enter(request: FastifyRequest, begin: (refusal?: Problem) => void): void {
    this.countFromHere();
    if (this.line.size === 0 && this.hasTime()) return begin();
    const bound = AsyncResource.bind(begin);
    this.line.add(ipSite(request.ip), { request, since: performance.now(), begin: bound });
  }

  /** A turn is measured from its first request. */
  private countFromHere(): void {
    if (this.isTurnAhead) return;
    this.isTurnAhead = true;
    this.turnStart = performance.now();
    setImmediate(this.nextTurn);
  }

  private readonly nextTurn = (): void => {
    this.isTurnAhead = false;
    if (this.line.size === 0) return;
    this.countFromHere();
    // One at a time, so that the synchronous work of each counts before the next starts.
    for (let i = Math.min(CHECKS, this.line.size); i > 0; i--) setImmediate(this.beginNext);
  };

  private readonly beginNext = (): void => {
    if (!this.hasTime()) return;
    let next = this.line.take();
    // Skip requests whose connection has closed.
    while (next?.request.raw.socket.destroyed) next = this.line.take();
    if (!next) return;
    if (performance.now() - next.since <= ADMISSION_WAIT_MS) return next.begin();
    this.refused++;
    next.begin(unavailable('The service is busy with other requests.'));
  };

  private hasTime(): boolean {
    return performance.now() - this.turnStart < TURN_MS;
  }
}
