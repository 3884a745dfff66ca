import { type Holder, RoundRobin } from '../common/waiting/round-robin.js';
import { Problem, unavailable } from '../http/problem.js';
import { findsRoom, type Waiting } from './connection/room.js';
import {
  holder,
  isForRequest,
  isStrangers,
  leftMs,
  outsideRequest,
  spend,
} from './connection/time-budget.js';

/** Statements that are under way at once; slow ones do not count. */
export const AT_ONCE = 2;
/** Milliseconds after which a statement is slow, as on a connection that went silent. */
export const SLOW_MS = 100;
/** Statements that are under way at once, slow ones too. */
export const UNDER_WAY_MAX = 4;
/** Callers that one statement serves at most. */
export const TOGETHER_MAX = 64;
/** Callers that may wait. */
export const WAITING_MAX = 1_000;
/** Milliseconds that a caller waits until its statement begins. */
export const TIMEOUT_MS = 3_000;
/** Milliseconds that a request waits in all: a statement of its own, which ends after 4.5 s, would not be in time either. */
export const CALLER_MS = 4_600;

export interface GatheredOptions<Key> {
  /** Is told how many go together. */
  readonly onSend?: (callers: number) => void;
  /** Of two keys for which it is the same the second waits until the first is done. */
  readonly apart?: ((key: Key) => string | undefined) | undefined;
  /** Whether who comes alone waits for those whose requests are read in the same turn, where statements are dear. */
  readonly isPatient?: boolean | undefined;
}

/**
 * Work of one kind that one statement can do for many callers: those who come while a statement is
 * under way go together with the next. Whoever comes alone goes at once.
 */
export class Gathered<Key, Result> {
  /** Callers that were sent away. */
  refused = 0;
  private readonly line = new RoundRobin<Caller<Key, Result>>();
  /** What is under way, and keeps the same apart. */
  private readonly busy = new Set<string>();
  private underWay = 0;
  private slow = 0;
  private afterTurn: NodeJS.Immediate | undefined;

  /**
   * @param send runs one statement; its results are in the order of the keys. What it throws is thrown
   *   to each caller when the database is away; anything else may be the fault of one row, which then
   *   is looked for by halves.
   */
  constructor(
    private readonly send: (keys: readonly Key[]) => Promise<readonly Result[]>,
    private readonly options: GatheredOptions<Key> = {},
  ) {}

  get waiting(): number {
    return this.line.size;
  }

  /**
   * The result for one key, of a statement that begins after this call.
   * @throws Problem `unavailable` when too many wait, this has waited for too long, or the request's
   *   time is over
   */
  ask(key: Key): Promise<Result> {
    return spend(() => {
      const caller = new Caller<Key, Result>(key, () => this.refusal(), this.options.apart?.(key));
      if (!this.options.isPatient && this.hasPlace && this.claim(caller)) this.serve([caller]);
      else this.wait(caller);
      return caller.answer;
    });
  }

  private get hasPlace(): boolean {
    return this.underWay - this.slow < AT_ONCE && this.underWay < UNDER_WAY_MAX;
  }

  private wait(caller: Caller<Key, Result>): void {
    if (!findsRoom(this.line, WAITING_MAX)) return caller.sendAway();
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

  /** Whether it may go now, and keeps the same apart from then on. */
  private claim({ apart }: Caller<Key, Result>): boolean {
    if (apart === undefined) return true;
    return !this.busy.has(apart) && this.busy.add(apart).size > 0;
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
      for (const { apart } of callers) if (apart !== undefined) this.busy.delete(apart);
      this.next();
    };
    outsideRequest(() => this.answer(callers)).then(end, end);
  }

  /**
   * After an error that may be the fault of one row, each half goes by itself, and again until the row is alone: one
   * bad row of n costs two statements for each time that n can be halved. Halves of halves wait until all larger
   * ones were sent, so that most callers have their answer after two or three statements.
   */
  private async answer(callers: readonly Caller<Key, Result>[]): Promise<void> {
    const groups = [callers];
    for (let group = groups.shift(); group; group = groups.shift()) {
      this.options.onSend?.(group.length);
      try {
        const results = await this.send(group.map(({ key }) => key));
        group.forEach((caller, at) => caller.resolve(results[at]!));
      } catch (error) {
        if (group.length > 1 && !(error instanceof Problem)) groups.push(...halvesOf(group));
        else for (const caller of group) caller.reject(error);
      }
    }
  }

  private refusal(): Problem {
    this.refused++;
    return unavailable('The database is busy with other requests.');
  }
}

/** What one holder sent stays together, so that one with many bad rows is soon apart from the others. */
function halvesOf<One extends { readonly whose: Holder }>(all: readonly One[]): One[][] {
  const byHolder = [...Map.groupBy(all, ({ whose }) => whose).values()].flat();
  const middle = Math.ceil(all.length / 2);
  return [byHolder.slice(0, middle), byHolder.slice(middle)];
}

/** Somebody who wants a result, for a request that has its own time. */
class Caller<Key, Result> implements Waiting {
  readonly whose: Holder = holder();
  readonly isStrangers = isStrangers();
  private readonly end =
    performance.now() + (isForRequest() ? Math.min(CALLER_MS, leftMs()) : Infinity);
  private readonly result = Promise.withResolvers<Result>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly key: Key,
    private readonly refusal: () => Problem,
    readonly apart: string | undefined,
  ) {}

  get answer(): Promise<Result> {
    return this.result.promise;
  }

  /** Milliseconds; without end for background work. */
  get leftMs(): number {
    return this.end - performance.now();
  }

  /** Is sent away after so many milliseconds, instead of a limit before. */
  limit(ms: number, leave?: () => void): void {
    clearTimeout(this.timer);
    if (ms === Infinity) return;
    this.timer = setTimeout(() => {
      leave?.();
      this.sendAway();
    }, ms);
  }

  sendAway(): void {
    this.reject(this.refusal());
  }

  resolve(result: Result): void {
    clearTimeout(this.timer);
    this.result.resolve(result);
  }

  reject(reason: unknown): void {
    clearTimeout(this.timer);
    this.result.reject(reason);
  }
}
