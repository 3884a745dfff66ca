import { describe, expect, it } from '@jest/globals';
import { API_VERSIONS, isBefore } from '../src/common/api-version.js';
import type { OrderJson, Reply } from './support/client.js';
import { newOrder } from './support/client.js';
import { openShop } from './support/shop.js';

const { shop } = await openShop();

type Fields = Record<string, unknown>;

const told = ({ body }: Reply<OrderJson>): string[] =>
  (body['warnings'] as { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );

/** What shops send, what is kept of it, and what the answer says about it. */
const SLOPPY: readonly (readonly [string, Fields, Fields, readonly string[]])[] = [
  ['a language as WordPress has it', { locale: 'de_DE' }, { locale: 'de-DE' }, ['/locale locale']],
  ['its polite form', { locale: 'de_DE_formal' }, { locale: 'de-DE-formal' }, ['/locale locale']],
  ['its reformed spelling', { locale: 'pt_PT_ao90' }, { locale: 'pt-PT' }, ['/locale locale']],
  [
    'a language as Linux has it',
    { locale: 'sr_RS.UTF-8@latin' },
    { locale: 'sr-RS' },
    ['/locale locale'],
  ],
  ['no language', { locale: '' }, { locale: null }, ['/locale left_out']],
  ['a language that nobody knows', { locale: 'x1' }, { locale: null }, ['/locale left_out']],
  ['the currency of Medusa', { currency: 'eur' }, { currency: 'EUR' }, ['/currency capitals']],
  ['a currency with a space', { currency: 'EUR ' }, { currency: 'EUR' }, ['/currency white_space']],
  [
    'no e-mail of a guest',
    { customer: { email: '', name: 'Erika' } },
    { customer: { email: null, name: 'Erika' } },
    ['/customer/email left_out'],
  ],
  [
    'an e-mail that was pasted',
    { customer: { email: ' erika@example.com\n' } },
    { customer: { email: 'erika@example.com', name: null } },
    ['/customer/email white_space'],
  ],
  [
    'a name in lines',
    { customer: { name: 'Erika\nMustermann' } },
    { customer: { name: 'Erika Mustermann', email: null } },
    ['/customer/name white_space'],
  ],
  ['no customer, as PHP writes it', { customer: [] }, { customer: null }, ['/customer left_out']],
  [
    'a list of items',
    { description: '2 × lamp\r\n1 × table\t(oak)\n' },
    { description: '2 × lamp 1 × table (oak)' },
    ['/description white_space'],
  ],
  ['no address to go back to', { returnUrl: '' }, { returnUrl: null }, ['/returnUrl left_out']],
  [
    'an address with a line break',
    { cancelUrl: 'https://shop.example/cart\n' },
    { cancelUrl: 'https://shop.example/cart' },
    ['/cancelUrl white_space'],
  ],
  [
    'no pairs, as PHP writes it',
    { optionalFields: [] },
    { optionalFields: {} },
    ['/optionalFields left_out'],
  ],
  [
    'pairs out of a form',
    { optionalFields: { 'a/b': 'two\nlines', coupon: null, ' as ': ' sent ' } },
    { optionalFields: { 'a/b': 'two lines', ' as ': ' sent ' } },
    ['/optionalFields/a~1b white_space', '/optionalFields/coupon left_out'],
  ],
  ['nothing sloppy', { description: ' kept  as sent ' }, { description: ' kept  as sent ' }, []],
];

/** An empty list of pairs counts as none at all. */
const withoutEmpty = (kept: Fields): Fields =>
  Object.fromEntries(Object.entries(kept).filter(([, value]) => JSON.stringify(value) !== '{}'));

describe('an order that a shop wrote sloppily', () => {
  it.each(SLOPPY)('is taken with %s', async (_, sent, kept, warnings) => {
    const reply = await shop.create(sent);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject(kept);
    expect(told(reply)).toEqual(warnings);
    const { body } = await shop.read(reply.body.txid);
    expect(body).toMatchObject(kept);
    expect(body).not.toHaveProperty('warnings');
  });

  it.each(SLOPPY)('with %s is the same as in its clean form', async (_, sent, kept) => {
    const order = newOrder();
    const clean = { ...order, ...withoutEmpty(kept) };
    const sloppy = { ...order, ...sent };
    for (const [first, second] of [
      [sloppy, clean],
      [clean, sloppy],
    ]) {
      const orderMerchantId = `${order['orderMerchantId'] as string}${first === sloppy ? 's' : 'c'}`;
      const one = await shop.create({ ...first, orderMerchantId });
      const two = await shop.create({ ...second, orderMerchantId });
      expect([one.status, two.status]).toEqual([201, 200]);
      expect(two.body.txid).toBe(one.body.txid);
    }
  });

  it('has its id without what stands around it', async () => {
    const { orderMerchantId } = newOrder() as { orderMerchantId: string };
    const reply = await shop.create({ orderMerchantId: ` ${orderMerchantId}\n` });
    expect(reply.body).toMatchObject({ orderMerchantId });
    expect(told(reply)).toEqual(['/orderMerchantId white_space']);
  });

  it('gets its first answer for its key in both forms, and 422 for another content', async () => {
    const order = newOrder();
    const key = { 'idempotency-key': `sloppy-${order['orderMerchantId'] as string}` };
    const first = await shop.create({ ...order, currency: 'eur' }, key);
    const clean = await shop.create(order, key);
    expect([first.status, clean.status]).toEqual([201, 201]);
    expect(clean.text).toBe(first.text);
    expect(clean.headers.get('idempotent-replayed')).toBe('true');
    expect((await shop.create({ ...order, currency: 'usd' }, key)).status).toBe(422);
  });

  it('is another one with other content', async () => {
    const order = newOrder();
    await shop.create({ ...order, description: 'a\nb' });
    expect((await shop.create({ ...order, description: 'a b' })).status).toBe(200);
    expect((await shop.create({ ...order, description: 'a c' })).status).toBe(409);
  });

  it.each(API_VERSIONS)(
    'is taken in %s too, whose answer may not know warnings',
    async (version) => {
      const asking = { 'api-version': version };
      const sloppy = newOrder({ currency: 'eur', locale: 'de_DE' });
      for (const status of [201, 200]) {
        const reply = await shop.create(sloppy, asking);
        expect(reply).toMatchObject({ status, body: { currency: 'EUR', locale: 'de-DE' } });
        expect('warnings' in reply.body).toBe(!isBefore(version, '1.3'));
      }
    },
  );

  it.each<[string, Fields, string]>([
    ['a number sign', { orderMerchantId: '#1001' }, 'Leave out the #: 1001'],
    ['a space', { orderMerchantId: 'INV 1001' }, 'For example INV-1001'],
    [
      'letters of other scripts alone',
      { orderMerchantId: '注文' },
      'Use letters, digits and . _ : / - only.',
    ],
    [
      'two addresses',
      { customer: { email: 'a@b.example, c@d.example' } },
      'This is not one e-mail address',
    ],
  ])('hears how to write %s', async (_, sent, detail) => {
    expect(await shop.create(sent)).toMatchObject({
      status: 422,
      body: { errors: [{ detail: expect.stringContaining(detail) }] },
    });
  });
});
