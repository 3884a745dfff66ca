import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { UndoneReturnsService } from '../src/bank/matching/undone-returns.service.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import {
  allocationOf,
  bookedLine,
  collectionAccount,
  credited,
  lineOf,
} from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { rounds } from './support/race.js';
import { undone } from './support/returns.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const reconciliation = app.get(ManualReconciliation);
const returns = app.get(UndoneReturnsService);
const operator = await person(app, 'operator');

type Credited = Awaited<ReturnType<typeof credited>>;

const read = async (shop: Client, { txid }: OrderJson) => (await shop.read(txid)).body;

const left = (amount: number): Promise<BankLine> =>
  bookedLine(app, {
    amount,
    direction: 'out',
    lookedAt: app.clock.now(),
    state: 'not_a_payment',
    reason: 'unknown_money_out',
  });

async function booked(shop: Client, { txid }: OrderJson, amount: number): Promise<BankLine> {
  const line = await left(amount);
  const part = { merchantId: shop.merchantId, txid, amount };
  expect(await reconciliation.returnManually('test', line.id, part, operator.id)).toBe('returned');
  return line;
}

const keyOf = ({ payment }: Credited) => ({
  merchantId: payment.merchantId,
  paymentId: payment.id,
});
const undo = (line: BankLine, paid: Credited) =>
  returns.undo('test', line.id, keyOf(paid), operator.id);

async function expectBooksInOrder(shop: Client): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

/** What must be as it was, once a return of it was undone. */
async function stateOf(shop: Client, order: OrderJson, { line, payment }: Credited) {
  const { updatedAt: _, ...now } = await read(shop, order);
  const { lookedAt: _at, ...paying } = (await lineOf(app, line.id))!;
  const allocation = await allocationOf(app, {
    merchantId: shop.merchantId,
    paymentId: payment.id,
  });
  return { now, paying, allocation, money: await balances(app, shop) };
}

describe('a return that was booked and was none', () => {
  it.each([
    ['all of a payment', 1_000, 1_000],
    ['a part of a payment', 1_000, 300],
    ['what was too much', 1_200, 200],
    ['more than was too much', 1_200, 700],
    ['a part that came first', 400, 400],
  ])('leaves order, ledger and lines as they were: %s', async (_, paid, back) => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    const credit = await credited(app, shop, order, paid);
    await select(app, `UPDATE bank_lines SET reason = 'test' WHERE id = $1`, [credit.line.id]);
    const before = await stateOf(shop, order, credit);
    const line = await booked(shop, order, back);
    expect(await stateOf(shop, order, credit)).not.toEqual(before);
    app.clock.advance(60_000);
    expect(await undo(line, credit)).toBe('done');
    expect(await stateOf(shop, order, credit)).toEqual(before);
    expect(await lineOf(app, line.id)).toMatchObject({
      state: 'unmatched',
      reason: 'return_undone',
    });
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('order.exception');
    expect(await undo(line, credit)).toBe('not_possible');
    await app.get(MatcherService).matchNew();
    expect(await stateOf(shop, order, credit)).toEqual(before);
    await expectBooksInOrder(shop);
  });

  it('is booked again, as the return of another order or of the same one', async () => {
    const shop = await app.merchant();
    const [wrong, right] = [
      await shop.order({ amount: 1_000 }),
      await shop.order({ amount: 1_000 }),
    ];
    const [credit] = [
      await credited(app, shop, wrong, 1_000),
      await credited(app, shop, right, 1_000),
    ];
    const line = await booked(shop, wrong, 1_000);
    await undo(line, credit);
    app.clock.advance(60_000);
    const part = { merchantId: shop.merchantId, amount: 400 };
    for (const { txid } of [right, wrong])
      expect(
        await reconciliation.returnManually('test', line.id, { ...part, txid }, operator.id),
      ).toBe('returned');
    expect(await read(shop, right)).toMatchObject({
      exception: 'charged_back',
      amountReceived: 600,
    });
    expect(await read(shop, wrong)).toMatchObject({
      exception: 'charged_back',
      amountReceived: 600,
    });
    await expectBooksInOrder(shop);
  });

  it('is too much where other money has made up for it', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    const credit = await credited(app, shop, order, 1_000);
    const line = await booked(shop, order, 1_000);
    const other = await credited(app, shop, order, 1_000);
    await undo(line, credit);
    expect(await read(shop, order)).toMatchObject({ exception: 'overpaid', amountReceived: 2_000 });
    expect(await balances(app, shop)).toMatchObject({
      EUR: { available: 1_000, unallocated: 1_000 },
    });
    await expectBooksInOrder(shop);
    expect(await undone(app, other)).toBe('taken_back');
    expect(await read(shop, order)).toMatchObject({ exception: 'none', amountReceived: 1_000 });
    await expectBooksInOrder(shop);
  });

  it('pays the order with the parts that came meanwhile', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    const credit = await credited(app, shop, order, 400);
    const line = await booked(shop, order, 400);
    await credited(app, shop, order, 600);
    expect(await read(shop, order)).toMatchObject({ status: 'open', exception: 'underpaid' });
    await undo(line, credit);
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      statusReason: 'exact',
      exception: 'none',
    });
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('order.paid');
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectBooksInOrder(shop);
  });

  it('counts once, whoever undoes it, matches or pays out at the same time', async () => {
    const shops: string[] = [];
    await rounds(async () => {
      const shop = await app.merchant();
      const cashier = await Cashier.of(app, shop);
      const [order, other] = [
        await shop.order({ amount: 1_000 }),
        await shop.order({ amount: 1_000 }),
      ];
      const credit = await credited(app, shop, order, 1_000);
      await credited(app, shop, other, 1_000);
      const line = await booked(shop, order, 1_000);
      const part = { merchantId: shop.merchantId, txid: other.txid, amount: 1_000 };
      const racers: readonly (() => Promise<unknown>)[] = [
        () => undo(line, credit),
        () => undo(line, credit),
        () => reconciliation.returnManually('test', line.id, part, operator.id),
        () => cashier.request(1_000).catch(() => 'refused'),
        () => undone(app, credit),
      ];
      const outcomes = await Promise.all(racers.map((race) => race()));
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      shops.push(shop.merchantId);
    });
    await expectSound(app, shops);
    await expectHealthy(app);
  });

  it('is undone by a person whom the database keeps, once, and by nothing else', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    const credit = await credited(app, shop, order, 1_000);
    const line = await booked(shop, order, 1_000);
    const change = (sql: string) =>
      select(app, `UPDATE bank_returns SET ${sql} WHERE line_id = $1`, [line.id]);
    const dead = `undone_at = now(), undone_by = '${operator.id}'`;
    await expect(change('amount = 1')).rejects.toThrow();
    await expect(change('undone_at = now()')).rejects.toThrow('bank_returns_undone_check');
    await expect(change(`${dead}, amount = 1`)).rejects.toThrow();
    const stand = `UPDATE bank_allocations SET undone_at = NULL, undone_by_line_id = NULL WHERE payment_id = $1`;
    await expect(select(app, stand, [credit.payment.id])).rejects.toThrow('more than it brought');
    await undo(line, credit);
    await expect(change(dead)).rejects.toThrow();
    const sql = `SELECT act FROM money_hands WHERE txid = $1 AND user_id = $2 ORDER BY act`;
    const hands = await select<{ act: string }>(app, sql, [order.txid, operator.id]);
    expect(hands.map(({ act }) => act)).toEqual(['return_booked', 'return_undone']);
  });
});
