import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '../src/common/ids.js';
import { REFUND_STATUSES } from '../src/database/refunds/refund.entity.js';
import type { Client } from './support/client.js';
import { count, select, withoutTriggers } from './support/facts.js';
import { hrefOf, textOf } from './support/markup.js';
import { fileOf, rowsIn } from './support/payout-pages.js';
import { PAYS } from './support/payouts.js';
import { PASSWORD, person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

const DAY_MS = 24 * 3_600_000;

const { app } = await openShop({ env: PAYS });

const listOf = ({ merchantId }: Client, mode = 'test') => `/portal/m/${merchantId}/${mode}/refunds`;

type Role = Parameters<typeof person>[1];
const as = async ({ merchantId }: Client, role: Role) =>
  signedIn(app, await person(app, role, merchantId));

interface Made {
  readonly id: string;
  readonly txid: string;
}

/** Refunds a part of a new paid order. */
async function refunded(shop: Client, orderMerchantId: string, request: object): Promise<Made> {
  const { txid } = await shop.order({ orderMerchantId, amount: 10_000 });
  await shop.pay(txid);
  const { body } = await shop.call('POST', `/api/order/${txid}/refund`, {
    amount: 250,
    ...request,
  });
  return { id: String(body['id']), txid };
}

/** Sets columns that otherwise take a provider, or live money. */
const written = (id: string, set: string) =>
  withoutTriggers(app, `UPDATE refunds SET ${set} WHERE id = $1`, [id]);

const ended = (status: string): string =>
  ['requested', 'approved', 'submitted'].includes(status) ? 'NULL' : 'created_at';

/** Copies a refund, so that the merchant has this many more. @returns their ids, newest first */
async function copied(id: string, times: number): Promise<string[]> {
  const ids = Array.from({ length: times }, () => uuidv7(app.clock.now().getTime()));
  const names = await select<{ name: string }>(
    app,
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'refunds'
     AND column_name NOT IN ('id', 'refund_merchant_id', 'created_at')`,
    [],
  );
  const columns = names.map(({ name }) => name).join(', ');
  await withoutTriggers(
    app,
    `INSERT INTO refunds (id, created_at, ${columns})
     SELECT f.id, $3, ${columns} FROM refunds r, unnest($2::uuid[]) f (id) WHERE r.id = $1`,
    [id, ids, app.clock.now()],
  );
  return ids.toReversed();
}

const idsIn = (html: string): string[] =>
  [...html.matchAll(/class="txid" title="([\da-f-]{36})"/g)].map(([, id]) => id!);

describe('the list of refunds', () => {
  it('says what a refund is, and how to make the first', async () => {
    const shop = await app.merchant();
    const { html } = await (await as(shop, 'owner')).get(listOf(shop));
    expect(textOf(html)).toContain('No refunds yet A refund sends money of a paid order back');
    const orders = `/portal/m/${shop.merchantId}/test/orders`;
    expect(hrefOf(html, 'paid order')).toBe(`${orders}?status=paid`);
    expect(hrefOf(html, 'Download CSV')).toBeUndefined();
    const viewer = await (await as(shop, 'viewer')).get(listOf(shop));
    expect(textOf(viewer.html)).toContain('An owner or finance member makes one');
  });

  it('shows them to all who see orders, and the file to fewer', async () => {
    const shop = await app.merchant();
    const { txid } = await refunded(shop, 'LAMP-1', { reason: 'Broken', refundMerchantId: 'R-1' });
    const waiting = await refunded(shop, 'LAMP-2', { amount: 6_000 });
    await written(waiting.id, `status = 'requested', next_attempt_at = NULL`);
    const base = `/portal/m/${shop.merchantId}/test/orders`;
    for (const role of ['owner', 'developer', 'finance', 'viewer', 'support'] as const) {
      const { status, html } = await (await as(shop, role)).get(listOf(shop));
      expect([role, status]).toEqual([role, 200]);
      const rows = rowsIn(html, 'Refunds');
      const mayDecide = role === 'owner' || role === 'finance';
      const review = mayDecide ? 'ReviewtherefundoforderLAMP-2' : '';
      // Spaces between the parts of a cell do not matter.
      expect(rows.map((row) => row.slice(1).map((cell) => cell.replaceAll(' ', '')))).toEqual([
        [`LAMP-2${waiting.id}`, '60.00EUR', `Pendingapproval${review}`, '—', 'APIkey', '—'],
        ['LAMP-1R-1', '2.50EUR', 'Approved', 'Broken', 'APIkey', '—'],
      ]);
      expect(hrefOf(html, 'LAMP-1')).toBe(`${base}/${txid}#refunds`);
      expect(hrefOf(html, 'LAMP-2')).toBe(`${base}/${waiting.txid}#refunds`);
      const mayExport = mayDecide || role === 'support';
      expect(hrefOf(html, 'Download CSV') !== undefined).toBe(mayExport);
      expect(hrefOf(html, 'Refunds')).toBe(listOf(shop));
      expect(html).not.toMatch(/undefined|NaN|\[object|style=/);
    }
    const looked = `action = 'refunds.listed' AND merchant_id = $1`;
    expect(await count(app, 'audit_entries', looked, [shop.merchantId])).toBe(1);
    const page = await (await as(shop, 'owner')).get(`${base}/${txid}`);
    expect(page.html).toContain('id="refunds"');
  });

  it('is for nobody else, and has the refunds of one merchant and mode', async () => {
    const [shop, other] = [await app.merchant(), await app.merchant()];
    const { id } = await refunded(shop, 'A-1', {});
    await refunded(other, 'A-1', {});
    const owner = await as(shop, 'owner');
    expect(idsIn((await owner.get(listOf(shop))).html)).toEqual([id]);
    expect(fileOf(await owner.get(`${listOf(shop)}/download.csv?q=A-1`))).toHaveLength(1);
    for (const page of ['', '/download.csv']) {
      expect((await owner.get(listOf(other) + page)).status).toBe(404);
      expect((await (await as(shop, 'operator')).get(listOf(shop) + page)).status).toBe(404);
    }
    expect((await owner.get(listOf(shop, 'live'))).location).toBe('/portal/security?needed=live');
    const viewer = await as(shop, 'viewer');
    const live = await viewer.get(listOf(shop, 'live'));
    expect([live.status, textOf(live.html)]).toEqual([200, expect.stringContaining('No refunds')]);
    expect((await viewer.get(`${listOf(shop)}/download.csv`)).status).toBe(403);
  });
});

