import { execFile } from 'node:child_process';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../src/database/database.js';
import { DeliveryRepository } from '../src/database/notifications/delivery.repository.js';
import { AttemptLog } from '../src/notifications/webhooks/attempt-log.js';
import { WebhookSender } from '../src/notifications/webhooks/webhook-sender.js';
import { Resolver } from '../src/notifications/webhooks/resolver.js';
import { ASKED_MAX } from '../src/notifications/webhooks/webhook-deliveries.service.js';
import { WebhookWorker } from '../src/notifications/webhooks/webhook-worker.js';
import { DeliveryLogPurge } from '../src/notifications/delivery-log-purge.js';
import { TestApp } from './support/app.js';
import { selfSigned } from './support/certificate.js';
import type { Client } from './support/client.js';
import { onPostgres } from './support/database.js';
import { IDLE } from './support/delivery-rows.js';
import { count, select } from './support/facts.js';
import { addRecipient } from './support/mailbox.js';
import { readAll } from './support/feed.js';
import { rounds, tally } from './support/race.js';
import * as receivers from './support/receiver.js';
import { type Answer, Receiver, verified } from './support/receiver.js';
import { openShop } from './support/shop.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface DeliveryJson {
  id: string;
  webhookId: string;
  type: string;
  status: string;
  attemptCount: number;
  createdAt: string;
  nextAttemptAt: string | null;
  resent: boolean;
  attempts: Record<string, unknown>[];
}

interface Hook {
  readonly id: string;
  readonly secret: string;
}

