import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { JobScheduler } from '../src/database/jobs/job-scheduler.js';
import { SWEEP_JOB, Sweeper } from '../src/payments/sweeper.js';
import { TestApp } from './support/app.js';
import type { Client, OrderJson } from './support/client.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { until } from './support/race.js';

/** The samples of a scrape: each line's name with its labels, and its value. */
async function scrape(app: TestApp): Promise<Map<string, number>> {
  const response = await fetch(`${app.url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await response.text()).split('\n').filter((line) => /^[a-z]/.test(line));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

describe('metrics', () => {
  let app: TestApp;
  let shop: Client;
  let order: OrderJson;

  beforeAll(async () => {
    app = await TestApp.start();
    shop = await app.merchant({ name: 'Zitronenladen' });
    order = await shop.order();
    await shop.pay(order.txid);
    const declined = await shop.order();
    await shop.pay(declined.txid, { outcome: 'declined' });
    await shop.cancel(declined.txid);
  });
  afterAll(() => app.stop());

  it('counts orders by the status that they reached', async () => {
    const samples = await scrape(app);
    expect(samples.get('payment_orders_orders_total{status="open"}')).toBe(3);
    expect(samples.get('payment_orders_orders_total{status="processing"}')).toBe(2);
    expect(samples.get('payment_orders_orders_total{status="paid"}')).toBe(1);
    expect(samples.get('payment_orders_orders_total{status="cancelled"}')).toBe(1);
  });

  it('counts payments by provider and outcome, and a repeated callback once', async () => {
    const { txid } = await shop.order();
    await shop.pay(txid, { repeat: 3 });
    const samples = await scrape(app);
    expect(samples.get('payment_orders_payments_total{provider="sandbox",outcome="started"}')).toBe(
      3,
    );
    expect(
      samples.get('payment_orders_payments_total{provider="sandbox",outcome="succeeded"}'),
    ).toBe(2);
    expect(samples.get('payment_orders_payments_total{provider="sandbox",outcome="failed"}')).toBe(
      1,
    );
  });

  it('times requests by method, route and class of status', async () => {
    await shop.read(order.txid);
    await shop.call('GET', '/api/order?txid=nonsense');
    await fetch(`${app.url}/nothing/here/${order.txid}`);
    const samples = await scrape(app);
    const count = (method: string, route: string, status: string) =>
      samples.get(
        `payment_orders_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      );
    expect(count('POST', '/api/order', '2xx')).toBeGreaterThanOrEqual(2);
    expect(count('GET', '/api/order', '2xx')).toBe(1);
    expect(count('GET', '/api/order', '4xx')).toBe(1);
    expect(count('GET', 'none', '4xx')).toBe(1);
    expect(count('DELETE', '/api/order/:txid', '2xx')).toBe(1);
  });

  it('shows the cache of the payment page at work', async () => {
    const { paymentPageUrl } = await shop.order();
    const before = await scrape(app);
    await fetch(paymentPageUrl);
    await fetch(paymentPageUrl);
    const after = await scrape(app);
    const growth = (name: string) => after.get(name)! - before.get(name)!;
    expect(growth('payment_orders_payment_page_cache_misses_total')).toBe(1);
    expect(growth('payment_orders_payment_page_cache_hits_total')).toBe(1);
    expect(growth('payment_orders_payment_page_cache_pages')).toBe(1);
    expect(after.get('payment_orders_payment_page_cache_oldest_age_seconds')).toBeGreaterThan(0);
  });

  it('counts open pages', async () => {
    const { paymentPageUrl } = await shop.order();
    const end = new AbortController();
    await fetch(`${paymentPageUrl}/events`, { signal: end.signal });
    expect((await scrape(app)).get('payment_orders_payment_page_streams')).toBe(1);
    end.abort();
  });

  it('shows the connections and the process', async () => {
    const samples = await scrape(app);
    expect(samples.get('payment_orders_database_connections_idle')).toBeGreaterThanOrEqual(1);
    expect(samples.get('payment_orders_database_connections_used')).toBe(0);
    expect(samples.get('payment_orders_database_connections_waiting')).toBe(0);
    expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(samples.get('payment_orders_unhandled_errors_total')).toBe(0);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });

  it('tells nobody whom it serves', async () => {
    const text = [...(await scrape(app)).keys()].join('\n');
    for (const secret of [shop.merchantId, 'Zitronenladen', order.txid, order.orderMerchantId]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain(order.paymentPageUrl.split('/').at(-1));
  });
});

describe('metrics of jobs', () => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await createDatabase();
    app = await TestApp.start({ database, realTime: true, env: { ROLE: 'all' } });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  it('shows for how long a job is overdue', async () => {
    // Its run does not end, so this process claims it no more.
    const runs = jest.spyOn(app.get(Sweeper), 'run').mockReturnValue(new Promise(() => undefined));
    await app.get(JobScheduler).wake(SWEEP_JOB, new Date());
    await until('it runs', async () => runs.mock.calls.length > 0);
    await select(app, `UPDATE jobs SET due_at = now() - interval '5 seconds' WHERE name = $1`, [
      SWEEP_JOB,
    ]);
    const overdue = (await scrape(app)).get(
      `payment_orders_jobs_overdue_seconds{job="${SWEEP_JOB}"}`,
    );
    expect(overdue).toBeGreaterThan(4);
  });
});
