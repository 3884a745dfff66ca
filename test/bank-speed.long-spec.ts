import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BankImportService } from '../src/bank/import/import.service.js';
import { TestApp } from './support/app.js';
import { camtFile, closingOf, type WrittenEntry } from './support/bank-file.js';
import type { Client } from './support/client.js';
import { createTables, onPostgres } from './support/database.js';
import { manyTransfers } from './support/many-transfers.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { awaitingTransfer, offerTransfers, TRANSFER_ACCOUNT } from './support/transfers.js';

/** Lines of a file, half of which pay an order each. 20000 by hand: then the times are firm as well. */
const LINES = Number(process.env['BANK_SPEED_LINES'] ?? 1_000);
const IS_FULL = LINES >= 20_000;
/** Statements that one line costs, on the average of those that pay and the others: short transactions ask more. */
const STATEMENTS_PER_LINE_MAX = { postgres: 0.5, embedded: 8 };
/** What 20000 lines may take on a machine of its own, and what a few may take beside other tests. */
const SECONDS_MAX = { postgres: 60, embedded: 240 };
/** Orders a second: more than one API key may create. */
const RATE = 40;
const OPEN_PAGE_MS = 3_000;
const DAY = '2025-11-20';
const AMOUNT = 1_000;
const LIMIT_MS = 600_000;

// Connections take the method when they are made. A spy would keep what each statement was asked and answered.
let asked = 0;
const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  asked += 1;
  return query.apply(this, args);
} as pg.Client['query'];

const database = await createTables();
const app = await TestApp.start({ database, realTime: true });
const folder = temporaryFolder();
const shop = await app.merchant();
await offerTransfers(app);
afterAll(async () => {
  await app.stop();
  await database.drop();
  removeFolder(folder);
});

const kind = database.isPostgres ? 'postgres' : 'embedded';
const secondsMax = SECONDS_MAX[kind];

/** A statement with a line for each reference, and as many that name none. */
async function written(name: string, references: readonly string[]): Promise<Buffer> {
  const entries = references.flatMap((reference, n): WrittenEntry[] => [
    { amount: AMOUNT, acctSvcrRef: `${name}-P${n}`, text: `Order ${reference}`, payer: PAYER },
    { amount: AMOUNT, acctSvcrRef: `${name}-O${n}`, text: `Invoice ${n}`, payer: PAYER },
  ]);
  const { account } = TRANSFER_ACCOUNT;
  const statement = { account, day: DAY, id: name, opening: closing, entries };
  closing = closingOf(statement);
  return Buffer.from(camtFile('053', statement));
}
/** The statements follow each other in balance. */
let closing = 0;
const PAYER = { name: 'Ada Payer', iban: 'DE71110220330123456789', bic: 'COBADEFFXXX' };

async function fileWith(name: string, references: readonly string[]): Promise<string> {
  const file = path.join(folder, `${name}.xml`);
  writeFileSync(file, await written(name, references));
  return file;
}

const importing = (file: string): Program => {
  const args = ['statement', 'import', file, '--mode', 'test', '--json'];
  return new Program('cli/cli.js', args, { DATABASE_URL: database.url, PORT: '1' }, folder);
};

/** By another process, where the database has more than one. */
async function imported(name: string, references: readonly string[]): Promise<unknown> {
  if (!database.isPostgres) {
    const options = { mode: 'test', name, source: 'folder' } as const;
    const bytes = await written(name, references);
    return app.get(BankImportService).import({ bytes }, options);
  }
  const { out } = await importing(await fileWith(name, references)).result;
  return (JSON.parse(out) as { files: unknown[] }).files[0];
}

const tell = (figures: Record<string, unknown>): void =>
  void process.stderr.write(`${JSON.stringify({ lines: LINES, ...figures })}\n`);

/**
 * Milliseconds below which half, and 99 of 100, of the orders were made that shops ordered meanwhile, at moments that do
 * not depend on each other: nobody waits with the next order until the last one is there.
 */
