import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Milliseconds that all statements of one request may take together, waiting included. */
export const REQUEST_BUDGET_MS = 10_000;

/** Time that is spent while at least one piece of work goes on. */
export class TimeBudget {
  private running = 0;
  private since = 0;

  /** Its holder is only the network that it came from. */
  isStrangers: boolean;

  /** @param whose request it is; found out when somebody wants to know */
  constructor(
    private budgetMs: number,
    private whose?: string | (() => string),
  ) {
    this.isStrangers = whose !== undefined;
  }

  get holder(): string | undefined {
    if (typeof this.whose === 'function') this.whose = this.whose();
    return this.whose;
  }

  /** A guard has found out whose it is. */
  holdFor(name: string): void {
    this.whose = name;
    this.isStrangers = false;
  }

  get leftMs(): number {
    return this.running > 0 ? this.budgetMs - (performance.now() - this.since) : this.budgetMs;
  }

  async spend<T>(work: () => Promise<T>): Promise<T> {
    if (this.running++ === 0) this.since = performance.now();
    try {
      return await work();
    } finally {
      const left = this.leftMs;
      if (--this.running === 0) this.budgetMs = left;
    }
  }

  /** What still goes on is no longer the request's. */
  end(): void {
    this.budgetMs = Infinity;
  }
}

const BUDGET = Symbol('budget');

interface BudgetedRequest extends FastifyRequest {
  [BUDGET]?: TimeBudget | null;
}

const budgets = new AsyncLocalStorage<TimeBudget | undefined>();

/** Milliseconds; without end for background work. */
export const leftMs = (): number => budgets.getStore()?.leftMs ?? Infinity;

/** Whether somebody waits for the answer, who can be sent away. */
export const isForRequest = (): boolean => leftMs() !== Infinity;

/** Whose work goes on: a merchant, a user or a network; of nobody in the background. */
export const holder = (): string | undefined => budgets.getStore()?.holder;

/** Whether nobody has found out yet whose work it is, beyond where it came from. */
export const isStrangers = (): boolean => budgets.getStore()?.isStrangers ?? false;

/** The request's work from now on is this one's, as its guard has found out. */
export const holdFor = (name: string): void => budgets.getStore()?.holdFor(name);

/** Counts the time of the work as spent by the request that it is for. */
export const spend = <T>(work: () => Promise<T>): Promise<T> =>
  budgets.getStore()?.spend(work) ?? work();

/** Work that goes on whatever becomes of the request that began it, and is not its own: for everybody. */
export const outsideRequest = <T>(work: () => T): T => budgets.run(undefined, work);

/** Work that a request asked for, with all its time before it. */
export const forRequest = <T>(work: () => T, budget = new TimeBudget(REQUEST_BUDGET_MS)): T =>
  budgets.run(budget, work);

/**
 * Every request gets a budget; in time for its guard, and after the last read of its body.
 * @param holderOf whose a request is until its guard knows better
 */
export function useTimeBudget(
  fastify: FastifyInstance,
  holderOf: (request: FastifyRequest) => string,
): void {
  fastify.decorateRequest(BUDGET, null);
  fastify.addHook('preValidation', (request: BudgetedRequest, _reply, done) => {
    request[BUDGET] = new TimeBudget(REQUEST_BUDGET_MS, () => holderOf(request));
    forRequest(done, request[BUDGET]);
  });
  fastify.addHook('onResponse', (request: BudgetedRequest, _reply, done) => {
    request[BUDGET]?.end();
    done();
  });
}
