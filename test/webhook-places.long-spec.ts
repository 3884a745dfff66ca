import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DeliveryRepository,
  type WebhookSlots,
} from '../src/database/notifications/delivery.repository.js';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { IDLE } from './support/delivery-rows.js';
import { select } from './support/facts.js';
import { tally, until } from './support/race.js';
import { Receiver } from './support/receiver.js';

const ENDPOINTS = 10;
const NOWHERE = 'http://127.0.0.1:9/';
const FAILING = 'UPDATE webhook_endpoints SET failing_since = $2 WHERE id = ANY ($1)';
const hook = async (shop: Client, url: string): Promise<string> => {
  const reply = await shop.call<{ id: string }>('POST', '/api/webhook-endpoint', { url });
  expect(reply.status).toBe(201);
  return reply.body.id;
};
const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

describe('places to deliver webhooks', () => {
  let app: TestApp;
  let crowds: Client[];

  beforeAll(async () => {
    app = await TestApp.start({ env });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    await select(app, 'DELETE FROM deliveries');
    crowds = [await app.merchant(), await app.merchant(), await app.merchant()];
  });

  /**
   * Ten endpoints, for which more waits than there are places.
   * @returns their ids
   */
  const crowd = async (shop: Client): Promise<string[]> => {
    const ids: string[] = [];
    while (ids.length < ENDPOINTS) ids.push(await hook(shop, NOWHERE));
    for (let n = 0; n < 4; n++) await shop.order();
    return ids;
  };
  /** How many each merchant gets; all of it is due again at once. */
  const claimed = async (slots: Partial<WebhookSlots> = {}): Promise<number[]> => {
    const now = app.clock.now();
    const rows = await app.get(DeliveryRepository).claimWebhooks(now, now, { ...IDLE, ...slots });
    const counts = tally(rows.map(({ merchantId }) => merchantId));
    return crowds.map(({ merchantId }) => counts[merchantId] ?? 0);
  };

  it('are shared: nobody takes more than he leaves', async () => {
    await crowd(crowds[0]!);
    expect(await claimed()).toEqual([20, 0, 0]);
    await crowd(crowds[1]!);
    expect(await claimed()).toEqual([13, 13, 0]);
    await crowd(crowds[2]!);
    expect(await claimed()).toEqual([10, 10, 10]);
  });

  it('are given first to whoever has fewest', async () => {
    const [first, second, third] = crowds as [Client, Client, Client];
    for (const shop of crowds) await crowd(shop);
    const others = new Map([
      [first.merchantId, 20],
      [second.merchantId, 10],
    ]);
    expect(await claimed({ free: 10, others })).toEqual([0, 0, 5]);
    expect(await claimed({ free: 1, others })).toEqual([0, 0, 1]);
    others.set(third.merchantId, 9);
    expect(await claimed({ free: 1, others })).toEqual([0, 0, 0]);
    others.delete(first.merchantId);
    expect(await claimed({ free: 21, others })).toEqual([10, 0, 1]);
  });

  it.each(['slow', 'failing'])(
    'of endpoints that are %s are half, and shared likewise',
    async (kind) => {
      const slow = new Set<string>();
      const heldBackCrowd = async (shop: Client) => {
        const ids = await crowd(shop);
        if (kind === 'slow') for (const id of ids) slow.add(id);
        else await select(app, FAILING, [ids, app.clock.now()]);
      };
      const [first, second, third] = crowds as [Client, Client, Client];
      await heldBackCrowd(first);
      expect(await claimed({ slow })).toEqual([10, 0, 0]);
      await heldBackCrowd(second);
      expect((await claimed({ slow })).toSorted()).toEqual([0, 6, 7]);
      const heldBack = new Map([
        [first.merchantId, 10],
        [second.merchantId, 6],
      ]);
      await crowd(third);
      const full = { slow, heldBack, free: 20, freeHeldBack: 0 };
      expect(await claimed(full)).toEqual([0, 0, 10]);
      expect(await claimed({ ...full, free: 24, freeHeldBack: 4 })).toEqual([0, 0, 12]);
      heldBack.delete(second.merchantId);
      expect(await claimed({ ...full, free: 24, freeHeldBack: 4 })).toEqual([0, 2, 11]);
    },
  );

  it('are drawn among merchants before their endpoints', async () => {
    const [many, one] = crowds as [Client, Client];
    await crowd(many);
    await hook(one, NOWHERE);
    await one.order();
    let won = 0;
    for (let n = 0; n < 100; n++) won += (await claimed({ free: 1 }))[1]!;
    expect(won).toBeGreaterThan(25);
    expect(won).toBeLessThan(75);
  });
});

describe('merchants whose receivers are slow, and succeed', () => {
  let app: TestApp;
  let slow: Receiver;

  beforeEach(async () => {
    app = await TestApp.start({ realTime: true, env: { ...env, ROLE: 'all' } });
    slow = await Receiver.start();
  });
  afterEach(async () => {
    await select(app, 'UPDATE webhook_endpoints SET deleted_at = now()');
    await slow.stop();
    await app.stop();
  });

  const slowShop = async (orders: number): Promise<void> => {
    const shop = await app.merchant();
    for (let n = 0; n < ENDPOINTS; n++) await hook(shop, slow.url);
    for (let n = 0; n < orders; n++) await shop.order();
  };

  it('hold up nobody else’s webhooks', async () => {
    slow.always({ status: 200, delayMs: 12_000 });
    const fast = await Receiver.start();
    for (let n = 0; n < 2; n++) await slowShop(20);
    const shop = await app.merchant();
    await hook(shop, fast.url);
    await until('the slow ones have their places', async () => slow.openMax >= 20);
    for (let n = 1; n <= 12; n++) {
      await shop.order();
      await until('it arrived', async () => fast.received.length === n, 6);
      await sleep(1_500);
    }
    expect(slow.openMax).toBeLessThan(40);
    await fast.stop();
  });

  it('have fewer places once they are known', async () => {
    slow.always({ status: 200, delayMs: 1_200 });
    await slowShop(16);
    const received = async (most: number) => slow.received.length >= most;
    // While the first are answered, endpoints that are not known yet get places once more.
    await until('these are over', () => received(80), 60);
    slow.openMax = 0;
    await until('all arrived', () => received(160), 60);
    expect(slow.openMax).toBeGreaterThan(0);
    expect(slow.openMax).toBeLessThanOrEqual(10);
  });
});
