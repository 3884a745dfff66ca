import { paidUnnamed } from './bank-refunds.js';
import { ExportWorker } from '../../src/exports/export-worker.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import { BankAccountsService } from '../../src/payouts/bank-accounts.service.js';
import { PayoutFilesService } from '../../src/payouts/payout-files.service.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import { GUESSES_MAX } from '../../src/people/second-factor/guesses.service.js';
import { TotpService } from '../../src/people/second-factor/totp.service.js';
import { startPayment, Bank } from './bank.js';
import { withoutTriggers } from './facts.js';
import { Cashier, paidOrder } from './payouts.js';
import { PASSWORD, type Person, person, withTotp } from './people.js';
import { type Asked, sent, type Visits, type World } from './visits.js';

const MINUTE_MS = 60_000;
const FRESH = 'nine quiet tin drums';
const MERCHANT = '/portal/m/:merchantId/:mode';

/** The routes of the portal. */
export const visitsOfPortal = (world: World): Visits => ({
  ...people(world),
  ...team(world),
  ...history(world),
  ...settings(world),
  ...bankAccounts(world),
  ...payouts(world),
  ...platform(world),
  ...payoutPages(world),
});

const simply = (world: World, paths: readonly string[]): Visits =>
  Object.fromEntries(
    paths.map((path) => [
      `GET ${MERCHANT}${path.split('?')[0]}`,
      () => world.get(world.base + path),
    ]),
  );

function people(world: World): Visits {
  const { app } = world;
  const link = async (kind: string): Promise<string> => {
    const row = await world.one<{ token: string }>(
      `SELECT token FROM user_links WHERE $1::text IS NOT NULL AND kind = $2 AND token IS NOT NULL
       ORDER BY id DESC LIMIT 1`,
      kind,
    );
    return `/portal/${kind}/${row.token}`;
  };
  const ask = (asked: Asked) => sent(app, asked);
  const reset = async () => {
    const { email } = await world.colleague();
    await ask(await world.post('/portal/reset', { email }));
    return link('reset');
  };
  const invitation = async (email: string) => {
    await ask(await world.post(`${world.base}/team/invitations`, { email, role: 'finance' }));
    return link('invitation');
  };
  const stranger = () => `${world.word('stranger')}@else.example`;
  const owing = { shownAt: null };
  const security = '/portal/security';
  const recovery = async () => {
    const made = await withTotp(app, await world.colleague());
    return world.post('/portal/sign-in/code', { code: made.recoveryCodes[0]! }, made, owing);
  };
  /** Somebody who was wrong before, and is again. */
  const guess = async (before: number) => {
    const made = await withTotp(app, await world.colleague());
    const asked = await world.post('/portal/sign-in/code', { code: '000000' }, made, owing);
    await world.select('UPDATE user_sessions SET wrong_guesses = $2 WHERE user_id = $1', [
      made.id,
      before,
    ]);
    return asked;
  };
  const otherSession = async () => {
    const made = await world.colleague();
    await world.get('/portal', made);
    const { id } = await world.one(
      'SELECT id FROM user_sessions WHERE $1::text IS NOT NULL AND user_id = $2 LIMIT 1',
      made.id,
    );
    return { made, id };
  };
  return {
    'GET /portal': () => world.get('/portal'),
    'GET /portal # after a while': async () => {
      const asked = await world.get('/portal');
      app.clock.advance(10 * MINUTE_MS);
      return asked;
    },
    'GET /portal/security': () => world.get(security),
    'GET /portal/security/second-factor': async () =>
      world.get(`${security}/second-factor`, await world.colleague()),
    'POST /portal/security/second-factor': async () => {
      const made = await world.colleague();
      const { secret } = app.get(TotpService).propose(made.email);
      const code = await world.code({ ...made, totp: secret });
      return world.post(`${security}/second-factor`, { secret, code, proof: PASSWORD }, made);
    },
    'POST /portal/security/password': async () =>
      world.post(
        `${security}/password`,
        { old: PASSWORD, fresh: FRESH, again: FRESH },
        await world.colleague(),
      ),
    'POST /portal/security/recovery-codes': async () =>
      world.post(`${security}/recovery-codes`, { code: await world.code(world.owner) }),
    'POST /portal/security/sessions/:id/end': async () => {
      const { made, id } = await otherSession();
      return world.post(`${security}/sessions/${id}/end`, {}, made);
    },
    'POST /portal/security/sessions/end-others': async () =>
      world.post(`${security}/sessions/end-others`, {}, (await otherSession()).made),
    'GET /portal/sign-in': () => world.anyone('GET', '/portal/sign-in'),
    'POST /portal/sign-in': async () =>
      world.post(
        '/portal/sign-in',
        { email: (await world.colleague()).email, password: PASSWORD },
        null,
      ),
    'GET /portal/sign-in/code': () => world.get('/portal/sign-in/code', world.owner, owing),
    'POST /portal/sign-in/code': async () =>
      world.post(
        '/portal/sign-in/code',
        { code: await world.code(world.owner) },
        world.owner,
        owing,
      ),
    'POST /portal/sign-in/code # with a recovery code': recovery,
    'POST /portal/sign-in # a wrong password': async () =>
      world.post(
        '/portal/sign-in',
        { email: (await world.colleague()).email, password: FRESH },
        null,
      ),
    'POST /portal/sign-in/code # a wrong code': () => guess(0),
    'POST /portal/sign-in/code # a wrong code once too often': () => guess(GUESSES_MAX - 1),
    'POST /portal/sign-out': () => world.post('/portal/sign-out'),
    'GET /portal/reset': () => world.anyone('GET', '/portal/reset'),
    'GET /portal/reset/asked': () => world.anyone('GET', '/portal/reset/asked'),
    'GET /portal/reset/done': () => world.anyone('GET', '/portal/reset/done'),
    'POST /portal/reset': async () =>
      world.post('/portal/reset', { email: (await world.colleague()).email }, null),
    'GET /portal/reset/:token': async () => world.anyone('GET', await reset()),
    'POST /portal/reset/:token': async () =>
      world.post(await reset(), { fresh: FRESH, again: FRESH }, null),
    'GET /portal/invitation/:token': async () => world.anyone('GET', await invitation(stranger())),
    'POST /portal/invitation/:token/register': async () =>
      world.post(
        `${await invitation(stranger())}/register`,
        { name: 'Mara Vogt', fresh: FRESH, again: FRESH },
        null,
      ),
    'POST /portal/invitation/:token/accept': async () => {
      const invited = await person(app, 'viewer');
      return world.post(`${await invitation(invited.email)}/accept`, {}, invited);
    },
  };
}

