import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { LOCALE_FACTS, LOCALES } from '../src/common/locale.js';
import { Database } from '../src/database/database.js';
import { MerchantsService, type NewMerchant } from '../src/merchants/merchants.service.js';
import { MESSAGES } from '../src/payment-page/messages.js';
import type { PageState } from '../src/payment-page/page.model.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { TestApp } from './support/app.js';
import { arrived, openBrowser, PAGE_STATES, Visitor } from './support/browser.js';
import type { Client, OrderJson } from './support/client.js';
import { onPostgres } from './support/database.js';

const PAGE_BYTES_MAX = 20_000;
const NEWS_MS_MAX = 1_000;
const MINUTE_MS = 60_000;
const PHONE = { width: 320, height: 256 };
const DESKTOP = { width: 1280, height: 1024 };
const VIEWPORTS = [PHONE, DESKTOP];
const SHOP = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
const WITHOUT_SCRIPT = { javaScriptEnabled: false };

/** Marks that would turn the text around them are not shown. */
const seen = (text: string): string => text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');

/** In English the sentence starts with the merchant's name. */
const NAME_STANDS_BEFORE_THE_REST = `(() => {
  const name = document.querySelector('.next bdi');
  const rest = document.createRange();
  rest.selectNodeContents(name.nextSibling);
  const [end, start] = [[...name.getClientRects()].at(-1), rest.getClientRects()[0]];
  return start.left >= end.right - 1 || start.top >= end.bottom - 1;
})()`;

const STATES = Object.keys(PAGE_STATES) as PageState[];
const withAnother = onPostgres(it, 'the embedded database belongs to one process');

