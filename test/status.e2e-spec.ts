import { describe, expect, it } from '@jest/globals';
import { Sweeper } from '../src/payments/sweeper.js';
import { Bank } from './support/bank.js';
import { openShop } from './support/shop.js';

type Fields = Record<string, unknown>;

const { app, shop } = await openShop();

describe('the status of an order', () => {
  const statusOf = async (txid: string): Promise<Fields> =>
    (await shop.call('GET', `/api/order/status?orderTransactionId=${txid}`)).body;

  it('has these members and no others', async () => {
    const order = await shop.order();
    expect(await statusOf(order.txid)).toEqual({
      txid: order.txid,
      orderMerchantId: order.orderMerchantId,
      status: 'open',
      statusReason: null,
      finished: false,
      exception: 'none',
      amount: 8990,
      currency: 'EUR',
      amountReceived: 0,
      paidAt: null,
      updatedAt: order['createdAt'],
    });
  });

  it('is the same by every name of the order', async () => {
    const { txid, orderMerchantId } = await shop.order();
    await shop.pay(txid);
    const texts = new Set<string>();
    for (const path of [
      `status?orderTransactionId=${txid}`,
      `status?orderMerchantId=${orderMerchantId}`,
      `${txid}/status`,
    ]) {
      const { status, text } = await shop.call('GET', `/api/order/${path}`);
      expect(status).toBe(200);
      texts.add(text);
    }
    expect([...texts]).toHaveLength(1);
  });

  it.each<[string, Fields, Fields]>([
    [
      'paid',
      { outcome: 'paid' },
      { status: 'paid', statusReason: 'exact', finished: true, amountReceived: 8990 },
    ],
    [
      'overpaid',
      { outcome: 'paid', amount: 9000 },
      { status: 'paid', statusReason: 'overpaid', exception: 'overpaid', amountReceived: 9000 },
    ],
    [
      'paid in part',
      { outcome: 'paid', amount: 90 },
      { status: 'open', statusReason: null, exception: 'underpaid', amountReceived: 90 },
    ],
    [
      'paid in another currency',
      { outcome: 'paid', currency: 'USD' },
      { status: 'open', exception: 'wrong_currency', amountReceived: 0, finished: false },
    ],
    ['declined', { outcome: 'declined' }, { status: 'open', statusReason: null, finished: false }],
    [
      'in progress',
      { outcome: 'pending' },
      { status: 'processing', statusReason: 'awaiting_provider', finished: false },
    ],
    [
      'unknown',
      { outcome: 'unknown' },
      { status: 'processing', statusReason: 'outcome_unknown', finished: false },
    ],
  ])('tells that it is %s', async (_, answer, expected) => {
    const { txid } = await shop.order();
    app.clock.advance(1_000);
    await shop.pay(txid, answer);
    const status = await statusOf(txid);
    expect(status).toMatchObject({ ...expected, txid });
    expect(status['updatedAt']).toBe(app.clock.now().toISOString());
    const isPaid = status['status'] === 'paid';
    expect(status['paidAt']).toBe(isPaid ? app.clock.now().toISOString() : null);
  });

  it('tells that it is cancelled, expired or failed', async () => {
    const cancelled = await shop.order();
    await shop.cancel(cancelled.txid);
    expect(await statusOf(cancelled.txid)).toMatchObject({
      status: 'cancelled',
      statusReason: 'by_merchant',
      finished: true,
    });

    const failed = await shop.order();
    for (let n = 0; n < 10; n++) await shop.pay(failed.txid, { outcome: 'declined' });
    expect(await statusOf(failed.txid)).toMatchObject({
      status: 'failed',
      statusReason: 'declined',
      finished: true,
    });

    const expired = await shop.order({ expiresInMinutes: 5 });
    app.clock.advance(5 * 60_000);
    await app.get(Sweeper).run();
    expect(await statusOf(expired.txid)).toMatchObject({
      status: 'expired',
      statusReason: 'not_paid',
      finished: true,
    });
  });

  it('tells of money that came late or twice, and keeps the status', async () => {
    const bank = await Bank.of(app, shop);
    const late = await shop.order({ expiresInMinutes: 5 });
    const { body } = await shop.pay(late.txid, { outcome: 'pending' });
    app.clock.advance(5 * 60_000);
    await app.get(Sweeper).run();
    const payment = String(body.payment?.['id']);
    expect(await bank.send(bank.message(late, payment, 'booked'))).toBe(200);
    await bank.settled();
    expect(await statusOf(late.txid)).toMatchObject({
      status: 'expired',
      exception: 'paid_late',
      amountReceived: 8990,
      paidAt: null,
    });

    const twice = await shop.order();
    const first = await shop.pay(twice.txid, { outcome: 'declined' });
    await shop.pay(twice.txid);
    await bank.send(bank.message(twice, String(first.body.payment?.['id']), 'booked'));
    await bank.settled();
    expect(await statusOf(twice.txid)).toMatchObject({
      status: 'paid',
      statusReason: 'exact',
      exception: 'duplicate_payment',
      amountReceived: 2 * 8990,
    });
  });
});
