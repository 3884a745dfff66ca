import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  COUNT_MAX,
  OrderListRepository,
} from '../src/database/read-models/order-list/order-list.repository.js';
import { ExportWorker } from '../src/exports/export-worker.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { AT_ONCE_MAX } from '../src/portal/exports/export-pages.service.js';
import { NO_FILTER } from '../src/portal/order-list/order-filter.js';
import { PAGE_ROWS } from '../src/portal/order-list/order-list.service.js';
import { TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import type { Client, OrderJson } from './support/client.js';
import { rowsIn, writeOrders } from './support/exports.js';
import { select, withoutTriggers } from './support/facts.js';
import { hrefOf, linksOf, rowsOf, textOf } from './support/markup.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person, type Person, signedIn, withTotp } from './support/people.js';
import { until } from './support/race.js';

const PAYER = { account: 'DE89370400440532013000', name: 'Erika Mustermann' };
const CUSTOMER = { name: 'Li Wei', email: 'li@mail.example' };

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ env: PAYS });
});
afterAll(() => app.stop());

/** A shop with an owner who has signed in. */
async function openShop(name = 'Nordlicht') {
  const shop = await app.merchant({ name });
  const browser = await signedIn(app, await person(app, 'owner', shop.merchantId));
  return { shop, browser, base: `/portal/m/${shop.merchantId}/test` };
}

/** Somebody else of the shop, signed in with a second factor where the role needs one. */
async function colleague(
  role: Parameters<typeof person>[1],
  merchantId?: string,
): Promise<FormBrowser> {
  const somebody: Person = await person(app, role, merchantId);
  const isTrusted = role === 'owner' || role === 'finance' || role === 'support';
  return signedIn(app, isTrusted ? await withTotp(app, somebody) : somebody);
}

const idsOf = (html: string): string[] => rowsOf(html).map(({ txid }) => txid!);

async function list(browser: FormBrowser, address: string): Promise<string[]> {
  const { status, html } = await browser.get(address);
  expect(status).toBe(200);
  return idsOf(html);
}

/** Names and addresses of the visitor's views. */
const viewsIn = (html: string): [string, string][] =>
  [
    ...(/<ul class="view-list">[^]*?<\/ul>/.exec(html)?.[0] ?? '').matchAll(
      /href="([^"]+)"[^>]*><bdi>([^<]*)/g,
    ),
  ].map(([, href, name]) => [name!, href!.replaceAll('&amp;', '&')]);

/** What a list to choose from offers. */
function chosenIn(html: string, name: string): { choices: string[]; chosen?: string } {
  const list = new RegExp(`<select[^>]* name="${name}"[^]*?</select>`).exec(html)![0];
  const chosen = /<option selected[^>]*>([^<]*)|<option[^>]* selected[^>]*>([^<]*)/.exec(list);
  const choices = [...list.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text!);
  return { choices, ...(chosen ? { chosen: (chosen[1] ?? chosen[2])! } : {}) };
}

const auditOf = (action: string) =>
  select<{ subject: string | null; merchant_id: string | null; data: Record<string, unknown> }>(
    app,
    'SELECT subject, merchant_id, data FROM audit_entries WHERE action = $1 ORDER BY id',
    [action],
  );

const paid = async (shop: Client, overrides: Record<string, unknown> = {}): Promise<OrderJson> => {
  const order = await shop.order({ customer: CUSTOMER, ...overrides });
  await shop.pay(order.txid, {
    payerAccountNumber: PAYER.account,
    payerAccountName: PAYER.name,
  });
  return order;
};