async function creating(client: Client, isOver: () => boolean): Promise<Waits> {
  const times: number[] = [];
  const create = async (): Promise<void> => {
    const start = performance.now();
    await client.order({ amount: AMOUNT });
    times.push(performance.now() - start);
  };
  const orders: Promise<void>[] = [];
  for (
    let due = performance.now();
    !isOver();
    due += (-Math.log(1 - Math.random()) * 1_000) / RATE
  ) {
    await sleep(Math.max(0, due - performance.now()));
    orders.push(create());
  }
  await Promise.all(orders);
  const sorted = times.toSorted((one, other) => one - other);
  const below = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  return { orders: sorted.length, p50: below(0.5), p99: below(0.99) };
}
interface Waits {
  readonly orders: number;
  readonly p50: number;
  readonly p99: number;
}

async function expectBooksInOrder(): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('a large statement', () => {
  it(
    'costs few statements a line',
    async () => {
      const bytes = await written('own', await manyTransfers(app, shop, AMOUNT, LINES / 2));
      asked = 0;
      const [start, used] = [performance.now(), process.cpuUsage()];
      const options = { mode: 'test', name: 'own.xml', source: 'cli' } as const;
      const result = await app.get(BankImportService).import({ bytes }, options);
      const seconds = (performance.now() - start) / 1_000;
      const { user, system } = process.cpuUsage(used);
      const cpuMsPerLine = (user + system) / 1_000 / LINES;
      const perLine = asked / LINES;
      tell({ isPostgres: database.isPostgres, seconds, perLine, cpuMsPerLine });
      expect(result).toMatchObject({ new: LINES, matched: LINES / 2, unmatched: LINES / 2 });
      expect(perLine).toBeLessThan(STATEMENTS_PER_LINE_MAX[kind]);
      expect(seconds).toBeLessThan(secondsMax);
      await expectBooksInOrder();
    },
    LIMIT_MS,
  );
});

describe('a statement that is imported meanwhile', () => {
  it(
    'leaves those who create orders as fast as they were',
    async () => {
      const references = await manyTransfers(app, shop, AMOUNT, LINES / 2);
      const end = performance.now() + (IS_FULL ? 20_000 : 2_000);
      const before = await creating(shop, () => performance.now() > end);
      let isOver = false;
      const start = performance.now();
      const result = imported('other', references).finally(() => {
        isOver = true;
      });
      const meanwhile = await creating(shop, () => isOver);
      const seconds = (performance.now() - start) / 1_000;
      tell({ seconds, before, meanwhile });
      expect(await result).toMatchObject({
        new: LINES,
        matched: LINES / 2,
        unmatched: LINES / 2,
      });
      expect(seconds).toBeLessThan(secondsMax);
      if (IS_FULL) expect(meanwhile.p99).toBeLessThanOrEqual(2 * before.p99);
      await expectBooksInOrder();
    },
    LIMIT_MS,
  );

  onPostgres(it, 'the embedded database has one process')(
    'is on the open page of a paid order soon',
    async () => {
      const order = await awaitingTransfer(shop, { amount: AMOUNT });
      const { transfer } = order.payment as unknown as { transfer: { reference: string } };
      const file = await fileWith('page', [transfer.reference]);
      const page = await fetch(`${order.paymentPageUrl}/events`);
      const news = page.body!.pipeThrough(new TextDecoderStream()).getReader();
      await news.read();
      const start = performance.now();
      const { result } = importing(file);
      const seen = news.read().then(() => performance.now() - start);
      await result;
      const imported = performance.now() - start;
      const ms = (await seen) - imported;
      tell({ imported, afterImport: ms });
      expect(ms).toBeLessThan(OPEN_PAGE_MS);
      await news.cancel();
      expect((await shop.read(order.txid)).body.status).toBe('paid');
    },
  );
});
