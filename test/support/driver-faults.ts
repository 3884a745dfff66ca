import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import pg from 'pg';

/**
 * What a database does to a statement. `lock`, `statement` and `disk`: it refuses it. `reset`: the
 * connection is gone before it. `lost`: it is carried out, and its answer gets lost. `fatal`: the
 * connection ends right behind the answer. `pool`: no connection becomes free. `commit`: the
 * transaction is committed, and nobody hears of it.
 */
export const FAULTS = [
  'lock',
  'statement',
  'reset',
  'lost',
  'fatal',
  'disk',
  'pool',
  'commit',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What a method asked of the driver in one visit. */
export interface Use {
  statements: number;
  connects: boolean;
  commits: boolean;
}

interface Scope {
  readonly visit: string;
  /** The fault that was ready when the visit began: an earlier visit of that name may still be under way. */
  readonly armed: Armed | undefined;
  /** The methods that are under way, the innermost last. */
  readonly frames: readonly string[];
}

interface Armed {
  readonly visit: string;
  readonly method: string;
  readonly fault: Fault;
}

type Callback = (error: Error | undefined, result?: unknown) => void;
type Method = (...values: unknown[]) => unknown;
type Type = { readonly name: string; readonly prototype: object };

interface Submitted {
  submit(): void;
  handleError(error: Error, connection: unknown): void;
}

interface Client {
  readonly connection: { readonly stream: { destroy(error?: Error): void } };
}

const refused = (code: string, message: string): Error =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { severity: 'ERROR', code });

const gone = (): Error =>
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });

const ERRORS: Readonly<Record<Fault, () => Error>> = {
  lock: () => refused('55P03', 'canceling statement due to lock timeout'),
  statement: () => refused('57014', 'canceling statement due to statement timeout'),
  disk: () => refused('53100', 'could not extend file: No space left on device'),
  reset: gone,
  lost: () => new Error('Connection terminated unexpectedly'),
  fatal: () => refused('57P01', 'terminating connection due to administrator command'),
  pool: () => new Error('timeout exceeded when trying to connect'),
  commit: gone,
};

/**
 * Makes the driver fail under a chosen method of a chosen visit, once. Which methods a visit uses it
 * finds out by itself: it follows each request, and what the request leaves to be done, through the
 * program.
 */
export class DriverFaults {
  /** By visit and method. */
  readonly uses = new Map<string, Map<string, Use>>();
  private readonly scopes = new AsyncLocalStorage<Scope>();
  private readonly restores: (() => void)[] = [];
  private armed: Armed | undefined;

  /** @param types whose methods are followed */
  constructor(types: readonly Type[]) {
    for (const type of types) this.follow(type);
    this.patch(pg.Pool.prototype, 'connect', (original) => this.connect(original));
    this.patch(pg.Client.prototype, 'query', (original) => this.query(original));
  }

  /** Requests say in a header which visit they belong to. */
  followRequests(server: Server): void {
    this.patch(server, 'emit', (original) => {
      const within = <T>(visit: string, go: () => T) => this.within(visit, go);
      return function (this: unknown, ...values: unknown[]) {
        const request = values[1] as { headers?: Record<string, string> } | undefined;
        const named = values[0] === 'request' ? request?.headers?.['x-visit'] : undefined;
        const visit = named && decodeURIComponent(named);
        const go = () => original.apply(this, values);
        return visit === undefined ? go() : within(visit, go);
      };
    });
  }

  /** Follows what no request asks for. */
  within<T>(visit: string, work: () => T): T {
    return this.scopes.run({ visit, armed: this.armed, frames: [] }, work);
  }

  arm(armed: Armed): void {
    this.armed = armed;
  }

  get hasFired(): boolean {
    return this.armed === undefined;
  }

  disarm(): void {
    this.armed = undefined;
  }

  restore(): void {
    for (const restore of this.restores) restore();
  }

