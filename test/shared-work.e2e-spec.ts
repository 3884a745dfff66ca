import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { forRequest, fairnessKey, RequestContext } from '../src/overload/request-context.js';
import { ExportRepository } from '../src/database/exports/export.repository.js';
import { ApiKeyRepository } from '../src/database/merchants/api-key.repository.js';
import { DeliveryRepository } from '../src/database/notifications/delivery.repository.js';
import { OrderRepository } from '../src/database/orders/order.repository.js';
import { PageOpeningRepository } from '../src/database/orders/page-opening.repository.js';
import { ExportWorker } from '../src/exports/export-worker.js';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { until } from './support/race.js';

/** Rings lead to a look sooner than this, and the loops look by themselves later. */
const SOON_MS = 200;

let app: TestApp;
let shop: Client;

beforeAll(async () => {
  app = await TestApp.start({ env: { ROLE: 'all' } });
  shop = await app.merchant();
});
afterAll(() => app.stop());

/** In whose name the method is called from now on. */
function holdersOf<T>(token: new (...args: never[]) => T, method: keyof T & string): unknown[] {
  const holders: unknown[] = [];
  const repository = app.get(token) as Record<string, (...args: unknown[]) => unknown>;
  const original = repository[method]!.bind(repository);
  jest.spyOn(repository, method).mockImplementation((...args) => {
    holders.push(fairnessKey());
    return original(...args);
  });
  return holders;
}

it('is nobody’s: what a request sets going for everybody is not done in its name', async () => {
  const claims = holdersOf(DeliveryRepository, 'claimWebhooks');
  const mails = holdersOf(DeliveryRepository, 'claimMails');
  const looks = holdersOf(OrderRepository, 'versionsOf');
  const openings = holdersOf(PageOpeningRepository, 'insert');
  const counts = holdersOf(ApiKeyRepository, 'countCalls');
  const exports = holdersOf(ExportRepository, 'claim');
  const orders = [];
  for (let n = 0; n < 5; n++) {
    orders.push(await shop.order());
    await sleep(SOON_MS);
  }
  const [{ txid, paymentPageUrl }] = orders as [(typeof orders)[0]];
  await fetch(paymentPageUrl);
  const page = await fetch(`${paymentPageUrl}/events`);
  const before = looks.length;
  await shop.cancel(txid);
  await until('a look for open pages', async () => looks.length > before + 1);
  await page.body?.cancel();
  await shop.call('GET', `/api/order/${txid}`);
  forRequest(() => app.get(ExportWorker).wake(), new RequestContext(1_000, 'somebody'));
  await until('the opening is written', async () => openings.length > 0);
  await until('the export is looked for', async () => exports.length > 0);
  await until('the call is counted', async () => counts.length > 0);
  expect(claims.length).toBeGreaterThan(5);
  const all = { claims, mails, looks, openings, counts, exports };
  const held = Object.entries(all).filter(([, holders]) => holders.some(Boolean));
  expect(held).toEqual([]);
});
