import { Clock } from '../../src/common/time/clock.js';

/** Stands still until told otherwise. */
export class TestClock extends Clock {
  #ms: number;

  constructor(start: Date = new Date('2026-01-01T00:00:00.000Z')) {
    super();
    this.#ms = start.getTime();
  }

  now(): Date {
    return new Date(this.#ms);
  }

  advance(ms: number): void {
    this.#ms += ms;
  }

  set(date: Date): void {
    this.#ms = date.getTime();
  }
}
