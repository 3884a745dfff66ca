import { describe, expect, it } from '@jest/globals';
import type { OrderJson } from './support/client.js';
import { factsOf } from './support/facts.js';
import { rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const REPEATS = 4;

// Time goes on, so that an expiry in so many minutes is another one for each request.
const { app, shop } = await openShop({ realTime: true });

const change = (order: OrderJson, body: object, headers: Record<string, string> = {}) =>
  shop.call<OrderJson>('PATCH', `/api/order/${order.txid}`, body, headers);

const keyOf = ({ txid }: OrderJson) => ({ 'idempotency-key': `change-${txid}` });

describe('races of equal changes with one key', () => {
  it('make one change, and each gets the same bytes', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const repeats = await together(
        () => change(order, { expiresInMinutes: 90 }, keyOf(order)),
        REPEATS,
      );
      expect(tally(repeats.map(({ status }) => status))).toEqual({ 200: REPEATS });
      expect(new Set(repeats.map(({ text }) => text)).size).toBe(1);
      expect(tally(repeats.map(({ headers }) => headers.get('idempotent-replayed') ?? ''))).toEqual(
        { '': 1, true: REPEATS - 1 },
      );
      expect((await factsOf(app, order.txid)).events).toEqual(['order.created', 'order.updated']);
    });
  });

  it('are no conflict of a repeat with its own first request, though both name the ETag', async () => {
    await rounds(async () => {
      const { body: order, headers } = await shop.create();
      const tagged = { ...keyOf(order), 'if-match': headers.get('etag')! };
      const repeats = await together(() => change(order, { amount: 5 }, tagged), REPEATS);
      expect(tally(repeats.map(({ status }) => status))).toEqual({ 200: REPEATS });
    });
  });

  it('undo nothing that another program did between them', async () => {
    await rounds(async () => {
      const order = await shop.order({ amount: 1_000 });
      await Promise.all([
        ...[1, 2, 3].map(() => change(order, { amount: 400 }, keyOf(order))),
        change(order, { amount: 500 }),
      ]);
      const { events } = await factsOf(app, order.txid);
      expect(events).toEqual(['order.created', 'order.updated', 'order.updated']);
    });
  });
});
