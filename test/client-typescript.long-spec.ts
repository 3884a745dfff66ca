import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import {
  ApiError,
  ConnectionError,
  paymentOrders,
  type PaymentOrders,
  RequestTimeoutError,
  type Settings,
  verifyWebhook,
  WebhookSignatureError,
} from '../clients/typescript/src/index.js';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { removeFolder, temporaryFolder } from './support/program.js';
import { type Fate, ShakyLine } from './support/shaky-line.js';

const PACKAGE = path.resolve('clients/typescript');
const run = promisify(execFile);

let app: TestApp;
let merchant: Client;
let line: ShakyLine;
let last = 0;

beforeAll(async () => {
  app = await TestApp.start();
  line = await ShakyLine.to(app.url);
});
beforeEach(async () => {
  merchant = await app.merchant();
  line.fates = [];
  line.requests.length = 0;
});
afterAll(async () => {
  line.stop();
  await app.stop();
});

const shopAt = (baseUrl: string, settings: Partial<Settings> = {}): PaymentOrders =>
  paymentOrders({ baseUrl, apiKey: merchant.secret, ...settings });

const lamp = () => ({ orderMerchantId: `LAMP-${++last}`, amount: 8990, currency: 'EUR' }) as const;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the TypeScript client', () => {
  it('has the types of the document as it is', async () => {
    const file = pathToFileURL(path.join(PACKAGE, 'scripts/schema.js')).href;
    const { generated } = (await import(file)) as {
      generated: (document: object) => Promise<Record<string, string>>;
    };
    const document = await fetch(`${app.url}/docs/openapi.json`);
    const files = await generated((await document.json()) as object);
    expect(Object.keys(files)).toEqual(['schema.ts', 'operations.ts']);
    for (const [name, text] of Object.entries(files)) {
      const old = readFileSync(path.join(PACKAGE, 'src', name), 'utf8');
      if (old !== text) throw new Error(`run "npm run clients": ${name}`);
    }
  });

  it('takes an order through its life', async () => {
    const shop = shopAt(`${app.url}/`);
    const made = await shop.createOrder({ ...lamp(), customer: { email: 'till@shop.example' } });
    expect(made.status).toBe('open');
    expect((await shop.getOrder({ txid: made.txid })).orderMerchantId).toBe(made.orderMerchantId);
    const paid = await shop.simulatePayment({ txid: made.txid, outcome: 'paid' });
    expect(paid.payment?.status).toBe('succeeded');
    const { orderMerchantId } = made;
    expect((await shop.getOrderStatus({ orderMerchantId })).finished).toBe(true);
    const refusal = await failure(shop.cancelOrder({ txid: made.txid }));
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ code: 'order_not_cancelable', status: 409, name: 'ApiError' });
    const other = await shop.createOrder(lamp());
    expect((await shop.cancelOrder({ txid: other.txid })).statusReason).toBe('by_merchant');
    const types = (await all(shop.each('listEvents', { txid: [made.txid] }))).map(
      ({ type }) => type,
    );
    expect(types).toEqual(['order.created', 'order.processing', 'order.paid']);
  });

  it('names every bad field, and answers nothing where there is nothing', async () => {
    const shop = shopAt(app.url);
    const refusal = await failure(
      shop.createOrder({ ...lamp(), orderMerchantId: 'a b', amount: 0 }),
    );
    const { code, errors, requestId, message } = refusal as ApiError;
    expect(code).toBe('validation_failed');
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/orderMerchantId', '/amount']);
    expect(message).toContain('/amount: ');
    expect(requestId).toMatch(/^[\da-f-]{36}$/);
    const made = await shop.createNotificationRecipient({ email: 'till@shop.example' });
    expect(await shop.deleteNotificationRecipient({ id: made.id })).toBeUndefined();
  });

  it('waits as long as it is told where it asks too often, and gives up where that is too long', async () => {
    const env = { RATE_LIMITS: 'on', RATE_WRITES: '1' };
    const strict = await TestApp.start({ env, realTime: true });
    const { secret: apiKey } = await strict.merchant();
    const shop = paymentOrders({ baseUrl: strict.url, apiKey, retries: 8 });
    const start = performance.now();
    const made = await Promise.all([1, 2, 3, 4].map(() => shop.createOrder(lamp())));
    expect(new Set(made.map(({ txid }) => txid)).size).toBe(4);
    expect(performance.now() - start).toBeGreaterThan(1_500);
    const hasty = paymentOrders({ baseUrl: strict.url, apiKey, maxPauseMs: 100 });
    const refusals = await Promise.all([1, 2, 3].map(() => failure(hasty.createOrder(lamp()))));
    const refused = refusals.find((error) => error !== undefined) as ApiError;
    expect(refused).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(refused.retryAfterMs).toBeGreaterThanOrEqual(1_000);
    await strict.stop();
  });

  it.each<[Fate, number]>([
    ['cuts', 0],
    ['swallows', 0],
    ['unavailable', 1_000],
    ['gateway', 0],
  ])('makes one order where the line %s, under one key', async (fate, pauseMs) => {
    line.fates = [fate, fate];
    const shop = shopAt(line.url, { timeoutMs: 2_000 });
    const order = lamp();
    const { txid } = await shop.createOrder(order);
    const keys = line.requests.map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect([new Set(keys).size, keys[0]]).toEqual([1, expect.stringMatching(/^[\da-f-]{36}$/)]);
    const { orderMerchantId } = order;
    const found = await all(shop.each('searchOrders', { orderMerchantId: [orderMerchantId] }));
    expect(found.map((each) => each.txid)).toEqual([txid]);
    const [first, second] = line.requests;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(pauseMs);
  });

  it('has a limit, and says what it knows', async () => {
    line.fates = ['cuts', 'cuts', 'cuts'];
    const cut = await failure(shopAt(line.url, { retries: 1 }).createOrder(lamp()));
    expect(cut).toBeInstanceOf(ConnectionError);
    expect([line.requests.length, String((cut as Error).cause)]).toEqual([
      2,
      'TypeError: fetch failed',
    ]);
    line.fates = ['swallows'];
    const late = shopAt(line.url, { retries: 0, timeoutMs: 200 }).createOrder(lamp());
    expect(await failure(late)).toBeInstanceOf(RequestTimeoutError);
    line.fates = ['gateway'];
    const strange = await failure(shopAt(line.url, { retries: 0 }).createOrder(lamp()));
    expect(strange).toMatchObject({ code: 'unexpected_answer', status: 502, problem: undefined });
  });

  it('does not repeat what could be done twice', async () => {
    const { txid } = await shopAt(app.url).createOrder(lamp());
    line.fates = ['cuts'];
    const shop = shopAt(line.url);
    expect(await failure(shop.simulatePayment({ txid, outcome: 'paid' }))).toBeInstanceOf(
      ConnectionError,
    );
    expect(line.requests).toHaveLength(1);
    expect((await shop.getOrderStatus({ orderTransactionId: txid })).status).toBe('paid');
  });

  it('ends when it is told to, in a request and in a pause', async () => {
    const reason = new Error('the shopper went away');
    for (const fate of ['swallows', 'unavailable'] as const) {
      line.fates = [fate];
      const ending = new AbortController();
      const call = failure(shopAt(line.url).createOrder(lamp(), { signal: ending.signal }));
      setTimeout(() => ending.abort(reason), 300);
      expect(await call).toBe(reason);
    }
    expect(line.requests).toHaveLength(2);
  });

  it('reads a thousand orders once each, in their order, while others are made', async () => {
    const shop = shopAt(app.url);
    const make = () => shop.createOrder(lamp()).then(({ txid }) => txid);
    const known: string[] = [];
    for (let round = 0; round < 50; round++) {
      known.push(...(await Promise.all(Array.from({ length: 20 }, make))));
    }
    const meanwhile = Array.from({ length: 40 }, make);
    const read = await all(shop.each('searchOrders', { sort: 'oldest', limit: 100 }));
    await Promise.all(meanwhile);
    const txids = read.map(({ txid }) => txid);
    expect(new Set(txids).size).toBe(txids.length);
    expect(new Set(txids.slice(0, 1_000))).toEqual(new Set(known));

    // Whoever kept the place of a page goes on from there.
    const seen: string[] = [];
    let place: string | null = null;
    for await (const { data, next } of shop.pages('listEvents', { limit: 100 })) {
      seen.push(...data.map(({ id }) => id));
      place = next;
      if (seen.length >= 300) break;
    }
    const rest = await all(shop.each('listEvents', { after: place! }));
    seen.push(...rest.map(({ id }) => id));
    expect([seen.length, new Set(seen).size]).toEqual([1_040, 1_040]);
    const ending = new AbortController();
    const following = shop.each(
      'listEvents',
      { after: 'latest' },
      { followMs: 50, signal: ending.signal },
    );
    const news = following.next();
    setTimeout(() => void shop.createOrder(lamp()), 200);
    expect((await news).value).toMatchObject({ type: 'order.created' });
    const ended = failure(following.next());
    setTimeout(() => ending.abort(), 100);
    expect(await ended).toMatchObject({ name: 'AbortError' });
  });
});