describe('the filters of the list', () => {
  it('finds each status, with their numbers', async () => {
    const shop = await app.merchant();
    const viewer = await as(shop, 'viewer');
    const ids = new Map<string, string>();
    for (const status of REFUND_STATUSES) {
      const { id } = await refunded(shop, status, {});
      await written(id, `status = '${status}', completed_at = ${ended(status)}`);
      ids.set(status, id);
    }
    const { html } = await viewer.get(listOf(shop));
    expect(textOf(html)).toContain(
      'All 7 Pending approval 1 Approved 1 Submitted 1 Succeeded 1 Failed 1 Cancelled 1 Rejected 1',
    );
    for (const status of REFUND_STATUSES) {
      const found = (await viewer.get(`${listOf(shop)}?status=${status}`)).html;
      expect(idsIn(found)).toEqual([ids.get(status)]);
      expect(textOf(found)).toContain('1 refund Newer');
    }
    expect(hrefOf(html, 'Pending approval 1')).toBe(`${listOf(shop)}?status=requested`);
    const some = `${listOf(shop)}?status=failed,rejected`;
    expect(idsIn((await viewer.get(some)).html)).toEqual([ids.get('rejected'), ids.get('failed')]);
    const wrong = (await viewer.get(`${listOf(shop)}?status=lost`)).html;
    expect(textOf(wrong)).toContain('Some filters were ignored: Status: This must be some of');
    expect(idsIn(wrong)).toHaveLength(7);
  });

  it('finds the days of the merchant, from midnight to midnight', async () => {
    const shop = await app.merchant();
    const zone = `UPDATE merchants SET time_zone = 'Asia/Tokyo' WHERE id = $1`;
    await select(app, zone, [shop.merchantId]);
    const viewer = await as(shop, 'viewer');
    const midnight =
      Math.ceil(app.clock.now().getTime() / DAY_MS) * DAY_MS - 9 * 3_600_000 + DAY_MS;
    app.clock.advance(midnight - 60_000 - app.clock.now().getTime());
    const before = await refunded(shop, 'before', {});
    app.clock.advance(midnight - app.clock.now().getTime());
    const after = await refunded(shop, 'after', {});
    const day = (offset: number) =>
      new Date(midnight + 9 * 3_600_000 + offset * DAY_MS).toISOString().slice(0, 10);
    await viewer.signIn((await person(app, 'viewer', shop.merchantId)).email, PASSWORD);
    const found = async (query: string) =>
      idsIn((await viewer.get(`${listOf(shop)}?${query}`)).html);
    expect(await found(`from=${day(0)}`)).toEqual([after.id]);
    expect(await found(`to=${day(-1)}`)).toEqual([before.id]);
    expect(await found(`from=${day(-1)}&to=${day(0)}`)).toEqual([after.id, before.id]);
    expect(await found(`from=${day(1)}`)).toEqual([]);
    const today = (await viewer.get(`${listOf(shop)}?status=approved`)).html;
    expect(hrefOf(today, 'Today')).toBe(
      `${listOf(shop)}?from=${day(0)}&to=${day(0)}&status=approved`,
    );
    const { html } = await viewer.get(`${listOf(shop)}?from=yesterday`);
    expect(textOf(html)).toContain('From: This must be a day such as');
    expect(html).toContain('value="yesterday"');
  });

  it('finds the numbers of orders and refunds', async () => {
    const shop = await app.merchant();
    const viewer = await as(shop, 'viewer');
    const one = await refunded(shop, 'N-1', { refundMerchantId: 'R-1' });
    const two = await refunded(shop, 'R-1', { refundMerchantId: 'N-2' });
    await refunded(shop, 'N-3', {});
    const found = async (q: string) => {
      const query = new URLSearchParams({ q });
      return idsIn((await viewer.get(`${listOf(shop)}?${query}`)).html);
    };
    expect(await found('N-1')).toEqual([one.id]);
    expect(await found('R-1')).toEqual([two.id, one.id]);
    expect(await found(two.id.toUpperCase())).toEqual([two.id]);
    expect(await found(one.txid)).toEqual([one.id]);
    expect(await found('N')).toEqual([]);
    expect(await found(`'; --`)).toEqual([]);
    const { html } = await viewer.get(`${listOf(shop)}?q=N`);
    expect(textOf(html)).toContain('No matching refunds Search by full order number');
    expect(hrefOf(html, 'Clear filters')).toBe(listOf(shop));
    const both = await viewer.get(`${listOf(shop)}?status=failed&q=N-1`);
    expect(idsIn(both.html)).toEqual([]);
    const tidied = await viewer.get(`${listOf(shop)}?status=&q=N-1&from=&to=`);
    expect(tidied.location).toBe(`${listOf(shop)}?q=N-1`);
  });

  it('turns its pages without losing or repeating one', async () => {
    const shop = await app.merchant();
    const viewer = await as(shop, 'viewer');
    const { id } = await refunded(shop, 'P-1', {});
    await written(id, `status = 'failed', completed_at = created_at`);
    app.clock.advance(1_000);
    const all = [...(await copied(id, 119)), id];
    const other = (await refunded(shop, 'P-2', {})).id;
    const at = async (address: string) => {
      const { html } = await viewer.get(address);
      return { html, ids: idsIn(html), newer: hrefOf(html, 'Newer'), older: hrefOf(html, 'Older') };
    };
    for (const [filter, ids] of [
      ['', [other, ...all]],
      ['?status=failed', all],
      ['?q=P-1', all],
    ] as const) {
      const first = await at(listOf(shop) + filter);
      expect(first).toMatchObject({ ids: ids.slice(0, 50), newer: undefined });
      expect(textOf(first.html)).toContain(`${ids.length} refunds`);
      const second = await at(first.older!);
      expect(second.ids).toEqual(ids.slice(50, 100));
      const last = await at(second.older!);
      expect(last).toMatchObject({ ids: ids.slice(100), older: undefined });
      expect((await at(last.newer!)).ids).toEqual(ids.slice(50, 100));
      expect((await at(second.newer!)).ids).toEqual(ids.slice(0, 50));
      expect(
        fileOf(await (await as(shop, 'owner')).get(`${listOf(shop)}/download.csv${filter}`)),
      ).toHaveLength(ids.length);
    }
    expect((await at(`${listOf(shop)}?older=x`)).ids).toEqual([other, ...all].slice(0, 50));
  });
});

