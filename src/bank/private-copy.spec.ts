import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { withPrivateCopy } from './private-copy.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

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
    const killed = left('bank-file-', DAY_MS + MINUTE_MS);
    const young = left('bank-file-', DAY_MS - MINUTE_MS);
    const other = left('orders-test-', DAY_MS + MINUTE_MS);
    const own = await withPrivateCopy({ path: path.join(other, 'copy') }, async ({ file }) => {
      const copy = 'path' in file ? file.path : '';
      expect(existsSync(copy)).toBe(true);
      return copy;
    });
    expect([own, killed, young, other].map(existsSync)).toEqual([false, false, true, true]);
  });
});
