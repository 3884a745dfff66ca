const TIMES = 3;

/** Milliseconds of the fastest of three runs, as the machine has other work. */
export function fastestOf(run: () => void): number {
  const times = Array.from({ length: TIMES }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** As `fastestOf`, for runs that wait; one after the other. */
export async function fastestOfWaits(run: () => Promise<unknown>): Promise<number> {
  let fastest = Infinity;
  for (let time = 0; time < TIMES; time++) {
    const start = performance.now();
    await run();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}
