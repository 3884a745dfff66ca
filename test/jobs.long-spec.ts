import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { JobRepository } from '../src/database/jobs/job.repository.js';
import { JobScheduler } from '../src/database/jobs/job-scheduler.js';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { createTables, type TestDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { together, until } from './support/race.js';

const JOB = 'sandbox-callbacks';
/** Far more than a wake-up takes, in seconds. */
const TIMEOUT_S = 30;

describe('background jobs', () => {
  let database: TestDatabase;
  let app: TestApp;
  const others: TestApp[] = [];

  const start = () => TestApp.start({ database, realTime: true, env: { ROLE: 'all' } });
  /** What follows within a minute runs because it is woken. */
  const later = () => select(app, `UPDATE jobs SET due_at = now() + interval '59 seconds'`);

  beforeEach(async () => {
    database = await createTables();
    app = await start();
    await later();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all([app, ...others.splice(0)].map((each) => each.stop()));
    await database.drop();
  });

  const dueAt = async (): Promise<Date> => {
    const [job] = await select<{ at: Date }>(app, 'SELECT due_at AS at FROM jobs WHERE name = $1', [
      JOB,
    ]);
    return job!.at;
  };
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);

  const payLater = async (shop: Client, afterSeconds: number): Promise<void> => {
    const { txid } = await shop.order();
    const body = { outcome: 'pending', afterSeconds };
    const reply = await shop.call('POST', `/api/test-helpers/order/${txid}/payment`, body);
    expect(reply.status).toBe(200);
  };
  const paid = async (shop: Client) =>
    count(app, 'orders', `merchant_id = $1 AND status = 'paid'`, [shop.merchantId]);

  it('pay hundreds of payments that are due at different times, in one run a second at most', async () => {
    const shop = await app.merchant();
    const runs = jest.spyOn(app.get(SandboxCallbacksService), 'sendDue');
    const begun = Date.now();
    // Due in an order of their own: later, sooner, and between.
    for (let n = 0; n < 300; n++) await payLater(shop, 1 + ((n * 7) % 10));
    await until('all are paid', async () => (await paid(shop)) === 300, TIMEOUT_S);
    expect(runs.mock.calls.length).toBeLessThanOrEqual((Date.now() - begun) / 1_000 + 1);
  });

  it('run at the earliest requested time', async () => {
    const earliest = inSeconds(40);
    for (const at of [inSeconds(3_600), earliest, inSeconds(50)])
      await app.get(JobScheduler).wake(JOB, at);
    expect(await dueAt()).toEqual(earliest);
    const shop = await app.merchant();
    await payLater(shop, 1);
    await until('it is paid', async () => (await paid(shop)) === 1, TIMEOUT_S);
  });

  it('run again after a wake-up during their run, and never twice at once in a process', async () => {
    const scheduler = app.get(JobScheduler);
    const finished = Promise.withResolvers<undefined>();
    const runs = jest
      .spyOn(app.get(SandboxCallbacksService), 'sendDue')
      .mockReturnValueOnce(finished.promise)
      .mockResolvedValue(undefined);
    await scheduler.wake(JOB, new Date());
    await until('it runs', async () => runs.mock.calls.length === 1);
    await scheduler.wake(JOB, new Date());
    await sleep(3_000);
    expect(runs).toHaveBeenCalledTimes(1);
    finished.resolve(undefined);
    await until('it runs again', async () => runs.mock.calls.length === 2);
  });

  it('run again a minute after a failed or interrupted run', async () => {
    jest.spyOn(app.get(SandboxCallbacksService), 'sendDue').mockRejectedValueOnce(new Error('no'));
    await app.get(JobScheduler).wake(JOB, new Date());
    await until('it failed', async () => app.log.some((line) => line.includes('job failed')));
    const seconds = ((await dueAt()).getTime() - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(61);
  });

  it('run although a clock that was ahead has put them off for a year', async () => {
    const runs = jest.spyOn(app.get(SandboxCallbacksService), 'sendDue');
    const ahead = `UPDATE jobs SET due_at = now() + interval '1 year' WHERE name = $1`;
    await select(app, ahead, [JOB]);
    await until('it runs', async () => runs.mock.calls.length > 0);
    const seconds = ((await dueAt()).getTime() - Date.now()) / 1_000;
    expect(seconds).toBeLessThanOrEqual(61);
  });

  it('are claimed by one of several processes', async () => {
    others.push(await start(), await start());
    const repositories = [app, ...others].map((each) => each.get(JobRepository));
    for (let round = 0; round < 20; round++) {
      await select(app, `UPDATE jobs SET due_at = now() WHERE name = $1`, [JOB]);
      const claims = await together((n) => repositories[n % 3]!.claim([JOB]), 12);
      // The schedulers of the three may be first.
      expect(claims.flat().length).toBeLessThanOrEqual(1);
    }
  });
});
