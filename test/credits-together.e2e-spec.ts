import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { Database } from '../src/database/database.js';
import { MerchantRepository } from '../src/database/merchants/merchant.repository.js';
import { RetentionRepository } from '../src/database/retention/retention.repository.js';
import { FeesService } from '../src/ledger/fees.service.js';
import { CreditsService } from '../src/payments/credits.service.js';
import { TestApp } from './support/app.js';
import { camtFile } from './support/bank-file.js';
import {
  allocationsOf,
  bookedLine,
  creditOf,
  credited,
  lineOf,
  type NewLine,
} from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { connect, onPostgres } from './support/database.js';
import { subscribe } from './support/delivery-rows.js';
import { everythingOf } from './support/everything.js';
import { select } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { PAYS } from './support/payouts.js';
import { rounds, together } from './support/race.js';
import { openShop } from './support/shop.js';
import { awaitingTransfer, choose, offerTransfers, TRANSFER_ACCOUNT } from './support/transfers.js';

const DAY_MS = 86_400_000;

const { app, shop } = await openShop({ env: PAYS });

beforeAll(async () => {
  await offerTransfers(app);
  const fee = { provider: 'bank_transfer', currency: 'EUR', partsPerMillion: 29_000, fixed: 30 };
  await app.get(FeesService).set({ merchantId: shop.merchantId, ...fee });
  await subscribe(app, shop);
});

const waiting = (amount: number): Promise<OrderJson> => awaitingTransfer(shop, { amount });

type Meanwhile = (tx: EntityManager, order: OrderJson) => Promise<unknown>;

/** Credits each order with a line of its own, in one transaction. */
async function creditTogether(
  credits: readonly (readonly [OrderJson, number])[],
  meanwhile: Meanwhile = async () => undefined,
): Promise<void> {
  const lines = await Promise.all(credits.map(([, amount]) => bookedLine(app, { amount })));
  const keys = credits.map(([{ txid }]) => {
    return { merchantId: shop.merchantId, mode: 'test', txid } as const;
  });
  const service = app.get(CreditsService);
  await app.get(Database).transaction(async (tx) => {
    const held = await service.hold(tx, keys);
    await meanwhile(tx, credits[0]![0]);
    const all = lines.map((line, n) => ({
      held: held.get(keys[n]!.txid)!,
      credit: creditOf(line),
    }));
    await service.creditAll(tx, all, app.clock.now());
  });
  const ids = lines.map(({ id }) => id);
  const matched = `UPDATE bank_lines SET state = 'matched', looked_at = $2 WHERE id = ANY ($1)`;
  await select(app, matched, [ids, app.clock.now()]);
}

/** A line that pays an order by the reference that its payer was told, and at which nobody has looked. */
async function lineFor(order: OrderJson, changes: Partial<NewLine> = {}): Promise<BankLine> {
  const sql = 'SELECT reference AS text FROM transfer_references WHERE txid = $1';
  const [told] = await select<{ text: string }>(app, sql, [order.txid]);
  return bookedLine(app, { amount: order.amount, ...told!, ...changes });
}

/** Its payer asked for it, after it was cancelled. */
async function forget({ txid }: OrderJson): Promise<void> {
  await shop.cancel(txid);
  await app
    .get(Database)
    .transaction((tx) => app.get(RetentionRepository).eraseEnded(tx, shop.merchantId, [txid]));
}

const paidElsewhere = ({ txid }: OrderJson) =>
  shop.call('POST', `/api/test-helpers/order/${txid}/payment`, { outcome: 'paid' });

const changed = ({ txid }: OrderJson) =>
  shop.call('PATCH', `/api/order/${txid}`, { amount: 2_000 });

const matching = (at: TestApp = app) => at.get(MatcherService).matchNew();

