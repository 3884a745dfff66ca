import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Ledger1764403200000 } from '../src/database/migrations/1764403200000-ledger.js';
import { MIGRATIONS } from '../src/database/schema/migrations.js';
import { PaymentsService } from '../src/payments/payments.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { startPayment } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { openShop } from './support/shop.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const NOBODY = { accountNumber: null, accountType: null, accountName: null };

const { app, shop } = await openShop();

const TRANSFERS = `
  SELECT txid, payment_id, kind, debit, credit, amount, currency, mode, created_at FROM transfers
  ORDER BY txid, payment_id, kind, currency`;
const FEES = 'SELECT txid, fee FROM orders ORDER BY txid';

/** What the ledger says of one order, oldest first: `payment 1000`. */
async function bookedFor({ txid }: OrderJson): Promise<string[]> {
  const sql = `SELECT kind || ' ' || amount AS line FROM transfers
    WHERE txid = $1 ORDER BY created_at, kind`;
  return (await select<{ line: string }>(app, sql, [txid])).map(({ line }) => line);
}

async function accept(id: string, amount: number, currency = 'EUR'): Promise<void> {
  app.clock.advance(SECOND_MS);
  const key = { merchantId: shop.merchantId, id };
  const update = { kind: 'accepted', amount, currency, payer: NOBODY } as const;
  await app.get(PaymentsService).apply(key, update);
}

async function refuse(id: string): Promise<void> {
  const key = { merchantId: shop.merchantId, id };
  await app.get(PaymentsService).apply(key, { kind: 'declined', code: 'no', message: 'No.' });
}

/** An order that is paid in as many payments as there are amounts. */
async function paidIn(...amounts: number[]): Promise<OrderJson> {
  const order = await shop.order({ amount: 1000 });
  for (const amount of amounts) await accept(await startPayment(app, order), amount);
  return order;
}

/** The payment that failed is paid all the same, after the one that came next. */
async function paidTwice(...amounts: number[]): Promise<OrderJson> {
  const order = await shop.order({ amount: 1000 });
  const first = await startPayment(app, order);
  await refuse(first);
  for (const amount of amounts) await accept(await startPayment(app, order), amount);
  await accept(first, 1000);
  return order;
}

async function paidLate(before: readonly number[], late: number): Promise<OrderJson> {
  const order = await paidIn(...before);
  const payment = await startPayment(app, order);
  app.clock.advance(HOUR_MS);
  await app.get(Sweeper).run();
  await accept(payment, late);
  return order;
}

async function paidInDollars(...after: number[]): Promise<OrderJson> {
  const order = await shop.order({ amount: 1000 });
  await accept(await startPayment(app, order), 1100, 'USD');
  for (const amount of after) await accept(await startPayment(app, order), amount);
  return order;
}

/** As if nothing had ever been booked; then what was paid is booked from what stands in the orders. */
async function bookAgain(change?: string): Promise<void> {
  const dataSource = app.get(DataSource);
  for (const _ of MIGRATIONS.slice(MIGRATIONS.indexOf(Ledger1764403200000))) {
    await dataSource.undoLastMigration();
  }
  if (change) await dataSource.query(change);
  await dataSource.runMigrations();
}

describe('payments of before there was a ledger', () => {
  it('are booked as they would be today', async () => {
    const stories: [OrderJson, string[]][] = [
      [await paidIn(1000), ['payment 1000']],
      [await paidIn(400, 600), ['unallocated 400', 'allocation 400', 'payment 600']],
      [
        await paidIn(100, 200, 800),
        ['unallocated 100', 'unallocated 200', 'allocation 300', 'payment 700', 'unallocated 100'],
      ],
      [await paidIn(1250), ['payment 1000', 'unallocated 250']],
      [await paidTwice(1000), ['payment 1000', 'unallocated 1000']],
      [
        await paidTwice(300, 900),
        ['unallocated 300', 'allocation 300', 'payment 700', 'unallocated 200', 'unallocated 1000'],
      ],
      [await paidLate([], 1000), ['unallocated 1000']],
      [await paidLate([300], 700), ['unallocated 300', 'unallocated 700']],
      [await paidInDollars(), ['unallocated 1100']],
      [await paidInDollars(1000), ['unallocated 1100', 'payment 1000']],
      [await shop.order(), []],
    ];
    const booked = async () => Promise.all(stories.map(([order]) => bookedFor(order)));
    expect(await booked()).toEqual(stories.map(([, lines]) => lines));

    const before = [await select(app, TRANSFERS), await select(app, FEES)];
    await bookAgain();
    expect([await select(app, TRANSFERS), await select(app, FEES)]).toEqual(before);
  });

  it('are booked right where two that came at one moment were noted the wrong way round', async () => {
    const order = await paidIn(400, 600);
    const twice = await paidTwice(1000);
    const lines = [await bookedFor(order), await bookedFor(twice)];
    await bookAgain(`UPDATE payments SET completed_at = (SELECT completed_at FROM payments c
      WHERE c.txid = payments.txid AND c.completes_order) + make_interval(
        secs => CASE amount_received WHEN 400 THEN 1 ELSE 0 END)
      WHERE NOT completes_order AND txid IN ('${order.txid}', '${twice.txid}')`);
    const sorted = (all: string[][]) => all.map((some) => some.toSorted());
    expect(sorted([await bookedFor(order), await bookedFor(twice)])).toEqual(sorted(lines));
  });
});