function team(world: World): Visits {
  const path = `${world.base}/team`;
  const member = async () => `${path}/members/${(await world.colleague()).id}`;
  const invitation = async () => {
    const email = `${world.word('guest')}@else.example`;
    await sent(world.app, await world.post(`${path}/invitations`, { email, role: 'finance' }));
    const { id } = await world.one(
      'SELECT id FROM user_links WHERE merchant_id = $1 AND email = $2',
      email,
    );
    // The first mail is some time ago.
    world.app.clock.advance(MINUTE_MS * 60);
    return `${path}/invitations/${id}`;
  };
  return {
    ...simply(world, ['/team', '/audit']),
    [`POST ${MERCHANT}/team/invitations`]: () =>
      world.post(`${path}/invitations`, {
        email: `${world.word('guest')}@else.example`,
        role: 'finance',
      }),
    [`POST ${MERCHANT}/team/invitations/:id/again`]: async () =>
      world.post(`${await invitation()}/again`),
    [`POST ${MERCHANT}/team/invitations/:id/revoke`]: async () =>
      world.post(`${await invitation()}/revoke`),
    [`POST ${MERCHANT}/team/members/:userId/role`]: async () =>
      world.post(`${await member()}/role`, { role: 'developer' }),
    [`POST ${MERCHANT}/team/members/:userId/role # an owner`]: async () =>
      world.post(`${await member()}/role`, { role: 'owner' }),
    [`POST ${MERCHANT}/team/members/:userId/remove`]: async () =>
      world.post(`${await member()}/remove`),
  };
}

