import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Database } from '../src/database/database.js';
import { DeprecatedCallsService } from '../src/merchants/deprecated-calls.service.js';
import { RecipientsService } from '../src/notifications/recipients/recipients.service.js';
import { WebhookDeliveriesService } from '../src/notifications/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../src/notifications/webhooks/webhook-endpoints.service.js';
import { TestApp } from './support/app.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { FormBrowser } from './support/browser-form.js';
import { codeOf, person, type Person, signedIn, withTotp } from './support/people.js';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1360, height: 1000 };

const MERCHANT_PAGES = [
  'business',
  'business/preview?state=open&locale=de',
  'business/preview?state=paid',
  'recipients',
  'recipients/new',
  'recipients/RECIPIENT',
  'recipients/RECIPIENT/delete',
  'keys',
  'keys/new',
  'keys/KEY/roll',
  'keys/KEY/revoke',
  'webhooks',
  'webhooks/new',
  'webhooks/ENDPOINT',
  'webhooks/ENDPOINT/edit',
  'webhooks/ENDPOINT/secret',
  'webhooks/ENDPOINT/resend',
  'webhooks/ENDPOINT/delete',
  'webhooks/ENDPOINT/deliveries/DELIVERY',
];
const PLATFORM_PAGES = ['', '/merchants/new', '/people', '/health', '/audit'];

describe('settings and platform in a browser', () => {
  let browser: Browser;
  let app: TestApp;
  let base: string;
  let somebody: Person & { readonly totp: string };
  let owner: FormBrowser;
  let operator: FormBrowser;
  let ids: Record<string, string>;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([openBrowser(), TestApp.start()]);
    const shop = await app.merchant({ name: 'Nordlicht Store' });
    base = `/portal/m/${shop.merchantId}/test`;
    somebody = await withTotp(app, await person(app, 'owner', shop.merchantId));
    owner = await signedIn(app, somebody);
    operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    ids = { ...(await filled(shop.merchantId)), KEY: shop.keyId };
    const calls = app.get(DeprecatedCallsService);
    calls.count({ merchantId: shop.merchantId, id: shop.keyId }, 'GET /api/order/{txid}');
    await calls.flush();
  });
  afterAll(async () => {
    await browser.close();
    await app.stop();
  });
  afterEach(async () => {
    const visited = visitors.splice(0);
    await Promise.all(visited.map((each) => each.close()));
    expect(visited.flatMap(({ faults }) => faults)).toEqual([]);
  });

  /** One of each thing that the pages are about. */
  async function filled(merchantId: string): Promise<Record<string, string>> {
    const scope = { merchantId, mode: 'test' } as const;
    const author = {
      madeBy: null,
      madeByKey: null,
      seesEvents: true,
      seesPayouts: true,
      address: '192.0.2.1',
    };
    const { recipient } = await app
      .get(RecipientsService)
      .add(scope, { email: 'books@nordlicht.example', minimumAmount: 5_000 });
    const endpoint = await app
      .get(WebhookEndpointsService)
      .create(
        { ...scope, version: '1.2.2', author },
        { url: 'https://hooks.nordlicht.example/in' },
      );
    const delivery = await app.get(WebhookDeliveriesService).test(scope, endpoint.id);
    const text = `INSERT INTO delivery_attempts (merchant_id, delivery_id, number, started_at,
        duration_ms, succeeded, status_code, error, request_head, response_head)
      VALUES ($1, $2, 1, now(), 31, false, 500, 'The receiver answered 500.', $3, 'HTTP/1.1 500')`;
    const head = `POST /in HTTP/1.1\nwebhook-id: ${delivery.id}\ncontent-type: application/json\n`;
    await app
      .get(Database)
      .query({ name: 'attempt', text }, [merchantId, delivery.id, head.repeat(9)]);
    return { RECIPIENT: recipient.id, ENDPOINT: endpoint.id, DELIVERY: delivery.id };
  }

  async function open(whose: FormBrowser, path: string): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    const cookie = { name: 'portal', value: whose.cookie()!, url: app.url };
    await visitor.page.context().addCookies([cookie]);
    const reply = await visitor.page.goto(`${app.url}${path}`);
    expect(reply?.status()).toBe(200);
    return visitor;
  }

  it.each(MERCHANT_PAGES)('%s can be used by everybody', async (page) => {
    const path = page.replaceAll(/[A-Z]{3,}/g, (name) => ids[name]!);
    const visitor = await open(owner, `${base}/${path}`);
    expect(await visitor.flaws([PHONE, DESKTOP], page)).toEqual([]);
  });

  it.each(PLATFORM_PAGES)('platform%s can be used by everybody', async (page) => {
    const visitor = await open(operator, `/portal/platform${page}`);
    expect(await visitor.flaws([PHONE, DESKTOP], `platform${page}`)).toEqual([]);
  });

  it.each([
    ['business', { name: '', colour: 'x' }],
    ['keys/new', { name: '' }],
    ['webhooks/new', { url: 'http://localhost' }],
  ])('%s says what is wrong to everybody', async (page, fields) => {
    const { page: tab, ...rest } = await open(owner, `${base}/${page}`);
    for (const [name, value] of Object.entries(fields)) await tab.fill(`#${name}`, value);
    await tab.evaluate(`document.querySelector('main form[method=post]').noValidate = true`);
    await tab.click('main form[method=post] .btn-primary');
    await tab.waitForSelector('[role=alert]');
    const visitor = visitors.at(-1)!;
    expect(await visitor.flaws([PHONE, DESKTOP], `${page}-wrong`)).toEqual([]);
    // The browser itself notes that the answer was 422.
    rest.faults.splice(0);
  });

  it('shows a new key once, on a page that everybody can use', async () => {
    const { page } = await open(owner, `${base}/keys/new`);
    await page.fill('#name', 'By hand');
    await page.click('main .btn-primary');
    expect(await page.inputValue('#secret')).toMatch(/^pos_test_/);
    expect(await visitors.at(-1)!.flaws([PHONE, DESKTOP], 'key-secret')).toEqual([]);
  });

  // The last one: from here on the browser has another cookie.
  it('asks for a code before payers see another business', async () => {
    await app.get(Database).query(
      {
        name: 'stale',
        text: `UPDATE user_sessions SET second_factor_at = to_timestamp(0)
            WHERE second_factor_at IS NOT NULL`,
      },
      [],
    );
    const { page, faults } = await open(owner, `${base}/business`);
    await page.fill('#name', 'Nordlicht & Co');
    await page.click('main form[method=post] .btn-primary');
    await page.waitForSelector('#code');
    expect(await visitors.at(-1)!.flaws([PHONE, DESKTOP], 'step-up')).toEqual([]);
    // The browser itself notes that the answer was 422.
    faults.splice(0);
    app.clock.advance(30_000);
    await page.fill('#code', await codeOf(app, somebody.totp));
    await page.click('button:has-text("Continue")');
    await page.waitForURL('**/business?done=saved');
    expect(await page.inputValue('#name')).toBe('Nordlicht & Co');
  });
});