describe('the file of refunds', () => {
  it('has what the list shows, and nothing that a spreadsheet would run', async () => {
    const shop = await app.merchant();
    const hostile = { reason: `=1+1, "no"; @x`, refundMerchantId: '-49' };
    const { id, txid } = await refunded(shop, '-order', hostile);
    const made = await person(app, 'owner', shop.merchantId);
    const approver = await person(app, 'owner', shop.merchantId);
    await select(app, `UPDATE users SET name = '=SUM(A1)' WHERE id = $1`, [made.id]);
    await select(app, `UPDATE users SET name = 'Ada, "A"' WHERE id = $1`, [approver.id]);
    await written(
      id,
      `status = 'failed', status_reason = E'first\\n-second', completed_at = created_at,
       origin = 'portal', requested_by = '${made.id}', approved_by = '${approver.id}'`,
    );
    const jpy = await shop.order({ orderMerchantId: 'J-1', amount: 500, currency: 'JPY' });
    await shop.pay(jpy.txid);
    const second = await shop.call('POST', `/api/order/${jpy.txid}/refund`, {});
    await select(app, `UPDATE merchants SET time_zone = 'Asia/Tokyo' WHERE id = $1`, [
      shop.merchantId,
    ]);

    const browser = await as(shop, 'finance');
    const { html } = await browser.get(listOf(shop));
    expect(rowsIn(html, 'Refunds')[1]!.slice(3, 6)).toEqual([
      expect.stringContaining('Failed'),
      hostile.reason,
      '=SUM(A1)',
    ]);
    const reply = await browser.get(hrefOf(html, 'Download CSV')!);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const name = /"refunds-test-2026-\d\d-\d\d\.csv"/;
    expect(reply.headers.get('content-disposition')).toMatch(name);
    expect(reply.html.split('\r\n')[0]).toBe(
      'refund_id,refund_merchant_id,txid,order_merchant_id,payment_provider,amount,currency,status,status_reason,method,origin,reason,requested_by,approved_by,created_at,updated_at,completed_at',
    );
    const rows = fileOf(reply);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      refund_id: second.body['id'],
      refund_merchant_id: '',
      amount: '500',
      currency: 'JPY',
      status: 'approved',
      requested_by: 'API key',
      approved_by: '',
      completed_at: '',
    });
    expect(rows[1]).toMatchObject({
      refund_id: id,
      refund_merchant_id: `'-49`,
      txid,
      order_merchant_id: `'-order`,
      payment_provider: 'sandbox',
      amount: '2.50',
      currency: 'EUR',
      status: 'failed',
      status_reason: `first\n'-second`,
      method: 'provider',
      origin: 'portal',
      reason: `'=1+1, "no"; @x`,
      requested_by: `'=SUM(A1)`,
      approved_by: 'Ada, "A"',
    });
    for (const column of ['created_at', 'updated_at', 'completed_at']) {
      expect(rows[1]![column]).toMatch(/^2026-\d\d-\d\dT[\d:.]{12}\+09:00$/);
    }

    const filtered = (await browser.get(`${listOf(shop)}?q=J-1&status=approved`)).html;
    const some = fileOf(await browser.get(hrefOf(filtered, 'Download CSV')!));
    expect(some.map((row) => row['refund_id'])).toEqual([second.body['id']]);
    const none = await browser.get(`${listOf(shop)}/download.csv?status=rejected`);
    expect([none.status, fileOf(none)]).toEqual([200, []]);
    const entries = await select<{ data: object }>(
      app,
      `SELECT data FROM audit_entries WHERE action = 'refunds.downloaded' AND merchant_id = $1
       ORDER BY id`,
      [shop.merchantId],
    );
    expect(entries.map(({ data }) => data)).toEqual([
      { mode: 'test', filter: '', searched: false },
      { mode: 'test', filter: 'status=approved', searched: true },
      { mode: 'test', filter: 'status=rejected', searched: false },
    ]);
  });

  it('is whole when it has many parts', async () => {
    const shop = await app.merchant();
    const { id } = await refunded(shop, 'MANY', {});
    app.clock.advance(1_000);
    const all = [...(await copied(id, 4_500)), id];
    const reply = await (await as(shop, 'owner')).get(`${listOf(shop)}/download.csv`);
    expect(fileOf(reply).map((row) => row['refund_id'])).toEqual(all);
  });
});