function history(world: World): Visits {
  const { app, base, shop, support } = world;
  const paid = async () => {
    const { txid } = await shop.order();
    await shop.pay(txid);
    return `${base}/orders/${txid}`;
  };
  const open = async () => `${base}/orders/${(await shop.order()).txid}`;
  /** A refund that waits for approval, as refunds of live money do. */
  const requestedRefund = async () => {
    const path = await paid();
    const txid = path.slice(path.lastIndexOf('/') + 1);
    const { body } = await shop.call('POST', `/api/order/${txid}/refund`, {});
    const id = String(body['id']);
    await world.select('ALTER TABLE refunds DISABLE TRIGGER refunds_moves');
    await world.select(
      `UPDATE refunds SET status = 'requested', next_attempt_at = NULL WHERE id = $1`,
      [id],
    );
    await world.select('ALTER TABLE refunds ENABLE TRIGGER refunds_moves');
    return `${path}/refunds/${id}`;
  };
  /** A refund whose payer has entered an account. */
  const enteredAccount = async () => {
    const { txid } = await paidUnnamed(app, shop);
    const { body } = await shop.call('POST', `/api/order/${txid}/refund`, {});
    const id = String(body['id']);
    const set = `UPDATE refund_payees SET holder = 'Paula', iban = 'DE89370400440532013000', entered_at = $2 WHERE refund_id = $1`;
    await world.select(set, [id, app.clock.now()]);
    return `${base}/orders/${txid}/refunds/${id}`;
  };
  const clear = () =>
    world.select(`UPDATE exports SET status = 'cancelled', place = NULL, lease_until = NULL,
      finished_at = created_at, expires_at = created_at WHERE status IN ('queued', 'running')`);
  const made = async (path: string, who: Person = world.owner): Promise<string> => {
    await clear();
    await sent(app, await world.post(path, { file: 'machine', language: 'en' }, who));
    const sql = `SELECT id FROM exports WHERE $1::text IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1`;
    return (await world.one(sql)).id;
  };
  const ready = async (path: string, who: Person = world.owner): Promise<string> => {
    const id = await made(path, who);
    await app.get(ExportWorker).drain();
    return id;
  };
  const all = '/portal/all/test';
  const delivery = async () => {
    const row = await world.one<{ id: string; txid: string }>(
      `SELECT d.id, e.txid FROM deliveries d JOIN events e ON e.id = d.event_id
       WHERE d.merchant_id = $1 AND d.status = 'delivered' AND d.endpoint_id IS NOT NULL
         AND e.txid IS NOT NULL AND d.mode = 'test' ORDER BY d.id LIMIT 1`,
    );
    return `${base}/orders/${row.txid}/deliveries/${row.id}/resend`;
  };
  const view = async () => {
    const name = world.word('view');
    await world.select('DELETE FROM saved_views WHERE merchant_id = $1', [shop.merchantId]);
    return { name, query: 'status=paid' };
  };
  return {
    ...simply(world, ['', '/orders', '/orders/download', '/exports']),
    ...simply(world, ['/refunds', '/refunds/download.csv']),
    [`GET ${MERCHANT}/refunds # by a number`]: () =>
      world.get(`${base}/refunds?q=A-1&status=failed`),
    [`GET ${MERCHANT}/orders # with sums`]: () => world.get(`${base}/orders?sums=1&status=paid`),
    [`GET ${MERCHANT}/orders # by a word`]: () => world.get(`${base}/orders?currency=EUR`),
    [`GET ${MERCHANT}/orders/download # with sums`]: () =>
      world.get(`${base}/orders/download?sums=1`),
    [`GET ${MERCHANT}/orders/download.csv`]: () =>
      world.get(`${base}/orders/download.csv?file=machine`),
    [`GET ${MERCHANT}/orders/download.csv # for Excel`]: () =>
      world.get(`${base}/orders/download.csv?file=excel`),
    [`GET ${MERCHANT}/orders/:txid`]: async () => world.get(await paid()),
    [`GET ${MERCHANT}/orders/:txid/payer`]: async () => world.get(`${await paid()}/payer`),
    [`POST ${MERCHANT}/orders/:txid/payer`]: async () => world.post(`${await paid()}/payer`),
    [`GET ${MERCHANT}/orders/:txid/versions`]: async () => world.get(`${await paid()}/versions`),
    [`GET ${MERCHANT}/orders/:txid/cancel`]: async () => world.get(`${await open()}/cancel`),
    [`POST ${MERCHANT}/orders/:txid/cancel`]: async () => world.post(`${await open()}/cancel`),
    [`GET ${MERCHANT}/orders/:txid/refund`]: async () => world.get(`${await paid()}/refund`),
    [`POST ${MERCHANT}/orders/:txid/refund`]: async () =>
      world.post(`${await paid()}/refund`, { amount: '1.00', seen: '8990' }),
    [`POST ${MERCHANT}/orders/:txid/refunds/:refundId/approve`]: async () =>
      world.post(`${await requestedRefund()}/approve`),
    [`POST ${MERCHANT}/orders/:txid/refunds/:refundId/confirm-account`]: async () =>
      world.post(`${await enteredAccount()}/confirm-account`),
    [`POST ${MERCHANT}/orders/:txid/refunds/:refundId/reject`]: async () =>
      world.post(`${await requestedRefund()}/reject`),
    [`POST ${MERCHANT}/orders/:txid/refunds/:refundId/cancel`]: async () =>
      world.post(`${await requestedRefund()}/cancel`),
    [`POST ${MERCHANT}/orders/:txid/notes`]: async () =>
      world.post(`${await open()}/notes`, { note: 'A note' }),
    [`POST ${MERCHANT}/orders/:txid/deliveries/:deliveryId/resend`]: async () =>
      world.post(await delivery()),
    [`POST ${MERCHANT}/orders/views`]: async () => world.post(`${base}/orders/views`, await view()),
    [`POST ${MERCHANT}/orders/views/delete`]: async () =>
      world.post(`${base}/orders/views/delete`, await view()),
    [`POST ${MERCHANT}/exports`]: async () => {
      await clear();
      return world.post(`${base}/exports`, { file: 'machine', language: 'en' });
    },
    [`GET ${MERCHANT}/exports/:id/:part`]: async () =>
      world.get(`${base}/exports/${await ready(`${base}/exports`)}/file.csv`),
    [`GET ${MERCHANT}/exports/:id/:part # manifest`]: async () =>
      world.get(`${base}/exports/${await ready(`${base}/exports`)}/manifest.json`),
    [`POST ${MERCHANT}/exports/:id/cancel`]: async () =>
      world.post(`${base}/exports/${await made(`${base}/exports`)}/cancel`),
    'GET /portal/all/:mode/orders': () => world.get(`${all}/orders`, support),
    'GET /portal/all/:mode/orders/download': () => world.get(`${all}/orders/download`, support),
    'GET /portal/all/:mode/orders/download.csv': () =>
      world.get(`${all}/orders/download.csv?file=machine`, support),
    'GET /portal/all/:mode/exports': () => world.get(`${all}/exports`, support),
    'POST /portal/all/:mode/exports': async () => {
      await clear();
      return world.post(`${all}/exports`, { file: 'machine', language: 'en' }, support);
    },
    'GET /portal/all/:mode/exports/:id/:part': async () =>
      world.get(`${all}/exports/${await ready(`${all}/exports`, support)}/file.csv`, support),
    'POST /portal/all/:mode/exports/:id/cancel': async () =>
      world.post(`${all}/exports/${await made(`${all}/exports`, support)}/cancel`, {}, support),
  };
}

