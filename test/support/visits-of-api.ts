import { randomUUID } from 'node:crypto';
import { CollectionAccountsService } from '../../src/collection-accounts/collection-accounts.service.js';
import { count } from './facts.js';
import { until } from './race.js';
import { Bank, signed, startPayment } from './bank.js';
import { credited } from './bank-lines.js';
import { paidUnnamed } from './bank-refunds.js';
import { newOrder, type OrderJson } from './client.js';
import type { Asked, Visits, World } from './visits.js';

const HOOKS = '/api/webhook-endpoint';
const MAILBOXES = '/api/notification-recipient';
const LANGUAGE = 'en';

/** The routes of programs, payers, banks and operators' tools. */
export const visitsOfApi = (world: World): Visits => ({
  ...orders(world),
  ...webhooks(world),
  ...recipients(world),
  ...refunds(world),
  ...payouts(world),
  ...payers(world),
  ...operations(),
});

const withKey = () => ({ 'idempotency-key': randomUUID() });

function orders(world: World): Visits {
  const { shop } = world;
  const keyed = async (body: unknown, headers: Record<string, string>) => {
    await shop.send('POST', '/api/order', body, headers).then((reply) => reply.text());
    return headers;
  };
  const pay = async (outcome: string, more: object = {}) => {
    const { txid } = await shop.order();
    return world.api('POST', `/api/test-helpers/order/${txid}/payment`, { outcome, ...more });
  };
  const inProgress = async () => {
    const order = await shop.order();
    await startPayment(world.app, order);
    return order;
  };
  /** A cancelled order whose payer was at the bank. */
  const stopped = async () => {
    const { txid } = await inProgress();
    await shop.cancel(txid);
    return txid;
  };
  const selected = async (query: (order: OrderJson) => string) =>
    world.api('GET', `/api/order${query(await shop.order())}`);
  return {
    'POST /api/order': () => world.api('POST', '/api/order', newOrder()),
    'POST /api/order # with a key': () => world.api('POST', '/api/order', newOrder(), withKey()),
    'POST /api/order # again with its key': async () => {
      const body = newOrder();
      return world.api('POST', '/api/order', body, await keyed(body, withKey()));
    },
    'POST /api/order # again with another key': async () => {
      const body = newOrder();
      await keyed(body, withKey());
      return world.api('POST', '/api/order', body, withKey());
    },
    'POST /api/order # a conflict': async () => {
      const body = newOrder();
      await keyed(body, withKey());
      return world.api('POST', '/api/order', { ...body, amount: 1 });
    },
    'POST /api/order # a conflict with a key': async () => {
      const body = newOrder();
      await keyed(body, withKey());
      return world.api('POST', '/api/order', { ...body, amount: 1 }, withKey());
    },
    'DELETE /api/order/:txid': async () =>
      world.api('DELETE', `/api/order/${(await shop.order()).txid}`),
    'DELETE /api/order/:txid # with a key': async () =>
      world.api('DELETE', `/api/order/${(await shop.order()).txid}`, undefined, withKey()),
    'DELETE /api/order/:txid # while a payer pays': async () =>
      world.api('DELETE', `/api/order/${(await inProgress()).txid}`, undefined, withKey()),
    'DELETE /api/order/:txid # a conflict': async () => {
      const { txid } = await shop.order();
      await shop.pay(txid);
      return world.api('DELETE', `/api/order/${txid}`);
    },
    'DELETE /api/order/:txid # a conflict with a key': async () => {
      const { txid } = await shop.order();
      await shop.pay(txid);
      return world.api('DELETE', `/api/order/${txid}`, undefined, withKey());
    },
    'PATCH /api/order/:txid': async () =>
      world.api('PATCH', `/api/order/${(await shop.order()).txid}`, { amount: 1 }, withKey()),
    'PATCH /api/order/:txid # a conflict': async () =>
      world.api('PATCH', `/api/order/${(await inProgress()).txid}`, { amount: 1 }),
    'GET /api/order': () => selected(({ txid }) => `?txid=${txid}`),
    'GET /api/order # by the merchant’s id': () =>
      selected(({ orderMerchantId }) => `?orderMerchantId=${orderMerchantId}`),
    'GET /api/order/search': () => selected(({ txid }) => `/search?txid=${txid}&q=${txid}`),
    'GET /api/order/search # by a payer, the oldest first': () =>
      selected(() => '/search?payer=Erika&basis=paid&sort=oldest'),
    'GET /api/event # of an order, from a time on': async () =>
      world.api('GET', `/api/event?txid=${(await shop.order()).txid}&from=2020-01-01T00:00:00Z`),
    'GET /api/order/status': () => selected(({ txid }) => `/status?orderTransactionId=${txid}`),
    'GET /api/order/:txid': () => selected(({ txid }) => `/${txid}`),
    'GET /api/order/:txid/status': () => selected(({ txid }) => `/${txid}/status`),
    'GET /api/event': () => world.api('GET', '/api/event?limit=5'),
    'GET /api/event # from now on': () => world.api('GET', '/api/event?after=latest'),
    'GET /api/event # after another': async () => {
      const { body } = await shop.call<{ events: { id: string }[] }>('GET', '/api/event?limit=1');
      const first =
        body.events?.[0]?.id ?? (body as unknown as { data: { id: string }[] }).data[0]!.id;
      return world.api('GET', `/api/event?limit=5&after=${first}`);
    },
    'POST /api/test-helpers/order/:txid/payment': () => pay('paid'),
    'POST /api/test-helpers/order/:txid/payment # of the newest': async () => {
      await shop.order();
      return world.api('POST', '/api/test-helpers/order/newest/payment', { outcome: 'paid' });
    },
    'POST /api/test-helpers/order/:txid/payment # declined': () => pay('declined'),
    'POST /api/test-helpers/order/:txid/late-payment': async () =>
      world.api('POST', `/api/test-helpers/order/${await stopped()}/late-payment`),
    'POST /api/test-helpers/order/:txid/expire': async () => {
      const { txid } = await shop.order();
      return world.api('POST', `/api/test-helpers/order/${txid}/expire`);
    },
    'POST /api/test-helpers/order/:txid/cancel': async () => {
      const { txid } = await shop.order();
      return world.api('POST', `/api/test-helpers/order/${txid}/cancel`);
    },
    'POST /api/test-helpers/order/:txid/accept': async () => {
      const txid = await stopped();
      await shop.call('POST', `/api/test-helpers/order/${txid}/late-payment`);
      return world.api('POST', `/api/test-helpers/order/${txid}/accept`);
    },
    'POST /api/test-helpers/order/:txid/payment # later': () => pay('paid', { afterSeconds: 5 }),
  };
}

