import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which work that is long lets everybody else go on. */
const TURN_MS = 2;

/** Ends turns of the event loop within work that is made of many short steps. */
export class LoopTurns {
  private since = performance.now();

  /** To be called between two steps. */
  async pause(): Promise<void> {
    if (performance.now() - this.since < TURN_MS) return;
    await setImmediate();
    this.since = performance.now();
  }
}

/** Does the same with each of many, and lets others go on between two of them. */
export async function eachInTurn<T, R>(all: readonly T[], work: (one: T) => R): Promise<R[]> {
  const turns = new LoopTurns();
  const done: R[] = [];
  for (const one of all) {
    done.push(work(one));
    await turns.pause();
  }
  return done;
}
