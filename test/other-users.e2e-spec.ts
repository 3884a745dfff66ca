import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { withPrivateCopy } from '../src/bank/import/private-copy.js';
import { openTemporaryFolder } from '../src/bank/import/temporary-folder.js';
import { UploadStore } from '../src/bank/import/upload-store.js';
import { SystemClock } from '../src/common/time/clock.js';
import { FolderNotPrivateError, privateFolder } from '../src/common/private-folder.js';
import type { Config } from '../src/config/config.js';
import { EmbeddedDatabase } from '../src/database/embedded/embedded-database.js';
import { freePort } from './support/app.js';
import { itAsRoot, NOBODY, openToNobody } from './support/other-user.js';
import { Program, removeFolder } from './support/program.js';

const LOG = { LOG_LEVEL: 'error' };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'other-users-'));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  jest.restoreAllMocks();
  removeFolder(folder);
});

const at = (...names: string[]): string => path.join(folder, ...names);
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

function openFolder(...names: string[]): string {
  const made = at(...names);
  mkdirSync(made, { recursive: true });
  chmodSync(made, 0o777);
  return made;
}

/** Everything in a folder, and the folder. */
function placesIn(from: string): [string, string][] {
  const found = readdirSync(from, { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(from, name),
  );
  return [from, ...found].map((file) => {
    const stats = lstatSync(file);
    if (stats.isDirectory()) return ['folder', file];
    return [stats.isSocket() ? 'socket' : 'file', file];
  });
}

describe('other users of the host', () => {
  let program: Program | undefined;
  afterEach(() => program?.kill());

  async function started(env: Record<string, string>): Promise<void> {
    const port = String(await freePort());
    program = new Program('main.js', [], { PORT: port, ...LOG, ...env }, folder);
    await program.untilReady(`http://127.0.0.1:${port}`);
  }

  itAsRoot('reach nothing that the service writes, in folders that were open to all', async () => {
    openFolder('data');
    openFolder('data', 'mail');
    const tmp = openFolder('tmp');
    chmodSync(tmp, 0o1777);
    writeFileSync(at('open.txt'), '');
    chmodSync(at('open.txt'), 0o666);
    await started({ DATABASE_URL: 'file:./data', DEMO: '1', TMPDIR: tmp });
    const places = placesIn(at('data'));
    expect(places.length).toBeGreaterThan(500);
    expect(places.filter(([kind]) => kind === 'socket')).toHaveLength(1);
    expect(openToNobody([['file', at('open.txt')], ...places])).toEqual([
      `read ${at('open.txt')}`,
      `write ${at('open.txt')}`,
    ]);
    // Not even where the folder is opened again by mistake.
    for (const each of ['data', 'data/mail']) chmodSync(at(each), 0o755);
    const own = places.filter(([, file]) => /in-use\.lock|demo\.json|\.s\.PGSQL/.test(file));
    expect(own).toHaveLength(3);
    expect(openToNobody([...own, ['folder', at('data', 'pgdata')]])).toEqual([]);
  });

  it('have no code of theirs run by the build, from the cache of compiled code', () => {
    const code = `import { run } from './scripts/build.js';
      await run('node_modules/typescript/bin/tsc', '--version');`;
    const { NODE_DISABLE_COMPILE_CACHE: _, ...own } = process.env;
    const env = { ...own, TMPDIR: folder };
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { env });
    expect([status, readdirSync(folder)]).toEqual([0, []]);
  });

  itAsRoot('do not read the passwords in .env, and set none', async () => {
    writeFileSync(at('.env'), 'PORT=none\n');
    chmodSync(at('.env'), 0o644);
    const doctor = () => new Program('cli/cli.js', ['doctor'], LOG, folder).result;
    expect(await doctor()).toMatchObject({ code: 1, err: expect.stringContaining('PORT must be') });
    expect(statSync(at('.env')).mode & 0o777).toBe(0o600);
    chownSync(at('.env'), NOBODY, NOBODY);
    const err = expect.stringContaining('.env belongs to another user of this host');
    expect(await doctor()).toMatchObject({ code: 1, err });
  });

  itAsRoot('keep the service from starting in a folder of theirs, with one sentence', async () => {
    chownSync(openFolder('data'), NOBODY, NOBODY);
    const env = { ...LOG, DATABASE_URL: 'file:./data', PORT: String(await freePort()) };
    for (const file of ['main.js', 'cli/cli.js']) {
      program = new Program(file, ['doctor'], env, folder);
      const { code, err } = await program.result;
      expect(code).toBe(1);
      expect(err).toMatch(/^\/.+\/data belongs to another user of this host \(uid 65534\).+\n$/);
    }
    expect(readdirSync(at('data'))).toEqual([]);
  });

  itAsRoot('keep it from filing mails in a folder of theirs', async () => {
    chownSync(openFolder('mails'), NOBODY, NOBODY);
    program = new Program(
      'main.js',
      [],
      { ...LOG, DATABASE_URL: 'memory:', MAIL_FOLDER: at('mails') },
      folder,
    );
    const { code, err } = await program.result;
    expect([code, err]).toEqual([1, expect.stringContaining('mails belongs to another user')]);
  });
});