function webhooks(world: World): Visits {
  const { shop } = world;
  /** The merchant has room for another one. */
  const forget = () =>
    world.select(
      `UPDATE webhook_endpoints SET deleted_at = now()
       WHERE merchant_id = $1 AND deleted_at IS NULL AND description = 'made by a visit'`,
      [shop.merchantId],
    );
  const body = { url: world.hook, description: 'made by a visit' };
  const endpoint = async (): Promise<string> => {
    await forget();
    return (await shop.call<{ id: string }>('POST', HOOKS, body)).body.id;
  };
  const delivery = async (): Promise<string> => {
    const row = await world.one<{ id: string; endpoint: string }>(
      `SELECT d.id, endpoint_id AS endpoint FROM deliveries d
       JOIN webhook_endpoints e ON e.id = endpoint_id AND e.deleted_at IS NULL
       WHERE d.merchant_id = $1 AND d.mode = 'test' AND event_id IS NOT NULL AND d.status = 'delivered'
       ORDER BY d.id LIMIT 1`,
    );
    return `${row.endpoint}/delivery/${row.id}`;
  };
  return {
    [`GET ${HOOKS}`]: () => world.api('GET', HOOKS),
    [`POST ${HOOKS}`]: async () => {
      await forget();
      return world.api('POST', HOOKS, body);
    },
    [`POST ${HOOKS} # by a live key`]: async () => {
      const { secret } = await world.app.merchant({ mode: 'live' });
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      return { method: 'POST', path: HOOKS, headers, body: JSON.stringify(body) };
    },
    [`GET ${HOOKS}/:id`]: async () => world.api('GET', `${HOOKS}/${await endpoint()}`),
    [`PATCH ${HOOKS}/:id`]: async () =>
      world.api('PATCH', `${HOOKS}/${await endpoint()}`, { enabled: false }),
    [`PATCH ${HOOKS}/:id # to another address`]: async () =>
      world.api('PATCH', `${HOOKS}/${await endpoint()}`, { url: `${world.hook}/2` }),
    [`DELETE ${HOOKS}/:id`]: async () => world.api('DELETE', `${HOOKS}/${await endpoint()}`),
    [`POST ${HOOKS}/:id/secret`]: async () =>
      world.api('POST', `${HOOKS}/${await endpoint()}/secret`, { overlapHours: 1 }),
    [`POST ${HOOKS}/:id/test`]: async () => world.api('POST', `${HOOKS}/${await endpoint()}/test`),
    [`POST ${HOOKS}/:id/resend`]: async () => {
      const from = new Date(world.app.clock.now().getTime() - 3_600_000).toISOString();
      return world.api('POST', `${HOOKS}/${await endpoint()}/resend`, { from });
    },
    [`GET ${HOOKS}/:id/delivery`]: async () =>
      world.api('GET', `${HOOKS}/${(await delivery()).split('/')[0]}/delivery`),
    [`GET ${HOOKS}/:id/delivery/:deliveryId`]: async () =>
      world.api('GET', `${HOOKS}/${await delivery()}`),
    [`POST ${HOOKS}/:id/delivery/:deliveryId/resend`]: async () =>
      world.api('POST', `${HOOKS}/${await delivery()}/resend`),
  };
}