describe('the payment page in a browser', () => {
  let browser: Browser;
  let app: TestApp;
  let shop: Client;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([openBrowser(), TestApp.start()]);
    shop = await shopOf({ name: 'Nordlicht Store', contactUrl: 'mailto:help@nordlicht.example' });
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

  async function shopOf(merchant: NewMerchant): Promise<Client> {
    const { id } = await app.get(MerchantsService).create(merchant);
    return app.key(id);
  }

  async function visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const made = await Visitor.in(browser, app.url, options);
    visitors.push(made);
    return made;
  }

  /** A payer who has the order's page open. */
  async function payerOf(order: OrderJson, options: BrowserContextOptions = {}): Promise<Visitor> {
    const payer = await visitor(options);
    await payer.page.goto(order.paymentPageUrl);
    return payer;
  }

  async function paymentsOf({ txid }: OrderJson): Promise<number> {
    const text = 'SELECT count(*)::int AS n FROM payments WHERE txid = $1';
    const [row] = await app.get(Database).query<{ n: number }>({ name: 'n', text }, [txid]);
    return row?.n ?? 0;
  }

  it.each(STATES)(
    '%s: loads little, and everybody can use it at up to 400 %% zoom',
    async (state) => {
      const order = await PAGE_STATES[state](app, shop, { description: 'Wool blanket', ...SHOP });
      const payer = await visitor();
      for (const lang of ['ar', 'en']) {
        await payer.page.goto(`${order.paymentPageUrl}?stay&lang=${lang}`);
        await inState(payer.page, state);
        expect(bytesOf(await payer.loads())).toBeLessThan(PAGE_BYTES_MAX);
        expect(await payer.flaws(VIEWPORTS)).toEqual([]);
      }
    },
  );

  /** Bytes of a page and the two things it needs, as sent. */
  function bytesOf(loads: Awaited<ReturnType<Visitor['loads']>>): number {
    expect(loads.map(({ type }) => type).sort()).toEqual(['document', 'script', 'stylesheet']);
    return loads.reduce((sum, { sent }) => sum + sent, 0);
  }

  it('is accessible at the bank, after its answer, and where nothing is', async () => {
    const payer = await payerOf(await shop.order());
    await pay(payer.page);
    const bankUrl = payer.page.url();
    await payer.page.click('summary');
    await payer.page.check('[value=pending]');
    expect(await payer.flaws(VIEWPORTS)).toEqual([]);
    await answer(payer.page, 'paid');
    await payer.page.goto(bankUrl);
    expect(await payer.page.textContent('h1')).toBe('The bank has already answered');
    expect(await payer.flaws(VIEWPORTS)).toEqual([]);

    const response = await payer.page.goto(`${app.url}/pay/${'x'.repeat(32)}`);
    expect(response?.status()).toBe(404);
    expect(await payer.flaws(VIEWPORTS)).toEqual([]);
    expect(payer.faults.splice(0)).toEqual([expect.stringContaining('404')]);
  });

  describe('without a script', () => {
    it.each([
      ['paid', 'paid'],
      ['declined', 'declined'],
      ['cancelled', 'declined'],
    ] as const)('the bank answers %s', async (outcome, state) => {
      const { page } = await payerOf(await shop.order(SHOP), WITHOUT_SCRIPT);
      await pay(page);
      await answer(page, outcome);
      await inState(page, state);
      expect(await page.isVisible('#left')).toBe(false);
    });

    it('pays at the second attempt, and goes back to the shop', async () => {
      const order = await shop.order(SHOP);
      const payer = await payerOf(order, WITHOUT_SCRIPT);
      const { page } = payer;
      await pay(page);
      await answer(page, 'declined');
      await pay(page);
      await answer(page, 'paid');
      await inState(page, 'paid');
      expect((await shop.read(order.txid)).body.status).toBe('paid');
      await payer.openShop();
      await page.click('a.button');
      expect(page.url()).toBe(toldIn(SHOP.returnUrl, order, 'paid'));
    });

    it('cancels after a question', async () => {
      const order = await shop.order(SHOP);
      const payer = await payerOf(order, WITHOUT_SCRIPT);
      const { page } = payer;
      expect(await page.isVisible('.cancel button')).toBe(false);
      await page.click('.cancel summary');
      await page.click('.cancel button');
      await inState(page, 'cancelled');
      expect((await shop.read(order.txid)).body.statusReason).toBe('by_payer');
      await payer.openShop();
      await page.click('a.button');
      expect(page.url()).toBe(toldIn(SHOP.cancelUrl, order, 'cancelled'));
    });

    it('waits for a late answer by loading again', async () => {
      const { page } = await payerOf(await shop.order(), WITHOUT_SCRIPT);
      await pay(page);
      await answer(page, 'pending');
      await inState(page, 'processing');
      app.clock.advance(10_000);
      await app.get(SandboxCallbacksService).sendDue();
      await inState(page, 'paid');
    });
  });

  describe('live', () => {
    it('shows a change within a second', async () => {
      expect(await slowestNews(shop)).toBeLessThan(NEWS_MS_MAX);
    });

    withAnother('shows a change made by another process within a second', async () => {
      const other = await TestApp.start({ database: app.database });
      other.clock.set(app.clock.now());
      try {
        expect(await slowestNews(shop.at(other.url))).toBeLessThan(NEWS_MS_MAX);
      } finally {
        await other.stop();
      }
    });

    /** Milliseconds from the answer to the change until the payer sees it: the worst of ten rounds. */
    async function slowestNews(changer: Client): Promise<number> {
      const { page } = await visitor();
      const times: number[] = [];
      for (let round = 1; round <= 10; round++) {
        const order = await shop.order();
        await page.goto(order.paymentPageUrl);
        const [changed, shown] = await Promise.all([
          pays(changer, order).then(() => performance.now()),
          inState(page, 'paid').then(() => performance.now()),
        ]);
        times.push(shown - changed);
      }
      return Math.max(...times);
    }

    async function pays(changer: Client, { txid }: OrderJson): Promise<void> {
      const { status, text } = await changer.pay(txid);
      if (status !== 200) throw new Error(text);
    }

    it('puts the focus on the heading, says what happened, and names the tab after it', async () => {
      const order = await shop.order();
      const { page } = await payerOf(order);
      await shop.pay(order.txid, { outcome: 'declined' });
      await inState(page, 'declined');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
      expect(await page.textContent('[role=status]')).toBe(
        'The bank refused the payment. No money was taken.',
      );
      expect(await page.title()).toBe('! The payment did not go through – Nordlicht Store');
    });

    it('expires by itself', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      app.clock.advance(5 * MINUTE_MS - 1_500);
      const { page } = await payerOf(order);
      expect(await page.textContent('[role=timer]')).toMatch(/^0:0[01]$/);
      await page.waitForSelector('#left', { state: 'hidden' });
      app.clock.advance(1_500);
      await app.get(Sweeper).run();
      await inState(page, 'expired');
      expect(await page.isVisible('.button')).toBe(false);
    });

    it('counts by the server’s clock, in the payer’s time zone', async () => {
      const order = await shop.order();
      const payer = await visitor({ timezoneId: 'Asia/Kolkata' });
      await payer.page.clock.install({ time: new Date('2031-05-05T05:05:05Z') });
      await payer.page.goto(order.paymentPageUrl);
      expect(await payer.page.textContent('[role=timer]')).toMatch(/^(1:00:00|59:5\d)$/);
      const there = { timeZone: 'Asia/Kolkata', hour: '2-digit', minute: '2-digit' } as const;
      const deadline = new Date(String(order['expiresAt'])).toLocaleString('en-GB', there);
      expect(await payer.page.textContent('time')).toBe(deadline);

      await payer.page.clock.fastForward('55:30');
      expect(await payer.page.textContent('[role=timer]')).toMatch(/^4:[23]\d$/);
      expect(await payer.page.textContent('[role=status]')).toBe(MESSAGES.en.fiveMinutes);
    });

    it('tells the day of a deadline that is far away, and counts nothing', async () => {
      const { page } = await payerOf(await shop.order({ expiresInMinutes: 3 * 24 * 60 }));
      expect(await page.textContent('time')).toMatch(/^January \d/);
      expect(await page.isVisible('[role=timer]')).toBe(false);
    });
  });

  describe('one payment at a time', () => {
    it('a double click starts one payment', async () => {
      const order = await shop.order();
      const { page } = await payerOf(order);
      await page.dblclick('form button', { delay: 5 });
      await arrived(page, /\/sandbox-bank\//);
      await answer(page, 'paid');
      await inState(page, 'paid');
      expect(await paymentsOf(order)).toBe(1);
    });

    it('a second tab follows the first, and cannot pay on its own', async () => {
      const order = await shop.order();
      const first = await payerOf(order);
      const second = await first.tab();
      visitors.push(second);
      await second.page.goto(order.paymentPageUrl);
      await pay(first.page);
      await inState(second.page, 'processing');
      await second.page.click('a.button');
      expect(second.page.url()).toBe(first.page.url());
      await answer(second.page, 'paid');
      await inState(second.page, 'paid');
      expect(await paymentsOf(order)).toBe(1);
    });

    it('a second tab without a script is shown how things stand', async () => {
      const order = await shop.order();
      const first = await payerOf(order, WITHOUT_SCRIPT);
      const { page } = await payerOf(order, WITHOUT_SCRIPT);
      await pay(first.page);
      await page.click('form button');
      await inState(page, 'processing');
      expect(page.url()).toBe(order.paymentPageUrl);
      expect(await paymentsOf(order)).toBe(1);
    });

    it('going back after paying offers nothing to pay', async () => {
      const order = await shop.order();
      const { page } = await payerOf(order);
      await pay(page);
      await answer(page, 'paid');
      await inState(page, 'paid');
      await page.goBack();
      expect(await page.textContent('h1')).toBe('The bank has already answered');
      await page.goBack();
      await inState(page, 'paid');
      expect(await page.locator('form[action$=start]').count()).toBe(0);
    });
  });

  describe('languages', () => {
    it('are complete, and run in their own direction', async () => {
      const order = await shop.order(SHOP);
      const payer = await visitor({ viewport: PHONE });
      const { page } = payer;
      for (const locale of LOCALES) {
        await page.goto(`${order.paymentPageUrl}?lang=${locale}`);
        const { dir } = LOCALE_FACTS[locale];
        expect(await page.locator(`html[lang=${locale}][dir=${dir}]`).count()).toBe(1);
        const texts = await page
          .locator('h1, p:not(#news), button, a, li, summary')
          .allTextContents();
        expect(texts.filter((text) => !/^[^{}]+$/.test(text))).toEqual([]);
        const words = await page.textContent('body');
        expect(words).not.toMatch(/\bundefined\b|\bnull\b|\bNaN\b|\[object/);
        expect(await payer.overflow()).toBe(0);
      }
    });

    it('keeps the one that the payer chooses, also in what arrives live', async () => {
      const order = await shop.order({ locale: 'fr' });
      const { page } = await payerOf(order);
      expect(await page.textContent('h1')).toBe(MESSAGES.fr.states.open.title);
      await page.click('.language summary');
      await page.click('.language [hreflang=he]');
      expect(await page.textContent('h1')).toBe(MESSAGES.he.states.open.title);
      await page.goto(order.paymentPageUrl);
      await shop.pay(order.txid);
      await inState(page, 'paid');
      expect(await page.textContent('h1')).toBe(MESSAGES.he.states.paid.title);
    });
  });

  describe('input', () => {
    it('needs no mouse', async () => {
      // There is one way to pay dollars here, and so no choice.
      const { page } = await payerOf(await shop.order({ currency: 'USD' }));
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await press('Tab');
      expect(await page.textContent(':focus')).toMatch(/^Pay/);
      const outline = 'getComputedStyle(document.activeElement).outlineStyle';
      expect(await page.evaluate(outline)).toBe('solid');
      await press('Enter');
      await arrived(page, /\/sandbox-bank\//);
      await press('Tab', 'ArrowDown', 'ArrowDown');
      expect(await page.inputValue(':focus')).toBe('declined');
      await press('Tab', 'Tab', 'Enter');
      await inState(page, 'declined');
      await press('Tab', 'Tab', 'Enter', 'Tab', 'Enter');
      await inState(page, 'cancelled');
    });

    it('leaves only for the order’s own shop, and does not say where from', async () => {
      const order = await shop.order(SHOP);
      await shop.pay(order.txid);
      const payer = await visitor();
      const { page } = payer;
      const evil = encodeURIComponent('https://evil.example/');
      await page.goto(`${order.paymentPageUrl}?returnUrl=${evil}&next=${evil}&cancelUrl=${evil}`);
      const links = await page.evaluate('[...document.links].map((link) => link.origin)');
      expect([...new Set(links as string[])].sort()).toEqual(
        ['null', app.url, 'https://shop.example'].sort(),
      );
      await payer.openShop();
      const left = toldIn(SHOP.returnUrl, order, 'paid');
      const leaving = page.waitForRequest(left);
      await page.click('a.button');
      expect((await leaving).headers()).not.toHaveProperty('referer');
      expect(page.url()).toBe(left);
    });

    it.each([
      ['a script', `</title></bdi><script>window.ran=1</script><img src=x onerror=window.ran=1>`],
      ['quotes', `"'\`><svg/onload=window.ran=1> {amount} {{7*7}} \${ran=1} &lt;b&gt;`],
      [
        'direction marks',
        `\u202etxet desrever \u2067\u2067\u202d end\u2069\u2069\u2069\u2069\u202e`,
      ],
      ['one long word', 'W'.repeat(140)],
      ['emoji', '👨‍👩‍👧‍👦🏳️‍🌈e\u0301\u0321'.repeat(8)],
    ])('shows %s as text and keeps its shape', async (_what, text) => {
      const hostile = await shopOf({
        name: text,
        logoUrl: '//evil.example/logo.png',
        contactUrl: 'javascript:window.ran=1',
      });
      const order = await hostile.order({
        orderMerchantId: `${'A'.repeat(50)}/../${Math.random()}`.slice(0, 64),
        description: text
          .repeat(255 / text.length + 1)
          .slice(0, 255)
          .toWellFormed(),
        customer: { name: text.slice(0, 140), email: "o'hara@shop.example" },
        amount: 99_999_999_999,
        currency: 'KWD',
        returnUrl: `https://shop.example/?a='onclick=window.ran=1//&b=%22%3E%3Cscript%3E`,
      });
      const payer = await payerOf(order, { viewport: PHONE });
      const { page } = payer;
      expect(await page.textContent('.name')).toBe(seen(text));
      expect(await page.textContent('.about')).toBe(seen(String(order['description'])));
      expect(await page.textContent('body')).not.toContain('shop.example');
      // One line: a number that breaks in two would be another number.
      const { height } = (await page.locator('.amount').boundingBox()) ?? { height: NaN };
      expect(height).toBeLessThan(40);
      expect(await payer.overflow()).toBe(0);
      await pay(page);
      expect(await page.textContent('.order')).toContain(seen(text));
      expect(await payer.overflow()).toBe(0);
      await answer(page, 'paid');
      await inState(page, 'paid');
      expect(await payer.overflow()).toBe(0);
      expect(await page.evaluate(NAME_STANDS_BEFORE_THE_REST)).toBe(true);
      expect(await page.locator('script, img, svg [onload]').count()).toBe(1);
      expect(await page.evaluate('window.ran')).toBeUndefined();
    });
  });

  describe('takes the payer back to the shop', () => {
    const END_MS = 20_000;
    const atShop = (page: Page) => page.waitForURL(/shop\.example/, { timeout: END_MS });

    it.each(['paid', 'overpaid', 'failed', 'cancelled', 'expired'] as const)(
      'a moment after it is %s, once',
      async (state) => {
        const order = await PAGE_STATES[state](app, shop, SHOP);
        const payer = await visitor();
        const { page } = payer;
        await payer.openShop();
        await page.clock.install({ time: 0 });
        await page.clock.pauseAt(1_000);
        await page.goto(order.paymentPageUrl);
        expect(seen((await page.textContent('#leaving'))!)).toContain('Nordlicht Store in 8 s');
        await page.clock.runFor(3_000);
        expect(await page.textContent('#leaving [role=timer]')).toBe('5');
        await page.clock.runFor(5_000);
        await atShop(page);
        const { status } = (await shop.read(order.txid)).body;
        const from = ['paid', 'overpaid'].includes(state) ? SHOP.returnUrl : SHOP.cancelUrl;
        expect(page.url()).toBe(toldIn(from, order, status));

        await page.goBack();
        await inState(page, state);
        expect(page.url()).toBe(order.paymentPageUrl);
        expect(await page.locator('#leaving').count()).toBe(0);
        expect(await page.isVisible('#back')).toBe(true);
      },
    );

    it('with words that everybody can read', async () => {
      const order = await PAGE_STATES.paid(app, shop, SHOP);
      const payer = await visitor();
      // An answer without content leaves the page where it is.
      await payer.page.route(/shop\.example/, (route) => route.fulfill({ status: 204 }));
      await payer.page.goto(order.paymentPageUrl);
      expect(await payer.page.isVisible('#leaving')).toBe(true);
      expect(await payer.flaws(VIEWPORTS)).toEqual([]);
      expect(payer.page.url()).toBe(order.paymentPageUrl);
    });

    it('when the news comes while the page is open, from one of two tabs', async () => {
      const order = await shop.order(SHOP);
      const payer = await payerOf(order);
      await payer.openShop();
      await shop.pay(order.txid);
      await inState(payer.page, 'paid');
      const second = await payer.page.context().newPage();
      await second.goto(order.paymentPageUrl);
      expect(await second.locator('#leaving').count()).toBe(0);
      await atShop(payer.page);
      expect(second.url()).toBe(order.paymentPageUrl);
    });

    it.each([{}, WITHOUT_SCRIPT])('unless the payer wants to stay, %j', async (options) => {
      const order = await PAGE_STATES.paid(app, shop, SHOP);
      const { page } = await payerOf(order, options);
      await page.click('#leaving a');
      expect(page.url()).toBe(`${order.paymentPageUrl}?stay`);
      expect(await page.locator('#leaving, meta[http-equiv=refresh]').count()).toBe(0);
    });

    it('without a script, and not again', async () => {
      const order = await PAGE_STATES.paid(app, shop, SHOP);
      const payer = await visitor(WITHOUT_SCRIPT);
      await payer.openShop();
      await payer.page.goto(order.paymentPageUrl);
      await atShop(payer.page);
      expect(payer.page.url()).toBe(toldIn(SHOP.returnUrl, order, 'paid'));
      await payer.page.goBack();
      await inState(payer.page, 'paid');
      expect(await payer.page.content()).not.toContain('http-equiv="refresh"');
    });

    it.each(['open', 'processing', 'unknown', 'declined', 'underpaid', 'paid_late'] as const)(
      'not while there is something to do or to read: %s',
      async (state) => {
        const order = await PAGE_STATES[state](app, shop, SHOP);
        const { page } = await payerOf(order);
        await inState(page, state);
        expect(await page.locator('#leaving').count()).toBe(0);
      },
    );

    it('not where the shop gave no address, nor long after the end', async () => {
      const nowhere = await PAGE_STATES.paid(app, shop);
      const { page } = await payerOf(nowhere);
      await inState(page, 'paid');
      expect(await page.locator('#leaving, #back').count()).toBe(0);
      const old = await PAGE_STATES.paid(app, shop, SHOP);
      app.clock.advance(10 * MINUTE_MS);
      await page.goto(old.paymentPageUrl);
      expect(await page.locator('#leaving').count()).toBe(0);
      expect(await page.isVisible('#back')).toBe(true);
    });
  });

  it('honours forced colours and the wish for less motion', async () => {
    const order = await PAGE_STATES.processing(app, shop);
    const payer = await payerOf(order);
    const { page } = payer;
    const moving = () => page.evaluate('document.getAnimations().length');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await moving()).toBe(1);
    await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' });
    expect(await moving()).toBe(0);
    expect(await payer.axe()).toEqual([]);
    const border = 'getComputedStyle(document.querySelector(".button")).borderTopStyle';
    expect(await page.evaluate(border)).toBe('solid');
  });
});

/** The shop's address with what it is told of the order. */
const toldIn = (url: string, { orderMerchantId, txid }: OrderJson, status: string): string =>
  `${url}?${String(new URLSearchParams({ orderMerchantId, txid, status }))}`;

const inState = (page: Page, state: PageState) =>
  page.waitForSelector(`main[data-state^="${state}."]`);

/** To the bank, from the payment page. */
async function pay(page: Page): Promise<void> {
  await page.click('form[action$=start] button');
  await arrived(page, /\/sandbox-bank\//);
}

/** Back from the bank. */
async function answer(page: Page, outcome: string): Promise<void> {
  await page.check(`[value=${outcome}]`);
  await page.click('form .button');
  await arrived(page, /\/pay\//);
}
