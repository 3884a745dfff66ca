import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import { freePort, TestApp } from './support/app.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { createTables, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';
import { CRASH_ROUNDS, tally, together, until } from './support/race.js';

const DAY = '2025-11-20';
const LINES = 5_000;
const PAYING = 10;
/** In which a process starts, and an import ends, on a busy machine. */
const BEGIN_S = 100;
const IMPORT_S = 60;
/** One that nobody kills, and more than are to be hit: some imports are killed before their first line, or are over. */
const FILES_MAX = 1 + 2 * CRASH_ROUNDS + 3;
/** Share of an import in which it reads its file to the end and stores nothing. */
const CHECKING = 0.2;
/** Kills that count: while lines are stored, or matched. */
const HITS: ReadonlySet<string> = new Set(['some lines', 'all lines', 'all of the file']);
/** A busy machine takes other times than the measured one: the next kill comes earlier after one that was too late, and later after one that was too early. */
const STEP = 0.8;

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

  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createTables();
    // What is in the memory of one process no other can work with.
    if (!database.isPostgres) database = { ...database, url: `file:${folder}/data` };
  });
  afterAll(async () => {
    await database.drop();
    removeFolder(folder);
  });

  const start = (...args: string[]): Program => {
    const env = { DATABASE_URL: database.url, PORT: '1', TMPDIR: folder };
    return new Program('cli/cli.js', ['statement', ...args], env, folder);
  };
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

  it(
    'stores every booking once when ten processes import one file',
    async () => {
      const service = database.isPostgres ? undefined : await serve();
      const entries: WrittenEntry[] = [
        { amount: 1_230, acctSvcrRef: 'A1', e2e: 'E1' },
        ...Array.from({ length: 40 }, (_, n) => ({ amount: 500 + (n % 4), text: 'equal' })),
      ];
      for (let round = 0; round < CRASH_ROUNDS; round++) {
        const statement = { account: `TOGETHER${round}`, day: DAY, entries };
        const name = file(`together-${round}.xml`, camtFile('053', statement));
        const results = await together(() => run('import', name, '--mode', 'test', '--json'), 10);
        expect(results).toEqual(results.map(({ out }) => ({ code: 0, out, err: '' })));
        const added = results.map(({ out }) => (JSON.parse(out) as Imported).files[0]!.new);
        expect(added.reduce((sum, lines) => sum + lines)).toBe(entries.length);
        const lines = await linesOf(statement.account);
        const amounts = (all: readonly { readonly amount?: unknown }[]) =>
          tally(all.map(({ amount }) => String(amount)));
        expect(amounts(lines)).toEqual(amounts(entries));
      }
      await service?.kill();
    },
    CRASH_ROUNDS * 90_000 + 120_000,
  );

  /** The process that has the folder of the embedded database. */
  async function serve(): Promise<Program> {
    const PORT = String(await freePort());
    const service = new Program('main.js', [], { DATABASE_URL: database.url, PORT }, folder);
    await service.untilReady(`http://127.0.0.1:${PORT}`);
    return service;
  }

  it(
    'stores every line once, and pays every order once, wherever it is killed',
    async () => {
      const files = Array.from({ length: FILES_MAX }, (_, n) => ({
        name: `many-${n}.xml`,
        day: new Date(Date.parse(DAY) - n * 86_400_000).toISOString().slice(0, 10),
        references: Array.from({ length: PAYING }, () => newTransferReference('test')),
      }));
      await inApp(async (app) => {
        await collectionAccount(app);
        const client = await app.merchant();
        for (const reference of files.flatMap(({ references }) => references)) {
          const order = await client.order({ amount: 1_000, currency: 'EUR' });
          await told(app, client, order, reference);
        }
      });
      const importOf = ({ name, day, references }: (typeof files)[number]): Program => {
        const entries = manyEntries(day, references);
        file(name, camtFile('053', { account: OWN_ACCOUNT, day, entries }));
        return start('import', name, '--mode', 'test', '--json');
      };
      let importMs = await timeOf(importOf(files[0]!));
      const ends: string[] = [];
      const hits = () => ends.filter((end) => HITS.has(end)).length;
      for (const each of files.slice(1)) {
        const afterMs = (CHECKING + (1 - CHECKING) * Math.random()) * importMs;
        const wasUnderWay = await killed(importOf(each), each.day, afterMs);
        const again = await run('import', each.name, '--mode', 'test', '--json');
        expect(again).toMatchObject({ code: 0, err: '' });
        const [after] = (JSON.parse(again.out) as Imported).files;
        expect(after!.new + after!.known).toBe(LINES);
        expect(after!.matched).toBe(PAYING);
        ends.push(wasUnderWay ? endOf(after!) : 'over');
        process.stderr.write(`killed with ${ends.at(-1)}\n`);
        if (ends.at(-1) === 'over') importMs *= STEP;
        if (ends.at(-1) === 'no line') importMs /= STEP;
        if (hits() === CRASH_ROUNDS) break;
      }
      expect({ ends, hits: hits() }).toEqual({ ends, hits: CRASH_ROUNDS });
      await inApp(async (app) => {
        const lines = `SELECT booked_on::text AS day, count(*)::integer AS lines FROM bank_lines
        WHERE account = $1 GROUP BY booked_on ORDER BY booked_on DESC`;
        const brought = files.slice(0, 1 + ends.length);
        const days = brought.map(({ day }) => ({ day, lines: LINES }));
        expect(await select(app, lines, [OWN_ACCOUNT])).toEqual(days);
        const paid = `SELECT count(*)::integer AS payments, count(DISTINCT txid)::integer AS orders,
          min(amount) AS amount FROM payments WHERE provider = 'bank_transfer' AND status = 'succeeded'`;
        const all = brought.length * PAYING;
        expect(await select(app, paid)).toEqual([{ payments: all, orders: all, amount: 1_000 }]);
        await expectHealthy(app);
      });
    },
    FILES_MAX * 120_000 + 120_000,
  );

  /** Waits until an import reads its file; one that ends before that says why. */
  async function begin(program: Program): Promise<void> {
    const hasEnded = () => (program.child.exitCode ?? program.child.signalCode) !== null;
    await until('the import begins', async () => copies().length > 0 || hasEnded(), BEGIN_S);
    if (hasEnded()) expect(await program.result).toMatchObject({ code: 0, err: '' });
  }

  /** Waits for the first lines of a day, or the end of their import. */
  async function stores({ child }: Program, day: string): Promise<void> {
    const client = new pg.Client(database.url);
    await client.connect();
    const line = 'SELECT FROM bank_lines WHERE account = $1 AND booked_on = $2 LIMIT 1';
    const hasLines = async () => (await client.query(line, [OWN_ACCOUNT, day])).rowCount === 1;
    const hasEnded = () => (child.exitCode ?? child.signalCode) !== null;
    await until('lines are stored', async () => hasEnded() || (await hasLines()), IMPORT_S);
    await client.end();
  }

  /** @returns the milliseconds of an import that nobody kills */
  async function timeOf(program: Program): Promise<number> {
    await begin(program);
    const begun = performance.now();
    await until('the import ends', async () => copies().length === 0, IMPORT_S);
    const ms = performance.now() - begun;
    expect(await program.result).toMatchObject({ code: 0, err: '' });
    return ms;
  }

  /** @returns whether the import was under way then */
  async function killed(program: Program, day: string, afterMs: number): Promise<boolean> {
    await begin(program);
    // Nobody else can look into the embedded database: there the time alone decides.
    if (database.isPostgres) await stores(program, day);
    await sleep(database.isPostgres ? afterMs / 2 : afterMs);
    const result = await program.kill();
    if (result.code !== null) expect(result).toMatchObject({ code: 0, err: '' });
    const left = copies();
    for (const copy of left) removeFolder(copy);
    return left.length > 0;
  }

  async function inApp(work: (app: TestApp) => Promise<void>): Promise<void> {
    const app = await TestApp.start({ database, realTime: true });
    await work(app);
    await app.stop();
  }

  /** What imports read: there is one from their begin to their end. */
  const copies = (): string[] =>
    globSync('payment-orders-*/copy-*', { cwd: folder }).map((name) => path.join(folder, name));

  /** Of a day, with those that pay in equal distances. */
  const manyEntries = (day: string, references: readonly string[]): WrittenEntry[] =>
    Array.from({ length: LINES }, (_, n) => {
      const at = Math.floor(n / (LINES / PAYING));
      const pays = n % (LINES / PAYING) === 0;
      const more = n % 3 === 0 ? {} : { acctSvcrRef: `R${n} ${day}` };
      return {
        amount: pays ? 1_000 : 200 + (n % 50),
        text: pays ? references[at]! : `text ${n % 7}`,
        ...more,
      };
    });

  /** How much of a file was stored when its import was killed, by what came of it afterwards. */
  function endOf({ result, new: added }: Imported['files'][number]): string {
    if (result === 'known') return 'all of the file';
    if (added === 0) return 'all lines';
    return added === LINES ? 'no line' : 'some lines';
  }
});
