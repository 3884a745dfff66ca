import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CURRENCY_CODES } from '../src/common/money/currencies.js';
import { DeprecatedCallsService } from '../src/merchants/deprecated-calls.service.js';
import { type Client, newOrder, type Reply } from './support/client.js';
import { select } from './support/facts.js';
import { enableLiveProvider } from './support/live.js';
import { openShop } from './support/shop.js';

type Fields = Record<string, unknown>;
type Row = readonly [what: string, fields: Fields, ...faults: string[]];

const url = (length: number): string => `https://shop.example/${'x'.repeat(length - 21)}`;
const pairs = (count: number): Fields =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key ${n}`, 'value']));

/** Every limit at its edge and one past it: without faults the order is made. */
const LIMITS: readonly Row[] = [
  ['an id of one character', { orderMerchantId: 'x' }],
  ['an id of 64', { orderMerchantId: `A.z_0:/-${'y'.repeat(56)}` }],
  ['an id of 65', { orderMerchantId: 'y'.repeat(65) }, '/orderMerchantId too_long'],
  ['an empty id', { orderMerchantId: '' }, '/orderMerchantId too_short'],
  ['an id with a space', { orderMerchantId: 'INV 1' }, '/orderMerchantId wrong_format'],
  ['an id with an umlaut', { orderMerchantId: 'Größe' }, '/orderMerchantId wrong_format'],
  ['an id with a line break', { orderMerchantId: 'INV\n1' }, '/orderMerchantId control_character'],
  ['a number as id', { orderMerchantId: 1 }, '/orderMerchantId wrong_type'],
  ['no id', { orderMerchantId: undefined }, '/orderMerchantId required'],
  ['null as id', { orderMerchantId: null }, '/orderMerchantId required'],
  ['the smallest amount', { amount: 1 }],
  ['the largest amount', { amount: 99_999_999_999 }],
  ['no money', { amount: 0 }, '/amount out_of_range'],
  ['less than no money', { amount: -1 }, '/amount out_of_range'],
  ['one past the largest', { amount: 100_000_000_000 }, '/amount out_of_range'],
  ['half a cent', { amount: 0.5 }, '/amount out_of_range'],
  ['an amount in a text', { amount: '8990' }, '/amount wrong_type'],
  ['no amount', { amount: undefined }, '/amount required'],
  ['yen, without minor units', { currency: 'JPY', amount: 1 }],
  ['dinars, with three digits', { currency: 'KWD', amount: 1 }],
  ['small letters of no currency', { currency: 'euro' }, '/currency unknown_currency'],
  ['gold', { currency: 'XAU' }, '/currency unknown_currency'],
  ['a fund', { currency: 'CLF' }, '/currency unknown_currency'],
  ['the test code', { currency: 'XTS' }, '/currency unknown_currency'],
  ['money of the past', { currency: 'DEM' }, '/currency unknown_currency'],
  ['a numeric code', { currency: '978' }, '/currency unknown_currency'],
  ['a currency in a list', { currency: ['EUR'] }, '/currency wrong_type'],
  ['a description of 255', { description: 'd'.repeat(255) }],
  ['255 characters of two code units', { description: '🎉'.repeat(255) }],
  ['a description of 256', { description: 'd'.repeat(256) }, '/description too_long'],
  ['an empty description', { description: '' }],
  ['a form feed', { description: 'a\fb' }, '/description control_character'],
  ['NUL', { description: 'a\0b' }, '/description control_character'],
  ['C1 controls', { description: 'a\u0085b' }, '/description control_character'],
  ['half a character', { description: 'a\ud83d' }, '/description not_well_formed'],
  ['a customer without anything', { customer: {} }],
  ['a name of 140', { customer: { name: 'n'.repeat(140) } }],
  ['a name of 141', { customer: { name: 'n'.repeat(141) } }, '/customer/name too_long'],
  ['no e-mail address', { customer: { email: 'erika' } }, '/customer/email wrong_format'],
  [
    'two e-mail addresses',
    { customer: { email: 'a@b.example, c@d.example' } },
    '/customer/email wrong_format',
  ],
  [
    'a header in an e-mail address',
    { customer: { email: 'a@b.example\r\nBcc: c@d.example' } },
    '/customer/email control_character',
  ],
  ['more of a customer', { customer: { phone: '1' } }, '/customer/phone unknown_member'],
  ['a text as customer', { customer: 'Erika' }, '/customer wrong_type'],
  ['a list as customer', { customer: [{ name: 'Erika' }] }, '/customer wrong_type'],
  ['addresses of 2048', { returnUrl: url(2048), cancelUrl: url(2048) }],
  ['an address of 2049', { returnUrl: url(2049) }, '/returnUrl wrong_format'],
  ['plain http in test mode', { returnUrl: 'http://localhost:8080/thanks' }],
  ['a relative address', { cancelUrl: '/cart' }, '/cancelUrl wrong_format'],
  ['a script', { returnUrl: 'javascript:alert(1)' }, '/returnUrl wrong_format'],
  ['data', { returnUrl: 'data:text/html,x' }, '/returnUrl wrong_format'],
  ['credentials', { returnUrl: 'https://a:b@shop.example' }, '/returnUrl wrong_format'],
  ['a backslash', { returnUrl: 'https://shop.example\\@evil.example' }, '/returnUrl wrong_format'],
  ['a language', { locale: 'zh-Hant-TW' }],
  ['a long name of a language', { locale: 'de_'.repeat(12) }, '/locale wrong_format'],
  ['five minutes', { expiresInMinutes: 5 }],
  ['four minutes', { expiresInMinutes: 4 }, '/expiresInMinutes out_of_range'],
  ['thirty days', { expiresInMinutes: 43_200 }],
  ['a minute more', { expiresInMinutes: 43_201 }, '/expiresInMinutes out_of_range'],
  ['half a minute', { expiresInMinutes: 5.5 }, '/expiresInMinutes wrong_type'],
  ['twenty pairs', { optionalFields: pairs(20) }],
  ['no pairs', { optionalFields: {} }],
  ['21 pairs', { optionalFields: pairs(21) }, '/optionalFields too_long'],
  ['a key of 40', { optionalFields: { ['k'.repeat(40)]: '' } }],
  [
    'a key of 41',
    { optionalFields: { ['k'.repeat(41)]: '' } },
    `/optionalFields/${'k'.repeat(41)} too_long`,
  ],
  ['an empty key', { optionalFields: { '': 'x' } }, '/optionalFields/ too_short'],
  ['a value of 255', { optionalFields: { note: 'v'.repeat(255) } }],
  [
    'a value of 256',
    { optionalFields: { note: 'v'.repeat(256) } },
    '/optionalFields/note too_long',
  ],
  ['a number as value', { optionalFields: { table: 7 } }, '/optionalFields/table wrong_type'],
  ['a key to escape', { optionalFields: { 'a/b~c': 1 } }, '/optionalFields/a~1b~0c wrong_type'],
  ['a list as pairs', { optionalFields: ['x'] }, '/optionalFields wrong_type'],
  ['a misspelt field', { descripton: 'x' }, '/descripton unknown_member'],
  ['a field of the answer', { status: 'paid' }, '/status unknown_member'],
  [
    'nothing where something may be missing',
    {
      description: null,
      customer: null,
      returnUrl: null,
      cancelUrl: null,
      locale: null,
      expiresInMinutes: null,
      optionalFields: null,
    },
  ],
];

/** Numbers that the card networks publish for tests, and numbers that only look like them. */
const CARDS: readonly Row[] = [
  ['a card', { description: 'card 4111111111111111' }, '/description card_data_refused'],
  ['a card in groups', { description: '5555 5555 5555 4444' }, '/description card_data_refused'],
  [
    'a card in a value',
    { optionalFields: { note: '3782-822463-10005' } },
    '/optionalFields/note card_data_refused',
  ],
  [
    'a card as a name',
    { optionalFields: { '4111 1111 1111 1111': 'x' } },
    '/optionalFields/4111 1111 1111 1111 card_data_refused',
  ],
  ['a number with a wrong check digit', { description: '4111111111111112' }],
  ['an EAN', { description: '4006381333931' }],
  ['a long invoice number', { description: '41111111111111110000000' }],
  ['an IBAN', { description: 'DE89 3704 0044 0532 0130 00' }],
];

/** A problem without what is different in every answer. */
function sameForAll({ text, headers }: Reply): string {
  const { requestId, instance, ...rest } = JSON.parse(text) as Fields;
  expect(requestId).toBe(headers.get('x-request-id'));
  expect(instance).toBeDefined();
  return JSON.stringify(rest);
}

const faultsOf = ({ body }: Reply<Fields>): string[] =>
  ((body['errors'] ?? []) as { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );

const { app, shop } = await openShop();

describe('orders', () => {
  it('creates an order and reads it back by either identifier', async () => {
    const created = await shop.create({
      orderMerchantId: 'INV-1',
      description: 'Two lamps',
      customer: { name: 'Erika', email: 'erika@example.com' },
      returnUrl: 'https://shop.example/thanks',
      locale: 'de-AT',
      optionalFields: { table: '7', colour: 'grün' },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/order?txid=${created.body.txid}`);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.body).toMatchObject({
      orderMerchantId: 'INV-1',
      mode: 'test',
      status: 'open',
      statusReason: null,
      finished: false,
      cancelable: true,
      exception: 'none',
      amountReceived: 0,
      customer: { name: 'Erika', email: 'erika@example.com' },
      optionalFields: { table: '7', colour: 'grün' },
      paidAt: null,
      payment: null,
    });

    const byTxid = await shop.call('GET', `/api/order?txid=${created.body.txid}`);
    const byMerchantId = await shop.call('GET', '/api/v1/order?orderMerchantId=INV-1');
    const byPath = await shop.call('GET', `/api/order/${created.body.txid}`);
    const { warnings, ...order } = created.body;
    expect(warnings).toEqual([]);
    expect(byTxid.body).toEqual(order);
    expect(byMerchantId.text).toBe(byTxid.text);
    expect(byPath.text).toBe(byTxid.text);
  });

  it('pays an order at the sandbox bank', async () => {
    const { txid } = await shop.order();
    const paid = await shop.pay(txid);
    expect(paid.status).toBe(200);
    expect(paid.body).toMatchObject({
      status: 'paid',
      statusReason: 'exact',
      amountReceived: 8990,
      payment: {
        status: 'succeeded',
        payerAccountNumber: 'DE89370400440532013000',
        payerAccountType: 'iban',
        payerAccountName: 'Erika Mustermann',
      },
    });
  });

  it('serves every operation with and without the version in its path', async () => {
    for (const prefix of ['/api', '/api/v1']) {
      const made = await shop.call('POST', `${prefix}/order`, newOrder());
      expect(made.status).toBe(201);
      const txid = String(made.body['txid']);
      const reads = [
        `order?txid=${txid}`,
        `order/status?orderTransactionId=${txid}`,
        `order/${txid}`,
        `order/${txid}/status`,
      ];
      for (const path of reads) {
        expect((await shop.call('GET', `${prefix}/${path}`)).body).toMatchObject({ txid });
      }
      const cancelled = await shop.call('DELETE', `${prefix}/order/${txid}`);
      expect(cancelled.body).toMatchObject({ txid, status: 'cancelled' });
    }
    expect((await shop.call('GET', '/api/v2/order?txid=1')).status).toBe(404);
  });

  it('makes an address for the payer that tells nothing of the order', async () => {
    const { paymentPageUrl, txid, orderMerchantId } = await shop.order();
    expect(paymentPageUrl).toMatch(new RegExp(`^${app.url}/pay/[A-Za-z0-9_-]{22,}$`));
    expect(paymentPageUrl).not.toContain(txid);
    expect(paymentPageUrl).not.toContain(orderMerchantId);
  });

  it('lets an order live for an hour, or as long as asked', async () => {
    const lifeOf = async (fields: Fields): Promise<number> => {
      const { createdAt, expiresAt } = await shop.order(fields);
      return Date.parse(String(expiresAt)) - Date.parse(String(createdAt));
    };
    expect(await lifeOf({})).toBe(60 * 60_000);
    expect(await lifeOf({ expiresInMinutes: 5 })).toBe(5 * 60_000);
  });

  describe('fields', () => {
    const check = async ([, fields, ...faults]: Row): Promise<void> => {
      const reply = await shop.create(fields);
      expect(faultsOf(reply)).toEqual(faults);
      expect(reply.status).toBe(faults.length === 0 ? 201 : 422);
      if (faults.length > 0) expect(reply.body).toMatchObject({ code: 'validation_failed' });
    };
    it.each(LIMITS)('%s', (...row) => check(row));
    it.each(CARDS)('%s', (...row) => check(row));

    it('are all listed at once when they are bad', async () => {
      const reply = await shop.create({
        orderMerchantId: undefined,
        amount: 0,
        currency: 'XXX',
        customer: { name: 5, age: 30 },
        optionalFields: { a: 1, b: 2 },
        more: true,
      });
      expect(faultsOf(reply).toSorted()).toEqual([
        '/amount out_of_range',
        '/currency unknown_currency',
        '/customer/age unknown_member',
        '/customer/name wrong_type',
        '/more unknown_member',
        '/optionalFields/a wrong_type',
        '/optionalFields/b wrong_type',
        '/orderMerchantId required',
      ]);
    });

    it('are listed up to twenty', async () => {
      const bad = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x${n}`, 1]));
      expect(faultsOf(await shop.create(bad))).toHaveLength(20);
    });

    it('come back byte for byte', async () => {
      const texts = [
        'Müller', // one code point
        'Mu\u0308ller', // two of them
        'ẛ̣ ﬁ Å',
        '\u202eRTL\u202c \u2028 \ufeff \u200b',
        'שלום 日本語 👩‍👩‍👧‍👦',
        `<b>&amp;"'\\ %00 $1 {{x}}`,
        ' spaces  around ',
      ];
      for (const text of texts) {
        const fields = { description: text, customer: { name: text }, optionalFields: { t: text } };
        const { txid } = await shop.order(fields);
        expect((await shop.read(txid)).body).toMatchObject(fields);
      }
    });

    it('keep the order of the optional pairs', async () => {
      const optionalFields = { zebra: '1', apple: '2', Mango: '3', ähre: '4' };
      const { txid } = await shop.order({ optionalFields });
      const read = await shop.read(txid);
      expect(Object.keys(read.body['optionalFields'] as object)).toEqual(
        Object.keys(optionalFields),
      );
    });

    it('answer with null what was left out', async () => {
      const { description, customer, returnUrl, cancelUrl, locale, optionalFields } =
        await shop.order();
      expect([description, customer, returnUrl, cancelUrl, locale]).toEqual(Array(5).fill(null));
      expect(optionalFields).toEqual({});
    });

    it('take every currency that is documented', async () => {
      const statuses = new Set<number>();
      // One after the other: a merchant who sends all at once may be told to wait.
      for (const currency of CURRENCY_CODES) statuses.add((await shop.create({ currency })).status);
      expect(statuses).toEqual(new Set([201]));
    });
  });

  describe('selectors', () => {
    const TARGETS = [
      ['/api/order', 'txid', 'orderTransactionId'],
      ['/api/order/status', 'orderTransactionId', 'txid'],
    ] as const;

    it.each(TARGETS)('of %s are exactly one', async (path, name, other) => {
      const { txid, orderMerchantId } = await shop.order();
      const expected = {
        '': 'selector_required',
        [`?${name}=${txid}&orderMerchantId=${orderMerchantId}`]: 'selector_ambiguous',
        [`?${name}=${txid}&${name}=${txid}`]: 'selector_ambiguous',
        [`?orderMerchantId=${orderMerchantId}&orderMerchantId=x`]: 'selector_ambiguous',
        [`?${other}=${txid}`]: 'unknown_parameter',
        [`?${name}=${txid}&expand=payment`]: 'unknown_parameter',
        [`?${name}[]=${txid}`]: 'unknown_parameter',
        [`?${name.toUpperCase()}=${txid}`]: 'unknown_parameter',
      };
      for (const [query, code] of Object.entries(expected)) {
        const reply = await shop.call('GET', path + query);
        expect(reply).toMatchObject({ status: 400, body: { code } });
      }
      for (const query of [`?${name}=${txid.toUpperCase()}`, `?orderMerchantId=${orderMerchantId}`])
        expect((await shop.call('GET', path + query)).body).toMatchObject({ txid });
    });

    it('find an order whose id has every allowed character', async () => {
      const { txid } = await shop.order({ orderMerchantId: 'a.b_c:d/e-1' });
      const path = `/api/order?orderMerchantId=${encodeURIComponent('a.b_c:d/e-1')}`;
      expect((await shop.call('GET', path)).body).toMatchObject({ txid });
    });

    it('tell nothing of orders that are not the caller’s', async () => {
      const stranger = await (await app.merchant()).order({ orderMerchantId: 'FOREIGN' });
      const live = await app.key(shop.merchantId, { mode: 'live' });
      const own = await shop.order();
      const unknown = randomUUID();
      const asks: (readonly [Client, string, string])[] = [
        [shop, unknown, 'UNKNOWN'],
        [shop, stranger.txid, 'FOREIGN'],
        [live, own.txid, own.orderMerchantId],
        [shop, 'no-uuid', '%00'],
        [shop, `${own.txid}0`, 'x'.repeat(65)],
      ];
      const answers = new Set<string>();
      for (const [client, txid, id] of asks) {
        const replies = await Promise.all([
          client.call('GET', `/api/order?txid=${txid}`),
          client.call('GET', `/api/order?orderMerchantId=${id}`),
          client.call('GET', `/api/order/status?orderTransactionId=${txid}`),
          client.call('GET', `/api/order/status?orderMerchantId=${id}`),
          client.call('GET', `/api/order/${txid}`),
          client.call('GET', `/api/order/${txid}/status`),
          client.call('DELETE', `/api/order/${txid}`),
        ]);
        for (const reply of replies) {
          expect(reply).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
          answers.add(sameForAll(reply));
        }
      }
      expect([...answers]).toHaveLength(1);
      expect((await shop.read(own.txid)).body.status).toBe('open');
    });

    it('find the newest order of an id that was used again', async () => {
      const id = 'USED-AGAIN';
      for (let n = 0; n < 3; n++) {
        app.clock.advance(1000);
        const { txid } = await shop.order({ orderMerchantId: id, amount: 100 + n });
        for (const path of ['/api/order', '/api/order/status']) {
          const read = await shop.call('GET', `${path}?orderMerchantId=${id}`);
          expect(read.body).toMatchObject({ txid });
        }
        await shop.cancel(txid);
      }
    });
  });

  describe('deprecated operations', () => {
    it('answer as their successors, and say what to use instead', async () => {
      const { txid } = await shop.order();
      const successors = {
        [`/api/order/${txid}`]: `/api/order?txid=${txid}`,
        [`/api/order/${txid}/status`]: `/api/order/status?orderTransactionId=${txid}`,
      };
      for (const [path, successor] of Object.entries(successors)) {
        const reply = await shop.call('GET', path);
        expect(reply.text).toBe((await shop.call('GET', successor)).text);
        expect(reply.headers.get('deprecation')).toMatch(/^@\d+$/);
        const sunset = reply.headers.get('sunset') ?? '';
        expect(new Date(sunset).toUTCString()).toBe(sunset);
        const link = reply.headers.get('link');
        expect(link).toContain(`<${app.url}${successor}>; rel="successor-version"`);
        expect(link).toMatch(/<[^>]+>; rel="deprecation"/);
      }
    });

    it('are counted for each key and day', async () => {
      const other = await app.key(shop.merchantId);
      const { txid } = await other.order();
      for (let n = 0; n < 3; n++) await other.call('GET', `/api/v1/order/${txid}`);
      await app.get(DeprecatedCallsService).flush();
      await other.call('GET', `/api/order/${txid}`);
      await other.call('GET', `/api/order/${txid}/status`);
      await other.call('GET', `/api/order?txid=${txid}`);
      await other.call('GET', `/api/order/${txid}`, undefined, { 'api-version': '1.0' });
      await app.get(DeprecatedCallsService).flush();
      const counts = await select(
        app,
        `SELECT operation, calls, day::text FROM deprecated_calls WHERE api_key_id = $1
         ORDER BY operation`,
        [other.keyId],
      );
      const day = app.clock.now().toISOString().slice(0, 10);
      expect(counts).toEqual([
        { operation: 'GET /api/order/{txid}', calls: 4, day },
        { operation: 'GET /api/order/{txid}/status', calls: 1, day },
      ]);
    });

    it('are not deprecated in version 1.0, nor are the others ever', async () => {
      const { txid } = await shop.order();
      const old = { 'api-version': '1.0' };
      const replies = await Promise.all([
        shop.call('GET', `/api/order/${txid}`, undefined, old),
        shop.call('GET', `/api/order/${txid}/status`, undefined, old),
        shop.read(txid),
        shop.cancel(txid),
      ]);
      for (const { status, headers } of replies) {
        expect(status).toBe(200);
        for (const name of ['deprecation', 'sunset', 'link']) expect(headers.has(name)).toBe(false);
      }
    });
  });

  describe('in live mode', () => {
    let live: Client;

    beforeAll(async () => {
      live = await app.merchant({ mode: 'live' });
    });

    it('need an enabled provider', async () => {
      const refused = await live.create();
      expect(refused).toMatchObject({ status: 422, body: { code: 'no_payment_method' } });
      await enableLiveProvider(app, live.merchantId);
      app.clock.advance(5_000);
      expect(await live.create()).toMatchObject({ status: 201, body: { mode: 'live' } });
    });

    it('take https only', async () => {
      const plain = { returnUrl: 'http://shop.example', cancelUrl: 'HTTP://shop.example' };
      expect(faultsOf(await live.create(plain))).toEqual([
        '/returnUrl https_required',
        '/cancelUrl https_required',
      ]);
      const secure = { returnUrl: 'https://shop.example', cancelUrl: 'HTTPS://shop.example' };
      expect((await live.create(secure)).status).toBe(201);
    });

    it('are apart from test orders of the same name', async () => {
      const test = await app.key(live.merchantId);
      const id = { orderMerchantId: 'BOTH' };
      const [inLive, inTest] = [await live.order(id), await test.order({ ...id, amount: 1 })];
      const path = '/api/order?orderMerchantId=BOTH';
      expect((await live.call('GET', path)).body).toMatchObject({
        txid: inLive.txid,
        mode: 'live',
      });
      expect((await test.call('GET', path)).body).toMatchObject({
        txid: inTest.txid,
        mode: 'test',
      });
    });
  });
});
