import { describe, expect, it } from '@jest/globals';
import { PAYMENT_ATTEMPTS_MAX } from '../src/database/payments/payment.entity.js';
import type { OrderJson } from './support/client.js';
import { readAll } from './support/feed.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();

const FIRST_PAYER = {
  payerAccountNumber: 'FR7630006000011234567890189',
  payerAccountType: 'iban',
  payerAccountName: 'First Payer',
};
const NOBODY = { payerAccountNumber: null, payerAccountType: null, payerAccountName: null };

/** Declined, then a part by one payer, then the rest by another. */
async function paidInParts(client = shop): Promise<OrderJson> {
  const { txid } = await client.order({ amount: 1_000 });
  await client.pay(txid, { outcome: 'declined' });
  const { payerAccountNumber, payerAccountName } = FIRST_PAYER;
  await client.pay(txid, { amount: 600, payerAccountNumber, payerAccountName });
  return (await client.pay(txid)).body;
}

describe('the payments of an order', () => {
  it('are all told, oldest first, and no payer is lost', async () => {
    const order = await paidInParts();
    expect(order).toMatchObject({
      status: 'paid',
      amountReceived: 1_000,
      payments: [
        { status: 'failed', amount: 1_000, error: { code: 'declined' }, ...NOBODY },
        { status: 'succeeded', amount: 600, ...FIRST_PAYER },
        { status: 'succeeded', amount: 400, payerAccountName: 'Erika Mustermann' },
      ],
    });
    expect(order.payments[2]).toEqual(order.payment);
  });

  it('are none before the first, then that one', async () => {
    const order = await shop.order();
    expect([order.payment, order.payments]).toEqual([null, []]);
    const { body } = await shop.pay(order.txid, { outcome: 'pending' });
    expect(body.payments).toEqual([body.payment]);
    expect((await shop.cancel(order.txid)).body.payments).toMatchObject([{ status: 'cancelled' }]);
  });

  it('are as many as may be started', async () => {
    const { txid } = await shop.order();
    for (let n = 0; n < PAYMENT_ATTEMPTS_MAX; n++) await shop.pay(txid, { outcome: 'declined' });
    const { payments, payment } = (await shop.read(txid)).body;
    expect(payments).toHaveLength(PAYMENT_ATTEMPTS_MAX);
    expect(payments.at(-1)).toEqual(payment);
    expect(new Set(payments.map(({ id }) => id)).size).toBe(PAYMENT_ATTEMPTS_MAX);
  });

  it('are the same wherever the order stands, for one reader and for many', async () => {
    const client = await app.merchant();
    const open = (await client.read((await client.order()).txid)).body;
    const first = await paidInParts(client);
    const orders = [open, first, await paidInParts(client)];
    const byId = `/api/order?orderMerchantId=${first.orderMerchantId}`;
    expect((await client.call('GET', byId)).body).toEqual(first);
    const reads = await Promise.all(orders.map(({ txid }) => client.read(txid)));
    expect(reads.map(({ body }) => body)).toEqual(orders);
    const found = await client.call('GET', '/api/order/search?sort=oldest');
    expect(found.body['data']).toEqual(orders);
  });

  it('are in events as they were then', async () => {
    const client = await app.merchant();
    const order = await paidInParts(client);
    const events = await readAll(client);
    const told = events.map(({ type, data: { payments } }) => [
      type,
      payments.map(({ status, amount, payerAccountName }) => [status, amount, payerAccountName]),
    ]);
    const declined = ['failed', 1_000, null];
    const part = ['succeeded', 600, 'First Payer'];
    expect(told).toEqual([
      ['order.created', []],
      ['order.processing', [['pending', 1_000, null]]],
      ['payment.failed', [declined]],
      ['order.processing', [declined, ['pending', 1_000, null]]],
      ['order.exception', [declined, part]],
      ['order.processing', [declined, part, ['pending', 400, null]]],
      ['order.paid', [declined, part, ['succeeded', 400, 'Erika Mustermann']]],
    ]);
    expect(events.at(-1)!.data).toEqual(order);
  });

  it('do not name their payers to a key that may not read orders', async () => {
    const client = await app.merchant();
    const { txid, orderMerchantId } = await client.order({ amount: 1_000 });
    const writer = await app.key(client.merchantId, { scopes: ['orders:write'] });
    await client.pay(txid, { amount: 600 });
    await client.pay(txid, { outcome: 'pending' });
    const repeat = await writer.create({ orderMerchantId, amount: 1_000 });
    expect(repeat.status).toBe(200);
    expect(repeat.body.payments).toMatchObject([{ amount: 600, ...NOBODY }, NOBODY]);
    expect(repeat.text).not.toContain('Erika');
  });

  it.each(['1.2.2', '1.2.1', '1.2', '1.0'])('are not told in version %s', async (version) => {
    const client = await app.merchant({ apiVersion: version as '1.0' });
    const { body } = await client.create();
    expect(body).not.toHaveProperty('payments');
    expect((await client.pay(body.txid)).body).not.toHaveProperty('payments');
    const [event] = await readAll(client);
    expect(event!.data).not.toHaveProperty('payments');
  });
});
