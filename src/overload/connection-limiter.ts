import { type FairnessKey, RoundRobin } from './round-robin.js';
import { HeavyUse } from './heavy-use.js';
import { tryEnqueue, type Waiting as InLine } from './bounded-queue.js';
import { fairnessKey, isUnauthenticated, leftMs } from './request-context.js';
import { OverloadedError } from './errors.js';

/** Reads and writes are limited separately, so that blocked writes do not block reads. */
export type Work = 'read' | 'write';

/** Maximum wait for a connection, in milliseconds. */
const TIMEOUT_MS = 3_000;
/** Maximum queued requests per connection, for reads and writes each. */
export const WAITING_PER_CONNECTION = 16;
/** Maximum share of the connections for writes. */
const WRITES_SHARE = 0.7;
/** Maximum share of all slots, and of those for writes, for one fairness key. */
export const HOLDER_SHARE = 0.8;

interface Waiting extends InLine {
  readonly work: Work;
  readonly whose: FairnessKey;
  /** @param leave releases the slot */
  enter(leave: () => void): void;
}

/**
 * Limits concurrent work to the number of connections; further work is queued or rejected. One fairness key gets at
 * most a share, the last slot is reserved for keys without slots, and the queue alternates between keys, those without
 * slots first.
 */
export class ConnectionLimiter {
  /** Rejected work since the process started. */
  refused = 0;
  private readonly inside = { read: 0, write: 0 };
  private readonly insideOf = {
    read: new Map<FairnessKey, number>(),
    write: new Map<FairnessKey, number>(),
  };
  private readonly line = new RoundRobin<Waiting>();
  private readonly writesMax: number;
  private readonly share: number;
  private readonly writesShare: number;
  private readonly heavy: HeavyUse | undefined;

  /** @param isSlow whether work can be slow: keys with slow work share few slots then (`HeavyUse`) */
  constructor(
    private readonly size: number,
    { isSlow = false } = {},
  ) {
    this.heavy = isSlow ? new HeavyUse(size, () => this.dequeue()) : undefined;
    this.writesMax = Math.max(1, Math.floor(size * WRITES_SHARE));
    this.share = shareOf(size);
    this.writesShare = shareOf(this.writesMax);
  }

  get waiting(): number {
    return this.line.size;
  }

  /**
   * @param run gets the remaining time to wait for its connection, in milliseconds
   * @throws UnavailableError when the queue is full, or this waited too long
   */
  async pass<T>(work: Work, run: (timeoutMs: number) => Promise<T>): Promise<T> {
    const end = performance.now() + Math.min(TIMEOUT_MS, leftMs());
    const timeoutMs = () => end - performance.now();
    const whose = fairnessKey();
    const leave = this.hasPlace(work, whose)
      ? this.enter(work, whose)
      : await this.wait(work, whose, timeoutMs());
    try {
      return await run(timeoutMs());
    } finally {
      leave();
      this.dequeue();
    }
  }

  /** Background work has no share limit, because there is little of it. */
  private hasPlace(work: Work, whose: FairnessKey): boolean {
    const { read, write } = this.inside;
    if (read + write >= this.size || (work === 'write' && write >= this.writesMax)) return false;
    if (whose === undefined) return true;
    const [reads, writes] = [
      this.insideOf.read.get(whose) ?? 0,
      this.insideOf.write.get(whose) ?? 0,
    ];
    if (this.heavy?.isShut(whose)) return false;
    if (reads + writes === 0) return true;
    const isLast = read + write >= this.size - 1;
    const isLastWrite = work === 'write' && write >= this.writesMax - 1;
    if (isLast || (isLastWrite && writes > 0)) return false;
    return reads + writes < this.share && (work === 'read' || writes < this.writesShare);
  }

  private hasNone(whose: FairnessKey): boolean {
    return !this.insideOf.read.has(whose) && !this.insideOf.write.has(whose);
  }

  /** @returns a function that releases the slot */
  private enter(work: Work, whose: FairnessKey): () => void {
    this.inside[work]++;
    this.insideOf[work].set(whose, (this.insideOf[work].get(whose) ?? 0) + 1);
    const end = this.heavy?.begin(whose);
    return () => {
      this.leave(work, whose);
      end?.();
    };
  }

  private leave(work: Work, whose: FairnessKey): void {
    this.inside[work]--;
    const left = (this.insideOf[work].get(whose) ?? 0) - 1;
    if (left > 0) this.insideOf[work].set(whose, left);
    else this.insideOf[work].delete(whose);
  }

  private async wait(work: Work, whose: FairnessKey, timeoutMs: number): Promise<() => void> {
    const max = this.size * WAITING_PER_CONNECTION;
    if (!tryEnqueue(this.line, max, (other) => other.work === work)) throw this.refusal();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting: Waiting = {
      work,
      whose,
      isUnauthenticated: isUnauthenticated(),
      enter: resolve,
      reject: () => reject(this.refusal()),
    };
    this.line.add(whose, waiting);
    const limit = setTimeout(() => {
      this.line.remove(whose, waiting);
      waiting.reject();
    }, timeoutMs);
    return promise.finally(() => clearTimeout(limit));
  }

  private dequeue(): void {
    const may = ({ work, whose }: Waiting): boolean => this.hasPlace(work, whose);
    const next =
      this.line.take((one) => this.hasNone(one.whose) && may(one)) ?? this.line.take(may);
    if (!next) return;
    next.enter(this.enter(next.work, next.whose));
  }

  private refusal(): Error {
    this.refused++;
    return new OverloadedError();
  }
}

/** Leaves slots for others, unless there is only one. */
const shareOf = (places: number): number => Math.max(1, Math.floor(places * HOLDER_SHARE));
