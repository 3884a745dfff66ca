import { median } from './figures/statistics.js';
import { Meter, type Reading } from './figures/meter.js';
import type { Load } from './load/load.js';
import type { Furnished, Work } from './works/work.js';

/** Who is measured, and against whom. */
export interface Rivals {
  readonly measured: Furnished;
  readonly yardstick: Furnished;
}

export interface Pace {
  readonly rounds: number;
  /** Of each rush. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** Medians of the rounds of one side. */
export type Summary = { readonly [figure in keyof Reading]: number };

export interface Result {
  readonly work: string;
  readonly connections: number;
  readonly measured: Summary;
  readonly yardstick: Summary;
  /** The yardstick's rounds against those beside them: middle, least and most. */
  readonly ratio: { readonly median: number; readonly least: number; readonly most: number };
}

/** More requests than anybody answers in a second on one core. */
const PER_SECOND_MAX = 12_000;

/** One side does the work for so many seconds. */
async function doWork(
  load: Load,
  furnished: Furnished,
  work: Work,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Reading> {
  const { side } = furnished;
  const count = Math.ceil(seconds * PER_SECOND_MAX) + connections;
  const { requests, circular, finish } = await work.errand(furnished, count);
  const meter = await Meter.start(side);
  const { expected } = work;
  const plan = { port: side.port, connections, seconds, requests, circular, expected };
  const rush = await load.rush(plan).catch((error: Error) => {
    throw new Error(`${work.name}, ${connections} at once, ${side.kind.name}: ${error.message}`);
  });
  const answered = performance.now();
  await finish?.(rush.requests);
  const after = (performance.now() - answered) / 1_000;
  return meter.read({ ...rush, seconds: rush.seconds + after });
}

/** The rivals take turns, so that what else the machine does strikes them alike. */
export async function contest(
  load: Load,
  { measured, yardstick }: Rivals,
  work: Work,
  { rounds, seconds }: Pace,
  connections: number,
): Promise<Result> {
  const sides = [measured, yardstick];
  const readings = new Map<Furnished, Reading[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 ? sides.toReversed() : sides)
      readings.get(side)!.push(await doWork(load, side, work, { connections, seconds }));
  }
  const [own, other] = [readings.get(measured)!, readings.get(yardstick)!];
  const ratios = own.map(({ perSecond }, i) => perSecond / other[i]!.perSecond);
  return {
    work: work.name,
    connections,
    measured: summaryOf(own),
    yardstick: summaryOf(other),
    ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
  };
}

/** Before the first contest of a work: code is compiled and pages are read by then. */
export async function warmUp(
  load: Load,
  { measured, yardstick }: Rivals,
  work: Work,
  { warmUpSeconds: seconds }: Pace,
  connections: number,
): Promise<void> {
  for (const side of [measured, yardstick])
    await doWork(load, side, work, { connections, seconds });
}

function summaryOf(readings: readonly Reading[]): Summary {
  const figures = Object.keys(readings[0]!) as (keyof Reading)[];
  const medians = figures.map((name) => [name, median(readings.map((each) => each[name]))]);
  return Object.fromEntries(medians) as Summary;
}
