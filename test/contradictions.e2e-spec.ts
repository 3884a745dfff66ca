import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { ProviderCallbacksService } from '../src/payments/provider-callbacks.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import type { SandboxMessage } from '../src/providers/sandbox/sandbox-message.js';
import { Bank, startPayment } from './support/bank.js';
import { factsOf, select } from './support/facts.js';
import { expectSound } from './support/payout-invariants.js';
import { balances } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { until } from './support/race.js';
import { sentBack } from './support/refunds.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();

/** What the bank says of a payment of 1,000 cents. */
const REPORTS = {
  all: { amount: 1_000 },
  less: { amount: 1 },
  more: { amount: 1_300 },
  dollars: { amount: 1_000, currency: 'USD' },
  'fewer dollars': { amount: 400, currency: 'USD' },
} as const;
type Result = SandboxMessage['result'];
type Report = keyof typeof REPORTS;

const NAMES = Object.keys(REPORTS) as Report[];
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));

const moneyOf = (report: Report) => ({ currency: 'EUR', ...REPORTS[report] });

const discrepancies = async (): Promise<number> =>
  (await (await fetch(`${app.url}/metrics`)).text())
    .split('\n')
    .filter((line) => line.startsWith('payment_orders_callback_discrepancies_total{'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

/** A payment about which the bank says one thing after the other. */
async function told(...messages: readonly Partial<SandboxMessage>[]) {
  const shop = await app.merchant();
  const bank = await Bank.of(app, shop);
  const order = await shop.order({ amount: 1_000 });
  const payment = await startPayment(app, order);
  for (const changes of messages) {
    app.clock.advance(1_000);
    await bank.send(bank.message(order, payment, 'booked', changes));
    await bank.settled();
  }
  const sql = 'SELECT result FROM provider_events WHERE payment_id = $1 ORDER BY id';
  const results = (await select<{ result: string }>(app, sql, [payment])).map((row) => row.result);
  return { shop, bank, order, payment, results, now: (await shop.read(order.txid)).body };
}

describe('what a provider says a second time', () => {
  it.each(PAIRS)(
    'is booked once, or left to a person: first %s, then %s',
    async (first, second) => {
      const [one, two] = [moneyOf(first), moneyOf(second)];
      const before = [await discrepancies(), app.log.length] as const;
      const { shop, order, results, now } = await told(one, two);
      const isSame = first === second;
      const isLess = one.currency === two.currency && two.amount < one.amount;
      expect(results).toEqual(['applied', isSame ? 'ignored' : isLess ? 'mismatch' : 'applied']);
      expect((await discrepancies()) - before[0]).toBe(isSame ? 0 : 1);
      const warnings = app.log
        .slice(before[1])
        .filter((line) => line.includes('payment.discrepancy'));
      expect(warnings).toHaveLength(isSame ? 0 : 1);

      const most = (currency: string): number =>
        Math.max(
          0,
          ...[one, two].flatMap((each) => (each.currency === currency ? each.amount : [])),
        );
      const books = await balances(app, shop);
      for (const currency of ['EUR', 'USD']) {
        expect((books[currency]?.['clearing:sandbox'] ?? 0) + most(currency)).toBe(0);
      }
      expect(now.amountReceived).toBe(most('EUR'));
      const { events } = await factsOf(app, order.txid);
      // Created, processing, and at least one for each of the two.
      if (!isSame && !isLess) expect(events.length).toBeGreaterThan(3);
      await expectSound(app, [shop.merchantId]);
    },
  );

  it('does not count again after the other was told', async () => {
    const { results, now, shop } = await told(
      moneyOf('dollars'),
      { currency: 'CHF', amount: 300 },
      moneyOf('dollars'),
      moneyOf('all'),
      moneyOf('dollars'),
      { currency: 'CHF', amount: 300 },
    );
    expect(results).toEqual(['applied', 'applied', 'ignored', 'applied', 'ignored', 'ignored']);
    expect(now).toMatchObject({ status: 'paid', exception: 'wrong_currency' });
    expect(await balances(app, shop)).toMatchObject({
      CHF: { unallocated: 300 },
      EUR: { available: 1_000 },
      USD: { unallocated: 1_000 },
    });
  });

  it('makes an order paid that waits for the rest, and can be sent back where it is too much', async () => {
    const { shop, order, now } = await told(moneyOf('less'), moneyOf('more'));
    expect(now).toMatchObject({ status: 'paid', exception: 'overpaid', amountReceived: 1_300 });
    expect(await balances(app, shop)).toMatchObject({
      EUR: { available: 1_000, unallocated: 300 },
    });
    await sentBack(app, shop, order, { amount: 300 });
    await expectSound(app, [shop.merchantId]);
  });

  it('is about other money when it names another reference', async () => {
    const reference = { reference: randomUUID() };
    const { results, now } = await told({}, { ...reference, amount: 1_500 });
    expect(results).toEqual(['applied', 'mismatch']);
    expect(now).toMatchObject({ amountReceived: 1_000, exception: 'none' });
  });
});

describe('a refusal or withdrawal of a payment that has paid', () => {
  const warned = () => app.log.filter((line) => line.includes('payment.discrepancy')).length;

  it.each(['refused', 'withdrawn'] as const)(
    'waits for a person, each time it is said anew: %s',
    async (result) => {
      const before = [await discrepancies(), warned()] as const;
      const { shop, bank, order, payment, results, now } = await told({}, { result }, { result });
      expect(results).toEqual(['applied', 'mismatch', 'mismatch']);
      expect(now).toMatchObject({ status: 'paid', amountReceived: 1_000, exception: 'none' });
      const same = bank.message(order, payment, result);
      for (let n = 0; n < 2; n++) await bank.send(same);
      await bank.settled();
      expect([(await discrepancies()) - before[0], warned() - before[1]]).toEqual([3, 3]);
      const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
      expect(broken.map(({ fact }) => fact.name)).toEqual(['provider-event-handled']);
      await select(app, `UPDATE provider_events SET handled_at = now() WHERE result = 'mismatch'`);
      await expectSound(app, [shop.merchantId]);
    },
  );

  it('also of money in another currency', async () => {
    const { results } = await told(moneyOf('dollars'), { result: 'refused' });
    expect(results).toEqual(['applied', 'mismatch']);
  });

  /** Messages that are received in one order and applied in another. */
  async function received(first: Result, second: Result, applied: 'in order' | 'turned round') {
    const shop = await app.merchant();
    const bank = await Bank.of(app, shop);
    const order = await shop.order({ amount: 1_000 });
    const payment = await startPayment(app, order);
    const events = [];
    for (const result of [first, second]) {
      events.push(await bank.receive(bank.message(order, payment, result)));
      app.clock.advance(1);
    }
    if (applied === 'turned round') events.reverse();
    const before = await discrepancies();
    for (const event of events) await app.get(ProviderCallbacksService).apply(event);
    const sql = 'SELECT result FROM provider_events WHERE payment_id = $1 ORDER BY id';
    const results = (await select<{ result: string }>(app, sql, [payment])).map(
      (row) => row.result,
    );
    const { status } = (await shop.read(order.txid)).body;
    return [status, ...results, (await discrepancies()) - before];
  }

  it.each([
    ['refused', 'booked', 'in order', ['paid', 'applied', 'applied', 0]],
    ['refused', 'booked', 'turned round', ['paid', 'ignored', 'applied', 0]],
    ['booked', 'refused', 'in order', ['paid', 'applied', 'mismatch', 1]],
    ['booked', 'refused', 'turned round', ['paid', 'applied', 'mismatch', 1]],
  ] as const)('is old news where it was received first: %s, %s, applied %s', async (...row) => {
    const [first, second, applied, expected] = row;
    expect(await received(first, second, applied)).toEqual(expected);
  });

  it('is found, whichever of the two is applied first', async () => {
    for (let n = 0; n < 20; n++) {
      const shop = await app.merchant();
      const bank = await Bank.of(app, shop);
      const order = await shop.order({ amount: 1_000 });
      const payment = await startPayment(app, order);
      const says = (result: Result) => bank.receive(bank.message(order, payment, result));
      const events = [await says('booked'), await says('refused')];
      await Promise.all(events.map((event) => app.get(ProviderCallbacksService).apply(event)));
      const sql = 'SELECT result FROM provider_events WHERE payment_id = $1 ORDER BY id';
      expect(await select(app, sql, [payment])).toEqual([
        { result: 'applied' },
        { result: 'mismatch' },
      ]);
      expect((await shop.read(order.txid)).body.status).toBe('paid');
    }
    await select(app, `UPDATE provider_events SET handled_at = now() WHERE result = 'mismatch'`);
  });
});

describe('what nobody could apply', () => {
  const LIST = '/portal/platform/unallocated/test';

  it('is not dealt with while its payment may yet come', async () => {
    const { shop, bank, order } = await told();
    const message = bank.message(order, randomUUID(), 'booked');
    const { id, receivedAt } = await bank.receive(message);
    const givenUp = receivedAt.getTime() + 24 * 3_600_000;
    app.clock.set(new Date(givenUp - 240_000));
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    await operator.get(LIST);
    const handled = () => operator.post(`${LIST}/${shop.merchantId}/${id}/handled`);
    const sql = 'SELECT handled_at IS NOT NULL AS handled FROM provider_events WHERE id = $1';
    app.clock.set(new Date(givenUp));
    await app.get(Sweeper).run();
    expect((await handled()).status).toBe(303);
    expect(await select(app, sql, [id])).toEqual([{ handled: false }]);
    const audit = 'SELECT action FROM audit_entries WHERE subject = $1';
    expect(await select(app, audit, [id])).toEqual([]);
    app.clock.advance(1_000);
    await app.get(Sweeper).run();
    expect((await handled()).status).toBe(303);
    expect(await select(app, sql, [id])).toEqual([{ handled: true }]);
  });

  it('waits for an operator, who says when it is dealt with', async () => {
    await select(app, `UPDATE provider_events SET handled_at = now() WHERE result = 'mismatch'`);
    const { shop, bank, order, payment } = await told(moneyOf('more'), moneyOf('all'));
    const unknown = async () =>
      /^payment_orders_callbacks_unmatched_total\{.*\} (.*)$/m.exec(
        await (await fetch(`${app.url}/metrics`)).text(),
      )?.[1];
    expect(await unknown()).toBeUndefined();
    const nowhere = bank.message(order, randomUUID(), 'booked');
    await bank.send(nowhere);
    await until('it is known to be about nothing', async () => (await unknown()) === '1');
    app.clock.advance(24 * 3_600_000 + 1_000);
    await app.get(Sweeper).run();
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    const listed = async () => (await operator.get(LIST)).html;
    const broken = async () => brokenIn(await app.get(Doctor).examine({ overdue: false }));
    const sql = `SELECT id, payment_id FROM provider_events WHERE merchant_id = $1
      AND (result = 'mismatch' OR result IS NULL) ORDER BY id`;
    const reports = await select<{ id: string }>(app, sql, [shop.merchantId]);
    expect(reports).toMatchObject([{ payment_id: payment }, { payment_id: nowhere.payment }]);
    expect((await broken()).map(({ fact }) => fact.name)).toEqual(['provider-event-handled']);
    for (const { id } of reports) {
      const path = `${LIST}/${shop.merchantId}/${id}/handled`;
      expect(await listed()).toContain(path);
      for (let n = 0; n < 2; n++) expect((await operator.post(path)).status).toBe(303);
      expect(await listed()).not.toContain(path);
      const audit = 'SELECT action FROM audit_entries WHERE subject = $1';
      expect(await select(app, audit, [id])).toEqual([{ action: 'provider-report.handled' }]);
    }
    expect(await broken()).toEqual([]);
  });
});

describe('what comes through an account of the other mode', () => {
  it('settles nothing', async () => {
    const { bank, order, payment } = await told();
    await select(app, `UPDATE provider_accounts SET mode = 'live' WHERE id = $1`, [
      bank.account.id,
    ]);
    await bank.send(bank.message(order, payment, 'booked'));
    await bank.settled();
    const sql = 'SELECT result, mode FROM provider_events WHERE payment_id = $1';
    expect(await select(app, sql, [payment])).toEqual([{ result: 'mismatch', mode: 'live' }]);
    const orders = 'SELECT status FROM orders WHERE txid = $1';
    expect(await select(app, orders, [order.txid])).toEqual([{ status: 'processing' }]);
  });

  it('may have the ids of the other’s messages', async () => {
    const { shop, bank, order, payment } = await told();
    const message = bank.message(order, payment, 'booked');
    const other = { ...bank.account, id: randomUUID() };
    const insert = `INSERT INTO provider_accounts SELECT merchant_id, 'live', provider, $2,
      callback_secret, true, created_at FROM provider_accounts WHERE id = $1`;
    await select(app, insert, [bank.account.id, other.id]);
    await Object.assign(Object.create(Bank.prototype), bank, { account: other }).send(message);
    await bank.settled();
    await bank.send(message);
    await bank.settled();
    expect((await shop.read(order.txid)).body.status).toBe('paid');
  });
});
