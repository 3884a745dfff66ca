import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecipientsService } from '../src/notifications/recipients/recipients.service.js';
import { TestApp } from './support/app.js';
import { createTables, type TestDatabase } from './support/database.js';
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
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';
import { CALLERS, tally } from './support/race.js';
import { openShop } from './support/shop.js';

const ASK_AGAIN_MS = 5 * 60_000;

const server = await MailServer.start();
afterAll(() => server.stop());
const { app, shop } = await openShop({ name: 'Lampen <Shop>', env: { SMTP_URL: server.url } });

beforeEach(() => server.forget());

let mailboxes = 0;
const mailbox = (): string => `owner-${++mailboxes}@shop.example`;

const add = (body: unknown, client = shop) =>
  client.call<RecipientJson & { code: string; errors: { pointer: string; code: string }[] }>(
    'POST',
    RECIPIENTS,
    body,
  );

describe('adding a recipient', () => {
  it('answers with the recipient, and asks its owner', async () => {
    const client = await app.merchant({ name: 'Lampen <Shop>' });
    const reply = await add(
      {
        email: 'Anna@Shop.Example',
        locale: 'de-AT',
        timeZone: 'Europe/Vienna',
        minimumAmount: 500,
      },
      client,
    );
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${RECIPIENTS}/${reply.body.id}`);
    expect(reply.body).toEqual({
      id: expect.any(String),
      mode: 'test',
      email: 'anna@shop.example',
      status: 'unconfirmed',
      locale: 'de',
      timeZone: 'Europe/Vienna',
      minimumAmount: 500,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      confirmedAt: null,
      unsubscribedAt: null,
      lastDelivery: expect.objectContaining({ type: 'recipient.confirm', status: 'pending' }),
    });
    await sendMails(app);
    const [mail] = server.to('anna@shop.example');
    expect(mail!.subject).toContain('Bitte bestätigen');
    expect(mail!.text).toContain('Lampen <Shop>');
    expect(linkIn(mail!.html!)).toBe(await pageOf(app, reply.body.id));
    const read = await client.call<RecipientJson>('GET', `${RECIPIENTS}/${reply.body.id}`);
    expect(read.body.lastDelivery).toMatchObject({ status: 'delivered', statusCode: 250 });
    expect(read.text).not.toContain((await pageOf(app, reply.body.id)).split('/').at(-1));
  });

  it.each([
    [{}, '/email', 'required'],
    [{ email: 7 }, '/email', 'wrong_type'],
    [{ email: 'anna' }, '/email', 'wrong_format'],
    [{ email: 'anna@shop.example\r\nBcc: eve@evil.example' }, '/email', 'wrong_format'],
    [{ email: 'a@shop.example, b@shop.example' }, '/email', 'wrong_format'],
    [{ email: 'a@shop.example', locale: 'xx' }, '/locale', 'wrong_format'],
    [{ email: 'a@shop.example', locale: 'de_DE' }, '/locale', 'wrong_format'],
    [{ email: 'a@shop.example', timeZone: '+01:00' }, '/timeZone', 'wrong_format'],
    [{ email: 'a@shop.example', timeZone: 'Mars/Olympus' }, '/timeZone', 'wrong_format'],
    [{ email: 'a@shop.example', minimumAmount: 0 }, '/minimumAmount', 'out_of_range'],
    [{ email: 'a@shop.example', minimumAmount: '5' }, '/minimumAmount', 'wrong_type'],
    [{ email: 'a@shop.example', status: 'confirmed' }, '/status', 'unknown_member'],
  ])('refuses %j', async (body, pointer, code) => {
    const reply = await add(body);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([{ pointer, code }]);
  });

  it('asks again, but not more than every five minutes', async () => {
    const email = mailbox();
    const { id } = await addRecipient(shop, email);
    const again = async () => {
      const reply = await add({ email: email.toUpperCase() });
      expect([reply.status, reply.body.id]).toEqual([200, id]);
      await sendMails(app);
      return server.to(email).length;
    };
    await sendMails(app);
    app.clock.advance(ASK_AGAIN_MS - 1);
    expect(await again()).toBe(1);
    app.clock.advance(1);
    expect(await again()).toBe(2);
    expect(await again()).toBe(2);
  });

  it('leaves one who confirmed in peace', async () => {
    const email = mailbox();
    await subscribe(app, shop, server, email);
    app.clock.advance(ASK_AGAIN_MS);
    expect((await add({ email })).body.status).toBe('confirmed');
    await sendMails(app);
    expect(server.mails).toEqual([]);
  });

  it('is one mailbox, however often it is deleted and added', async () => {
    const email = mailbox();
    const client = await app.merchant();
    const codes: number[] = [];
    for (let n = 0; n < 100; n++) {
      const { status, headers, body } = await add({ email }, client);
      codes.push(status);
      if (status === 201) await client.call('DELETE', `${RECIPIENTS}/${body.id}`);
      else expect(headers.get('retry-after')).toBe('300');
    }
    expect(tally(codes)).toEqual({ 201: 1, 429: 99 });
    const queued = 'merchant_id = $1';
    expect(await count(app, 'deliveries', queued, [client.merchantId])).toBe(1);
    for (const [minutes, mails] of [
      [5, 2],
      [19, 2],
      [1, 3],
      [79, 3],
      [1, 4],
    ] as const) {
      app.clock.advance(minutes * 60_000);
      const { status, body } = await add({ email }, client);
      if (status === 201) await client.call('DELETE', `${RECIPIENTS}/${body.id}`);
      expect(await count(app, 'deliveries', queued, [client.merchantId])).toBe(mails);
    }
  });

  it('is one of forty that a merchant asks within an hour', async () => {
    const client = await app.merchant();
    const codes: number[] = [];
    for (let n = 0; n < 45; n++) {
      const { status, body } = await add({ email: mailbox() }, client);
      codes.push(status);
      if (status === 201) await client.call('DELETE', `${RECIPIENTS}/${body.id}`);
    }
    expect(tally(codes)).toEqual({ 201: 40, 429: 5 });
    app.clock.advance(3_600_000);
    expect((await add({ email: mailbox() }, client)).status).toBe(201);
  });

  it('asks one who left no more, in no mode, and not after it was deleted', async () => {
    const email = mailbox();
    const { id } = await subscribe(app, shop, server, email);
    const live = await app.key(shop.merchantId, { mode: 'live' });
    const page = await pageOf(app, id);
    await press(`${page}/unsubscribe`);
    app.clock.advance(30 * 24 * 3_600_000);
    const refused = { status: 409, body: { code: 'recipient_unsubscribed' } };
    expect(await add({ email })).toMatchObject(refused);
    expect(await add({ email }, live)).toMatchObject(refused);
    await press(`${page}/confirm`);
    expect((await add({ email })).body).toMatchObject({ id, status: 'confirmed' });
    await press(`${page}/unsubscribe`);
    await shop.call('DELETE', `${RECIPIENTS}/${id}`);
    expect(await add({ email })).toMatchObject(refused);
    await sendMails(app);
    expect(server.to(email)).toEqual([]);
    await app.get(RecipientsService).readmit(shop, email);
    expect((await add({ email })).status).toBe(201);
  });

  it('asks one who left with a new link once the operator lets it', async () => {
    const email = mailbox();
    const { id } = await subscribe(app, shop, server, email);
    const former = await pageOf(app, id);
    await press(`${former}/unsubscribe`);
    await app.get(RecipientsService).readmit(shop, email);
    expect((await add({ email })).body).toMatchObject({ id, status: 'unconfirmed' });
    await sendMails(app);
    expect(linkIn(server.to(email)[0]!.html!)).not.toBe(former);
    expect((await press(`${former}/confirm`)).status).toBe(404);
    expect((await press(`${await pageOf(app, id)}/confirm`)).status).toBe(200);
  });

  it(`makes one recipient and one mail of ${CALLERS} equal requests`, async () => {
    const client = await app.merchant();
    const email = mailbox();
    const replies = await Promise.all(
      Array.from({ length: CALLERS }, () => add({ email }, client)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: CALLERS - 1 }, () => 200),
      201,
    ]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    await sendMails(app);
    expect(server.to(email)).toHaveLength(1);
  });

  it('stops at 20, also when they come at once', async () => {
    const client = await app.merchant();
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => add({ email: mailbox() }, client)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(replies.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { code: 'too_many_recipients' },
    });
    const list = await client.call<{ data: RecipientJson[] }>('GET', RECIPIENTS);
    expect(list.body.data).toHaveLength(20);
    await client.call('DELETE', `${RECIPIENTS}/${list.body.data[0]!.id}`);
    expect((await add({ email: mailbox() }, client)).status).toBe(201);
    await select(
      app,
      `UPDATE deliveries SET status = 'cancelled', next_attempt_at = NULL,
      completed_at = created_at WHERE status = 'pending'`,
    );
  });
});

describe('a recipient', () => {
  it('can be changed, also back to all orders', async () => {
    const { id } = await addRecipient(shop, mailbox(), { minimumAmount: 5 });
    const change = (body: object) => shop.call('PATCH', `${RECIPIENTS}/${id}`, body);
    expect((await change({ locale: 'fr', timeZone: 'Asia/Tokyo' })).body).toMatchObject({
      locale: 'fr',
      timeZone: 'Asia/Tokyo',
      minimumAmount: 5,
    });
    expect((await change({ minimumAmount: null })).body).toMatchObject({ minimumAmount: null });
    expect((await change({ minimumAmount: 7 })).body).toMatchObject({ minimumAmount: 7 });
    expect((await change({ email: 'b@shop.example' })).status).toBe(422);
    expect((await change({ timeZone: 'nowhere' })).status).toBe(422);
  });

  it('is forgotten when it is deleted', async () => {
    const email = mailbox();
    const { id } = await subscribe(app, shop, server, email);
    const page = await pageOf(app, id);
    await shop.pay((await shop.order()).txid);
    const reply = await shop.call('DELETE', `${RECIPIENTS}/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    await sendMails(app);
    expect(server.to(email)).toEqual([]);
    expect(await count(app, 'notification_recipients', 'email = $1', [email])).toBe(0);
    expect(await count(app, 'deliveries', `recipient_id = $1 AND status = 'cancelled'`, [id])).toBe(
      1,
    );
    expect((await fetch(page)).status).toBe(404);
    expect((await press(`${page}/confirm`)).status).toBe(404);
    expect((await shop.call('DELETE', `${RECIPIENTS}/${id}`)).status).toBe(404);
    expect((await addRecipient(shop, email)).id).not.toBe(id);
  });

  it('gets a test mail once it has confirmed', async () => {
    const email = mailbox();
    const { id } = await addRecipient(shop, email);
    const test = () => shop.call<RecipientJson>('POST', `${RECIPIENTS}/${id}/test`);
    const asked = await test();
    expect(asked).toMatchObject({
      status: 202,
      body: { status: 'unconfirmed', lastDelivery: { type: 'recipient.confirm' } },
    });
    await press(`${await pageOf(app, id)}/confirm`);
    app.clock.advance(1_000);
    const reply = await test();
    expect(reply).toMatchObject({ status: 202, body: { lastDelivery: { type: 'mail.test' } } });
    await sendMails(app);
    expect(server.to(email).map(({ subject }) => subject)).toEqual([
      '[TEST] Test e-mail of Lampen <Shop>',
    ]);
    expect(await test()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    app.clock.advance(60_000);
    expect((await test()).status).toBe(202);
    await press(`${await pageOf(app, id)}/unsubscribe`);
    expect(await test()).toMatchObject({ status: 409, body: { code: 'recipient_unsubscribed' } });
  });

  it('is nobody’s to others, to the other mode, and without the scope', async () => {
    const { id } = await addRecipient(shop, mailbox());
    const stranger = await app.merchant();
    const live = await app.key(shop.merchantId, { mode: 'live' });
    const reader = await app.key(shop.merchantId, { scopes: ['notifications:read'] });
    for (const client of [stranger, live]) {
      expect((await client.call<{ data: [] }>('GET', RECIPIENTS)).body.data).toEqual([]);
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', {}],
        ['DELETE', ''],
        ['POST', '/test'],
      ] as const) {
        const reply = await client.call(method, `${RECIPIENTS}/${id}${path}`, body);
        expect(reply).toMatchObject({ status: 404, body: { code: 'recipient_not_found' } });
      }
    }
    expect((await reader.call('GET', `${RECIPIENTS}/${id}`)).status).toBe(200);
    expect((await reader.call('DELETE', `${RECIPIENTS}/${id}`)).status).toBe(403);
    expect((await reader.call('GET', `${RECIPIENTS}/${id}?x=1`)).status).toBe(400);
    expect((await reader.call('GET', `${RECIPIENTS}?limit=1`)).status).toBe(400);
    for (const wrong of ['x', randomUUID()]) {
      expect((await shop.call('GET', `${RECIPIENTS}/${wrong}`)).status).toBe(404);
    }
    expect((await shop.call('GET', `/api/v1/notification-recipient/${id}`)).status).toBe(200);
  });
});