function settings(world: World): Visits {
  const { app, base, shop } = world;
  const key = async () => `${base}/keys/${(await app.key(shop.merchantId)).keyId}`;
  const forget = (table: string) =>
    world.select(
      `UPDATE ${table} SET deleted_at = now()${table === 'webhook_endpoints' ? '' : ', email = NULL'} WHERE merchant_id = $1 AND deleted_at IS NULL
       AND ${table === 'webhook_endpoints' ? `description = 'portal'` : `email LIKE 'portal-%'`}`,
      [shop.merchantId],
    );
  const mailbox = () => ({
    email: `${world.word('portal')}@shop.example`,
    locale: 'en',
    timeZone: 'UTC',
    which: 'all',
  });
  const recipient = async () => {
    await forget('notification_recipients');
    const { which: _, ...body } = mailbox();
    const made = await shop.call<{ id: string }>('POST', '/api/notification-recipient', body);
    await world.select(
      'UPDATE notification_recipients SET confirmed_at = created_at WHERE id = $1',
      [made.body.id],
    );
    return `${base}/recipients/${made.body.id}`;
  };
  const hook = { url: world.hook, description: 'portal', apiVersion: '1.2.2', eventTypes: [] };
  const endpoint = async () => {
    await forget('webhook_endpoints');
    const { body } = await shop.call<{ id: string }>('POST', '/api/webhook-endpoint', hook);
    return `${base}/webhooks/${body.id}`;
  };
  const delivery = async () => {
    const row = await world.one<{ id: string; endpoint: string }>(
      `SELECT d.id, endpoint_id AS endpoint FROM deliveries d
       JOIN webhook_endpoints e ON e.id = endpoint_id AND e.deleted_at IS NULL
       WHERE d.merchant_id = $1 AND d.mode = 'test' AND event_id IS NOT NULL AND d.status = 'delivered'
       ORDER BY d.id LIMIT 1`,
    );
    return `${base}/webhooks/${row.endpoint}/deliveries/${row.id}`;
  };
  const business = {
    name: 'Rich life',
    contactUrl: '',
    colour: '#0b4f9e',
    logoUrl: '',
    timeZone: 'UTC',
  };
  const at =
    (make: () => Promise<string>, path = '') =>
    async () =>
      world.get((await make()) + path);
  return {
    ...simply(world, ['/business', '/business/preview', '/keys', '/keys/new', '/recipients']),
    ...simply(world, ['/recipients/new', '/webhooks', '/webhooks/new']),
    [`POST ${MERCHANT}/business`]: () => world.post(`${base}/business`, business),
    [`POST ${MERCHANT}/keys/new`]: () =>
      world.post(`${base}/keys/new`, {
        name: 'Key',
        scopes: 'orders:read',
        apiVersion: '1.2',
        expires: '',
        allowedIps: '',
      }),
    [`GET ${MERCHANT}/keys/:id/roll`]: at(key, '/roll'),
    [`POST ${MERCHANT}/keys/:id/roll`]: async () =>
      world.post(`${await key()}/roll`, { overlapHours: '24' }),
    [`GET ${MERCHANT}/keys/:id/revoke`]: at(key, '/revoke'),
    [`POST ${MERCHANT}/keys/:id/revoke`]: async () => world.post(`${await key()}/revoke`),
    [`POST ${MERCHANT}/recipients/new`]: async () => {
      await forget('notification_recipients');
      return world.post(`${base}/recipients/new`, mailbox());
    },
    [`GET ${MERCHANT}/recipients/:id`]: at(recipient),
    [`POST ${MERCHANT}/recipients/:id`]: async () =>
      world.post(await recipient(), { ...mailbox(), locale: 'de' }),
    [`GET ${MERCHANT}/recipients/:id/delete`]: at(recipient, '/delete'),
    [`POST ${MERCHANT}/recipients/:id/delete`]: async () =>
      world.post(`${await recipient()}/delete`),
    [`POST ${MERCHANT}/recipients/:id/test`]: async () => world.post(`${await recipient()}/test`),
    [`POST ${MERCHANT}/webhooks/new`]: async () => {
      await forget('webhook_endpoints');
      return world.post(`${base}/webhooks/new`, hook);
    },
    [`GET ${MERCHANT}/webhooks/:id`]: at(endpoint),
    [`GET ${MERCHANT}/webhooks/:id/edit`]: at(endpoint, '/edit'),
    [`POST ${MERCHANT}/webhooks/:id/edit`]: async () =>
      world.post(`${await endpoint()}/edit`, { ...hook, url: `${world.hook}/2` }),
    [`GET ${MERCHANT}/webhooks/:id/delete`]: at(endpoint, '/delete'),
    [`POST ${MERCHANT}/webhooks/:id/delete`]: async () => world.post(`${await endpoint()}/delete`),
    [`GET ${MERCHANT}/webhooks/:id/secret`]: at(endpoint, '/secret'),
    [`POST ${MERCHANT}/webhooks/:id/secret`]: async () =>
      world.post(`${await endpoint()}/secret`, { overlapHours: '24' }),
    [`GET ${MERCHANT}/webhooks/:id/resend`]: at(endpoint, '/resend'),
    [`POST ${MERCHANT}/webhooks/:id/resend`]: async () => {
      const day = (ahead: number) =>
        new Date(app.clock.now().getTime() + ahead * 86_400_000).toISOString().slice(0, 10);
      return world.post(`${await endpoint()}/resend`, {
        from: `${day(-1)}T00:00`,
        to: `${day(0)}T00:00`,
        includeDelivered: 'yes',
      });
    },
    [`POST ${MERCHANT}/webhooks/:id/test`]: async () => world.post(`${await endpoint()}/test`),
    [`POST ${MERCHANT}/webhooks/:id/disable`]: async () =>
      world.post(`${await endpoint()}/disable`),
    [`POST ${MERCHANT}/webhooks/:id/enable`]: async () => world.post(`${await endpoint()}/enable`),
    [`GET ${MERCHANT}/webhooks/:id/deliveries/:deliveryId`]: at(delivery),
    [`POST ${MERCHANT}/webhooks/:id/deliveries/:deliveryId/resend`]: async () =>
      world.post(`${await delivery()}/resend`),
  };
}

