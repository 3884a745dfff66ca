import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { SeedRepository } from '../src/database/demo/seed.repository.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { ErasureService } from '../src/retention/erasure.service.js';
import { RetentionJob } from '../src/retention/retention-job.js';
import { TestApp } from './support/app.js';
import { Bank, startPayment } from './support/bank.js';
import type { Client, OrderJson } from './support/client.js';
import { count, factsOf, select } from './support/facts.js';
import { person, signedIn } from './support/people.js';

const DAY_MS = 86_400_000;
/** Stands in every text in which somebody can be found. */
const WHO = 'Quintessa';
const EMAIL = `${WHO}@shop.example`;
const ACCOUNT = 'DE89 3704 0044 0532 0130 00';

const app = await TestApp.start();
afterAll(() => app.stop());

const order = (shop: Client): Promise<OrderJson> =>
  shop.order({
    description: `For ${WHO}`,
    customer: { name: WHO, email: EMAIL },
    optionalFields: { guest: WHO },
    returnUrl: `https://shop.example/?for=${WHO}`,
    cancelUrl: `https://shop.example/cancel?for=${WHO}`,
  });

async function paid(shop: Client): Promise<OrderJson> {
  const { txid } = await order(shop);
  const payer = { payerAccountNumber: ACCOUNT, payerAccountName: WHO };
  return (await shop.pay(txid, payer)).body;
}

async function note({ merchantId }: Client, { txid }: OrderJson): Promise<void> {
  const { id } = await person(app, 'owner', merchantId);
  await select(app, 'INSERT INTO order_notes VALUES ($1, $2, $2, $3, $4, now())', [
    merchantId,
    txid,
    id,
    `${WHO} called`,
  ]);
}

