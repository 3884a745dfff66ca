import { setTimeout as sleep } from 'node:timers/promises';

/** Every race is run so often: a window of some microseconds is hit at least once. */
export const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 50);
/** Requests that are under way at the same moment. */
export const CALLERS = 20;

/** Rounds of the test that kills the service: more of them on a machine that has the time. */
export const CRASH_ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 5);

const PAUSE_MS = 25;
/** Seconds that `until` waits: a busy machine takes its time, and what is true is seen at once. */
const TIMEOUT_S = 20;

/** Makes the calls at once and waits for all answers. */
export const together = <T>(
  call: (n: number) => Promise<T>,
  callers: number = CALLERS,
): Promise<T[]> => Promise.all(Array.from({ length: callers }, (_, n) => call(n)));

/** Runs the race again and again; each round is told its number. */
export async function rounds(race: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await race(round);
}

/**
 * Keeps a race between two sides even on every machine: the side that wins starts later the next
 * time, and the more so the more often it wins in a row.
 */
export class Handicap<Side extends string> {
  readonly wins: Record<Side, number>;
  /** Milliseconds that the first side waits; the second does when it is negative. */
  private ms = 0;
  private step = 1;
  private last: Side | undefined;

  constructor(private readonly sides: readonly [Side, Side]) {
    this.wins = Object.fromEntries(sides.map((side) => [side, 0])) as Record<Side, number>;
  }

  async start(side: Side): Promise<void> {
    const ms = side === this.sides[0] ? this.ms : -this.ms;
    if (ms > 0) await sleep(ms);
  }

  won(side: Side): void {
    this.wins[side]++;
    this.step = side === this.last ? this.step * 2 : 1;
    this.ms += side === this.sides[0] ? this.step : -this.step;
    this.last = side;
  }
}

/** Rounds after which each side has won on any machine. */
const ROUNDS_FOR_BOTH = 50;

/**
 * After few rounds one side may have won all.
 * @throws Error when it has after many: then there was no race
 */
export function expectBothWon(wins: Readonly<Record<string, number>>): void {
  const hasLost = ROUNDS >= ROUNDS_FOR_BOTH && Object.values(wins).includes(0);
  if (hasLost) throw new Error(`One side has never won: ${JSON.stringify(wins)}`);
}

/** How often each value occurs, such as `{ 200: 19, 201: 1 }`. */
export function tally(values: Iterable<string | number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Asks until the answer is yes, for so many seconds at most. */
export async function until(
  what: string,
  ask: () => Promise<boolean>,
  seconds = TIMEOUT_S,
): Promise<void> {
  for (let ms = 0; ms < 1_000 * seconds; ms += PAUSE_MS) {
    if (await ask()) return;
    await sleep(PAUSE_MS);
  }
  throw new Error(`still not true: ${what}`);
}
