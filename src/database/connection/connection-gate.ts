import { type Holder, RoundRobin } from '../../common/waiting/round-robin.js';
import { unavailable } from '../../http/problem.js';
import { HeavyUse } from './heavy-use.js';
import { findsRoom, type Waiting as InLine } from './room.js';
import { holder, isStrangers, leftMs } from './time-budget.js';

/** Reads go on while every write waits for something. */
export type Work = 'read' | 'write';

/** Milliseconds that work waits until it has a connection. */
const TIMEOUT_MS = 3_000;
/** Requests that may wait for each connection: as many reads, and as many writes. */
export const WAITING_PER_CONNECTION = 16;
/** The part of the connections that writes may take. */
const WRITES_SHARE = 0.7;
/** The part of all places, and of those for writes, that one holder may take. */
export const HOLDER_SHARE = 0.8;

interface Waiting extends InLine {
  readonly work: Work;
  readonly whose: Holder;
  /** @param leave gives the place back */
  enter(leave: () => void): void;
}

/**
 * Lets as much work to the database as there are connections; the rest waits in line, or is sent away.
 * No holder takes more than a share, the last place is for those who have none, and those who wait are let
 * in by turns, those who have none first.
 */
export class ConnectionGate {
  /** Work that was sent away since the process began. */
  refused = 0;
  private readonly inside = { read: 0, write: 0 };
  private readonly insideOf = { read: new Map<Holder, number>(), write: new Map<Holder, number>() };
  private readonly line = new RoundRobin<Waiting>();
  private readonly writesMax: number;
  private readonly share: number;
  private readonly writesShare: number;
  private readonly heavy: HeavyUse | undefined;

  /** @param isSlow whether the work can be slow: those whose work took long lately have one place in all then */
  constructor(
    private readonly size: number,
    { isSlow = false } = {},
  ) {
    this.heavy = isSlow ? new HeavyUse(() => this.letIn()) : undefined;
    this.writesMax = Math.max(1, Math.floor(size * WRITES_SHARE));
    this.share = shareOf(size);
    this.writesShare = shareOf(this.writesMax);
  }

  get waiting(): number {
    return this.line.size;
  }

  /**
   * @param run is told how many milliseconds it may still wait for its connection
   * @throws Problem `unavailable` when too much work waits, or this has waited for too long
   */
  async pass<T>(work: Work, run: (timeoutMs: number) => Promise<T>): Promise<T> {
    const end = performance.now() + Math.min(TIMEOUT_MS, leftMs());
    const timeoutMs = () => end - performance.now();
    const whose = holder();
    const leave = this.hasPlace(work, whose)
      ? this.enter(work, whose)
      : await this.wait(work, whose, timeoutMs());
    try {
      return await run(timeoutMs());
    } finally {
      leave();
      this.letIn();
    }
  }

  /** Background work has no share: there is little of it, and it is everybody's. */
  private hasPlace(work: Work, whose: Holder): boolean {
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

  private hasNone(whose: Holder): boolean {
    return !this.insideOf.read.has(whose) && !this.insideOf.write.has(whose);
  }

  /** @returns gives the place back */
  private enter(work: Work, whose: Holder): () => void {
    this.inside[work]++;
    this.insideOf[work].set(whose, (this.insideOf[work].get(whose) ?? 0) + 1);
    const end = this.heavy?.begin(whose);
    return () => {
      this.leave(work, whose);
      end?.();
    };
  }

  private leave(work: Work, whose: Holder): void {
    this.inside[work]--;
    const left = (this.insideOf[work].get(whose) ?? 0) - 1;
    if (left > 0) this.insideOf[work].set(whose, left);
    else this.insideOf[work].delete(whose);
  }

  private async wait(work: Work, whose: Holder, timeoutMs: number): Promise<() => void> {
    const max = this.size * WAITING_PER_CONNECTION;
    if (!findsRoom(this.line, max, (other) => other.work === work)) throw this.refusal();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting: Waiting = {
      work,
      whose,
      isStrangers: isStrangers(),
      enter: resolve,
      sendAway: () => reject(this.refusal()),
    };
    this.line.add(whose, waiting);
    const limit = setTimeout(() => {
      this.line.remove(whose, waiting);
      waiting.sendAway();
    }, timeoutMs);
    return promise.finally(() => clearTimeout(limit));
  }

  private letIn(): void {
    const may = ({ work, whose }: Waiting): boolean => this.hasPlace(work, whose);
    const next =
      this.line.take((one) => this.hasNone(one.whose) && may(one)) ?? this.line.take(may);
    if (!next) return;
    next.enter(this.enter(next.work, next.whose));
  }

  private refusal(): Error {
    this.refused++;
    return unavailable('The database is busy with other requests.');
  }
}

/** Some places are always left for others, but for one who has the only one. */
const shareOf = (places: number): number => Math.max(1, Math.floor(places * HOLDER_SHARE));
