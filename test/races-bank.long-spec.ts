import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { DataSource } from 'typeorm';
import { Sweeper } from '../src/payments/sweeper.js';
import {
  allocationsOf,
  bookedLine,
  collectionAccount,
  lineOf,
  told,
} from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { onPostgres } from './support/database.js';
import { factsOf, select, untilBlocked } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { ROUNDS, rounds, tally } from './support/race.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;

const { app, shop } = await openShop({ env: PAYS });
await collectionAccount(app);
const reconciliation = app.get(ManualReconciliation);
const operator = await person(app, 'operator');

const matching = () => app.get(MatcherService).matchNew();
const read = async ({ txid }: OrderJson) => (await shop.read(txid)).body;
const part = ({ txid }: OrderJson) => ({ merchantId: shop.merchantId, txid, amount: 1_000 });

/** An order, and a line that pays it and that nobody has looked at. */
async function booked() {
  const order = await shop.order({ amount: 1_000 });
  const text = await told(app, shop, order);
  return { order, line: await bookedLine(app, { amount: 1_000, text, endToEndId: text }) };
}

/** What a line paid for stands once, and what the order received is what it brought. */
async function paidOnce(lineId: string): Promise<void> {
  const [row] = await select<{ amount: number }>(
    app,
    `SELECT coalesce(sum(amount), 0)::bigint AS amount FROM bank_allocations
     WHERE line_id = $1 AND undone_at IS NULL`,
    [lineId],
  );
  expect(row).toEqual({ amount: 1_000 });
}

async function expectBooksInOrder(): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
  const untouched = 'SELECT id FROM bank_lines WHERE looked_at IS NULL';
  expect(await app.get(DataSource).query<unknown[]>(untouched)).toEqual([]);
}

