import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { BankAccountsService, WAIT_MS } from '../src/payouts/bank-accounts.service.js';
import { PayoutSchedulesService } from '../src/payouts/payout-schedules.service.js';
import { TestApp } from './support/app.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { FormBrowser } from './support/browser-form.js';
import { IBANS, noticed } from './support/payouts.js';
import { person, type Person, signedIn, withTotp } from './support/people.js';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1360, height: 1000 };

describe('bank accounts and automatic payouts in a browser', () => {
  let browser: Browser;
  let app: TestApp;
  let base: string;
  let empty: string;
  let owner: Person;
  let session: FormBrowser;
  let waiting: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([openBrowser(), TestApp.start()]);
    const shop = await app.merchant({ name: 'Nordlicht Store' });
    const other = await app.merchant({ name: 'Café Zitrone' });
    base = `/portal/m/${shop.merchantId}/test`;
    empty = `/portal/m/${other.merchantId}/test`;
    owner = await withTotp(app, await person(app, 'owner', shop.merchantId));
    waiting = await filled(shop.merchantId);
    // The code of the sign-in is too old for a confirmation.
    session = await signedIn(app, owner);
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

  /** An account in each state, and a schedule for two of them. */
  async function filled(merchantId: string): Promise<string> {
    const scope = { merchantId, mode: 'test' } as const;
    const accounts = app.get(BankAccountsService);
    const add = (iban: string, holder = 'Nordlicht Store GmbH') =>
      accounts.add(scope, { holder, iban }, owner.id);
    const inUse = await add(IBANS[0]);
    const untold = await add(IBANS[2]);
    for (const { id } of [inUse!, untold!]) await accounts.confirm(scope, id, owner.id);
    await noticed(app, inUse!.id);
    app.clock.advance(WAIT_MS);
    const soon = await add(IBANS[1]);
    await accounts.confirm(scope, soon!.id, owner.id);
    await noticed(app, soon!.id);
    const next = await add(
      IBANS[3],
      'Ein Name, der so lang ist, wie ihn die Banken eben noch nehmen',
    );
    const schedules = app.get(PayoutSchedulesService);
    const [daily, weekly] = [
      { frequency: 'daily', day: null },
      { frequency: 'weekly', day: 1 },
    ] as const;
    const eur = { currency: 'EUR', minimumAmount: 5_000, bankAccountId: inUse!.id, ...weekly };
    const jpy = { currency: 'JPY', minimumAmount: 1_000, bankAccountId: soon!.id, ...daily };
    const author = { userId: owner.id, timeZone: 'UTC' };
    for (const wish of [eur, jpy]) await schedules.save(scope, wish, author);
    return next!.id;
  }

  async function open(path: string, whose = session): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url);
    visitors.push(visitor);
    const cookie = { name: 'portal', value: whose.cookie()!, url: app.url };
    await visitor.page.context().addCookies([cookie]);
    const reply = await visitor.page.goto(`${app.url}${path}`);
    expect(reply?.status()).toBe(200);
    return visitor;
  }

  it.each([
    'bank-accounts',
    'bank-accounts?done=confirmed',
    'bank-accounts/new',
    'bank-accounts/WAITING/confirm',
    'bank-accounts/WAITING/remove',
    'payout-schedule',
    'payout-schedule?currency=JPY',
  ])('%s can be used by everybody', async (page) => {
    const visitor = await open(`${base}/${page.replace('WAITING', waiting)}`);
    expect(await visitor.flaws([PHONE, DESKTOP], page)).toEqual([]);
  });

  it.each(['bank-accounts', 'payout-schedule'])('%s without any, too', async (page) => {
    const newcomer = await person(app, 'owner', empty.split('/')[3]);
    const visitor = await open(`${empty}/${page}`, await signedIn(app, newcomer));
    expect(await visitor.flaws([PHONE, DESKTOP], `${page}-empty`)).toEqual([]);
  });

  it.each([
    ['bank-accounts/new', { holder: '', iban: 'DE88 3704 0044 0532 0130 00' }],
    ['bank-accounts/WAITING/confirm', { code: '000000' }],
    ['payout-schedule', { minimum: '1.000' }],
  ])('%s says what is wrong to everybody', async (page, fields) => {
    const { page: tab, faults } = await open(`${base}/${page.replace('WAITING', waiting)}`);
    for (const [name, value] of Object.entries(fields)) await tab.fill(`#${name}`, value);
    const form = '.form-card form[method=post]';
    await tab.evaluate(`document.querySelector('${form}').noValidate = true`);
    await tab.click(`${form} .btn-primary`);
    await tab.waitForSelector('[role=alert]');
    expect(await visitors.at(-1)!.flaws([PHONE, DESKTOP], `${page}-wrong`)).toEqual([]);
    // The browser itself notes that the answer was 422.
    faults.splice(0);
  });

  it('asks for the day that the rhythm needs', async () => {
    const { page } = await open(`${base}/payout-schedule`);
    const shown = async () => [await page.isVisible('#weekday'), await page.isVisible('#monthDay')];
    expect(await shown()).toEqual([true, false]);
    await page.check('[value=monthly]');
    expect(await shown()).toEqual([false, true]);
    await page.check('[value=daily]');
    expect(await shown()).toEqual([false, false]);
  });
});
