import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './support/browser.js';
import type { OrderJson } from './support/client.js';
import { select, withoutTriggers } from './support/facts.js';
import { Cashier, chargeFee, IBANS, PAYS } from './support/payouts.js';
import { PASSWORD } from './support/people.js';
import { openShop } from './support/shop.js';

/** `npm run pictures` names the folder of the documentation; any other run leaves the pictures as they are. */
const FOLDER = process.env['PICTURES'] ?? mkdtempSync(path.join(os.tmpdir(), 'pictures-'));

/** The pages that show the pictures; those in `docs` name them from there. */
const PAGES = ['README.md', 'docs/portal.md', 'docs/payouts.md']
  .map((page) => readFileSync(page, 'utf8').replaceAll('](images/', '](docs/images/'))
  .join('\n');

const WINDOW = { width: 1440, height: 960 };
const MINUTE_MS = 60_000;

const CUSTOMERS = [
  ['Francesca Rossi', 'f.rossi@mail.example', IBANS[0]],
  ['Takumi Abe', 't.abe@mail.example', IBANS[1]],
  ['Lea Brandt', 'lea.b@mail.example', 'DE89370400440532013000'],
  ['Astrid Nilsson', 'a.nilsson@mail.example', IBANS[2]],
  ['Julia Ortega', 'j.ortega@mail.example', IBANS[3]],
] as const;

const { app, shop } = await openShop({ env: PAYS, name: 'Nordlicht Store' });

describe('the pictures of the documentation', () => {
  const base = `/portal/m/${shop.merchantId}/test`;
  let browser: Browser;
  let page: Page;
  let payoutId: string;
  /** Paid at the second attempt. */
  let told: OrderJson;
  let last: OrderJson;

  beforeAll(async () => {
    const sql = `UPDATE merchants SET time_zone = 'Europe/Berlin', colour = '0b4f9e' WHERE id = $1`;
    await select(app, sql, [shop.merchantId]);
    app.clock.set(new Date('2026-11-20T08:12:40.000Z'));
    await chargeFee(app, shop, 14_000, 25);
    await sell();
    browser = await openBrowser();
    page = await browser.newPage({ viewport: WINDOW, locale: 'en-GB', deviceScaleFactor: 1 });
  });
  afterAll(() => browser.close());

  /** A morning in a shop: most orders are paid, some are not, and the first ones are paid out. */
  async function sell(): Promise<void> {
    const cashier = await Cashier.of(app, shop);
    const named = `UPDATE users SET name = $1 WHERE id = $2`;
    await select(app, named, ['Sofia Klein', cashier.owner.id]);
    await select(app, named, ['Olga Berg', cashier.operator.id]);
    await withoutTriggers(app, `UPDATE bank_accounts SET holder = 'Nordlicht Store GmbH'`);
    for (let n = 0; n < 22; n++) {
      const order = await buy(n);
      if (n === 13) {
        told = order;
        await fetch(order.paymentPageUrl);
      }
      if (n % 9 === 7) await shop.cancel(order.txid);
      else if (n < 20) await pay(order, n);
      if (n === 8) payoutId = (await cashier.paid(55_000)).id;
      app.clock.advance(7 * MINUTE_MS + 11_300 * (n % 5));
    }
    last = await buy(22);
    await withoutTriggers(app, 'UPDATE users SET email = $1 WHERE id = $2', [
      'sofia@nordlicht.example',
      cashier.owner.id,
    ]);
  }

  async function buy(n: number): Promise<OrderJson> {
    const [name, email] = CUSTOMERS[n % CUSTOMERS.length]!;
    return shop.order({
      orderMerchantId: `INV-${20_400 + n}`,
      amount: 4_990 + 1_000 * (n % 13),
      description: 'Reading lamp, linen shade',
      customer: { name, email },
      optionalFields: { invoice: `R-${8_100 + n}`, channel: n % 3 ? 'web' : 'phone' },
      returnUrl: 'https://nordlicht.example/thanks',
      locale: 'en',
    });
  }

  async function pay({ txid, amount }: OrderJson, n: number): Promise<void> {
    const [payerAccountName, , payerAccountNumber] = CUSTOMERS[n % CUSTOMERS.length]!;
    const payer = { payerAccountName, payerAccountNumber };
    if (n % 9 === 4) await shop.pay(txid, { outcome: 'declined' });
    await shop.pay(txid, { ...payer, amount: n === 12 ? amount - 1_000 : amount });
  }

  /** Keeps what the window shows, once it shows `words`. */
  async function shoot(
    name: string,
    address: string,
    words: string,
    window = WINDOW,
  ): Promise<void> {
    await page.setViewportSize(window);
    await page.goto(new URL(address, app.url).href);
    await page.getByText(words).first().waitFor();
    const file = path.join(FOLDER, `${name}.png`);
    await page.screenshot({ path: file });
    expect(PAGES).toContain(`(docs/images/${name}.png)`);
  }

  it('show the payment page', async () => {
    const phone = { width: 620, height: 720 };
    await shoot('payment-page', last.paymentPageUrl, 'Reading lamp', phone);
  });

  it('show the portal to its owner', async () => {
    await page.goto(`${app.url}/portal/sign-in`);
    await page.fill('[name=email]', 'sofia@nordlicht.example');
    await page.fill('[name=password]', PASSWORD);
    await page.click('main button');
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    await shoot('portal-history', `${base}/orders`, 'INV-20421');
    const whole = { width: WINDOW.width, height: 1_040 };
    await shoot('portal-order', `${base}/orders/${told.txid}`, 'Paid in full', whole);
    await shoot('portal-payout', `${base}/payouts/${payoutId}`, 'Timeline');
  });
});
