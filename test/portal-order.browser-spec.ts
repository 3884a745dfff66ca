import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { PASSWORD, person, type Person } from './support/people.js';
import { openBrowser, PAGE_STATES, Visitor } from './support/browser.js';
import { subscribe } from './support/delivery-rows.js';
import { until } from './support/race.js';
import { openShop } from './support/shop.js';

const PHONE = { width: 390, height: 900 };
const DESKTOP = { width: 1360, height: 900 };
const ACCOUNT = 'DE89370400440532013000';
const WITHOUT_SCRIPT = { javaScriptEnabled: false };

const { app, shop } = await openShop({ name: 'Nordlicht Store' });
const base = `${app.url}/portal/m/${shop.merchantId}/test`;

describe('an order’s pages in a browser', () => {
  let browser: Browser;
  let owner: Person;
  let txid: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    owner = await person(app, 'owner', shop.merchantId);
    await subscribe(app, shop);
    const order = await shop.order({
      orderMerchantId: `INV-${'2'.repeat(50)}`,
      description: 'Wool blanket, grey',
      customer: { name: 'Jo Ortega', email: 'j.ortega@example.com' },
      optionalFields: { colour: 'grey', campaign: 'W'.repeat(255) },
      returnUrl: `https://shop.example/${'thanks/'.repeat(40)}`,
    });
    txid = order.txid;
    await shop.pay(txid, { outcome: 'declined' });
    await shop.pay(txid, { amount: 5_000 });
    for (const state of ['paid', 'overpaid', 'cancelled', 'failed'] as const) {
      await PAGE_STATES[state](app, shop);
    }
    await shop.pay((await shop.order({ currency: 'JPY', amount: 15_000 })).txid);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const visited = visitors.splice(0);
    await Promise.all(visited.map((each) => each.close()));
    expect(visited.flatMap(({ faults }) => faults)).toEqual([]);
  });

  /** The owner, signed in. */
  async function visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const made = await Visitor.in(browser, app.url, options);
    visitors.push(made);
    const { page } = made;
    await page.goto(`${app.url}/portal/sign-in`);
    await page.fill('[name=email]', owner.email);
    await page.fill('[name=password]', PASSWORD);
    await page.click('main button');
    await page.waitForURL(/\/portal\/m\//);
    return made;
  }

  it.each([
    ['the order', () => `/orders/${txid}`],
    ['the versions', () => `/orders/${txid}/versions`],
    ['the question before cancelling', () => `/orders/${txid}/cancel`],
    ['the first page', () => ''],
  ])(
    '%s can be used by everybody, in light and dark, on phone and reconciliation',
    async (_what, path) => {
      const someone = await visitor();
      const { page } = someone;
      const response = await page.goto(`${base}${path()}`);
      const isRefusal = response?.status() === 409;
      if (isRefusal) someone.faults.splice(0);
      await page.evaluate(
        'for (const each of document.querySelectorAll("details")) each.open = true',
      );
      expect(await someone.flaws([PHONE, DESKTOP], `order${path()}`)).toEqual([]);
    },
  );

  it('shows the payer without a script, and not before', async () => {
    const { page } = await visitor(WITHOUT_SCRIPT);
    await page.goto(`${base}/orders/${txid}`);
    expect(await page.content()).not.toContain(ACCOUNT);
    await page.click('text=Show payer');
    await page.waitForURL(/\/payer$/);
    expect(await page.textContent('#payer ~ .payer')).toContain(ACCOUNT);
    await page.goto(page.url());
    expect(page.url()).toBe(`${base}/orders/${txid}`);
    expect(await page.content()).not.toContain(ACCOUNT);
  });

  it('lays the versions beside each other, to be moved with the keys', async () => {
    const { page } = await visitor({ viewport: PHONE });
    await page.goto(`${base}/orders/${txid}/versions`);
    await page.focus('.versions');
    const left = 'document.querySelector(".versions").scrollLeft';
    expect(await page.evaluate(left)).toBe(0);
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight');
    await until('the versions have moved', async () => Number(await page.evaluate(left)) > 100);
  });

  it('changes the currency of the charts', async () => {
    const { page } = await visitor(WITHOUT_SCRIPT);
    await page.goto(base);
    expect(await page.textContent('#figures')).toContain('EUR');
    await page.click('nav[aria-label=Currency] >> text=JPY');
    expect(await page.textContent('#figures')).toContain('JPY');
    await page.click('#volume ~ .fold summary');
    expect(await page.textContent('#volume ~ .fold')).toContain('15,000');
  });
});
