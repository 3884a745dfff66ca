import { describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SEED } from '../src/database/demo/seed.statements.js';
import type { MerchantRole } from '../src/database/people/membership.entity.js';
import { HomeRepository } from '../src/database/read-models/home.repository.js';
import type { Client } from './support/client.js';
import { select } from './support/facts.js';
import { person, signedIn } from './support/people.js';
import { sentBack } from './support/refunds.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();

const pathOf = ({ merchantId }: Client): string => `/portal/m/${merchantId}/test`;

async function homeOf(shop: Client, query = '', role: MerchantRole = 'owner'): Promise<string> {
  const browser = await signedIn(app, await person(app, role, shop.merchantId));
  const { status, html } = await browser.get(`${pathOf(shop)}${query}`);
  expect(status).toBe(200);
  expect(html).not.toMatch(/undefined|NaN|\[object|style=/);
  return html;
}

/** The cells of the table with that caption, a list for each row. */
function tableIn(html: string, caption: RegExp): string[][] {
  const tables = html.match(/<table[^]*?<\/table>/g) ?? [];
  const table = tables.find((each) => caption.test(each))!;
  const rows = table.match(/<tr>[^]*?<\/tr>/g)!.slice(1);
  return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>([^<]*)/g)].map(([, cell]) => cell!));
}

/** Orders at these moments, in the shop's own time. */
async function ordersAt(shop: Client, moments: readonly string[], paid = true): Promise<void> {
  const now = app.clock.now();
  for (const moment of moments) {
    app.clock.set(new Date(moment));
    const { txid } = await shop.order();
    if (paid) await shop.pay(txid);
  }
  app.clock.set(now > app.clock.now() ? now : app.clock.now());
}