const PATH = '/api/webhook-endpoint';
const SENDER = new URL('../src/notifications/webhooks/webhook-sender.js', import.meta.url).href;
const { app } = await openShop({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const worker = app.get(WebhookWorker);

describe('webhooks', () => {
  let shop: Client;
  let receiver: Receiver;

  beforeEach(async () => {
    // The standard's library compares timestamps with the real time.
    app.clock.set(new Date());
    shop = await app.merchant();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await receiver.stop();
    // What is left of a test must not come due in the next one.
    await select(
      app,
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'by_merchant'
      WHERE enabled`,
    );
  });

  const hook = async (body: Record<string, unknown> = {}, client = shop): Promise<Hook> => {
    const created = await client.call<Hook & Record<string, unknown>>('POST', PATH, {
      url: receiver.url,
      ...body,
    });
    if (created.status !== 201) throw new Error(created.text);
    return created.body;
  };
  const endpoint = async ({ id }: Hook) => (await shop.call('GET', `${PATH}/${id}`)).body;
  const log = async ({ id }: Hook): Promise<DeliveryJson[]> => {
    const path = `${PATH}/${id}/delivery`;
    return (await shop.call<{ data: DeliveryJson[] }>('GET', path)).body.data;
  };
  /** The newest delivery with its attempts. */
  const newest = async (target: Hook): Promise<DeliveryJson> => {
    const [{ id }] = (await log(target)) as [DeliveryJson];
    return (await shop.call<DeliveryJson>('GET', `${PATH}/${target.id}/delivery/${id}`)).body;
  };
  const failed = async (target: Hook): Promise<unknown> => {
    const { attempts } = await newest(target);
    return attempts.at(-1)!['error'];
  };
  /** One order, later than all before it, and one look of the worker. */
  const send = async (): Promise<void> => {
    app.clock.advance(1);
    await shop.order();
    await worker.drain();
  };

  describe('are signed as Standard Webhooks says', () => {
    it('and verified by its own library', async () => {
      const { secret } = await hook();
      const order = await shop.order({ description: 'Zwei Stühle 🪑' });
      await shop.pay(order.txid);
      await worker.drain();
      const payloads = receiver.received.map((each) => verified(secret, each));
      expect(payloads).toMatchObject([
        { type: 'order.created', data: { txid: order.txid, status: 'open' } },
        { type: 'order.processing', data: { status: 'processing' } },
        { type: 'order.paid', data: { status: 'paid', description: 'Zwei Stühle 🪑' } },
      ]);
      expect(payloads).toEqual(await readAll(shop));
      const { headers, path } = receiver.last;
      expect(path).toBe('/hook');
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'payment-order-service',
        host: `127.0.0.1:${receiver.port}`,
      });
      expect(headers).not.toHaveProperty('authorization');
      const events = await select<{ id: string }>(
        app,
        'SELECT id FROM events WHERE txid = $1 ORDER BY sequence',
        [order.txid],
      );
      const ids = receiver.received.map((each) => each.headers['webhook-id']);
      expect(ids).toEqual(events.map(({ id }) => id));
    });

    it('and refused when a byte, the secret or the time is another', async () => {
      const { secret } = await hook();
      const other = await hook();
      await send();
      const now = app.clock.now();
      const [received] = receiver.received;
      expect(receiver.received).toHaveLength(2);
      const mine = receiver.received.filter((each) => {
        try {
          return verified(secret, each);
        } catch {
          return false;
        }
      });
      expect(mine).toHaveLength(1);
      const bytes = { ...mine[0]!, body: mine[0]!.body.replace('EUR', 'EUS') };
      expect(() => verified(secret, bytes)).toThrow('No matching signature');
      expect(() => verified(other.secret, mine[0]!)).toThrow('No matching signature');
      expect(received!.headers['webhook-timestamp']).toBe(String(Math.floor(now.getTime() / 1000)));
      for (const [seconds, message] of [
        [-301, 'too old'],
        [310, 'too new'],
      ] as const) {
        app.clock.set(new Date(now.getTime() + seconds * SECOND));
        receiver.received.length = 0;
        await shop.call('POST', `${PATH}/${other.id}/test`);
        await worker.drain();
        expect(() => verified(other.secret, receiver.last)).toThrow(message);
      }
      app.clock.set(new Date(now.getTime() - 290 * SECOND));
      await shop.call('POST', `${PATH}/${other.id}/test`);
      await worker.drain();
      expect(verified(other.secret, receiver.last)).toMatchObject({ type: 'webhook.test' });
    });

    it('and by both secrets while one replaces the other', async () => {
      const { id, secret } = await hook();
      const rolled = await shop.call<Hook>('POST', `${PATH}/${id}/secret`, { overlapHours: 1 });
      await send();
      expect(verified(secret, receiver.last)).toBeDefined();
      expect(verified(rolled.body.secret, receiver.last)).toBeDefined();
      await select(app, `UPDATE webhook_endpoints SET previous_secret_until = $2 WHERE id = $1`, [
        id,
        app.clock.now(),
      ]);
      await send();
      expect(() => verified(secret, receiver.last)).toThrow('No matching signature');
      expect(verified(rolled.body.secret, receiver.last)).toBeDefined();
    });

    it('in the contract of each endpoint', async () => {
      const newer = await hook();
      const older = await hook({ apiVersion: '1.0' });
      const { txid } = await shop.order({ optionalFields: { table: '7' } });
      await shop.pay(txid);
      await worker.drain();
      const of = (secret: string) =>
        receiver.received.flatMap((each) => {
          try {
            return [verified(secret, each) as { type: string; data: Record<string, unknown> }];
          } catch {
            return [];
          }
        });
      const [paid] = of(newer.secret).filter(({ type }) => type === 'order.paid');
      expect(paid!.data).toMatchObject({ optionalFields: { table: '7' } });
      expect(paid!.data['payment']).toHaveProperty('payerAccountNumber');
      const [old] = of(older.secret).filter(({ type }) => type === 'order.paid');
      expect(old!.data).not.toHaveProperty('optionalFields');
      expect(old!.data['payment']).not.toHaveProperty('payerAccountNumber');
    });
  });

  it('show how each attempt went', async () => {
    const target = await hook();
    receiver.next({
      status: 500,
      headers: { 'x-why': 'x' },
      body: `\u001b[31mno\u0000${'y'.repeat(2_000)}`,
    });
    await send();
    app.clock.advance(10 * SECOND);
    await worker.drain();
    const { attempts, ...delivery } = await newest(target);
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 2, nextAttemptAt: null });
    expect(attempts).toMatchObject([
      {
        number: 1,
        succeeded: false,
        statusCode: 500,
        error: 'The receiver answered 500; only 2xx is a success.',
        requestHead: expect.stringMatching(
          /^POST \/hook HTTP\/1.1\nhost: [^]*webhook-signature: v1,/,
        ),
        responseHead: expect.stringMatching(
          /^HTTP\/1.1 500 Internal Server Error\nx-why: x\n[^]*\n\n\ufffd\[31mno\ufffdy+$/,
        ),
      },
      { number: 2, succeeded: true, statusCode: 204, error: null },
    ]);
    const [first] = attempts;
    expect(Buffer.byteLength(first!['responseHead'] as string)).toBeLessThan(1_400);
    expect(JSON.stringify(attempts)).not.toContain('whsec_');
    expect(app.log.join()).not.toMatch(/whsec_|webhook-signature|yyyy/);
  });

  it('keep no body of an answer to a live webhook, which may repeat the payer', async () => {
    const live = await app.merchant({ mode: 'live' });
    const target = await hook({}, live);
    for (const [client, kept] of [
      [live, false],
      [shop, true],
    ] as const) {
      const { id } = client === live ? target : await hook();
      receiver.next({ status: 500, headers: { 'x-why': 'x' }, body: 'cannot handle Jane' });
      await client.call('POST', `${PATH}/${id}/test`);
      await worker.drain();
      const { body: page } = await client.call<{ data: DeliveryJson[] }>(
        'GET',
        `${PATH}/${id}/delivery`,
      );
      const path = `${PATH}/${id}/delivery/${page.data[0]!.id}`;
      const [attempt] = (await client.call<DeliveryJson>('GET', path)).body.attempts;
      expect(attempt!['responseHead']).toMatch(/^HTTP\/1.1 500 [^]*x-why: x\n/);
      expect(String(attempt!['responseHead']).includes('Jane')).toBe(kept);
    }
  });

  it.each<[string, Answer, string]>([
    ['301', { status: 301, headers: { location: 'https://127.0.0.1/' } }, '301; redirects are not'],
    ['302', { status: 302, headers: { location: 'file:///etc/passwd' } }, '302; redirects are not'],
    ['307', { status: 307, headers: { location: '/elsewhere' } }, '307; redirects are not'],
    ['308', { status: 308, headers: { location: '/elsewhere' } }, '308; redirects are not'],
    ['304', 304, '304; redirects are not'],
    ['400', 400, 'answered 400'],
    ['404', 404, 'answered 404'],
    ['503', 503, 'answered 503'],
    ['a closed connection', receivers.closes, 'closed the connection before its answer'],
    ['half an answer', receivers.breaksOff, 'closed the connection before its answer'],
    ['10,000 headers', receivers.manyHeaders, 'too many headers'],
    ['another protocol', receivers.gibberish, 'not valid HTTP'],
  ])('take %s for a failure, and come again', async (_, answer, reason) => {
    const target = await hook();
    receiver.next(answer);
    await send();
    expect(await failed(target)).toContain(reason);
    expect(receiver.received).toHaveLength(1);
    const { status, nextAttemptAt } = await newest(target);
    expect(status).toBe('pending');
    const ms = Date.parse(nextAttemptAt!) - app.clock.now().getTime();
    expect(ms).toBeGreaterThanOrEqual(4 * SECOND);
    expect(ms).toBeLessThanOrEqual(6 * SECOND);
  });

  it('say when nobody is there', async () => {
    const target = await hook({ url: 'http://127.0.0.1:9/' });
    await send();
    expect(await failed(target)).toBe('The receiver refused the connection.');
  });

  it('wait 15 s for a whole answer, and no longer', async () => {
    const slow = [receivers.silent, receivers.drips, receivers.dripsHeaders, receivers.informs];
    const others = await Promise.all(slow.map(() => Receiver.start()));
    slow.forEach((answer, i) => others[i]!.always(answer));
    const targets = await Promise.all(others.map(({ url }) => hook({ url })));
    // Even what never settles, and hears no signal.
    const addresses = [{ address: '93.184.215.14', family: 4 }];
    const lookup = jest.spyOn(app.get(Resolver), 'lookup').mockResolvedValue(addresses);
    targets.push(await hook({ url: 'https://hooks.shop.example/' }));
    lookup.mockReturnValue(new Promise(() => undefined));
    const started = performance.now();
    await send();
    const ms = performance.now() - started;
    expect(ms).toBeGreaterThan(14_900);
    expect(ms).toBeLessThan(20_000);
    for (const target of targets) expect(await failed(target)).toContain('within 15 s');
    await Promise.all(others.map((other) => other.stop()));
  });

  it('fail at once when the receiver leaves HTTP, and give their places back', async () => {
    const target = await hook();
    receiver.always(receivers.switches);
    const started = performance.now();
    for (let i = 0; i < 2; i++) await send();
    expect(performance.now() - started).toBeLessThan(5_000);
    const [attempt] = (await newest(target)).attempts;
    expect(attempt).toMatchObject({
      statusCode: 101,
      error: 'The receiver answered 101; only 2xx is a success.',
      responseHead: expect.stringContaining('HTTP/1.1 101 Switching Protocols'),
    });
    receiver.always(204);
    await send();
    expect(await newest(target)).toMatchObject({ status: 'delivered' });
  });

  it('read no more of an answer than they need', async () => {
    const target = await hook();
    receiver.next(receivers.endless);
    const started = performance.now();
    await send();
    expect(performance.now() - started).toBeLessThan(5_000);
    const { status, attempts } = await newest(target);
    expect(status).toBe('delivered');
    expect((attempts[0]!['responseHead'] as string).length).toBeLessThan(1_500);
  });

  it('read few pieces of an answer, and wait for few announcements of one', async () => {
    const target = await hook();
    const started = performance.now();
    receiver.next(receivers.crumbs);
    await send();
    expect((await newest(target)).status).toBe('delivered');
    receiver.next(receivers.earlyHints);
    await send();
    expect(performance.now() - started).toBeLessThan(5_000);
    const { attempts } = await newest(target);
    expect(attempts[0]).toMatchObject({
      statusCode: null,
      error: 'The receiver kept announcing an answer that did not come.',
    });
  });

  it('do not use a proxy that the environment names', async () => {
    const proxy = await Receiver.start();
    // Node reads these variables when it starts.
    const script = `
      import { WebhookSender } from ${JSON.stringify(SENDER)};
      const url = new URL(${JSON.stringify(receiver.url)});
      const addresses = [{ address: '127.0.0.1', family: 4 }];
      const guard = { check: async () => ({ url, host: url.hostname, addresses }) };
      const request = { url: url.href, headers: {}, body: '{}' };
      const { error } = await new WebhookSender(guard).post(request, new AbortController().signal);
      if (error) throw new Error(error);`;
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];
    const env = Object.fromEntries(names.map((name) => [name, proxy.urlAt('127.0.0.1', '')]));
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...env, NODE_USE_ENV_PROXY: '1' },
    });
    expect([receiver.received.length, proxy.received.length]).toEqual([1, 0]);
    await proxy.stop();
  });

  describe('look where they go', () => {
    const at = (...addresses: string[]) =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const resolver = () => jest.spyOn(app.get(Resolver), 'lookup');

    it('each time, for a name can lead elsewhere tomorrow', async () => {
      const lookup = resolver().mockResolvedValue(at('127.0.0.1'));
      const target = await hook({ url: receiver.urlAt('hooks.shop.example') });
      for (const addresses of [
        at('10.0.0.1'),
        at('127.0.0.1', '10.0.0.1'),
        at('::ffff:10.0.0.1'),
        at('169.254.169.254'),
        at('93.184.215.14'),
      ]) {
        lookup.mockResolvedValue(addresses);
        await send();
        expect(await failed(target)).toContain(
          'The URL must begin with https://, unless WEBHOOK_ALLOWED_NETWORKS',
        );
      }
      lookup.mockResolvedValue([]);
      await send();
      expect(await failed(target)).toBe('The host has no address.');
      lookup.mockRejectedValue(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
      await send();
      expect(await failed(target)).toContain('does not exist');
      expect(receiver.received).toEqual([]);
      expect(await endpoint(target)).toMatchObject({ failingSince: expect.any(String) });
    });

    it('refuse a name that was public and leads inside now', async () => {
      const lookup = resolver().mockResolvedValue(at('93.184.215.14'));
      const target = await hook({ url: 'https://hooks.shop.example/' });
      lookup.mockResolvedValue(at('10.0.0.1'));
      await send();
      expect(await failed(target)).toBe('The host has an address that is not public.');
    });

    it('once, and connect to what they have seen', async () => {
      const lookup = resolver().mockResolvedValue(at('127.0.0.1'));
      await hook({ url: receiver.urlAt('hooks.shop.example') });
      lookup.mockReset();
      lookup.mockResolvedValueOnce(at('127.0.0.1')).mockResolvedValue(at('127.0.0.99'));
      await send();
      expect(receiver.received).toHaveLength(1);
      expect(receiver.last.headers.host).toBe(`hooks.shop.example:${receiver.port}`);
      expect(lookup).toHaveBeenCalledTimes(1);
    });
  });

  describe('over TLS', () => {
    const trusted = getCACertificates('default');
    afterAll(() => setDefaultCACertificates(trusted));

    const over = async (certificate: ReturnType<typeof selfSigned>, isTrusted: boolean) => {
      setDefaultCACertificates(isTrusted ? [...trusted, certificate.cert] : trusted);
      // A new thread trusts what the process trusts by then.
      await app.get(WebhookSender).onApplicationShutdown();
      jest
        .spyOn(app.get(Resolver), 'lookup')
        .mockResolvedValue([{ address: '127.0.0.1', family: 4 }]);
      const secure = await Receiver.start(certificate);
      const target = await hook({ url: secure.urlAt('hooks.shop.example') });
      await send();
      await secure.stop();
      return { target, received: secure.received.length };
    };

    it('reach a receiver with a good certificate', async () => {
      const { target, received } = await over(selfSigned({ name: 'hooks.shop.example' }), true);
      expect((await newest(target)).status).toBe('delivered');
      expect(received).toBe(1);
    });

    it.each([
      ['self-signed', selfSigned({ name: 'hooks.shop.example' }), false, 'self-signed'],
      [
        'expired',
        selfSigned({ name: 'hooks.shop.example', to: new Date(Date.now() - HOUR) }),
        true,
        'has expired',
      ],
      [
        'not valid yet',
        selfSigned({ name: 'hooks.shop.example', from: new Date(Date.now() + HOUR) }),
        true,
        'not valid yet',
      ],
      ['of another name', selfSigned({ name: 'other.example' }), true, 'for another name'],
    ])('tell no secret to one whose certificate is %s', async (_, certificate, isTrusted, why) => {
      const { target, received } = await over(certificate, isTrusted);
      expect(await failed(target)).toContain(why);
      expect(received).toBe(0);
    });
  });

  it('leave although the clock of whoever queued them was days ahead', async () => {
    const { id } = await hook();
    await addRecipient(shop, 'till@shop.example');
    app.clock.advance(10 * DAY);
    await shop.order();
    await addRecipient(shop, 'reconciliation@shop.example');
    await shop.call('POST', `${PATH}/${id}/test`, {});
    await shop.call('POST', `${PATH}/${id}/resend`, { from: '2026-01-01T00:00:00Z' });
    receiver.next(500);
    await worker.drain();
    const ahead = await select<{ type: string; attempts: number }>(
      app,
      `SELECT type, attempts FROM deliveries WHERE merchant_id = $1
         AND next_attempt_at > now() + CASE attempts WHEN 0 THEN interval '0' ELSE interval '30 hours' END`,
      [shop.merchantId],
    );
    expect(ahead).toEqual([]);
    app.clock.set(new Date());
    await shop.order();
    await worker.drain();
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as DeliveryJson).type)).toEqual(
      expect.arrayContaining(['webhook.test', 'order.created']),
    );
  });

  describe('come again', () => {
    /** Those of the schedule; between them the endpoint is asked whether it answers. */
    const attemptsOf = async (target: Hook) => {
      const [{ n }] = (await select<{ n: number }>(
        app,
        'SELECT attempts - extra_attempts AS n FROM deliveries WHERE endpoint_id = $1',
        [target.id],
      )) as [{ n: number }];
      return n;
    };
    // A clock ahead of the database's withholds nothing, so these days pass before today.
    beforeEach(() => app.clock.set(new Date(Date.now() - 10 * DAY)));

    it('at 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and then give up', async () => {
      receiver.always(500);
      const target = await hook();
      await send();
      const delays = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24];
      for (const [i, hours] of delays.entries()) {
        expect((await newest(target)).status).toBe('pending');
        app.clock.advance(hours * 0.79 * HOUR);
        await worker.drain();
        expect(await attemptsOf(target)).toBe(i + 1);
        app.clock.advance(hours * 0.42 * HOUR);
        await worker.drain();
        expect(await attemptsOf(target)).toBe(i + 2);
      }
      const { status, attemptCount } = await newest(target);
      expect(status).toBe('failed');
      app.clock.advance(2 * DAY);
      await worker.drain();
      expect(receiver.received).toHaveLength(attemptCount);
      const ids = new Set(receiver.received.map((each) => each.headers['webhook-id']));
      expect(ids.size).toBe(1);
    });

    it('later when they are asked to, an hour at most', async () => {
      const wait = async (status: number, retryAfter: string): Promise<number> => {
        const target = await hook();
        receiver.next({ status, headers: { 'retry-after': retryAfter } });
        await send();
        const { nextAttemptAt } = await newest(target);
        await shop.call('DELETE', `${PATH}/${target.id}`);
        return Date.parse(nextAttemptAt!) - app.clock.now().getTime();
      };
      expect(await wait(503, '120')).toBe(2 * MINUTE);
      expect(await wait(429, '86400')).toBe(HOUR);
      expect(await wait(429, 'abc')).toBeLessThan(7 * SECOND);
      expect(await wait(503, '-1')).toBeLessThan(7 * SECOND);
      expect(await wait(500, '120')).toBeLessThan(7 * SECOND);
    });
  });

  describe('tell the merchant of an endpoint that fails', () => {
    const recipient = (columns: Record<string, unknown> = {}) => {
      const row = {
        merchant_id: shop.merchantId,
        id: crypto.randomUUID(),
        mode: 'test',
        email: `${crypto.randomUUID()}@shop.example`,
        locale: 'de',
        time_zone: 'Europe/Berlin',
        token: crypto.randomUUID(),
        created_at: app.clock.now(),
        updated_at: app.clock.now(),
        confirmed_at: app.clock.now(),
        ...columns,
      };
      const names = Object.keys(row);
      const values = names.map((_, i) => `$${i + 1}`);
      return select(
        app,
        `INSERT INTO notification_recipients (${names.join()}) VALUES (${values.join()})`,
        Object.values(row),
      );
    };
    const mails = () =>
      select<{ type: string; data: Record<string, unknown> }>(
        app,
        `SELECT type, data FROM deliveries WHERE merchant_id = $1 AND type LIKE 'endpoint.%'
         ORDER BY created_at`,
        [shop.merchantId],
      );
    const stages = async () => (await mails()).map(({ data }) => data['stage']);

    it('after 1 h, 24 h and 5 days, once each, and switch it off', async () => {
      await recipient();
      await recipient({ confirmed_at: null });
      await recipient({ unsubscribed_at: app.clock.now() });
      await recipient({ mode: 'live' });
      await recipient({ deleted_at: app.clock.now(), email: null });
      receiver.always(500);
      const target = await hook();
      await send();
      const since = app.clock.now().toISOString();
      const later = async (ms: number) => {
        app.clock.advance(ms);
        await Promise.all([shop.order(), shop.order(), shop.order()]);
        await worker.drain();
      };
      await later(59 * MINUTE);
      expect(await stages()).toEqual([]);
      await later(MINUTE);
      expect(await mails()).toEqual([
        {
          type: 'endpoint.failing',
          data: { endpointId: target.id, url: receiver.url, since, stage: '1h' },
        },
      ]);
      await later(22 * HOUR);
      expect(await stages()).toEqual(['1h']);
      await later(HOUR);
      await later(4 * DAY - 1);
      expect(await stages()).toEqual(['1h', '24h']);
      expect(await endpoint(target)).toMatchObject({ enabled: true, failingSince: since });
      await later(1);
      expect((await mails()).at(-1)).toEqual({
        type: 'endpoint.disabled',
        data: { endpointId: target.id, url: receiver.url, since, stage: 'failing' },
      });
      expect(await endpoint(target)).toMatchObject({ enabled: false, disabledReason: 'failing' });
      const before = receiver.received.length;
      await later(DAY);
      expect(receiver.received).toHaveLength(before);
      expect(await stages()).toEqual(['1h', '24h', 'failing']);
    });

    it('and go on where they stopped when the merchant enables it again', async () => {
      await recipient();
      const target = await hook();
      receiver.next(410);
      await send();
      expect(await stages()).toEqual(['gone']);
      const off = await endpoint(target);
      expect(off).toMatchObject({ enabled: false, disabledReason: 'gone' });
      app.clock.advance(MINUTE);
      await send();
      expect(receiver.received).toHaveLength(1);
      await shop.call('PATCH', `${PATH}/${target.id}`, { enabled: true });
      expect(await endpoint(target)).toMatchObject({ enabled: true, failingSince: null });
      await worker.drain();
      expect(receiver.received).toHaveLength(2);
      expect((await newest(target)).status).toBe('delivered');
    });

    it('not when it works again in time', async () => {
      await recipient();
      const target = await hook();
      receiver.next(500);
      await send();
      app.clock.advance(50 * MINUTE);
      await send();
      expect(await endpoint(target)).toMatchObject({ failingSince: null });
      app.clock.advance(20 * MINUTE);
      receiver.next(500);
      await send();
      expect(await stages()).toEqual([]);
    });
  });

  describe('keep to their places', () => {
    it('so that an order’s events are first tried in their order', async () => {
      await hook();
      const { txid } = await shop.order();
      await shop.pay(txid);
      receiver.next({ status: 500, delayMs: 200 });
      await worker.drain();
      const types = receiver.received.map(({ body }) => (JSON.parse(body) as DeliveryJson).type);
      expect(types).toEqual(['order.created', 'order.processing', 'order.paid']);
      expect(receiver.openMax).toBe(1);
    });

    /** An endpoint for which the last events of orders are due before their first ones. */
    const turnedRound = async (): Promise<{ target: Hook; txids: string[] }> => {
      const target = await hook({ eventTypes: ['order.paid'] });
      await shop.call('PATCH', `${PATH}/${target.id}`, { enabled: false });
      const from = app.clock.now().toISOString();
      const orders = await Promise.all(Array.from({ length: 3 }, () => shop.order()));
      for (const { txid } of orders) await shop.pay(txid);
      for (const type of ['order.paid', 'order.created']) {
        app.clock.advance(SECOND);
        await shop.call('PATCH', `${PATH}/${target.id}`, { eventTypes: [type] });
        const reply = await shop.call('POST', `${PATH}/${target.id}/resend`, { from });
        expect(reply.body).toMatchObject({ queued: 3 });
      }
      return { target, txids: orders.map(({ txid }) => txid) };
    };

    it('also when a later one is due first', async () => {
      const { target, txids } = await turnedRound();
      await shop.call('PATCH', `${PATH}/${target.id}`, { enabled: true });
      receiver.next({ status: 500, delayMs: 200 });
      await worker.drain();
      for (const txid of txids) {
        const sent = receiver.received
          .map(({ body }) => JSON.parse(body) as DeliveryJson & { data: { txid: string } })
          .filter(({ data }) => data.txid === txid);
        expect(sent.map(({ type }) => type)).toEqual(['order.created', 'order.paid']);
      }
    });

    it('and thousands behind one that waits cost a look no more than a few', async () => {
      const { target } = await turnedRound();
      await select(
        app,
        `INSERT INTO deliveries (merchant_id, id, mode, type, event_id, txid, sequence, endpoint_id,
           resent, created_at, next_attempt_at)
         SELECT merchant_id, gen_random_uuid(), mode, type, event_id, txid, sequence, endpoint_id,
           true, created_at, next_attempt_at
         FROM deliveries, generate_series(1, 1500) WHERE endpoint_id = $1 AND type = 'order.paid'`,
        [target.id],
      );
      await shop.call('PATCH', `${PATH}/${target.id}`, { enabled: true });
      const now = app.clock.now();
      const query = jest.spyOn(app.get(Database), 'query');
      const until = new Date(now.getTime() + MINUTE);
      const claimed = await app.get(DeliveryRepository).claimWebhooks(now, until, IDLE);
      const [{ text }, values] = query.mock.calls[0]!;
      query.mockRestore();
      const types = claimed.map(({ endpointId, type }) => endpointId === target.id && type);
      expect(types).toContain('order.created');
      expect(types).not.toContain('order.paid');
      // The orders' first events are under way now, so that everything else is behind them.
      const lines = await select<{ 'QUERY PLAN': string }>(
        app,
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`,
        [...values],
      );
      const reads = lines.map((line) => /rows=([\d.]+) loops=(\d+)/.exec(line['QUERY PLAN']));
      const most = Math.max(
        ...reads.map((read) => Number(read?.[1] ?? 0) * Number(read?.[2] ?? 0)),
      );
      expect(most).toBeGreaterThan(3);
      expect(most).toBeLessThanOrEqual(200);
      await shop.call('DELETE', `${PATH}/${target.id}`);
    });

    it('so that an endpoint that answers fast gets up to sixteen at a time', async () => {
      receiver.always({ status: 204, delayMs: 20 });
      await hook();
      await Promise.all(Array.from({ length: 60 }, () => shop.order()));
      await worker.drain();
      expect(receiver.received).toHaveLength(60);
      expect(receiver.openMax).toBeGreaterThan(4);
      expect(receiver.openMax).toBeLessThanOrEqual(16);
    });

    it('so that an endpoint gets four at a time, and one while it fails', async () => {
      receiver.always({ status: 204, delayMs: 120 });
      await hook();
      await Promise.all(Array.from({ length: 12 }, () => shop.order()));
      await worker.drain();
      expect([receiver.received.length, receiver.openMax]).toEqual([12, 4]);
      receiver.next(500);
      await send();
      receiver.openMax = 0;
      receiver.always({ status: 500, delayMs: 50 });
      await Promise.all(Array.from({ length: 5 }, () => shop.order()));
      await worker.drain();
      expect([receiver.received.length, receiver.openMax]).toEqual([18, 1]);
    });

    it('so that a receiver that keeps silent holds nobody else up', async () => {
      const dead = await Receiver.start();
      dead.always(receivers.silent);
      const other = await app.merchant();
      await hook({ url: dead.url }, other);
      await Promise.all(Array.from({ length: 30 }, () => other.order()));
      await hook();
      await shop.order();
      const drained = worker.drain();
      const started = performance.now();
      while (receiver.received.length === 0 && performance.now() - started < 5_000) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(receiver.received).toHaveLength(1);
      expect(dead.openMax).toBeLessThanOrEqual(4);
      await select(
        app,
        `UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'by_merchant'
        WHERE merchant_id = $1`,
        [other.merchantId],
      );
      await dead.stop();
      await drained;
    });
  });

  describe('are sent again', () => {
    const again = (target: Hook, body: Record<string, unknown>) =>
      shop.call('POST', `${PATH}/${target.id}/resend`, body);

    it('one by one, with the same id', async () => {
      const target = await hook();
      await send();
      const first = await newest(target);
      const path = `${PATH}/${target.id}/delivery/${first.id}/resend`;
      app.clock.advance(1);
      const reply = await shop.call<DeliveryJson>('POST', path);
      expect(reply.status).toBe(202);
      expect(reply.body).toMatchObject({
        resent: true,
        status: 'pending',
        webhookId: first.webhookId,
      });
      expect(reply.body.id).not.toBe(first.id);
      await worker.drain();
      const [one, two] = receiver.received;
      expect(two!.headers['webhook-id']).toBe(one!.headers['webhook-id']);
      expect(two!.body).toBe(one!.body);
      expect(await log(target)).toMatchObject([{ resent: true, status: 'delivered' }, {}]);
    });

    it('all that were missed in a time', async () => {
      const target = await hook({ eventTypes: ['order.created', 'order.paid'] });
      const from = app.clock.now().toISOString();
      await send();
      await shop.call('PATCH', `${PATH}/${target.id}`, { enabled: false });
      app.clock.advance(SECOND);
      const missed = await shop.order();
      await shop.pay(missed.txid);
      app.clock.advance(SECOND);
      const to = app.clock.now().toISOString();
      await shop.order();
      await shop.call('PATCH', `${PATH}/${target.id}`, { enabled: true });
      app.clock.advance(SECOND);
      const range = { from, to };
      expect((await again(target, { ...range, to: from })).body).toEqual({
        queued: 0,
        hasMore: false,
      });
      const reply = await again(target, range);
      expect([reply.status, reply.body]).toEqual([202, { queued: 2, hasMore: false }]);
      expect((await again(target, range)).body).toMatchObject({ queued: 0 });
      receiver.received.length = 0;
      await worker.drain();
      const types = receiver.received.map(({ body }) => (JSON.parse(body) as DeliveryJson).type);
      expect(types).toEqual(['order.created', 'order.paid']);
      expect((await again(target, range)).body).toMatchObject({ queued: 0 });
      expect((await again(target, { ...range, includeDelivered: true })).body).toMatchObject({
        queued: 3,
      });
      expect((await again(target, { from })).body).toMatchObject({ queued: 1 });
    });

    it('but nothing older than the log of what was delivered', async () => {
      const target = await hook();
      const from = app.clock.now().toISOString();
      await send();
      app.clock.advance(60 * DAY);
      expect((await again(target, { from, includeDelivered: true })).body['queued']).toBe(1);
      app.clock.advance(SECOND);
      expect((await again(target, { from, includeDelivered: true })).body['queued']).toBe(0);
      const later = new Date(app.clock.now().getTime() + DAY).toISOString();
      expect((await again(target, { from: later })).body['queued']).toBe(0);
      const long = '1969-12-31T23:59:59.999Z';
      const reply = await again(target, { from: long, to: long, includeDelivered: true });
      expect([reply.status, reply.body['queued']]).toEqual([202, 0]);
    });

    it('but not while thousands wait that were asked for, unlike what orders make', async () => {
      const target = await hook();
      await send();
      await shop.call('PATCH', `${PATH}/${target.id}`, { enabled: false });
      await select(
        app,
        `INSERT INTO deliveries (merchant_id, id, mode, type, event_id, txid, sequence, endpoint_id,
           resent, created_at, next_attempt_at)
         SELECT merchant_id, gen_random_uuid(), mode, type, event_id, txid, sequence, endpoint_id,
           true, created_at, created_at
         FROM deliveries, generate_series(1, $2::integer) WHERE endpoint_id = $1`,
        [target.id, ASKED_MAX],
      );
      const [{ id }] = (await log(target)) as [DeliveryJson];
      const path = `${PATH}/${target.id}`;
      for (const [ask, body] of [
        ['resend', { from: app.clock.now().toISOString() }],
        ['test', undefined],
        [`delivery/${id}/resend`, undefined],
      ] as const) {
        const { status, body: problem, headers } = await shop.call('POST', `${path}/${ask}`, body);
        expect([status, problem['code']]).toEqual([429, 'rate_limited']);
        expect(problem['detail']).toContain('At most 20000 tests and events');
        expect(headers.get('retry-after')).toBe('60');
      }
      const other = await hook();
      await send();
      expect(await log(other)).toHaveLength(1);
      await shop.call('DELETE', path);
      expect((await shop.call('POST', `${PATH}/${other.id}/test`)).status).toBe(202);
    });

    it('not twice when two ask at the same moment', async () => {
      const target = await hook();
      await send();
      const body = { from: new Date(app.clock.now().getTime() - SECOND).toISOString() };
      app.clock.advance(SECOND);
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => again(target, { ...body, includeDelivered: true })),
      );
      const queued = replies.map((reply) => reply.body['queued'] as number);
      expect(tally(queued)).toEqual({ 0: 9, 1: 1 });
    });
  });

  it('can be tried with an event about nothing, which is sent once', async () => {
    const target = await hook({ apiVersion: '1.0', eventTypes: ['order.paid'] });
    receiver.next(500);
    const reply = await shop.call('POST', `${PATH}/${target.id}/test`);
    expect(reply.status).toBe(202);
    await worker.drain();
    expect(await newest(target)).toMatchObject({ status: 'failed', type: 'webhook.test' });
    expect(await endpoint(target)).toMatchObject({ failingSince: null });
    const { id, createdAt } = await newest(target);
    expect(verified(target.secret, receiver.last)).toEqual({
      id,
      type: 'webhook.test',
      timestamp: createdAt,
      data: { endpointId: target.id, mode: 'test' },
    });
    expect(receiver.last.headers['webhook-id']).toBe(id);
    app.clock.advance(1);
    await shop.call('POST', `${PATH}/${target.id}/delivery/${id}/resend`);
    await worker.drain();
    expect(await newest(target)).toMatchObject({ status: 'delivered', resent: true });
  });

  it('are cancelled when the endpoint was deleted just before they were queued', async () => {
    const target = await hook();
    await shop.order();
    await select(app, 'UPDATE webhook_endpoints SET deleted_at = $2 WHERE id = $1', [
      target.id,
      app.clock.now(),
    ]);
    await worker.drain();
    expect(receiver.received).toEqual([]);
    const condition = `endpoint_id = $1 AND status = 'cancelled'`;
    expect(await count(app, 'deliveries', condition, [target.id])).toBe(1);
  });

  it('leave no event to a worker that died; another takes over after a minute', async () => {
    const target = await hook();
    await shop.order();
    const now = app.clock.now();
    const claimed = await app
      .get(DeliveryRepository)
      .claimWebhooks(now, new Date(now.getTime() + MINUTE), IDLE);
    expect(claimed).toHaveLength(1);
    await worker.drain();
    app.clock.advance(MINUTE - 1);
    await worker.drain();
    expect(receiver.received).toEqual([]);
    app.clock.advance(1);
    await worker.drain();
    expect(await newest(target)).toMatchObject({ status: 'delivered', attemptCount: 1 });
    const late = {
      succeeded: true,
      statusCode: 200,
      error: null,
      retryAfter: undefined,
      requestHead: null,
      responseHead: null,
      startedAt: now,
      durationMs: 1,
    };
    await app.get(AttemptLog).attempted(claimed[0]!, late);
    expect((await newest(target)).attempts).toHaveLength(1);
  });

  it('are forgotten after 60 days', async () => {
    const target = await hook();
    await send();
    app.clock.advance(60 * DAY);
    await app.get(DeliveryLogPurge).run();
    expect(await log(target)).toHaveLength(1);
    app.clock.advance(1);
    await app.get(DeliveryLogPurge).run();
    expect(await log(target)).toEqual([]);
    expect(await count(app, 'delivery_attempts', 'merchant_id = $1', [shop.merchantId])).toBe(0);
  });

  it('are counted', async () => {
    receiver.next(500);
    const target = await hook();
    await send();
    await shop.order();
    app.clock.advance(3 * SECOND);
    const text = await (await fetch(`${app.url}/metrics`)).text();
    expect(text).toContain('payment_orders_deliveries_due{channel="webhook"} 1\n');
    expect(text).toContain('payment_orders_deliveries_oldest_age_seconds{channel="webhook"} 3\n');
    expect(text).toMatch(
      /payment_orders_delivery_attempts_total\{channel="webhook",outcome="retried"\} \d+\n/,
    );
    expect(text).toMatch(
      /payment_orders_delivery_attempts_total\{channel="webhook",outcome="delivered"\} \d+\n/,
    );
    expect(text).toContain('payment_orders_webhook_endpoints_failing 1\n');
    expect(text).toContain(
      `payment_orders_webhook_endpoint_failing_seconds{endpoint="${target.id}"} 3\n`,
    );
  });

  onPostgres(it, 'two workers need two sessions')('are sent once, whoever looks', async () => {
    const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    const second = await TestApp.start({ database: app.database, env });
    second.clock.set(app.clock.now());
    await hook();
    const workers = [worker, second.get(WebhookWorker)];
    await rounds(async () => {
      receiver.received.length = 0;
      await Promise.all(Array.from({ length: 6 }, () => shop.order()));
      await Promise.all(workers.map((each) => each.drain()));
      await Promise.all(workers.map((each) => each.drain()));
      expect(receiver.received).toHaveLength(6);
    });
    await second.stop();
  });
});
