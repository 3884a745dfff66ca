import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from './support/app.js';
import { Client } from './support/client.js';
import { createTables, type TestDatabase } from './support/database.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { CRASH_ROUNDS, together, until } from './support/race.js';
import { Sales } from './support/selling.js';

/** A round's crash comes at a random moment in this time after the first payment. */
const CRASH_WITHIN_MS = 500;
/** So many that their orders share statements. */
const SHOPS = 24;

interface Service {
  readonly program: Program;
  readonly url: string;
}

let folder: string;
let started: Program[];

beforeEach(() => {
  folder = temporaryFolder();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((program) => program.kill()));
  removeFolder(folder);
});

async function spawn(database: string): Promise<Service> {
  const port = String(await freePort());
  const env = {
    PORT: port,
    DATABASE_URL: database,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DEMO: '1',
    DEMO_FILE: path.join(folder, 'demo.json'),
  };
  const program = new Program('main.js', [], env, folder);
  started.push(program);
  return { program, url: `http://127.0.0.1:${port}` };
}

async function start(database: string): Promise<Service> {
  const service = await spawn(database);
  await service.program.untilReady(service.url);
  return service;
}

describe('a crash', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTables();
  });
  afterEach(() => database.drop());

  function shopOf({ url }: Service): Client {
    const { merchants } = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'));
    return new Client(url, merchants[0].apiKey, merchants[0].id, '');
  }

  it(
    'loses no order and no payment that was acknowledged',
    async () => {
      const place = database.isPostgres ? database.url : `file:${path.join(folder, 'data')}`;
      let service = await start(place);
      const all: Sales[] = [];
      for (let round = 0; round < CRASH_ROUNDS; round++) {
        const sales = new Sales();
        all.push(sales);
        const shop = shopOf(service);
        const selling = together(() => sales.sell(shop), SHOPS);
        await until('a payment is acknowledged', async () => sales.paid.size > 0);
        await sleep(Math.random() * CRASH_WITHIN_MS);
        await service.program.kill();
        await selling;
        service = await start(place);
        await sales.check(shopOf(service));
        expect(Object.keys(sales.statuses)).toEqual(['200', '201']);
      }
      for (const sales of all) await sales.check(shopOf(service));
    },
    CRASH_ROUNDS * 40_000,
  );
});

describe('a second process on one embedded database', () => {
  it('is refused with a sentence that tells what to do', async () => {
    const data = path.join(folder, 'data');
    const first = await start(`file:${data}`);
    const second = await (await spawn(`file:${data}`)).program.result;
    expect(second.code).toBe(1);
    expect(second.err.trim()).toBe(
      `The database folder ${data} is in use by another process: ` +
        'stop that process, or give this one another folder.',
    );
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
    await first.program.kill();
    await start(`file:${data}`);
  });
});