describe('the list of orders', () => {
  it('shows an order with its money and its payer', async () => {
    app.clock.set(new Date('2026-11-20T13:21:07.500Z'));
    const { shop, browser, base } = await openShop();
    await select(app, `UPDATE merchants SET time_zone = 'Europe/Berlin' WHERE id = $1`, [
      shop.merchantId,
    ]);
    const order = await paid(shop, { amount: 124_900, orderMerchantId: 'INV-20418' });
    const { html } = await browser.get(`${base}/orders`);
    expect(textOf(html)).toContain('Times in Europe/Berlin (UTC+01:00)');
    expect(textOf(html)).toContain('1 order');
    expect(hrefOf(html, 'Clear filters')).toBeUndefined();
    expect(html).toContain('title="2026-11-20 13:21:07 UTC"');
    expect(hrefOf(html, 'INV-20418')).toBe(`${base}/orders/${order.txid}`);
    expect(rowsOf(html)).toEqual([
      {
        created: '20 Nov 2026 14:21:07',
        order: 'INV-20418',
        txid: order.txid,
        status: 'Paid',
        amount: '1,249.00 EUR',
        provider: 'sandbox',
        'payer account': 'DE89 3704 0044 0532 0130 00',
        payer: PAYER.name,
        customer: `${CUSTOMER.name} ${CUSTOMER.email}`,
        payout: '—',
      },
    ]);
  });

  it('shows which payout pays an order, to those who see payouts', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    const { shop } = cashier;
    const base = `/portal/m/${shop.merchantId}/test`;
    const orders = [await paidOrder(shop, 1_000), await paidOrder(shop, 500)];
    const waiting = await cashier.request(1_200);
    const finance = await colleague('finance', shop.merchantId);
    const { html } = await finance.get(`${base}/orders`);
    const short = `…${waiting.id.slice(-8)}`;
    expect(rowsOf(html).map(({ payout }) => payout)).toEqual(
      orders.map(() => `${short} Pending approval`),
    );
    expect(hrefOf(html, short)).toBe(`${base}/payouts/${waiting.id}`);

    const rest = await cashier.request(300);
    const paid = async (query: string) =>
      (await list(finance, `${base}/orders?${query}`)).toSorted();
    const both = orders.map(({ txid }) => txid).toSorted();
    expect(await paid(`payout=${waiting.id}`)).toEqual(both);
    expect(await paid(`payout=${rest.id}`)).toEqual([orders[1]!.txid]);
    expect(await paid(`payout=${rest.id}&status=open`)).toEqual([]);
    const filtered = await finance.get(`${base}/orders?payout=${rest.id}`);
    expect(textOf(filtered.html)).toContain('1 order');
    expect(textOf(filtered.html)).toContain(`payout …${rest.id.slice(-8)}`);
    const file = hrefOf(filtered.html, 'Download CSV')!;
    expect(file).toBe(`${base}/orders/download?payout=${rest.id}`);
    expect(textOf((await finance.get(file)).html)).toContain('EUR 1 5.00 EUR');
    const csv = await finance.get(`${base}/orders/download.csv?payout=${rest.id}&file=machine`);
    expect(rowsIn(Buffer.from(csv.html))).toMatchObject([{ payout_id: rest.id }]);

    await cashier.approve(waiting);
    const { id: fileId } = await cashier.export();
    await app.get(PayoutFilesService).submitted(fileId);
    await app.get(PayoutFilesService).paid(fileId);
    const [newest, oldest] = rowsOf((await finance.get(`${base}/orders`)).html);
    expect([newest!.payout, oldest!.payout]).toEqual([
      `…${rest.id.slice(-8)} Pending approval`,
      short,
    ]);

    const developer = await colleague('developer', shop.merchantId);
    const shown = await developer.get(`${base}/orders?payout=${rest.id}`);
    expect(rowsOf(shown.html)).toHaveLength(2);
    expect(textOf(shown.html)).toContain('Your role does not see payouts.');
    expect(shown.html).not.toContain(`/payouts/`);
    expect(rowsOf(shown.html)[0]).not.toHaveProperty('payout');
  });

  it('tells what is out of the ordinary', async () => {
    const { shop, browser, base } = await openShop();
    const { txid } = await shop.order({ amount: 10_000, currency: 'KWD' });
    await shop.pay(txid, { amount: 5_000 });
    const [row] = rowsOf((await browser.get(`${base}/orders`)).html);
    expect(row!.status).toMatch(/Underpaid 5\.000 received$/);
    await select(app, 'UPDATE orders SET amount_refunded = 1500 WHERE txid = $1', [txid]);
    const [refunded] = rowsOf((await browser.get(`${base}/orders`)).html);
    expect(refunded!.status).toMatch(/5\.000 received 1\.500 refunded$/);
  });

  it.each([
    ['owner', 'test', 'full'],
    ['finance', 'live', 'full'],
    ['viewer', 'live', 'masked'],
    ['viewer', 'test', 'masked'],
    ['developer', 'test', 'full'],
    ['developer', 'live', 'none'],
    ['support', 'live', 'masked'],
  ] as const)('shows %s in %s mode payers %s', async (role, mode, sight) => {
    const shop = await app.merchant();
    const { txid } = await paid(shop);
    // The sandbox bank is there in test mode only.
    await withoutTriggers(app, 'UPDATE orders SET mode = $2 WHERE txid = $1', [txid, mode]);
    const browser = await colleague(role, shop.merchantId);
    const { html } = await browser.get(`/portal/m/${shop.merchantId}/${mode}/orders`);
    const [row] = rowsOf(html);
    const seen = [row!['payer account'], row!.payer, row!.customer];
    const expected = {
      full: ['DE89 3704 0044 0532 0130 00', PAYER.name, `${CUSTOMER.name} ${CUSTOMER.email}`],
      masked: ['DE•••• 3000', 'E. M.', 'L. W. l••••@mail.example'],
      none: ['hidden', 'hidden', 'hidden hidden'],
    };
    expect(seen).toEqual(expected[sight]);
    if (sight !== 'full') expect(html).not.toMatch(/Mustermann|0532|Wei|li@mail/);
  });

  it.each([
    ['owner', 'test', [true, true, true, true, true, true]],
    ['viewer', 'test', [false, false, true, false, true, true]],
    ['support', 'live', [false, false, true, false, true, true]],
    ['developer', 'live', [false, false, false, false, false, true]],
  ] as const)('finds %s in %s mode nobody by more than is shown', async (role, mode, found) => {
    const shop = await app.merchant();
    const order = await paid(shop);
    // A second order, so that no search leads straight to the first.
    const other = await paid(shop, { amount: 7 });
    await withoutTriggers(app, 'UPDATE orders SET mode = $2 WHERE merchant_id = $1', [
      shop.merchantId,
      mode,
    ]);
    const browser = await colleague(role, shop.merchantId);
    const base = `/portal/m/${shop.merchantId}/${mode}/orders`;
    const searches = ['Erika', PAYER.name, '3000', PAYER.account, CUSTOMER.email, '89.90'];
    const results = [];
    for (const q of searches) {
      const address = `${base}?${new URLSearchParams({ q })}`;
      const { html } = await browser.get(address);
      results.push(idsOf(html).includes(order.txid));
      expect(textOf(html)).toContain(idsOf(html).length === 1 ? '1 order' : 'orders');
    }
    expect(results).toEqual(found);
    const nothing = await browser.get(`${base}?q=nobody&status=paid`);
    expect(textOf(nothing.html)).toContain(
      { owner: 'beginning of the payer’s name', developer: 'cannot be searched' }[role as string] ??
        'the last four characters',
    );
    if (role === 'support') {
      const file = `${base}/download.csv?file=machine&q=Erika`;
      expect(rowsIn(Buffer.from((await browser.get(file)).html))).toEqual([]);
    }
    expect(other.txid).not.toBe(order.txid);
  });

  it('shows texts of others as texts', async () => {
    const { shop, browser, base } = await openShop('<b>Shop</b>');
    const evil = `<script>alert(1)</script>"'&`;
    const { txid } = await shop.order({ customer: { name: evil } });
    await shop.pay(txid, { payerAccountNumber: '<u>42', payerAccountName: evil });
    const set = 'UPDATE orders SET order_merchant_id = $2, customer_email = $3 WHERE txid = $1';
    await select(app, set, [txid, evil, '<i>@mail.example']);
    const { html } = await browser.get(`${base}/orders`);
    expect(rowsOf(html)[0]).toMatchObject({ order: evil, payer: evil });
    expect(html).not.toMatch(/<script>alert|<i>|<u>|<b>Shop/);
    const parameters = ['q', 'from', 'to', 'currency', 'amountFrom', 'provider', 'field', 'status'];
    for (const name of [
      ...parameters,
      'payout',
      'older',
      'newer',
      'preset',
      'basis',
      'exception',
    ]) {
      const query = new URLSearchParams({ [name]: `${evil}=x` });
      const page = await browser.get(`${base}/orders?${query}`);
      expect([name, page.status]).toEqual([name, 200]);
      expect(page.html).not.toContain('<script>alert');
    }
    const file = await browser.get(`${base}/orders/download?${new URLSearchParams({ q: evil })}`);
    expect(file.html).not.toContain('<script>alert');
  });

  it('is there for nobody else', async () => {
    const { base } = await openShop();
    const { browser: stranger } = await openShop();
    for (const page of ['orders', 'orders/download', 'orders/download.csv', 'exports']) {
      expect((await stranger.get(`${base}/${page}`)).status).toBe(404);
      expect((await stranger.get(`/portal/all/test/${page}`)).status).toBe(403);
    }
    const operator = await colleague('operator');
    expect((await operator.get(`${base}/orders`)).status).toBe(404);
    expect((await operator.get('/portal/all/test/orders')).status).toBe(403);
  });
});

