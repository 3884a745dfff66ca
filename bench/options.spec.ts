import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.js';

describe('options of the bench', () => {
  const rows = (args: string[], env: Record<string, string> = {}) =>
    readOptions(args, env).courses.map(({ wanted }) => wanted.rows);

  it('measure everything on both databases', () => {
    const { courses } = readOptions([], {});
    expect(courses.map(({ database }) => database)).toEqual(['postgres', 'embedded']);
    expect(courses[0]!.connections).toEqual([1, 16, 64, 256]);
    expect(courses[0]!.works.length).toBeGreaterThan(12);
  });

  it('are less when little time is there', () => {
    const { courses } = readOptions(['--quick'], {});
    expect(courses[0]!.connections).toEqual([16, 64]);
    expect(courses[0]!.works.every(({ isMain }) => isMain)).toBe(true);
    expect(rows(['--quick'])[0]).toBeLessThan(rows([])[0]!);
  });

  it('say how many orders are there', () => {
    expect(rows(['--on', 'postgres'], { BENCH_ROWS: '10_000_000' })).toEqual([10_000_000]);
    expect(rows(['--grow'])).toEqual([1_000_000]);
  });

  it('name works without their commas', () => {
    const { courses } = readOptions(['--works', 'create,history first page'], {});
    expect(courses[0]!.works.map(({ name }) => name)).toEqual(['create', 'history, first page']);
  });

  it.each([
    [['--works', 'dance'], 'there is no work dance'],
    [['--on', 'sqlite'], '--on takes'],
    [['--rounds', '0'], '--rounds must be'],
  ])('refuse %j', (args, words) => {
    expect(() => readOptions(args, {})).toThrow(words);
  });
});
