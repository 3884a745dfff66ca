import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../src/config/config.js';
import { connectionOf } from '../src/database/data-source.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { JobScheduler } from '../src/database/jobs/job-scheduler.js';
import { migrate, MIGRATION_WAIT_MS } from '../src/database/schema/migrate.js';
import { explain } from '../src/operations/start-fault.js';
import { SWEEP_JOB } from '../src/payments/sweeper.js';
import { TestApp } from './support/app.js';
import { readRows, requestOf } from './support/exports.js';
import { select } from './support/facts.js';
import { onPgbouncer, Pgbouncer, type PoolerOptions } from './support/pgbouncer.js';
import { PostgresServer } from './support/postgres-server.js';
import { tally, together, until } from './support/race.js';
import { Receiver } from './support/receiver.js';

/** Fewer sessions than the program has connections. */
const FEW = 4;
/** As many as the program has connections, and those of a second one for a while. */
const ENOUGH = 30;
const PARAMETER = '?pooler=transaction';
const LIFE_MS = 90_000;

let server: PostgresServer;
const poolers: Pgbouncer[] = [];

const poolerOf = async (options: Pick<PoolerOptions, 'mode' | 'size' | 'ignores'>) => {
  const pooler = await Pgbouncer.start({ ...options, server: server.port, user: 'orders' });
  poolers.push(pooler);
  return pooler;
};

/** What the program says instead of starting; empty when the tables are up to date. */
const refusalOf = async (url: string): Promise<string> => {
  const connection = await connectionOf(readConfig({ DATABASE_URL: url }));
  return migrate(connection, MIGRATION_WAIT_MS.start).then(() => '', explain);
};

/** An order of each kind, what is sent of them, a file and an examination. */
async function live(app: TestApp, receiver: Receiver): Promise<void> {
  const shop = await app.merchant();
  await shop.call('POST', '/api/webhook-endpoint', { url: receiver.url });
  const [first, again] = [{ orderMerchantId: 'A' }, { 'idempotency-key': 'a' }];
  const [paid, repeated] = [await shop.create(first, again), await shop.create(first, again)];
  expect([paid.status, repeated.body.txid]).toEqual([201, paid.body.txid]);
  expect((await shop.pay(paid.body.txid)).body.status).toBe('paid');
  const [cancelled, late] = [await shop.order(), await shop.order()];
  expect((await shop.cancel(cancelled.txid)).body.status).toBe('cancelled');
  const expires = `UPDATE orders SET expires_at = created_at + interval '1 second' WHERE txid = $1`;
  await select(app, expires, [late.txid]);
  await app.get(JobScheduler).wake(SWEEP_JOB, new Date());
  const many: Awaited<ReturnType<typeof shop.create>>[] = [];
  for (let wave = 0; wave < 3; wave++) many.push(...(await together(() => shop.create(), ENOUGH)));
  expect(tally(many.map(({ status }) => status))).toEqual({ 201: many.length });
  await until(
    'the order expires',
    async () => (await shop.read(late.txid)).body.status === 'expired',
    90,
  );
  await until('webhooks are sent', async () => {
    const types = new Set(receiver.received.map(({ body }) => JSON.parse(body).type));
    return ['paid', 'cancelled', 'expired'].every((end) => types.has(`order.${end}`));
  });
  expect(await readRows(app, requestOf(shop))).toHaveLength(3 + many.length);
  const examination = await app.get(Doctor).examine({ overdue: true });
  expect(brokenIn(examination)).toEqual([]);
}

async function expectLife(url: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const receiver = await Receiver.start();
  stack.defer(() => receiver.stop());
  const database = { url, isPostgres: true, drop: async () => {} };
  const env = { ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const app = await TestApp.start({ database, env, realTime: true });
  stack.defer(() => app.stop());
  await live(app, receiver);
  expect(app.log.filter((line) => /"level":(40|50|60)/.test(line))).toEqual([]);
}

const suite = onPgbouncer(describe);

suite('a pooler in front of the database', () => {
  beforeAll(async () => {
    server = await PostgresServer.start({ fsync: 'on' });
    await server.query('CREATE ROLE orders LOGIN');
    for (const name of ['one', 'two']) await server.query(`CREATE DATABASE ${name} OWNER orders`);
  });
  afterAll(async () => {
    await Promise.all(poolers.map((pooler) => pooler.stop()));
    await server.remove();
  });

  it('is told apart from the server, and the program says what is missing', async () => {
    const strict = await poolerOf({ mode: 'transaction', size: FEW, ignores: false });
    expect(await refusalOf(strict.url('one'))).toMatch(
      /^A pooler .+ set DATABASE_URL=postgres:.+\?pooler=transaction; .+ ignore_startup_parameters\)\.$/,
    );
    const missing = await refusalOf(strict.url('one', PARAMETER));
    expect(missing).toMatch(/^Sessions behind the pooler have no limits/);
    const sentences = /"(ALTER ROLE .+;)"/.exec(missing)![1]!;
    expect(sentences.split('; ')).toEqual([
      expect.stringMatching(/^ALTER ROLE orders SET \w+ = '5s'/),
      expect.stringMatching(/^ALTER ROLE orders SET lock_timeout = '3s'/),
      expect.stringMatching(/^ALTER ROLE orders SET statement_timeout = '4s'/),
    ]);
    const ignoring = await poolerOf({ mode: 'session', size: ENOUGH, ignores: true });
    expect(await refusalOf(ignoring.url('one'))).toBe(missing);
    await server.query(sentences);
    await strict.reconnect();
    expect(await refusalOf(strict.url('one', PARAMETER))).toBe('');

    const quiet = await poolerOf({ mode: 'transaction', size: FEW, ignores: true });
    expect(await refusalOf(quiet.url('one'))).toMatch(
      /^A pooler .+ gives each transaction another session: set DATABASE_URL=.+\?pooler=transaction/,
    );
  }, 60_000);

  it(
    'of transactions serves a whole life with fewer sessions than connections',
    async () => {
      const pooler = await poolerOf({ mode: 'transaction', size: FEW, ignores: false });
      await expectLife(pooler.url('one', PARAMETER));
    },
    LIFE_MS,
  );

  it(
    'of sessions serves a whole life',
    async () => {
      const pooler = await poolerOf({ mode: 'session', size: ENOUGH, ignores: true });
      await expectLife(pooler.url('two'));
    },
    LIFE_MS,
  );
});
