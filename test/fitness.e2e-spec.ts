import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { CONNECTION, Database } from '../src/database/database.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { WorkerEligibility } from '../src/database/schema/worker-eligibility.js';
import { migrate } from '../src/database/schema/migrate.js';
import { ProgramTooOldError, SCHEMA_READS } from '../src/database/schema/schema-version-guard.js';
import { TestApp } from './support/app.js';
import { TestClock } from './support/clock.js';
import { connect, createDatabase, onPostgres } from './support/database.js';
import { select } from './support/facts.js';
import { until } from './support/race.js';
import { openShop } from './support/shop.js';

const HOURS_48 = 48 * 3_600_000;

const serverClock = new TestClock();
const { app, shop } = await openShop({ serverClock });

const ask = async (path: string) => {
  const response = await fetch(app.url + path);
  return { status: response.status, body: await response.text() };
};

describe('a clock that is not the one of the database', () => {
  const offset = async () =>
    /^payment_orders_clock_offset_seconds (.*)$/m.exec((await ask('/metrics')).body)?.[1];

  it('lets the process serve, keeps its background work at rest, and is told', async () => {
    app.clock.advance(HOURS_48);
    await app.get(WorkerEligibility).check();
    expect(app.get(WorkerEligibility).mayWork).toBe(false);
    expect(JSON.parse((await ask('/health/ready')).body)).toEqual({
      status: 'degraded',
      detail: "The clock is 172800 s from the database's: background work rests.",
    });
    expect(await offset()).toBe('172800');
    expect((await shop.create()).status).toBe(201);
    expect(app.log.filter((line) => line.includes('wrong clock'))).toHaveLength(1);

    serverClock.advance(HOURS_48 - 60_000);
    await app.get(WorkerEligibility).check();
    expect(app.get(WorkerEligibility).mayWork).toBe(true);
    expect((await ask('/health/ready')).body).toBe('{"status":"ready"}');
    expect(await offset()).toBe('60');
  });
});

describe('a database that takes no writes', () => {
  it.each([
    ['disk_full', '53100'],
    ['read_only_sql_transaction', '25006'],
  ])('after %s is told of for a minute, and what only reads is served', async (name, code) => {
    const { txid } = await shop.order();
    await select(
      app,
      `CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION '${name}' USING ERRCODE = '${code}'; END $$`,
    );
    await select(
      app,
      'CREATE TRIGGER full_disk BEFORE INSERT ON orders EXECUTE FUNCTION refuse_write()',
    );
    try {
      expect((await shop.create()).body).toMatchObject({ status: 503, code: 'unavailable' });
      expect((await shop.read(txid)).status).toBe(200);
      const { status, body } = await ask('/health/ready');
      expect([status, JSON.parse(body)]).toEqual([
        200,
        {
          status: 'degraded',
          detail: 'The database takes no writes: a full disk, or read-only.',
        },
      ]);
    } finally {
      await select(app, 'DROP FUNCTION refuse_write CASCADE');
    }
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    const { refusesWrites } = app.get(Database);
    now.mockRestore();
    expect(refusesWrites).toBe(false);
    expect((await shop.create()).status).toBe(201);
  });
});

const described = onPostgres(describe, 'the embedded database says at its start what it may lose');

described('a database that may take back what it confirmed', () => {
  const database = createDatabase();
  afterAll(async () => (await database).drop());

  const name = async () => new URL((await database).url).pathname.slice(1);

  /** For all sessions that begin from now on. */
  async function set(change: string): Promise<void> {
    const session = await connect((await database).url);
    await session.query(`ALTER DATABASE ${await name()} ${change}`);
    await session.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    await session.end();
  }

  const start = async (env = {}) =>
    TestApp.start({ database: await database, env: { LIVE_ON_EMBEDDED: 'off', ...env } });
  const ready = async ({ url }: TestApp) => (await fetch(`${url}/health/ready`)).json();
  const told = ({ log }: TestApp) => log.filter((line) => line.includes('unsafe settings'));

  it('serves and is told of, and no live key is made until it keeps it again', async () => {
    await set('SET synchronous_commit = off');
    const unsafe = await start();
    try {
      expect(await ready(unsafe)).toEqual({
        status: 'degraded',
        detail: 'Off in the database, which may lose what it confirmed: synchronous_commit.',
      });
      await unsafe.get(WorkerEligibility).check();
      expect(told(unsafe).map((line) => JSON.parse(line))).toMatchObject([
        { level: 40, settings: 'synchronous_commit' },
      ]);
      await expect(unsafe.merchant({ mode: 'live' })).rejects.toThrow(
        /^Live keys need .* switch on synchronous_commit in PostgreSQL, .*LIVE_ON_EMBEDDED=on\.$/,
      );
      expect((await (await unsafe.merchant()).create()).status).toBe(201);
      const { findings } = await unsafe.get(Doctor).examine({ overdue: false });
      expect(brokenIn({ findings }).map(({ fact }) => fact.name)).toEqual(['server-durability']);

      await set('RESET synchronous_commit');
      await until('the process knows', async () => {
        await unsafe.get(WorkerEligibility).check();
        return (await ready(unsafe)).status === 'ready';
      });
      expect((await unsafe.merchant({ mode: 'live' })).secret).toMatch(/^pos_live_/);
    } finally {
      await unsafe.stop();
    }
  });

  it('has live keys all the same where the operator says so', async () => {
    await set('SET synchronous_commit = off');
    const allowed = await start({ LIVE_ON_EMBEDDED: 'on' });
    try {
      expect((await allowed.merchant({ mode: 'live' })).secret).toMatch(/^pos_live_/);
    } finally {
      await allowed.stop();
    }
  });
});

describe('tables that a newer version has changed', () => {
  it('turn away a program that is too old, at its start and where it runs', async () => {
    const { txid } = await shop.order();
    await select(app, 'UPDATE schema_fence SET reads = $1', [SCHEMA_READS + 1]);
    await expect(migrate(app.nest.get(CONNECTION), 0)).rejects.toThrow(ProgramTooOldError);

    // A statement that finds the tables other than it thinks has the process look at once.
    await select(app, 'ALTER TABLE idempotency_records RENAME COLUMN key TO word');
    await shop.create({}, { 'idempotency-key': 'k' });
    await until('the process knows', async () => app.get(WorkerEligibility).isTooOld);
    expect(app.get(WorkerEligibility).mayWork).toBe(false);
    expect((await ask('/health/ready')).status).toBe(503);
    expect((await ask('/health/live')).status).toBe(200);
    expect((await ask('/metrics')).status).toBe(200);
    expect(await shop.pay(txid)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });
});
