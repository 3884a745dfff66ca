import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { LOCALES } from '../src/common/locale.js';
import { DeliveryRepository } from '../src/database/notifications/delivery.repository.js';
import { MAIL_LEASE_MS, MailWorker } from '../src/notifications/mail/mail-worker.js';
import { TestApp } from './support/app.js';
import type { OrderJson } from './support/client.js';
import { createDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import {
  addRecipient,
  linkIn,
  pageOf,
  press,
  type RecipientJson,
  RECIPIENTS,
  sendMails,
  subscribe,
} from './support/mailbox.js';
import { tally } from './support/race.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;
const NO_ANSWER = 'The connection to the mail server ended without an answer.';
const SECRET = 'DE89370400440532013000';

const server = await MailServer.start();
afterAll(() => server.stop());
const { app, shop } = await openShop({
  name: 'Lampen & Söhne <Shop>',
  env: { SMTP_URL: server.url, MAIL_FROM: 'shop@pay.example', LOG_LEVEL: 'info' },
});

beforeEach(() => server.forget());

let mailboxes = 0;
const mailbox = (): string => `box-${++mailboxes}@shop.example`;

/** A merchant of its own, whose only recipient has confirmed. */
async function shopWith(more: Record<string, unknown> = {}, name = 'Lampen & Söhne <Shop>') {
  const client = await app.merchant({ name });
  const email = mailbox();
  const recipient = await subscribe(app, client, server, email, more);
  return { client, email, recipient };
}

async function paid(client = shop, more: Record<string, unknown> = {}): Promise<OrderJson> {
  const order = await client.order(more);
  await client.pay(order.txid);
  return order;
}

const rows = (id: string) =>
  select<{ type: string; status: string; attempts: number; next_attempt_at: Date | null }>(
    app,
    `SELECT * FROM deliveries WHERE recipient_id = $1 AND type <> 'recipient.confirm' ORDER BY id`,
    [id],
  );

const attempts = (id: string) =>
  select<{ number: number; status_code: number | null; error: string | null }>(
    app,
    `SELECT a.* FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
     WHERE d.recipient_id = $1 AND d.type <> 'recipient.confirm' ORDER BY number`,
    [id],
  );

describe('the mail about a paid order', () => {
  it('goes to nobody who has not confirmed', async () => {
    const client = await app.merchant();
    const { id } = await addRecipient(client, mailbox());
    await paid(client);
    await sendMails(app);
    expect(server.mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Please confirm'),
    ]);
    expect(await rows(id)).toEqual([]);
  });

  it('arrives once, with everything about the order', async () => {
    const { client, email } = await shopWith({ timeZone: 'Europe/Berlin' });
    app.clock.set(new Date('2026-07-20T22:32:00Z'));
    const order = await paid(client, {
      orderMerchantId: 'INV-1001',
      description: 'Two lamps',
      optionalFields: { table: '7', 'delivery note': 'green' },
    });
    await sendMails(app);
    await sendMails(app);

    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail!.envelope).toEqual({ from: 'shop@pay.example', to: [email] });
    expect(mail!.subject).toBe('[TEST] €89.90 received for order INV-1001');
    expect(mail!.from).toEqual({ name: 'Lampen & Söhne <Shop>', address: 'shop@pay.example' });
    expect(mail!.date).toBe('2026-07-20T22:32:00.000Z');
    for (const part of [mail!.text!, plain(mail!.html!)]) {
      for (const fact of [
        'Lampen & Söhne <Shop>',
        '€89.90',
        'INV-1001',
        order.txid,
        'sandbox',
        'Erika Mustermann',
        'DE•••• 3000',
        'July 21, 2026 at 00:32',
        'Two lamps',
        'table',
        '7',
        'delivery note',
        'green',
        email,
      ]) {
        expect(part).toContain(fact);
      }
      expect(part).not.toContain(SECRET);
    }
    expect(Buffer.byteLength(mail!.raw)).toBeLessThan(20_000);
    expect(mail!.html).not.toMatch(/<(img|link|script|iframe|form|object)\b|url\(|@import/i);
    expect(mail!.html!.match(/href="/g)).toHaveLength(1);
  });

  it('tells mail programs how to unsubscribe, and that nobody is there to answer', async () => {
    const { client, recipient } = await shopWith();
    await paid(client);
    await sendMails(app);
    const [mail] = server.mails;
    const page = await pageOf(app, recipient.id);
    const [delivery] = await select<{ id: string; event: string }>(
      app,
      `SELECT id, event_id AS event FROM deliveries WHERE recipient_id = $1 AND type = 'order.paid'`,
      [recipient.id],
    );
    expect(mail!.header('list-unsubscribe')).toEqual([`<${page}/unsubscribe>`]);
    expect(mail!.header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
    expect(mail!.header('auto-submitted')).toEqual(['auto-generated']);
    expect(mail!.header('x-event-id')).toEqual([delivery!.event]);
    expect(mail!.header('x-event-sequence')).toEqual(['3']);
    expect(mail!.messageId).toBe(`<${delivery!.id}@[127.0.0.1]>`);
    expect(linkIn(mail!.html!)).toBe(page);
  });

  it('shows hostile values as they are, and lets none of them out', async () => {
    const { client } = await shopWith();
    const hostile = {
      '<script>alert(1)</script>': '<img src=x onerror=alert(1)>',
      'turned \u202earound': 'abc\u202e\u2066gnp.exe\u2069\u2069',
      שלום: 'مرحبا',
      '👩‍👩‍👧': '🏳️‍🌈',
      long: 'x'.repeat(255),
      wide: '👛'.repeat(255),
      braces: '{{merchant}} {email}',
      link: '</bdi></td><a href="https://evil.example">click</a>',
      separator: 'a\u2028Bcc: eve@evil.example',
    };
    await paid(client, { orderMerchantId: 'INV-9', optionalFields: hostile });
    await sendMails(app);
    const [mail] = server.mails;
    expect(mail!.html).toContain('&lt;img src=x onerror=alert(1)>');
    expect(mail!.html).not.toMatch(/<img|<script|<a href="https:\/\/evil/);
    expect(mail!.html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(mail!.text).toContain('<script>alert(1)</script>: <img src=x onerror=alert(1)>');
    expect(mail!.text).toContain('turned around: abcgnp.exe');
    expect(mail!.text).toContain('separator: a Bcc: eve@evil.example');
    for (const part of [mail!.text!, plain(mail!.html!)]) {
      for (const value of ['x'.repeat(255), '👛'.repeat(255), 'مرحبا', 'שלום', '🏳️‍🌈', '{email}']) {
        expect(part).toContain(value);
      }
    }
    expect(mail!.headers.map(({ key }) => key)).not.toContain('bcc');
  });

  it.each([
    ['turned', 'Shop \u202eelpmaxe\u202c \u2067x'],
    ['emoji', '👩‍👩‍👧 Spielzeug 🏳️‍🌈'],
    ['Arabic', 'متجر المصابيح'],
    ['like an address', '"Bank" <ceo@bank.example>, eve@evil.example'],
    ['long', 'n'.repeat(140)],
  ])(
    'has one sender and one line of subject, whatever the merchant is called: %s',
    async (_, name) => {
      const { client, email } = await shopWith({}, name);
      await paid(client);
      await sendMails(app);
      const [mail] = server.mails;
      expect(mail!.from!.address).toBe('shop@pay.example');
      expect(mail!.from!.name).toBe(name.replace(/[\u202c\u202e\u2067]+/g, ' ').trim());
      expect(mail!.to).toEqual([{ name: '', address: email }]);
      expect(mail!.header('from')).toHaveLength(1);
      expect(mail!.header('subject')).toHaveLength(1);
    },
  );

  it('goes by the filter, in minor units of whatever currency', async () => {
    const { client } = await shopWith({ minimumAmount: 5000 });
    await paid(client, { amount: 4999, orderMerchantId: 'LESS' });
    await paid(client, { amount: 5000, orderMerchantId: 'JUST' });
    await paid(client, { amount: 5001, orderMerchantId: 'MORE' });
    await sendMails(app);
    expect(server.mails.map(({ subject }) => subject!.split(' ').at(-1)).sort()).toEqual([
      'JUST',
      'MORE',
    ]);
  });

  it('tells of more money than was asked for', async () => {
    const { client } = await shopWith();
    const order = await client.order();
    await client.pay(order.txid, { amount: 9990 });
    await sendMails(app);
    const [mail] = server.mails;
    expect(mail!.text).toContain('! More money arrived');
    expect(mail!.text).toContain('Received: €99.90');
    expect(plain(mail!.html!)).toContain('More money arrived');
  });

  it('is about the order as it was, not as it became', async () => {
    const { client } = await shopWith();
    const order = await paid(client);
    await select(
      app,
      `UPDATE orders SET amount_refunded = 1, exception = 'overpaid' WHERE txid = $1`,
      [order.txid],
    );
    await sendMails(app);
    expect(server.mails[0]!.text).not.toContain('More money');
  });

  it('is not marked as a test in live mode', async () => {
    const { client } = await shopWith();
    const live = await app.key(client.merchantId, { mode: 'live' });
    const recipient = await subscribe(app, live, server, mailbox());
    await live.call('POST', `${RECIPIENTS}/${recipient.id}/test`);
    await sendMails(app);
    expect(server.mails[0]!.subject).toBe('Test e-mail of Lampen & Söhne <Shop>');
    expect(server.mails[0]!.text).not.toContain('Test mode');
  });

  it.each(LOCALES)('speaks %s', async (locale) => {
    const { client } = await shopWith({ locale, timeZone: 'Asia/Tokyo' });
    await paid(client, { optionalFields: { table: '7' } });
    await sendMails(app);
    const { html, text } = server.mails[0]!;
    expect(html).toContain(`<html lang="${locale}" dir="${/ar|he/.test(locale) ? 'rtl' : 'ltr'}">`);
    for (const part of [html!, text!]) expect(part).not.toMatch(/\{\w+\}|\b(undefined|null|NaN)\b/);
  });
});

/** What a reader of the HTML part sees. */
const plain = (html: string): string =>
  html
    .replace(/^[\s\S]*<body/, '<body')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

describe('sending', () => {
  it('tries again by the schedule, under the same Message-ID', async () => {
    const { client, recipient } = await shopWith();
    server.answers({ code: 451, at: 'data' });
    await paid(client);
    await sendMails(app);
    expect(server.mails).toHaveLength(0);
    app.clock.advance(MINUTE_MS - 1);
    await sendMails(app);
    expect(server.mails).toHaveLength(0);
    app.clock.advance(1);
    await sendMails(app);
    expect(server.mails).toHaveLength(1);
    const [row] = await rows(recipient.id);
    expect(row).toMatchObject({ status: 'delivered', attempts: 2, next_attempt_at: null });
    expect(server.mails[0]!.messageId).toContain((row as unknown as { id: string }).id);
    expect(await attempts(recipient.id)).toMatchObject([
      { number: 1, status_code: 451, error: expect.stringContaining('451') },
      { number: 2, status_code: 250, error: null },
    ]);
  });

  it('gives up after six attempts in fifteen hours', async () => {
    const { client, recipient } = await shopWith();
    await paid(client);
    const waits = [0, 1, 5, 30, 120, 720];
    for (const minutes of waits) {
      server.answers({ code: 451, at: 'recipient' });
      app.clock.advance(minutes * MINUTE_MS);
      await sendMails(app);
    }
    expect(await rows(recipient.id)).toMatchObject([{ status: 'failed', attempts: 6 }]);
    app.clock.advance(24 * 60 * MINUTE_MS);
    await sendMails(app);
    expect(server.mails).toHaveLength(0);
  });

  it.each(['recipient', 'data'] as const)('stops at 5xx for the %s, and shows it', async (at) => {
    const { client, recipient } = await shopWith();
    server.answers({ code: 550, at, text: '5.1.1 no such mailbox' });
    await paid(client);
    await sendMails(app);
    app.clock.advance(24 * 60 * MINUTE_MS);
    await sendMails(app);
    expect(server.mails).toHaveLength(0);
    const reply = await client.call<RecipientJson>('GET', `${RECIPIENTS}/${recipient.id}`);
    expect(reply.body.lastDelivery).toMatchObject({
      type: 'order.paid',
      status: 'failed',
      attemptCount: 1,
      statusCode: 550,
      error: expect.stringContaining('no such mailbox'),
    });
  });

  it('tries again when the server hangs up or is not there', async () => {
    const { client, recipient } = await shopWith();
    server.answers('close');
    await paid(client);
    await sendMails(app);
    expect(await rows(recipient.id)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    expect((await attempts(recipient.id))[0]).toMatchObject({
      status_code: null,
      error: NO_ANSWER,
    });
    app.clock.advance(MINUTE_MS);
    await sendMails(app);
    expect(server.mails).toHaveLength(1);
  });

  it('does not wait for ever for a server that says nothing', async () => {
    const { client, recipient } = await shopWith();
    server.answers('silent');
    await paid(client);
    const start = Date.now();
    await sendMails(app);
    expect(Date.now() - start).toBeLessThan(31_000);
    expect((await attempts(recipient.id))[0]).toMatchObject({
      status_code: null,
      error: NO_ANSWER,
    });
    app.clock.advance(MINUTE_MS);
    await sendMails(app);
    expect(server.mails).toHaveLength(1);
  }, 40_000);

  it('logs neither addresses nor what a mail says', async () => {
    const { client, email } = await shopWith();
    server.answers({ code: 550, at: 'data', text: `5.7.1 <${email}> is full` });
    await paid(client, { orderMerchantId: 'INV-LOGGED' });
    await paid(client, { orderMerchantId: 'INV-LOGGED-2' });
    await sendMails(app);
    const lines = app.log.join('\n');
    expect(lines).toContain('mail sent');
    expect(lines).toContain('mail not sent');
    expect(lines).not.toContain(email);
    expect(lines).not.toContain('INV-LOGGED');
    expect(lines).not.toContain('Erika');
  });

  it('sends once from two processes', async () => {
    const { client, recipient } = await shopWith();
    const other = await TestApp.start({
      database: { ...app.database, drop: async () => {} },
      env: { SMTP_URL: server.url },
    }).catch((error: unknown) => {
      if (app.database.isPostgres) throw error;
      return undefined;
    });
    const worker = (app.database.isPostgres ? other! : app).get(MailWorker);
    const orders = await Promise.all(Array.from({ length: 30 }, () => paid(client)));
    other?.clock.set(app.clock.now());
    await Promise.all([sendMails(app), worker.drain()]);
    await other?.stop();
    expect(server.mails).toHaveLength(30);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(30);
    expect(await rows(recipient.id)).toHaveLength(orders.length);
  });

  it('repeats a mail only when a worker dies between the answer and the row, and names it alike', async () => {
    const { client, recipient } = await shopWith();
    server.answers('take and close');
    await paid(client);
    await sendMails(app);
    app.clock.advance(MINUTE_MS);
    await sendMails(app);
    expect(server.mails).toHaveLength(2);
    expect(server.mails[0]!.messageId).toBe(server.mails[1]!.messageId);
    expect(await rows(recipient.id)).toMatchObject([{ status: 'delivered' }]);
  });

  it('takes over from a worker that died', async () => {
    const { client, recipient } = await shopWith();
    await paid(client);
    await select(
      app,
      `UPDATE deliveries SET next_attempt_at = next_attempt_at + $2 * interval '1 ms'
       WHERE recipient_id = $1 AND status = 'pending'`,
      [recipient.id, MAIL_LEASE_MS],
    );
    await sendMails(app);
    expect(server.mails).toHaveLength(0);
    app.clock.advance(MAIL_LEASE_MS);
    await sendMails(app);
    expect(await attempts(recipient.id)).toMatchObject([{ status_code: 250, error: null }]);
    expect(server.mails).toHaveLength(1);
  });

  it('makes one delivery for each order and recipient', async () => {
    const { client, recipient } = await shopWith();
    const { txid } = await paid(client);
    const again = `INSERT INTO deliveries
      SELECT (jsonb_populate_record(d, '{"id": "00000000-0000-7000-8000-000000000001"}')).*
      FROM deliveries d WHERE recipient_id = $1 AND type = 'order.paid'`;
    await expect(select(app, again, [recipient.id])).rejects.toThrow('deliveries_mail_once');
    expect(
      await count(app, 'deliveries', `txid = $1 AND recipient_id = $2`, [txid, recipient.id]),
    ).toBe(1);
    await sendMails(app);
  });
});

describe('unsubscribing', () => {
  it.each([
    ['a form', new URLSearchParams('List-Unsubscribe=One-Click')],
    ['a form of parts', formOf('List-Unsubscribe', 'One-Click')],
    ['nothing', undefined],
  ])('takes one click of a mail program that sends %s', async (_, body) => {
    const { client, recipient } = await shopWith();
    await paid(client);
    await sendMails(app);
    const url = server.mails[0]!.header('list-unsubscribe')[0]!.slice(1, -1);
    server.forget();

    await paid(client);
    expect((await press(url, body)).status).toBe(200);
    await paid(client);
    await sendMails(app);
    expect(server.mails).toHaveLength(0);
    const statuses = (await rows(recipient.id)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['cancelled', 'delivered']);
    expect((await press(url, body)).status).toBe(200);
  });

  it('holds back a mail that a worker has already taken', async () => {
    const { client, recipient } = await shopWith();
    await paid(client);
    await select(app, `UPDATE notification_recipients SET unsubscribed_at = now() WHERE id = $1`, [
      recipient.id,
    ]);
    await sendMails(app);
    expect(server.mails).toHaveLength(0);
    expect(await rows(recipient.id)).toMatchObject([{ status: 'cancelled', attempts: 0 }]);
  });
});

function formOf(name: string, value: string): FormData {
  const form = new FormData();
  form.set(name, value);
  return form;
}

describe('thousands of mails', () => {
  it('of one merchant, or of the other mode, let everybody else’s pass', async () => {
    const crowd = await shopWith();
    const other = await shopWith();
    const live = await app.key(crowd.client.merchantId, { mode: 'live' });
    const { id } = await addRecipient(live, mailbox());
    await sendMails(app);
    const queue = (recipient: string, mails: number) =>
      select(
        app,
        `INSERT INTO deliveries (merchant_id, id, mode, type, recipient_id, created_at, next_attempt_at)
         SELECT r.merchant_id, gen_random_uuid(), r.mode, 'mail.test', r.id, t.at, t.at
         FROM notification_recipients r,
           (SELECT $3::timestamptz + n * interval '1 ms' AS at FROM generate_series(1, $2) n) t
         WHERE r.id = $1`,
        [recipient, mails, app.clock.now()],
      );
    await queue(crowd.recipient.id, 9_000);
    app.clock.advance(10_000);
    await queue(other.recipient.id, 1);
    await queue(id, 1);
    app.clock.advance(10);
    const now = app.clock.now();
    const until = new Date(now.getTime() + MAIL_LEASE_MS);
    const claimed = await app.get(DeliveryRepository).claimMails(now, until, 8, new Map());
    expect(tally(claimed.map(({ recipientId }) => recipientId!))).toEqual({
      [crowd.recipient.id]: 2,
      [other.recipient.id]: 1,
      [id]: 1,
    });
    await select(app, `DELETE FROM deliveries WHERE type = 'mail.test'`);
  });
});

describe('messages of the service itself', () => {
  it.each([
    ['endpoint.failing', '1h', 'for an hour', 'Failing since: January 5, 2026 at 10:00'],
    ['endpoint.failing', '24h', 'for a day', 'Failing since: January 5, 2026 at 10:00'],
    ['endpoint.disabled', 'failing', 'switched off', 'accepted no events for days'],
    ['endpoint.disabled', 'gone', 'switched off', 'no longer exists'],
  ])('%s (%s) names the endpoint', async (type, stage, title, text) => {
    const { recipient } = await shopWith({ timeZone: 'Europe/Berlin' });
    const data = {
      endpointId: recipient.id,
      url: 'https://shop.example/hook?a=1&b=<2>',
      since: '2026-01-05T09:00:00.000Z',
      stage,
    };
    await select(
      app,
      `INSERT INTO deliveries (merchant_id, id, mode, type, recipient_id, data, created_at, next_attempt_at)
       SELECT merchant_id, id, mode, $2, id, $3, created_at, created_at FROM notification_recipients
       WHERE id = $1`,
      [recipient.id, type, JSON.stringify(data)],
    );
    await sendMails(app);
    const [mail] = server.mails;
    expect(mail!.subject).toContain(title);
    expect(mail!.text).toContain(text);
    expect(mail!.text).toContain(data.url);
    expect(mail!.html!.match(/href="/g)).toHaveLength(1);
  });

  it('tries a kind that it cannot write again, and gives up in the end', async () => {
    const { recipient } = await shopWith();
    await select(
      app,
      `INSERT INTO deliveries (merchant_id, id, mode, type, recipient_id, created_at, next_attempt_at)
       SELECT merchant_id, id, mode, 'mail.unknown', id, created_at, created_at
       FROM notification_recipients WHERE id = $1`,
      [recipient.id],
    );
    await sendMails(app);
    expect(await rows(recipient.id)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    expect(await attempts(recipient.id)).toMatchObject([
      { error: 'The mail could not be written.' },
    ]);
  });
});

describe('without a mail server', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mails-'));
  const mails = path.join(folder, 'mail');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('writes each mail into a file that only its owner reads', async () => {
    const filing = await TestApp.start({ env: { MAIL_FOLDER: mails } });
    const client = await filing.merchant();
    const recipient = await addRecipient(client, mailbox());
    await sendMails(filing);
    const [name, ...others] = readdirSync(mails);
    expect(others).toEqual([]);
    const [row] = await select<{ id: string; status: string }>(filing, 'SELECT * FROM deliveries');
    expect(row!.status).toBe('delivered');
    expect(name).toBe(`${row!.id}.eml`);
    const file = path.join(mails, name!);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const mail = await PostalMime.parse(readFileSync(file));
    expect(mail.to?.[0]?.address).toBe(recipient.email);
    expect(mail.subject).toContain('Please confirm');
    await filing.stop();
  });

  it('tries again when the folder cannot be written', async () => {
    const filing = await TestApp.start({ env: { MAIL_FOLDER: import.meta.filename } });
    await addRecipient(await filing.merchant(), mailbox());
    await sendMails(filing);
    const found = await select(filing, 'SELECT * FROM deliveries');
    expect(found).toMatchObject([{ status: 'pending', attempts: 1 }]);
    await filing.stop();
  });
});

describe('the way to the mail server', () => {
  const database = createDatabase();
  afterAll(async () => (await database).drop());

  /** What came of one mail to a server that is not on the same machine as far as one can tell. */
  async function sendTo(options: SMTPServerOptions): Promise<{ secure: boolean[]; row: object }> {
    const secure: boolean[] = [];
    const remote = await MailServer.start({
      ...options,
      onMailFrom: (_address, session, done) => {
        secure.push(session.secure);
        done();
      },
    });
    const url = `smtp://${remoteAddress()}:${remote.port}?tls.rejectUnauthorized=false`;
    const other = await TestApp.start({ database: await database, env: { SMTP_URL: url } });
    const { id } = await addRecipient(await other.merchant(), mailbox());
    await sendMails(other);
    const [row] = await select(other, LAST_ATTEMPT, [id]);
    await other.stop();
    await remote.stop();
    return { secure, row: row! };
  }

  it('is encrypted', async () => {
    const { secure, row } = await sendTo({});
    expect({ secure, row }).toMatchObject({ secure: [true], row: { status_code: 250 } });
  });

  it('is not taken when it cannot be encrypted', async () => {
    const { secure, row } = await sendTo({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    expect({ secure, row }).toMatchObject({
      secure: [],
      row: { status: 'pending', error: 'The connection to the mail server cannot be encrypted.' },
    });
  });
});

const LAST_ATTEMPT = `SELECT * FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
  WHERE d.recipient_id = $1`;

const remoteAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')!.address;
