import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { LOCALES } from '../src/common/locale.js';
import { MerchantsService } from '../src/merchants/merchants.service.js';
import { MESSAGES } from '../src/payment-page/messages.js';
import { TestApp } from './support/app.js';
import { camtFile } from './support/bank-file.js';
import { credited } from './support/bank-lines.js';
import { openBrowser, Visitor } from './support/browser.js';
import type { Client, OrderJson } from './support/client.js';
import { onPostgres } from './support/database.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { readPicture, type ReadCode } from './support/qr-reader.js';
import { until } from './support/race.js';
import { awaitingTransfer, awaitTransfer, offerTransfers } from './support/transfers.js';

const PAGE_BYTES_MAX = 20_000;
/** From the moment at which the money is booked until the payer sees it. */
const NEWS_MS_MAX = 3_000;
const PHONE = { width: 390, height: 844 };
const SMALLEST = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 1024 };
const LARGE_TEXT = `document.documentElement.style.fontSize = '200%'`;

const withAnother = onPostgres(it, 'the embedded database belongs to one process');

/** Paints a picture, and tells its pixels. On a page of its own: that of the payer lets no picture in. */
const PIXELS = `async (png) => {
  const picture = new Image();
  picture.src = 'data:image/png;base64,' + png;
  await picture.decode();
  const { width, height } = picture;
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, pixels: new Uint8Array(data.buffer).toBase64() };
}`;

