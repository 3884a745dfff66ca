import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { Database } from '../src/database/database.js';
import { FeesService } from '../src/ledger/fees.service.js';
import { ProviderCallbacksService } from '../src/payments/provider-callbacks.service.js';
import { Bank, startPayment } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { connect, onPostgres } from './support/database.js';
import { subscribe } from './support/delivery-rows.js';
import { everythingOf } from './support/everything.js';
import { factsOf, select } from './support/facts.js';
import { rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

/** More than the connections of a provider's favourite programs. */
const CROWD = 96;

const { app, shop, bank } = await openShop();
const other = await app.merchant();
const othersBank = await Bank.of(app, other);

beforeAll(async () => {
  const fee = { provider: 'sandbox', currency: 'EUR', partsPerMillion: 29_000, fixed: 30 };
  await app.get(FeesService).set({ merchantId: shop.merchantId, ...fee });
  for (const client of [shop, other]) await subscribe(app, client);
});

async function waiting(
  client = shop,
  amount = 8_990,
): Promise<{ order: OrderJson; payment: string }> {
  const order = await client.order({ amount });
  return { order, payment: await startPayment(app, order) };
}

describe('a callback that pays its order in full', () => {
  it.each([
    ['an order', 8_990],
    ['one that its fee takes whole', 20],
  ])('writes what one writes that is applied later: %s', async (_, amount) => {
    const [now, later] = [await waiting(shop, amount), await waiting(shop, amount)];
    const payer = { debtorAccount: 'DE89370400440532013000', debtorName: 'Erika Mustermann' };
    await bank.send(bank.message(now.order, now.payment, 'booked', payer));
    const written = await everythingOf(app, now.order);
    const event = await bank.receive(bank.message(later.order, later.payment, 'booked', payer));
    await app.get(ProviderCallbacksService).apply(event);
    const expected = await everythingOf(app, later.order);
    expect(written).toEqual(
      JSON.parse(
        JSON.stringify(expected).replaceAll(later.order.orderMerchantId, now.order.orderMerchantId),
      ),
    );
    expect(written['events']).toMatchObject([{}, {}, { type: 'order.paid', sequence: 3 }]);
    expect(written['transfers']).toHaveLength(2);
  });

  it('is applied when it is answered', async () => {
    const { order, payment } = await waiting();
    expect(await bank.send(bank.message(order, payment, 'booked'))).toBe(200);
    expect((await shop.read(order.txid)).body.status).toBe('paid');
  });

  it('leaves an order alone that has changed since it was read', async () => {
    const { order, payment } = await waiting();
    const refusal = await bank.receive(bank.message(order, payment, 'refused'));
    const database = app.get(Database);
    const query = database.query.bind(database);
    let isFirst = true;
    const spy = jest.spyOn(database, 'query').mockImplementation(async (statement, values) => {
      if (isFirst && statement.name === 'provider_events_store') {
        isFirst = false;
        await app.get(ProviderCallbacksService).apply(refusal);
      }
      return query(statement, values);
    });
    expect(await bank.send(bank.message(order, payment, 'booked'))).toBe(200);
    spy.mockRestore();
    await bank.settled();
    const { events, sequences } = await factsOf(app, order.txid);
    const happened = ['order.created', 'order.processing', 'payment.failed', 'order.paid'];
    expect([events, sequences]).toEqual([happened, [1, 2, 3, 4]]);
    // It was not an index that refused it.
    expect(app.log.filter((line) => line.includes('callback could not be applied'))).toEqual([]);
  });

  onPostgres(it, 'the embedded database has one session')(
    'waits for nobody who has the order: it is answered, and applied later',
    async () => {
      const { order, payment } = await waiting();
      const holder = await connect(app.database.url);
      await holder.query('BEGIN');
      await holder.query('SELECT FROM orders WHERE txid = $1 FOR UPDATE', [order.txid]);
      expect(await bank.send(bank.message(order, payment, 'booked'))).toBe(200);
      expect((await shop.read(order.txid)).body.status).toBe('processing');
      await holder.query('COMMIT');
      await holder.end();
      await bank.settled();
      expect((await shop.read(order.txid)).body.status).toBe('paid');
    },
  );
});

describe('a crowd of callbacks', () => {
  it('is answered, pays each order once, and shares statements', async () => {
    const sent = async () => {
      const { values } = await app.get(Database).callers.get();
      const one = (suffix: string) =>
        values.find(
          ({ metricName, labels }) =>
            metricName?.endsWith(suffix) && labels.statement === 'provider_events_store',
        )?.value ?? 0;
      return { calls: one('_count'), callers: one('_sum') };
    };
    await rounds(async () => {
      const clients = [shop, other];
      const own = await together((n) => waiting(clients[n % 2], 1_000 + n), CROWD / 2);
      const before = await sent();
      // Each message comes twice, of every fourth order with another id.
      const statuses = await together((n) => {
        const at = n >> 1;
        const { order, payment } = own[at]!;
        const id = n % 8 === 1 ? {} : { id: payment };
        const from = at % 2 ? othersBank : bank;
        return from.send(from.message(order, payment, 'booked', id));
      }, CROWD);
      expect(tally(statuses)).toEqual({ 200: CROWD });
      const after = await sent();
      // None of them went again, as after a statement that failed.
      expect(after.callers - before.callers).toBe(CROWD);
      expect(after.calls - before.calls).toBeLessThan(CROWD / 2);
      for (const each of [bank, othersBank]) await each.settled();
      const txids = own.map(({ order }) => order.txid);
      const sums = await select(
        app,
        `SELECT count(*)::integer AS paid, count(*) FILTER (WHERE o.exception <> 'none')::integer AS odd,
           sum(o.amount - o.amount_received)::integer AS missing,
           (SELECT count(*)::integer FROM transfers t WHERE t.txid = ANY ($1) AND t.kind = 'payment') AS booked,
           (SELECT count(*)::integer FROM events e WHERE e.txid = ANY ($1) AND e.type = 'order.paid') AS told
         FROM orders o WHERE o.txid = ANY ($1) AND o.status = 'paid'`,
        [txids],
      );
      const all = CROWD / 2;
      expect(sums).toEqual([{ paid: all, odd: 0, missing: 0, booked: all, told: all }]);
    });
    expect(brokenIn(await app.get(Doctor).examine({ overdue: false }))).toEqual([]);
  });
});
