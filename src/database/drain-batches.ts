import { Logger } from '@nestjs/common';

/** Rows per statement, well within the statement timeout. */
const BATCH = 1_000;
/** Maximum duration of a run: a job that lasts a minute is considered dead. */
const RUN_MS = 10_000;

const logger = new Logger('backlog');

/**
 * Processes batches until nothing is left or the time of a run is over; then it logs a warning, and the next run
 * continues.
 * @returns whether nothing is left
 * @param work processes up to `limit` rows and returns their number; 0 also when no row could be processed
 */
export async function drainBatches(
  what: string,
  work: (limit: number) => Promise<number>,
): Promise<boolean> {
  const end = performance.now() + RUN_MS;
  while ((await work(BATCH)) > 0) {
    if (performance.now() < end) continue;
    logger.warn({ what }, 'backlog remains after a run');
    return false;
  }
  return true;
}
