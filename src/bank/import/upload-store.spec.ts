import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SystemClock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import type { Config } from '../../config/config.js';
import type { DatabaseLocation } from '../../config/database-location.js';
import { temporaryFolder } from './temporary-folder.js';
import { type Upload, UploadStore } from './upload-store.js';

/** Files of others that may wait at once. */
const OTHERS_MAX = 20;
const SERVER = 'postgres://shop:secret@db.example:5432/orders';

let host: string;

beforeEach(() => {
  host = mkdtempSync(path.join(os.tmpdir(), 'uploads-'));
  jest.spyOn(os, 'tmpdir').mockReturnValue(host);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(host, { recursive: true });
});

const server = (url: string): DatabaseLocation => ({ kind: 'postgres', url, isPooled: false });

const storeOf = (database: DatabaseLocation): UploadStore =>
  new UploadStore(new SystemClock(), { database } as Config);

async function* bytes() {
  yield Buffer.from('a statement');
}

/** A file of somebody new. */
async function bring(store: UploadStore): Promise<Upload> {
  const owner = uuidv7(Date.now());
  const about = { owner, mode: 'test', name: 'a.sta', profile: null, account: null } as const;
  const upload = await store.keep(about, bytes());
  await store.note(upload);
  return upload;
}

const foundBy = async (store: UploadStore, { owner, mode, id }: Upload) =>
  (await store.find(owner, mode, id))?.id ?? null;

describe(UploadStore.name, () => {
  it('is one for all processes of a database, whoever they sign in as', async () => {
    const upload = await bring(storeOf(server(SERVER)));
    const beside = storeOf(server('postgres://worker:other@db.example:5432/orders'));
    expect(await foundBy(beside, upload)).toBe(upload.id);
  });

  it.each<[string, DatabaseLocation]>([
    ['another database', server('postgres://shop:secret@db.example:5432/others')],
    ['another server', server('postgres://shop:secret@db2.example:5432/orders')],
    ['a server behind a socket', server('postgres:///orders?host=/run/postgresql')],
    ['a folder', { kind: 'folder', path: '/srv/data' }],
    ['a memory', { kind: 'memory' }],
  ])('is another one for %s, which it does not hold up', async (_, location) => {
    const [store, other] = [storeOf(server(SERVER)), storeOf(location)];
    for (let n = 0; n < OTHERS_MAX; n++) await bring(store);
    const full = 'Too many files wait already';
    await expect(bring(store)).rejects.toThrow(full);
    const upload = await bring(other);
    expect(await foundBy(other, upload)).toBe(upload.id);
    expect(await foundBy(store, upload)).toBeNull();
  });

  it('keeps five of a user who uploads many at once, and those of others', async () => {
    const store = storeOf(server(SERVER));
    const owner = uuidv7(Date.now());
    const about = { owner, mode: 'test', name: 'a.sta', profile: null, account: null } as const;
    const gate = Promise.withResolvers<undefined>();
    let parts = 0;
    async function* slowly() {
      await gate.promise;
      for (let part = 0; part < 50; part++, parts++) yield* bytes();
    }
    const uploads = Array.from({ length: OTHERS_MAX + 5 }, () => store.keep(about, slowly()));
    const ended = Promise.allSettled(uploads);
    const other = await bring(store);
    gate.resolve(undefined);
    const kept = (await ended).filter(({ status }) => status === 'fulfilled');
    expect(kept).toHaveLength(5);
    // The others are not read on.
    expect(parts).toBe(5 * 50);
    expect(await foundBy(store, other)).toBe(other.id);
    expect(await foundBy(store, await bring(store))).not.toBeNull();
  });

  it('leaves nothing where the database was in memory', async () => {
    const [gone, kept] = [storeOf({ kind: 'memory' }), storeOf(server(SERVER))];
    await Promise.all([bring(gone), bring(kept)]);
    await Promise.all([gone.onApplicationShutdown(), kept.onApplicationShutdown()]);
    expect(readdirSync(temporaryFolder())).toHaveLength(1);
  });

  it.each([
    ['is open to others', (folder: string) => chmodSync(folder, 0o777)],
    [
      'leads to another one',
      (folder: string) => {
        const elsewhere = path.join(host, 'elsewhere');
        mkdirSync(elsewhere);
        rmSync(folder, { recursive: true });
        symlinkSync(elsewhere, folder);
      },
    ],
  ])('keeps nothing in a folder that %s', async (_, spoil) => {
    const store = storeOf(server(SERVER));
    await bring(store);
    const folder = path.join(temporaryFolder(), readdirSync(temporaryFolder())[0]!);
    spoil(folder);
    await expect(bring(store)).rejects.toThrow(new RegExp(`No file can be kept. .*${folder}`));
  });

  it('gives memory back behind a large file, before it is looked into', async () => {
    const gc = jest.fn();
    Object.defineProperty(globalThis, 'gc', { value: gc, configurable: true });
    async function* large() {
      for (let n = 0; n < 33; n++) yield Buffer.alloc(1_000_000);
    }
    const about = { owner: 'o', mode: 'test', name: 'a', profile: null, account: null } as const;
    try {
      await storeOf(server(SERVER)).keep(about, bytes());
      expect(gc).not.toHaveBeenCalled();
      await storeOf(server(SERVER)).keep(about, large());
      expect(gc).toHaveBeenCalledTimes(1);
    } finally {
      Reflect.deleteProperty(globalThis, 'gc');
    }
  });
});