describe('the first page', () => {
  describe('of a shop in Berlin when its clocks go forward', () => {
    it('counts the orders of its own days', async () => {
      const shop = await app.merchant();
      const sql = `UPDATE merchants SET time_zone = 'Europe/Berlin' WHERE id = $1`;
      await select(app, sql, [shop.merchantId]);
      // 29 March 2026 began at 23:00 UTC and had 23 hours.
      await ordersAt(shop, [
        '2026-03-28T22:59:59.999Z',
        '2026-03-28T23:00:00.000Z',
        '2026-03-29T00:30:00.000Z',
        '2026-03-29T21:59:59.999Z',
        '2026-03-29T22:00:00.000Z',
      ]);
      app.clock.set(new Date('2026-03-31T10:00:00Z'));
      const html = await homeOf(shop);
      const rows = tableIn(html, /Paid per day/);
      expect(rows).toHaveLength(14);
      expect(rows[0]![0]).toBe('18 Mar');
      expect(rows.slice(-4)).toEqual([
        ['28 Mar', '1', '89.90'],
        ['29 Mar', '3', '269.70'],
        ['30 Mar', '1', '89.90'],
        ['31 Mar', '0', '0.00'],
      ]);
      expect(html).toContain('Times and days in Europe/Berlin (UTC+02:00)');
    });

    it('leaves out what is older than fourteen days', async () => {
      const shop = await app.merchant();
      await ordersAt(shop, ['2026-04-01T23:59:59.999Z', '2026-04-02T00:00:00.000Z']);
      app.clock.set(new Date('2026-04-15T23:59:59.999Z'));
      const rows = tableIn(await homeOf(shop), /Paid per day/);
      expect(rows.map(([, orders]) => Number(orders))).toEqual([1, ...Array<number>(13).fill(0)]);
    });
  });

  it('tells what became of orders, and how many got how far', async () => {
    const shop = await app.merchant();
    await shop.order();
    await shop.cancel((await shop.order()).txid);
    for (let i = 0; i < 2; i++) await shop.pay((await shop.order()).txid);
    await shop.pay((await shop.order()).txid, { outcome: 'declined' });
    const html = await homeOf(shop);
    expect(
      tableIn(html, /Orders by outcome/)
        .at(-1)!
        .slice(1),
    ).toEqual(['2', '0', '0', '1']);
    expect(tableIn(html, /Steps from order/)).toEqual([
      ['Created', '5', '100.0 %'],
      ['Payment started', '3', '60.0 %'],
      ['Paid', '2', '40.0 %'],
    ]);
    expect(html).toContain('2 paid, 0 expired, 0 failed, 1 cancelled');
  });

  it('shows one currency at a time: the most used, or the chosen one', async () => {
    const shop = await app.merchant();
    for (const currency of ['EUR', 'JPY', 'JPY']) {
      await shop.pay((await shop.order({ currency, amount: 1_500 })).txid);
    }
    const first = await homeOf(shop);
    expect(first).toContain('Last 14 days, orders in JPY');
    expect(
      tableIn(first, /Paid per day/)
        .at(-1)!
        .slice(1),
    ).toEqual(['2', '3,000']);
    const chosen = await homeOf(shop, '?currency=EUR');
    expect(
      tableIn(chosen, /Paid per day/)
        .at(-1)!
        .slice(1),
    ).toEqual(['1', '15.00']);
    expect(await homeOf(shop, '?currency=%22%3E%3Cscript%3E')).toContain('orders in JPY');
    expect(await homeOf(shop, '?currency=A&currency=B')).toContain('orders in JPY');
  });

  it('draws every chart with a title and its figures in words', async () => {
    const shop = await app.merchant();
    await shop.pay((await shop.order()).txid);
    const charts = (await homeOf(shop)).match(/<svg class="drawing"[^]*?<\/svg>/g)!;
    expect(charts).toHaveLength(3);
    for (const chart of charts) {
      expect(chart).toMatch(/role="img" aria-labelledby="(\S+) (\S+)"><title id="\1">/);
      expect(chart).toContain('<desc');
      expect(chart.length).toBeLessThan(2_048);
    }
  });

  describe('what needs a person', () => {
    const needsIn = (html: string): string =>
      /<h2 class="card-title" id="needs">[^]*?<\/section>/.exec(html)![0];

    it('is nothing for a new shop, which learns how to begin', async () => {
      const html = await homeOf(await app.merchant());
      expect(needsIn(html)).toContain('Nothing at the moment.');
      expect(html).toContain('No orders yet.');
      expect(html).not.toContain('<svg class="drawing"');
    });

    it('comes first, and leads to where it is seen to', async () => {
      const shop = await app.merchant();
      await shop.pay((await shop.order()).txid, { amount: 5_000 });
      await shop.pay((await shop.order()).txid, { amount: 9_000 });
      await trouble(shop);
      const html = await homeOf(shop);
      const needs = needsIn(html);
      expect(html.indexOf('Needs attention')).toBeLessThan(html.indexOf('Last 14 days'));
      expect(needs).toContain('2 orders with payment discrepancies');
      expect(needs).toContain('1 overpaid, 1 underpaid');
      expect(needs).toContain(`${pathOf(shop)}/orders?preset=30d&amp;exception=only`);
      expect(needs.match(/A webhook endpoint is failing/g)).toHaveLength(1);
      expect(needs.match(/A webhook endpoint was disabled/g)).toHaveLength(1);
      expect(needs).toContain('1 email recipient has not confirmed');
      const list = await (
        await signedIn(app, await person(app, 'owner', shop.merchantId))
      ).get(`${pathOf(shop)}/orders?preset=30d&exception=only`);
      expect(list.status).toBe(200);
    });

    it('gives no link to a page that the role lacks', async () => {
      const shop = await app.merchant();
      await trouble(shop);
      const needs = needsIn(await homeOf(shop, '', 'viewer'));
      expect(needs).toContain('Please inform a developer of your team.');
      expect(needs).not.toMatch(/href|fails\.example/);
    });

    it('is no money that went back, unless only a part of it did', async () => {
      const shop = await app.merchant();
      const order = await shop.order({ amount: 1_000 });
      await shop.pay(order.txid, { amount: 1_250 });
      await sentBack(app, shop, order, { amount: 200 });
      expect(needsIn(await homeOf(shop))).toContain('1 order with payment discrepancies');
      await sentBack(app, shop, order, { amount: 50 });
      expect(needsIn(await homeOf(shop))).toContain('Nothing at the moment.');
    });

    it('is forgotten after 30 days', async () => {
      const shop = await app.merchant();
      await shop.pay((await shop.order()).txid, { amount: 5_000 });
      app.clock.advance(29 * 86_400_000);
      expect(needsIn(await homeOf(shop))).toContain('1 order with payment discrepancies');
      app.clock.advance(86_400_000);
      expect(needsIn(await homeOf(shop))).toContain('Nothing at the moment.');
    });

    /** A failing endpoint, one that was switched off for it, one by hand, and a silent mailbox. */
    async function trouble({ merchantId }: Client): Promise<void> {
      const now = app.clock.now();
      const endpoints = [
        ['https://fails.example/', true, null, now],
        ['https://gone.example/', false, 'gone', null],
        ['https://mine.example/', false, 'by_merchant', null],
      ] as const;
      for (const [url, enabled, reason, failingSince] of endpoints) {
        await select(
          app,
          `INSERT INTO webhook_endpoints (merchant_id, id, mode, url, event_types, api_version,
             secret, enabled, disabled_reason, failing_since, created_at, updated_at)
           VALUES ($1, $2, 'test', $3, '{}', '1.2.2', 'whsec_AAAA', $4, $5, $6, $7, $7)`,
          [merchantId, randomUUID(), url, enabled, reason, failingSince, now],
        );
      }
      await select(
        app,
        `INSERT INTO notification_recipients (merchant_id, id, mode, email, locale, time_zone, token,
           created_at, updated_at)
         VALUES ($1, $2, 'test', 'till@shop.example', 'en', 'UTC', $3, $4, $4)`,
        [merchantId, randomUUID(), randomUUID(), now],
      );
    }
  });

  it('lists the ten newest orders, each with a link, and nothing of other shops', async () => {
    const [shop, other] = [await app.merchant(), await app.merchant()];
    const foreign = await other.order();
    const txids = [];
    for (let i = 0; i < 11; i++) txids.push((await shop.order()).txid);
    const html = await homeOf(shop, '', 'viewer');
    const listed = [...html.matchAll(/\/orders\/([\da-f-]{36})"/g)].map(([, txid]) => txid);
    expect(listed).toEqual(txids.slice(1).reverse());
    expect(html).not.toContain(foreign.txid);
    expect(html).not.toContain(foreign.orderMerchantId);
  });

  it('counts many orders once for all who open the page within seconds, and few each time', async () => {
    const [many, few] = [await app.merchant(), await app.merchant()];
    await select(app, SEED, [many.merchantId, 1, 1_001, 1_001, 'seed', app.clock.now(), 1]);
    await few.order();
    const counts = jest.spyOn(app.get(HomeRepository), 'dayTotals');
    const countsOf = (shop: Client) =>
      counts.mock.calls.filter(([{ merchantId }]) => merchantId === shop.merchantId).length;
    for (const shop of [many, few]) {
      const browser = await signedIn(app, await person(app, 'viewer', shop.merchantId));
      const open = (query: string) => browser.get(`${pathOf(shop)}${query}`);
      const pages = await Promise.all(['', '?currency=EUR', '?currency=USD', '?any=1'].map(open));
      pages.push(await open(''));
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
    expect(countsOf(many)).toBe(1);
    expect(countsOf(few)).toBeGreaterThan(1);
  });
});
