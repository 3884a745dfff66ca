import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, TestApp } from './support/app.js';
import { Client } from './support/client.js';
import { createTables, onPostgres } from './support/database.js';
import { select } from './support/facts.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { CRASH_ROUNDS, tally, together } from './support/race.js';
import { Subscribers } from './support/subscribers.js';

const ENDPOINTS = 3;
const RECIPIENTS = 2;
/** Created, processing, paid. */
const EVENTS = 3;
const FAILING = 0.3;
/** Of ten attempts. */
const WEBHOOK_FAILURES_MAX = 5;
/** A mail that is refused six times in a row is given up: with this, one in a million. */
const MAILS_FAILING = 0.1;
const REPEATS_MAX = 0.01;
/** Mails that one process has under way at most. */
const MAIL_SLOTS = 8;
/** Deliveries that one process has under way at most, when it is killed. */
const SLOTS = 48;
/** What a worker has claimed is free again after less than this, in seconds. */
const LEASE_S = 65;

/** Fails at random, but no message so often that the service gives it up. */
function failing(timesMax: number): (receiver: string, id: string) => boolean {
  const failures = new Map<string, number>();
  return (receiver, id) => {
    const name = `${receiver} ${id}`;
    const times = failures.get(name) ?? 0;
    if (times === timesMax || Math.random() >= FAILING) return false;
    failures.set(name, times + 1);
    return true;
  };
}

let folder: string;
let programs: Program[];
let subscribers: Subscribers;

beforeEach(() => {
  folder = temporaryFolder();
  programs = [];
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.kill()));
  subscribers.close();
  removeFolder(folder);
});

async function run(env: Record<string, string>): Promise<{ program: Program; url: string }> {
  const port = await freePort();
  const settings = { LOG_LEVEL: 'error', RATE_LIMITS: 'off', ...env, PORT: String(port) };
  const program = new Program('main.js', [], settings, folder);
  programs.push(program);
  const url = `http://127.0.0.1:${port}`;
  await program.untilReady(url);
  return { program, url };
}

/** Every merchant has the same number of receivers, all of which want to hear of all its orders. */
async function subscribe(shops: readonly Client[]): Promise<void> {
  for (const shop of shops) {
    const emails = Array.from({ length: RECIPIENTS }, (_, n) => `${n}@${shop.merchantId}.example`);
    for (const email of emails) await subscribers.addRecipient(shop, email);
    await subscribers.confirm(emails);
    for (let n = 0; n < ENDPOINTS; n++) {
      await subscribers.addEndpoint(shop, `${shop.merchantId}-${n}`);
    }
  }
}

async function sell(shop: Client, orders: number): Promise<void> {
  for (let n = 0; n < orders; n++) {
    const { txid } = await shop.order();
    const paid = await shop.pay(txid);
    expect([paid.status, paid.body.status]).toEqual([200, 'paid']);
  }
}

function expectEverything(orders: number, kills: number): void {
  const { hooks, mails, forged } = subscribers;
  expect(forged).toEqual([]);
  expect(hooks.size).toBe(orders * EVENTS * ENDPOINTS);
  expect(mails.size).toBe(orders * RECIPIENTS);
  process.stderr.write(
    `${kills} kills: ${hooks.repeats} of ${hooks.size} webhooks and ` +
      `${mails.repeats} of ${mails.size} mails came twice\n`,
  );
}