function bankAccounts(world: World): Visits {
  const { app, base, cashier } = world;
  const retire = () =>
    withoutTriggers(
      app,
      `UPDATE bank_accounts SET retired_at = created_at, created_at = created_at - interval '2 days'
       WHERE merchant_id = $1 AND holder = 'Visit' AND retired_at IS NULL`,
      [world.shop.merchantId],
    );
  const fields = () => ({ holder: 'Visit', iban: world.iban() });
  const account = async () => {
    await retire();
    const made = await app.get(BankAccountsService).add(cashier.scope, fields(), world.owner.id);
    return `${base}/bank-accounts/${made!.id}`;
  };
  const schedule = {
    currency: 'EUR',
    frequency: 'daily',
    minimum: '10.00',
    bankAccountId: cashier.account.id,
  };
  return {
    ...simply(world, ['/bank-accounts', '/bank-accounts/new', '/payout-schedule']),
    [`POST ${MERCHANT}/bank-accounts/new`]: async () => {
      await retire();
      return world.post(`${base}/bank-accounts/new`, fields());
    },
    [`GET ${MERCHANT}/bank-accounts/:id/confirm`]: async () =>
      world.get(`${await account()}/confirm`),
    [`POST ${MERCHANT}/bank-accounts/:id/confirm`]: async () =>
      world.post(`${await account()}/confirm`),
    [`POST ${MERCHANT}/bank-accounts/:id/confirm # with a code`]: async () =>
      world.post(
        `${await account()}/confirm`,
        { code: await world.code(world.owner) },
        world.owner,
        {
          shownAt: new Date(app.clock.now().getTime() - 10 * MINUTE_MS),
        },
      ),
    [`GET ${MERCHANT}/bank-accounts/:id/remove`]: async () =>
      world.get(`${await account()}/remove`),
    [`POST ${MERCHANT}/bank-accounts/:id/remove`]: async () =>
      world.post(`${await account()}/remove`),
    [`POST ${MERCHANT}/payout-schedule`]: () => world.post(`${base}/payout-schedule`, schedule),
    [`POST ${MERCHANT}/payout-schedule/off`]: async () => {
      await sent(app, await world.post(`${base}/payout-schedule`, schedule));
      return world.post(`${base}/payout-schedule/off`, { currency: 'EUR' });
    },
  };
}