describe('the payment page of a transfer in a browser', () => {
  let browser: Browser;
  let app: TestApp;
  let shop: Client;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([openBrowser(), TestApp.start()]);
    const { id } = await app.get(MerchantsService).create({ name: 'Nordlicht Store' });
    shop = await app.key(id);
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

  async function visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const made = await Visitor.in(browser, app.url, options);
    visitors.push(made);
    return made;
  }

  /** A payer who has the page of an order open that waits for a transfer. */
  async function payerOf(order: OrderJson, options: BrowserContextOptions = {}): Promise<Visitor> {
    const payer = await visitor(options);
    await payer.page.goto(order.paymentPageUrl);
    return payer;
  }

  async function awaiting(): Promise<OrderJson & { readonly reference: string }> {
    const order = await shop.order({ description: 'Wool blanket, dark green' });
    return { ...order, ...(await awaitTransfer(app, order)) };
  }

  const inState = (page: Page, state: string) =>
    page.waitForSelector(`main[data-state^="${state}."]`);

  it.each(LOCALES)('everybody can use it in %s, in any theme, with large text', async (lang) => {
    const order = await awaiting();
    const payer = await visitor();
    const { page } = payer;
    await page.goto(`${order.paymentPageUrl}?lang=${lang}`);
    const loads = await payer.loads();
    expect(loads.map(({ type }) => type).sort()).toEqual(['document', 'script', 'stylesheet']);
    expect(loads.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(PAGE_BYTES_MAX);
    await page.click('.another summary');
    expect(await payer.flaws([SMALLEST, DESKTOP], `transfer ${lang}`)).toEqual([]);
    await page.evaluate(LARGE_TEXT);
    expect(await payer.flaws([PHONE, DESKTOP], `transfer ${lang} large`)).toEqual([]);
  });

  it('everybody can use it when a part has come', async () => {
    const order = await awaiting();
    await credited(app, shop, order, 5_000);
    const payer = await payerOf(order);
    await payer.page.click('.another summary');
    expect(await payer.flaws([SMALLEST, DESKTOP], 'part of a transfer')).toEqual([]);
  });

  describe('its code', () => {
    /** As a camera sees it. */
    async function codeOn(page: Page): Promise<ReadCode | null> {
      const png = await page.locator('.qr').screenshot();
      const blank = await page.context().newPage();
      const call = `(${PIXELS})(${JSON.stringify(png.toString('base64'))})`;
      const { width, pixels } = (await blank.evaluate(call)) as {
        readonly width: number;
        readonly pixels: string;
      };
      await blank.close();
      return readPicture(new Uint8ClampedArray(Buffer.from(pixels, 'base64')), width);
    }

    it.each<[string, BrowserContextOptions]>([
      ['on a desktop', { viewport: DESKTOP }],
      ['on a phone in the dark', { viewport: PHONE, deviceScaleFactor: 2, colorScheme: 'dark' }],
      ['from the right to the left', { viewport: PHONE, locale: 'ar' }],
      [
        'without a script, with forced colours',
        { javaScriptEnabled: false, forcedColors: 'active' },
      ],
    ])('is read from the screen %s', async (_, options) => {
      const order = await awaiting();
      const { page } = await payerOf(order, options);
      const code = await codeOn(page);
      expect(code?.text).toMatch(new RegExp(`\\nEUR89\\.90\\n\\n${order.reference}$`));
    });
  });

  describe('the buttons', () => {
    it('copy each value bare, and say so', async () => {
      const order = await awaiting();
      const { page } = await payerOf(order, { permissions: ['clipboard-read', 'clipboard-write'] });
      const copied: unknown[] = [];
      for (const button of await page.locator('[data-copy]').all()) {
        await button.click();
        await button.and(page.locator('.copied')).waitFor();
        copied.push(await page.evaluate('navigator.clipboard.readText()'));
      }
      const account = ['Nordlicht Payments GmbH', 'DE02120300000000202051', 'BYLADEM1001'];
      expect(copied.slice(0, -1)).toEqual([...account, '89.90', order.reference]);
      expect(copied.at(-1)).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(await page.textContent('#news')).toBe('Copied');
      await page.locator('.copied').first().waitFor({ state: 'detached' });
      expect(await page.locator('[data-copy]').allTextContents()).toEqual(
        copied.map(() => MESSAGES.en.transfer.copy),
      );
    });

    it('have names that tell what they copy', async () => {
      const { page } = await payerOf(await awaiting());
      for (const name of ['Copy Recipient', 'Copy IBAN', 'Copy Amount', 'Copy Reference'])
        expect(await page.getByRole('button', { name, exact: true }).isVisible()).toBe(true);
    });

    it('mark the value where the browser lets nobody copy', async () => {
      const order = await awaiting();
      const { page } = await payerOf(order);
      await page.evaluate(
        `navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))`,
      );
      await page.getByRole('button', { name: 'Copy IBAN' }).click();
      await until('the IBAN is marked', async () => {
        return (await page.evaluate('String(getSelection())')) === 'DE02 1203 0000 0000 2020 51';
      });
    });

    it('are not there without a script, and all else is', async () => {
      const order = await awaiting();
      const { page } = await payerOf(order, { javaScriptEnabled: false });
      expect(await page.locator('[data-copy]').count()).toBeGreaterThan(0);
      expect(await page.locator('[data-copy]:visible').count()).toBe(0);
      expect(await page.isVisible('.qr')).toBe(true);
      await page.click('.another summary');
      expect(await page.isVisible('.another form')).toBe(true);
    });
  });

  describe('live', () => {
    it('shows a part, then that all of it is there, and copies go on', async () => {
      const order = await awaiting();
      const { page } = await payerOf(order);
      await credited(app, shop, order, 5_000);
      await inState(page, 'underpaid');
      expect(await page.isVisible('.qr')).toBe(true);
      expect(await page.getAttribute('[aria-labelledby$=" amount"]', 'data-copy')).toBe('39.90');
      expect(await page.locator('[data-copy]:visible').count()).toBe(6);
      await credited(app, shop, order, 3_990);
      await inState(page, 'paid');
      expect(await page.locator('[data-copy], .qr').count()).toBe(0);
    });

    withAnother('shows within 3 s what another process books', async () => {
      const other = await TestApp.start({ database: app.database });
      other.clock.set(app.clock.now());
      try {
        const times: number[] = [];
        for (let round = 1; round <= 5; round++) {
          const order = await awaiting();
          const { page } = await payerOf(order);
          const paid = credited(other, shop, order, 8_990).then(() => performance.now());
          const shown = inState(page, 'paid').then(() => performance.now());
          times.push((await shown) - (await paid));
        }
        expect(Math.max(...times)).toBeLessThan(NEWS_MS_MAX);
      } finally {
        await other.stop();
      }
    });
  });

  withAnother('shows within 3 s of a file that the command line imports that it paid', async () => {
    const real = await TestApp.start({ realTime: true });
    const folder = temporaryFolder();
    const payer = await Visitor.in(browser, real.url);
    try {
      const { account } = await offerTransfers(real);
      const order = await awaitingTransfer(await real.merchant());
      await payer.page.goto(order.paymentPageUrl);
      const reference = await payer.page.getAttribute(
        '[aria-labelledby$=" reference"]',
        'data-copy',
      );
      const day = new Date().toISOString().slice(0, 10);
      const entries = [{ amount: order.amount, text: `Order ${reference}`, acctSvcrRef: 'A1' }];
      writeFileSync(`${folder}/a.xml`, camtFile('053', { account, day, entries }));
      const shown = inState(payer.page, 'paid').then(() => performance.now());
      const args = ['statement', 'import', `${folder}/a.xml`, '--mode', 'test', '--json'];
      const env = { DATABASE_URL: real.database.url };
      const { code, out } = await new Program('cli/cli.js', args, env, folder).result;
      const imported = performance.now();
      expect([code, out]).toEqual([0, expect.stringContaining('"matched":1')]);
      expect((await shown) - imported).toBeLessThan(NEWS_MS_MAX);
    } finally {
      await payer.close();
      await real.stop();
      removeFolder(folder);
    }
  });

  it('prints what is needed at the bank, and nothing else', async () => {
    const { page } = await payerOf(await awaiting());
    await page.emulateMedia({ media: 'print' });
    for (const shown of ['.qr', 'dl', '.amount', '.merchant'])
      expect(await page.isVisible(shown)).toBe(true);
    for (const hidden of ['[data-copy]', '.steps', '.another', 'footer'])
      expect(await page.locator(`${hidden}:visible`).count()).toBe(0);
  });
});
