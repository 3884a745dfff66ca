import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { releaseSpareMemory } from '../common/spare-memory.js';

/** What the start has left behind is given back so long after it. */
const START_MS = 1_000;
const CHECK_MS = 15_000;
/** Memory without anything in it, in bytes more than after the last release, for which the pause is worth it. */
const WORTH_BYTES = 24 * 1024 * 1024;
/** The part of its time that the process may be busy with and still count as calm. */
const CALM_MAX = 0.1;

/** Whether so much more is spare than after the last release, and nobody waits for the pause. */
export const isWorthReleasing = (spare: number, floor: number, busy: number): boolean =>
  busy <= CALM_MAX && spare - floor > WORTH_BYTES;

/** Bytes that the process holds and that the program does not use. */
function spareBytes(): number {
  const { rss, heapUsed, external } = process.memoryUsage();
  return rss - heapUsed - external;
}

/** Gives memory back that the start, or a burst, has left behind, and waits for calm to do so. */
@Injectable()
export class SpareMemory implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private start: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private floor = Infinity;
  private before: EventLoopUtilization = performance.eventLoopUtilization();

  onApplicationBootstrap(): void {
    if (!globalThis.gc) return;
    this.start = setTimeout(() => this.release(), START_MS).unref();
    this.timer = setInterval(() => this.check(), CHECK_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearTimeout(this.start);
    clearInterval(this.timer);
  }

  private check(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.before);
    this.before = now;
    const spare = spareBytes();
    this.floor = Math.min(this.floor, spare);
    if (!isWorthReleasing(spare, this.floor, utilization)) return;
    this.release();
  }

  private release(): void {
    releaseSpareMemory();
    this.floor = spareBytes();
  }
}