/** The tables in which a text stands. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = app.get(DataSource).entityMetadatas.map(({ tableName }) => tableName);
  const found: string[] = [];
  for (const table of tables.toSorted()) {
    if ((await count(app, `${table} t`, 't::text ILIKE $1', [`%${text}%`])) > 0) found.push(table);
  }
  return found;
}

const brokenFacts = async (): Promise<string[]> =>
  brokenIn(await app.get(Doctor).examine({ overdue: false })).map(({ fact }) => fact.name);

async function after(days: number): Promise<void> {
  app.clock.advance(days * DAY_MS);
  await app.get(Sweeper).run();
  await app.get(RetentionJob).run();
}

const erase = (shop: Client, payer: { email?: string; account?: string }) =>
  app
    .get(ErasureService)
    .erase(shop.merchantId, { email: null, account: null, ...payer }, async () => {});

describe('a payer who asks to be forgotten', () => {
  it('is found in no table any more, while the money and its proof stay', async () => {
    const shop = await app.merchant();
    const bought = await paid(shop);
    await note(shop, bought);
    const { txid } = await order(shop);
    expect(await erase(shop, { email: EMAIL.toUpperCase() })).toMatchObject({
      erased: [bought.txid],
      waiting: [txid],
    });
    await shop.cancel(txid);
    expect(await erase(shop, { email: EMAIL })).toMatchObject({ erased: [txid], waiting: [] });

    expect(await tablesWith(WHO)).toEqual([]);
    for (const part of ['3704 0044', '37040044']) expect(await tablesWith(part)).toEqual([]);
    const { body } = await shop.read(bought.txid);
    expect(body).toMatchObject({ status: 'paid', amountReceived: 8990, customer: null });
    expect(body.payment).toMatchObject({ status: 'succeeded', payerAccountNumber: null });
    expect(await brokenFacts()).toEqual([]);
  });

  it('is found by the account alone, however it is written, and nobody else is touched', async () => {
    const [shop, other] = [await app.merchant(), await app.merchant()];
    const bought = await paid(shop);
    const kept = await paid(other);
    expect((await erase(shop, { account: 'de89370400440532013000' })).erased).toEqual([
      bought.txid,
    ]);
    expect((await other.read(kept.txid)).body.customer).not.toBeNull();
    expect((await erase(shop, { email: 'nobody@shop.example' })).erased).toEqual([]);
    await erase(other, { email: EMAIL });
  });

  it('does not come back with the provider’s next message', async () => {
    const shop = await app.merchant();
    const bought = await paid(shop);
    const bank = await Bank.of(app, shop);
    const sql = 'SELECT id FROM payments WHERE txid = $1';
    const [payment] = await select<{ id: string }>(app, sql, [bought.txid]);
    const payer = { debtorAccount: 'FR1420041010050500013M02606', debtorName: 'Again Somebody' };
    const says = () => bank.send(bank.message(bought, payment!.id, 'booked', payer));
    await erase(shop, { email: EMAIL });
    for (const _ of [1, 2]) expect(await says()).toBe(200);
    await bank.settled();
    expect(await tablesWith('Again Somebody')).toEqual([]);
    expect((await factsOf(app, bought.txid)).events).not.toContain('payment.updated');
    expect(await brokenFacts()).toEqual([]);
  });

  it('is found in messages about no payment of ours, once somebody has looked at them', async () => {
    const shop = await app.merchant();
    const bank = await Bank.of(app, shop);
    const message = bank.message(await order(shop), randomUUID(), 'booked');
    const own = { debtorAccount: 'DE89370400440532013000', debtorName: 'Stray Somebody' };
    const others = { debtorAccount: 'DE893704004405320130001', debtorName: 'Another Payer' };
    await bank.receive({ ...message, id: 'own', ...own });
    await bank.receive({ ...message, id: 'others', ...others });
    expect((await erase(shop, { account: ACCOUNT })).messages).toEqual({ erased: 0, waiting: 1 });
    await select(app, 'UPDATE provider_events SET handled_at = $2 WHERE merchant_id = $1', [
      shop.merchantId,
      new Date(app.clock.now().getTime() + 2 * DAY_MS),
    ]);
    expect((await erase(shop, { account: ACCOUNT })).messages).toEqual({ erased: 1, waiting: 0 });
    expect(await tablesWith('Stray Somebody')).toEqual([]);
    expect(await tablesWith('Another Payer')).toEqual(['provider_events']);
  });
});

describe('the table of periods', () => {
  it('names every table of the database', async () => {
    const told = await readFile('docs/retention.md', 'utf8');
    const named = [...told.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    const tables = app.get(DataSource).entityMetadatas.map(({ tableName }) => tableName);
    expect(named.toSorted()).toEqual(tables.toSorted());
  });
});

describe('the database', () => {
  it.each([
    [`UPDATE provider_events SET body = 'another'`],
    [`UPDATE provider_events SET body = '', report = '{"kind": "declined"}'`],
    [`UPDATE provider_events SET received_at = now()`],
    [`UPDATE order_notes SET text = 'another'`],
    [`UPDATE order_notes SET user_id = gen_random_uuid()`],
    ['DELETE FROM order_notes'],
  ])('refuses %s', async (sql) => {
    await expect(select(app, sql)).rejects.toThrow('append-only');
  });
});

describe('what its time is over', () => {
  it('goes: first who did not pay, then the providers’ words, then who paid', async () => {
    const shop = await app.merchant();
    const bought = await paid(shop);
    const left = await order(shop);
    await after(89);
    expect((await shop.read(left.txid)).body).toMatchObject({ status: 'expired' });
    expect((await shop.read(left.txid)).body.customer).not.toBeNull();

    await after(2);
    expect((await shop.read(left.txid)).body.customer).toBeNull();
    expect(await tablesWith(WHO)).toContain('provider_events');

    await after(310);
    expect(await tablesWith(WHO)).toEqual([
      'order_fields',
      'orders',
      'payments',
      'sandbox_transactions',
    ]);
    expect((await shop.read(bought.txid)).body.customer).not.toBeNull();

    await after(3_260);
    expect(await tablesWith(WHO)).toEqual([]);
    expect((await shop.read(bought.txid)).body).toMatchObject({ status: 'paid', customer: null });
    expect(await brokenFacts()).toEqual([]);
  });

  it('stays while it says to whom money of another currency goes back', async () => {
    const shop = await app.merchant();
    const { body: wrong } = await shop.create({ amount: 5_000 });
    const bank = await Bank.of(app, shop);
    const dollars = { currency: 'USD', amount: 6_000, debtorAccount: ACCOUNT, debtorName: WHO };
    const payment = await startPayment(app, wrong);
    await bank.send(bank.message(wrong, payment, 'booked', dollars));
    await bank.settled();
    await after(91);
    const sql = 'SELECT payer_account_name AS name FROM payments WHERE txid = $1';
    expect(await select(app, sql, [wrong.txid])).toEqual([{ name: WHO }]);
    await after(3_650);
    expect(await select(app, sql, [wrong.txid])).toEqual([{ name: null }]);
  });

  it('is kept again of an order without money when money comes, unless somebody asked', async () => {
    const shop = await app.merchant();
    const [late, asked] = [await order(shop), await order(shop)];
    const payments = [await startPayment(app, late), await startPayment(app, asked)] as const;
    await shop.cancel(asked.txid);
    const names = 'SELECT payer_account_name AS name FROM payments WHERE id = ANY($1) ORDER BY id';
    expect((await erase(shop, { email: EMAIL })).erased).toEqual([asked.txid]);
    await after(91);
    const bank = await Bank.of(app, shop);
    const payer = { debtorAccount: ACCOUNT, debtorName: WHO };
    await bank.send(bank.message(late, payments[0], 'booked', payer));
    await bank.send(bank.message(asked, payments[1], 'booked', payer));
    await bank.settled();
    await app.get(RetentionJob).run();
    const known = async () =>
      (await select<{ name: string | null }>(app, names, [payments])).map(({ name }) => name);
    expect(await known()).toEqual([WHO, null]);
    expect((await shop.read(late.txid)).body).toMatchObject({ exception: 'paid_late' });
    expect(await brokenFacts()).toEqual([]);
    await after(3_650);
    expect(await known()).toEqual([null, null]);
  });

  it('goes when an order has ended that had not when its time was over', async () => {
    const shop = await app.merchant();
    const late = await order(shop);
    app.clock.advance(91 * DAY_MS);
    await app.get(RetentionJob).run();
    expect((await shop.read(late.txid)).body.customer).not.toBeNull();
    await app.get(Sweeper).run();
    await app.get(RetentionJob).run();
    expect((await shop.read(late.txid)).body).toMatchObject({ status: 'expired', customer: null });
  });

  it('goes too where it came after the order was erased', async () => {
    const shop = await app.merchant();
    const left = await order(shop);
    const payment = await startPayment(app, left);
    await after(91);
    await note(shop, left);
    await select(
      app,
      'UPDATE sandbox_transactions SET payer_account_name = $2 WHERE payment_id = $1',
      [payment, WHO],
    );
    expect(await tablesWith(WHO)).toEqual(['order_notes']);
    await after(3_651);
    expect(await tablesWith(WHO)).toEqual([]);
  });

  it('goes of one merchant though that of another cannot', async () => {
    const [stuck, shop] = [await app.merchant(), await app.merchant()];
    const orders = [await order(stuck), await order(shop)];
    await select(
      app,
      `ALTER TABLE orders ADD CONSTRAINT stuck CHECK (erased_at IS NULL OR merchant_id <> '${stuck.merchantId}')`,
    );
    await after(91);
    const customers = async () =>
      Promise.all([stuck.read(orders[0]!.txid), shop.read(orders[1]!.txid)]).then((read) =>
        read.map(({ body }) => body.customer),
      );
    expect(await customers()).toEqual([expect.anything(), null]);
    await select(app, 'ALTER TABLE orders DROP CONSTRAINT stuck');
    await app.get(RetentionJob).run();
    expect(await customers()).toEqual([null, null]);
  });

  it('goes on where it was, with more rows than one look finds', async () => {
    const { merchantId } = await app.merchant();
    const seed = { merchantId, count: 1_201, days: 2, now: app.clock.now(), run: 'old' };
    await app.get(SeedRepository).insert(seed);
    const known = `merchant_id = $1 AND customer_name IS NOT NULL
      AND status NOT IN ('open', 'processing')`;
    expect(await count(app, 'orders', known, [merchantId])).toBeGreaterThan(500);
    await after(3_660);
    expect(await count(app, 'orders', known, [merchantId])).toBe(0);
  });

  it('ends sessions’ traces, and no session of now', async () => {
    const { merchantId } = await app.merchant();
    await signedIn(app, await person(app, 'owner', merchantId));
    await after(1);
    const sessions = () => count(app, 'user_sessions', 'true');
    expect(await sessions()).toBe(1);
    await after(90);
    expect(await sessions()).toBe(0);
  });
});
