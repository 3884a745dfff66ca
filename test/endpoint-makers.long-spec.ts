import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SCOPES } from '../src/database/merchants/api-key.entity.js';
import { BY_KEYS_MAX } from '../src/notifications/webhooks/endpoint-notifier.js';
import { Resolver } from '../src/notifications/webhooks/resolver.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import type { Client, Reply } from './support/client.js';
import { count, select } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import { textOf } from './support/markup.js';
import { Cashier, paidOrder } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const PATH = '/api/webhook-endpoint';
const HOOK = 'https://hooks.shop.example/in';
const ELSEWHERE = 'https://hooks.evil.example/in';
/** What the keys of developers may do. */
const NO_PAYOUTS = SCOPES.filter((scope) => scope !== 'payouts:read');

const server = await MailServer.start();
afterAll(() => server.stop());
const { app } = await openShop({ env: { SMTP_URL: server.url } });

beforeEach(() => {
  const addresses = [{ address: '93.184.215.14', family: 4 }];
  jest.spyOn(app.get(Resolver), 'lookup').mockResolvedValue(addresses);
});

const make = async (client: Client, body: object = {}): Promise<string> => {
  const reply = await client.call<{ id: string }>('POST', PATH, { url: HOOK, ...body });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.id;
};

describe('an endpoint whose maker sees no payouts', () => {
  let cashier: Cashier;
  let seeing: Client;
  let blind: Client;
  beforeEach(async () => {
    seeing = await app.merchant();
    blind = await app.key(seeing.merchantId, { scopes: NO_PAYOUTS });
    cashier = await Cashier.of(app, seeing);
    await paidOrder(seeing, 1000);
  });

  const payoutsFor = (id: string, status = 'pending') =>
    count(app, 'deliveries', `endpoint_id = $1 AND type LIKE 'payout.%' AND status = $2`, [
      id,
      status,
    ]);

  it('hears of none, when they happen and when they are sent again', async () => {
    const [hers, his] = [await make(seeing), await make(blind)];
    const from = app.clock.now().toISOString();
    app.clock.advance(1);
    await cashier.request(500);
    expect([await payoutsFor(hers), await payoutsFor(his)]).toEqual([1, 0]);
    await seeing.call('POST', `${PATH}/${his}/resend`, { from });
    expect(await payoutsFor(his)).toBe(0);
  });

  it('cannot ask for any, and the database refuses it too', async () => {
    const id = await make(blind);
    const wish = { eventTypes: ['order.paid', 'payout.paid'] };
    for (const reply of [
      await blind.call('POST', PATH, { url: HOOK, ...wish }),
      await blind.call('PATCH', `${PATH}/${id}`, wish),
    ]) {
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'missing_scope', missingScope: 'payouts:read' });
    }
    const sql = 'UPDATE webhook_endpoints SET sees_payouts = true WHERE id = $1';
    await expect(select(app, sql, [id])).rejects.toThrow('without access to payouts');
    expect((await seeing.call('PATCH', `${PATH}/${id}`, wish)).status).toBe(200);
    await cashier.request(500);
    expect(await count(app, 'webhook_endpoints', 'id = $1 AND sees_payouts', [id])).toBe(1);
  });

  it('hears of no other than before when somebody else who sees none chooses its events', async () => {
    const names = (reply: Reply) => [reply.status, reply.body['missingScope'] ?? null];
    const choose = (id: string, ...eventTypes: string[]) =>
      blind.call('PATCH', `${PATH}/${id}`, { eventTypes });
    const [orders, paid, all] = [
      await make(seeing, { eventTypes: ['order.paid'] }),
      await make(seeing, { eventTypes: ['order.paid', 'payout.requested'] }),
      await make(seeing),
    ];
    const from = app.clock.now().toISOString();
    for (const id of [orders, paid]) {
      expect(names(await choose(id, 'payout.paid'))).toEqual([403, 'payouts:read']);
    }
    expect(names(await choose(orders))).toEqual([200, null]);
    expect(names(await choose(paid, 'payout.requested', 'order.failed'))).toEqual([200, null]);
    expect(names(await choose(all))).toEqual([200, null]);
    app.clock.advance(1);
    await cashier.request(500);
    await seeing.call('POST', `${PATH}/${orders}/resend`, { from });
    const heard = await Promise.all([orders, paid, all].map((id) => payoutsFor(id)));
    expect(heard).toEqual([0, 1, 1]);
    expect(names(await choose(paid))).toEqual([200, null]);
    expect([await payoutsFor(paid), await payoutsFor(paid, 'cancelled')]).toEqual([0, 1]);
  });

  it('hears no more of them once it is pointed elsewhere, not even of those on their way', async () => {
    const id = await make(seeing);
    await cashier.request(500);
    expect(await payoutsFor(id)).toBe(1);
    await blind.call('PATCH', `${PATH}/${id}`, { description: 'mine' });
    expect(await payoutsFor(id)).toBe(1);
    await blind.call('PATCH', `${PATH}/${id}`, { url: ELSEWHERE });
    expect([await payoutsFor(id), await payoutsFor(id, 'cancelled')]).toEqual([0, 1]);
    const orders = `endpoint_id = $1 AND type LIKE 'order.%' AND status = 'cancelled'`;
    expect(await count(app, 'deliveries', orders, [id])).toBe(0);
  });
});

