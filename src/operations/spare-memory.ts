import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { releaseSpareMemory } from '../common/spare-memory.js';

/** Milliseconds after startup until its memory is released. */
const START_MS = 1_000;
const CHECK_MS = 15_000;
/** Minimum spare bytes since the last release that justify the pause. */
const WORTH_BYTES = 24 * 1024 * 1024;
/** Maximum utilisation of an idle process. */
const CALM_MAX = 0.1;

/** Whether enough memory is spare since the last release, and the process is idle. */
export const isWorthReleasing = (spare: number, floor: number, busy: number): boolean =>
  busy <= CALM_MAX && spare - floor > WORTH_BYTES;

/** Bytes that the process holds but does not use. */
function spareBytes(): number {
  const { rss, heapUsed, external } = process.memoryUsage();
  return rss - heapUsed - external;
}

/** Releases memory of the startup or of a burst while the process is idle. */
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
