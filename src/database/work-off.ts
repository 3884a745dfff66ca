import { Logger } from '@nestjs/common';

/** Rows that one statement deletes at most: far from the time that a statement may take. */
const BATCH = 1_000;
/** One run goes on for so long: a job that lasts a minute counts as dead. */
const RUN_MS = 10_000;

const logger = new Logger('backlog');

/**
 * Works batch by batch until nothing is left, however much came since the last run, or until the
 * time of a run is over: then it says so, and the next run goes on.
 * @returns whether nothing is left
 * @param work does so many rows at most, and returns how many; 0 also when none of them could be done
 */
export async function workOff(
  what: string,
  work: (limit: number) => Promise<number>,
): Promise<boolean> {
  const end = performance.now() + RUN_MS;
  while ((await work(BATCH)) > 0) {
    if (performance.now() < end) continue;
    logger.warn({ what }, 'more to do than one run manages');
    return false;
  }
  return true;
}
