import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { REFUND_STATUSES } from '../src/database/refunds/refund.entity.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { FormBrowser } from './support/browser-form.js';
import { select, withoutTriggers } from './support/facts.js';
import { PAYS } from './support/payouts.js';
import { person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];
const REASONS = [
  'Broken',
  null,
  'Fits no longer; the customer sent it back unopened 🛋',
  'هدية معطلة',
];

const { app, shop } = await openShop({ env: PAYS, name: 'Nordlicht Store' });
const base = `/portal/m/${shop.merchantId}/test/refunds`;

describe('refunds in a browser', () => {
  let browser: Browser;
  let owner: FormBrowser;
  let stranger: FormBrowser;
  let emptyBase: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    const made = await person(app, 'owner', shop.merchantId);
    for (const [n, status] of REFUND_STATUSES.entries()) await refund(n, status, made.id);
    owner = await signedIn(app, made);
    const { merchantId } = await app.merchant({ name: 'Café Zitrone' });
    stranger = await signedIn(app, await person(app, 'viewer', merchantId));
    emptyBase = `/portal/m/${merchantId}/test/refunds`;
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const visited = visitors.splice(0);
    await Promise.all(visited.map((each) => each.close()));
    expect(visited.flatMap(({ faults }) => faults)).toEqual([]);
  });

  async function refund(n: number, status: string, by: string): Promise<void> {
    const orderMerchantId = n === 1 ? `INV-${'2'.repeat(56)}` : `WEB-2026-${1000 + n}`;
    const { txid } = await shop.order({ orderMerchantId, amount: 12_345_600 });
    await shop.pay(txid);
    const reason = REASONS[n % REASONS.length];
    const request = { amount: 4_990 + 137 * n ** 5, ...(reason ? { reason } : {}) };
    const { body } = await shop.call('POST', `/api/order/${txid}/refund`, request);
    const hasEnded = !['requested', 'approved', 'submitted'].includes(status);
    await withoutTriggers(
      app,
      `UPDATE refunds SET status = $2, completed_at = ${hasEnded ? `created_at + interval '2 hours'` : 'NULL'},
         status_reason = $3, requested_by = $4, origin = $5 WHERE id = $1`,
      [
        body['id'],
        status,
        ['failed', 'rejected'].includes(status) ? 'The account of the payer is closed' : null,
        n === 3 ? null : by,
        n % 2 === 0 ? 'portal' : 'api',
      ],
    );
    app.clock.advance(3_600_000);
  }

  async function open(whose: FormBrowser, path: string): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    const cookie = { name: 'portal', value: whose.cookie()!, url: app.url };
    await visitor.page.context().addCookies([cookie]);
    await visitor.page.goto(`${app.url}${path}`);
    return visitor;
  }

  it.each([
    ['list', ''],
    ['filtered', '?status=requested'],
    ['none', '?q=nothing'],
    ['wrong', '?from=yesterday'],
  ])('%s can be used by everybody, in light and dark, on phone and desk', async (name, query) => {
    const visitor = await open(owner, base + query);
    expect(await visitor.flaws(VIEWPORTS, `refunds-${name}`)).toEqual([]);
  });

  it('empty can be used by everybody, too', async () => {
    const visitor = await open(stranger, emptyBase);
    expect(await visitor.flaws(VIEWPORTS, 'refunds-empty')).toEqual([]);
  });

  it('leads from a search to the refund that waits', async () => {
    const { page } = await open(owner, base);
    await page.fill('.filter-search input', 'WEB-2026-1000');
    await page.click('.filter-search button');
    await page.waitForURL(/q=WEB-2026-1000$/);
    await page.click('text=Review');
    await page.waitForURL(/#refunds$/);
    const [order] = await select<{ txid: string }>(
      app,
      `SELECT txid FROM orders WHERE order_merchant_id = 'WEB-2026-1000'`,
      [],
    );
    expect(page.url()).toContain(order!.txid);
    expect(await page.textContent('section[aria-labelledby=refunds]')).toContain(
      'Cancel the refund',
    );
  });
});
