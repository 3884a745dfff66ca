import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work before yielding to the event loop. */
const TURN_MS = 2;

/** Yields to the event loop within long work of many short steps. */
export class LoopTurns {
  private since = performance.now();

  /** Call between two steps. */
  async pause(): Promise<void> {
    if (performance.now() - this.since < TURN_MS) return;
    await setImmediate();
    this.since = performance.now();
  }
}

/** Maps items, yielding to the event loop in between. */
export async function eachInTurn<T, R>(all: readonly T[], work: (one: T) => R): Promise<R[]> {
  const turns = new LoopTurns();
  const done: R[] = [];
  for (const one of all) {
    done.push(work(one));
    await turns.pause();
  }
  return done;
}

/** Filters items, yielding to the event loop in between. */
export async function filteredInTurn<T>(
  all: readonly T[],
  isWanted: (one: T) => boolean,
): Promise<T[]> {
  const wanted = await eachInTurn(all, isWanted);
  return all.filter((_, at) => wanted[at]);
}
