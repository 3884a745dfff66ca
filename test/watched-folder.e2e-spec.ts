import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { WatchedFolder } from '../src/bank/import/watched-folder.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { TestApp } from './support/app.js';
import { camtFile } from './support/bank-file.js';
import { itAsRoot, NOBODY } from './support/other-user.js';
import { removeFolder, temporaryFolder } from './support/program.js';

/** An account of each test. */
let account = '';
let tests = 0;
const statement = (id: string, amount: number): string =>
  camtFile('053', { account, id, day: '2025-11-20', entries: [{ amount, e2e: id }] });

describe('the folder for statements', () => {
  const folder = temporaryFolder();
  let app: TestApp;
  /** Lines of the log before the test. */
  let logged = 0;

  beforeAll(async () => {
    app = await TestApp.start({ env: { STATEMENT_FOLDER: folder, STATEMENT_FOLDER_MODE: 'test' } });
  });
  afterAll(async () => {
    await app.stop();
    removeFolder(folder);
  });
  beforeEach(async () => {
    account = `Account ${++tests}`;
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
    await app.get(WatchedFolder).look();
    logged = app.log.length;
  });
  const loggedNow = (event: string): number =>
    app.log.slice(logged).filter((line) => line.includes(event)).length;

  const lay = (name: string, text: string): void =>
    writeFileSync(path.join(folder, 'in', name), text);
  const at = (place: string): string[] => readdirSync(path.join(folder, place)).sort();
  const lines = async () => await app.get(BankLineRepository).list({ mode: 'test', account }, 100);
  /** As if the reader of a claimed file had gone a minute ago. */
  const abandon = (id: string): void => {
    const own = path.join(folder, '.claimed', id);
    const before = new Date(Date.now() - 61_000);
    for (const name of readdirSync(own))
      if (lstatSync(path.join(own, name)).isFile())
        utimesSync(path.join(own, name), before, before);
    utimesSync(own, before, before);
  };
  const look = async (times = 1): Promise<void> => {
    for (let n = 0; n < times; n++) await app.get(WatchedFolder).look();
  };

  it('brings complete files in, each once', async () => {
    lay('a.xml', statement('A', 100));
    await look();
    expect([at('in'), at('done')]).toEqual([['a.xml'], []]);
    lay('a.xml', statement('A', 100).replace('</Document>', ' </Document>'));
    await look();
    expect([at('in'), at('done')]).toEqual([['a.xml'], []]);
    await look();
    expect([at('in'), at('done'), at('.claimed')]).toEqual([[], ['a.xml'], []]);
    expect(await lines()).toMatchObject([{ amount: 100, account }]);
  });

  it('says why a file is refused, of which nothing is stored', async () => {
    lay('bad.xml', statement('A', 100).slice(0, -30));
    await look(2);
    expect(at('refused')).toEqual(['bad.xml', 'bad.xml.reason.txt']);
    const reason = readFileSync(path.join(folder, 'refused', 'bad.xml.reason.txt'), 'utf8');
    expect(reason).toMatch(/^The XML is broken at line .+\.\n$/);
    expect(await lines()).toEqual([]);
  });

  it('takes no files that are written, hidden, links or folders', async () => {
    const outside = path.join(folder, 'outside.xml');
    writeFileSync(outside, statement('X', 500));
    symlinkSync(outside, path.join(folder, 'in', 'link.xml'));
    mkdirSync(path.join(folder, 'in', 'folder.xml'));
    for (const name of ['.hidden.xml', 'a.xml.part', 'b.tmp']) lay(name, statement(name, 100));
    await look(3);
    expect(at('in')).toEqual(['.hidden.xml', 'a.xml.part', 'b.tmp', 'folder.xml', 'link.xml']);
    expect(await lines()).toEqual([]);
  });

  it('reads 10,000 names of a folder, says so once, and reads the others when some are gone', async () => {
    const hidden = Array.from({ length: 10_001 }, (_, n) => `.${n}`);
    for (const name of hidden) lay(name, '');
    await look(3);
    expect(loggedNow('bank.folder.crowded')).toBe(1);
    rmSync(path.join(folder, 'in', hidden[0]!));
    await look();
    lay('a.xml', statement('A', 100));
    await look();
    expect(loggedNow('bank.folder.crowded')).toBe(2);
    for (const name of hidden.slice(1)) rmSync(path.join(folder, 'in', name));
    await look(2);
    expect([at('in'), at('done')]).toEqual([[], ['a.xml']]);
  });

  it('reads files whose names are in the bytes of an old program', async () => {
    const layAs = (name: string, text: string): void =>
      writeFileSync(Buffer.from(path.join(folder, 'in', name), 'latin1'), text);
    layAs('Umsätze.xml', statement('A', 100));
    layAs(`${'ö'.repeat(250)}.xml`, 'nothing');
    await look(2);
    expect([at('in'), at('done'), at('.claimed')]).toEqual([[], ['Umsätze.xml'], []]);
    expect(at('refused')).toHaveLength(2);
    expect(at('refused')[0]).toMatch(/ö{56}\.xml$/);
    expect(await lines()).toMatchObject([{ amount: 100 }]);
  });

  it('reads a file again that is written before its turn, or while it is read', async () => {
    const imports = app.get(BankImportService);
    const bring = imports.import.bind(imports);
    const [first, second] = [statement('C', 300), statement('D', 400)];
    const late = (name: string, where: string) =>
      writeFileSync(path.join(folder, where, name), second);
    imports.import = async (file, options) => {
      const result = await bring(file, options);
      if (options.name === 'a.xml') late('b.xml', 'in');
      if (options.name === 'c.xml') late('c.xml', `.claimed/${at('.claimed')[0]}`);
      return result;
    };
    lay('a.xml', statement('A', 100));
    lay('b.xml', first);
    await look(2);
    expect([at('in'), at('done')]).toEqual([['b.xml'], ['a.xml']]);
    await look(2);
    expect(at('done')).toEqual(['a.xml', 'b.xml']);
    lay('c.xml', first);
    await look(2);
    expect([at('done'), at('.claimed')]).toMatchObject([['a.xml', 'b.xml'], { length: 1 }]);
    expect(loggedNow('bank.statement.changed')).toBe(1);
    imports.import = bring;
    abandon(at('.claimed')[0]!);
    await look();
    expect([at('done'), at('.claimed')]).toEqual([['a.xml', 'b.xml', 'c.xml'], []]);
    expect((await lines()).map(({ amount }) => amount).sort()).toEqual([100, 300, 400]);
  });

  it('keeps files of the same name apart', async () => {
    for (const id of ['A', 'B']) {
      lay('same.xml', statement(id, 100));
      await look(2);
    }
    expect(at('done')).toHaveLength(2);
    expect(await lines()).toHaveLength(2);
  });

  it('finds what a process that is gone had taken', async () => {
    const own = path.join(folder, '.claimed', 'another');
    mkdirSync(own);
    writeFileSync(path.join(own, 'a.xml'), statement('A', 100));
    await look();
    expect(await lines()).toEqual([]);
    abandon('another');
    await look();
    expect([at('.claimed'), at('done')]).toEqual([[], ['a.xml']]);
    expect(await lines()).toHaveLength(1);
  });

  it('brings in what comes after files that cannot be taken', async () => {
    const imports = app.get(BankImportService);
    const bring = imports.import.bind(imports);
    const brought: string[] = [];
    imports.import = (file, options) => {
      brought.push(options.name);
      if (options.name.startsWith('bad')) return Promise.reject(new Error('no room'));
      return bring(file, options);
    };
    for (const name of ['bad1.xml', 'bad2.xml', 'good.xml']) lay(name, statement(name, 100));
    await look(2);
    expect([at('in'), at('done'), at('.claimed')]).toMatchObject([[], ['good.xml'], { length: 2 }]);
    for (const id of at('.claimed')) abandon(id);
    lay('later.xml', statement('later', 200));
    await look();
    brought.length = 0;
    await look();
    // One of those is tried at a look, behind all others.
    expect(brought).toEqual(['later.xml', expect.stringContaining('bad')]);
    imports.import = bring;
    expect(at('done')).toEqual(['good.xml', 'later.xml']);
  });

  const BAD = statement('A', 100).slice(0, -30);
  const REASON = 'The XML is broken';
  const textOf = (...names: string[]): string => readFileSync(path.join(folder, ...names), 'utf8');

  it('writes a reason through no link, and over nothing that a bank has sent', async () => {
    const secret = path.join(folder, 'secret');
    writeFileSync(secret, 'untouched');
    symlinkSync(secret, path.join(folder, 'refused', 'b.xml.reason.txt'));
    symlinkSync('nowhere', path.join(folder, 'refused', 'c.xml.reason.txt'));
    writeFileSync(path.join(folder, 'refused', 'd.xml.reason.txt'), 'evidence');
    for (const name of ['a.xml.reason.txt', 'a.xml', 'b.xml', 'c.xml', 'd.xml']) {
      lay(name, BAD);
      await look(2);
    }
    expect(textOf('secret')).toBe('untouched');
    expect(textOf('refused', 'd.xml.reason.txt')).toBe('evidence');
    expect(textOf('refused', 'a.xml.reason.txt')).toBe(BAD);
    expect(readdirSync(folder)).not.toContain('nowhere');
    for (const name of ['a', 'b', 'c', 'd']) {
      const reasons = at('refused').filter((each) => each.startsWith(`${name}.xml.`));
      const written = reasons.filter((each) => /\.xml\.[\da-f-]{36}\.reason\.txt$/.test(each));
      expect(written).toHaveLength(1);
      expect(textOf('refused', written[0]!)).toContain(REASON);
    }
  });

  it('leaves what is put into the place of its folders where it is', async () => {
    const elsewhere = temporaryFolder();
    for (const name of ['refused', 'done', '.claimed', 'in']) {
      renameSync(path.join(folder, name), path.join(folder, `${name}.away`));
      symlinkSync(elsewhere, path.join(folder, name));
      lay(name === 'in' ? '../in.away/a.xml' : 'a.xml', BAD);
      await look(2);
      rmSync(path.join(folder, name));
      renameSync(path.join(folder, `${name}.away`), path.join(folder, name));
      expect(at('in')).toEqual(['a.xml']);
    }
    expect(readdirSync(elsewhere)).toEqual([]);
    removeFolder(elsewhere);
    await look(2);
    expect(at('refused')).toEqual(['a.xml', 'a.xml.reason.txt']);
  });

  it.each([
    ['a line break', 'a\nb.xml'],
    ['the longest name', `${'x'.repeat(251)}.xml`],
    ['letters of three bytes', `${'行'.repeat(83)}.xml`],
    ['pairs of two surrogates', `x${'🎉'.repeat(62)}.xml`],
    ['a dash', '--help.xml'],
    ['the name of a folder', '__proto__'],
  ])('takes a file with %s to its end', async (_, name) => {
    lay(name, BAD);
    lay(name.slice(0, 3), statement('B', 100));
    await look(2);
    expect([at('in'), at('.claimed'), at('done').length, at('refused').length]).toEqual([
      [],
      [],
      1,
      2,
    ]);
  });

  it('takes no file for unfinished that is not, however its name is cut', async () => {
    const name = Buffer.from(
      path.join(folder, 'in', `ö${'x'.repeat(150)}.${'y'.repeat(59)}`),
      'latin1',
    );
    writeFileSync(name, BAD);
    await look(2);
    expect([at('in'), at('refused').length]).toEqual([[], 2]);
  });

  it('has the permissions of its folder, and the group reads what comes of files', async () => {
    const mask = process.umask(0o077);
    try {
      const group = temporaryFolder();
      chmodSync(group, 0o2775);
      renameSync(folder, `${folder}.away`);
      renameSync(group, folder);
      await look();
      lay('a.xml', BAD);
      await look(2);
    } finally {
      process.umask(mask);
      removeFolder(`${folder}.away`);
    }
    const modeOf = (...names: string[]): string =>
      (statSync(path.join(folder, ...names)).mode & 0o7777).toString(8);
    expect(['in', 'done', 'refused'].map((name) => modeOf(name))).toEqual(['2770', '2770', '2770']);
    expect([modeOf('.claimed'), modeOf('refused', 'a.xml.reason.txt')]).toEqual(['700', '640']);
  });

  const leftBehind = (name: string): string => {
    const own = path.join(folder, '.claimed', name);
    mkdirSync(own);
    writeFileSync(path.join(own, 'a.xml'), statement('A', 100));
    abandon(name);
    return own;
  };

  itAsRoot('reads nothing that others put to what was taken, and says so once', async () => {
    chownSync(leftBehind('foreign'), NOBODY, NOBODY);
    chmodSync(leftBehind('open'), 0o777);
    const pipe = path.join(folder, '.claimed', 'pipe');
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/etc', path.join(folder, '.claimed', 'link'));
    await look(3);
    expect(at('.claimed')).toEqual(['foreign', 'link', 'open', 'pipe']);
    expect(await lines()).toEqual([]);
    expect(loggedNow('bank.folder.foreign_entry')).toBe(4);
    chownSync(path.join(folder, '.claimed'), NOBODY, NOBODY);
    await look(2);
    expect(loggedNow('bank.folder.unavailable')).toBe(1);
    chownSync(path.join(folder, '.claimed'), 0, 0);
  });

  it.each(['fifo', 'link', 'folder'])(
    'refuses a %s that was taken, and waits for nothing',
    async (kind) => {
      const own = leftBehind('own');
      const file = path.join(own, 'a.xml');
      rmSync(file);
      if (kind === 'fifo') execFileSync('mkfifo', [file]);
      else if (kind === 'link') symlinkSync('/etc/passwd', file);
      else mkdirSync(file);
      abandon('own');
      await look();
      expect(at('.claimed')).toEqual([]);
      const [name] = at('refused').filter((each) => each.endsWith('a.xml'));
      expect(lstatSync(path.join(folder, 'refused', name!)).isFile()).toBe(false);
      expect(await lines()).toEqual([]);
    },
  );

  it('outlives its folder, and says so once', async () => {
    removeFolder(folder);
    await look(3);
    expect(loggedNow('bank.folder.unavailable')).toBe(1);
    const { values } = await app.get(WatchedFolder).readable.get();
    expect(values).toMatchObject([{ value: 0 }]);
    mkdirSync(folder);
    await look();
    expect((await app.get(WatchedFolder).readable.get()).values).toMatchObject([{ value: 1 }]);
  });

  // Last: the log of this process goes to the other ones.
  it('is read by several processes, each file by one of them', async () => {
    const { database } = app;
    const env = { STATEMENT_FOLDER: folder, STATEMENT_FOLDER_MODE: 'test' };
    const others = database.isPostgres ? [await TestApp.start({ env, database })] : [];
    const all = [app, ...others].map((each) => each.get(WatchedFolder));
    for (let n = 0; n < 20; n++) lay(`${n}.xml`, statement(`S${n}`, 100 + n));
    for (let n = 0; n < 2; n++) await Promise.all([...all, ...all].map((each) => each.look()));
    for (const other of others) await other.stop();
    expect(at('done')).toHaveLength(20);
    expect(await lines()).toHaveLength(20);
  });
});
