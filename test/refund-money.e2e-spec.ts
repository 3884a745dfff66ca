import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import type { AllocationKey } from '../src/database/bank/matching/bank-allocation.repository.js';
import { bookedLine, collectionAccount } from './support/bank-lines.js';
import type { Client } from './support/client.js';
import { select, withoutTriggers } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, paidOrder, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { sentBack } from './support/refunds.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);

const ask = (shop: Client, txid: string, body: object = {}) =>
  shop.call('POST', `/api/order/${txid}/refund`, body);
const refundableOf = async (shop: Client, txid: string) =>
  (await shop.read(txid)).body['amountRefundable'];
const end = (shop: Client, id: unknown, outcome: string) =>
  shop.call('POST', `/api/test-helpers/refund/${String(id)}`, { outcome });

/** Matches a new bank line to the order by hand. */
async function matched(shop: Client, txid: string, amount: number): Promise<AllocationKey> {
  const operator = await person(app, 'operator');
  const line = await bookedLine(app, { amount });
  const part = { merchantId: shop.merchantId, txid, amount };
  const { id } = line;
  await app.get(ManualReconciliation).matchManually('test', id, [part], operator.id, 'Known payer');
  const sql = `SELECT merchant_id AS "merchantId", payment_id AS "paymentId" FROM bank_allocations WHERE line_id = $1`;
  return (await select<AllocationKey>(app, sql, [id]))[0]!;
}

describe('refunds of an order that several payments paid', () => {
  it('return all of it, also when parts overpaid it', async () => {
    const shop = await app.merchant();
    await paidOrder(shop, 5_000);
    const { txid } = await shop.order({ amount: 1_000 });
    for (const amount of [600, 600]) await shop.pay(txid, { amount });
    const first = (await ask(shop, txid)).body;
    expect(first).toMatchObject({ amount: 600 });
    // Its cancellation would leave the merchant money of the other payer.
    expect((await ask(shop, txid)).body).toMatchObject({
      code: 'refund_too_large',
      amountRefundable: 400,
    });
    const path = `/api/test-helpers/refund/${String(first['id'])}`;
    await shop.call('POST', path, { outcome: 'succeeded' });
    expect((await ask(shop, txid)).body).toMatchObject({ amount: 600 });
    expect(await refundableOf(shop, txid)).toBe(0);
    expect((await ask(shop, txid, { amount: 1 })).status).toBe(409);
    expect((await balances(app, shop))['EUR']).not.toHaveProperty('unallocated');
    await expectHealthy(app);
  });

  it('return to each payer what is left of his payment, less recorded refunds', async () => {
    const shop = await app.merchant();
    const { txid } = await shop.order({ amount: 1_000 });
    await shop.pay(txid, { amount: 600 });
    await shop.pay(txid, { amount: 700 });
    await sentBack(app, shop, { txid }, { amount: 300 });
    expect((await ask(shop, txid)).body).toMatchObject({ amount: 400 });
    expect((await ask(shop, txid)).body).toMatchObject({ amount: 600 });
    expect((await ask(shop, txid, { amount: 1 })).status).toBe(409);
    await expectHealthy(app);
  });

  it('take no money of another payer beside a recorded refund', async () => {
    const shop = await app.merchant();
    await paidOrder(shop, 5_000);
    const { txid } = await shop.order({ amount: 1_000 });
    await shop.pay(txid, { amount: 1_300 });
    await sentBack(app, shop, { txid }, { amount: 300 });
    await matched(shop, txid, 400);
    for (const amount of [1_400, 1_300, 1_001])
      expect((await ask(shop, txid, { amount })).body['code']).toBe('refund_too_large');
    expect((await ask(shop, txid, { amount: 1_000 })).status).toBe(201);
    await expectHealthy(app);
  });
});

describe('a match of an order with a refund in progress', () => {
  it.each(['succeeded', 'failed', 'returned'])(
    'is not undone; the refund then %s',
    async (outcome) => {
      const shop = await app.merchant();
      const { txid } = await shop.order({ amount: 1_000 });
      const match = await matched(shop, txid, 400);
      await shop.pay(txid, { amount: 600 });
      const { body } = await ask(shop, txid, { amount: 600 });
      expect(await app.get(ManualReconciliation).undo('test', match)).toBe('sent_back');
      await end(shop, body['id'], outcome);
      const left = outcome === 'succeeded' ? 400 : 1_000;
      expect((await balances(app, shop))['EUR']).toMatchObject({ available: left });
      await expectHealthy(app);
    },
  );
});

describe('the database', () => {
  it('refuses more than 100 refunds of an order, and so does the service', async () => {
    const shop = await app.merchant();
    const { txid } = await paidOrder(shop, 1_000);
    const { body } = await ask(shop, txid, { amount: 1 });
    await end(shop, body['id'], 'succeeded');
    const copies = `INSERT INTO refunds (merchant_id, id, mode, txid, payment_id, content_hash, amount, from_unallocated,
        currency, status, method, origin, created_at, updated_at, completed_at)
      SELECT merchant_id, gen_random_uuid(), mode, txid, payment_id, content_hash, amount, 0, currency, 'cancelled',
        method, origin, created_at, updated_at, updated_at FROM refunds, generate_series(1, 99) WHERE txid = $1`;
    await withoutTriggers(app, copies, [txid]);
    const more = await ask(shop, txid, { amount: 1 });
    expect([more.status, more.body['code']]).toEqual([409, 'order_not_refundable']);
    expect(more.text).toContain('100 refunds');
    const one = copies.replace('1, 99', '1, 1').replace(`'cancelled'`, `'requested'`);
    const bySql = one.replace('updated_at, updated_at FROM', 'updated_at, NULL FROM');
    await expect(select(app, bySql, [txid])).rejects.toThrow('the order has 100 refunds');
  });

  it('refuses an approval in advance, fewer calls, and other money of a refunded payment', async () => {
    const shop = await app.merchant();
    const { txid } = await paidOrder(shop, 1_000);
    const { body } = await ask(shop, txid, { amount: 100 });
    await end(shop, body['id'], 'silent');
    const developer = await person(app, 'developer', shop.merchantId);
    const approved = `INSERT INTO refunds (merchant_id, id, mode, txid, payment_id, content_hash, amount, from_unallocated,
        currency, status, method, origin, approved_by, created_at, updated_at)
      SELECT merchant_id, gen_random_uuid(), mode, txid, payment_id, content_hash, amount, 0, currency, 'requested',
        method, origin, $2, created_at, updated_at FROM refunds WHERE txid = $1`;
    await expect(select(app, approved, [txid, developer.id])).rejects.toThrow('cannot become');
    const change = (sql: string) => expect(select(app, sql, [txid])).rejects;
    await change('UPDATE refunds SET attempts = 0 WHERE txid = $1').toThrow('refunds');
    for (const set of [
      'amount_received = 5000',
      `provider_reference = 'other'`,
      `provider = 'other'`,
    ])
      await change(`UPDATE payments SET ${set} WHERE txid = $1`).toThrow('keeps its provider');
  });
});
