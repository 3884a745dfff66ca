import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { MatchingRepository } from '../src/database/bank/matching/matching.repository.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { Bank } from './support/bank.js';
import {
  allocationsOf,
  bookedLine,
  collectionAccount,
  lineOf,
  told,
} from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { rounds, tally } from './support/race.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await collectionAccount(app);
const reconciliation = app.get(ManualReconciliation);
const operator = await person(app, 'operator');

const matching = () => app.get(MatcherService).matchNew();
const orderOf = async ({ txid }: OrderJson) => (await shop.read(txid)).body;
const stateOf = async (order: OrderJson) => {
  const { status, exception, amountReceived } = await orderOf(order);
  return `${status} ${exception} ${String(amountReceived)}`;
};
const available = async () => (await balances(app, shop))['EUR']?.['available'] ?? 0;

let lines = 0;

/** An order that a line pays, once rules have looked. */
async function paid() {
  const order = await shop.order({ amount: 1_000 });
  const text = await told(app, shop, order);
  const line = await bookedLine(app, { amount: 1_000, text, endToEndId: `RACE-${++lines}` });
  await matching();
  const [allocation] = await allocationsOf(app, line);
  return { order, text, line, allocation: allocation! };
}

/** What the bank takes back of such a line. */
const backOf = (endToEndId: string | null, amount = 1_000) =>
  bookedLine(app, { amount, direction: 'out', kind: 'return', returned: true, endToEndId });

async function expectBooksInOrder(): Promise<void> {
  await matching();
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('races of money that goes back', () => {
  it('of an undo with the true payment: the order is paid by that one alone', async () => {
    await rounds(async () => {
      const before = await available();
      const { order, text, allocation } = await paid();
      await bookedLine(app, { amount: 1_000, text });
      const [outcome] = await Promise.all([reconciliation.undo('test', allocation), matching()]);
      await matching();
      expect(outcome).toBe('taken_back');
      expect(await stateOf(order)).toBe('paid none 1000');
      const { payments, events } = await factsOf(app, order.txid);
      expect(payments.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
      const times = (type: string) => events.filter((each) => each === type).length;
      expect(times('order.paid')).toBe(times('order.reopened') + 1);
      expect((await available()) - before).toBe(1_000);
    });
    await expectBooksInOrder();
  });

  it('of an undo while the matcher has read the order as paid: the waiting payment pays it', async () => {
    const { order, text, allocation } = await paid();
    await bookedLine(app, { amount: 1_000, text });
    const repository = app.get(MatchingRepository);
    const read = repository.findByReference.bind(repository);
    repository.findByReference = async (mode, references) => {
      const orders = await read(mode, references);
      repository.findByReference = read;
      await reconciliation.undo('test', allocation);
      return orders;
    };
    await matching();
    await matching();
    expect(await stateOf(order)).toBe('paid none 1000');
    await expectBooksInOrder();
  });

  it('of an undo with a payment at a provider: the order is paid by that one alone', async () => {
    const bank = await Bank.of(app, shop);
    await rounds(async () => {
      const { body: order } = await shop.pay((await shop.order({ amount: 1_000 })).txid, {
        outcome: 'pending',
      });
      const line = await bookedLine(app, { amount: 1_000 });
      await matching();
      const part = { merchantId: shop.merchantId, txid: order.txid, amount: 1_000 };
      await reconciliation.matchManually('test', line.id, [part], operator.id, 'Seen');
      const [allocation] = await allocationsOf(app, line);
      const [outcome] = await Promise.all([
        reconciliation.undo('test', allocation!),
        bank.send(bank.message(order, String(order.payment?.['id']), 'booked')),
      ]);
      await bank.settled();
      expect(outcome).toBe('taken_back');
      expect(await stateOf(order)).toBe('paid none 1000');
    });
    await expectBooksInOrder();
  });

  it('of a chargeback with a new payment: that makes up for it, whichever comes first', async () => {
    await rounds(async () => {
      const before = await available();
      const { order, text, line } = await paid();
      await backOf(line.endToEndId);
      await bookedLine(app, { amount: 1_000, text });
      await Promise.all([matching(), matching()]);
      await matching();
      expect(await stateOf(order)).toBe('paid none 1000');
      expect((await available()) - before).toBe(1_000);
    });
    await expectBooksInOrder();
  });

  it('of two returns of parts, by rules and by hand: no more goes back than came', async () => {
    const ends: string[] = [];
    await rounds(async () => {
      const { order, line } = await paid();
      await backOf(line.endToEndId, 600);
      const other = await backOf(null, 600);
      await app
        .get(DataSource)
        .query(
          'UPDATE bank_lines SET looked_at = created_at, reason = $2, state = $3 WHERE id = $1',
          [other.id, 'unknown_money_out', 'unmatched'],
        );
      const part = { merchantId: shop.merchantId, txid: order.txid, amount: 600 };
      const [byHand] = await Promise.all([
        reconciliation.returnManually('test', other.id, part, operator.id),
        matching(),
      ]);
      expect(await stateOf(order)).toBe('paid charged_back 400');
      expect(['returned', 'no_payment']).toContain(byHand);
      ends.push(byHand);
    });
    expect(Object.keys(tally(ends)).length).toBeGreaterThan(0);
    await expectBooksInOrder();
  });

  it('of an undo with a return of a part: one of them has the money', async () => {
    await rounds(async () => {
      const { order, line, allocation } = await paid();
      const back = await backOf(line.endToEndId, 300);
      const [outcome] = await Promise.all([reconciliation.undo('test', allocation), matching()]);
      const reason = (await lineOf(app, back.id))!.reason;
      expect([outcome, reason, await stateOf(order)]).toEqual(
        outcome === 'taken_back'
          ? ['taken_back', 'unknown_money_out', 'open none 0']
          : ['partly_returned', 'charged_back', 'paid charged_back 700'],
      );
    });
    await expectBooksInOrder();
  });

  it('of an undo with a payout of its money: it goes back or out, never both', async () => {
    const cashier = await Cashier.of(app, shop);
    await rounds(async () => {
      const { order, allocation } = await paid();
      const wish = cashier.request(await available()).then(
        () => 'paid out',
        () => 'refused',
      );
      const [outcome, asked] = await Promise.all([reconciliation.undo('test', allocation), wish]);
      expect(`${outcome}, ${asked}`).toMatch(/^(taken_back, refused|paid_out, paid out)$/);
      expect(await stateOf(order)).toBe(outcome === 'paid_out' ? 'paid none 1000' : 'open none 0');
      app.clock.advance(60_000);
    });
    await expectBooksInOrder();
  });

  it('of an undo with the end of the order’s time: it expires once', async () => {
    await rounds(async () => {
      const { order, allocation } = await paid();
      const sql = `UPDATE orders SET expires_at = created_at + interval '1 second' WHERE txid = $1`;
      await select(app, sql, [order.txid]);
      app.clock.advance(5_000);
      const key = { merchantId: shop.merchantId, txid: order.txid };
      await Promise.all([
        reconciliation.undo('test', allocation),
        app.get(Sweeper).expireOne(key, app.clock.now()),
      ]);
      expect(await stateOf(order)).toBe('expired none 0');
      const { events } = await factsOf(app, order.txid);
      expect(events.filter((type) => type === 'order.expired')).toHaveLength(1);
    });
    await expectBooksInOrder();
  });
});