onPostgres(describe, 'workers beside each other need it')('workers that are killed', () => {
  const MERCHANTS = 2;
  const BUYERS = 10;
  /** `CRASH_ROUNDS=20` takes ten minutes. */
  const KILLS = CRASH_ROUNDS;
  const ORDERS_EACH = Math.min(50, 15 * CRASH_ROUNDS);

  it('lose nothing, and send hardly anything twice', async () => {
    const database = await createTables();
    let isOpen = false;
    subscribers = await Subscribers.open({
      webhooks: failing(WEBHOOK_FAILURES_MAX),
      mails: () => isOpen && Math.random() < MAILS_FAILING,
    });
    const env = { ...subscribers.environment, DATABASE_URL: database.url };
    const app = await TestApp.start({ database, realTime: true, env });
    const startWorker = () => run({ ...env, ROLE: 'worker', PUBLIC_URL: app.url });

    /** Minutes and hours until the next try pass at once; what is claimed keeps its time. */
    const passTime = () =>
      select(
        app,
        `UPDATE deliveries SET next_attempt_at = now() WHERE status = 'pending' AND attempts > 0
           AND next_attempt_at > now() + make_interval(secs => $1)`,
        [LEASE_S],
      );
    const pending = async (): Promise<number> => {
      const sql = `SELECT count(*)::integer AS n FROM deliveries WHERE status = 'pending'`;
      return (await select<{ n: number }>(app, sql))[0]!.n;
    };
    async function killWorkers(): Promise<void> {
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(500 + Math.random() * 1_500);
        await workers[kill % workers.length]!.program.kill();
        workers[kill % workers.length] = await startWorker();
      }
    }

    const clock = setInterval(() => void passTime(), 1_000);
    const workers = await together(startWorker, 2);
    const shops = await together(() => app.merchant(), MERCHANTS);
    await subscribe(shops);
    isOpen = true;
    const selling = shops.flatMap((shop) => together(() => sell(shop, ORDERS_EACH), BUYERS));
    await Promise.all([...selling, killWorkers()]);
    while ((await pending()) > 0) await sleep(500);
    clearInterval(clock);

    expectEverything(MERCHANTS * BUYERS * ORDERS_EACH, KILLS);
    expect(subscribers.hooks.repeats).toBeLessThanOrEqual(
      Math.max(subscribers.hooks.size * REPEATS_MAX, KILLS * SLOTS),
    );
    // Each kill can come between the server's answer and the row of as many mails as are under way.
    expect(subscribers.mails.repeats).toBeLessThanOrEqual(KILLS * MAIL_SLOTS);
    const told = await select<{ status: string; once: boolean }>(
      app,
      `SELECT d.status, count(*) FILTER (WHERE a.succeeded) = 1 AND count(*) = d.attempts AS once
         FROM deliveries d JOIN delivery_attempts a
           ON a.merchant_id = d.merchant_id AND a.delivery_id = d.id
         WHERE d.event_id IS NOT NULL GROUP BY d.merchant_id, d.id`,
    );
    expect(tally(told.map(({ status, once }) => `${status} ${once}`))).toEqual({
      'delivered true': subscribers.hooks.size + subscribers.mails.size,
    });
    await Promise.all(workers.map(({ program }) => program.kill()));
    await app.stop();
    await database.drop();
  }, 900_000);
});

describe('a service with its own workers that is killed', () => {
  const ORDERS = 20;
  const KILLS = 2;

  it('loses nothing of what it had to tell', async () => {
    subscribers = await Subscribers.open({ webhooks: failing(1), mails: () => false });
    const demo = path.join(folder, 'demo.json');
    const env = {
      ...subscribers.environment,
      DATABASE_URL: `file:${path.join(folder, 'data')}`,
      DEMO: '1',
      DEMO_FILE: demo,
    };
    let service = await run(env);
    const { merchants } = JSON.parse(readFileSync(demo, 'utf8'));
    const shop = new Client(service.url, merchants[0].apiKey, merchants[0].id, '');
    await subscribe([shop]);
    await sell(shop, ORDERS);
    for (let kill = 0; kill < KILLS; kill++) {
      await service.program.kill();
      service = await run(env);
      await sleep(1_000);
    }
    const isComplete = (): boolean =>
      subscribers.hooks.size === ORDERS * EVENTS * ENDPOINTS &&
      subscribers.mails.size === ORDERS * RECIPIENTS;
    const end = Date.now() + 3 * LEASE_S * 1_000;
    while (!isComplete() && Date.now() < end) await sleep(250);
    expectEverything(ORDERS, KILLS);
    expect(subscribers.hooks.repeats + subscribers.mails.repeats).toBeLessThanOrEqual(
      KILLS * SLOTS,
    );
  }, 400_000);
});