describe('a key that reads no events', () => {
  const missing = { code: 'missing_scope', missingScope: 'events:read' };

  it('lets nobody hear what it may not read, and lets endpoints hear less', async () => {
    const shop = await app.merchant();
    const blind = await app.key(shop.merchantId, { scopes: ['notifications:write'] });
    const id = await make(shop, { eventTypes: ['order.paid', 'order.expired'] });
    const change = (body: object) => blind.call('PATCH', `${PATH}/${id}`, body);
    for (const less of [
      { url: HOOK, enabled: true, description: 'mine' },
      { eventTypes: ['order.paid'] },
      { enabled: false },
    ]) {
      expect((await change(less)).status).toBe(200);
    }
    const address = { email: 'till@shop.example' };
    for (const reply of [
      await blind.call('POST', PATH, { url: HOOK }),
      await blind.call('POST', '/api/notification-recipient', address),
      await change({ url: ELSEWHERE }),
      await change({ eventTypes: [] }),
      await change({ eventTypes: ['order.failed'] }),
      await change({ enabled: true }),
    ]) {
      expect([reply.status, reply.body]).toMatchObject([403, missing]);
    }
    const wide = await make(shop);
    const reply = await blind.call('PATCH', `${PATH}/${wide}`, { eventTypes: ['order.paid'] });
    expect(reply.status).toBe(200);
  });

  it('makes no endpoint in the database either', async () => {
    const shop = await app.merchant();
    const { keyId } = await app.key(shop.merchantId, { scopes: ['notifications:write'] });
    const id = await make(shop);
    const sql = 'UPDATE webhook_endpoints SET made_by_key = $1, sees_payouts = false WHERE id = $2';
    await expect(select(app, sql, [keyId, id])).rejects.toThrow('without access to events');
    const { id: finance } = await person(app, 'finance', shop.merchantId);
    const by = `UPDATE webhook_endpoints SET made_by = $1, made_by_key = NULL WHERE id = $2`;
    await expect(select(app, by, [finance, id])).rejects.toThrow('without access to events');
  });
});

describe('a live endpoint of a key', () => {
  const entries = (merchantId: string) =>
    select<{ action: string; subject: string; data: object; userId: null; address: string }>(
      app,
      `SELECT action, subject, data, user_id AS "userId", address FROM audit_entries
       WHERE merchant_id = $1 AND action LIKE 'webhook.%' ORDER BY id`,
      [merchantId],
    );

  it('is written down and mailed to owners when it is made or pointed elsewhere', async () => {
    const live = await app.merchant({ mode: 'live', name: 'Nordlicht' });
    const owners = [
      await person(app, 'owner', live.merchantId),
      await person(app, 'owner', live.merchantId),
    ];
    await person(app, 'developer', live.merchantId);
    const id = await make(live);
    await live.call('PATCH', `${PATH}/${id}`, { url: HOOK, description: 'the same' });
    await live.call('PATCH', `${PATH}/${id}`, { url: ELSEWHERE });
    expect(await entries(live.merchantId)).toMatchObject([
      { action: 'webhook.created-by-key', subject: id, userId: null, address: '127.0.0.1' },
      {
        action: 'webhook.pointed-by-key',
        data: { mode: 'live', host: 'hooks.evil.example', key: live.keyId },
      },
    ]);
    await app.get(UserNotices).run();
    for (const { email } of owners) {
      const texts = server.to(email).map(({ subject, text }) => `${subject} ${text}`);
      expect(texts).toHaveLength(2);
      expect(texts[0]).toContain('New address for your webhooks');
      expect(texts[0]).toContain(live.merchantId);
      expect(texts.join()).not.toMatch(/Nordlicht|shop\.example|evil/);
    }
    const test = await app.key(live.merchantId);
    await make(test);
    expect(await entries(live.merchantId)).toHaveLength(2);
  });

  it('is one of ten in a day', async () => {
    const live = await app.merchant({ mode: 'live' });
    const id = await make(live);
    const point = (n: number) => live.call('PATCH', `${PATH}/${id}`, { url: `${HOOK}/${n}` });
    for (let n = 1; n < BY_KEYS_MAX; n++) expect((await point(n)).status).toBe(200);
    const refused = await point(BY_KEYS_MAX);
    expect([refused.status, refused.body['code']]).toEqual([429, 'rate_limited']);
    expect(await entries(live.merchantId)).toHaveLength(BY_KEYS_MAX);
    app.clock.advance(24 * 3_600_000 + 1);
    expect((await point(BY_KEYS_MAX)).status).toBe(200);
  });

  it('is named where the key is revoked, and when it is over', async () => {
    const live = await app.merchant({ mode: 'live' });
    const owner = await withTotp(app, await person(app, 'owner', live.merchantId));
    const browser = await signedIn(app, owner);
    const id = await make(live);
    const base = `/portal/m/${live.merchantId}/live`;
    const link = `href="${base}/webhooks/${id}"`;
    const page = await browser.get(`${base}/keys/${live.keyId}/revoke`);
    expect(textOf(page.html)).toContain(
      'They stay active until you disable them: created endpoint',
    );
    expect(page.html).toContain(link);
    await browser.post(`${base}/keys/${live.keyId}/revoke`);
    const { html } = await browser.get(`${base}/keys`);
    expect(html).toContain(link);
    expect(html).toMatch(/<details[^>]* open/);
    await browser.post(`${base}/webhooks/${id}/disable`);
    expect((await browser.get(`${base}/keys`)).html).not.toContain(link);
  });
});
