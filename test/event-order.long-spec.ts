import { beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookWorker } from '../src/notifications/webhooks/webhook-worker.js';
import type { OrderJson } from './support/client.js';
import type { EventJson } from './support/feed.js';
import { together } from './support/race.js';
import { Receiver } from './support/receiver.js';
import { openShop } from './support/shop.js';

const ORDERS = 1_000;
const { app, shop, bank } = await openShop({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });

const nobody = { payerAccountNumber: undefined, payerAccountName: undefined };
const paymentOf = (order: OrderJson): string => String(order.payment!['id']);

/** What can become of an order. */
const LIVES: readonly ((order: OrderJson) => Promise<unknown>)[] = [
  async () => undefined,
  (order) => shop.cancel(order.txid),
  (order) => shop.pay(order.txid),
  (order) => shop.pay(order.txid, { outcome: 'pending' }),
  async ({ txid }) => {
    await shop.pay(txid, { outcome: 'declined' });
    await shop.pay(txid);
  },
  async ({ txid }) => {
    await shop.pay(txid, { amount: 90 });
    await shop.pay(txid, { amount: 9_000 });
  },
  async (order) => {
    const { body } = await shop.pay(order.txid, nobody);
    const payer = { debtorName: 'Erika', debtorAccount: 'DE89370400440532013000' };
    await bank.send(bank.message(order, paymentOf(body), 'booked', payer));
  },
  async (order) => {
    const { body } = await shop.pay(order.txid, { outcome: 'pending' });
    await shop.cancel(order.txid);
    await bank.send(bank.message(order, paymentOf(body), 'booked'));
  },
];

/** What a shop keeps of what it was told. */
type StoredEvent = Map<string, EventJson>;

/** The rule of docs/webhooks.md. */
function keepHighest(kept: StoredEvent, event: EventJson): void {
  const before = kept.get(event.data.txid);
  if (!before || event.sequence > before.sequence) kept.set(event.data.txid, event);
}

const keepLast = (kept: StoredEvent, event: EventJson): unknown => kept.set(event.data.txid, event);

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);

describe('webhooks in any order', () => {
  const orders: OrderJson[] = [];
  let told: EventJson[];

  beforeAll(async () => {
    const receiver = await Receiver.start();
    await shop.call('POST', '/api/webhook-endpoint', { url: receiver.url });
    await together(async (lane) => {
      for (let n = lane; n < ORDERS; n += 10) {
        const { txid } = await shop.order();
        await LIVES[n % LIVES.length]!((await shop.read(txid)).body);
        orders.push((await shop.read(txid)).body);
      }
    }, 10);
    await bank.settled();
    await app.get(WebhookWorker).drain();
    await receiver.stop();
    told = receiver.received.map(({ body }) => JSON.parse(body) as EventJson);
  }, 600_000);

  const wrong = async (keep: (kept: StoredEvent, event: EventJson) => unknown): Promise<number> => {
    const kept: StoredEvent = new Map();
    for (const event of shuffled([...told, ...told, ...told])) keep(kept, event);
    let faults = 0;
    for (const { txid } of orders) {
      const { body } = await shop.read(txid);
      const { data } = kept.get(txid)!;
      if (JSON.stringify(data) !== JSON.stringify(body)) faults++;
    }
    return faults;
  };

  it('leave whoever keeps the highest sequence right about every order', async () => {
    expect(new Set(told.map(({ data }) => data.txid)).size).toBe(ORDERS);
    expect(new Set(told.map(({ type }) => type)).size).toBeGreaterThanOrEqual(7);
    expect(await wrong(keepHighest)).toBe(0);
  });

  it('leave whoever believes the last one wrong about many', async () => {
    expect(await wrong(keepLast)).toBeGreaterThan(ORDERS / 10);
  });

  it('never give two events of an order one number, nor leave one out', () => {
    const numbers = Map.groupBy(told, ({ data }) => data.txid);
    for (const events of numbers.values()) {
      const sequences = events.map(({ sequence }) => sequence).sort((a, b) => a - b);
      expect(sequences).toEqual(events.map((_, n) => n + 1));
    }
  });
});