function payouts(world: World): Visits {
  const { app, base, cashier } = world;
  const path = `${base}/payouts`;
  const wish = { amount: 50, bankAccountId: cashier.account.id };
  const draft = async () => {
    const balance = { ...cashier.scope, currency: 'EUR' };
    const { id } = await app.get(PayoutsService).draft(balance, wish, world.owner.id);
    return `${path}/${id}`;
  };
  const requested = async () => `${path}/${(await cashier.request(50)).id}`;
  const paid = async () => {
    const { id } = await world.one(
      `SELECT id FROM payouts WHERE merchant_id = $1 AND status = 'paid' ORDER BY id LIMIT 1`,
    );
    return `${path}/${id}`;
  };
  const form = { currency: 'EUR', amount: '0.50', account: cashier.account.id };
  const page = { page: `${path}/new` };
  return {
    ...simply(world, ['/payouts', '/payouts/new', '/payouts/download.csv']),
    [`POST ${MERCHANT}/payouts/new`]: () => world.post(`${path}/new`, form, world.owner, page),
    [`POST ${MERCHANT}/payouts/new # as a draft`]: () =>
      world.post(`${path}/new?as=draft`, form, world.owner, page),
    [`POST ${MERCHANT}/payouts/new # again`]: async () => {
      const asked = await world.post(`${path}/new`, form, world.owner, page);
      await sent(app, asked);
      return asked;
    },
    [`GET ${MERCHANT}/payouts/:id`]: async () => world.get(await paid()),
    [`GET ${MERCHANT}/payouts/:id/lines.csv`]: async () => world.get(`${await paid()}/lines.csv`),
    [`GET ${MERCHANT}/payouts/:id/edit`]: async () => world.get(`${await draft()}/edit`),
    [`POST ${MERCHANT}/payouts/:id/edit`]: async () =>
      world.post(`${await draft()}/edit`, { ...form, amount: '0.60' }),
    [`POST ${MERCHANT}/payouts/:id/edit # a request`]: async () =>
      world.post(`${await requested()}/edit`, { ...form, amount: '0.60' }),
    [`GET ${MERCHANT}/payouts/:id/submit`]: async () => world.get(`${await draft()}/submit`),
    [`POST ${MERCHANT}/payouts/:id/submit`]: async () => world.post(`${await draft()}/submit`),
    [`GET ${MERCHANT}/payouts/:id/cancel`]: async () => world.get(`${await requested()}/cancel`),
    [`POST ${MERCHANT}/payouts/:id/cancel`]: async () => world.post(`${await requested()}/cancel`),
  };
}

