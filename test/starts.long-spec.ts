import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, MigrationError } from '../src/database/schema/migrate.js';
import { explain } from '../src/operations/start-fault.js';
import { freePort } from './support/app.js';
import { Client } from './support/client.js';
import { connect, createDatabase, onPostgres, type TestDatabase } from './support/database.js';
import { Program, removeFolder, residentMegabytes, temporaryFolder } from './support/program.js';
import { CRASH_ROUNDS } from './support/race.js';

const KILLS = 6 * CRASH_ROUNDS;
/** A first start is over after some seconds, so a kill comes at any of its steps. */
const FIRST_START_MS = 4_000;
/** What the service has in memory some seconds after it is ready; PGlite has more. */
const MEGABYTES_MAX = 170;
const SETTLED_MS = 5_000;

let folder: string;
let database: TestDatabase;
let demoFile: string;
let started: Program[];

beforeEach(async () => {
  folder = temporaryFolder();
  database = await createDatabase();
  demoFile = path.join(folder, 'demo.json');
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((program) => program.kill()));
  await database.drop();
  removeFolder(folder);
});

async function spawn(place: string, env: Record<string, string> = {}) {
  const port = String(await freePort());
  const own = { PORT: port, DATABASE_URL: place, DEMO: '1', DEMO_FILE: demoFile, ...env };
  const program = new Program('main.js', [], own, folder);
  started.push(program);
  return { program, url: `http://127.0.0.1:${port}` };
}

/** The keys of the file work, and nobody else may read it. */
async function expectSeeded(url: string): Promise<void> {
  const { merchants, users } = JSON.parse(readFileSync(demoFile, 'utf8'));
  expect([merchants.length, users.length]).toEqual([2, 7]);
  for (const { apiKey, id } of merchants) {
    expect((await new Client(url, apiKey, id, '').create()).status).toBe(201);
  }
  expect(statSync(demoFile).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith('demo.json.'))).toEqual([]);
}

const errorsIn = (out: string): string[] =>
  out.split('\n').filter((line) => /"level":(50|60)/.test(line));

describe('a first start', () => {
  it('is made by several processes at once, and one of them seeds', async () => {
    if (!database.isPostgres) return;
    const services = await Promise.all([1, 2, 3].map(() => spawn(database.url)));
    await Promise.all(services.map(({ program, url }) => program.untilReady(url)));
    for (const { url } of services) await expectSeeded(url);
    const session = await connect(database.url);
    const { rows } = await session.query('SELECT count(*)::int AS n FROM merchants');
    await session.end();
    expect(rows).toEqual([{ n: 2 }]);
    for (const { program } of services) {
      const { code, out, err } = await program.kill('SIGTERM');
      expect({ code, err, errors: errorsIn(out) }).toEqual({ code: 0, err: '', errors: [] });
    }
  });

  onPostgres(it, 'the embedded database is in the same memory')(
    'leaves little in memory',
    async () => {
      const { program, url } = await spawn(database.url);
      await program.untilReady(url);
      await sleep(SETTLED_MS);
      const megabytes = residentMegabytes(program.child.pid);
      expect(megabytes).toBeGreaterThan(50);
      expect(megabytes).toBeLessThanOrEqual(MEGABYTES_MAX);
    },
  );

  it(
    'is seeded whole, however often it was killed before',
    async () => {
      const place = database.isPostgres ? database.url : `file:${path.join(folder, 'data')}`;
      for (let kill = 0; kill < KILLS; kill++) {
        const { program } = await spawn(place);
        await sleep(((kill + Math.random()) / KILLS) * FIRST_START_MS);
        await program.kill();
        // Drafts of a killed process name keys that were never made.
        for (const name of readdirSync(folder)) {
          if (name.startsWith('demo.json.')) rmSync(path.join(folder, name));
        }
      }
      const { program, url } = await spawn(place);
      await program.untilReady(url);
      await expectSeeded(url);
    },
    KILLS * 20_000,
  );

  it('lets nobody else read the file of its secrets, whatever stood there before', async () => {
    writeFileSync(demoFile, 'old');
    chmodSync(demoFile, 0o644);
    const { program, url } = await spawn('memory:', { ROLE: 'api' });
    await program.untilReady(url);
    await expectSeeded(url);
  });
});

const suite = onPostgres(describe, 'one process has the embedded database to itself');

suite('migrations', () => {
  const connection = () =>
    ({ kind: 'postgres', connectionString: database.url, isPooled: false }) as const;

  it('run in one process at a time', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => migrate(connection(), 0)));
    expect(all.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await migrate(connection(), 0)).toEqual([]);
  });

  it('give way to whoever uses a table, and try again', async () => {
    await migrate(connection(), 0);
    const session = await connect(database.url);
    await session.query(`DELETE FROM schema_migrations WHERE name LIKE 'Operations%'`);
    await session.query('DROP TABLE export_chunks, exports, doctor_reports, schema_fence, jobs');
    await session.query('BEGIN; LOCK TABLE schema_migrations');

    const fault = await migrate(connection(), 0).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(MigrationError);
    expect(explain(fault)).toMatch(/used a table for too long.* run "npm run cli -- migrate"/);

    const running = migrate(connection(), 20_000);
    await sleep(3_000);
    await session.query('COMMIT');
    expect(await running).toEqual(['Operations1795651200009']);
    await session.end();
  });

  it('refuse a database that a draft from before version 1.0.0 has made', async () => {
    await migrate(connection(), 0);
    const session = await connect(database.url);
    await session.query(`UPDATE schema_migrations SET name = 'Orders1763712000000'`);
    await session.end();
    const fault = await migrate(connection(), 0).catch((error: unknown) => error);
    expect(explain(fault)).toContain('a draft from before version 1.0.0');
  });
});
