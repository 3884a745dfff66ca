import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { TestApp } from './support/app.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { Client } from './support/client.js';
import { writeOrders } from './support/exports.js';
import { select } from './support/facts.js';
import { PASSWORD, person } from './support/people.js';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1360, height: 1000 };
const WITHOUT_SCRIPT = { javaScriptEnabled: false };

describe('the list of orders in a browser', () => {
  let browser: Browser;
  let app: TestApp;
  let shop: Client;
  let base: string;
  let email: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([openBrowser(), TestApp.start()]);
    shop = await app.merchant({ name: 'Nordlicht Store' });
    base = `/portal/m/${shop.merchantId}/test`;
    ({ email } = await person(app, 'owner', shop.merchantId));
    await writeOrders(app, shop, 40);
    await everyKind();
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

  /** Orders as different as they come, with long words in them. */
  async function everyKind(): Promise<void> {
    const customer = { name: 'Anneliese-Wilhelmine von Hohenstaufen', email: 'a.w@mail.example' };
    const words = { orderMerchantId: 'W'.repeat(64), customer };
    await shop.pay((await shop.order({ ...words, amount: 99_999_999_999 })).txid);
    await shop.pay((await shop.order({ customer })).txid, { amount: 5_000 });
    await shop.pay((await shop.order({ amount: 1_500, currency: 'KWD' })).txid);
    await shop.pay((await shop.order()).txid, { outcome: 'pending' });
    await shop.cancel((await shop.order({ amount: 15_000, currency: 'JPY' })).txid);
    const { txid } = await shop.order({ orderMerchantId: 'INV-20410' });
    await shop.pay(txid, { payerAccountName: 'إيريكا موسترمان ⁧ <b>', amount: 10_000 });
    await select(app, 'UPDATE orders SET amount_refunded = 100 WHERE txid = $1', [txid]);
  }

  /** The owner, who has signed in and looks at a page. */
  async function owner(path: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url, { viewport: DESKTOP, ...options });
    visitors.push(visitor);
    const { page } = visitor;
    await page.goto(`${app.url}/portal/sign-in?next=${encodeURIComponent(path)}`);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', PASSWORD);
    await page.click('main button');
    await page.waitForURL((url) => url.pathname + url.search === path);
    return visitor;
  }

  it.each([
    ['the list', '/orders'],
    ['the list with a filter that is partly wrong', '/orders?status=paid&amountFrom=1&from=x'],
    ['the list without rows', '/orders?q=nobody&preset=today'],
    ['the download', '/orders/download?status=paid'],
    ['the exports', '/exports'],
  ])('%s can be used by everybody, at any width and in any theme', async (_name, path) => {
    const visitor = await owner(base + path);
    expect(await visitor.flaws([PHONE, DESKTOP])).toEqual([]);
  });

  it('shows the panels and the menu so that everybody can use them', async () => {
    const visitor = await owner(`${base}/orders`);
    const { page } = visitor;
    for (const n of [0, 1, 2, 3]) {
      await page.locator('.filter > summary').nth(n).click();
      expect(await page.locator('.filter[open]').count()).toBe(1);
      expect(await visitor.axe()).toEqual([]);
    }
    await page.setViewportSize(PHONE);
    await page.reload();
    expect(await page.isVisible('#menu')).toBe(false);
    await page.click('.menu-button');
    expect(await page.isVisible('#menu a[aria-current=page]')).toBe(true);
    expect(await visitor.axe()).toEqual([]);
  });

  it('says what to do where nothing is', async () => {
    const other = await app.merchant({ name: 'Empty' });
    const sql = `INSERT INTO memberships SELECT r.* FROM memberships m, jsonb_populate_record(
      m, jsonb_build_object('merchant_id', $1::text)) r WHERE m.merchant_id = $2`;
    await select(app, sql, [other.merchantId, shop.merchantId]);
    const visitor = await owner(`/portal/m/${other.merchantId}/test/orders`);
    const { page } = visitor;
    expect(await page.textContent('main h2')).toBe('No orders yet');
    expect(await visitor.flaws([PHONE, DESKTOP])).toEqual([]);
    await select(app, 'DELETE FROM memberships WHERE merchant_id = $1', [other.merchantId]);
  });

  it('is used by keys alone', async () => {
    const { page } = await owner(`${base}/orders`);
    await page.keyboard.press('/');
    await page.keyboard.type('a.w@mail.example');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=a\.w/);
    expect(await page.locator('[data-row]').count()).toBe(2);
    await page.focus('[data-rows]');
    const at = () => page.evaluate('document.activeElement.textContent');
    const ids = await page.locator('[data-row]').allTextContents();
    await page.keyboard.press('j');
    expect(await at()).toBe(ids[0]);
    await page.keyboard.press('j');
    expect(await at()).toBe(ids[1]);
    await page.keyboard.press('k');
    expect(await at()).toBe(ids[0]);
    await page.locator('.filter-bar .filter > summary').first().press('Enter');
    expect(await page.isVisible('#filter-from')).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#filter-from')).toBe(false);
  });

  it('filters and searches without a script', async () => {
    const { page } = await owner(`${base}/orders`, WITHOUT_SCRIPT);
    await page.click('.chip:has-text("Paid")');
    expect(page.url()).toMatch(/\?status=paid$/);
    await page.click('summary:has-text("Amount")');
    await page.selectOption('[name=currency]', 'KWD');
    await page.fill('[name=amountTo]', '1.500');
    await page.click('.filter[open] button');
    expect(new URL(page.url()).search).toBe('?status=paid&currency=KWD&amountTo=1.500');
    expect(await page.locator('[data-row]').count()).toBe(1);
    await page.fill('[name=q]', 'nobody at all');
    await page.press('[name=q]', 'Enter');
    expect(new URL(page.url()).search).toContain('q=nobody+at+all');
    expect(page.url()).toContain('currency=KWD');
    expect(await page.textContent('main h2')).toBe('No matching orders');
    await page.click('.nothing a:has-text("Clear filters")');
    expect(await page.locator('[data-row]').count()).toBe(25);
    await page.click('a:has-text("Older")');
    expect(await page.locator('[data-row]').count()).toBe(21);
  });

  it('downloads what is filtered', async () => {
    const { page } = await owner(`${base}/orders?status=cancelled`);
    await page.click('a:has-text("Download CSV")');
    await page.check('[value=machine]');
    const coming = page.waitForEvent('download');
    await page.click('main button:has-text("Download CSV")');
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^orders-test-.+\.csv$/);
  });

  it('shows on a phone what a card of an order has', async () => {
    const { page } = await owner(`${base}/orders?exception=only`, { viewport: PHONE });
    const card = page.locator('tbody tr').first();
    for (const cell of ['.c-when', '.c-order', '.c-status', '.c-amount', '.c-account', '.c-name']) {
      expect([cell, await card.locator(cell).isVisible()]).toEqual([cell, true]);
    }
  });

  it('renews the list of large files in its place', async () => {
    const visitor = await owner(`${base}/orders/download`);
    const { page } = visitor;
    const csrf = await page.getAttribute('[name=csrf]', 'value');
    await page.evaluate(`fetch('${base}/exports', { method: 'POST', body: new URLSearchParams({
      csrf: '${csrf}', file: 'machine' }) })`);
    await page.goto(`${app.url}${base}/exports`);
    await page.waitForSelector('.tag.busy');
    expect(await visitor.flaws([PHONE, DESKTOP])).toEqual([]);
    await select(
      app,
      `UPDATE exports SET status = 'failed', finished_at = now(), expires_at = now(),
         place = NULL, lease_until = NULL`,
    );
    await page.waitForSelector('.tag.bad');
  });
});