describe('filters', () => {
  it('show on the page what the repository finds', async () => {
    const { shop, base } = await openShop();
    for (let n = 0; n < 6; n++) {
      const currency = n % 2 === 0 ? 'EUR' : 'JPY';
      const order = await shop.order({ currency, amount: 1000 + n, optionalFields: { n: `${n}` } });
      if (n % 3 === 0) await shop.pay(order.txid, n === 3 ? { amount: 5 } : {});
      app.clock.advance(86_400_000);
    }
    const browser = await colleague('owner', shop.merchantId);
    const scope = { merchantId: shop.merchantId, mode: 'test' } as const;
    const found = async (filter: object): Promise<string[]> => {
      const window = { cursor: null, direction: 'older', limit: 100 } as const;
      const all = { ...NO_FILTER, payerSight: 'full' as const, ...filter };
      const { rows } = await app.get(OrderListRepository).page(scope, all, window);
      return rows.map(({ txid }) => txid);
    };
    const cases: [string, object][] = [
      ['', {}],
      ['status=paid', { statuses: ['paid'] }],
      ['status=open,processing', { statuses: ['open', 'processing'] }],
      ['currency=jpy&amountFrom=1003', { currency: 'JPY', amountFrom: 1003 }],
      ['currency=EUR&amountTo=10.02', { currency: 'EUR', amountTo: 1002 }],
      ['provider=sandbox', { provider: 'sandbox' }],
      ['exception=only', { exception: 'only' }],
      ['exception=underpaid', { exception: 'underpaid' }],
      ['field=n%3D4', { field: { name: 'n', value: '4' } }],
      ['q=10.04', { search: '10.04' }],
      ['basis=paid', { basis: 'paid' }],
    ];
    const sizes = new Set<number>();
    for (const [query, filter] of cases) {
      const expected = await found(filter);
      sizes.add(expected.length);
      expect([query, await list(browser, `${base}/orders?${query}`)]).toEqual([query, expected]);
    }
    expect(sizes.size).toBeGreaterThan(2);
  });

  it('are kept by every link, and by the form', async () => {
    const { shop, browser, base } = await openShop();
    await shop.order();
    const query = 'preset=90d&status=open&currency=EUR&amountFrom=1.00&q=89.90';
    const { html } = await browser.get(`${base}/orders?${query}`);
    const chips = linksOf(html, 'chip').map((href) => new URLSearchParams(href.split('?')[1]));
    expect(chips.map((link) => link.get('status'))).toEqual([
      null,
      'open',
      'processing',
      'paid',
      'failed',
      'cancelled',
      'expired',
    ]);
    for (const link of chips) {
      expect(Object.fromEntries(link)).toMatchObject({
        preset: '90d',
        currency: 'EUR',
        q: '89.90',
      });
    }
    expect(hrefOf(html, 'Download CSV')).toBe(`${base}/orders/download?${query}`);
    expect(hrefOf(html, 'Clear filters')).toBe(`${base}/orders`);
    for (const field of [
      'name="status" value="open"',
      'name="preset" value="90d"',
      'name="amountFrom" value="1.00"',
    ]) {
      expect(html.replace(/type="\w+" /g, '')).toContain(field);
    }
    expect(html).toMatch(/name="q" form="filters" value="89.90"/);
    expect(chosenIn(html, 'currency')).toEqual({ choices: ['Any', 'EUR'], chosen: 'EUR' });
  });

  it('offer what there is, and keep what a link asks for', async () => {
    const { shop, browser, base } = await openShop();
    await shop.order({ currency: 'JPY' });
    await paid(shop, { currency: 'KWD' });
    await (await app.merchant()).order({ currency: 'USD' });
    const { html } = await browser.get(`${base}/orders?provider=bank-transfer`);
    expect(chosenIn(html, 'currency')).toEqual({ choices: ['Any', 'JPY', 'KWD'] });
    expect(chosenIn(html, 'provider')).toEqual({
      choices: ['Any', 'bank-transfer', 'sandbox'],
      chosen: 'bank-transfer',
    });
  });

  it('leave a tidy address when a form was sent', async () => {
    const { shop, browser, base } = await openShop();
    await shop.order();
    const sent = 'status=&preset=7d&from=2026-01-02&to=&basis=created&currency=&q=+x+&field=';
    const reply = await browser.get(`${base}/orders?${sent}`);
    expect([reply.status, reply.location]).toEqual([303, `${base}/orders?from=2026-01-02&q=+x+`]);
    expect((await browser.get(reply.location!)).status).toBe(200);
  });

  it('say beside a value what is wrong with it, and show the rest', async () => {
    const { shop, browser, base } = await openShop();
    const { txid } = await shop.order();
    const { html } = await browser.get(`${base}/orders?status=open&amountFrom=ten&from=2026-13-01`);
    expect(idsOf(html)).toEqual([txid]);
    expect(textOf(html)).toContain('Some filters were ignored');
    expect(html).toMatch(/id="filter-from-problem">This must be a day/);
    expect(html).toMatch(/id="filter-amountFrom-problem">An amount needs a currency/);
    expect(html).toMatch(/value="ten"[^>]*aria-invalid="true"/);
  });

  it('count what they show, and of each status what they would', async () => {
    const { shop, browser, base } = await openShop();
    await shop.order();
    await shop.order();
    await paid(shop);
    const { html } = await browser.get(`${base}/orders?status=open`);
    expect(textOf(html)).toMatch(/2 orders/);
    expect(textOf(html)).toMatch(/All 3 Open 2 Processing 0 Paid 1 Failed 0/);
  });

  it('leave statuses uncounted where so many orders fit that it would take long', async () => {
    const { shop, browser, base } = await openShop();
    await writeOrders(app, shop, COUNT_MAX + 1);
    await shop.cancel((await shop.order()).txid);
    const chipsOf = async (query: string): Promise<string> => {
      const { html } = await browser.get(`${base}/orders?${query}`);
      return textOf(/<ul class="chips">.*?<\/ul>/s.exec(html)![0]);
    };
    const days = '10,000+ Open 10,000+ Processing 0 Paid 0 Failed 0 Cancelled 1 Expired 0';
    expect(await chipsOf('')).toBe(`All ${days}`);
    const names = 'All 10,000+ Open Processing Paid Failed Cancelled Expired';
    expect(await chipsOf('currency=EUR')).toBe(names);
    expect(await chipsOf('currency=EUR&status=cancelled')).toBe(
      names.replace('Cancelled', 'Cancelled 1'),
    );
    const few = await chipsOf('currency=EUR&amountTo=2');
    expect(few).toBe('All 200 Open 200 Processing 0 Paid 0 Failed 0 Cancelled 0 Expired 0');
  });

  it('lead straight to the one order whose id is searched for', async () => {
    const { shop, browser, base } = await openShop();
    const order = await shop.order({ orderMerchantId: `find-me-${Date.now()}` });
    await shop.order();
    for (const q of [order.txid, order.txid.toUpperCase(), order.orderMerchantId]) {
      const reply = await browser.get(`${base}/orders?q=${q}`);
      expect([q, reply.status, reply.location]).toEqual([q, 303, `${base}/orders/${order.txid}`]);
    }
    const { shop: other } = await openShop();
    const foreign = await other.order();
    expect((await browser.get(`${base}/orders?q=${foreign.txid}`)).status).toBe(200);
    expect((await browser.get(`${base}/orders?q=89.90`)).status).toBe(200);
  });
});

