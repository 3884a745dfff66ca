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
