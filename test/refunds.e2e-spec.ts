import { describe, expect, it } from '@jest/globals';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import type { OrderJson } from './support/client.js';
import { readAll } from './support/feed.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();

const paid = async (amount: number): Promise<OrderJson> => {
  const { txid } = await shop.order({ amount });
  return (await shop.pay(txid)).body;
};

const read = async (txid: string): Promise<OrderJson> =>
  (await shop.call<OrderJson>('GET', `/api/order?txid=${txid}`)).body;

const refund = (txid: string, body: object = {}, headers = {}) =>
  shop.call('POST', `/api/order/${txid}/refund`, body, headers);

const answer = (id: unknown, outcome: string) =>
  shop.call('POST', `/api/test-helpers/refund/${String(id)}`, { outcome });

describe('a refund', () => {
  it('returns all that is left, and tells of each step', async () => {
    const { txid } = await paid(1_000);
    expect(await read(txid)).toMatchObject({ amountRefundable: 1_000, amountRefunded: 0 });
    const { status, body, headers } = await refund(txid, { reason: 'The lamp is broken' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/refund/${String(body['id'])}`);
    expect(body).toMatchObject({
      txid,
      amount: 1_000,
      currency: 'EUR',
      status: 'approved',
      method: 'provider',
      origin: 'api',
      reason: 'The lamp is broken',
      completedAt: null,
    });
    expect(await read(txid)).toMatchObject({ amountRefundable: 0, amountRefunded: 0 });
    const done = await answer(body['id'], 'succeeded');
    expect(done.body).toMatchObject({ status: 'succeeded', expectedAt: null });
    expect(await read(txid)).toMatchObject({
      status: 'paid',
      amountRefundable: 0,
      amountRefunded: 1_000,
    });
    const events = await readAll(shop, { txid });
    expect(events.map(({ type }) => type).slice(-5)).toEqual([
      'refund.requested',
      'refund.approved',
      'refund.submitted',
      'refund.succeeded',
      'order.refunded',
    ]);
    const requested = events.find(({ type }) => type === 'refund.requested')!;
    expect(requested).toMatchObject({
      data: { txid, amountRefundable: 0 },
      refund: { id: body['id'], status: 'requested', amount: 1_000 },
    });
    expect((await shop.call('GET', `/api/refund/${String(body['id'])}`)).body).toEqual(done.body);
    await expectHealthy(app);
  });

  it('succeeds by itself', async () => {
    const { txid } = await paid(700);
    const { body } = await refund(txid, { amount: 300 });
    await app.get(RefundRunner).run();
    expect((await shop.call('GET', `/api/refund/${String(body['id'])}`)).body).toMatchObject({
      status: 'submitted',
    });
    app.clock.advance(3_000);
    await app.get(RefundRunner).run();
    expect(await read(txid)).toMatchObject({ amountRefundable: 400, amountRefunded: 300 });
    await expectHealthy(app);
  });
});