function platform(world: World): Visits {
  const { operator, shop } = world;
  const path = '/portal/platform';
  const get = (page: string) => () => world.get(path + page, operator);
  const somebody = async () => `${path}/people/${(await world.colleague()).id}`;
  return {
    'GET /portal/platform': get(''),
    'GET /portal/platform/audit': get('/audit'),
    'GET /portal/platform/health': get('/health'),
    'GET /portal/platform/people': get('/people?q=person'),
    'GET /portal/platform/merchants/new': get('/merchants/new'),
    'POST /portal/platform/merchants/new': () =>
      world.post(`${path}/merchants/new`, { name: 'New', timeZone: 'UTC' }, operator),
    'GET /portal/platform/merchants/:merchantId': get(`/merchants/${shop.merchantId}`),
    'POST /portal/platform/merchants/:merchantId': async () =>
      world.post(
        `${path}/merchants/${shop.merchantId}`,
        { provider: 'sandbox', currency: 'EUR', percent: '1', fixed: '0.10' },
        operator,
      ),
    'POST /portal/platform/people/:id/disable': async () =>
      world.post(`${await somebody()}/disable`, {}, operator),
    'POST /portal/platform/people/:id/enable': async () => {
      const made = await world.colleague();
      await world.select('UPDATE users SET disabled_at = now() WHERE id = $1', [made.id]);
      return world.post(`${path}/people/${made.id}/enable`, {}, operator);
    },
  };
}

