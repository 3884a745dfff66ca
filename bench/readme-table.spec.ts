import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Result } from './contest.js';
import { readmeTable, withTable } from './readme-table.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TABLE = { head: ['Work', 'requests/s'], rows: [['read', '1']] };

const result = (work: string, connections: number, perSecond: number): Result => {
  const other = { p50Ms: 1, p99Ms: 2, nodeUs: 3, postgresUs: 4, walBytes: 5, generatorShare: 0.1 };
  const summary = { perSecond, ...other };
  const ratio = { median: 0.5, least: 0.4, most: 0.6 };
  return { work, connections, measured: summary, yardstick: summary, ratio };
};

describe('the table of the README', () => {
  it('has the works that matter most, at the same number of connections', () => {
    const results = [result('read', 1, 10), result('read', 64, 64), result('read', 16, 1_600)];
    const chapter = { title: '', measured: 'service', yardstick: 'twin', failed: [] };
    const { rows } = readmeTable({ ...chapter, results: [...results, result('cancel', 16, 1)] });
    expect(rows.map((row) => row.slice(0, 2))).toEqual([['read', '1,600']]);
    expect(rows[0]!.at(-1)).toContain('--connections 16 --works "read"');
  });

  it('has a place in it', () => {
    const page = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
    const written = withTable(page, 'Today.', TABLE);
    expect(written).toContain('Today.\n\n| Work |');
    expect(written).toContain('| read |          1 |');
    expect(withTable(written, 'Today.', TABLE)).toBe(written);
    expect(() => withTable('# Other', 'Today.', TABLE)).toThrow('no place');
  });
});