async function expectBooksInOrder(): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('credits that are booked together', () => {
  it.each([
    ['an order', 8_990, 8_990],
    ['one that its fee takes whole', 20, 20],
    ['a part', 1_000, 400],
    ['too much', 1_000, 1_200],
  ])('write what one writes that is booked alone: %s', async (_, amount, credit) => {
    const [one, other, alone] = [
      await waiting(amount),
      await waiting(amount),
      await waiting(amount),
    ];
    await credited(app, shop, alone, credit);
    await creditTogether([
      [one, credit],
      [other, credit],
    ]);
    const expected = JSON.stringify(await everythingOf(app, alone));
    for (const order of [one, other]) {
      const renamed = expected.replaceAll(alone.orderMerchantId, order.orderMerchantId);
      expect(await everythingOf(app, order)).toEqual(JSON.parse(renamed));
    }
    await expectBooksInOrder();
  });

  it.each<[string, (order: OrderJson) => Promise<unknown>]>([
    ['was cancelled', ({ txid }) => shop.cancel(txid)],
    ['is paid by another way', (order) => choose(order, 'sandbox')],
    ['was cancelled, and its payer forgotten', forget],
    ['has got a part', (order) => credited(app, shop, order, 400)],
    ['has got all', (order) => credited(app, shop, order, 1_000)],
  ])('write what one writes that is booked alone: an order that %s', async (_, change) => {
    const [one, alone, plain] = [await waiting(1_000), await waiting(1_000), await waiting(1_000)];
    for (const order of [one, alone]) await change(order);
    await credited(app, shop, alone, 1_000);
    await creditTogether([
      [plain, 1_000],
      [one, 1_000],
    ]);
    const expected = JSON.stringify(await everythingOf(app, alone));
    const renamed = expected.replaceAll(alone.orderMerchantId, one.orderMerchantId);
    expect(await everythingOf(app, one)).toEqual(JSON.parse(renamed));
    await expectBooksInOrder();
  });

  it('end an order first whose last day was over', async () => {
    const [late, alone] = [await waiting(1_000), await waiting(1_000)];
    app.clock.advance(30 * DAY_MS);
    await credited(app, shop, alone, 1_000);
    await creditTogether([[late, 1_000]]);
    const { body } = await shop.read(late.txid);
    expect(body).toMatchObject({ status: 'expired', exception: 'paid_late' });
    await expectBooksInOrder();
  });

  it('write nothing when an order is not as it was read', async () => {
    const order = await waiting(1_000);
    const changed = creditTogether([[order, 1_000]], (tx, { txid }) =>
      tx.query('UPDATE orders SET version = version + 1 WHERE txid = $1', [txid]),
    );
    await expect(changed).rejects.toThrow('although it was locked');
    const { body } = await shop.read(order.txid);
    expect(body).toMatchObject({ status: 'processing', amountReceived: 0 });
  });

  it('write nothing when an order is named twice', async () => {
    const order = await waiting(1_000);
    const twice = creditTogether([
      [order, 1_000],
      [order, 1_000],
    ]);
    await expect(twice).rejects.toThrow('transfers_payment_once');
    expect((await shop.read(order.txid)).body).toMatchObject({ amountReceived: 0 });
    await expectBooksInOrder();
  });
});