function payoutPages(world: World): Visits {
  const { app, cashier, operator, shop } = world;
  const path = '/portal/platform/payouts/test';
  const prefix = '/portal/platform/payouts/:mode';
  /** Of a merchant whose money came through a provider, so that nobody has a hand in it. */
  const payout = async () => {
    const other = await Cashier.of(app, await app.merchant());
    await paidOrder(other.shop, 100);
    return `${path}/${other.shop.merchantId}/${(await other.request(50)).id}`;
  };
  /** The operator has asked for it, and so needs somebody else who approves it. */
  const own = async () => {
    const wish = { amount: 50, bankAccountId: cashier.account.id };
    const balance = { ...cashier.scope, currency: 'EUR' };
    const { id } = await app.get(PayoutsService).request(balance, wish, operator.id);
    return `${path}/${shop.merchantId}/${id}`;
  };
  const exported = async () => {
    const { id } = await cashier.approvedByAnother(50);
    await cashier.export();
    const { fileId } = await app.get(PayoutsService).find(cashier.scope, id);
    return {
      payout: `${path}/${shop.merchantId}/${id}`,
      file: `${path}/files/${fileId!}`,
      fileId: fileId!,
    };
  };
  const submitted = async () => {
    const made = await exported();
    await app.get(PayoutFilesService).submitted(made.fileId);
    return made;
  };
  const get =
    (make: () => Promise<string>, more = '') =>
    async () =>
      world.get((await make()) + more, operator);
  const file = async () => (await exported()).file;
  const approval = async () => {
    const page = await payout();
    return { page, sender: { page } };
  };
  const unallocated = '/portal/platform/unallocated/:mode';
  const late = async () => {
    const order = await shop.order({ amount: 1_000 });
    const payment = await startPayment(app, order);
    app.clock.advance(61 * MINUTE_MS);
    await app.get(Sweeper).run();
    const bank = await Bank.of(app, shop);
    await bank.send(bank.message(order, payment, 'booked'));
    await bank.settled();
    return `/portal/platform/unallocated/test/${shop.merchantId}/${order.txid}`;
  };
  /** A message that fits nothing. */
  const odd = async () => {
    await shop.pay((await shop.order()).txid);
    const { id } = await world.one(
      `WITH told AS (UPDATE provider_events SET result = 'mismatch' WHERE id =
         (SELECT id FROM provider_events WHERE merchant_id = $1 ORDER BY id DESC LIMIT 1)
       RETURNING id) SELECT id FROM told`,
    );
    return `/portal/platform/unallocated/test/${shop.merchantId}/${id}`;
  };
  return {
    [`GET ${prefix}`]: () => world.get(path, operator),
    [`GET ${prefix}/:merchantId/:id`]: get(payout),
    [`GET ${prefix}/:merchantId/:id # of an own request`]: get(own),
    [`GET ${prefix}/:merchantId/:id/:outcome`]: async () =>
      world.get(`${(await submitted()).payout}/returned`, operator),
    [`POST ${prefix}/:merchantId/:id/:outcome`]: async () =>
      world.post(`${(await submitted()).payout}/returned`, { reason: 'Closed' }, world.teller),
    [`POST ${prefix}/:merchantId/:id/approve`]: async () => {
      const { page, sender } = await approval();
      return world.post(`${page}/approve`, {}, operator, sender);
    },
    [`POST ${prefix}/:merchantId/:id/approve # with a code`]: async () => {
      const { page, sender } = await approval();
      const shownAt = new Date(app.clock.now().getTime() - 10 * MINUTE_MS);
      const fields = { code: await world.code(operator) };
      return world.post(`${page}/approve`, fields, operator, { ...sender, shownAt });
    },
    [`POST ${prefix}/:merchantId/:id/approve # of an own request, which is wrong`]: async () => {
      const page = await own();
      return world.post(`${page}/approve`, {}, operator, { page });
    },
    [`POST ${prefix}/:merchantId/:id/reject`]: async () =>
      world.post(`${await payout()}/reject`, { reason: 'Not now' }, operator),
    [`GET ${prefix}/files`]: () => world.get(`${path}/files`, operator),
    [`GET ${prefix}/files/new`]: async () => {
      await cashier.approvedByAnother(50);
      return world.get(`${path}/files/new?currency=EUR`, operator);
    },
    [`POST ${prefix}/files/new`]: async () => {
      await cashier.approvedByAnother(50);
      return world.post(
        `${path}/files/new`,
        { currency: 'EUR', format: 'pain.001.001.09' },
        operator,
      );
    },
    [`POST ${prefix}/files/new # where the account is wrong`]: async () => {
      await cashier.approvedByAnother(50);
      await cashier.export();
      const other = await Cashier.of(app, await app.merchant());
      await paidOrder(other.shop, 100);
      await other.approve(await other.request(50));
      const retire = 'UPDATE bank_accounts SET retired_at = now() WHERE id = $1';
      await world.select(retire, [other.account.id]);
      return world.post(
        `${path}/files/new`,
        { currency: 'EUR', format: 'pain.001.001.09' },
        operator,
      );
    },
    [`GET ${prefix}/files/:id`]: get(file),
    [`POST ${prefix}/files/:id/download`]: async () =>
      world.post(`${await file()}/download`, {}, operator),
    [`GET ${prefix}/files/:id/not-sent`]: get(file, '/not-sent'),
    [`POST ${prefix}/files/:id/not-sent`]: async () =>
      world.post(`${await file()}/not-sent`, {}, operator),
    [`POST ${prefix}/files/:id/not-sent # of a file that somebody has`]: async () => {
      const made = await exported();
      const sql = `INSERT INTO audit_entries (id, action, subject, data, address, created_at)
        SELECT gen_random_uuid(), 'payout-file.downloaded', $1, '{}', '192.0.2.1', max(created_at) FROM audit_entries`;
      await world.select(sql, [made.fileId]);
      return world.post(`${made.file}/not-sent`, { downloads: '1' }, operator);
    },
    [`POST ${prefix}/files/:id/submitted`]: async () =>
      world.post(`${await file()}/submitted`, {}, operator),
    [`POST ${prefix}/files/:id/paid`]: async () =>
      world.post(`${(await submitted()).file}/paid`, {}, operator),
    [`GET ${unallocated}`]: () => world.get('/portal/platform/unallocated/test', operator),
    [`GET ${unallocated}/:merchantId/:id`]: get(late),
    [`POST ${unallocated}/:merchantId/:id`]: async () => {
      const page = await late();
      return world.post(page, {}, operator, { page });
    },
    [`GET ${unallocated}/:merchantId/:id/refund`]: get(late, '/refund'),
    [`POST ${unallocated}/:merchantId/:id/refund`]: async () => {
      const page = `${await late()}/refund`;
      const fields = { currency: 'EUR', amount: '1.00', note: 'Transfer 7' };
      return world.post(page, fields, operator, { page });
    },
    [`POST ${unallocated}/:merchantId/:id/handled`]: async () =>
      world.post(`${await odd()}/handled`, {}, operator),
  };
}
