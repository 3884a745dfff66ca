import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { TestApp } from './support/app.js';
import { bookedLine, credited } from './support/bank-lines.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { FormBrowser } from './support/browser-form.js';
import { select } from './support/facts.js';
import { Cashier, chargeFee, paidOrder, PAYS } from './support/payouts.js';
import { confirmed, person, type Person, signedIn, withTotp } from './support/people.js';

const PHONE = { width: 320, height: 720 };
const DESKTOP = { width: 1280, height: 900 };

const PLATFORM_PAYOUTS = 'payouts/test';
const PAGES = [
  PLATFORM_PAYOUTS,
  'payouts/live',
  `${PLATFORM_PAYOUTS}/WAITING`,
  `${PLATFORM_PAYOUTS}/MINE`,
  `${PLATFORM_PAYOUTS}/AGAIN`,
  `${PLATFORM_PAYOUTS}/EXPORTED`,
  `${PLATFORM_PAYOUTS}/EXPORTED/failed`,
  `${PLATFORM_PAYOUTS}/SUBMITTED`,
  `${PLATFORM_PAYOUTS}/SUBMITTED/failed`,
  `${PLATFORM_PAYOUTS}/PAID`,
  `${PLATFORM_PAYOUTS}/PAID/returned`,
  `${PLATFORM_PAYOUTS}/files`,
  `${PLATFORM_PAYOUTS}/files/new?currency=EUR`,
  `${PLATFORM_PAYOUTS}/files/new?currency=CHF`,
  `${PLATFORM_PAYOUTS}/files/FILE`,
  `${PLATFORM_PAYOUTS}/files/FILE/not-sent`,
  'unallocated/test',
  'unallocated/live',
  'merchants/MERCHANT',
];

describe('the platform’s pages about money, in a browser', () => {
  let browser: Browser;
  let app: TestApp;
  let olga: Person;
  let operator: FormBrowser;
  let ids: Record<string, string>;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([openBrowser(), TestApp.start({ env: PAYS })]);
    olga = await withTotp(app, await person(app, 'operator'));
    operator = await signedIn(app, olga);
    ids = await filled();
    // So that pages ask for a code.
    app.clock.advance(6 * 60_000);
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

  /** A payout in each state, a file, and money that nothing explains. */
  async function filled(): Promise<Record<string, string>> {
    const cashier = await Cashier.of(app, await app.merchant({ name: 'Nordlicht Store' }));
    const { shop, scope, account } = cashier;
    await chargeFee(app, shop, 29_000, 30);
    for (let i = 0; i < 40; i++) await paidOrder(shop, 100_000 + i * 1_237);
    await paidOrder(shop, 5_000, { received: 5_250, orderMerchantId: 'TOO-MUCH-2026-11-20' });
    const path = ({ merchantId, id }: { merchantId: string; id: string }) => `${merchantId}/${id}`;
    const paid = await cashier.paid(1_204_400);
    const submitted = await cashier.exported(45_600);
    await app.get(PayoutFilesService).submitted(submitted.fileId!);
    const exported = await cashier.exported(98_700);
    await app
      .get(PayoutsService)
      .request({ ...scope, currency: 'EUR' }, { amount: 77_000, bankAccountId: account.id }, null);
    const mine = await app
      .get(PayoutsService)
      .request({ ...scope, currency: 'EUR' }, { amount: 1, bankAccountId: account.id }, olga.id);
    await cashier.approve(await cashier.request(123_400));
    const waiting = await cashier.request(1_500_000);
    const again = await askedAgain();
    return {
      AGAIN: path(again),
      WAITING: path(waiting),
      MINE: path(mine),
      EXPORTED: path(exported),
      SUBMITTED: path(submitted),
      PAID: path(paid),
      FILE: exported.fileId!,
      MERCHANT: shop.merchantId,
    };
  }

  /** A payout of money that a bank took back in part, and that failed before, as somebody says. */
  async function askedAgain(): Promise<Payout> {
    const cashier = await Cashier.of(app, await app.merchant({ name: 'Südwind Laden' }));
    const order = await cashier.shop.order({ amount: 42_300 });
    const { line } = await credited(app, cashier.shop, order, 42_300);
    const first = await cashier.exported(42_300);
    const files = app.get(PayoutFilesService);
    await files.submitted(first.fileId!);
    await files.ended(first, 'failed', 'The bank says that the account is closed', olga.id);
    const again = await cashier.request(42_300);
    await select(app, `UPDATE bank_lines SET end_to_end_id = $2 WHERE id = $1`, [
      line.id,
      order.txid,
    ]);
    const out = { direction: 'out', kind: 'return', returned: true } as const;
    await bookedLine(app, { ...out, amount: 4_200, endToEndId: order.txid });
    await bookedLine(app, { ...out, amount: 9_900 });
    await bookedLine(app, { amount: 12_000, direction: 'out', text: 'Rent' });
    await app.get(MatcherService).matchNew();
    return again;
  }

  const pathTo = (page: string): string =>
    `/portal/platform/${page.replaceAll(/\b(?!EUR|CHF)[A-Z]{3,}\b/g, (name) => ids[name]!)}`;

  async function open(page: string): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    const cookie = { name: 'portal', value: operator.cookie()!, url: app.url };
    await visitor.page.context().addCookies([cookie]);
    const reply = await visitor.page.goto(app.url + pathTo(page));
    expect(reply?.status()).toBe(200);
    return visitor;
  }

  it.each(PAGES)('%s can be used by everybody', async (page) => {
    expect(await (await open(page)).flaws([PHONE, DESKTOP], page)).toEqual([]);
  });

  it.each([
    [`${PLATFORM_PAYOUTS}/WAITING`, 'form[action$=approve]', { code: '000000' }],
    [`${PLATFORM_PAYOUTS}/WAITING`, 'form[action$=reject]', { reason: '' }],
    [`${PLATFORM_PAYOUTS}/SUBMITTED/failed`, 'main form', { reason: '' }],
    ['merchants/MERCHANT', 'main form', { currency: 'EUR', percent: '101', fixed: '0.305' }],
  ])('%s, %s, says what is wrong to everybody', async (page, form, fields) => {
    if (!form.includes('approve')) await confirmed(app, olga);
    const visitor = await open(page);
    const { page: tab, faults } = visitor;
    for (const [name, value] of Object.entries(fields)) await tab.fill(`#${name}`, value);
    await tab.evaluate(`document.querySelector('${form}').noValidate = true`);
    await tab.click(`${form} button`);
    await tab.waitForSelector('[role=alert]');
    expect(await visitor.flaws([PHONE, DESKTOP], `${page} ${form} wrong`)).toEqual([]);
    // The browser itself notes that the answer was 422.
    faults.splice(0);
  });

  it('are about what they seem to be about: without a second factor they say why', async () => {
    operator = await signedIn(app, await person(app, 'operator'));
    const visitor = await open(PLATFORM_PAYOUTS);
    expect(await visitor.page.textContent('main')).toContain('require two-factor authentication');
    expect(await visitor.flaws([PHONE, DESKTOP], 'needed')).toEqual([]);
  });
});
