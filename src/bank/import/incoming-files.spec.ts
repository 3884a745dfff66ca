import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { incomingFiles, NAMES_MAX } from './incoming-files.js';

const FILES_MAX = 1_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'incoming-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lay = (name: string): void => writeFileSync(path.join(folder, name), '');
const found = async () => {
  const { files, isCrowded } = await incomingFiles(folder);
  return { names: files.map(({ name }) => name), isCrowded };
};

describe(incomingFiles.name, () => {
  it('finds finished files in the order of their names', async () => {
    for (const name of ['d', 'a', 'ö', '.hidden', 'c.part', 'b']) lay(name);
    mkdirSync(path.join(folder, 'folder'));
    expect(await found()).toEqual({ names: ['a', 'b', 'd', 'ö'], isCrowded: false });
  });

  it('stops at 10,000 names, whichever these are', async () => {
    const count = NAMES_MAX + FILES_MAX;
    const all = Array.from({ length: count }, (_, n) => String(n).padStart(5, '0'));
    // In no order, so that the last ones of a folder are not the last ones by name in any file system.
    for (let n = 0; n < count; n++) lay(all[(n * 7_919) % count]!);
    const { names, isCrowded } = await found();
    expect([names.length, isCrowded]).toEqual([FILES_MAX, true]);
    expect(names).toEqual(names.toSorted());
    expect(names).not.toEqual(all.slice(0, FILES_MAX));
  });
});
