import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Sweeper } from '../src/payments/sweeper.js';
import { credited } from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { expectBothWon, Handicap, rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';
import { awaitingTransfer, choose, offerTransfers } from './support/transfers.js';

const HOUR_MS = 3_600_000;
const { app, shop } = await openShop();

const read = async ({ txid }: OrderJson, as: Client = shop): Promise<OrderJson> =>
  (await as.read(txid)).body;

const livePayments = ({ payments }: OrderJson) =>
  payments.filter(({ status }) => status === 'pending');

/** Both at once; the side that is ahead starts later the next time. */
async function race<Side extends string>(
  even: Handicap<Side>,
  sides: Readonly<Record<Side, () => Promise<unknown>>>,
): Promise<void> {
  const start = async (side: Side) => {
    await even.start(side);
    await sides[side]();
  };
  await Promise.all((Object.keys(sides) as Side[]).map(start));
}

describe('races about a transfer', () => {
  beforeAll(() => offerTransfers(app).then(() => undefined));
  afterEach(() => expectHealthy(app));

  it('gives one order one reference, however many tabs ask for it', async () => {
    await rounds(async () => {
      const order = await shop.order();
      await together(() => choose(order, 'bank_transfer'));
      const facts = await factsOf(app, order.txid);
      expect(facts.payments).toMatchObject([{ status: 'pending', provider: 'bank_transfer' }]);
      expect(facts.order).toMatchObject({ status_reason: 'awaiting_transfer', attempts: 1 });
      expect(facts.events).toEqual(['order.created', 'order.processing']);
    });
    const [{ n, different }] = (await select(
      app,
      'SELECT count(*)::int AS n, count(DISTINCT reference)::int AS different FROM transfer_references',
    )) as [{ n: number; different: number }];
    expect(different).toBe(n);
  });

  it('against a cancellation, leaves nothing that is waited for', async () => {
    const even = new Handicap(['choice', 'cancellation']);
    await rounds(async () => {
      const order = await shop.order();
      await race(even, {
        choice: () => choose(order, 'bank_transfer'),
        cancellation: async () => expect((await shop.cancel(order.txid)).status).toBe(200),
      });
      const ended = await read(order);
      expect(ended.status).toBe('cancelled');
      expect(livePayments(ended)).toEqual([]);
      even.won(ended.payments.length > 0 ? 'choice' : 'cancellation');
    });
    expectBothWon(even.wins);
  });

  it('against the end of the order’s time, waits or is over', async () => {
    const even = new Handicap(['choice', 'expiry']);
    await rounds(async () => {
      const order = await shop.order({ expiresInMinutes: 60 });
      const key = { merchantId: shop.merchantId, txid: order.txid };
      const end = new Date(app.clock.now().getTime() + HOUR_MS);
      await race(even, {
        choice: () => choose(order, 'bank_transfer'),
        expiry: () => app.get(Sweeper).expireOne(key, end),
      });
      const now = await read(order);
      even.won(now.status === 'expired' ? 'expiry' : 'choice');
      if (now.status === 'expired') expect(now.payments).toEqual([]);
      else expect(now).toMatchObject({ statusReason: 'awaiting_transfer' });
    });
    expectBothWon(even.wins);
  });

  it('against another way to pay, leaves one payment under way', async () => {
    const even = new Handicap(['transfer', 'other']);
    await rounds(async () => {
      const order = await shop.order();
      await race(even, {
        transfer: () => choose(order, 'bank_transfer'),
        other: () => choose(order, 'sandbox'),
      });
      const now = await read(order);
      expect(now).toMatchObject({ status: 'processing', statusReason: 'awaiting_provider' });
      expect(livePayments(now)).toMatchObject([{ provider: 'sandbox' }]);
      even.won(now.payments.length === 2 ? 'transfer' : 'other');
    });
    expectBothWon(even.wins);
  });

  it('against a change of the order, asks for what the order asks for', async () => {
    const even = new Handicap(['choice', 'change']);
    await rounds(async () => {
      const order = await shop.order({ amount: 1_000 });
      let status = 0;
      await race(even, {
        choice: () => choose(order, 'bank_transfer'),
        change: async () => {
          const body = { amount: 2_000, expiresInMinutes: 60 * 24 * 29 };
          status = (await shop.call('PATCH', `/api/order/${order.txid}`, body)).status;
        },
      });
      const now = await read(order);
      expect([status, now.amount]).toEqual(status === 200 ? [200, 2_000] : [409, 1_000]);
      expect(now.payment).toMatchObject({ amount: now.amount, transfer: { amount: now.amount } });
      const sql = 'SELECT waits_until::text AS day FROM transfer_references WHERE txid = $1';
      const [{ day }] = (await select(app, sql, [order.txid])) as [{ day: string }];
      expect(day).toBe(String(now['expiresAt']).slice(0, 10));
      even.won(status === 200 ? 'change' : 'choice');
    });
    expectBothWon(even.wins);
  });

  it('of two tabs, another way to pay wins once, and money of the bank pays once', async () => {
    const even = new Handicap(['other', 'money']);
    await rounds(async () => {
      const order = await awaitingTransfer(shop);
      await race(even, {
        other: () => together(() => choose(order, 'sandbox'), 2),
        money: () => credited(app, shop, order, order.amount),
      });
      const now = await read(order);
      expect(now).toMatchObject({ status: 'paid', amountReceived: order.amount });
      expect(now.payment).toMatchObject({ provider: 'bank_transfer', status: 'succeeded' });
      expect(tally(now.payments.map(({ provider }) => String(provider)))['bank_transfer']).toBe(1);
      even.won(now.payments.length === 2 ? 'other' : 'money');
    });
    expectBothWon(even.wins);
  });

  it('that is over, is ended once by cancellation or time', async () => {
    const even = new Handicap(['cancellation', 'expiry']);
    await rounds(async () => {
      const order = await awaitingTransfer(shop);
      const key = { merchantId: shop.merchantId, txid: order.txid };
      const end = new Date(String(order['expiresAt']));
      await race(even, {
        cancellation: () => shop.cancel(order.txid),
        expiry: () => app.get(Sweeper).expireOne(key, end),
      });
      const { status, payment } = await read(order);
      expect(['cancelled', 'expired']).toContain(status);
      expect(payment).toMatchObject({ status: 'cancelled' });
      expect((await factsOf(app, order.txid)).events).toHaveLength(3);
      even.won(status === 'expired' ? 'expiry' : 'cancellation');
    });
    expectBothWon(even.wins);
  });
});