function recipients(world: World): Visits {
  const { shop } = world;
  const forget = async () => {
    await world.select(
      `UPDATE notification_recipients SET email = NULL, deleted_at = now()
       WHERE merchant_id = $1 AND email LIKE 'visit-%' AND deleted_at IS NULL`,
      [shop.merchantId],
    );
    await world.select('DELETE FROM asked_mailboxes WHERE merchant_id = $1', [shop.merchantId]);
  };
  const recipient = async (): Promise<{ id: string; token: string }> => {
    await forget();
    const email = `${world.word('visit')}@shop.example`;
    const { status, body } = await shop.call<{ id: string }>('POST', MAILBOXES, { email });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return world.one(
      'SELECT id, token FROM notification_recipients WHERE merchant_id = $1 AND id = $2',
      body.id,
    );
  };
  const confirmed = async () => {
    const made = await recipient();
    await world.select(
      'UPDATE notification_recipients SET confirmed_at = created_at WHERE id = $1',
      [made.id],
    );
    return made;
  };
  const pages: Visits = Object.fromEntries(
    ['', '/confirm', '/unsubscribe'].map((page) => [
      `GET /notification-recipient/:token${page}`,
      async () =>
        world.anyone('GET', `/notification-recipient/${(await confirmed()).token}${page}`),
    ]),
  );
  return {
    ...pages,
    [`GET ${MAILBOXES}`]: () => world.api('GET', MAILBOXES),
    [`POST ${MAILBOXES}`]: async () => {
      await forget();
      return world.api('POST', MAILBOXES, { email: `${world.word('visit')}@shop.example` });
    },
    [`GET ${MAILBOXES}/:id`]: async () =>
      world.api('GET', `${MAILBOXES}/${(await recipient()).id}`),
    [`PATCH ${MAILBOXES}/:id`]: async () =>
      world.api('PATCH', `${MAILBOXES}/${(await recipient()).id}`, { locale: 'de' }),
    [`DELETE ${MAILBOXES}/:id`]: async () =>
      world.api('DELETE', `${MAILBOXES}/${(await recipient()).id}`),
    [`POST ${MAILBOXES}/:id/test`]: async () =>
      world.api('POST', `${MAILBOXES}/${(await confirmed()).id}/test`),
    'POST /notification-recipient/:token/confirm': async () =>
      world.anyone('POST', `/notification-recipient/${(await recipient()).token}/confirm`, {}),
    'POST /notification-recipient/:token/unsubscribe': async () =>
      world.anyone('POST', `/notification-recipient/${(await confirmed()).token}/unsubscribe`, {}),
  };
}