describe('pages', () => {
  it('go through all orders once, older and newer, whatever arrives', async () => {
    const { shop, browser, base } = await openShop();
    await writeOrders(app, shop, 2 * PAGE_ROWS + 3);
    const seen: string[][] = [];
    let address: string | undefined = `${base}/orders?status=open`;
    while (address) {
      const { html } = await browser.get(address);
      seen.push(idsOf(html));
      expect(textOf(html)).toMatch(/5\d orders/);
      if (seen.length === 1) {
        app.clock.advance(1000);
        await shop.order();
      }
      address = hrefOf(html, 'Older');
      if (address) expect(address).toContain('status=open');
    }
    expect(seen.map(({ length }) => length)).toEqual([PAGE_ROWS, PAGE_ROWS, 3]);
    expect(new Set(seen.flat()).size).toBe(2 * PAGE_ROWS + 3);
    const last = await browser.get(`${base}/orders?status=open`);
    const second = await browser.get(hrefOf(last.html, 'Older')!);
    const back = await browser.get(hrefOf(second.html, 'Newer')!);
    expect(idsOf(back.html)).toEqual(idsOf(last.html));
    expect(hrefOf(back.html, 'Newer')).toBeUndefined();
  });

  it('say what to do where there is no order, or none that fits', async () => {
    const { shop, browser, base } = await openShop();
    const first = await browser.get(`${base}/orders?status=paid`);
    expect(textOf(first.html)).toContain('No orders yet');
    expect(hrefOf(first.html, 'API keys', 'main')).toBe(`${base}/keys`);
    expect(textOf(first.html)).toContain(`curl ${app.url}/api/order`);
    const viewer = await colleague('viewer', shop.merchantId);
    const shown = await viewer.get(`${base}/orders`);
    expect(hrefOf(shown.html, 'API keys', 'main')).toBeUndefined();
    await shop.order();
    const none = await browser.get(`${base}/orders?status=paid&preset=today`);
    expect(textOf(none.html)).toContain('No matching orders');
    const main = none.html.slice(none.html.indexOf('class="nothing"'));
    expect(hrefOf(main, 'Clear filters')).toBe(`${base}/orders`);
    expect(hrefOf(main, 'Show the last 90 days')).toBe(`${base}/orders?preset=90d&status=paid`);
  });
});

