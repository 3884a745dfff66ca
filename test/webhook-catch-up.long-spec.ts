import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebhookWorker } from '../src/notifications/webhooks/webhook-worker.js';
import type { Client } from './support/client.js';
import { select } from './support/facts.js';
import { together } from './support/race.js';
import { closes, Receiver } from './support/receiver.js';
import { openShop } from './support/shop.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PATH = '/api/webhook-endpoint';

const { app } = await openShop({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const worker = app.get(WebhookWorker);

describe('an endpoint that was away', () => {
  let shop: Client;
  let receiver: Receiver;
  let endpointId: string;

  beforeEach(async () => {
    shop = await app.merchant();
    receiver = await Receiver.start();
    const request = { url: receiver.url, eventTypes: ['order.created'] };
    endpointId = (await shop.call<{ id: string }>('POST', PATH, request)).body.id;
  });
  afterEach(async () => {
    await receiver.stop();
    await shop.call('DELETE', `${PATH}/${endpointId}`);
  });

  const sell = (orders: number) => together(() => shop.order(), orders);
  const pass = async (ms: number): Promise<void> => {
    app.clock.advance(ms);
    await worker.drain();
  };
  /** Orders of which the endpoint was told in vain, until all of them wait for hours. */
  const missed = async (orders: number): Promise<void> => {
    receiver.always(closes);
    await sell(orders);
    await worker.drain();
    for (const ms of [7 * SECOND, 7 * MINUTE, 40 * MINUTE, 3 * HOUR]) await pass(ms);
    await waits(orders);
    receiver.received.length = 0;
  };
  const waiting = (): Promise<{ attempts: number; extra: number; ms: number }[]> =>
    select(
      app,
      `SELECT attempts, extra_attempts AS extra,
         extract(epoch FROM next_attempt_at - $2::timestamptz)::float8 * 1000 AS ms
       FROM deliveries WHERE endpoint_id = $1 AND status = 'pending' ORDER BY next_attempt_at`,
      [endpointId, app.clock.now()],
    );
  const waits = async (deliveries: number): Promise<void> =>
    expect(await waiting()).toHaveLength(deliveries);
  const ids = (): string[] => receiver.received.map(({ headers }) => String(headers['webhook-id']));

  it('is caught up with the first success, each event once', async () => {
    await missed(50);
    receiver.always(204);
    await shop.order();
    await pass(1);
    await waits(0);
    expect(ids()).toHaveLength(51);
    expect(new Set(ids()).size).toBe(51);
  });

  it('is asked after a twentieth of the silence whether it answers, and then caught up', async () => {
    await missed(20);
    const [first] = await waiting();
    expect(first!.ms).toBeLessThanOrEqual((4 * HOUR) / 20);
    receiver.always(204);
    await pass(first!.ms);
    await waits(0);
    expect(new Set(ids()).size).toBe(20);
  });

  it('is asked soon after a short silence', async () => {
    receiver.always(closes);
    await sell(5);
    await worker.drain();
    await pass(7 * SECOND);
    for (let n = 0; n < 20; n++) {
      const [first] = await waiting();
      expect(first!.ms).toBeLessThanOrEqual(7 * SECOND);
      await pass(Math.max(1, first!.ms));
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'is sent again',
      async () => {
        const from = new Date(app.clock.now().getTime() - 24 * HOUR).toISOString();
        const { body } = await shop.call('POST', `${PATH}/${endpointId}/resend`, { from });
        expect(body).toEqual({ queued: 30, hasMore: false });
      },
    ],
    ['is switched on', () => shop.call('PATCH', `${PATH}/${endpointId}`, { enabled: true })],
    [
      'is pointed elsewhere',
      () => shop.call('PATCH', `${PATH}/${endpointId}`, { url: `${receiver.url}/new` }),
    ],
  ])('gets at once what waits when it %s', async (_, act) => {
    await missed(30);
    app.clock.advance(1);
    receiver.always(204);
    await act();
    await pass(1);
    await waits(0);
    expect(new Set(ids()).size).toBe(30);
    expect(ids()).toHaveLength(30);
  });

  it('sets the pace: what it does not take waits on, with its time', async () => {
    await missed(60);
    const patience = { status: 429, headers: { 'retry-after': '20' } };
    receiver.next(204, 204, 204, 204, 204, 204);
    receiver.always(patience);
    await shop.order();
    await pass(1);
    const tried = ids().length;
    expect(tried).toBeLessThan(30);
    for (let n = 0; n < 19; n++) await pass(SECOND);
    expect(ids()).toHaveLength(tried);
    const counted = (await waiting()).map(({ attempts, extra }) => attempts - extra);
    expect(Math.max(...counted)).toBeLessThanOrEqual(6);
    receiver.always(204);
    for (let n = 0; n < 10; n++) await pass(2 * SECOND);
    await waits(0);
  });

  it('does not use up the attempts of an event by asking', async () => {
    await missed(3);
    for (let n = 0; n < 40; n++) await pass((await waiting())[0]!.ms);
    const left = await waiting();
    expect(left).toHaveLength(3);
    expect(Math.max(...left.map(({ attempts }) => attempts))).toBeGreaterThan(10);
    expect(await shop.call('GET', `${PATH}/${endpointId}`)).toMatchObject({
      body: { enabled: true },
    });
  });

  it('is not asked all the time for one event that it refuses', async () => {
    receiver.next(500);
    await shop.order();
    await worker.drain();
    const [poison] = ids();
    receiver.always((request, response) => {
      const isPoison = request.headers['webhook-id'] === poison;
      response.writeHead(isPoison ? 500 : 204).end();
    });
    for (let n = 0; n < 60; n++) {
      await sell(2);
      await pass(SECOND);
    }
    expect(ids().filter((id) => id === poison).length).toBeLessThanOrEqual(4);
    await waits(1);
  });
});
