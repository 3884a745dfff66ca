import { readFileSync } from 'node:fs';

/** The unit in which Linux counts processor time for programs. */
const TICK_MS = 10;

/** Milliseconds of processor time in a line of `/proc/PID/stat`: its own, not that of its children. */
export function cpuIn(stat: string): number {
  // The name of the program stands in brackets and may have any character in it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The name of the program in the same line. */
export const nameIn = (stat: string): string =>
  stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));

/** The line of a process; undefined when there is none, or nobody tells. */
function statOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Processor time of each of these processes, in milliseconds. */
export class CpuTimes {
  private readonly times = new Map<number, number>();

  /** @param name of the program, where other processes may have got the numbers meanwhile */
  constructor(pids: readonly number[], name?: RegExp) {
    for (const pid of pids) {
      const stat = statOf(pid);
      if (stat && (!name || name.test(nameIn(stat)))) this.times.set(pid, cpuIn(stat));
    }
  }

  /** What all of them took between then and now; a new one counts from its start. NaN of none. */
  since(earlier: CpuTimes): number {
    if (this.times.size === 0) return NaN;
    return [...this.times].reduce(
      (sum, [pid, time]) => sum + time - (earlier.times.get(pid) ?? 0),
      0,
    );
  }
}