describe('support', () => {
  it('sees orders of all merchants, and each look is written down', async () => {
    const { shop, base } = await openShop('Shop one');
    const { shop: other } = await openShop('Shop two');
    const orders = [await shop.order(), await other.order()];
    const support = await colleague('support');
    const before = (await auditOf('orders.listed')).length;
    const { html } = await support.get('/portal/all/test/orders?status=open&q=89.90');
    const rows = rowsOf(html).filter(({ txid }) => orders.some((order) => order.txid === txid));
    expect(rows.map(({ merchant }) => merchant).toSorted()).toEqual(['Shop one', 'Shop two']);
    expect(hrefOf(html, orders[0]!.orderMerchantId)).toBe(`${base}/orders/${orders[0]!.txid}`);
    expect(textOf(html)).toContain('Times in UTC');
    await support.get(`${base}/orders`);
    const looks = (await auditOf('orders.listed')).slice(before);
    expect(looks).toEqual([
      {
        subject: null,
        merchant_id: null,
        data: { mode: 'test', filter: 'status=open', searched: true },
      },
      {
        subject: null,
        merchant_id: shop.merchantId,
        data: { mode: 'test', filter: '', searched: false },
      },
    ]);
  });

  it('needs a second factor, and a mode that there is', async () => {
    const password = await signedIn(app, await person(app, 'support'));
    for (const mode of ['live', 'test']) {
      const { location } = await password.get(`/portal/all/${mode}/orders`);
      expect(location).toBe('/portal/security?needed=platform');
    }
    const support = await colleague('support');
    expect((await support.get('/portal/all/live/orders')).status).toBe(200);
    expect((await support.get('/portal/all/best/orders')).status).toBe(404);
  });
});

