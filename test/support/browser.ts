import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response,
} from 'playwright-core';
import type { PageState } from '../../src/payment-page/page.model.js';
import { PAYMENT_ATTEMPTS_MAX } from '../../src/database/payments/payment.entity.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import type { TestApp } from './app.js';
import { Bank } from './bank.js';
import type { Client, OrderJson } from './client.js';
import { until } from './race.js';
import { awaitTransfer } from './transfers.js';
import { chargedBack } from './returns.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const EVERY_RULE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those whose outcome another theme can change: each run takes as long as loading many pages. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

const THEMES = [
  ['light', EVERY_RULE],
  ['dark', RULES_OF_COLOURS],
] as const;

const axeRun = (rules: readonly string[]): string => `axe
  .run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
  .then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;

/** A payer goes back to the shop; nothing else may lead out of the service. */
const SHOP = 'https://shop.example';

export const CHROMIUM_PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM_PATH,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/**
 * Waits until a page is at an address, and loaded. Playwright's own `waitForURL` gives up when a
 * navigation is aborted, which is what a second click does to that of the first.
 */
export async function arrived(page: Page, at: RegExp): Promise<void> {
  await until(`the page is at ${at}`, async () => at.test(page.url()));
  await page.waitForLoadState();
}

/** A folder for pictures, for whoever wants to look at the pages. */
const SHOTS = process.env['SHOTS'];

interface Viewport {
  readonly width: number;
  readonly height: number;
}

interface Load {
  readonly type: string;
  readonly url: string;
  readonly status: number;
  readonly body: Buffer;
  /** Bytes of the body as it was sent. */
  readonly sent: number;
}

async function loadOf(response: Response): Promise<Load> {
  const request = response.request();
  const body = await response.body().catch(() => Buffer.alloc(0));
  const { responseBodySize: sent } = await request.sizes().catch(() => ({ responseBodySize: 0 }));
  const [type, url, status] = [request.resourceType(), response.url(), response.status()];
  return { type, url, status, body, sent };
}

/** One payer's browser window, which notes everything that a payer's browser would complain about. */
export class Visitor {
  /** Complaints of the browser, dialogs, and requests to another host. */
  readonly faults: string[] = [];
  private readonly loading: Promise<Load>[] = [];

  private constructor(
    readonly page: Page,
    private readonly home: string,
  ) {}

  static async in(
    browser: Browser,
    home: string,
    options: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
    context.setDefaultTimeout(10_000);
    const visitor = new Visitor(await context.newPage(), home);
    await visitor.listen();
    return visitor;
  }

  /** One more tab of the same browser. */
  async tab(): Promise<Visitor> {
    const visitor = new Visitor(await this.page.context().newPage(), this.home);
    await visitor.listen();
    return visitor;
  }

  /** Lets the shop answer. Not before it is needed: a browser with such a rule caches nothing. */
  async openShop(): Promise<void> {
    await this.page.route(`${SHOP}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Shop</title>' }),
    );
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  /** Everything loaded since the last call; an event stream never ends, so it is not among it. */
  async loads(): Promise<Load[]> {
    await this.page.waitForLoadState('load');
    return Promise.all(this.loading.splice(0));
  }

  /** Rules that the page breaks, with the elements that do. */
  async axe(rules: readonly string[] = EVERY_RULE): Promise<string[]> {
    // Through the debugger: the page's own policy lets no other script in.
    if (!(await this.page.evaluate('"axe" in window'))) await this.page.evaluate(AXE);
    return this.page.evaluate(axeRun(rules));
  }

  /** CSS pixels by which the page is wider than the window. */
  overflow(): Promise<number> {
    const root = 'document.documentElement';
    return this.page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`);
  }

  /**
   * What is wrong in any theme and at any of the widths, with the place. With `SHOTS`, a folder, each
   * is also kept as a picture under `name`.
   */
  async flaws(viewports: readonly Viewport[], name = 'page'): Promise<string[]> {
    const flaws: string[] = [];
    for (const viewport of viewports) {
      await this.page.setViewportSize(viewport);
      for (const [colorScheme, rules] of THEMES) {
        await this.page.emulateMedia({ colorScheme });
        const found = await this.axe(rules);
        if ((await this.overflow()) > 0) found.push('scrolls sideways');
        const place = `${viewport.width} ${colorScheme}`;
        flaws.push(...found.map((flaw) => `${place}: ${flaw}`));
        if (SHOTS) await this.shoot(`${name} ${place}`);
      }
    }
    return flaws;
  }

  private async shoot(name: string): Promise<void> {
    const path = `${SHOTS}/${name.replaceAll(/\W+/g, '-')}.png`;
    await this.page.screenshot({ path, fullPage: true });
  }

  private async listen(): Promise<void> {
    const { page, faults, home } = this;
    page.on('pageerror', (error) => void faults.push(`error: ${error.message}`));
    page.on('crash', () => void faults.push('crash'));
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) faults.push(`console: ${message.text()}`);
    });
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch((error: unknown) => faults.push(String(error)));
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${home}/`) && !url.startsWith(`${SHOP}/`) && !url.startsWith('data:'))
        faults.push(`request: ${url}`);
    });
    page.on('response', (response) => {
      const type = response.request().resourceType();
      if (type === 'eventsource' || response.status() === 303) return;
      this.loading.push(loadOf(response));
    });
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) =>
         console.error('policy', event.violatedDirective, event.blockedURI))`,
    );
  }
}

type Fields = Record<string, unknown>;
type MakeState = (app: TestApp, shop: Client, fields?: Fields) => Promise<OrderJson>;

const EXPIRY = { expiresInMinutes: 5 };

const answered =
  (answer: Fields): MakeState =>
  async (_app, shop, fields) => {
    const { txid } = await shop.order(fields);
    return (await shop.pay(txid, answer)).body;
  };

/** The time of the orders that have five minutes is over. */
async function expire(app: TestApp): Promise<void> {
  app.clock.advance(EXPIRY.expiresInMinutes * 60_000);
  await app.get(Sweeper).run();
}

/** The bank books an order's payment although nobody waits for it any more. */
async function bookLate(app: TestApp, shop: Client, order: OrderJson): Promise<void> {
  const bank = await Bank.of(app, shop);
  await bank.send(bank.message(order, String(order.payment?.['id']), 'booked'));
  await bank.settled();
}

/** Every state of the payment page, brought about as in life. */
export const PAGE_STATES: Readonly<Record<PageState, MakeState>> = {
  open: (_app, shop, fields) => shop.order(fields),
  processing: answered({ outcome: 'pending' }),
  awaiting_transfer: async (app, shop, fields) => {
    const order = await shop.order(fields);
    await awaitTransfer(app, order);
    return order;
  },
  unknown: answered({ outcome: 'unknown' }),
  paid: answered({ outcome: 'paid' }),
  overpaid: answered({ outcome: 'paid', amount: 10_000 }),
  underpaid: answered({ outcome: 'paid', amount: 5_000 }),
  declined: answered({ outcome: 'declined' }),
  failed: async (_app, shop, fields) => {
    const order = await shop.order(fields);
    for (let i = 0; i < PAYMENT_ATTEMPTS_MAX; i++)
      await shop.pay(order.txid, { outcome: 'declined' });
    return order;
  },
  cancelled: async (_app, shop, fields) =>
    (await shop.cancel((await shop.order(fields)).txid)).body,
  expired: async (app, shop, fields) => {
    const order = await shop.order({ ...fields, ...EXPIRY });
    await expire(app);
    return order;
  },
  charged_back: async (app, shop, fields) => {
    const order = await shop.order(fields);
    await awaitTransfer(app, order);
    await chargedBack(app, shop, order);
    return order;
  },
  paid_late: async (app, shop, fields) => {
    const order = await PAGE_STATES.processing(app, shop, { ...fields, ...EXPIRY });
    await expire(app);
    await bookLate(app, shop, order);
    return order;
  },
};
