import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds that all statements of one request may take together, waiting included. */
export const REQUEST_BUDGET_MS = 10_000;

/** Context of a request: its sender, and the time that the database may still work for it. */
export class RequestContext {
  /** Whether no guard has identified the sender yet: the fairness key is a network. */
  isUnauthenticated: boolean;
  private running = 0;
  private since = 0;

  /** @param key the fairness key, or a function that finds it when it is first read */
  constructor(
    private budgetMs: number = REQUEST_BUDGET_MS,
    private key?: string | (() => string),
  ) {
    this.isUnauthenticated = key !== undefined;
  }

  /** A merchant, a user or a network. Limits count the requests of one key together. */
  get fairnessKey(): string | undefined {
    if (typeof this.key === 'function') this.key = this.key();
    return this.key;
  }

  /** Called by the guard that has identified the sender. */
  setTenant(key: string): void {
    this.key = key;
    this.isUnauthenticated = false;
  }

  /** Counts only the time in which work for the request runs. */
  get leftMs(): number {
    return this.running > 0 ? this.budgetMs - (performance.now() - this.since) : this.budgetMs;
  }

  async trackDeadline<T>(work: () => Promise<T>): Promise<T> {
    if (this.running++ === 0) this.since = performance.now();
    try {
      return await work();
    } finally {
      const left = this.leftMs;
      if (--this.running === 0) this.budgetMs = left;
    }
  }

  /** Removes the deadline for work that continues after the answer. */
  end(): void {
    this.budgetMs = Infinity;
  }
}

const contexts = new AsyncLocalStorage<RequestContext | undefined>();

/** Milliseconds that are left to the current request; infinite for background work. */
export const leftMs = (): number => contexts.getStore()?.leftMs ?? Infinity;

/** Whether the current work has a deadline. */
export const isForRequest = (): boolean => leftMs() !== Infinity;

/** The key of the current request; undefined in background work. */
export const fairnessKey = (): string | undefined => contexts.getStore()?.fairnessKey;

/** Whether no guard has identified the sender of the current request yet. */
export const isUnauthenticated = (): boolean => contexts.getStore()?.isUnauthenticated ?? false;

/** Sets the key of the current request. */
export const setTenant = (key: string): void => contexts.getStore()?.setTenant(key);

/** Counts the time of the work towards the deadline of the current request. */
export const trackDeadline = <T>(work: () => Promise<T>): Promise<T> =>
  contexts.getStore()?.trackDeadline(work) ?? work();

/** Runs work outside the current request: without its deadline and its fairness key. */
export const runDetached = <T>(work: () => T): T => contexts.run(undefined, work);

/** Runs work as part of a request. */
export const forRequest = <T>(work: () => T, context = new RequestContext()): T =>
  contexts.run(context, work);
