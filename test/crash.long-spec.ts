import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from './support/app.js';
import { Client } from './support/client.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { CRASH_ROUNDS, together, until } from './support/race.js';

/** A round's crash comes at a random moment in this time after the first payment. */
const CRASH_WITHIN_MS = 500;
const SHOPS = 8;

/** What the shops were told before the crash, by the key of the request. */
interface Told {
  readonly created: Map<string, string>;
  readonly paid: Set<string>;
}

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
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  function shopOf({ url }: Service): Client {
    const { merchants } = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'));
    return new Client(url, merchants[0].apiKey, merchants[0].id, '');
  }

  const create = (shop: Client, key: string) =>
    shop.create({ orderMerchantId: key }, { 'idempotency-key': key });

  /** Creates and pays orders until the service is gone. */
  async function sell(shop: Client, told: Told): Promise<void> {
    for (;;) {
      const key = randomUUID();
      const order = await create(shop, key);
      expect(order.status).toBe(201);
      told.created.set(key, order.body.txid);
      const paid = await shop.pay(order.body.txid);
      expect([paid.status, paid.body.status]).toEqual([200, 'paid']);
      told.paid.add(key);
    }
  }

  /** `fetch` says so when the service went away, before its answer or in the middle of it. */
  const isGone = (error: unknown): void => {
    if (!/^(fetch failed|terminated)$/.test((error as Error).message)) throw error;
  };

  async function check(shop: Client, { created, paid }: Told): Promise<void> {
    for (const [key, txid] of created) {
      const again = await create(shop, key);
      expect([again.status, again.body.txid]).toEqual([201, txid]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      const order = await shop.read(txid);
      expect(order.body).toMatchObject({ txid, orderMerchantId: key });
      if (paid.has(key)) expect(order.body).toMatchObject({ status: 'paid', amountReceived: 8990 });
    }
  }

  it(
    'loses no order and no payment that was acknowledged',
    async () => {
      const place = database.isPostgres ? database.url : `file:${path.join(folder, 'data')}`;
      let service = await start(place);
      const all: Told = { created: new Map(), paid: new Set() };
      for (let round = 0; round < CRASH_ROUNDS; round++) {
        const told: Told = { created: new Map(), paid: new Set() };
        const shop = shopOf(service);
        const selling = together(() => sell(shop, told).catch(isGone), SHOPS);
        await until('a payment is acknowledged', async () => told.paid.size > 0);
        await sleep(Math.random() * CRASH_WITHIN_MS);
        await service.program.kill();
        await selling;
        service = await start(place);
        await check(shopOf(service), told);
        for (const [key, txid] of told.created) all.created.set(key, txid);
        for (const key of told.paid) all.paid.add(key);
      }
      await check(shopOf(service), all);
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
