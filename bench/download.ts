/**
 * `npm run bench:download`: what a file of a million orders costs. Needs a PostgreSQL server
 * (`TEST_DATABASE_URL`, or `DATABASE_URL`), on which it makes a database of its own and drops it, and
 * `psql`, whose COPY of the same query to nowhere is what the service is held against. Both take
 * turns, so that what else the machine does strikes them alike. Ends with 1 when a goal is missed.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { beginOf } from '../src/database/copy/copy-session.js';
import { exportSource } from '../src/database/exports/export-source.statements.js';
import { allColumns } from '../src/exports/columns.js';
import type { ExportOptions } from '../src/exports/export-stream.service.js';
import { fileStyle } from '../src/exports/presets.js';
import { EVERYTHING } from '../test/support/exports.js';
import { payOutSeeded } from '../test/support/order-list-payouts.js';
import type { Order, Reading } from './download-reader.js';

const GOAL_FIRST_BYTE_MS = 350;
const GOAL_GROWTH_BYTES = 40 * 1_048_576;
const GOAL_RATIO = 1.5;

const ORDERS = Number(process.argv[2] ?? 1_000_000);
const PAID_OUT_TOGETHER = 1_000;
const ROUNDS = 3;
const TIME_ZONE = 'Europe/Berlin';
/** Those that seeded orders have. */
const FIELDS = ['campaign', 'channel', 'invoice'];

/** As `npm start` runs the service: young garbage is collected before it is much. */
const NODE_OPTIONS = ['--max-semi-space-size=8'];

const SERVER = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];

/** A new database, dropped with the stack. */
async function createDatabase(stack: AsyncDisposableStack): Promise<string> {
  if (!SERVER?.startsWith('postgres')) throw new Error('TEST_DATABASE_URL names no PostgreSQL');
  const server = stack.adopt(new pg.Client(SERVER), (client) => client.end());
  await server.connect();
  const name = `orders_bench_${randomBytes(6).toString('hex')}`;
  await server.query(`CREATE DATABASE ${name}`);
  stack.defer(async () => void (await server.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  return Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
}

/** A process of its own, so that its memory is that of the service alone. */
async function startReader(stack: AsyncDisposableStack, url: string): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, JOBS: 'off', LOG_LEVEL: 'error' };
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

const requestOf = (merchantId: string, preset: 'excel' | 'machine'): ExportOptions => ({
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

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;

let missed = 0;

function line(what: string, figure: string, goal?: { text: string; isMet: boolean }): void {
  if (goal && !goal.isMet) missed++;
  const verdict = goal ? `${goal.isMet ? 'met' : 'MISSED'}: ${goal.text}` : '';
  console.log(`  ${what.padEnd(36)}${figure.padEnd(24)}${verdict}`.trimEnd());
}

function report(
  preset: string,
  readings: readonly Reading[],
  copies: readonly number[],
  growth: number,
): void {
  const of = (figure: keyof Reading) => readings.map((reading) => reading[figure]);
  const first = median(of('firstByteMs'));
  const [ms, copyMs] = [median(of('ms')), median(copies)];
  const ratio = ms / copyMs;
  line(`${preset}: first byte`, `${first.toFixed(0)} ms`, {
    text: `<= ${GOAL_FIRST_BYTE_MS} ms`,
    isMet: first <= GOAL_FIRST_BYTE_MS,
  });
  line(`${preset}: memory growth, the most`, megabytes(growth), {
    text: `<= ${megabytes(GOAL_GROWTH_BYTES)}`,
    isMet: growth <= GOAL_GROWTH_BYTES,
  });
  line(`${preset}: file, psql`, `${(ms / 1_000).toFixed(2)} s, ${(copyMs / 1_000).toFixed(2)} s`);
  line(`${preset}: against psql`, ratio.toFixed(2), {
    text: `<= ${GOAL_RATIO}`,
    isMet: ratio <= GOAL_RATIO,
  });
  line(`${preset}: size`, megabytes(of('bytes')[0]!));
}

async function measure(stack: AsyncDisposableStack): Promise<void> {
  const url = await createDatabase(stack);
  console.log(`\n  ${ORDERS} orders`);
  const seeder = await startReader(stack, url);
  const merchantId = await tell<string>(seeder, { kind: 'seed', orders: ORDERS });
  seeder.kill('SIGKILL');
  const database = stack.adopt(new pg.Client(url), (client) => client.end());
  await database.connect();
  const run = (sql: string, values: readonly unknown[]) => database.query(sql, [...values]);
  await payOutSeeded(run, merchantId, { orders: ORDERS, each: PAID_OUT_TOGETHER });
  // What a server has done by the time somebody asks for a year: visibility known, nothing dirty.
  await database.query('VACUUM FULL orders');
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
  for (const preset of ['machine', 'excel'] as const) {
    const reader = await startReader(stack, url);
    const request = requestOf(merchantId, preset);
    const readings: Reading[] = [];
    const copies: number[] = [];
    let growth = 0;
    const warmUp = { ...request, filter: { ...EVERYTHING, search: 'nobody@mail.example' } };
    await tell(reader, { kind: 'read', request: warmUp });
    for (let round = 0; round <= ROUNDS; round++) {
      const reading = await tell<Reading>(reader, { kind: 'read', request });
      const copied = await psql(url, request);
      growth = Math.max(growth, reading.growthBytes);
      // The first round only warms the database up.
      if (round === 0) continue;
      readings.push(reading);
      copies.push(copied);
    }
    report(preset, readings, copies, growth);
    reader.kill('SIGKILL');
  }
}

const stack = new AsyncDisposableStack();
await measure(stack).catch((error: unknown) => {
  missed++;
  console.error(error);
});
await stack.disposeAsync();
// Where something failed, sockets may still be open, and nobody waits for them.
process.exit(missed > 0 ? 1 : 0);