/** A refund whose payer the bank did not name. @returns its id */
async function asking({ app, shop }: World): Promise<string> {
  const { txid } = await paidUnnamed(app, shop);
  const { body } = await shop.call('POST', `/api/order/${txid}/refund`, {});
  return String(body['id']);
}

async function payerPage(world: World): Promise<string> {
  const { body } = await world.shop.call('GET', `/api/refund/${await asking(world)}/payer-link`);
  return new URL(String(body['url'])).pathname;
}

function refunds(world: World): Visits {
  const { shop } = world;
  const ofPaid = async (body: object = {}) => {
    const { txid } = await shop.order();
    await shop.pay(txid);
    return { path: `/api/order/${txid}/refund`, body };
  };
  const made = async (): Promise<string> => {
    const { path, body } = await ofPaid();
    return String((await shop.call('POST', path, body)).body['id']);
  };
  return {
    'POST /api/order/:txid/refund': async () => {
      const { path, body } = await ofPaid({ amount: 100 });
      return world.api('POST', path, body);
    },
    'POST /api/order/:txid/refund # with a key': async () => {
      const { path, body } = await ofPaid();
      return world.api('POST', path, body, withKey());
    },
    'POST /api/order/:txid/refund # with an id': async () => {
      const { path, body } = await ofPaid({ refundMerchantId: `R-${randomUUID()}` });
      return world.api('POST', path, body);
    },
    'POST /api/order/:txid/refund # to a payer whom the bank did not name': async () => {
      const { txid } = await paidUnnamed(world.app, shop);
      return world.api('POST', `/api/order/${txid}/refund`, {});
    },
    'GET /api/refund': () => world.api('GET', '/api/refund?limit=5'),
    'GET /api/refund/:id': async () => world.api('GET', `/api/refund/${await made()}`),
    'DELETE /api/refund/:id': async () => world.api('DELETE', `/api/refund/${await made()}`),
    'DELETE /api/refund/:id # by bank': async () => {
      const order = await shop.order();
      await credited(world.app, shop, order, order.amount);
      const { body } = await shop.call('POST', `/api/order/${order.txid}/refund`, {});
      return world.api('DELETE', `/api/refund/${String(body['id'])}`);
    },
    'GET /api/refund/:id/payer-link': async () =>
      world.api('GET', `/api/refund/${await asking(world)}/payer-link`),
    'GET /refund-account/:token': async () => world.anyone('GET', await payerPage(world)),
    'POST /refund-account/:token': async () =>
      world.anyone('POST', await payerPage(world), {
        holder: 'Paula Payer',
        iban: 'DE89370400440532013000',
      }),
    'POST /api/test-helpers/refund/:id': async () =>
      world.api('POST', `/api/test-helpers/refund/${await made()}`, { outcome: 'succeeded' }),
  };
}

function payouts(world: World): Visits {
  const id = async () =>
    (
      await world.one(
        `SELECT id FROM payouts WHERE merchant_id = $1 AND status = 'paid' ORDER BY id LIMIT 1`,
      )
    ).id;
  return {
    'GET /api/balance': () => world.api('GET', '/api/balance'),
    'GET /api/payout': () => world.api('GET', '/api/payout'),
    'GET /api/payout/:id': async () => world.api('GET', `/api/payout/${await id()}`),
    'GET /api/payout/:id/line': async () => world.api('GET', `/api/payout/${await id()}/line`),
  };
}

type Result = 'booked' | 'refused';

/** To which account transfers go is asked again after any change. */
const forgetAccounts = ({ app }: World) => app.get(CollectionAccountsService).disable(randomUUID());

