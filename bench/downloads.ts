/**
 * What a file of many orders costs, on a database of its own. `psql`'s COPY of the same query to
 * nowhere is what the service is held against. Both take turns, so that what else the machine does
 * strikes them alike.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { beginOf } from '../src/database/copy/copy-session.js';
import { exportSource } from '../src/database/exports/export-source.statements.js';
import { allColumns } from '../src/exports/columns.js';
import type { ExportOptions } from '../src/exports/export-stream.service.js';
import { fileStyle } from '../src/exports/presets.js';
import { EVERYTHING } from '../test/support/exports.js';
import { payOutSeeded } from '../test/support/order-list-payouts.js';
import type { Order, Reading } from './download-reader.js';
import { median } from './figures/statistics.js';
import { postgresDatabase } from './sides/database.js';

const PAID_OUT_TOGETHER = 1_000;
const ROUNDS = 3;
const TIME_ZONE = 'Europe/Berlin';
/** Those that seeded orders have. */
const FIELDS = ['campaign', 'channel', 'invoice'];

/** As `npm start` runs the service: young garbage is collected before it is much. */
const NODE_OPTIONS = ['--max-semi-space-size=8'];

/** Of one kind of file: medians, and the most memory. */
export interface Download {
  readonly preset: (typeof PRESETS)[number];
  readonly orders: number;
  readonly firstByteMs: number;
  readonly ms: number;
  readonly bytes: number;
  /** Most memory that the process had beyond what it had before. */
  readonly growthBytes: number;
  readonly psqlMs: number;
}

const PRESETS = ['machine', 'excel'] as const;

/** A process of its own, so that its memory is that of the service alone. */
async function startReader(stack: AsyncDisposableStack, url: string): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, ROLE: 'api', LOG_LEVEL: 'error' };
  const reader = fork(path.join(import.meta.dirname, 'download-reader.js'), {
    env,
    execArgv: NODE_OPTIONS,
  });
  stack.defer(() => void reader.kill('SIGKILL'));
  await answer(reader);
  return reader;
}

async function answer<T>(reader: ChildProcess): Promise<T> {
  const ended = once(reader, 'exit').then(() => {
    throw new Error('the service has ended');
  });
  const [message] = (await Promise.race([once(reader, 'message'), ended])) as [T];
  ended.catch(() => undefined);
  return message;
}

function tell<T>(reader: ChildProcess, order: Order): Promise<T> {
  reader.send(order);
  return answer<T>(reader);
}

const requestOf = (merchantId: string, preset: Download['preset']): ExportOptions => ({
  scope: { merchantId, mode: 'test' },
  filter: EVERYTHING,
  preset,
  locale: 'de',
  timeZone: TIME_ZONE,
  columns: null,
});

/** Milliseconds that psql takes for the same rows. */
async function psql(url: string, { scope, filter, preset, locale }: ExportOptions) {
  const columns = allColumns(FIELDS, false);
  const style = fileStyle(preset, locale, false);
  const copy = exportSource({ scope, filter, columns, style }).rows(null, null);
  const args = ['-qX', '-v', 'ON_ERROR_STOP=1', '-c', beginOf(TIME_ZONE), '-c', copy, url];
  const start = performance.now();
  const child = spawn('psql', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`psql ended with ${code}`);
  return performance.now() - start;
}

async function compare(
  stack: AsyncDisposableStack,
  url: string,
  request: ExportOptions,
): Promise<Omit<Download, 'preset' | 'orders'>> {
  const reader = await startReader(stack, url);
  const readings: Reading[] = [];
  const copies: number[] = [];
  let growthBytes = 0;
  const warmUp = { ...request, filter: { ...EVERYTHING, search: 'nobody@mail.example' } };
  await tell(reader, { kind: 'read', request: warmUp });
  for (let round = 0; round <= ROUNDS; round++) {
    const reading = await tell<Reading>(reader, { kind: 'read', request });
    const copied = await psql(url, request);
    growthBytes = Math.max(growthBytes, reading.growthBytes);
    // The first round only warms the database up.
    if (round === 0) continue;
    readings.push(reading);
    copies.push(copied);
  }
  reader.kill('SIGKILL');
  const of = (figure: keyof Reading) => readings.map((reading) => reading[figure]);
  const [bytes] = of('bytes');
  const [firstByteMs, ms] = [median(of('firstByteMs')), median(of('ms'))];
  return { firstByteMs, ms, bytes: bytes!, growthBytes, psqlMs: median(copies) };
}

/** Needs `psql`. */
export async function measureDownloads(
  stack: AsyncDisposableStack,
  serverUrl: string,
  orders: number,
): Promise<Download[]> {
  const database = await postgresDatabase(stack, serverUrl);
  const seeder = await startReader(stack, database.url);
  const merchantId = await tell<string>(seeder, { kind: 'seed', orders });
  seeder.kill('SIGKILL');
  await database.use(async (query) => {
    await payOutSeeded(query, merchantId, { orders, each: PAID_OUT_TOGETHER });
    // What a server has done by the time somebody asks for a year: visibility known, nothing dirty.
    for (const tidying of ['VACUUM FULL orders', 'VACUUM ANALYZE', 'CHECKPOINT'])
      await query(tidying);
  });
  const downloads: Download[] = [];
  for (const preset of PRESETS) {
    const figures = await compare(stack, database.url, requestOf(merchantId, preset));
    downloads.push({ preset, orders, ...figures });
  }
  return downloads;
}