describe('a download', () => {
  it('holds what the list shows, and is written down', async () => {
    const { shop, browser, base } = await openShop();
    const wanted = [await paid(shop, { amount: 124_900 }), await paid(shop)];
    await shop.order();
    const { html } = await browser.get(`${base}/orders/download?status=paid`);
    expect(textOf(html)).toContain('2 orders');
    const money = '1,338.90 EUR 1,338.90 EUR 0.00 EUR 0.00 EUR 1,338.90 EUR';
    expect(textOf(html)).toContain(`EUR 2 ${money}`);
    const file = await browser.get(`${base}/orders/download.csv?status=paid&file=machine`);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-test-.+\.csv"$/,
    );
    expect(file.headers.get('cache-control')).toBe('no-store');
    expect(file.headers.get('content-security-policy')).toContain("default-src 'none'");
    const rows = rowsIn(Buffer.from(file.html));
    expect(rows.map(({ txid }) => txid)).toEqual(await list(browser, `${base}/orders?status=paid`));
    expect(rows.map(({ txid }) => txid)).toEqual(wanted.map(({ txid }) => txid).toReversed());
    expect(rows[0]).toMatchObject({ payer_account_name: PAYER.name });
    expect((await auditOf('orders.exported')).at(-1)).toMatchObject({
      merchant_id: shop.merchantId,
      data: { mode: 'test', filter: 'status=paid', preset: 'machine', searched: false },
    });
  });

  it('has the columns and the style that were chosen', async () => {
    const { shop, browser, base } = await openShop();
    await paid(shop, { optionalFields: { colour: 'red' } });
    const chosen = 'columns=chosen&column=amount&column=currency&fields=colour,+size';
    const file = await browser.get(`${base}/orders/download.csv?${chosen}&file=excel&language=de`);
    expect(file.html.split('\r\n').slice(0, 2)).toEqual([
      'amount;currency;field.colour;field.size',
      '89,90;EUR;red;',
    ]);
    const none = await browser.get(`${base}/orders/download.csv?columns=chosen&column=secret`);
    expect([none.status, none.headers.get('content-disposition')]).toEqual([400, null]);
  });

  it.each(['viewer', 'developer'] as const)('is not for %s', async (role) => {
    const { shop, base } = await openShop();
    await shop.order();
    const browser = await colleague(role, shop.merchantId);
    const { html } = await browser.get(`${base}/orders`);
    expect(html).not.toContain('Download');
    for (const page of ['orders/download', 'orders/download.csv', 'exports']) {
      expect((await browser.get(`${base}/${page}`)).status).toBe(403);
    }
    expect((await browser.fill(`${base}/orders`, {}, `${base}/exports`)).status).toBe(403);
  });

  it('hides payers from support, also across merchants', async () => {
    const { shop, base } = await openShop('Hidden payers');
    const { txid } = await paid(shop);
    const support = await colleague('support');
    for (const at of [base, '/portal/all/test']) {
      const { html } = await support.get(`${at}/orders/download.csv?file=machine`);
      expect(html).not.toContain(PAYER.name);
      const row = rowsIn(Buffer.from(html)).find((each) => each['txid'] === txid);
      expect(row!['payer_account_number']).toBe('DE•••• 3000');
      expect(row!['merchant']).toBe(at === base ? undefined : 'Hidden payers');
    }
  });
});