describe('the command line', () => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createTables();
  });
  afterAll(async () => {
    await database.drop();
    removeFolder(folder);
  });

  const cli = (command: string): Promise<Result> => {
    const url = database.isPostgres ? database.url : 'file:./data';
    const args = command.split(' ');
    return new Program('cli/cli.js', args, { DATABASE_URL: url }, folder).result;
  };
  const json = async <T>(command: string): Promise<T> =>
    JSON.parse((await cli(`${command} --json`)).out) as T;

  it('adds, lists and removes recipients, and explains what it cannot do', async () => {
    const { id: merchant } = await json<{ id: string }>('merchant create --name Shop');
    const of = `--merchant ${merchant} --mode test`;
    const added = await json<RecipientJson>(
      `recipient add ${of} --email Anna@Shop.Example --locale de --time-zone Europe/Vienna --minimum-amount 500`,
    );
    expect(added).toMatchObject({
      email: 'anna@shop.example',
      status: 'unconfirmed',
      locale: 'de',
      minimumAmount: 500,
    });
    expect(await json(`recipient list ${of}`)).toEqual({ recipients: [added] });
    expect(await cli(`recipient test ${of} --recipient ${added.id}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('The question to confirm to anna@shop.example is queued'),
    });
    expect(await json(`recipient remove ${of} --recipient ${added.id}`)).toEqual({
      id: added.id,
      removed: true,
    });
    expect(await cli(`recipient remove ${of} --recipient ${added.id}`)).toMatchObject({ code: 1 });
    expect(await cli(`recipient add ${of} --email anna`)).toMatchObject({ code: 2 });
  }, 180_000);
});

describe('the page of the mailbox’s owner', () => {
  const look = async (url: string, init?: RequestInit) => {
    const reply = await fetch(url, init);
    return { reply, html: await reply.text() };
  };

  it('shows where the owner stands, and changes nothing by being looked at', async () => {
    const { id } = await addRecipient(shop, mailbox(), { locale: 'ar' });
    const page = await pageOf(app, id);
    for (const url of [page, `${page}/confirm`, `${page}/unsubscribe`]) {
      for (const method of ['GET', 'HEAD'])
        expect((await look(url, { method })).reply.status).toBe(200);
    }
    const { reply, html } = await look(page);
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('Lampen &lt;Shop>');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('x-robots-tag')).toContain('noindex');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
    expect(html).not.toMatch(/<script|style="| on\w+=/);
    expect(
      await count(app, 'notification_recipients', 'id = $1 AND confirmed_at IS NULL', [id]),
    ).toBe(1);
  });

  it('takes yes, no and yes again, each as often as it comes', async () => {
    const email = mailbox();
    const { id } = await addRecipient(shop, email);
    const page = await pageOf(app, id);
    const status = async () =>
      (await shop.call<RecipientJson>('GET', `${RECIPIENTS}/${id}`)).body.status;
    for (const [word, expected, title] of [
      ['confirm', 'confirmed', 'E-mails are on'],
      ['confirm', 'confirmed', 'E-mails are on'],
      ['unsubscribe', 'unsubscribed', 'E-mails are off'],
      ['unsubscribe', 'unsubscribed', 'E-mails are off'],
      ['confirm', 'confirmed', 'E-mails are on'],
    ] as const) {
      const { reply, html } = await look(`${page}/${word}`, { method: 'POST' });
      expect(reply.status).toBe(200);
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).toContain(email);
      expect(await status()).toBe(expected);
    }
  });

  it('takes back the question when the owner declines before it was sent', async () => {
    const email = mailbox();
    const { id } = await addRecipient(shop, email);
    await press(`${await pageOf(app, id)}/unsubscribe`);
    await sendMails(app);
    expect(server.to(email)).toEqual([]);
  });

  it.each(['x', 'x'.repeat(32), `${'x'.repeat(31)}%00`])(
    'knows nobody called %j',
    async (token) => {
      const url = `${app.url}/notification-recipient/${token}`;
      for (const init of [{}, { method: 'POST' }]) {
        const path = init.method ? `${url}/unsubscribe` : url;
        const { reply, html } = await look(path, {
          ...init,
          headers: { 'accept-language': 'fr' },
        });
        expect(reply.status).toBe(404);
        expect(html).toContain('Page introuvable');
      }
    },
  );

  it('serves its style sheet for good', async () => {
    const { html } = await look(await pageOf(app, (await addRecipient(shop, mailbox())).id));
    const href = /rel="stylesheet" href="([^"]+)"/.exec(html)![1]!;
    const { reply, html: css } = await look(app.url + href);
    expect(reply.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(reply.headers.get('cache-control')).toContain('immutable');
    expect(css).toContain('.card');
  });

  it('is limited like payment pages', async () => {
    const limited = await TestApp.start({ env: { RATE_LIMITS: 'on', RATE_PAGES: '2' } });
    const url = `${limited.url}/notification-recipient/${'x'.repeat(32)}`;
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await press(`${url}/unsubscribe`)).status);
    const { reply, html } = await look(url);
    await limited.stop();
    expect([...statuses, reply.status]).toEqual([404, 404, 429, 429]);
    expect(html).toContain('One moment, please');
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
