import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newTransferReference } from '../src/common/creditor-reference.js';
import { TestApp } from './support/app.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';
import { CRASH_ROUNDS } from './support/race.js';

const DAY = '2026-11-20';
const LINES = 5_000;
const PAYING = 20;

interface Imported {
  readonly files: readonly {
    readonly result: string;
    readonly reason?: string;
    readonly new: number;
    readonly known: number;
    readonly matched: number;
  }[];
}

describe('statement import', () => {
  let folder: string;
  let database: TestDatabase;
  /** Where the commands work: the embedded database cannot be in the memory of another process. */
  let place: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createDatabase();
    place = database.isPostgres ? database.url : `file:${folder}/data`;
  });
  afterAll(async () => {
    await database.drop();
    removeFolder(folder);
  });

  const start = (...args: string[]): Program =>
    new Program('cli/cli.js', ['statement', ...args], { DATABASE_URL: place, PORT: '1' }, folder);
  const run = (...args: string[]): Promise<Result> => start(...args).result;
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return name;
  };
  const linesOf = async (account: string): Promise<Record<string, unknown>[]> => {
    const { out } = await run('lines', '--mode', 'test', '--account', account, '--json');
    return (JSON.parse(out) as { lines: Record<string, unknown>[] }).lines;
  };

  it('brings good files in beside bad ones, and lists the lines', async () => {
    const statement = {
      account: 'OTHER1',
      day: DAY,
      entries: [
        { amount: 1230, acctSvcrRef: 'A1' },
        { amount: 100, direction: 'out', acctSvcrRef: 'A2' },
      ],
    } as const;
    const names = [
      file('a.xml', camtFile('053', statement)),
      file('bad.xml', camtFile('053', statement).slice(0, -40)),
      file('=cmd|calc.sta', mt940File(statement)),
      'missing.xml',
    ];
    const { code, out, err } = await run('import', ...names, '--mode', 'test', '--json');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const { files } = JSON.parse(out) as Imported;
    expect(files).toMatchObject([
      { file: 'a.xml', result: 'imported', new: 2, known: 0, matched: 0, notPayments: 0 + 1 },
      { file: 'bad.xml', result: 'refused', new: 0, reason: expect.stringMatching(/^The XML/) },
      { file: '=cmd|calc.sta', result: 'imported', new: 0, known: 2 },
      { file: 'missing.xml', result: 'refused', reason: expect.stringContaining('ENOENT') },
    ]);
    expect(await linesOf('OTHER1')).toEqual([
      {
        account: 'OTHER1',
        bankReference: 'A1',
        direction: 'in',
        bookedOn: DAY,
        amount: 1230,
        amountText: null,
        currency: 'EUR',
        status: 'booked',
        kind: 'payment',
        state: 'unmatched',
        orders: [],
        reason: 'unknown_account',
      },
      expect.objectContaining({ bankReference: 'A2', direction: 'out', state: 'not_a_payment' }),
    ]);
  }, 120_000);

  it('stores every line once, and pays every order once, however often it is killed', async () => {
    const references = Array.from({ length: PAYING }, () => newTransferReference('test'));
    const app = database.isPostgres ? await TestApp.start({ database, realTime: true }) : undefined;
    if (app) {
      await collectionAccount(app);
      const client = await app.merchant();
      for (const reference of references) {
        const order = await client.order({ amount: 1_000, currency: 'EUR' });
        await told(app, client, order, reference);
      }
    }
    const entries = Array.from({ length: LINES }, (_, n): WrittenEntry => {
      const at = Math.floor(n / (LINES / PAYING));
      const pays = n % (LINES / PAYING) === 0;
      const more = n % 3 === 0 ? {} : { acctSvcrRef: `R${n}` };
      return {
        amount: pays ? 1_000 : 200 + (n % 50),
        text: pays ? references[at]! : `text ${n % 7}`,
        ...more,
      };
    });
    const name = file('many.xml', camtFile('053', { account: OWN_ACCOUNT, day: DAY, entries }));
    const before = performance.now();
    await run('lines', '--mode', 'test', '--account', 'NONE', '--json');
    const startMs = performance.now() - before;
    let cut = 0;
    for (let round = 0; round < CRASH_ROUNDS; round++) {
      const program = start('import', name, '--mode', 'test', '--json');
      await sleep(startMs * 0.7 + Math.random() * 2_500);
      cut += (await program.kill()).code === null ? 1 : 0;
    }
    expect(cut).toBeGreaterThan(0);
    const { code, out } = await run('import', name, '--mode', 'test', '--json');
    expect(code).toBe(0);
    const [last] = (JSON.parse(out) as Imported).files;
    expect(last!.new + last!.known).toBe(LINES);
    const lines = await linesOf(OWN_ACCOUNT);
    expect(lines).toHaveLength(LINES);
    if (!app) return;
    expect(last!.matched).toBe(PAYING);
    const paid = await select<{ payments: number; orders: number }>(
      app,
      `SELECT count(*)::integer AS payments, count(DISTINCT txid)::integer AS orders FROM payments
       WHERE provider = 'bank_transfer' AND status = 'succeeded'`,
    );
    expect(paid).toEqual([{ payments: PAYING, orders: PAYING }]);
    await app.stop();
  }, 400_000);
});
