import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { Resolver } from '../src/notifications/webhooks/resolver.js';
import type { Client } from './support/client.js';
import { select } from './support/facts.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { rounds, together } from './support/race.js';
import { openShop } from './support/shop.js';

const PATH = '/api/webhook-endpoint';
const URL = 'https://hooks.lampenladen.example/events';

const { app } = await openShop({ env: PAYS });

describe('an endpoint for the orders of one shop', () => {
  let shop: Client;

  beforeEach(async () => {
    shop = await app.merchant();
    const [address] = [{ address: '93.184.215.14', family: 4 }];
    jest.spyOn(app.get(Resolver), 'lookup').mockResolvedValue([address]);
  });
  afterEach(() => void jest.restoreAllMocks());

  const of = (value: string) => ({ optionalField: { key: 'shop', value } });
  const endpoint = async (more: object = {}): Promise<string> => {
    const { status, body } = await shop.call('POST', PATH, { url: URL, ...more });
    expect([status, body]).toEqual([201, expect.objectContaining(more)]);
    return String(body['id']);
  };
  const change = (id: string, body: object, headers = {}) =>
    shop.call('PATCH', `${PATH}/${id}`, body, headers);
  const orderOf = (value: string) => shop.order({ optionalFields: { town: 'x', shop: value } });
  /** What was queued for the endpoint: the order and the type of each event, the oldest first. */
  const heard = async (id: string): Promise<string[]> => {
    const rows = await select<{ told: string }>(
      app,
      `SELECT concat_ws(' ', o.optional_fields ->> 'shop', d.type) AS told FROM deliveries d
       JOIN events e ON e.merchant_id = d.merchant_id AND e.id = d.event_id
       LEFT JOIN orders o ON o.merchant_id = d.merchant_id AND o.txid = d.txid
       WHERE d.endpoint_id = $1 ORDER BY d.created_at, d.txid, d.sequence, d.type`,
      [id],
    );
    return rows.map(({ told }) => told);
  };
  /** The facts about events that hold no more. */
  const facts = async (): Promise<unknown> => {
    const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
    return broken.filter(({ fact }) => fact.name === 'webhook-queued');
  };

  it('hears of these alone, from their creation to their end', async () => {
    const [berlin, paris, all] = [
      await endpoint(of('berlin')),
      await endpoint({ ...of('paris'), eventTypes: ['order.cancelled'] }),
      await endpoint({ optionalField: null }),
    ];
    const first = await orderOf('berlin');
    const second = await orderOf('paris');
    await shop.order();
    await shop.pay(first.txid);
    await shop.cancel(second.txid);
    expect(await heard(berlin)).toEqual([
      'berlin order.created',
      'berlin order.processing',
      'berlin order.paid',
    ]);
    expect(await heard(paris)).toEqual(['paris order.cancelled']);
    expect(await heard(all)).toHaveLength(6);
  });

  it('is told apart in what many callers ask together', async () => {
    const towns = ['berlin', 'paris', 'Berlin', 'berlin '];
    const ids = await Promise.all(towns.map((town) => endpoint(of(town))));
    const orders = await together((n) => orderOf(towns[n % towns.length]!), 40);
    await together((n) => shop.pay(orders[n]!.txid), 40);
    for (const [n, id] of ids.entries()) {
      const types = ['order.created', 'order.paid', 'order.processing'];
      const told = await heard(id);
      expect(told).toHaveLength(30);
      expect([...new Set(told)].toSorted()).toEqual(types.map((type) => `${towns[n]} ${type}`));
    }
  });

  it.each(['constructor', `it's "odd" \\ {1,2}`, '__proto', '0', 'ключ', '$1'])(
    'takes the name and the value %p as they are',
    async (text) => {
      const id = await endpoint({ optionalField: { key: text, value: text } });
      const other = await endpoint({ optionalField: { key: text, value: '' } });
      await shop.order({ optionalFields: { [text]: text } });
      await shop.order({ optionalFields: { other: text } });
      expect(await heard(id)).toHaveLength(1);
      expect(await heard(other)).toHaveLength(0);
    },
  );

  it('goes on with other orders when it is changed, and what waits stays', async () => {
    const id = await endpoint(of('berlin'));
    await orderOf('berlin');
    expect((await change(id, of('paris'))).body).toMatchObject(of('paris'));
    await orderOf('berlin');
    await orderOf('paris');
    expect((await change(id, { description: 'x' })).body).toMatchObject(of('paris'));
    expect((await change(id, { optionalField: null })).body['optionalField']).toBeNull();
    await shop.order();
    expect(await heard(id)).toEqual([
      'berlin order.created',
      'paris order.created',
      'order.created',
    ]);
  });

  it('is sent its own orders again, and no others', async () => {
    const id = await endpoint(of('berlin'));
    await orderOf('berlin');
    await orderOf('paris');
    await orderOf('rome');
    await shop.order();
    await change(id, of('paris'));
    app.clock.advance(1_000);
    const from = new Date(app.clock.now().getTime() - 3_600_000).toISOString();
    const resend = { from, includeDelivered: true };
    const { body } = await shop.call('POST', `${PATH}/${id}/resend`, resend);
    expect(body).toEqual({ queued: 1, hasMore: false });
    expect((await heard(id)).toSorted()).toEqual(['berlin order.created', 'paris order.created']);
  });

  it('hears of no payouts, and nobody lets it ask for them', async () => {
    const cashier = await Cashier.of(app, shop);
    const [id, all] = [await endpoint(of('berlin')), await endpoint()];
    app.clock.advance(1_000);
    await paidOrder(shop, 5_000, { optionalFields: { shop: 'berlin' } });
    app.clock.advance(1_000);
    await cashier.paid(4_000);
    const payouts = async (endpointId: string) =>
      (await heard(endpointId)).filter((told) => told.startsWith('payout.')).length;
    expect(await payouts(id)).toBe(0);
    expect(await payouts(all)).toBeGreaterThan(2);
    const wants = { eventTypes: ['order.paid', 'payout.paid'] };
    const answers = [
      await shop.call('POST', PATH, { url: URL, ...wants, ...of('berlin') }),
      await change(id, wants),
      await change(await endpoint(wants), of('berlin')),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toMatchObject([422, { errors: [{ pointer: '/eventTypes/1' }] }]);
    }
  });

  it.each([
    [{ key: '', value: 'x' }, '/optionalField/key', 'too_short'],
    [{ key: 'k'.repeat(41), value: 'x' }, '/optionalField/key', 'too_long'],
    [{ key: 'a\u0000', value: 'x' }, '/optionalField/key', 'control_character'],
    [{ key: 'shop' }, '/optionalField/value', 'required'],
    [{ key: 'shop', value: null }, '/optionalField/value', 'required'],
    [{ key: 'shop', value: 7 }, '/optionalField/value', 'wrong_type'],
    [{ key: 'shop', value: 'v'.repeat(256) }, '/optionalField/value', 'too_long'],
    [{ key: 'shop', value: 'x', more: 1 }, '/optionalField/more', 'unknown_member'],
    ['shop=berlin', '/optionalField', 'wrong_type'],
    [[], '/optionalField', 'wrong_type'],
  ])('refuses %j', async (optionalField, pointer, code) => {
    const id = await endpoint(of('berlin'));
    for (const answer of [
      await shop.call('POST', PATH, { url: URL, optionalField }),
      await change(id, { optionalField }),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
    }
    expect((await shop.call('GET', `${PATH}/${id}`)).body).toMatchObject(of('berlin'));
  });

  it('is a matter of contract 1.3: earlier ones neither take nor tell it, and keep it', async () => {
    const id = await endpoint(of('berlin'));
    const old = { 'api-version': '1.2.2' };
    expect(await change(id, of('paris'), old)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/optionalField', code: 'field_not_in_this_version' }] },
    });
    const { status, body } = await change(id, { description: 'x' }, old);
    expect([status, 'optionalField' in body]).toEqual([200, false]);
    expect((await shop.call('GET', `${PATH}/${id}`)).body).toMatchObject(of('berlin'));
  });

  it('hears of other orders only when who changes it may read events', async () => {
    const id = await endpoint(of('berlin'));
    const blind = await app.key(shop.merchantId, { scopes: ['notifications:write'] });
    for (const body of [of('paris'), { optionalField: null }]) {
      const answer = await blind.call('PATCH', `${PATH}/${id}`, body);
      expect(answer).toMatchObject({ status: 403, body: { missingScope: 'events:read' } });
    }
    expect((await blind.call('PATCH', `${PATH}/${id}`, of('berlin'))).status).toBe(200);
    const all = await endpoint();
    expect((await blind.call('PATCH', `${PATH}/${all}`, of('berlin'))).status).toBe(200);
  });

  it('is changed while orders are made: each event goes by what held, and the facts do', async () => {
    await rounds(async () => {
      const id = await endpoint(of('berlin'));
      await together<unknown>(
        (n) =>
          n % 4 === 0
            ? change(id, of(n % 8 === 0 ? 'paris' : 'berlin'))
            : n % 4 === 1
              ? shop.order()
              : orderOf(n % 4 === 2 ? 'berlin' : 'paris'),
        24,
      );
      const told = await heard(id);
      expect(told).not.toContain('order.created');
      await change(id, of('berlin'));
      const before = told.length;
      await together((n) => orderOf(n % 2 === 0 ? 'berlin' : 'paris'), 8);
      expect((await heard(id)).length - before).toBe(4);
      await shop.call('DELETE', `${PATH}/${id}`);
    });
    await endpoint(of('berlin'));
    app.clock.advance(10 * 60_000);
    await orderOf('berlin');
    await orderOf('paris');
    expect(await facts()).toEqual([]);
  });
});
