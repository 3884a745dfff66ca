import { existsSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../bank-statements/limits.js';
import { withPrivateCopy } from './private-copy.js';
import { openTemporaryFolder } from './temporary-folder.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Its size has been looked at by then, and 200 MB are not copied. */
const GROWS_MS = 30;

describe('private copy', () => {
  const folders: string[] = [];

  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const left = (prefix: string, ageMs: number): string => {
    const folder = mkdtempSync(path.join(os.tmpdir(), prefix));
    folders.push(folder);
    writeFileSync(path.join(folder, 'copy'), 'text');
    const then = new Date(Date.now() - ageMs);
    utimesSync(folder, then, then);
    return folder;
  };

  it('is gone afterwards, and with it what a killed process left a day ago', async () => {
    const parent = path.relative(os.tmpdir(), await openTemporaryFolder());
    const killed = left(`${parent}/copy-`, DAY_MS + MINUTE_MS);
    const young = left(`${parent}/copy-`, DAY_MS - MINUTE_MS);
    const other = left('orders-test-', DAY_MS + MINUTE_MS);
    const own = await withPrivateCopy({ path: path.join(other, 'copy') }, async ({ file }) => {
      const copy = 'path' in file ? file.path : '';
      expect(existsSync(copy)).toBe(true);
      return copy;
    });
    expect([own, killed, young, other].map(existsSync)).toEqual([false, false, true, true]);
  });

  it('is given up when the file grows beyond its limit meanwhile', async () => {
    const file = path.join(left('orders-test-', 0), 'copy');
    truncateSync(file, LIMITS.fileBytes - 1);
    const copying = withPrivateCopy({ path: file }, () => Promise.resolve('read'));
    const refused = expect(copying).rejects.toThrow('larger than 200 MB');
    await setTimeout(GROWS_MS);
    truncateSync(file, 4 * LIMITS.fileBytes);
    await refused;
  });
});