describe('lines that are booked together', () => {
  it('pay orders of both modes and of two currencies, each as its own', async () => {
    const live = await app.merchant({ mode: 'live' });
    const { merchantId } = live;
    await app
      .get(Database)
      .transaction((tx) =>
        app.get(MerchantRepository).update(tx, merchantId, { takesTransfers: true }),
      );
    await offerTransfers(app, { mode: 'live' });
    await offerTransfers(app, { currency: 'CHF' });
    const orders = [
      [shop, 'test', 'EUR'],
      [shop, 'test', 'CHF'],
      [live, 'live', 'EUR'],
    ] as const;
    const txids: string[] = [];
    for (const [client, mode, currency] of orders) {
      const order = await awaitingTransfer(client, { amount: 1_000, currency });
      await lineFor(order, { mode, currency });
      txids.push(order.txid);
    }
    await matching();
    for (const [n, [client, mode, currency]] of orders.entries()) {
      const sql = `SELECT DISTINCT merchant_id AS merchant, mode, currency FROM transfers WHERE txid = $1`;
      const booked = [{ merchant: client.merchantId, mode, currency }];
      expect(await select(app, sql, [txids[n]])).toEqual(booked);
    }
    await expectSound(app, [shop.merchantId, merchantId]);
    await expectHealthy(app);
  });

  it('pay one order one after the other', async () => {
    const [parts, twice] = [await waiting(1_000), await waiting(1_000)];
    for (const amount of [400, 600]) await lineFor(parts, { amount });
    for (const order of [twice, twice]) await lineFor(order);
    await matching();
    expect((await shop.read(parts.txid)).body).toMatchObject({ status: 'paid', exception: 'none' });
    expect((await shop.read(twice.txid)).body).toMatchObject({ status: 'paid', exception: 'none' });
    expect(await excess()).toHaveLength(1);
    await expectBooksInOrder();
  });

  const excess = () => select(app, `SELECT 1 FROM bank_lines WHERE reason = 'more_than_due'`);

  it.each<[string, (order: OrderJson) => Promise<unknown>, readonly string[]]>([
    ['a cancellation', ({ txid }) => shop.cancel(txid), ['paid none', 'cancelled paid_late']],
    ['another way to pay', (order) => choose(order, 'sandbox'), ['paid none']],
    ['a payment elsewhere', paidElsewhere, ['paid none', 'paid duplicate_payment']],
    ['a change of the order', changed, ['paid none']],
  ])('race with %s: each is booked once', async (_, change, ends) => {
    const other = app.database.isPostgres ? await TestApp.start({ database: app.database }) : app;
    await rounds(async () => {
      const orders = await together(() => waiting(1_000), 6);
      const lines: BankLine[] = [];
      for (const order of orders) lines.push(await lineFor(order));
      await Promise.all([matching(), matching(other), ...orders.slice(0, 3).map(change)]);
      for (const line of lines) {
        const isMore = (await lineOf(app, line.id))?.reason === 'more_than_due';
        const booked = isMore ? [] : [{ amount: 1_000 }];
        expect(await allocationsOf(app, line)).toMatchObject(booked);
      }
      for (const [n, { txid }] of orders.entries()) {
        const { status, exception } = (await shop.read(txid)).body;
        expect(n < 3 ? ends : ['paid none']).toContain(`${status} ${exception}`);
      }
    });
    if (other !== app) await other.stop();
    await expectBooksInOrder();
  });

  onPostgres(it, 'the embedded database has one session')(
    'wait for nobody who holds the order of another, which is booked at the next look',
    async () => {
      const orders = await together(() => waiting(1_000), 4);
      const lines: BankLine[] = [];
      for (const order of orders) lines.push(await lineFor(order));
      const somebody = await connect(app.database.url);
      await somebody.query('BEGIN');
      await somebody.query('SELECT FROM orders WHERE txid = $1 FOR UPDATE', [orders[1]!.txid]);
      await matching();
      await somebody.end();
      const states = () => Promise.all(lines.map(async ({ id }) => (await lineOf(app, id))!.state));
      expect(await states()).toEqual(['matched', 'unmatched', 'matched', 'matched']);
      await matching();
      expect(await states()).toEqual(Array(4).fill('matched'));
      await expectBooksInOrder();
    },
    60_000,
  );

  onPostgres(it, 'the embedded database has one session')(
    'are tried again by their import, whose report counts them',
    async () => {
      const orders = await together(() => waiting(1_000), 4);
      const entries = orders.map(({ payment }) => {
        const { transfer } = payment as unknown as { transfer: { reference: string } };
        return { amount: 1_000, text: transfer.reference };
      });
      const day = app.clock.now().toISOString().slice(0, 10);
      const { account } = TRANSFER_ACCOUNT;
      const bytes = Buffer.from(camtFile('053', { account, day, id: 'held', entries }));
      const somebody = await connect(app.database.url);
      await somebody.query('BEGIN');
      await somebody.query('SELECT FROM orders WHERE txid = $1 FOR UPDATE', [orders[1]!.txid]);
      const options = { mode: 'test', name: 'held.xml', source: 'cli' } as const;
      const result = app.get(BankImportService).import({ bytes }, options);
      const isPaid = async () => (await shop.read(orders[3]!.txid)).body.status === 'paid';
      while (!(await isPaid())) await sleep(20);
      await somebody.end();
      expect(await result).toMatchObject({ new: 4, matched: 4, unmatched: 0 });
      await expectBooksInOrder();
    },
    60_000,
  );
});
