import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../src/database/job-queue.js';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { createTables, type TestDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { until } from './support/race.js';

const QUEUE = 'sandbox-callbacks';
/** Far more than an alarm takes, and no clock rings meanwhile. */
const TIMEOUT_S = 30;

describe('alarms', () => {
  let database: TestDatabase;
  let app: TestApp;

  const start = () => TestApp.start({ database, realTime: true, env: { ROLE: 'all' } });

  beforeEach(async () => {
    database = await createTables();
    app = await start();
    // What follows is woken by alarms alone.
    await select(app, 'DELETE FROM job.schedule');
    await until('the clock rings no more', async () => (await waiting()) === 0);
  });
  afterEach(async () => {
    await app.stop();
    await database.drop();
  });

  const waiting = () => count(app, 'job.job', `name = $1 AND state = 'created'`, [QUEUE]);
  const alarms = () =>
    select<{ at: Date }>(
      app,
      `SELECT start_after AS at FROM job.job
       WHERE name = $1 AND state = 'created' AND singleton_key = 'alarm'`,
      [QUEUE],
    );

  const payLater = async (shop: Client, afterSeconds: number): Promise<string> => {
    const { txid } = await shop.order();
    const body = { outcome: 'pending', afterSeconds };
    const reply = await shop.call('POST', `/api/test-helpers/order/${txid}/payment`, body);
    expect(reply.status).toBe(200);
    return txid;
  };
  const paid = async (shop: Client) =>
    count(app, 'orders', `merchant_id = $1 AND status = 'paid'`, [shop.merchantId]);

  it('are one for hundreds of payments that come later, and each of these comes in time', async () => {
    const shop = await app.merchant();
    let most = 0;
    for (let n = 0; n < 300; n++) {
      // Due in an order of their own: later, sooner, and between.
      await payLater(shop, 1 + ((n * 7) % 10));
      if (n % 10 === 0) most = Math.max(most, await waiting());
    }
    // One, and one more of the clock that began before it was stopped.
    expect(most).toBeLessThanOrEqual(2);
    await until('all are paid', async () => (await paid(shop)) === 300, TIMEOUT_S);
    expect(await alarms()).toEqual([]);
    // One run a second at most, whatever was asked for.
    expect(await count(app, 'job.job', 'name = $1', [QUEUE])).toBeLessThan(100);
  });

  it('ring at the earliest time that was asked for', async () => {
    const jobs = app.get(JobQueue);
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    const [hour, minute] = [inSeconds(3_600), inSeconds(60)];
    for (const at of [hour, minute, inSeconds(1_800)]) await jobs.wake(QUEUE, at);
    expect(await alarms()).toEqual([{ at: minute }]);
    const shop = await app.merchant();
    await payLater(shop, 1);
    await until('it is paid', async () => (await paid(shop)) === 1, TIMEOUT_S);
  });
});