describe('its webhooks', () => {
  const [ours, former, theirs] = [1, 2, 3].map(
    (fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`,
  ) as [string, string, string];
  const body = JSON.stringify({ id: 'msg', type: 'order.paid', sequence: 3, data: { txid: 't' } });
  const headersOf = (secret: string, at = new Date()) => ({
    'webhook-id': 'msg',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg', at, body),
  });

  it('are told by type, whichever secret signed, from either kind of headers', () => {
    const event = verifyWebhook(body, headersOf(ours), ours);
    expect(event.type === 'order.paid' && event.data.txid).toBe('t');
    expect(
      verifyWebhook(Buffer.from(body), new Headers(headersOf(former)), [ours, former]),
    ).toEqual(event);
    const both = { ...headersOf(ours) };
    both['webhook-signature'] += ` ${headersOf(former)['webhook-signature']}`;
    expect(verifyWebhook(body, both, former)).toEqual(event);
  });

  it.each<[string, string, Record<string, string>, readonly string[]]>([
    ['signed by others', body, headersOf(theirs), [ours, former]],
    ['changed', body.replace('paid', 'void'), headersOf(ours), [ours]],
    ['ten minutes old', body, headersOf(ours, new Date(Date.now() - 600_000)), [ours]],
    ['without headers', body, {}, [ours]],
    ['for nobody', body, headersOf(ours), []],
  ])('are refused when %s', (_, text, headers, secrets) => {
    expect(() => verifyWebhook(text, headers, secrets)).toThrow(WebhookSignatureError);
  });
});

describe('its package', () => {
  let folder: string;
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

  beforeAll(async () => {
    folder = temporaryFolder();
    const pack = ['pack', '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: PACKAGE });
    const modules = path.join(folder, 'node_modules');
    mkdirSync(modules);
    await run('tar', ['-xzf', path.join(folder, stdout.trim()), '-C', modules]);
    await run('mv', [path.join(modules, 'package'), path.join(modules, 'payment-order-client')]);
    for (const name of ['standardwebhooks', '@types', 'undici-types']) {
      symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
    }
    cpSync(path.join(PACKAGE, 'examples'), path.join(folder, 'examples'), { recursive: true });
    write('package.json', '{ "type": "module" }');
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      outDir: 'out',
      rootDir: '.',
    };
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions, include: ['examples', '*.cts', '*.mts'] }),
    );
    const first = readFileSync(path.join(folder, 'examples/first-order.ts'), 'utf8');
    write('common.cts', commonOf(first));
  });
  afterAll(() => removeFolder(folder));

  /** The same program as a CommonJS one. */
  const commonOf = (text: string): string =>
    text
      .replace(
        /^import (\{.+\}) from ('.+');/,
        'import client = require($2);\nconst $1 = client;\nvoid (async () => {',
      )
      .replaceAll('INV-2001', 'INV-2002')
      .concat('})();\n');

  const compile = () =>
    run(process.execPath, [path.resolve('node_modules/typescript/bin/tsc'), '-p', folder]);

  it('compiles with the strictest settings, examples included, and runs as either kind', async () => {
    await compile();
    const env = { ...process.env, BASE: app.url, KEY: merchant.secret };
    for (const name of ['examples/first-order.js', 'common.cjs']) {
      const { stdout, stderr } = await run(process.execPath, [path.join(folder, 'out', name)], {
        env,
      });
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^send the payer to http\S+\/pay\/\S+\nthe order is open\n$/);
    }
  });

  it('lets no mistake through', async () => {
    const wrong = [
      "await shop.createOrder({ orderMerchantId: 'a', amount: 1 });",
      "await shop.createOrder({ orderMerchantId: 'a', amount: 1, currency: 'EUR', colour: 'red' });",
      'await shop.getOrder({});',
      "await shop.getOrder({ txid: 'a', orderMerchantId: 'b' });",
      "for await (const page of shop.pages('getOrder')) console.log(page);",
      "if (event.type === 'order.payed') console.log(event);",
      "if (error.code === 'not_a_code') console.log(error);",
    ];
    const head = `import { type ApiError, type PaymentOrders, type WebhookEvent } from 'payment-order-client';
declare const shop: PaymentOrders, event: WebhookEvent, error: ApiError;
`;
    write('wrong.mts', `${head}${wrong.join('\n')}\n`);
    const { stdout } = (await failure(compile())) as { stdout: string };
    const lines = new Set(
      [...stdout.matchAll(/^\S*wrong\.mts\((\d+),/gm)].map(([, at]) => Number(at) - 3),
    );
    expect([...lines].map((at) => wrong[at])).toEqual(wrong);
  });

  it('shows in its README what compiles', () => {
    const readme = readFileSync(path.join(PACKAGE, 'README.md'), 'utf8');
    expect(readme).toContain(readFileSync(path.join(PACKAGE, 'examples/first-order.ts'), 'utf8'));
    for (const [, link] of readme.matchAll(/\]\((examples\/[\w.-]+)\)/g)) {
      expect(() => readFileSync(path.join(PACKAGE, link!))).not.toThrow();
    }
  });
});
