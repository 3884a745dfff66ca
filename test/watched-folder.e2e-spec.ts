import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WatchedFolder } from '../src/bank/watched-folder.js';
import { BankLineRepository } from '../src/database/bank/bank-line.repository.js';
import { TestApp } from './support/app.js';
import { camtFile } from './support/bank-file.js';
import { removeFolder, temporaryFolder } from './support/program.js';

const ACCOUNT = 'DE89370400440532013000';
const statement = (id: string, amount: number): string =>
  camtFile('053', { account: ACCOUNT, id, day: '2026-11-20', entries: [{ amount, e2e: id }] });

describe('the folder for statements', () => {
  let folder: string;
  let app: TestApp;

  beforeEach(async () => {
    folder = temporaryFolder();
    app = await TestApp.start({ env: { STATEMENT_FOLDER: folder, STATEMENT_FOLDER_MODE: 'test' } });
    await app.get(WatchedFolder).look();
  });
  afterEach(async () => {
    await app.stop();
    removeFolder(folder);
  });

  const lay = (name: string, text: string): void =>
    writeFileSync(path.join(folder, 'in', name), text);
  const at = (place: string): string[] => readdirSync(path.join(folder, place)).sort();
  const lines = () => app.get(BankLineRepository).list({ mode: 'test' }, 100);
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
    expect(await lines()).toMatchObject([{ amount: 100, account: ACCOUNT }]);
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
    const before = new Date(Date.now() - 61_000);
    utimesSync(own, before, before);
    await look();
    expect([at('.claimed'), at('done')]).toEqual([[], ['a.xml']]);
    expect(await lines()).toHaveLength(1);
  });

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

  it('outlives its folder, and says so once', async () => {
    removeFolder(folder);
    await look(3);
    expect(app.log.filter((line) => line.includes('is away'))).toHaveLength(1);
    const { values } = await app.get(WatchedFolder).readable.get();
    expect(values).toMatchObject([{ value: 0 }]);
    mkdirSync(folder);
    await look();
    expect((await app.get(WatchedFolder).readable.get()).values).toMatchObject([{ value: 1 }]);
  });
});
