import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ipSite } from '../common/ip-network.js';
import { RoundRobin } from '../common/waiting/round-robin.js';
import { Problem, unavailable } from '../http/problem.js';

/** Milliseconds of a turn of the event loop after which no further request begins in it. */
const TURN_MS = 4;
/** Requests that are looked at in one turn. */
const CHECKS = 64;
/** Milliseconds that a request waits until it begins. */
export const ADMISSION_WAIT_MS = 5_000;

interface Waiting {
  readonly request: FastifyRequest;
  readonly since: number;
  readonly begin: (refusal?: Problem) => void;
}

/**
 * Lets requests begin only in a part of each turn of the event loop, so that turns stay short for
 * those who are at work, however many arrive. The rest waits, and the networks it came from begin by turns.
 */
@Injectable()
export class Admission {
  /** Requests that were sent away. */
  refused = 0;
  private readonly line = new RoundRobin<Waiting>();
  private turnStart = 0;
  private isTurnAhead = false;

  /** Requests that wait. */
  get waiting(): number {
    return this.line.size;
  }

  /**
   * Calls `begin` at once while few come, else when it is the request's turn.
   * @param begin takes the reason for which it is not to begin, if there is one
   */
  enter(request: FastifyRequest, begin: (refusal?: Problem) => void): void {
    this.countFromHere();
    if (this.line.size === 0 && this.hasTime()) return begin();
    const bound = AsyncResource.bind(begin);
    this.line.add(ipSite(request.ip), { request, since: performance.now(), begin: bound });
  }

  /** A turn is counted from the first request that comes in it. */
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
    // One by one: what a request does at once is done before the next begins, and counts.
    for (let i = Math.min(CHECKS, this.line.size); i > 0; i--) setImmediate(this.beginNext);
  };

  private readonly beginNext = (): void => {
    if (!this.hasTime()) return;
    let next = this.line.take();
    // Nobody reads the answer of a connection that has ended.
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
