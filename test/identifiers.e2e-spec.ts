import { beforeAll, describe, expect, it } from '@jest/globals';
import { ID } from '../src/cli/inputs.js';
import { API_VERSIONS } from '../src/common/api-version.js';
import { matchIn } from '../src/portal/platform/bank/line.form.js';
import type { FormBrowser } from './support/browser-form.js';
import { newOrder, type OrderJson } from './support/client.js';
import { search, searchFile } from './support/order-search.js';
import { person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
let owner: FormBrowser;

/** How a shop may send the identifier of an order, the first time and later. */
const AROUND = [' * ', '*\n', '\t*', '\u00a0*', '\r\n*\r\n'];
const ID_CLEAN = 'Order-1001';

let order: OrderJson;

beforeAll(async () => {
  order = (await shop.create({ orderMerchantId: ` ${ID_CLEAN}\n` })).body;
  owner = await signedIn(app, await person(app, 'owner', shop.merchantId));
});

const found = (text: string): string[] => (text.includes(order.txid) ? [order.txid] : []);

const get = async (path: string, name: string, value: string, version?: string) => {
  const headers: Record<string, string> = version ? { 'api-version': version } : {};
  const query = new URLSearchParams({ [name]: value });
  return found((await shop.call('GET', `${path}?${query}`, undefined, headers)).text);
};

/** Whatever reads an `orderMerchantId`, each with what it finds by one. */
const PLACES: Record<string, (id: string) => Promise<string[]>> = {
  'GET /api/order': (id) => get('/api/order', 'orderMerchantId', id),
  'GET /api/order/status': (id) => get('/api/order/status', 'orderMerchantId', id),
  'the search for identifiers': (id) => get('/api/order/search', 'orderMerchantId', id),
  'a list of identifiers': (id) => get('/api/order/search', 'orderMerchantId', `x-1,${id},x-2`),
  'the search for a text': (id) => get('/api/order/search', 'q', id),
  'a CSV file of identifiers': async (id) =>
    found((await searchFile(shop, { orderMerchantId: id })).text),
  'a CSV file of a text': async (id) => found((await searchFile(shop, { q: id })).text),
  'the search of the portal': async (id) => {
    const list = `/portal/m/${shop.merchantId}/test/orders`;
    const { html, location } = await owner.get(`${list}?${new URLSearchParams({ q: id })}`);
    return found(`${html} ${location ?? ''}`);
  },
  'the same order again': async (id) => {
    const again = newOrder({ ...sentBefore(), orderMerchantId: id });
    const { status, text } = await shop.call('POST', '/api/order', again);
    return status < 300 ? found(text) : [];
  },
  'the form that matches bank lines': async (id) => {
    const typed = matchIn(new URLSearchParams({ order0: id }), { currency: 'EUR', left: 1 });
    const named = 'done' in typed ? typed.done.parts[0]!.order : null;
    return named === order.orderMerchantId ? [order.txid] : [];
  },
};

const sentBefore = () => ({ amount: order.amount, currency: order['currency'] });

describe('an orderMerchantId', () => {
  it('is kept without what stands around it', () => {
    expect(order.orderMerchantId).toBe(ID_CLEAN);
  });

  it.each(Object.entries(PLACES))('finds its order as it was sent: %s', async (_, place) => {
    for (const around of ['*', ...AROUND]) {
      const id = around.replace('*', ID_CLEAN);
      expect([id, await place(id)]).toEqual([id, [order.txid]]);
    }
  });

  it.each(Object.entries(PLACES))('in other letters is another one: %s', async (_, place) => {
    for (const id of [ID_CLEAN.toUpperCase(), `${ID_CLEAN} x`, 'Order- 1001'])
      expect([id, await place(id)]).toEqual([id, []]);
  });

  it('means the same in every version of the contract', async () => {
    // The first one has no such call.
    for (const version of API_VERSIONS.filter((each) => each !== '1.0')) {
      const read = await get('/api/order', 'orderMerchantId', ` ${ID_CLEAN} `, version);
      expect([version, read]).toEqual([version, [order.txid]]);
    }
  });

  it('is compared so where a key makes a request idempotent', async () => {
    const key = { 'idempotency-key': 'around-an-identifier' };
    const wish = { amount: 500, currency: 'EUR' };
    const first = await shop.create({ ...wish, orderMerchantId: 'key-1' }, key);
    const second = await shop.create({ ...wish, orderMerchantId: '\tkey-1 ' }, key);
    expect([second.status, second.body.txid]).toEqual([first.status, first.body.txid]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

/** Whatever reads a `txid` of a text. */
const TXID_PLACES: Record<string, (txid: string) => Promise<string[]>> = {
  'GET /api/order': (txid) => get('/api/order', 'txid', txid),
  'GET /api/order/status': (txid) => get('/api/order/status', 'orderTransactionId', txid),
  'the search': (txid) => get('/api/order/search', 'txid', txid),
  'the search for a text': (txid) => get('/api/order/search', 'q', txid),
  'a CSV file': async (txid) => found((await searchFile(shop, { txid })).text),
  'a page of the portal': async (txid) =>
    found(
      (await owner.get(`/portal/m/${shop.merchantId}/test/orders/${encodeURIComponent(txid)}`))
        .html,
    ),
  'the command line': async (txid) => found(ID.parse(txid) ?? ''),
};

describe('a txid', () => {
  it.each(Object.entries(TXID_PLACES))('is the same in capitals: %s', async (_, place) => {
    for (const txid of [order.txid, order.txid.toUpperCase()])
      expect([txid, await place(txid)]).toEqual([txid, [order.txid]]);
  });

  it.each(Object.entries(TXID_PLACES))('is the same as it was sent: %s', async (_, place) => {
    for (const around of AROUND) {
      const txid = around.replace('*', order.txid);
      expect([txid, await place(txid)]).toEqual([txid, [order.txid]]);
    }
  });
});

describe('a txid of what happened', () => {
  it('is the same in capitals', async () => {
    const { txid } = await shop.order();
    expect((await shop.pay(txid.toUpperCase())).body).toMatchObject({ txid, status: 'paid' });
    const { text } = await shop.call('GET', `/api/event?txid=${txid.toUpperCase()}`);
    expect(text).toContain(txid);
  });
});

describe('an e-mail address', () => {
  it('finds the order as it was sent', async () => {
    const customer = { email: ' Erika@example.com\n' };
    const { body } = await shop.create({ orderMerchantId: 'with-email', customer });
    for (const customerEmail of [' Erika@example.com\n', 'erika@example.com'])
      expect((await search(shop, { customerEmail })).body.data[0]?.txid).toBe(body.txid);
  });
});
