import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { DataSource } from 'typeorm';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { BankAccountsService } from '../src/payouts/bank-accounts.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { arrived, openBrowser, Visitor } from './support/browser.js';
import type { FormBrowser } from './support/browser-form.js';
import { count } from './support/facts.js';
import { Cashier, IBANS, noticed, paidOrder, PAYS } from './support/payouts.js';
import { signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

const VIEWPORTS = [
  { width: 320, height: 900 },
  { width: 1280, height: 900 },
];

const { app, shop } = await openShop({ env: PAYS, name: 'Nordlicht Store' });
const base = `/portal/m/${shop.merchantId}/test/payouts`;

describe('payouts in a browser', () => {
  let browser: Browser;
  let cashier: Cashier;
  let owner: FormBrowser;
  let emptyOwner: FormBrowser;
  let emptyBase: string;
  const ids: Record<string, string> = {};
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    cashier = await Cashier.of(app, shop);
    await fill();
    owner = await signedIn(app, cashier.owner);
    const empty = await Cashier.of(app, await app.merchant({ name: 'Café Zitrone' }));
    emptyOwner = await signedIn(app, empty.owner);
    emptyBase = `/portal/m/${empty.shop.merchantId}/test/payouts`;
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const visited = visitors.splice(0);
    await Promise.all(visited.map((each) => each.close()));
    expect(visited.flatMap(({ faults }) => faults)).toEqual([]);
  });

  /** Every status, two currencies, and money that nobody knows the order of. */
  async function fill(): Promise<void> {
    await setFee();
    for (let i = 1; i <= 30; i++) {
      await paidOrder(shop, 4_990 + 137 * i, { orderMerchantId: `WEB-2026-${1000 + i}` });
    }
    await paidOrder(shop, 12_500_000, { orderMerchantId: `INV-${'2'.repeat(56)}` });
    await paidOrder(shop, 48_000, { currency: 'JPY' });
    await paidOrder(shop, 9_900, { received: 4_200 });
    const service = app.get(PayoutsService);
    const files = app.get(PayoutFilesService);
    const rejected = await cashier.request(5_000);
    await app.get(ApprovalsService).reject(cashier.scope, rejected.id, 'Call us first, please.');
    ids['PAID'] = (await cashier.paid(190_000)).id;
    app.clock.advance(3_600_000);
    const failed = await cashier.exported(1_000);
    await files.submitted(failed.fileId!);
    await files.ended(failed, 'failed', 'The account is closed', cashier.owner.id);
    await cashier.returned(await cashier.paid(2_000), 'No such account');
    app.clock.advance(3_600_000);
    await service.cancel(cashier.scope, (await cashier.request(1_500)).id);
    await cashier.exported(3_000);
    await cashier.approve(await cashier.request(2_500));
    ids['WAITING'] = (await cashier.request(1_234_567)).id;
    const wish = { amount: 20_000, bankAccountId: cashier.account.id };
    const balance = { ...cashier.scope, currency: 'JPY' };
    ids['DRAFT'] = (await service.draft(balance, wish, null)).id;
    await addAccounts();
  }

  /** One that waits, and one that nobody has confirmed. */
  async function addAccounts(): Promise<void> {
    const accounts = app.get(BankAccountsService);
    const holder = 'Nordlicht Store Handelsgesellschaft für Wolle und Garn';
    const fresh = await accounts.add(cashier.scope, { holder, iban: IBANS[1] }, cashier.owner.id);
    await accounts.confirm(cashier.scope, fresh!.id, cashier.owner.id);
    await noticed(app, fresh!.id);
    await accounts.add(cashier.scope, { holder, iban: IBANS[2] }, cashier.owner.id);
  }

  const setFee = () =>
    app.get(DataSource).query(
      `INSERT INTO fee_rates (merchant_id, provider, currency, parts_per_million, fixed, updated_at)
       VALUES ($1, 'sandbox', 'EUR', 29000, 30, now())`,
      [shop.merchantId],
    );

  async function open(
    whose: FormBrowser,
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url, options);
    visitors.push(visitor);
    const cookie = { name: 'portal', value: whose.cookie()!, url: app.url };
    await visitor.page.context().addCookies([cookie]);
    await visitor.page.goto(`${app.url}${path}`);
    return visitor;
  }

  it.each([
    ['list', ''],
    ['filtered', '?status=rejected'],
    ['none', '?status=submitted'],
    ['form', '/new'],
    ['paid', '/PAID'],
    ['lines', '/PAID?page=2'],
    ['waiting', '/WAITING?done=asked'],
    ['draft', '/DRAFT'],
    ['change', '/WAITING/edit'],
    ['cancel', '/WAITING/cancel'],
  ])(
    '%s can be used by everybody, in light and dark, on phone and reconciliation',
    async (name, page) => {
      const path = page.replaceAll(/[A-Z]{3,}/g, (word) => ids[word]!);
      const visitor = await open(owner, `${base}${path}`);
      expect(await visitor.flaws(VIEWPORTS, name)).toEqual([]);
    },
  );

  it.each([
    ['empty', ''],
    ['not-yet', '/new'],
  ])('%s can be used by everybody, too', async (name, page) => {
    const visitor = await open(emptyOwner, `${emptyBase}${page}`);
    expect(await visitor.flaws(VIEWPORTS, name)).toEqual([]);
  });

  it('the form says what is wrong to everybody', async () => {
    const visitor = await open(owner, `${base}/new`);
    const { page } = visitor;
    await page.fill('#amount', '1.240');
    await page.click('main .btn-primary');
    await page.waitForSelector('#amount-problem');
    expect(await page.inputValue('#amount')).toBe('1.240');
    expect(await visitor.flaws(VIEWPORTS, 'wrong')).toEqual([]);
    // The browser itself notes that the answer was 422.
    visitor.faults.splice(0);
  });

  it.each([true, false])('asks for a payout and for a draft (scripts: %s)', async (scripts) => {
    const { page } = await open(owner, `${base}/new`, { javaScriptEnabled: scripts });
    for (const [button, status] of [
      ['Save as draft', 'Draft'],
      ['Request payout', 'Pending approval'],
    ] as const) {
      await page.goto(`${app.url}${base}/new`);
      await page.selectOption('#currency', 'JPY');
      await page.fill('#amount', '100');
      await page.click(`text=${button}`);
      await arrived(page, /\/payouts\/[\da-f-]{36}\?done=/);
      expect(await page.textContent('.order-amount')).toContain(`100 JPY${status}`);
    }
  });

  it('asks once when somebody clicks twice, without a script too', async () => {
    const { page } = await open(owner, `${base}/new`, { javaScriptEnabled: false });
    await page.fill('#amount', '1.50');
    await page.dblclick('text=Request payout');
    await arrived(page, /done=asked/);
    expect(await count(app, 'payouts', 'amount = 150', [])).toBe(1);
  });
});
