import { describe, expect, it } from '@jest/globals';
import { CpuTimes, cpuIn, nameIn } from './processes.js';

const LINE =
  '4711 (a ) b (c) S 1 4711 4711 0 -1 4194560 1000 0 0 0 250 75 9999 9999 20 0 11 0 12345 1000000';

describe('processes', () => {
  it('have their time in the fields after a name that may hold anything', () => {
    expect(nameIn(LINE)).toBe('a ) b (c');
    expect(cpuIn(LINE)).toBe(3_250);
  });

  it('count what they did since', () => {
    const before = new CpuTimes([process.pid]);
    const end = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < end) Math.random();
    const took = new CpuTimes([process.pid]).since(before);
    // Where there is no /proc, nobody tells.
    if (process.platform === 'linux') expect(took).toBeGreaterThanOrEqual(30);
    else expect(took).toBeNaN();
  });

  it('are not counted under another name, or when they are gone', () => {
    const others = new CpuTimes([process.pid, 999_999_999], /^postgres$/);
    expect(others.since(new CpuTimes([]))).toBeNaN();
  });
});