function payers(world: World): Visits {
  const { app, shop } = world;
  const page = async (method: string, path = '', fields?: Record<string, string>) => {
    const order = await shop.order();
    await forgetAccounts(world);
    return world.anyone(method, new URL(order.paymentPageUrl).pathname + path, fields);
  };
  /** Somebody is at the bank. */
  const atBank = async () => {
    const order = await shop.order();
    const payment = await startPayment(app, order);
    const { reference } = await world.one<{ reference: string }>(
      'SELECT provider_reference AS reference FROM payments WHERE merchant_id = $1 AND id = $2',
      payment,
    );
    return { order, payment, path: new URL(order.paymentPageUrl).pathname, reference };
  };
  const callback = async (
    result: Result = 'booked',
    before?: Result,
    isSameId = false,
  ): Promise<Asked> => {
    const { order, payment } = await atBank();
    const bank = await Bank.of(app, shop);
    const firstId = randomUUID();
    const id = isSameId ? firstId : randomUUID();
    if (before) {
      await bank.send(bank.message(order, payment, before, { id: firstId }));
      // Those of earlier visits may have met a fault.
      await until('it is applied', async () => {
        const waiting = 'payment_id = $1 AND applied_at IS NULL';
        return (await count(app, 'provider_events', waiting, [payment])) === 0;
      });
    }
    const body = JSON.stringify(bank.message(order, payment, result, { id }));
    return {
      method: 'POST',
      path: `/provider-callback/sandbox/${bank.account.id}`,
      headers: { 'content-type': 'application/json', ...signed(app, bank.account.secret, body) },
      body,
    };
  };
  return {
    'GET /pay/:token': () => page('GET'),
    'GET /pay/:token/events': async () => ({ ...(await page('GET', '/events')), isStream: true }),
    'GET /pay/:token/return': () => page('GET', '/return'),
    'GET /pay/:token/return # from the bank': async () =>
      world.anyone('GET', `${(await atBank()).path}/return`),
    'GET /pay/:token/continue': async () =>
      world.anyone('GET', `${(await atBank()).path}/continue`),
    'POST /pay/:token/start': () => page('POST', '/start', { method: 'sandbox', lang: LANGUAGE }),
    'POST /pay/:token/cancel': () => page('POST', '/cancel', {}),
    'POST /pay/:token/cancel # while at the bank': async () =>
      world.anyone('POST', `${(await atBank()).path}/cancel`, {}),
    'GET /sandbox-bank/:reference': async () =>
      world.anyone('GET', `/sandbox-bank/${(await atBank()).reference}`),
    'POST /sandbox-bank/:reference': async () =>
      world.anyone('POST', `/sandbox-bank/${(await atBank()).reference}`, { outcome: 'paid' }),
    'POST /provider-callback/:provider/:account': () => callback(),
    'POST /provider-callback/:provider/:account # with a wrong signature': async () => {
      const signed = await callback();
      return { ...signed, body: `${signed.body as string} ` };
    },
    'POST /provider-callback/:provider/:account # money after a refusal': () =>
      callback('booked', 'refused'),
    'POST /provider-callback/:provider/:account # a refusal after money': () =>
      callback('refused', 'booked'),
    'POST /provider-callback/:provider/:account # other contents under the same id': () =>
      callback('refused', 'booked', true),
  };
}

/** Where nobody is asked who he is. */
function operations(): Visits {
  const paths = {
    '/': '/',
    '/changelog': '/changelog',
    '/docs': '/docs',
    '/docs/:name': '/docs/1.0',
    '/docs/assets/:name': '/docs/assets/swagger-ui.css',
    '/docs/openapi.json': '/docs/openapi.json',
    '/errors': '/errors',
    '/errors/:code': '/errors/unavailable',
    '/health/live': '/health/live',
    '/health/ready': '/health/ready',
    '/metrics': '/metrics',
    '/notification-recipient/assets/page.css': '/notification-recipient/assets/page.css',
    '/pay/assets/pay.css': '/pay/assets/pay.css',
    '/pay/assets/pay.js': '/pay/assets/pay.js',
    '/portal/assets/portal.css': '/portal/assets/portal.css',
    '/portal/assets/portal.js': '/portal/assets/portal.js',
  };
  return Object.fromEntries(
    Object.entries(paths).map(([route, path]) => [
      `GET ${route}`,
      async () => ({ method: 'GET', path }),
    ]),
  );
}
