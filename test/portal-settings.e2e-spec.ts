import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeysService } from '../src/merchants/api-keys.service.js';
import { DeprecatedCallsService } from '../src/merchants/deprecated-calls.service.js';
import { TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import type { Client } from './support/client.js';
import { count, select } from './support/facts.js';
import { codeOf, person, signedIn, withTotp } from './support/people.js';
import { tally, together } from './support/race.js';

const HOSTILE = '"><script>alert(1)</script>&';
const NOBODY = '019aa2f0-7c00-7000-8000-0123456789ab';
const HOUR_MS = 3_600_000;

const SECRET = /id="secret"[^>]*value="([^"]+)"/;

describe('the settings of a merchant', () => {
  let app: TestApp;
  let shop: Client;
  let other: Client;
  let owner: FormBrowser;
  let base: string;

  beforeAll(async () => {
    app = await TestApp.start();
    shop = await app.merchant({ name: 'Nordlicht' });
    other = await app.merchant({ name: 'Other' });
    const somebody = await withTotp(app, await person(app, 'owner', shop.merchantId));
    owner = await signedIn(app, somebody);
    base = `/portal/m/${shop.merchantId}/test`;
  });
  afterAll(() => app.stop());

  const lastAudit = async () => {
    const sql = `SELECT action, subject, data, merchant_id AS "merchantId" FROM audit_entries
      ORDER BY id DESC LIMIT 1`;
    return (await select<{ action: string; subject: string; data: object }>(app, sql))[0]!;
  };

  const merchant = async (id = shop.merchantId) =>
    (await select(app, 'SELECT * FROM merchants WHERE id = $1', [id]))[0]!;

  describe('business', () => {
    const GOOD = {
      name: 'Nordlicht',
      contactUrl: 'mailto:help@nordlicht.example',
      colour: '#FFD400',
      logoUrl: 'https://nordlicht.example/logo.svg',
      timeZone: 'Europe/Berlin',
    };

    it('is changed and written down, and nothing else with it', async () => {
      const mass = { ...GOOD, id: NOBODY, merchantId: other.merchantId, createdAt: '2001-01-01' };
      const reply = await owner.fill(`${base}/business`, mass);
      expect([reply.status, reply.location]).toEqual([303, `${base}/business?done=saved`]);
      expect(await merchant()).toMatchObject({
        id: shop.merchantId,
        name: 'Nordlicht',
        colour: 'ffd400',
        contact_url: GOOD.contactUrl,
        logo_url: GOOD.logoUrl,
        time_zone: 'Europe/Berlin',
      });
      expect(await merchant(other.merchantId)).toMatchObject({ name: 'Other', colour: '0b4f9e' });
      expect(await lastAudit()).toMatchObject({
        action: 'business.changed',
        subject: shop.merchantId,
        merchantId: shop.merchantId,
        data: { colour: 'ffd400' },
      });
    });

    it('tells how text reads on the colour', async () => {
      await owner.fill(`${base}/business`, GOOD);
      const { html } = await owner.get(`${base}/business`);
      expect(html).toContain('Black text on this color has a contrast of 14.7 to 1.');
    });

    it.each([
      ['name', ''],
      ['name', 'a'.repeat(141)],
      ['name', 'Nordlicht \u2067'],
      ['name', 'Nordlicht\u200f'],
      ['colour', 'red'],
      ['colour', '0b4f9'],
      ['contactUrl', 'javascript:alert(1)'],
      ['contactUrl', 'http://nordlicht.example'],
      ['contactUrl', 'mailto:nobody'],
      ['logoUrl', 'http://nordlicht.example/logo.svg'],
      ['logoUrl', 'data:image/svg+xml,x'],
      ['timeZone', 'Mars/Olympus'],
      ['timeZone', '+02:00'],
    ])('refuses %s = %j beside the field, and keeps what was typed', async (field, value) => {
      const before = await merchant();
      const reply = await owner.fill(`${base}/business`, { ...GOOD, name: 'New', [field]: value });
      expect(reply.status).toBe(422);
      expect(reply.html).toContain(`id="${field}-problem"`);
      expect(reply.html.match(/class="problem"/g)).toHaveLength(1);
      if (field !== 'name') expect(reply.html).toContain('value="New"');
      expect(await merchant()).toEqual(before);
    });

    it('takes addresses away that are left empty', async () => {
      await owner.fill(`${base}/business`, { ...GOOD, contactUrl: '', logoUrl: '' });
      expect(await merchant()).toMatchObject({ contact_url: null, logo_url: null });
    });

    it('shows hostile names as text', async () => {
      await owner.fill(`${base}/business`, { ...GOOD, name: HOSTILE });
      for (const page of ['business', 'business/preview', 'business/preview?state=paid']) {
        const { status, html } = await owner.get(`${base}/${page}`);
        expect([page, status]).toEqual([page, 200]);
        expect(html).not.toContain('<script>alert');
      }
      await owner.fill(`${base}/business`, GOOD);
    });

    it('previews the payment page in its look, which watches for nothing', async () => {
      await owner.fill(`${base}/business`, GOOD);
      const open = await owner.get(`${base}/business/preview?state=open&locale=de`);
      expect(open.html).toMatch(/<html lang="de".*c=ffd400.*89,90/s);
      expect(open.html).not.toContain('data-events');
      expect(open.html).toContain('<button class="button" type="button">');
      const paid = await owner.get(`${base}/business/preview?state=paid`);
      expect(paid.html).toContain('data-state="paid.1"');
      expect((await owner.get(`${base}/business/preview?state=nonsense`)).status).toBe(404);
    });
  });

  describe('API keys', () => {
    const FIELDS = {
      name: 'Shop server',
      scopes: 'orders:read',
      apiVersion: '1.2',
      expires: '',
      allowedIps: '',
    };
    const keysOf = (name: string) =>
      select<{ id: string; mode: string; revoked_at: Date | null; expires_at: Date | null }>(
        app,
        'SELECT * FROM api_keys WHERE merchant_id = $1 AND name = $2 ORDER BY id',
        [shop.merchantId, name],
      );

    async function make(fields: Partial<typeof FIELDS>, place = base): Promise<string> {
      const reply = await owner.fill(`${place}/keys/new`, { ...FIELDS, ...fields });
      expect(reply.status).toBe(201);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      return SECRET.exec(reply.html)![1]!;
    }

    it('are made for the mode of the place, shown once, and written down without the secret', async () => {
      const mass = { merchantId: other.merchantId, mode: 'live', id: NOBODY };
      const secret = await make({ name: 'Made once', allowedIps: '192.0.2.0/24\n::1', ...mass });
      expect(secret).toMatch(/^pos_test_[\w-]{43}$/);
      const [key] = await keysOf('Made once');
      expect(key).toMatchObject({
        merchant_id: shop.merchantId,
        mode: 'test',
        scopes: ['orders:read'],
        api_version: '1.2',
        allowed_ips: ['192.0.2.0/24', '::1'],
        expires_at: null,
      });
      expect(key!.id).not.toBe(NOBODY);
      const { html } = await owner.get(`${base}/keys`);
      expect(html).toContain('Made once');
      expect(html).not.toContain(secret);
      const entry = await lastAudit();
      expect(entry).toMatchObject({ action: 'key.created', subject: key!.id });
      expect(JSON.stringify(entry)).not.toContain(secret);
    });

    it('may do no more than the role of who makes or rolls them', async () => {
      const developer = await person(app, 'developer', shop.merchantId);
      const browser = await signedIn(app, developer);
      const { html } = await browser.get(`${base}/keys/new`);
      expect([html.includes('orders:write'), html.includes('payouts:read')]).toEqual([true, false]);
      const wanted = { ...FIELDS, scopes: 'payouts:read' };
      const refused = await browser.post(`${base}/keys/new`, wanted);
      expect([refused.status, refused.html]).toEqual([
        422,
        expect.stringContaining('payouts:read'),
      ]);
      await make({ name: 'Of the owner', scopes: 'payouts:read' });
      const [key] = await keysOf('Of the owner');
      const list = await browser.get(`${base}/keys`);
      expect(list.html).not.toContain(`${key!.id}/roll`);
      const rolled = await browser.post(`${base}/keys/${key!.id}/roll`, { overlapHours: '24' });
      expect(rolled.status).toBe(422);
      const sql = `INSERT INTO api_keys (merchant_id, id, name, mode, key_hash, hint, scopes,
          api_version, allowed_ips, created_at, created_by)
        VALUES ($1, $2, 'Behind', 'live', sha256('x'), 'abcd', '{payouts:read}', '1.2', '{}', now(), $3)`;
      await expect(select(app, sql, [shop.merchantId, NOBODY, developer.id])).rejects.toThrow(
        'may not make a key',
      );
    });

    it('end with a day of the merchant’s zone', async () => {
      await make({ name: 'Until a day', expires: '2040-06-30' });
      // Berlin is two hours ahead of UTC in summer.
      const [key] = await keysOf('Until a day');
      expect(key!.expires_at).toEqual(new Date('2040-06-30T22:00:00Z'));
    });

    it.each([
      ['name', ''],
      ['name', 'Till \u202e'],
      ['scopes', 'orders:delete'],
      ['apiVersion', '9.9'],
      ['expires', '2001-01-01'],
      ['expires', '2040-02-30'],
      ['allowedIps', '192.0.2.0/33'],
    ])('are refused with %s = %j', async (field, value) => {
      const before = await count(app, 'api_keys', 'true');
      const reply = await owner.fill(`${base}/keys/new`, { ...FIELDS, [field]: value });
      expect(reply.status).toBe(422);
      expect(reply.html).toContain(`id="${field}-problem"`);
      expect(await count(app, 'api_keys', 'true')).toBe(before);
    });

    it('of another mode, of another merchant and of nobody are not there', async () => {
      const live = await make({ name: 'Live one' }, `/portal/m/${shop.merchantId}/live`);
      expect(live).toMatch(/^pos_live_/);
      const [key] = await keysOf('Live one');
      expect((await owner.get(`${base}/keys`)).html).not.toContain('Live one');
      for (const id of [key!.id, other.keyId, NOBODY, 'newest']) {
        for (const page of ['roll', 'revoke']) {
          const path = `${base}/keys/${id}/${page}`;
          const replies = [await owner.get(path), await owner.post(path, { overlapHours: '24' })];
          expect(replies.map(({ status }) => status)).toEqual([404, 404]);
        }
      }
      const sql = 'SELECT revoked_at FROM api_keys WHERE id = ANY ($1)';
      const rows = await select(app, sql, [[key!.id, other.keyId]]);
      expect(rows).toEqual([{ revoked_at: null }, { revoked_at: null }]);
    });

    it('are rolled: both work, and the former ends after the overlap', async () => {
      const former = await make({ name: 'Rolled', allowedIps: '192.0.2.1' });
      const [before] = await keysOf('Rolled');
      const now = app.clock.now().getTime();
      const page = `${base}/keys/${before!.id}/roll`;
      const reply = await owner.fill(page, { overlapHours: '72' });
      const secret = SECRET.exec(reply.html)![1]!;
      expect([reply.status, secret === former]).toEqual([201, false]);
      const [old, fresh] = await keysOf('Rolled');
      expect(old!.expires_at!.getTime()).toBe(now + 72 * HOUR_MS);
      expect(fresh).toMatchObject({ scopes: ['orders:read'], allowed_ips: ['192.0.2.1'] });
      expect(fresh!.expires_at).toBeNull();
      const keys = app.get(ApiKeysService);
      app.clock.advance(10_000);
      expect(await keys.find(former)).not.toBeNull();
      expect(await keys.find(secret)).not.toBeNull();
      expect(await lastAudit()).toMatchObject({
        action: 'key.rolled',
        subject: fresh!.id,
        data: { former: before!.id, overlapHours: 72 },
      });
    });

    it('are rolled without an overlap when they have leaked', async () => {
      await make({ name: 'Leaked' });
      const [before] = await keysOf('Leaked');
      const page = `${base}/keys/${before!.id}/roll`;
      expect((await owner.fill(page, { overlapHours: '5' })).status).toBe(422);
      expect((await owner.fill(page, { overlapHours: '0' })).status).toBe(201);
      expect((await keysOf('Leaked')).map((key) => key.revoked_at !== null)).toEqual([true, false]);
      expect((await owner.get(page)).status).toBe(404);
    });

    it('are a hundred that can be used, and no more, however many are made at the same moment', async () => {
      const shop = await app.merchant();
      const { merchantId } = shop;
      const base = `/portal/m/${merchantId}/test`;
      const [owner, second] = [
        await signedIn(app, await withTotp(app, await person(app, 'owner', merchantId))),
        await signedIn(app, await person(app, 'owner', merchantId)),
      ];
      const sql = `INSERT INTO api_keys SELECT (jsonb_populate_record(k, jsonb_build_object(
          'id', gen_random_uuid(), 'key_hash', '\\x' || encode(sha256(n::text::bytea), 'hex'),
          'name', 'Filler', 'expires_at', $3::timestamptz, 'revoked_at', $4::timestamptz))).*
        FROM api_keys k, generate_series(1, $2) n WHERE k.id = $1`;
      const fill = (keys: number, expires: string | null, revoked: string | null) =>
        select(app, sql, [shop.keyId, keys, expires, revoked]);
      await fill(90, '2099-01-01T00:00:00Z', null);
      await fill(20, app.clock.now().toISOString(), null);
      await fill(300, null, '2020-01-01T00:00:00Z');
      const make = (browser: typeof owner) => browser.post(`${base}/keys/new`, FIELDS);
      for (const browser of [owner, second]) await browser.get(`${base}/keys/new`);
      const replies = await together((n) => make(n % 2 ? owner : second));
      expect(tally(replies.map(({ status }) => status))).toEqual({ 201: 9, 422: 11 });
      expect((await make(owner)).html).toContain('A merchant has at most 100 keys');

      const roll = (overlapHours: string) =>
        owner.post(`${base}/keys/${shop.keyId}/roll`, { overlapHours });
      const { html } = await owner.get(`${base}/keys`);
      expect([html.match(/\/roll"/g)?.length, html.match(/<tr/g)?.length]).toEqual([100, 202]);

      const refused = await roll('24');
      expect([refused.status, refused.html]).toEqual([
        422,
        expect.stringContaining('rolled without an overlap'),
      ]);
      expect((await roll('0')).status).toBe(201);
      expect((await owner.post(`/portal/m/${merchantId}/live/keys/new`, FIELDS)).status).toBe(201);
    });

    it('are revoked after a question', async () => {
      const secret = await make({ name: 'Revoked' });
      const [key] = await keysOf('Revoked');
      const page = `${base}/keys/${key!.id}/revoke`;
      expect((await owner.get(page)).html).toContain('Revoke this key?');
      expect((await owner.post(page)).location).toBe(`${base}/keys?done=revoked`);
      expect(await app.get(ApiKeysService).find(secret)).toBeNull();
      expect(await lastAudit()).toMatchObject({ action: 'key.revoked', subject: key!.id });
      expect((await owner.post(page)).status).toBe(404);
    });

    it('tell of calls to deprecated operations in the last 30 days', async () => {
      const calls = app.get(DeprecatedCallsService);
      const key = { merchantId: shop.merchantId, id: shop.keyId };
      calls.count(key, 'GET /api/order/{txid}');
      calls.count(key, 'GET /api/order/{txid}');
      await calls.flush();
      expect((await owner.get(`${base}/keys`)).html).toMatch(/2 × <[^>]+>GET \/api\/order\/{txid}/);
    });
  });

  describe('e-mails', () => {
    const FIELDS = { email: 'Books@shop.example', locale: 'de', timeZone: 'Europe/Berlin' };
    const recipients = () =>
      select<{ id: string }>(
        app,
        'SELECT * FROM notification_recipients WHERE merchant_id = $1 AND deleted_at IS NULL',
        [shop.merchantId],
      );

    it('are asked for, changed, asked again and deleted', async () => {
      const added = await owner.fill(`${base}/recipients/new`, { ...FIELDS, which: 'all' });
      expect(added.location).toBe(`${base}/recipients?done=added`);
      const [recipient] = await recipients();
      expect(recipient).toMatchObject({
        email: 'books@shop.example',
        mode: 'test',
        minimum_amount: null,
        confirmed_at: null,
      });
      const path = `${base}/recipients/${recipient!.id}`;
      const wishes = { ...FIELDS, which: 'from', minimumAmount: '5000', email: 'x@y.example' };
      expect((await owner.fill(path, wishes)).status).toBe(303);
      const [changed] = await recipients();
      expect(changed).toMatchObject({ email: 'books@shop.example', minimum_amount: 5_000 });
      expect((await owner.post(`${path}/test`)).location).toBe(`${base}/recipients?done=asked`);
      expect((await owner.get(`${base}/recipients`)).html).toContain('Not confirmed yet');
      expect((await owner.get(`${path}/delete`)).html).toContain('Delete this recipient?');
      expect((await owner.post(`${path}/delete`)).status).toBe(303);
      expect(await recipients()).toEqual([]);
      const entry = await lastAudit();
      expect(entry).toMatchObject({ action: 'recipient.deleted', subject: recipient!.id });
      expect(JSON.stringify(entry)).not.toContain('books@');
    });

    it.each([
      ['email', ''],
      ['email', 'a@b'],
      ['locale', 'xx'],
      ['timeZone', 'Nowhere'],
      ['minimumAmount', '0'],
      ['minimumAmount', '12.50'],
    ])('are refused with %s = %j', async (field, value) => {
      const fields = { ...FIELDS, which: 'from', minimumAmount: '1', [field]: value };
      const reply = await owner.fill(`${base}/recipients/new`, fields);
      expect(reply.status).toBe(422);
      expect(reply.html).toContain(`id="${field}-problem"`);
      expect(await recipients()).toEqual([]);
    });

    it.each([NOBODY, 'newest', 'x'])('are not there under the id %s', async (id) => {
      const path = `${base}/recipients/${id}`;
      expect((await owner.get(path)).status).toBe(404);
      for (const action of ['', '/test', '/delete']) {
        expect((await owner.post(`${path}${action}`, FIELDS)).status).toBe(404);
      }
    });
  });

  describe('webhooks', () => {
    const FIELDS = {
      url: 'https://hooks.shop.example/in?token=abc',
      description: HOSTILE,
      eventTypes: 'order.paid',
      apiVersion: '1.2.2',
    };
    const endpoints = () =>
      select<{ id: string; secret: string }>(
        app,
        'SELECT * FROM webhook_endpoints WHERE merchant_id = $1 AND deleted_at IS NULL ORDER BY id',
        [shop.merchantId],
      );

    let id: string;
    let path: string;

    it('are added: the secret is shown once', async () => {
      const mass = { mode: 'live', merchantId: other.merchantId, secret: 'mine', enabled: 'false' };
      const reply = await owner.fill(`${base}/webhooks/new`, { ...FIELDS, ...mass });
      expect(reply.status).toBe(201);
      const [endpoint] = await endpoints();
      ({ id } = endpoint!);
      path = `${base}/webhooks/${id}`;
      expect(endpoint).toMatchObject({ mode: 'test', enabled: true, event_types: ['order.paid'] });
      expect(SECRET.exec(reply.html)![1]).toBe(endpoint!.secret);
      for (const page of [`${base}/webhooks`, path, `${path}/edit`, `${path}/secret`]) {
        const { status, html } = await owner.get(page);
        expect([page, status]).toEqual([page, 200]);
        expect(html).not.toContain(endpoint!.secret);
        expect(html).not.toContain('<script>alert');
      }
      const entry = await lastAudit();
      expect(entry).toMatchObject({
        action: 'webhook.created',
        subject: id,
        data: { host: 'hooks.shop.example' },
      });
      expect(JSON.stringify(entry)).not.toMatch(/whsec_|token=abc/);
    });

    it.each([
      ['url', ''],
      ['url', 'http://hooks.shop.example/'],
      ['url', 'https://127.0.0.1/'],
      ['eventTypes', 'order.lost'],
      ['apiVersion', '9.9'],
      ['description', 'a'.repeat(256)],
      ['optionalField', 'a'.repeat(41)],
    ])('are refused with %s = %j, new and changed', async (field, value) => {
      for (const page of [`${base}/webhooks/new`, `${path}/edit`]) {
        const before = await endpoints();
        const reply = await owner.fill(page, { ...FIELDS, [field]: value });
        expect([page, reply.status]).toEqual([page, 422]);
        expect(reply.html).toContain(`id="${field}-problem"`);
        expect(await endpoints()).toEqual(before);
      }
    });

    it('hear the orders of one shop, or all', async () => {
      const optionalField = '<b>shop</b>';
      const fields = { ...FIELDS, optionalField, optionalFieldValue: 'berlin' };
      const edit = (more: object) => owner.fill(`${path}/edit`, { ...FIELDS, ...more });
      expect((await edit(fields)).status).toBe(303);
      const stored = { field_key: optionalField, field_value: 'berlin' };
      expect((await endpoints())[0]).toMatchObject(stored);
      const onlyOrdersWith = '<b>shop</b> = berlin';
      expect(await lastAudit()).toMatchObject({ data: { onlyOrdersWith } });
      for (const page of [`${base}/webhooks`, path]) {
        expect((await owner.get(page)).html).toContain('&lt;b>shop&lt;/b> = berlin');
      }
      expect((await owner.get(`${path}/edit`)).html).toContain('value="berlin"');
      const none = { optionalField: '', optionalFieldValue: '' };
      expect((await edit(none)).status).toBe(303);
      expect((await endpoints())[0]).toMatchObject({ field_key: null, field_value: null });
    });

    it('are changed, disabled and enabled', async () => {
      const fields = { ...FIELDS, description: '', eventTypes: 'order.failed' };
      expect((await owner.fill(`${path}/edit`, fields)).location).toBe(`${path}?done=saved`);
      expect((await endpoints())[0]).toMatchObject({
        description: null,
        event_types: ['order.failed'],
      });
      await owner.post(`${path}/disable`);
      expect((await endpoints())[0]).toMatchObject({ enabled: false });
      expect(await lastAudit()).toMatchObject({ action: 'webhook.disabled', subject: id });
      await owner.post(`${path}/enable`);
      expect((await endpoints())[0]).toMatchObject({ enabled: true, disabled_reason: null });
    });

    it('get a new secret, shown once', async () => {
      const before = (await endpoints())[0]!.secret;
      expect((await owner.fill(`${path}/secret`, { overlapHours: '169' })).status).toBe(422);
      const reply = await owner.fill(`${path}/secret`, { overlapHours: '12' });
      const [after] = await endpoints();
      expect(SECRET.exec(reply.html)![1]).toBe(after!.secret);
      expect(after).toMatchObject({ previous_secret: before });
      expect(JSON.stringify(await lastAudit())).not.toContain('whsec_');
    });

    it('tell what was sent, page by page and by state', async () => {
      const made = [];
      for (let i = 0; i < 51; i++) {
        await owner.post(`${path}/test`);
        made.push((await lastAudit()).subject);
        app.clock.advance(1);
      }
      const sql = `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL,
        completed_at = created_at WHERE id = $1`;
      await select(app, sql, [made[0]]);
      const shown = (html: string) =>
        [...html.matchAll(/\/deliveries\/([\da-f-]{36})/g)].map(([, found]) => found);
      const first = await owner.get(path);
      expect(shown(first.html)).toEqual(made.toReversed().slice(0, 50));
      const older = /href="([^"]+after=[^"]+)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
      expect(shown((await owner.get(older)).html)).toEqual([made[0]]);
      expect(shown((await owner.get(`${path}?status=failed`)).html)).toEqual([made[0]]);
      expect(shown((await owner.get(`${path}?status=odd&after=odd`)).html)).toHaveLength(50);
    });

    it('show a delivery with its attempts as text, and send it again', async () => {
      const [{ id: deliveryId } = { id: '' }] = await select<{ id: string }>(
        app,
        'SELECT id FROM deliveries WHERE endpoint_id = $1 LIMIT 1',
        [id],
      );
      const insert = `INSERT INTO delivery_attempts (merchant_id, delivery_id, number, started_at,
        duration_ms, succeeded, status_code, error, request_head, response_head)
        VALUES ($1, $2, 1, now(), 12, false, 500, 'It broke.', 'POST /in', $3)`;
      await select(app, insert, [shop.merchantId, deliveryId, HOSTILE]);
      const page = `${path}/deliveries/${deliveryId}`;
      const { html } = await owner.get(page);
      expect(html).toContain('POST /in');
      expect(html).toContain('&lt;script>alert');
      expect(html).not.toContain('<script>alert');
      expect((await owner.post(`${page}/resend`)).location).toBe(`${path}?done=resent`);
      expect(await lastAudit()).toMatchObject({
        action: 'delivery.resent',
        data: { endpoint: id },
      });
      expect(await count(app, 'deliveries', 'endpoint_id = $1 AND resent', [id])).toBe(1);
    });

    it('get the events of a time again', async () => {
      await shop.order();
      app.clock.advance(1_000);
      await owner.fill(`${path}/edit`, { ...FIELDS, eventTypes: 'order.created' });
      const wrong = { from: '2020-01-02T00:00', to: '2020-01-01T00:00' };
      const refused = await owner.fill(`${path}/resend`, wrong);
      expect([refused.status, refused.html.includes('id="to-problem"')]).toEqual([422, true]);
      expect((await owner.fill(`${path}/resend`, {})).html).toContain('id="from-problem"');
      const reply = await owner.fill(`${path}/resend`, { from: '2020-01-01T00:00' });
      expect(reply.html).toContain('1 event is being resent.');
      expect(await lastAudit()).toMatchObject({ action: 'webhook.resent', data: { queued: 1 } });
    });

    it('are not there for others, nor in the other mode', async () => {
      const paths = [
        `/portal/m/${shop.merchantId}/live/webhooks/${id}`,
        `${base}/webhooks/${NOBODY}`,
        `${base}/webhooks/newest`,
      ];
      for (const there of paths) {
        for (const page of ['', '/edit', '/secret', '/delete', '/resend']) {
          expect([page, (await owner.get(`${there}${page}`)).status]).toEqual([page, 404]);
        }
        for (const page of ['/edit', '/enable', '/disable', '/test', '/delete', '/resend']) {
          const fields = { ...FIELDS, from: '2020-01-01T00:00' };
          expect([page, (await owner.post(`${there}${page}`, fields)).status]).toEqual([page, 404]);
        }
      }
      expect((await owner.get(`${path}/deliveries/newest`)).status).toBe(404);
    });

    it('are deleted after a question', async () => {
      expect((await owner.get(`${path}/delete`)).html).toContain('Delete this endpoint?');
      expect((await owner.post(`${path}/delete`)).location).toBe(`${base}/webhooks?done=deleted`);
      expect(await endpoints()).toEqual([]);
      expect((await owner.get(path)).status).toBe(404);
    });
  });

  describe('a code of the last five minutes', () => {
    const STALE = `UPDATE user_sessions SET second_factor_at = second_factor_at - interval '6 minutes'
      WHERE user_id = $1`;
    const EVENTS = { eventTypes: 'order.paid', apiVersion: '1.2.2' };
    const MAILBOX = { email: 'a@shop.example', locale: 'en', timeZone: 'UTC', which: 'all' };
    const BUSINESS = { name: 'Nordlicht', colour: '#ffd400', timeZone: 'UTC' };

    /** What is sent, whose id stands in the path, and what becomes of it. */
    type Form = readonly [
      path: string,
      fields: Record<string, string>,
      status: number,
      table?: string,
    ];
    const OF_A_MODE: readonly Form[] = [
      ['keys/new', { name: 'Key', scopes: 'orders:read', apiVersion: '1.2.2' }, 201],
      ['webhooks/new', { url: 'https://hooks.shop.example/in', ...EVENTS }, 201],
      ['webhooks/ID/edit', { url: 'https://shop.example/in', ...EVENTS }, 303, 'webhook_endpoints'],
      ['webhooks/ID/secret', { overlapHours: '0' }, 200, 'webhook_endpoints'],
      ['webhooks/ID/disable', {}, 303, 'webhook_endpoints'],
      ['webhooks/ID/enable', {}, 303, 'webhook_endpoints'],
      ['webhooks/ID/delete', {}, 303, 'webhook_endpoints'],
      ['recipients/new', MAILBOX, 303],
      ['recipients/ID', MAILBOX, 303, 'notification_recipients'],
      ['recipients/ID/delete', {}, 303, 'notification_recipients'],
      ['bank-accounts/new', { holder: 'Nordlicht', iban: 'DE89370400440532013000' }, 303],
      ['payout-schedule', { currency: 'EUR', frequency: 'daily', minimum: '1.00' }, 303],
      ['payout-schedule/off', { currency: 'EUR' }, 303],
      ['bank-accounts/ID/remove', {}, 303, 'bank_accounts'],
    ];
    const OF_BOTH: readonly Form[] = [
      ['business', BUSINESS, 303],
      ['team/invitations', { email: 'a@else.example', role: 'viewer' }, 303],
      ['team/members/ID/role', { role: 'finance' }, 303, 'viewers'],
      ['team/members/ID/role', { role: 'developer' }, 303, 'viewers'],
    ];

    it.each(['live', 'test'] as const)(
      'is asked for by what acts on live mode: %s',
      async (mode) => {
        const { merchantId } = await app.merchant();
        const { id: viewers } = await person(app, 'viewer', merchantId);
        const somebody = await withTotp(app, await person(app, 'owner', merchantId));
        const browser = await signedIn(app, somebody);
        const idOf = async (table: string): Promise<string> => {
          if (table === 'viewers') return viewers;
          const sql = `SELECT id FROM ${table} WHERE merchant_id = $1 AND mode = $2`;
          return (await select<{ id: string }>(app, sql, [merchantId, mode]))[0]!.id;
        };
        const asking: string[] = [];
        for (const [form, more, status, table] of [...OF_A_MODE, ...OF_BOTH]) {
          const id = table ? await idOf(table) : '';
          const path = `/portal/m/${merchantId}/${mode}/${form.replace('ID', id)}`;
          const isForAccount = form === 'payout-schedule';
          const bankAccountId = isForAccount ? await idOf('bank_accounts') : '';
          const fields = { ...more, ...(isForAccount ? { bankAccountId } : {}) };
          app.clock.advance(30_000);
          await select(app, STALE, [somebody.id]);
          let reply = await browser.fill(path, fields);
          if (reply.html.includes('Confirm your identity')) {
            asking.push(form);
            expect([form, reply.status]).toEqual([form, 422]);
            const code = await codeOf(app, somebody.totp);
            reply = await browser.post(path, { ...fields, code });
          }
          expect([form, reply.status]).toEqual([form, status]);
        }
        const all = mode === 'live' ? [...OF_A_MODE, ...OF_BOTH] : OF_BOTH;
        expect(asking).toEqual(all.map(([form]) => form));
      },
    );

    it('is not asked for by what ends access', async () => {
      const { merchantId } = await app.merchant();
      const somebody = await withTotp(app, await person(app, 'owner', merchantId));
      const guest = await person(app, 'finance', merchantId);
      const browser = await signedIn(app, somebody);
      const { keyId } = await app.key(merchantId, { mode: 'live' });
      await select(app, STALE, [somebody.id]);
      const live = `/portal/m/${merchantId}/live`;
      for (const path of [`keys/${keyId}/revoke`, `team/members/${guest.id}/remove`]) {
        expect((await browser.fill(`${live}/${path}`, {})).status).toBe(303);
      }
    });

    it('needs a second step: without one, owners are led there from team and business', async () => {
      const { merchantId } = await app.merchant();
      const plain = await signedIn(app, await person(app, 'owner', merchantId));
      const base = `/portal/m/${merchantId}/test`;
      for (const page of ['team', 'business']) {
        const reply = await plain.get(`${base}/${page}`);
        expect([reply.status, reply.location]).toEqual([303, '/portal/security?needed=change']);
      }
      const forged = await plain.fill(
        '/portal/security',
        { email: 'b@else.example', role: 'viewer' },
        `${base}/team/invitations`,
      );
      expect(forged.location).toBe('/portal/security?needed=change');
      expect((await plain.get(`${base}/keys`)).status).toBe(200);
    });
  });
});
