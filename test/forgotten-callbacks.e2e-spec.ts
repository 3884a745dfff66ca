import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, jest } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { ProviderEventRepository } from '../src/database/providers/provider-event.repository.js';
import { PaymentsService } from '../src/payments/payments.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { Bank, startPayment } from './support/bank.js';
import { select } from './support/facts.js';
import { textOf } from './support/markup.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEKEND_MS = 3 * 24 * HOUR_MS;
const LIST = '/portal/platform/unallocated/test';

const { app, shop, bank } = await openShop();
afterEach(() => void jest.restoreAllMocks());

const sweep = () => app.get(Sweeper).run();
const read = async ({ txid }: { txid: string }) => (await shop.read(txid)).body;
const resultsOf = (payment: string) =>
  select<{ result: string | null; next: Date | null }>(
    app,
    'SELECT result, next_attempt_at AS next FROM provider_events WHERE payment_id = $1 ORDER BY id',
    [payment],
  );

async function waitingOrder() {
  const order = await shop.order();
  return { order, payment: await startPayment(app, order) };
}

/** A message that was stored, about no payment of ours. */
async function stray(from: Bank = bank): Promise<string> {
  const payment = randomUUID();
  await from.receive(bank.message(await shop.order(), payment, 'booked'));
  return payment;
}

/** How many messages each look of the sweep takes. */
function looks(): () => Promise<number[]> {
  const claim = jest.spyOn(app.get(ProviderEventRepository), 'claim');
  return async () => {
    const taken = await Promise.all(claim.mock.results.map(({ value }) => value));
    claim.mockClear();
    return taken.map((events) => (events as unknown[]).length);
  };
}

it('a callback that was stored three days ago pays its order', async () => {
  const { order, payment } = await waitingOrder();
  await bank.receive(bank.message(order, payment, 'booked'));
  app.clock.advance(WEEKEND_MS);
  await sweep();
  expect(await read(order)).toMatchObject({ status: 'paid', exception: 'none' });
});

it('callbacks of three days ago are applied in the order of receipt', async () => {
  const { order, payment } = await waitingOrder();
  for (const result of ['in_progress', 'refused', 'booked'] as const) {
    await bank.receive(bank.message(order, payment, result));
    app.clock.advance(1_000);
  }
  app.clock.advance(WEEKEND_MS);
  await sweep();
  expect((await resultsOf(payment)).map(({ result }) => result)).toEqual([
    'ignored',
    'applied',
    'applied',
  ]);
  expect(await read(order)).toMatchObject({ status: 'paid', payment: { status: 'succeeded' } });
});

it('it pays no order that has ended: the money is late', async () => {
  const { order, payment } = await waitingOrder();
  app.clock.advance(2 * HOUR_MS);
  await sweep();
  expect((await read(order)).status).toBe('expired');
  await bank.receive(bank.message(order, payment, 'booked'));
  app.clock.advance(WEEKEND_MS);
  await sweep();
  expect(await read(order)).toMatchObject({ status: 'expired', exception: 'paid_late' });
});

it('one that fails is tried again, and keeps no other waiting', async () => {
  const [first, second] = [await waitingOrder(), await waitingOrder()];
  for (const { order, payment } of [first, second]) {
    await bank.receive(bank.message(order, payment, 'booked'));
  }
  app.clock.advance(WEEKEND_MS);
  jest.spyOn(app.get(PaymentsService), 'apply').mockRejectedValueOnce(new Error('no database'));
  await sweep();
  const results = async () =>
    (await Promise.all([first, second].map(({ payment }) => resultsOf(payment)))).map(
      ([stored]) => stored!.result,
    );
  expect(await results()).toEqual([null, 'applied']);
  app.clock.advance(10 * MINUTE_MS);
  await sweep();
  expect(await results()).toEqual(['applied', 'applied']);
});

it('one without payment waits for it for a day', async () => {
  const payment = await stray();
  for (const minutes of [1, 2, 60, 600]) {
    app.clock.advance(minutes * MINUTE_MS);
    await sweep();
  }
  await select(
    app,
    `INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('id', $2::uuid,
       'provider_reference', null, 'status', 'cancelled', 'completes_order', false))).*
     FROM payments p WHERE merchant_id = $1 LIMIT 1`,
    [shop.merchantId, payment],
  );
  app.clock.advance(13 * HOUR_MS);
  await sweep();
  expect(await resultsOf(payment)).toMatchObject([{ result: 'mismatch' }]);
});

it('then it is left to a person, and not looked at any more', async () => {
  const payment = await stray();
  const listed = async () => {
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    return textOf((await operator.get(LIST)).html).includes(payment);
  };
  app.clock.advance(23 * HOUR_MS);
  await sweep();
  expect([await listed(), (await resultsOf(payment))[0]!.next]).toEqual([false, expect.any(Date)]);
  app.clock.advance(HOUR_MS + 2_000);
  await sweep();
  expect(await resultsOf(payment)).toEqual([{ result: null, next: null }]);
  expect(await listed()).toBe(true);
  const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
  expect(broken.map(({ fact }) => fact.name)).toContain('provider-event-handled');
  const taken = looks();
  app.clock.advance(WEEKEND_MS);
  await sweep();
  expect(await taken()).toEqual([0]);
});

it.each([
  ['that came just now', 0],
  ['of three days ago', WEEKEND_MS],
])('thousands without payment %s do not hold the sweep up', async (_, age) => {
  const crowded = await app.merchant();
  await select(app, 'UPDATE provider_events SET next_attempt_at = NULL');
  const payment = await stray(await Bank.of(app, crowded));
  await select(
    app,
    `INSERT INTO provider_events SELECT (jsonb_populate_record(e, jsonb_build_object(
       'id', gen_random_uuid(), 'provider_event_id', n))).*
     FROM provider_events e, generate_series(1, 5000) n WHERE e.payment_id = $1`,
    [payment],
  );
  const { order, payment: own } = await waitingOrder();
  await bank.receive(bank.message(order, own, 'booked'));
  app.clock.advance(Math.max(age, MINUTE_MS));
  const taken = looks();
  await sweep();
  expect((await read(order)).status).toBe('paid');
  let all = 0;
  for (let some = await taken(); some[0]! > 0; some = await taken()) {
    all += some.reduce((sum, n) => sum + n);
    await sweep();
  }
  expect(all).toBe(5_002);
});
