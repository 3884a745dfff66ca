import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { TestApp } from './support/app.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { Client } from './support/client.js';
import { select } from './support/facts.js';
import { linkTo } from './support/links.js';
import { MailServer } from './support/mail-server.js';
import { codeOf, PASSWORD, person, type Person, signedIn, withTotp } from './support/people.js';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1360, height: 1000 };
const FRESH = 'nine quiet tin drums';

describe('somebody’s first day in the portal', () => {
  let server: MailServer;
  let browser: Browser;
  let app: TestApp;
  let shop: Client;
  let owner: Person & { readonly totp: string };
  let base: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    server = await MailServer.start();
    [browser, app] = await Promise.all([
      openBrowser(),
      TestApp.start({ env: { SMTP_URL: server.url } }),
    ]);
    shop = await app.merchant({ name: 'Nordlicht Store' });
    base = `/portal/m/${shop.merchantId}/test`;
    owner = await withTotp(app, await person(app, 'owner', shop.merchantId));
    await shop.order({ orderMerchantId: 'OPEN-1' });
    await shop.pay((await shop.order({ orderMerchantId: 'PAID-1' })).txid, {
      outcome: 'paid',
      payerAccountName: 'Erika Mustermann',
      payerAccountNumber: 'DE89370400440532013000',
    });
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

  async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await Visitor.in(browser, app.url, { viewport: DESKTOP, ...options });
    visitors.push(visitor);
    await visitor.page.goto(app.url + path);
    return visitor;
  }

  async function invite(email: string): Promise<string> {
    const team = `${base}/team`;
    const by = await signedIn(app, owner);
    await by.fill(team, { email, role: 'finance' }, `${team}/invitations`);
    return linkTo(app, server, email);
  }

  async function join(page: Page): Promise<void> {
    await page.fill('[name=name]', 'Mara Vogt');
    await page.fill('[name=fresh]', FRESH);
    await page.fill('[name=again]', FRESH);
    await page.click('button:has-text("Join the team")');
    await page.waitForURL(`**${base}`);
  }

  /** @returns the secret of the authenticator app */
  async function setUpApp(page: Page): Promise<string> {
    await page.goto(`${app.url}/portal/security/second-factor`);
    const secret = (await page.inputValue('[name=secret]'))!;
    await page.fill('[name=proof]', FRESH);
    await page.fill('[name=code]', await codeOf(app, secret));
    await page.click('button:has-text("Confirm")');
    expect(await page.locator('.codes li').count()).toBe(10);
    return secret;
  }

  async function signInAgain(page: Page, email: string, secret: string): Promise<void> {
    await page.context().clearCookies();
    await page.goto(`${app.url}${base}/orders`);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', FRESH);
    await page.click('main button');
    await giveCode(page, secret);
    await page.goto(`${app.url}${base}/orders`);
  }

  async function giveCode(page: Page, secret: string): Promise<void> {
    await page.waitForURL('**/portal/sign-in/code*');
    app.clock.advance(30_000);
    await page.fill('[name=code]', await codeOf(app, secret));
    await page.click('main button');
    await page.waitForURL((url) => !url.pathname.includes('sign-in'));
  }

  async function lookUpPayer(page: Page): Promise<void> {
    await page.click('.chip:has-text("Paid")');
    expect(await page.locator('[data-row]').allTextContents()).toEqual(['PAID-1']);
    await page.click('[data-row]');
    await page.waitForURL(/orders\/[0-9a-f-]{36}$/);
    expect(await page.textContent('main')).not.toContain('Erika Mustermann');
    await page.click('form[action$="/payer"] button');
    expect(await page.textContent('main')).toContain('Erika Mustermann');
  }

  async function download(page: Page): Promise<Record<string, string>[]> {
    await page.goto(`${app.url}${base}/orders?status=paid`);
    await page.click('a:has-text("Download CSV")');
    await page.check('[value=machine]');
    const coming = page.waitForEvent('download');
    await page.click('main button:has-text("Download CSV")');
    const file = await (await coming).path();
    return parse(await readFile(file, 'utf8'), { columns: true });
  }

  it.each([
    ['with a script', {}],
    ['without one', { javaScriptEnabled: false }],
  ])('goes from the invitation to the download, %s', async (how, options) => {
    const email = `mara-${how.length}@people.example`;
    const { page } = await visit(await invite(email), options);
    await join(page);
    const secret = await setUpApp(page);
    await signInAgain(page, email, secret);
    await lookUpPayer(page);
    const rows = await download(page);
    expect(rows).toMatchObject([
      { order_merchant_id: 'PAID-1', payer_account_name: 'Erika Mustermann', amount: '89.90' },
    ]);
    const actions = await select<{ action: string }>(
      app,
      `SELECT action FROM audit_entries a JOIN users u ON u.id = a.user_id
       WHERE u.email = $1 ORDER BY a.id`,
      [email],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'invitation.accepted',
      'second-factor.set-up',
      'sign-in',
      'payer.revealed',
      'orders.exported',
    ]);
  });

  it('shows support a payer only when asked to, and writes that down', async () => {
    const support = await withTotp(app, await person(app, 'support'));
    const { page } = await visit('/portal/sign-in');
    await page.fill('[name=email]', support.email);
    await page.fill('[name=password]', PASSWORD);
    await page.click('main button');
    await giveCode(page, support.totp);
    const [order] = await select<{ txid: string }>(
      app,
      `SELECT txid FROM orders WHERE order_merchant_id = 'PAID-1'`,
    );
    await page.goto(`${app.url}${base}/orders/${order!.txid}`);
    expect(await page.textContent('main')).not.toContain('DE89370400440532013000');
    await page.click('form[action$="/payer"] button');
    expect(await page.textContent('main')).toMatch(/DE89\s?3704\s?0044\s?0532\s?0130\s?00/);
    const entries = await select(
      app,
      `SELECT 1 FROM audit_entries WHERE action = 'payer.revealed' AND user_id = $1`,
      [support.id],
    );
    expect(entries).toHaveLength(1);
  });

  describe('the pages of people', () => {
    it('can be used by everybody before anybody has signed in', async () => {
      const link = await invite('guest@people.example');
      for (const path of ['/portal/sign-in', '/portal/reset', link]) {
        expect([path, await (await visit(path)).flaws([PHONE, DESKTOP])]).toEqual([path, []]);
      }
    });

    it('can be used by everybody who has', async () => {
      const visitor = await visit('/portal/sign-in');
      const { page } = visitor;
      await page.fill('[name=email]', owner.email);
      await page.fill('[name=password]', PASSWORD);
      await page.click('main button');
      await giveCode(page, owner.totp);
      const own = ['/portal/security', '/portal/security/second-factor'];
      for (const path of [...own, `${base}/team`, `${base}/audit`]) {
        await page.goto(app.url + path);
        expect([path, await visitor.flaws([PHONE, DESKTOP])]).toEqual([path, []]);
      }
    });
  });
});
