import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { JobScheduler } from '../src/database/jobs/job-scheduler.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { TestApp } from './support/app.js';
import { Bank, startPayment } from './support/bank.js';
import type { Client, OrderJson } from './support/client.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, untilBlocked } from './support/facts.js';
import { FaultProxy, type Line } from './support/fault-proxy.js';
import { CALLERS, tally, together, until } from './support/race.js';

/** Longest time to an answer while the database is away, and from its return to the next success. */
const LIMIT_MS = 5_000;

/** In this time the scheduler polls for due jobs. */
const JOBS_POLL_MS = 2_000;

interface Timed {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly ms: number;
}

async function timed(ask: () => Promise<Response>): Promise<Timed> {
  const start = performance.now();
  const response = await ask();
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    ms: performance.now() - start,
  };
}

const suite = onPostgres(describe, 'no line leads to the embedded database');

suite('a database that is away', () => {
  let database: TestDatabase;
  let proxy: FaultProxy;
  let app: TestApp;
  let shop: Client;
  let bank: Bank;
  let order: OrderJson;
  let payment: string;

  beforeAll(async () => {
    database = await createTables();
    const { hostname, port } = new URL(database.url);
    proxy = await FaultProxy.start(hostname, Number(port || 5432));
    app = await TestApp.start({
      database: { ...database, url: proxy.through(database.url) },
      env: { LOG_LEVEL: 'fatal', ROLE: 'all' },
    });
    shop = await app.merchant();
    bank = await Bank.of(app, shop);
    order = await shop.order();
    payment = await startPayment(app, order);
  });
  afterEach(() => proxy.become('works').then(comesBack));
  afterAll(async () => {
    await app.stop();
    await proxy.stop();
    await database.drop();
  });

  const page = (path: string, body?: URLSearchParams): Promise<Response> =>
    fetch(order.paymentPageUrl + path, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      ...(body ? { body } : {}),
    });

  const newOrder = (id: string) => ({ orderMerchantId: id, amount: 100, currency: 'EUR' });

  /** Every kind of request that needs the database; those of payers get pages. */
  const programs: Record<string, () => Promise<Response>> = {
    create: () => shop.send('POST', '/api/order', newOrder('AWAY')),
    'create with a key': () =>
      shop.send('POST', '/api/order', newOrder('AWAY-2'), { 'idempotency-key': 'away' }),
    read: () => shop.send('GET', `/api/order?txid=${order.txid}`),
    'read by orderMerchantId': () =>
      shop.send('GET', `/api/order?orderMerchantId=${order.orderMerchantId}`),
    status: () => shop.send('GET', `/api/order/status?orderTransactionId=${order.txid}`),
    cancel: () => shop.send('DELETE', `/api/order/${order.txid}`),
    'cancel with a key': () =>
      shop.send('DELETE', `/api/order/${order.txid}`, undefined, { 'idempotency-key': 'away' }),
    pay: () =>
      shop.send('POST', `/api/test-helpers/order/${order.txid}/payment`, { outcome: 'paid' }),
    callback: () => bank.post(bank.message(order, payment, 'booked', { id: 'away' })),
    ready: () => fetch(`${app.url}/health/ready`),
  };
  const pages: Record<string, () => Promise<Response>> = {
    'payment page': () => page(''),
    'start at the page': () => page('/start', new URLSearchParams({ method: 'sandbox' })),
    'cancel at the page': () => page('/cancel', new URLSearchParams()),
    return: () => page('/return'),
    events: () => page('/events'),
  };

  const requests = { ...programs, ...pages };

  async function comesBack(): Promise<void> {
    const start = performance.now();
    await until('the service works again', async () => {
      const answers = await together(() => shop.read(order.txid), 3);
      const ready = await fetch(`${app.url}/health/ready`);
      return [...answers, ready].every(({ status }) => status === 200);
    });
    expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  }

  /** Every session begins anew. */
  async function reconnect(): Promise<void> {
    await proxy.become('refuses');
    await proxy.become('works');
    await comesBack();
  }

  function expectUnavailable(name: string, { status, headers, text, ms }: Timed): void {
    expect({ name, status, text }).toMatchObject({ name, status: 503 });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(ms).toBeLessThan(LIMIT_MS);
    if (name in pages) {
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      return;
    }
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', status: 503, retryable: true });
  }

  const askEverything = async (): Promise<Record<string, Timed>> => {
    const asked = Object.entries(requests).map(async ([name, ask]) => [name, await timed(ask)]);
    return Object.fromEntries(await Promise.all(asked));
  };

  const faults: Line[] = ['refuses', 'cuts', 'swallows', 'silent'];

  it.each(faults)('answers 503 in time when the line %s, whatever is asked', async (line) => {
    // The pool has connections, and some of them are idle.
    await together(() => shop.read(order.txid));
    await proxy.become(line);
    for (const [name, answer] of Object.entries(await askEverything())) {
      expectUnavailable(name, answer);
    }
    expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
  });

  it('outlives sessions that the server ends right behind an answer, whatever is asked', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 12; round++) {
      await proxy.become('dismisses');
      const answers = Object.values(await askEverything());
      statuses.push(...answers.map(({ status }) => status));
      await proxy.become('works');
    }
    // One statement may succeed; a transaction is cut off in its middle.
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
  });

  it('does not believe its idle connections once one of them was silent', async () => {
    await together(() => shop.read(order.txid));
    await proxy.become('silent');
    expect((await shop.read(order.txid)).status).toBe(503);
    await proxy.become('works');
    const answers = await together(() => shop.read(order.txid));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: CALLERS });
  });

  it.each(faults)('answers 503 in time when the line %s and the pool is empty', async (line) => {
    await proxy.stop();
    await proxy.become(line);
    for (const [name, answer] of Object.entries(await askEverything())) {
      expectUnavailable(name, answer);
    }
  });

  it('answers in time when requests keep coming while the line is silent', async () => {
    await together(() => shop.read(order.txid));
    await proxy.become('silent');
    const waves = await together(async (wave) => {
      await sleep(wave * 600);
      return together(() => timed(programs['read']!), CALLERS / 2);
    }, 8);
    for (const answer of waves.flat()) expectUnavailable('read', answer);
  }, 30_000);

  it('frees an order whose transaction was cut off in the middle', async () => {
    const { txid } = await shop.order();
    const operator = await connect(database.url);
    await operator.query('BEGIN; LOCK TABLE events IN SHARE MODE');
    const cut = shop.cancel(txid);
    // The request waits, and holds its order.
    await untilBlocked(app, 1);
    await proxy.become('silent');
    await operator.query('COMMIT');
    await operator.end();
    expect((await cut).status).toBe(503);
    await proxy.become('works');
    const start = performance.now();
    await until('the order is cancelled', async () => (await shop.cancel(txid)).status === 200);
    expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  });

  it('makes no second order when the answer to the first was lost', async () => {
    let id: string;
    let attempt = 0;
    const isWritten = async () => (await count(app, 'orders', 'order_merchant_id = $1', [id])) > 0;
    // A job that asks at the same moment can lose the connection before the order is sent.
    do {
      id = `LOST-${++attempt}`;
      await shop.order();
      await proxy.become('swallows');
      expect((await shop.create(newOrder(id), { 'idempotency-key': id })).status).toBe(503);
      await proxy.become('works');
    } while (!(await isWritten()) && attempt < 10);
    const lost = newOrder(id);
    const headers = { 'idempotency-key': id };
    const [first, second] = [await shop.create(lost, headers), await shop.create(lost, headers)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.headers.get('idempotent-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    expect(await count(app, 'orders', 'order_merchant_id = $1', [id])).toBe(1);
  });

  it('loses nothing that it acknowledged, and makes nothing twice, on a bad line', async () => {
    const created = new Map<string, string>();
    const statuses: number[] = [];
    const createUntilAcknowledged = async (id: string): Promise<void> => {
      for (let attempt = 0; attempt < 100; attempt++) {
        const answer = await shop.create(newOrder(id), { 'idempotency-key': id });
        statuses.push(answer.status);
        if (answer.status === 201) return void created.set(id, answer.body.txid);
        await sleep(100);
      }
      throw new Error('never acknowledged');
    };
    let isOver = false;
    const trouble = (async () => {
      const lines: Line[] = ['swallows', 'works', 'cuts', 'works', 'refuses', 'works'];
      for (let n = 0; !isOver; n++) {
        const line = lines[n % lines.length]!;
        await proxy.become(line);
        await sleep(line === 'works' ? 100 : 30);
      }
      await proxy.become('works');
    })();
    const ids = Array.from({ length: 300 }, (_, n) => `STORM-${n}`);
    const queue = [...ids];
    await together(async () => {
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        await createUntilAcknowledged(id);
      }
    });
    isOver = true;
    await trouble;
    await comesBack();
    const kinds = tally(statuses);
    expect(Object.keys(kinds)).toEqual(['201', '503']);
    for (const id of ids) {
      const read = await shop.call('GET', `/api/order?orderMerchantId=${id}`);
      expect([read.status, read.body['txid']]).toEqual([200, created.get(id)]);
    }
    expect(await count(app, 'orders', `order_merchant_id LIKE 'STORM-%'`, [])).toBe(ids.length);
  });

  it('writes again soon after a read-only time, however busy its connections are', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const operator = await connect(database.url);
    await operator.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    try {
      await reconnect();
      await together(() => shop.create(), 20);
    } finally {
      await operator.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await operator.end();
    }
    // Those that were opened for reads meanwhile are found out by a write each.
    await together(() => shop.create(), 20);
    const after = [];
    for (let n = 0; n < 10; n++) after.push((await shop.create()).status);
    expect(tally(after)).toEqual({ 201: 10 });
  });

  it('answers reads and refuses writes when the database is read-only', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const operator = await connect(database.url);
    await operator.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    try {
      await reconnect();
      for (const read of ['read', 'read by orderMerchantId', 'status', 'ready', 'payment page']) {
        expect({ read, status: (await timed(requests[read]!)).status }).toEqual({
          read,
          status: 200,
        });
      }
      for (const write of ['create', 'cancel', 'pay', 'callback', 'start at the page']) {
        expectUnavailable(write, await timed(requests[write]!));
      }
    } finally {
      await operator.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await operator.end();
      await reconnect();
    }
  });

  it('does its jobs again after the line was silent', async () => {
    await proxy.become('silent');
    await sleep(JOBS_POLL_MS);
    await proxy.become('works');
    const runs = jest.spyOn(app.get(Sweeper), 'run');
    const wakes = async () => {
      await app.get(JobScheduler).wake('sweep', new Date());
      return runs.mock.calls.length > 0;
    };
    await until('a job rings', wakes, 45);
  });
});
