import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { LOCALES } from '../src/common/locale.js';
import { collectionAccount } from './support/bank-lines.js';
import { PaidByTransfer } from './support/bank-refunds.js';
import { openBrowser, Visitor } from './support/browser.js';
import { PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];
const BYTES_MAX = 20_000;

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);

describe('the page of a refund’s payer in a browser', () => {
  let browser: Browser;
  let paid: PaidByTransfer;

  beforeAll(async () => {
    browser = await openBrowser();
    const order = { orderMerchantId: `INV-${'2'.repeat(56)}` };
    const operator = await person(app, 'operator');
    paid = await PaidByTransfer.of(app, operator, 99_999_900, order, { unnamed: true });
  });
  afterAll(() => browser.close());

  const linkOf = async (amount: number): Promise<string> =>
    paid.link((await paid.ask({ amount })).id);

  async function open(path: string): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url);
    await visitor.page.goto(app.url + path);
    return visitor;
  }

  it.each(LOCALES)('has no flaw in %s, before and after the entry', async (lang) => {
    const link = await linkOf(1_234_567);
    const visitor = await open(`${link}?lang=${lang}`);
    const { page } = visitor;
    expect(await visitor.flaws(VIEWPORTS, `refund-account-${lang}`)).toEqual([]);
    await page.fill('#holder', 'W'.repeat(71));
    await page.fill('#iban', 'DE00 1234 5678 9012 3456 78');
    await page.click('button');
    await page.waitForSelector('.fault');
    expect(await visitor.flaws(VIEWPORTS, `refund-account-${lang}-fault`)).toEqual([]);
    expect(await page.getAttribute('html', 'lang')).toBe(lang);
    // Browsers report the answer 422 to the form.
    expect(visitor.faults.filter((fault) => !fault.includes('422'))).toEqual([]);

    await page.fill('#holder', 'Zoë Łukaszewska-Fernández de la Peña');
    await page.fill('#iban', 'de89 3704 0044 0532 0130 00');
    await page.click('button');
    await page.waitForSelector('.good');
    expect(await visitor.flaws(VIEWPORTS, `refund-account-${lang}-entered`)).toEqual([]);
    await page.reload();
    expect(await page.textContent('main')).toContain('3000');
    await visitor.close();
  });

  it('is light, and works without a script', async () => {
    const link = await linkOf(100);
    const visitor = await Visitor.in(browser, app.url, { javaScriptEnabled: false });
    const { page } = visitor;
    await page.goto(app.url + link);
    expect((await page.content()).length).toBeLessThan(BYTES_MAX);
    await page.fill('#holder', 'Paula Payer');
    await page.fill('#iban', paid.payer);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.good');
    await visitor.close();
  });
});
