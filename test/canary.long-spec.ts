import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { MerchantRole } from '../src/database/people/membership.entity.js';
import { TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import type { Client } from './support/client.js';
import { select } from './support/facts.js';
import { type Cashier, PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { liveRichly } from './support/rich-life.js';

/** What stands in every text of one merchant, and must never be seen by the other. */
const CANARY = 'canary7f3a';
/** Pages that one person opens at most. */
const PAGES_MAX = 400;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: 'text' | 'jsonb';
}

/** Texts that belong to a merchant, whoever wrote them. */
const COLUMNS = `
  SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
  FROM information_schema.columns c
  WHERE c.table_schema = 'public' AND c.data_type IN ('text', 'jsonb') AND EXISTS (
    SELECT FROM information_schema.columns m
    WHERE m.table_name = c.table_name AND m.column_name = 'merchant_id')
  ORDER BY 1, 2`;

describe('what belongs to one merchant', () => {
  let app: TestApp;
  let reader: Cashier;
  let marked: string[];

  beforeAll(async () => {
    app = await TestApp.start({ env: PAYS });
    const other = await liveRichly(app);
    reader = await liveRichly(app);
    marked = await mark(other);
  });
  afterAll(() => app.stop());

  /** @returns the columns that hold the canary now; a rule refuses it in the others */
  async function mark({ shop: { merchantId }, owner, operator }: Cashier): Promise<string[]> {
    const runner = app.get(DataSource).createQueryRunner();
    const done: string[] = [];
    try {
      // The database would refuse to change what has happened.
      await runner.query('SET session_replication_role = replica');
      for (const { table, column, type } of (await runner.query(COLUMNS)) as Column[]) {
        const value =
          type === 'jsonb' ? `${column} || '{"name": "${CANARY}"}'` : `$2 || left(${column}, 20)`;
        const sql = `UPDATE ${table} SET ${column} = ${value}
          WHERE merchant_id = $1 AND ${column} IS NOT NULL`;
        const values = type === 'jsonb' ? [merchantId] : [merchantId, CANARY];
        const isDone = await runner.query(sql, values).then(
          () => true,
          () => false,
        );
        if (isDone) done.push(`${table}.${column}`);
      }
      await runner.query(`UPDATE merchants SET name = $2 || name, contact_url = $3 WHERE id = $1`, [
        merchantId,
        CANARY,
        `https://${CANARY}.example/`,
      ]);
      for (const { id } of [owner, operator]) {
        const sql = 'UPDATE users SET name = $2 || name, email = $2 || email WHERE id = $1';
        await runner.query(sql, [id, CANARY]);
      }
    } finally {
      await runner.query('SET session_replication_role = DEFAULT');
      await runner.release();
    }
    return done;
  }

  const seen = (text: string): boolean => text.toLowerCase().includes(CANARY);

  /** Follows every link of the portal from page to page. @returns the pages that show the canary */
  async function crawl(browser: FormBrowser): Promise<{ pages: number; leaks: string[] }> {
    const { merchantId } = reader.shop;
    const base = `/portal/m/${merchantId}`;
    const found = new Set([
      `${base}/test`,
      `${base}/live`,
      // A form leads to this, and no link.
      `${base}/test/orders/download.csv?file=machine`,
      '/portal/security',
    ]);
    const leaks: string[] = [];
    let pages = 0;
    for (const address of found) {
      if (++pages > PAGES_MAX) break;
      const { html, headers } = await browser.get(address);
      if (seen(html) || seen(JSON.stringify([...headers]))) leaks.push(address);
      for (const [, href] of html.matchAll(/href="(\/portal\/[^"#]*)/g)) {
        found.add(href!.replaceAll('&amp;', '&'));
      }
    }
    return { pages, leaks };
  }

  it('is marked in all its texts', () => {
    expect(marked).toEqual(
      expect.arrayContaining([
        'api_keys.name',
        'audit_entries.data',
        'bank_accounts.holder',
        'events.data',
        'order_fields.value',
        'orders.customer_name',
        'orders.description',
        'orders.order_merchant_id',
        'payments.payer_account_name',
        'payments.payer_account_number',
        'payouts.holder',
        'transfers.note',
        'webhook_endpoints.url',
      ]),
    );
  });

  it.each<MerchantRole>(['owner', 'finance', 'developer', 'viewer'])(
    'is on no page and in no file of another merchant’s %s',
    async (role) => {
      const somebody = await person(app, role, reader.shop.merchantId);
      const isTrusted = role === 'owner' || role === 'finance';
      const browser = await signedIn(app, isTrusted ? await withTotp(app, somebody) : somebody);
      const { pages, leaks } = await crawl(browser);
      expect(leaks).toEqual([]);
      expect(pages).toBeGreaterThan(20);
    },
  );

  it('is in no answer of the API to another merchant', async () => {
    const { shop } = reader;
    const own = [
      '/api/event?limit=100',
      '/api/payout',
      '/api/balance',
      '/api/webhook-endpoint',
      '/api/notification-recipient',
    ];
    const foreign = await foreignPaths(shop);
    const replies = await Promise.all([...own, ...foreign].map((path) => shop.call('GET', path)));
    expect(replies.map(({ status }) => status)).toEqual([
      ...own.map(() => 200),
      ...foreign.map(() => 404),
    ]);
    for (const { text } of replies) expect(seen(text)).toBe(false);
  });

  /** What the other merchant would ask for, asked for by this one. */
  async function foreignPaths({ merchantId }: Client): Promise<string[]> {
    const idOf = async (table: string, id = 'id') => {
      const sql = `SELECT ${id} AS id FROM ${table} WHERE merchant_id <> $1 LIMIT 1`;
      return (await select<{ id: string }>(app, sql, [merchantId]))[0]!.id;
    };
    const txid = await idOf('orders', 'txid');
    const payout = await idOf('payouts');
    const endpoint = await idOf('webhook_endpoints');
    return [
      `/api/order?txid=${txid}`,
      `/api/order/status?orderTransactionId=${txid}`,
      `/api/order/${txid}`,
      `/api/order/${txid}/status`,
      `/api/payout/${payout}`,
      `/api/payout/${payout}/line`,
      `/api/webhook-endpoint/${endpoint}`,
      `/api/webhook-endpoint/${endpoint}/delivery`,
      `/api/notification-recipient/${await idOf('notification_recipients')}`,
    ];
  }
});
