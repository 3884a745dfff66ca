import { type FairnessKey, RoundRobin } from './round-robin.js';
import {
  fairnessKey,
  isForRequest,
  isUnauthenticated,
  leftMs,
  runDetached,
  trackDeadline,
} from './request-context.js';
import { tryEnqueue, type Waiting } from './bounded-queue.js';
import { OverloadedError, UnavailableError } from './errors.js';

/** Maximum concurrent statements, without slow ones. */
export const AT_ONCE = 2;
/** Milliseconds after which a statement is slow, for example on an unresponsive connection. */
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

export interface BatcherOptions<Key> {
  /** Called with the number of callers per statement. */
  readonly onSend?: (callers: number) => void;
  /** At most one in flight per conflict key. */
  readonly conflictKey?: ((key: Key) => string | undefined) | undefined;
  /** Whether a single caller waits for others of the same event loop turn; for expensive statements. */
  readonly isPatient?: boolean | undefined;
}

/**
 * Coalesces concurrent calls into one statement: calls that arrive while a statement is running are sent together with
 * the next one. A single call is sent immediately.
 */
export class Batcher<Key, Result> {
  /** Rejected callers. */
  refused = 0;
  private readonly line = new RoundRobin<Caller<Key, Result>>();
  /** Conflict keys in flight. */
  private readonly busy = new Set<string>();
  private underWay = 0;
  private slow = 0;
  private afterTurn: NodeJS.Immediate | undefined;

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
      if (!this.options.isPatient && this.hasPlace && this.claim(caller)) this.serve([caller]);
      else this.wait(caller);
      return caller.answer;
    });
  }

  private get hasPlace(): boolean {
    return this.underWay - this.slow < AT_ONCE && this.underWay < UNDER_WAY_MAX;
  }

  private wait(caller: Caller<Key, Result>): void {
    if (!tryEnqueue(this.line, WAITING_MAX)) return caller.reject();
    this.line.add(caller.whose, caller);
    caller.limit(Math.min(TIMEOUT_MS, leftMs()), () => this.line.remove(caller.whose, caller));
    if (this.options.isPatient) this.afterTurn ??= setImmediate(() => this.endTurn());
  }

  private endTurn(): void {
    this.afterTurn = undefined;
    this.next();
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
    this.underWay++;
    let isSlow = false;
    const limit = setTimeout(() => {
      isSlow = true;
      this.slow++;
      this.next();
    }, SLOW_MS);
    for (const caller of callers) caller.limit(caller.leftMs);
    const end = (): void => {
      clearTimeout(limit);
      this.underWay--;
      if (isSlow) this.slow--;
      for (const { conflictKey } of callers)
        if (conflictKey !== undefined) this.busy.delete(conflictKey);
      this.next();
    };
    runDetached(() => this.answer(callers)).then(end, end);
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

/** A queued call with the deadline of its request. */
class Caller<Key, Result> implements Waiting {
  readonly whose: FairnessKey = fairnessKey();
  readonly isUnauthenticated = isUnauthenticated();
  private readonly end =
    performance.now() + (isForRequest() ? Math.min(CALLER_MS, leftMs()) : Infinity);
  private readonly result = Promise.withResolvers<Result>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly key: Key,
    private readonly refusal: () => Error,
    readonly conflictKey: string | undefined,
  ) {}

  get answer(): Promise<Result> {
    return this.result.promise;
  }

  /** Remaining time in milliseconds; Infinity for background work. */
  get leftMs(): number {
    return this.end - performance.now();
  }

  /** Rejects the call after `ms` milliseconds; replaces a previous limit. */
  limit(ms: number, leave?: () => void): void {
    clearTimeout(this.timer);
    if (ms === Infinity) return;
    this.timer = setTimeout(() => {
      leave?.();
      this.reject();
    }, ms);
  }

  resolve(result: Result): void {
    clearTimeout(this.timer);
    this.result.resolve(result);
  }

  reject(reason: unknown = this.refusal()): void {
    clearTimeout(this.timer);
    this.result.reject(reason);
  }
}