describe('days that no order can have', () => {
  it.each(['provider=sandbox', 'q=Anna'])('find nothing, with %s', async (filter) => {
    const { browser, base } = await openShop();
    const reply = await browser.get(`${base}/orders?from=1960-01-01&to=1969-12-31&${filter}`);
    expect(reply.status).toBe(200);
  });
});

describe('a large file', () => {
  it('is no longer read when its reader leaves', async () => {
    const { shop, browser, base } = await openShop();
    await writeOrders(app, shop, AT_ONCE_MAX / 2);
    const leaving = new AbortController();
    const file = await fetch(`${app.url}${base}/orders/download.csv`, {
      headers: { cookie: `portal=${browser.cookie()}` },
      signal: leaving.signal,
    });
    expect(file.status).toBe(200);
    await file.body!.getReader().read();
    leaving.abort();
    await until('the file is given up', async () =>
      app.log.some((line) => line.includes('download aborted')),
    );
  });

  it('is asked for, written in the background, and fetched', async () => {
    const { shop, browser, base } = await openShop();
    await writeOrders(app, shop, AT_ONCE_MAX + 1);
    const form = await browser.get(`${base}/orders/download`);
    expect(textOf(form.html)).toContain('more than 100,000 orders');
    const added = await browser.get(hrefOf(form.html, 'Show count and totals')!);
    expect(textOf(added.html)).toContain('100,001 orders');
    expect(textOf(added.html)).toContain('EUR 100,001 50,001,500.01 EUR');
    expect(added.html).toContain(`action="${base}/exports" method="post"`);
    expect(form.html).toContain(`action="${base}/exports" method="post"`);
    const asked = await browser.post(`${base}/exports`, { file: 'machine', q: '0.07' });
    expect([asked.status, asked.location]).toEqual([303, `${base}/exports`]);
    const waiting = await browser.get(`${base}/exports`);
    expect(textOf(waiting.html)).toContain('Waiting');
    expect(waiting.html).toContain('<noscript><meta http-equiv="refresh"');
    await app.get(ExportWorker).drain();
    const { html } = await browser.get(`${base}/exports`);
    expect(html).not.toContain('http-equiv');
    expect(textOf(html)).toMatch(/1 rows?, .+ for a program/);
    const path = /href="([^"]+)file\.csv"/.exec(html)![1]!;
    const file = await browser.get(`${path}file.csv`);
    expect(rowsIn(Buffer.from(file.html)).map(({ amount }) => amount)).toEqual(['0.07']);
    const manifest = JSON.parse((await browser.get(`${path}manifest.json`)).html) as object;
    expect(manifest).toMatchObject({ rows: 1, filter: 'q=0.07', payerMasked: false });
    const id = path.split('/').at(-2);
    expect((await auditOf('export.fetched')).at(-1)).toMatchObject({ subject: id });
    expect((await auditOf('orders.exported')).at(-1)).toMatchObject({
      subject: id,
      data: { filter: '', searched: true },
    });

    const { browser: stranger, base: elsewhere } = await openShop();
    expect((await stranger.get(`${elsewhere}/exports/${id}/file.csv`)).status).toBe(404);
    expect((await browser.get(`${path}other.txt`)).status).toBe(404);
  });

  it('is of support alone, or of the merchant’s people: neither sees the other’s, nor ends them', async () => {
    const { browser: owner, base } = await openShop();
    const [support, other] = [await colleague('support'), await colleague('support')];
    const searches: [FormBrowser, string][] = [
      [owner, 'Erika of the owner'],
      [support, 'Erika of support'],
    ];
    for (const [browser, q] of searches) {
      await browser.fill(`${base}/orders`, { file: 'machine', q }, `${base}/exports`);
    }
    const listOf = async (browser: FormBrowser) => (await browser.get(`${base}/exports`)).html;
    const cancelIn = (html: string) => /action="([^"]+cancel)"/.exec(html)![1]!;
    const [owners, supports] = [await listOf(owner), await listOf(support)];
    expect([owners, supports].map((html) => html.match(/Erika of \w+ ?\w*/)?.[0])).toEqual([
      'Erika of the owner',
      'Erika of support',
    ]);
    expect(await listOf(other)).not.toContain('Erika');
    expect((await support.get('/portal/all/test/exports')).html).not.toContain('Erika');
    for (const [browser, html] of [
      [support, owners],
      [owner, supports],
      [other, supports],
    ] as const) {
      expect((await browser.post(cancelIn(html))).status).toBe(404);
    }
    await app.get(ExportWorker).drain();
    const [file, own] = [await listOf(owner), await listOf(support)].map(
      (html) => /href="([^"]+)file\.csv"/.exec(html)![1]!,
    ) as [string, string];
    for (const part of ['file.csv', 'manifest.json']) {
      const replies = [support.get(file + part), owner.get(own + part), other.get(own + part)];
      expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([404, 404, 404]);
      expect((await owner.get(file + part)).status).toBe(200);
    }
    expect((await support.get(`${own}manifest.json`)).html).toContain('"payerMasked":true');
  });

  it('can be cancelled while it waits', async () => {
    const { browser, base } = await openShop();
    await browser.fill(`${base}/exports`, { status: 'paid' }, `${base}/exports`);
    const { html } = await browser.get(`${base}/exports`);
    const cancel = /action="([^"]+cancel)"/.exec(html)![1]!;
    expect((await browser.post(cancel)).status).toBe(303);
    expect(textOf((await browser.get(`${base}/exports`)).html)).toContain('Cancelled');
    expect((await browser.post(cancel)).status).toBe(404);
    expect((await auditOf('export.cancelled')).length).toBeGreaterThan(0);
  });
});

