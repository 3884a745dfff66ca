import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MerchantsService } from '../src/merchants/merchants.service.js';
import { AccountsService } from '../src/people/accounts.service.js';
import { TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { codeOf, openedAgain, person, type Person, signedIn, withTotp } from './support/people.js';
import { rounds, together } from './support/race.js';

const HOSTILE = '"><script>alert(1)</script>&';
const NOBODY = '019aa2f0-7c00-7000-8000-0123456789ab';
const PATH = '/portal/platform';

describe('the pages of the platform', () => {
  let app: TestApp;
  let merchantId: string;
  let operator: FormBrowser;
  let operating: Person;
  let operatorId: string;
  let viewer: Person;

  beforeAll(async () => {
    app = await TestApp.start();
    ({ merchantId } = await app.merchant({ name: 'Nordlicht' }));
    operating = await withTotp(app, await person(app, 'operator'));
    operatorId = operating.id;
    operator = await signedIn(app, operating);
    viewer = await person(app, 'viewer', merchantId);
  });
  afterAll(() => app.stop());

  const lastAudit = async () =>
    (await select(app, 'SELECT * FROM audit_entries ORDER BY id DESC LIMIT 1'))[0]!;

  describe('merchants', () => {
    it('are found by a part of the name, the newest first', async () => {
      const merchants = app.get(MerchantsService);
      for (let i = 0; i < 51; i++) await merchants.create({ name: `Shop No ${i} 100%_` });
      const names = (html: string) => [...html.matchAll(/<bdi>Shop No (\d+)/g)].map(([, n]) => n);
      const first = await operator.get(`${PATH}?q=${encodeURIComponent('SHOP no')}`);
      const older = /href="([^"]+after=[^"]+)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
      const second = await operator.get(older);
      const all = Array.from({ length: 51 }, (_, i) => String(50 - i));
      expect(names(first.html)).toEqual(all.slice(0, 50));
      expect(names(second.html)).toEqual(['0']);
      expect(names((await operator.get(`${PATH}?q=%25_`)).html)).toHaveLength(50);
      expect((await operator.get(`${PATH}?after=x`)).status).toBe(200);
    });

    it('are opened by support alone', async () => {
      const link = `/portal/m/${merchantId}/live`;
      expect((await operator.get(`${PATH}?q=Nordlicht`)).html).not.toContain(link);
      const support = await signedIn(app, await withTotp(app, await person(app, 'support')));
      expect((await support.get(`${PATH}?q=Nordlicht`)).html).toContain(link);
      expect((await support.get(`${PATH}/merchants/new`)).status).toBe(403);
      expect((await support.post(`${PATH}/merchants/new`, { name: 'Mine' })).status).toBe(403);
    });

    it('are added with a name and a zone, and nothing else', async () => {
      const fields = { name: HOSTILE, timeZone: 'Asia/Tokyo', id: NOBODY, colour: 'ffffff' };
      const reply = await operator.fill(`${PATH}/merchants/new`, fields);
      expect([reply.status, reply.location]).toEqual([303, `${PATH}?done=created`]);
      const [made] = await select(app, 'SELECT * FROM merchants ORDER BY id DESC LIMIT 1');
      expect(made).toMatchObject({ name: HOSTILE, time_zone: 'Asia/Tokyo', colour: '0b4f9e' });
      expect(await lastAudit()).toMatchObject({
        action: 'merchant.created',
        merchant_id: made!['id'],
        user_id: operatorId,
        data: { timeZone: 'Asia/Tokyo' },
      });
      for (const page of [PATH, `${PATH}?q=${encodeURIComponent(HOSTILE)}`, `${PATH}/audit`]) {
        expect((await operator.get(page)).html).not.toContain('<script>alert');
      }
    });

    it.each([
      ['name', ''],
      ['name', 'a'.repeat(141)],
      ['name', 'Shop \u202egnp.exe'],
      ['timeZone', 'Nowhere'],
    ])('are refused with %s = %j', async (field, value) => {
      const before = await count(app, 'merchants', 'true');
      const reply = await operator.fill(`${PATH}/merchants/new`, { name: 'New', [field]: value });
      expect(reply.status).toBe(422);
      expect(reply.html).toContain(`id="${field}-problem"`);
      expect(await count(app, 'merchants', 'true')).toBe(before);
    });
  });

  describe('people', () => {
    it('are listed with their roles, places and last sign-in', async () => {
      await signedIn(app, viewer);
      const { html } = await operator.get(`${PATH}/people?q=${viewer.email.toUpperCase()}`);
      expect(html).toMatch(/Viewer at <bdi>Nordlicht/);
      expect(html).not.toContain('<td data-label="Last sign-in"><div><span');
      expect(html).not.toContain('argon2');
      const unused = await person(app, 'finance', merchantId);
      const other = await operator.get(`${PATH}/people?q=${unused.email}`);
      expect(other.html).toMatch(/data-label="Last sign-in"><div><span[^>]*>Never/);
      expect((await operator.get(`${PATH}/people?q=nobody-at-all`)).html).toContain(
        'No matching people',
      );
    });

    it('are disabled, which ends their sessions for good', async () => {
      const browser = await signedIn(app, viewer);
      const isIn = async () => (await browser.get('/portal')).location?.includes('/portal/m/');
      expect(await isIn()).toBe(true);
      await operator.get(`${PATH}/people`);
      const reply = await operator.post(`${PATH}/people/${viewer.id}/disable`);
      expect(reply.location).toBe(`${PATH}/people?done=locked`);
      expect(await isIn()).toBe(false);
      expect(await lastAudit()).toMatchObject({ action: 'person.disabled', subject: viewer.id });
      await expect(signedIn(app, viewer)).rejects.toThrow('no sign-in');
      await operator.post(`${PATH}/people/${viewer.id}/enable`);
      expect(await lastAudit()).toMatchObject({ action: 'person.enabled', subject: viewer.id });
      expect(await isIn()).toBe(false);
    });

    it('are disabled and enabled with a fresh code, and all owners of theirs are told', async () => {
      const staff = await withTotp(app, await person(app, 'operator'));
      const browser = await signedIn(app, staff);
      const pair = [
        await person(app, 'owner', merchantId),
        await person(app, 'owner', merchantId),
      ] as const;
      const told = `SELECT u.email FROM user_notices n JOIN users u ON u.id = n.user_id
        WHERE n.kind = 'owners-changed' AND n.merchant_id = $1 ORDER BY u.email`;
      const emails = pair
        .map(({ email }) => ({ email }))
        .toSorted((a, b) => (a.email < b.email ? -1 : 1));
      await browser.get(`${PATH}/people`);
      for (const action of ['disable', 'enable']) {
        app.clock.advance(6 * 60_000);
        await select(app, 'DELETE FROM user_notices');
        const path = `${PATH}/people/${pair[0].id}/${action}`;
        expect((await browser.post(path)).status).toBe(422);
        expect(await select(app, told, [merchantId])).toEqual([]);
        const code = await codeOf(app, staff.totp);
        expect((await browser.post(path, { code })).status).toBe(303);
        expect(await select(app, told, [merchantId])).toEqual(emails);
      }
      await select(app, 'UPDATE users SET disabled_at = now() WHERE id = $1', [staff.id]);
      operator = await signedIn(app, operating);
    });

    it('cannot disable themselves', async () => {
      await operator.get(`${PATH}/people`);
      expect((await operator.post(`${PATH}/people/${operatorId}/disable`)).status).toBe(409);
      expect((await operator.get(`${PATH}/people`)).status).toBe(200);
    });

    it('leave one operator of two who disable each other at once', async () => {
      const second = await withTotp(app, await person(app, 'operator'));
      const first = { id: operatorId, browser: operator };
      const pair = [first, { id: second.id, browser: await signedIn(app, second) }] as const;
      for (const { browser } of pair) await browser.get(`${PATH}/people`);
      const able = `SELECT id FROM users WHERE platform_role = 'operator' AND disabled_at IS NULL`;
      await rounds(async () => {
        const replies = await together((n) => {
          const { id } = pair[1 - n]!;
          return pair[n]!.browser.post(`${PATH}/people/${id}/disable`);
        }, 2);
        expect(replies.filter(({ location }) => location?.endsWith('locked'))).toHaveLength(1);
        expect(await select(app, able)).toHaveLength(1);
        const ids = pair.map(({ id }) => id);
        await openedAgain(app, 'id IN ($1, $2)', ids);
        await select(
          app,
          'UPDATE user_sessions SET ended_at = NULL WHERE user_id IN ($1, $2)',
          ids,
        );
      });
      const accounts = app.get(AccountsService);
      await accounts.close(second.email);
      const last = await select(app, 'SELECT email FROM users WHERE id = $1', [operatorId]);
      await expect(accounts.close(String(last[0]!['email']))).rejects.toThrow('last operator');
    });

    it('who work for the platform belong to no merchant', async () => {
      const join = `INSERT INTO memberships VALUES ($1, $2, 'owner', now())`;
      await expect(select(app, join, [merchantId, operatorId])).rejects.toThrow('no merchant');
    });

    it.each([NOBODY, 'newest'])('are not there under the id %s', async (id) => {
      await operator.get(`${PATH}/people`);
      for (const action of ['disable', 'enable']) {
        expect((await operator.post(`${PATH}/people/${id}/${action}`)).status).toBe(404);
      }
    });
  });

  it('tell of health what the metrics tell', async () => {
    await app.merchant({ name: 'Failing shop' });
    const insert = `INSERT INTO webhook_endpoints (merchant_id, id, mode, url, event_types,
        api_version, secret, failing_since, created_at, updated_at)
      VALUES ($1, $2, 'test', 'https://down.example/in?token=abc', '{}', '1.2.2', 'whsec_x',
        $3::timestamptz - interval '3 hours', $3, $3)`;
    await select(app, insert, [merchantId, NOBODY, app.clock.now()]);
    const due = `INSERT INTO deliveries (merchant_id, id, mode, type, endpoint_id, created_at,
        next_attempt_at)
      SELECT $1, gen_random_uuid(), 'test', 'webhook.test', $2, $3, $3::timestamptz
        - interval '5 minutes' FROM generate_series(1, 7)`;
    await select(app, due, [merchantId, NOBODY, app.clock.now()]);
    // No process of this test runs background jobs.
    const late = `INSERT INTO jobs VALUES ('sweep', now() - interval '3 minutes')`;
    await select(app, late, []);
    const { html } = await operator.get(`${PATH}/health`);
    expect(html).toContain('Failing endpoints: 1');
    expect(html).toContain('down.example');
    expect(html).not.toContain('token=abc');
    expect(html).toMatch(/webhook<\/div><\/td><td[^>]*><div>7<\/div><\/td><td[^>]*><div>5 minutes/);
    expect(html).toMatch(/sweep<\/div><\/td><td[^>]*><div>3 minutes/);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('payment_orders_deliveries_due{channel="webhook"} 7');
    expect(metrics).toMatch(/payment_orders_jobs_overdue_seconds\{job="sweep"\} 1[89]\d/);
    expect(metrics).toContain('payment_orders_webhook_endpoints_failing 1');
  });

  it('tell what everybody did, page by page', async () => {
    const total = 60;
    const insert = `INSERT INTO audit_entries (id, action, data, address, created_at)
      SELECT ('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(i), 12, '0'))::uuid, 'sample.' || i,
        jsonb_build_object('note', $2::text), '192.0.2.1', now() FROM generate_series(1, $1::int) i`;
    await select(app, insert, [total, HOSTILE]);
    const first = await operator.get(`${PATH}/audit`);
    const older = /href="([^"]+after=[^"]+)"/.exec(first.html)![1]!;
    const second = await operator.get(older);
    const actions = (html: string) =>
      [...html.matchAll(/sample\.(\d+)/g)].map(([, n]) => Number(n));
    const shown = [...actions(first.html), ...actions(second.html)];
    expect(shown).toEqual(Array.from({ length: total }, (_, i) => total - i));
    expect(first.html).not.toContain('<script>alert');
    expect(first.html).toContain('&lt;script>alert');
  });
});
