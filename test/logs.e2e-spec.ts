import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestApp } from './support/app.js';
import { signed } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { openShop } from './support/shop.js';

const PAYER = {
  payerAccountNumber: 'DE02120300000000202051',
  payerAccountName: 'Leonora Geheim',
};

/** What a shop sends and nobody should find in a log. */
const PRIVATE = {
  description: 'Herzmedikament-4711',
  customer: { name: 'Zacharias Vertraulich', email: 'zacharias@privat.example' },
  optionalFields: { diagnosis: 'optional-secret' },
  returnUrl: 'https://shop.example/thanks?session=return-secret',
};

const CARD = '4111111111111111';

interface Line extends Record<string, unknown> {
  readonly level: number;
  readonly context?: string;
}

const { app, shop, bank } = await openShop({ env: { LOG_LEVEL: 'debug' } });

describe('the log at its most talkative', () => {
  let order: OrderJson;
  let bankUrl: string;

  beforeAll(async () => {
    order = await shop.order(PRIVATE);
    bankUrl = await payOnThePages(order);
  });

  const lines = (): Line[] => app.log.map((line) => JSON.parse(line) as Line);
  const requests = (): Line[] => lines().filter(({ context }) => context === 'http');
  const tokenOf = ({ paymentPageUrl }: OrderJson): string => paymentPageUrl.split('/').at(-1)!;

  /** @returns the address of the bank's page, which opens it for whoever knows it */
  async function payOnThePages({ paymentPageUrl }: OrderJson): Promise<string> {
    await fetch(`${paymentPageUrl}?lang=de`);
    const { url } = await post(`${paymentPageUrl}/start`, { method: 'sandbox' });
    await post(url, { outcome: 'paid', ...PAYER });
    return url;
  }

  const post = (url: string, form: Record<string, string>): Promise<Response> =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form) });

  const callBack = (secret: string, body: object): Promise<unknown> => {
    const headers = signed(app, secret, JSON.stringify(body));
    return shop.call('POST', `/provider-callback/sandbox/${bank.account.id}`, body, headers);
  };

  async function everyError(): Promise<void> {
    await shop.create({ ...PRIVATE, amount: -1, optionalFields: { card: CARD } });
    await shop.create({ ...PRIVATE, orderMerchantId: order.orderMerchantId, amount: 1 });
    await shop.call('POST', '/api/order', `{"description":"${PRIVATE.description}",`);
    await shop.call('POST', '/api/order', PRIVATE, { 'content-type': 'text/plain' });
    await shop.call('GET', `/api/order?email=${PRIVATE.customer.email}`);
    await shop.call('GET', `/api/order/${order.txid}?x=${PRIVATE.customer.email}`);
    await shop.cancel(order.txid);
    await shop.pay(order.txid, PAYER);
    await shop.call('GET', '/api/order', undefined, { authorization: `Bearer ${shop.secret}x` });
    await shop.call('GET', '/api/order', undefined, { authorization: `Basic ${shop.secret}` });
    await fetch(`${app.url}/pay/${tokenOf(order)}/nowhere`);
    await fetch(`${app.url}/pay/${tokenOf(order)}%zz`);
    await fetch(`${app.url}/nowhere?key=${shop.secret}`);
    await callBack('wrong', PAYER);
    await callBack(bank.account.secret, { id: '1', ...PAYER });
  }

  /** The database refuses what it is given, which the service did not expect. */
  async function internalErrors(): Promise<void> {
    const database = app.get(DataSource);
    await database.query('ALTER TABLE orders ADD CONSTRAINT no_more CHECK (amount < 0) NOT VALID');
    expect((await shop.create(PRIVATE)).status).toBe(500);
    await database.query('ALTER TABLE orders DROP CONSTRAINT no_more');
    await database.query('ALTER TABLE orders RENAME page_token TO page_token_away');
    expect((await fetch(order.paymentPageUrl)).status).toBe(500);
    expect((await shop.create(PRIVATE)).status).toBe(500);
    await database.query('ALTER TABLE orders RENAME page_token_away TO page_token');
  }

  it('writes one line for each request, with the pattern of its route', async () => {
    const before = requests().length;
    const { headers } = await shop.read(order.txid);
    await shop.call('GET', `/api/order/${order.txid}/status`);
    await fetch(order.paymentPageUrl);
    await fetch(`${app.url}/nowhere`);
    const [read, status, page, nowhere] = requests().slice(before);
    const common = { level: 30, context: 'http', msg: 'request', time: expect.any(String) };
    expect(read).toEqual({
      ...common,
      requestId: headers.get('x-request-id'),
      method: 'GET',
      route: '/api/order',
      status: 200,
      ms: expect.any(Number),
      merchant: shop.merchantId,
      txid: order.txid,
    });
    expect(status).toMatchObject({ route: '/api/order/:txid/status', txid: order.txid });
    expect(page).toMatchObject({
      route: '/pay/:token',
      status: 200,
      merchant: shop.merchantId,
      txid: order.txid,
    });
    expect(nowhere).toMatchObject({ route: 'none', status: 404 });
  });

  it('names the order that a request made', async () => {
    const { txid } = await shop.order();
    expect(requests().at(-1)).toMatchObject({
      method: 'POST',
      route: '/api/order',
      status: 201,
      txid,
    });
  });

  it('warns of its own faults, and says what they were under the same id', async () => {
    await internalErrors();
    const warned = requests().filter(({ level }) => level === 40);
    expect(warned.map(({ route, status }) => [route, status])).toEqual([
      ['/api/order', 500],
      ['/pay/:token', 500],
      ['/api/order', 500],
    ]);
    const errors = lines().filter(({ context, level }) => context === 'errors' && level === 50);
    expect(errors.map(({ requestId }) => requestId)).toEqual(
      warned.map(({ requestId }) => requestId),
    );
  });

  it('whispers of machines that ask every few seconds', async () => {
    await fetch(`${app.url}/health/ready`);
    await fetch(`${app.url}/metrics`);
    const polled = requests().slice(-2);
    expect(polled.map(({ level, route }) => [level, route])).toEqual([
      [20, '/health/ready'],
      [20, '/metrics'],
    ]);
  });

  it('holds no key, secret, token, and nothing of the payer', async () => {
    await everyError();
    await internalErrors();
    const log = app.log.join('\n');
    const secrets = {
      apiKey: shop.secret.slice('pos_test_'.length),
      pageToken: tokenOf(order),
      bankReference: bankUrl.split('/').at(-1)!,
      callbackSecret: bank.account.secret,
      account: PAYER.payerAccountNumber,
      accountName: 'Geheim',
      customerName: 'Vertraulich',
      email: 'privat.example',
      description: PRIVATE.description,
      optionalField: 'optional-secret',
      returnUrl: 'return-secret',
      card: CARD,
    };
    const found = Object.entries(secrets).filter(([, secret]) => log.includes(secret));
    expect(found).toEqual([]);
    expect(app.log.length).toBeGreaterThan(20);
  });
});

describe('the log of a start', () => {
  it('leaves out the framework’s list of modules and routes', async () => {
    const app = await TestApp.start({ env: { LOG_LEVEL: 'info' } });
    await app.stop();
    expect(app.log).toEqual([]);
  });
});
