import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { TestApp } from './support/app.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { Client, OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import { sendMails, subscribe } from './support/mailbox.js';
import { confirmed, PASSWORD, person, type Person, withTotp } from './support/people.js';

/** Each would leave its mark, or make the browser complain, if a page took it for more than text. */
const HOSTILE = [
  '<script>window.marked = 1</script>',
  '"><img src=x onerror="window.marked = 1">',
  `'"--></style></title></textarea><svg onload=window.marked=1>`,
  '<a href="javascript:window.marked=1">click</a>',
  '<iframe srcdoc="<script>parent.marked=1</script>"></iframe>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<form action="https://evil.example/"><input name="csrf">',
  '{{constructor.constructor("window.marked=1")()}} ${window.marked=1} <%= 7*7 %> #{7*7}',
  '&lt;script&gt;window.marked=1&lt;/script&gt; &#60;b&#62;',
  '\u202eevil\u2066 \u2069 \ufeff\u0085'.replace('\u0085', ''),
  `=HYPERLINK("https://evil.example","x") @SUM(1) '; DROP TABLE orders; --`,
];

describe('hostile text', () => {
  let server: MailServer;
  let browser: Browser;
  let app: TestApp;
  let shop: Client;
  let base: string;
  let orders: OrderJson[];
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    server = await MailServer.start();
    [browser, app] = await Promise.all([
      openBrowser(),
      TestApp.start({ env: { SMTP_URL: server.url } }),
    ]);
    shop = await app.merchant({ name: HOSTILE[0]! });
    base = `/portal/m/${shop.merchantId}/test`;
    await subscribe(app, shop, server, 'owner@shop.example');
    orders = await Promise.all(HOSTILE.map(orderWith));
    await writeEverywhere();
  });
  afterAll(async () => {
    await browser.close();
    await app.stop();
    await server.stop();
  });
  afterEach(async () => {
    const visited = visitors.splice(0);
    await Promise.all(visited.map((each) => each.close()));
    expect(visited.flatMap(({ faults }) => faults)).toEqual([]);
  });

  /** A paid order whose every text is the same. */
  async function orderWith(text: string): Promise<OrderJson> {
    const { txid } = await shop.order({
      description: text,
      customer: { name: text },
      optionalFields: { [text.slice(0, 40)]: text },
    });
    const { body } = await shop.pay(txid, { payerAccountName: text });
    return body;
  }

  /** What no form would take, but a database might hold. */
  async function writeEverywhere(): Promise<void> {
    const text = HOSTILE[1]!;
    await shop.call('POST', '/api/webhook-endpoint', {
      url: 'https://shop.example/hook',
      description: HOSTILE[2],
    });
    await select(app, 'UPDATE api_keys SET name = $1', [text]);
    await select(app, 'UPDATE payments SET payer_account_number = $1, error_message = $1', [text]);
    await select(app, 'UPDATE orders SET customer_email = $1', [text]);
  }

  async function signedIn(somebody: Person): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    const { page } = visitor;
    await page.goto(`${app.url}/portal/sign-in`);
    await page.fill('[name=email]', somebody.email);
    await page.fill('[name=password]', PASSWORD);
    await page.click('main button');
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    await confirmed(app, somebody);
    return visitor;
  }

  /** Opens the pages one after the other; the browser's complaints are in `faults`. */
  async function open({ page }: Visitor, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const response = await page.goto(app.url + path);
      expect([path, response?.status()]).toEqual([path, 200]);
      expect([path, await page.evaluate('window.marked')]).toEqual([path, undefined]);
      expect([path, page.url().startsWith(app.url)]).toEqual([path, true]);
    }
  }

  it('is only text on the pages of a merchant', async () => {
    const owner = await withTotp(app, await person(app, 'owner', shop.merchantId));
    await select(app, 'UPDATE users SET name = $1 WHERE id = $2', [HOSTILE[1], owner.id]);
    await select(
      app,
      `INSERT INTO saved_views SELECT $1, $2, left(t, 60), t, now() FROM unnest($3::text[]) t
       ON CONFLICT DO NOTHING`,
      [shop.merchantId, owner.id, HOSTILE],
    );
    await select(
      app,
      `INSERT INTO order_notes SELECT merchant_id, gen_random_uuid(), txid, $1, t, now()
       FROM orders, unnest($2::text[]) t`,
      [owner.id, HOSTILE.filter((text) => text.length <= 1_000)],
    );
    const visitor = await signedIn(owner);
    const [endpoint] = await select<{ id: string }>(app, 'SELECT id FROM webhook_endpoints');
    const own = ['', '/orders', '/exports', '/keys', '/webhooks', '/recipients', '/team', '/audit'];
    await open(visitor, [
      ...own.map((path) => base + path),
      `${base}/business`,
      `${base}/webhooks/${endpoint!.id}`,
      ...orders.flatMap(({ txid }) => [
        `${base}/orders/${txid}`,
        `${base}/orders/${txid}/versions`,
      ]),
      ...HOSTILE.map((text) => `${base}/orders?q=${encodeURIComponent(text)}`),
    ]);
  });

  it('is only text on the platform’s pages', async () => {
    const visitor = await signedIn(await withTotp(app, await person(app, 'operator')));
    const pages = ['', '/people', '/health', '/audit'];
    await open(
      visitor,
      pages.map((path) => `/portal/platform${path}`),
    );
  });

  it('is only text on the payment page, paid or open', async () => {
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    const open1 = await shop.order({ description: HOSTILE.slice(0, 4).join(' ').slice(0, 255) });
    const urls = [open1, ...orders].map(({ paymentPageUrl }) => new URL(paymentPageUrl).pathname);
    await open(visitor, urls);
  });

  it('is only text in a mail', async () => {
    await sendMails(app);
    const mails = server.to('owner@shop.example');
    expect(mails).toHaveLength(orders.length);
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    for (const { html, subject } of mails) {
      await visitor.page.setContent(html ?? '');
      expect([subject, await visitor.page.evaluate('window.marked')]).toEqual([subject, undefined]);
      expect(await visitor.page.locator('script, iframe, form, base, svg').count()).toBe(0);
      expect(subject).not.toMatch(/[\r\n]/);
    }
  });
});