describe('a private folder', () => {
  it('is made, and made private where it is open', async () => {
    expect(await privateFolder(at('new', 'below'))).toBe(false);
    expect([modeOf(at('new')), modeOf(at('new', 'below'))]).toEqual(['700', '700']);
    for (const mode of [0o777, 0o750, 0o701]) {
      chmodSync(at('new'), mode);
      expect(await privateFolder(at('new'))).toBe(true);
      expect([modeOf(at('new')), await privateFolder(at('new'))]).toEqual(['700', false]);
    }
  });

  it('is no file and no link, unless links are followed', async () => {
    writeFileSync(at('file'), '');
    await expect(privateFolder(at('file'))).rejects.toThrow(`${at('file')} is no folder.`);
    openFolder('real');
    symlinkSync('real', at('link'));
    await expect(privateFolder(at('link'))).rejects.toThrow('is a link, and no folder');
    expect(modeOf(at('real'))).toBe('777');
    expect(await privateFolder(at('link'), { followLinks: true })).toBe(true);
    expect(modeOf(at('real'))).toBe('700');
  });

  it('is refused where others may have written and that matters', async () => {
    const options = { refuseWritable: true };
    openFolder('open');
    await expect(privateFolder(at('open'), options)).rejects.toThrow('remove it');
    chmodSync(at('open'), 0o755);
    expect(await privateFolder(at('open'), options)).toBe(true);
  });

  itAsRoot('is not behind a link of somebody else', async () => {
    openFolder('real');
    symlinkSync('real', at('link'));
    lchownSync(at('link'), NOBODY, NOBODY);
    const opened = privateFolder(at('link'), { followLinks: true });
    await expect(opened).rejects.toThrow(FolderNotPrivateError);
  });

  itAsRoot.each(['pgdata/base', 'in-use.lock', '.s.PGSQL.5432', 'unfinished'])(
    'of a database is refused with what another user left in it: %s',
    async (name) => {
      const location = { kind: 'folder', path: at('data') } as const;
      await (await EmbeddedDatabase.open(location)).close();
      const planted = at('data', name);
      if (!existsSync(planted)) writeFileSync(planted, '');
      chownSync(planted, NOBODY, NOBODY);
      await expect(EmbeddedDatabase.open(location)).rejects.toThrow('may have changed the data');
      chownSync(planted, 0, 0);
      if (name.startsWith('pg')) await (await EmbeddedDatabase.open(location)).close();
    },
    60_000,
  );
});

const HOUR_MS = 3_600_000;

describe('files that are not kept', () => {
  let tmp: string;

  beforeEach(() => {
    tmp = openFolder('tmp');
    chmodSync(tmp, 0o1777);
    jest.spyOn(os, 'tmpdir').mockReturnValue(tmp);
    writeFileSync(at('statement.xml'), 'text');
  });

  const copy = () => withPrivateCopy({ path: at('statement.xml') }, async ({ file }) => file);
  const store = () =>
    new UploadStore(new SystemClock(), {
      database: { kind: 'folder', path: at('data') },
    } as Config);

  function left(place: string, hours: number): string {
    mkdirSync(place, { mode: 0o700, recursive: true });
    writeFileSync(path.join(place, 'copy'), 'text');
    const then = new Date(Date.now() - hours * HOUR_MS);
    utimesSync(place, then, then);
    return place;
  }

  it('are cleared a day later, also those of databases that are gone', async () => {
    const parent = await openTemporaryFolder();
    const all = ['copy-x', 'uploads-0123456789abcdef'].map((name) => path.join(parent, name));
    for (const place of all) left(place, 23);
    await copy();
    expect(all.map(existsSync)).toEqual([true, true]);
    for (const place of all) left(place, 25);
    await copy();
    expect(readdirSync(parent)).toEqual([]);
  });

  const about = { owner: 'o', mode: 'test', name: 'a', profile: null, account: null } as const;
  async function* bytes() {
    yield Buffer.from('text');
  }

  // A folder that can be listed takes time and memory for each file that others make in it.
  itAsRoot('are kept and cleared in a folder that the service may not list', async () => {
    chmodSync(tmp, 0o1733);
    process.seteuid!(NOBODY);
    try {
      expect(() => readdirSync(tmp)).toThrow('permission denied');
      await copy();
      const upload = await store().keep(about, bytes());
      expect(await store().find('o', 'test', upload.id)).toMatchObject({ id: upload.id });
    } finally {
      process.seteuid!(0);
    }
  });

  itAsRoot('are not kept in a folder that another user made before', async () => {
    const parent = await openTemporaryFolder();
    chownSync(parent, NOBODY, NOBODY);
    await expect(copy()).rejects.toThrow('belongs to another user');
    const keep = store().keep(about, bytes());
    await expect(keep).rejects.toThrow(/^No file can be kept\. .+ belongs to another user/);
    await expect(store().find('o', 'test', 'id')).rejects.toThrow('belongs to another user');
    expect(readdirSync(parent)).toEqual([]);
  });

  it('are not kept where others can rename them', async () => {
    for (const [mode, works] of [
      [0o777, false],
      [0o775, false],
      [0o755, true],
      [0o1777, true],
    ] as const) {
      chmodSync(tmp, mode);
      if (works) await copy();
      else await expect(copy()).rejects.toThrow('set TMPDIR to a folder of your own');
    }
  });
});