  private patch<T extends object>(
    target: T,
    name: string,
    replace: (original: Method) => Method,
  ): void {
    const original = Reflect.get(target, name) as Method;
    const own = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, {
      configurable: true,
      writable: true,
      value: replace(original),
    });
    this.restores.push(() => {
      if (own) Object.defineProperty(target, name, own);
      else Reflect.deleteProperty(target, name);
    });
  }

  private follow({ name, prototype }: Type): void {
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (method === 'constructor' || typeof value !== 'function') continue;
      const frame = `${name}.${method}`;
      const { scopes, uses } = this;
      this.patch(prototype, method, (original) => {
        return function (this: unknown, ...values: unknown[]) {
          const scope = scopes.getStore();
          if (!scope) return original.apply(this, values);
          const used = uses.get(scope.visit) ?? new Map<string, Use>();
          uses.set(scope.visit, used);
          if (!used.has(frame)) used.set(frame, { statements: 0, connects: false, commits: false });
          const inner = { ...scope, frames: [...scope.frames, frame] };
          return scopes.run(inner, () => original.apply(this, values));
        };
      });
    }
  }

  private note(change: (use: Use) => void): void {
    const scope = this.scopes.getStore();
    if (!scope) return;
    for (const frame of scope.frames) change(this.uses.get(scope.visit)!.get(frame)!);
  }

  /** The fault that is to happen here and now, which then happens no more. */
  private take(isHere: (fault: Fault) => boolean): Fault | undefined {
    const scope = this.scopes.getStore();
    const { armed } = this;
    if (!armed || scope?.armed !== armed || armed.visit !== scope.visit) return undefined;
    if (!isHere(armed.fault) || !scope.frames.includes(armed.method)) return undefined;
    this.armed = undefined;
    return armed.fault;
  }

  private connect(original: Method): Method {
    const take = () => this.take((fault) => fault === 'pool');
    const note = () => this.note((use) => (use.connects = true));
    return function (this: unknown, done: unknown) {
      note();
      const fault = take();
      const callback = done as Callback | undefined;
      // The pool calls back from wherever a connection becomes free.
      if (!fault) return original.call(this, callback && AsyncLocalStorage.bind(callback));
      if (!callback) return Promise.reject(ERRORS[fault]());
      process.nextTick(callback, ERRORS[fault]());
      return undefined;
    };
  }

  private query(original: Method): Method {
    const take = (text: string) =>
      this.take((fault) => (fault === 'commit' ? text === 'COMMIT' : fault !== 'pool'));
    const note = (text: string) =>
      this.note((use) => {
        use.statements++;
        use.commits ||= text === 'COMMIT';
      });
    return function (this: Client, ...values: unknown[]) {
      const text = textOf(values[0]);
      note(text);
      const fault = take(text);
      return fault ? fail(this, original, values, fault) : original.apply(this, values);
    };
  }
}

const textOf = (config: unknown): string =>
  typeof config === 'string' ? config : ((config as { text?: string }).text ?? '');

const isSubmitted = (config: unknown): config is Submitted =>
  typeof (config as Partial<Submitted>).submit === 'function';

function fail(client: Client, original: Method, values: unknown[], fault: Fault): unknown {
  const [config] = values;
  const error = ERRORS[fault]();
  if (isSubmitted(config)) {
    process.nextTick(() => config.handleError(error, client.connection));
    return config;
  }
  const callback = values.find((value) => typeof value === 'function') as Callback | undefined;
  const answer = outcomeOf(client, original, values, fault);
  if (!callback) return answer;
  answer.then(
    (result) => callback(undefined, result),
    (failure: Error) => callback(failure),
  );
  return undefined;
}

async function outcomeOf(
  client: Client,
  original: Method,
  values: unknown[],
  fault: Fault,
): Promise<unknown> {
  const error = ERRORS[fault]();
  if (fault !== 'lost' && fault !== 'fatal' && fault !== 'commit') throw error;
  const statement = values.filter((value) => typeof value !== 'function');
  const answer = original.apply(client, statement) as Promise<unknown>;
  if (fault !== 'fatal')
    return answer.then(
      () => Promise.reject(error),
      () => Promise.reject(error),
    );
  const result = await answer;
  client.connection.stream.destroy(error);
  return result;
}
