import { type FairnessKey, RoundRobin } from './round-robin.js';
import {
  fairnessKey,
  isUnauthenticated,
  leftMs,
  runDetached,
  trackDeadline,
} from './request-context.js';
import { tryEnqueue, type Waiting } from './bounded-queue.js';
import { OverloadedError, UnavailableError } from './errors.js';

/** Milliseconds after which a statement is slow, for example on an unresponsive connection: the next one starts. */
export const SLOW_MS = 100;
/** Maximum concurrent statements, including slow ones. */
export const UNDER_WAY_MAX = 4;
/** Maximum callers per statement. */
export const TOGETHER_MAX = 64;
/** Maximum queued callers. */
export const WAITING_MAX = 1_000;
/** Maximum wait of a caller for the start of its statement, in milliseconds. */
export const TIMEOUT_MS = 3_000;
/**
 * Maximum total wait of a request, in milliseconds: a separate statement, which times out after 4.5 s, would be too
 * late as well.
 */
export const CALLER_MS = 4_600;
/** Interval at which these times are checked, in milliseconds: one timer for all calls. */
export const SWEEP_MS = 50;

export interface BatcherOptions<Key> {
  /** Called with the number of callers per statement. */
  readonly onSend?: (callers: number) => void;
  /** At most one in flight per conflict key. */
  readonly conflictKey?: ((key: Key) => string | undefined) | undefined;
}

/**
 * Coalesces concurrent calls into one statement. The calls of one event loop turn are sent together; calls that arrive
 * while a statement is running, with the next one.
 */
export class Batcher<Key, Result> {
  /** Rejected callers. */
  refused = 0;
  private readonly line = new RoundRobin<Caller<Key, Result>>();
  /** Conflict keys in flight. */
  private readonly busy = new Set<string>();
  private readonly underWay = new Set<Batch<Key, Result>>();
  private afterTurn: NodeJS.Immediate | undefined;
  private sweeper: NodeJS.Timeout | undefined;

  /**
   * @param send runs one statement; its results are in the order of the keys. A UnavailableError is thrown to
   * each caller; any other error may be caused by one row, which is then isolated by bisection.
   */
  constructor(
    private readonly send: (keys: readonly Key[]) => Promise<readonly Result[]>,
    private readonly options: BatcherOptions<Key> = {},
  ) {}

  get waiting(): number {
    return this.line.size;
  }

  /**
   * The result for one key, of a statement that starts after this call.
   * @throws UnavailableError when the queue is full, this waited too long, or the request's deadline has passed
   */
  ask(key: Key): Promise<Result> {
    return trackDeadline(() => {
      const caller = new Caller<Key, Result>(
        key,
        () => this.refusal(),
        this.options.conflictKey?.(key),
      );
      if (tryEnqueue(this.line, WAITING_MAX)) {
        this.line.add(caller.whose, caller);
        if (this.hasPlace) this.afterTurn ??= setImmediate(() => this.endTurn());
      } else caller.reject();
      return caller.answer;
    });
  }

  private endTurn(): void {
    this.afterTurn = undefined;
    this.next();
  }

  /** One statement at a time gathers the most calls; further ones start only beside slow ones. */
  private get hasPlace(): boolean {
    if (this.underWay.size >= UNDER_WAY_MAX) return false;
    for (const { isSlow } of this.underWay) if (!isSlow) return false;
    return true;
  }

  private next(): void {
    while (this.hasPlace) {
      const callers: Caller<Key, Result>[] = [];
      while (callers.length < TOGETHER_MAX) {
        const caller = this.line.take((first) => this.claim(first));
        if (!caller) break;
        callers.push(caller);
      }
      if (callers.length === 0) return;
      this.serve(callers);
    }
  }

  /** Reserves the caller's conflict key. @returns false while the key is in flight */
  private claim({ conflictKey }: Caller<Key, Result>): boolean {
    if (conflictKey === undefined) return true;
    return !this.busy.has(conflictKey) && this.busy.add(conflictKey).size > 0;
  }

  private serve(callers: readonly Caller<Key, Result>[]): void {
    const batch = { callers, since: performance.now(), isSlow: false };
    this.underWay.add(batch);
    this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    const end = (): void => {
      this.underWay.delete(batch);
      for (const { conflictKey } of callers)
        if (conflictKey !== undefined) this.busy.delete(conflictKey);
      this.next();
    };
    runDetached(() => this.answer(callers)).then(end, end);
  }

  /** Rejects late callers, and starts the next statement beside slow ones. */
  private sweep(): void {
    if (this.underWay.size + this.line.size === 0) {
      clearInterval(this.sweeper);
      this.sweeper = undefined;
    }
    const now = performance.now();
    for (const batch of this.underWay) {
      batch.isSlow = now >= batch.since + SLOW_MS;
      for (const caller of batch.callers) if (now >= caller.end) caller.reject();
    }
    for (const caller of this.line) {
      if (now < caller.startBy) continue;
      this.line.remove(caller.whose, caller);
      caller.reject();
    }
    this.next();
  }

  /**
   * After an error that may be caused by one row, each half is sent separately, until the row is alone: one bad row of
   * n costs two statements per halving. Halves are processed breadth-first, so that most callers have their result
   * after two or three statements.
   */
  private async answer(callers: readonly Caller<Key, Result>[]): Promise<void> {
    const groups = [callers];
    for (let group = groups.shift(); group; group = groups.shift()) {
      this.options.onSend?.(group.length);
      try {
        const results = await this.send(group.map(({ key }) => key));
        group.forEach((caller, at) => caller.resolve(results[at]!));
      } catch (error) {
        if (group.length > 1 && !(error instanceof UnavailableError))
          groups.push(...halvesOf(group));
        else for (const caller of group) caller.reject(error);
      }
    }
  }

  private refusal(): Error {
    this.refused++;
    return new OverloadedError();
  }
}

/**
 * Keeps the callers of one fairness key together, so that a key with many bad rows is separated from the others early.
 */
function halvesOf<One extends { readonly whose: FairnessKey }>(all: readonly One[]): One[][] {
  const byHolder = [...Map.groupBy(all, ({ whose }) => whose).values()].flat();
  const middle = Math.ceil(all.length / 2);
  return [byHolder.slice(0, middle), byHolder.slice(middle)];
}

/** The calls of one running statement. */
interface Batch<Key, Result> {
  readonly callers: readonly Caller<Key, Result>[];
  readonly since: number;
  isSlow: boolean;
}

/** A call with the deadline of its request. */
class Caller<Key, Result> implements Waiting {
  readonly whose: FairnessKey = fairnessKey();
  readonly isUnauthenticated = isUnauthenticated();
  /** When it must be answered; infinite for background work. */
  readonly end: number;
  /** When its statement must have started. */
  readonly startBy: number;
  private readonly result = Promise.withResolvers<Result>();
  private isSettled = false;

  constructor(
    readonly key: Key,
    private readonly refusal: () => Error,
    readonly conflictKey: string | undefined,
  ) {
    const [now, left] = [performance.now(), leftMs()];
    this.startBy = now + Math.min(TIMEOUT_MS, left);
    this.end = left === Infinity ? Infinity : now + Math.min(CALLER_MS, left);
  }

  get answer(): Promise<Result> {
    return this.result.promise;
  }

  resolve(result: Result): void {
    this.isSettled = true;
    this.result.resolve(result);
  }

  reject(reason?: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.result.reject(reason ?? this.refusal());
  }
}