describe('views', () => {
  it('keep a filter under a name, for one person at one merchant', async () => {
    const { shop, browser, base } = await openShop();
    await shop.order();
    const page = `${base}/orders?preset=7d&status=paid`;
    const views = async (reader = browser) => viewsIn((await reader.get(page)).html);
    const save = (name: string, query: string) =>
      browser.fill(page, { name, query }, `${base}/orders/views`);
    const saved = await save(' <Paid> this week ', 'status=paid&preset=7d&evil=1');
    expect([saved.status, saved.location]).toEqual([303, page]);
    expect(await views()).toEqual([['&lt;Paid> this week', page]]);
    expect(await views(await colleague('owner', shop.merchantId))).toEqual([]);

    await save('<Paid> this week', 'status=failed');
    expect(await views()).toEqual([['&lt;Paid> this week', `${base}/orders?status=failed`]]);
    const gone = await browser.post(`${base}/orders/views/delete`, {
      name: '<Paid> this week',
      query: 'status=paid',
    });
    expect([gone.status, gone.location]).toEqual([303, `${base}/orders?status=paid`]);
    expect(await views()).toEqual([]);
  });

  it('need a name, and are at most twenty', async () => {
    const { shop, browser, base } = await openShop();
    await shop.order();
    const save = async (name: string) =>
      (await browser.fill(`${base}/orders`, { name, query: 'status=paid' }, `${base}/orders/views`))
        .status;
    for (const name of ['', '  ', 'x'.repeat(61), 'a\u0000b', 'a\u202eb']) {
      expect(await save(name)).toBe(400);
    }
    for (let n = 1; n <= 20; n++) expect(await save(`View ${n}`)).toBe(303);
    expect(await save('View 21')).toBe(409);
    expect(await save('View 20')).toBe(303);
  });
});
