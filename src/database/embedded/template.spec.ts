import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { emptyDatabase, templateFiles } from './template.js';

let folder: string;
let made: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'template-'));
  made = 0;
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const make = async (): Promise<Blob> => new Blob([`database ${++made}`]);

describe(templateFiles.name, () => {
  it('names a file for each version of PGlite, with the build and, failing that, elsewhere', async () => {
    const [built, spare] = await templateFiles('/somewhere/dist');
    expect(built).toMatch(/^\/somewhere\/dist\/pglite-\d+\.\d+\.\d+\.tar$/);
    expect(path.dirname(spare ?? '')).toBe(os.tmpdir());
    const own = path.resolve(import.meta.dirname, '../../..');
    expect(path.dirname((await templateFiles())[0] ?? '')).toBe(own);
  });
});

describe('emptyDatabase', () => {
  it('is made once and then read from the first place that could be written', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    const places = [path.join(folder, 'file', 'a.tar'), path.join(folder, 'cache', 'b.tar')];
    await emptyDatabase(places, make);
    expect(await (await emptyDatabase(places, make)).text()).toBe('database 1');
    expect(made).toBe(1);
  });

  it('is whole when several make it at the same time', async () => {
    const place = path.join(folder, 'cache', 'a.tar');
    await Promise.all(Array.from({ length: 5 }, () => emptyDatabase([place], make)));
    expect(await (await emptyDatabase([place], make)).text()).toMatch(/^database [1-5]$/);
    expect(readdirSync(path.dirname(place))).toEqual(['a.tar']);
  });

  it('is handed out even where no place can be written', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    const place = path.join(folder, 'file', 'a.tar');
    expect(await (await emptyDatabase([place], make)).text()).toBe('database 1');
  });

  it('is not taken from a file that another user could have changed', async () => {
    const place = path.join(folder, 'a.tar');
    writeFileSync(place, 'planted');
    chmodSync(place, 0o666);
    expect(await (await emptyDatabase([place], make)).text()).toBe('database 1');
  });
});