describe('races of a line that pays', () => {
  it('with a cancellation: paid, or cancelled and late', async () => {
    const ends: string[] = [];
    await rounds(async () => {
      const { order, line } = await booked();
      await Promise.all([matching(), shop.cancel(order.txid)]);
      await paidOnce(line.id);
      const { status, exception, amountReceived } = await read(order);
      expect(amountReceived).toBe(1_000);
      ends.push(`${status} ${exception}`);
    });
    for (const end of Object.keys(tally(ends)))
      expect(['paid none', 'cancelled paid_late']).toContain(end);
    await expectBooksInOrder();
  });

  it('with the end of the order’s time: paid, or expired and late', async () => {
    const ends: string[] = [];
    await rounds(async () => {
      const { order, line } = await booked();
      await app
        .get(DataSource)
        .query(`UPDATE orders SET expires_at = created_at + interval '1 second' WHERE txid = $1`, [
          order.txid,
        ]);
      app.clock.advance(5_000);
      const sweeper = app.get(Sweeper);
      const key = { merchantId: shop.merchantId, txid: order.txid };
      await Promise.all([matching(), sweeper.expireOne(key, app.clock.now())]);
      await paidOnce(line.id);
      const { status, exception } = await read(order);
      ends.push(`${status} ${exception}`);
    });
    for (const end of Object.keys(tally(ends)))
      expect(['paid none', 'expired paid_late']).toContain(end);
    await expectBooksInOrder();
  });

  it('with a payment elsewhere: the order is paid by one; the other is too much, or waits', async () => {
    await rounds(async () => {
      const { order, line } = await booked();
      await Promise.all([
        matching(),
        shop.call('POST', `/api/test-helpers/order/${order.txid}/payment`, { outcome: 'paid' }),
      ]);
      const facts = await factsOf(app, order.txid);
      expect(facts.payments.filter((payment) => payment['completes_order'])).toHaveLength(1);
      const { status, exception, amountReceived } = await read(order);
      const reason = (await lineOf(app, line.id))?.reason;
      if (reason !== 'more_than_due') await paidOnce(line.id);
      else expect(amountReceived).toBe(1_000);
      const isTwice = amountReceived === 2_000;
      expect([status, exception]).toEqual(['paid', isTwice ? 'duplicate_payment' : 'none']);
    });
    await expectBooksInOrder();
  });

  it('with a person who matches it to another order: one of them is paid', async () => {
    const ends: string[] = [];
    await rounds(async () => {
      const { order, line } = await booked();
      const other = await shop.order({ amount: 1_000 });
      const [, byHand] = await Promise.all([
        matching(),
        reconciliation.matchManually('test', line.id, [part(other)], operator.id, 'Seen'),
      ]);
      // Whoever came second to a line that the rules had let go finds it paid.
      await matching();
      await paidOnce(line.id);
      const paid = [await read(order), await read(other)].map(({ status }) => status);
      expect(paid.toSorted()).toEqual(['open', 'paid']);
      expect(paid[1] === 'paid').toBe(byHand === 'matched');
      ends.push(byHand);
    });
    expect(Object.values(tally(ends)).reduce((sum, count) => sum + count, 0)).toBe(ROUNDS);
    await expectBooksInOrder();
  });

  it('of two people who match one line: the money is there once', async () => {
    await rounds(async () => {
      const [one, other] = [
        await shop.order({ amount: 1_000 }),
        await shop.order({ amount: 1_000 }),
      ];
      const line = await bookedLine(app, { amount: 1_000, text: 'nothing' });
      await matching();
      const outcomes = await Promise.all(
        [one, other].map((order) =>
          reconciliation.matchManually('test', line.id, [part(order)], operator.id, 'Seen'),
        ),
      );
      expect(tally(outcomes)).toEqual({ matched: 1, not_waiting: 1 });
      await paidOnce(line.id);
    });
    await expectBooksInOrder();
  });

  it('of two who undo it: it goes back once', async () => {
    await rounds(async () => {
      const { order, line } = await booked();
      await matching();
      const [allocation] = await allocationsOf(app, line);
      const outcomes = await Promise.all(
        [1, 2].map(() => reconciliation.undo('test', allocation!)),
      );
      expect(tally(outcomes)).toEqual({ taken_back: 1, undone_before: 1 });
      expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched', reason: 'undone' });
      expect(await read(order)).toMatchObject({ status: 'open', exception: 'none' });
    });
    await expectBooksInOrder();
  });

  const reversal = { amount: 1_000, direction: 'out', kind: 'reversal', reversal: true } as const;
  /** An allocation of a line that paid, and the line by which the bank takes its money back. */
  async function aboutToGoBack() {
    const { order, line } = await booked();
    await matching();
    const back = await bookedLine(app, { ...reversal, endToEndId: line.endToEndId });
    const [allocation] = await allocationsOf(app, line);
    return { order, line, back, allocation: allocation! };
  }
  const bookingOfLine = async ({ id }: BankLine) => {
    const { state, reason } = (await lineOf(app, id))!;
    return `${state} ${reason}`;
  };

  it('of an undo with the bank, which takes it back: it goes back once', async () => {
    await rounds(async () => {
      const { order, line, back, allocation } = await aboutToGoBack();
      const [undone] = await Promise.all([reconciliation.undo('test', allocation), matching()]);
      expect([undone, await bookingOfLine(line), await bookingOfLine(back)]).toEqual(
        undone === 'taken_back'
          ? ['taken_back', 'unmatched undone', 'unmatched unknown_money_out']
          : ['undone_before', 'matched charged_back', 'not_a_payment charged_back'],
      );
      const isUndone = undone === 'taken_back';
      expect(await read(order)).toMatchObject({
        status: isUndone ? 'open' : 'paid',
        exception: isUndone ? 'none' : 'charged_back',
      });
    });
    await expectBooksInOrder();
  });

  onPostgres(it, 'the embedded database has one session')(
    'of an undo for which the bank’s line waits: the bank took back what paid for nothing',
    async () => {
      const { line, back, allocation } = await aboutToGoBack();
      let matched: Promise<unknown> | undefined;
      await reconciliation.undo('test', allocation, async () => {
        matched = matching();
        await untilBlocked(app, 1);
      });
      await matched;
      expect(await bookingOfLine(line)).toBe('unmatched undone');
      expect(await bookingOfLine(back)).toBe('unmatched unknown_money_out');
      await expectBooksInOrder();
    },
  );

  it('of an undo with a payout of its money: it goes back or out, never both', async () => {
    const cashier = await Cashier.of(app, shop);
    const ends: string[] = [];
    await rounds(async () => {
      const { line } = await booked();
      await matching();
      const [allocation] = await allocationsOf(app, line);
      const available = await select<{ amount: number }>(
        app,
        `SELECT sum(CASE WHEN credit = 'available' THEN amount ELSE -amount END)::bigint AS amount
         FROM transfers WHERE merchant_id = $1 AND 'available' IN (debit, credit)`,
        [shop.merchantId],
      );
      const wish = cashier.request(available[0]!.amount).then(
        () => 'paid out',
        () => 'refused',
      );
      const [undone, asked] = await Promise.all([reconciliation.undo('test', allocation!), wish]);
      expect(`${undone}, ${asked}`).toMatch(/^(taken_back, refused|paid_out, paid out)$/);
      ends.push(undone);
      app.clock.advance(HOUR_MS / 60);
    });
    expect(Object.keys(tally(ends)).length).toBeGreaterThan(0);
    await expectBooksInOrder();
  });
});
