import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { count } from './support/facts.js';
import { until } from './support/race.js';
import { type Answer, closes, Receiver } from './support/receiver.js';

const ORDERS = 500;
/** Milliseconds that a shop's program is away, and seconds until it has everything afterwards. */
const AWAY_MS = Number(process.env['OUTAGE_S'] ?? 120) * 1_000;
const CAUGHT_UP_S = 15;
/** Milliseconds after which a shop that was never away has heard of an order. */
const SOON_MS = 5_000;

const ids = ({ received }: Receiver): string[] =>
  received.map(({ headers }) => String(headers['webhook-id']));

describe('minutes away', () => {
  let app: TestApp;
  let shop: Client;
  let other: Client;
  const receivers: Receiver[] = [];

  const listens = async (client: Client, answer: Answer): Promise<Receiver> => {
    const receiver = await Receiver.start();
    receiver.always(answer);
    receivers.push(receiver);
    const request = { url: receiver.url, eventTypes: ['order.created'] };
    await client.call('POST', '/api/webhook-endpoint', request);
    return receiver;
  };

  beforeAll(async () => {
    const env = { ROLE: 'all', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    app = await TestApp.start({ realTime: true, env });
    [shop, other] = [await app.merchant(), await app.merchant()];
  });
  afterAll(async () => {
    await app.stop();
    for (const receiver of receivers) await receiver.stop();
  });

  it('are made up for in seconds, beside an endpoint that stays dead', async () => {
    const away = await listens(shop, closes);
    const dead = await listens(shop, closes);
    const neighbour = await listens(other, 204);
    const isAwayUntil = Date.now() + AWAY_MS;
    const had = async () =>
      count(app, 'deliveries', `status = 'delivered' AND merchant_id = $1`, [shop.merchantId]);
    for (let n = 0; n < ORDERS; n++) {
      await shop.order();
      if (n % 10 === 0) await other.order();
    }
    await until('the neighbour has heard of all', async () => {
      return neighbour.received.length === ORDERS / 10;
    });
    while (Date.now() < isAwayUntil) {
      const before = neighbour.received.length;
      await other.order();
      const since = Date.now();
      await until('the neighbour hears', async () => neighbour.received.length > before);
      expect(Date.now() - since).toBeLessThan(SOON_MS);
      await sleep(1_000);
    }
    expect(await had()).toBe(0);
    expect(dead.received.length).toBeGreaterThan(0);

    const tried = away.received.length;
    const since = Date.now();
    away.always(204);
    await until('all are there', async () => (await had()) === ORDERS, CAUGHT_UP_S);
    const seconds = (Date.now() - since) / 1_000;
    console.log(`${ORDERS} events ${seconds.toFixed(1)} s after ${AWAY_MS / 1_000} s away`);
    expect(new Set(ids(away)).size).toBe(ORDERS);
    expect(new Set(ids(away).slice(tried)).size).toBe(ids(away).length - tried);
  }, 300_000);
});
