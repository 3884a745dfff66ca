import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/people/accounts.service.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { ANSWER_MS } from '../src/people/passwords/reset.service.js';
import { SessionsService } from '../src/people/sessions/sessions.service.js';
import { UsersService } from '../src/people/users.service.js';
import { TestApp } from './support/app.js';
import { browserOf, type FormBrowser } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { linkTo, sendLinks } from './support/links.js';
import { MailServer } from './support/mail-server.js';
import { codeOf, PASSWORD, person, type Person, signedIn, withTotp } from './support/people.js';
import { tally, together, until } from './support/race.js';
import { openShop } from './support/shop.js';

const SECURITY = '/portal/security';
const FRESH = 'nine quiet tin drums';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const server = await MailServer.start();
afterAll(() => server.stop());
const { app, shop } = await openShop({ env: { SMTP_URL: server.url } });

beforeEach(() => server.forget());

const somebody = (): Promise<Person> => person(app, 'owner', shop.merchantId);

const isIn = async (browser: FormBrowser): Promise<boolean> =>
  (await browser.get(SECURITY)).status === 200;

const actionsOf = async ({ id }: Person): Promise<unknown[]> => {
  const sql = 'SELECT action FROM audit_entries WHERE user_id = $1 ORDER BY id';
  return (await select(app, sql, [id])).map(({ action }) => action);
};

const change = (browser: FormBrowser, fields: Record<string, string>) =>
  browser.fill(
    SECURITY,
    { old: PASSWORD, fresh: FRESH, again: FRESH, ...fields },
    `${SECURITY}/password`,
  );

describe('changing the password', () => {
  it('ends all other sessions, and is written down', async () => {
    const user = await somebody();
    const [here, there] = [await signedIn(app, user), await signedIn(app, user)];
    const reply = await change(here, {});
    expect([reply.status, reply.location]).toEqual([303, `${SECURITY}?done=password`]);
    expect((await here.get(reply.location!)).html).toContain('Password changed');
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect((await browserOf(app).signIn(user.email, PASSWORD)).status).toBe(422);
    expect((await browserOf(app).signIn(user.email, FRESH)).status).toBe(303);
    expect(await actionsOf(user)).toContain('password.changed');
  });

  it.each([
    [{ old: 'not my password' }, 'This is not your password.'],
    [{ fresh: 'eleven chr.' }, 'Use at least 12 characters.'],
    [{ fresh: PASSWORD, again: PASSWORD }, 'This is your old password.'],
    [{ fresh: 'correct horse battery staple' }, 'Many people'],
    [{ fresh: 'wombatwombatwombat' }, 'repetition'],
    [{ fresh: 'a person walks in' }, 'Leave your name'],
    [{ again: 'nine quiet tin drumz' }, 'The two passwords differ.'],
  ])('refuses %j', async (fields, words) => {
    const user = await somebody();
    const browser = await signedIn(app, user);
    const reply = await change(browser, fields);
    expect([reply.status, reply.html]).toEqual([422, expect.stringContaining(words)]);
    expect(reply.html).not.toContain(FRESH);
    expect((await browserOf(app).signIn(user.email, PASSWORD)).status).toBe(303);
  });

  it('takes nothing else from the form', async () => {
    const user = await somebody();
    const extra = { role: 'operator', platformRole: 'operator', email: 'x@y.example', userId: '1' };
    await change(await signedIn(app, user), extra);
    const sql = 'SELECT email, platform_role FROM users WHERE id = $1';
    expect(await select(app, sql, [user.id])).toEqual([{ email: user.email, platform_role: null }]);
  });
});

describe('the second step at the sign-in', () => {
  const SET_UP = `${SECURITY}/second-factor`;
  const secretIn = (html: string): string => /name="secret" value="([^"]+)"/.exec(html)![1]!;

  async function setUp(browser: FormBrowser, fields: Record<string, string> = {}) {
    const secret = secretIn((await browser.get(SET_UP)).html);
    const code = await codeOf(app, secret);
    const reply = await browser.post(SET_UP, { secret, code, proof: PASSWORD, ...fields });
    return { secret, reply };
  }

  it('is asked for where live mode needs it', async () => {
    const browser = await signedIn(app, await somebody());
    const { location } = await browser.get(`/portal/m/${shop.merchantId}/live/team`);
    expect(location).toBe(`${SECURITY}?needed=live`);
    expect((await browser.get(location!)).html).toContain('requires two-factor authentication');
  });

  it('shows the key as text and as markup, and loads no image', async () => {
    const browser = await signedIn(app, await somebody());
    const { html } = await browser.get(SET_UP);
    const secret = secretIn(html);
    expect(html.replaceAll(' ', '')).toContain(`>${secret}<`);
    expect(html).toContain('<svg class="qr"');
    expect(html).not.toContain('data:image');
    expect((await browser.get(SET_UP)).html).not.toContain(secret);
  });

  it('is on after the first code, which goes on with this session alone', async () => {
    const user = await somebody();
    const [here, there] = [await signedIn(app, user), await signedIn(app, user)];
    const { secret, reply } = await setUp(here);
    expect(reply.status).toBe(200);
    const codes = [...reply.html.matchAll(/<code>([0-9a-f-]{17})<\/code>/g)].map(
      ([, code]) => code,
    );
    expect(new Set(codes).size).toBe(10);
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect((await here.get(SECURITY)).html).not.toContain(codes[0]);
    expect(await actionsOf(user)).toContain('second-factor.set-up');
    app.clock.advance(MINUTE_MS / 2);
    await signedIn(app, { ...user, totp: secret });
    const again = browserOf(app);
    await again.signIn(user.email, PASSWORD);
    expect((await again.fill('/portal/sign-in/code', { code: codes[0]! })).status).toBe(303);
    expect((await again.get(SECURITY)).html).toContain('9 of 10');
  });

  it.each([
    [{ proof: 'not my password' }, 422],
    [{ code: '000000' }, 422],
    [{ code: '' }, 422],
    [{ secret: 'AAAA' }, 303],
    [{ secret: '' }, 303],
  ])('is not set up with %j', async (fields, status) => {
    const user = await somebody();
    const { reply } = await setUp(await signedIn(app, user), fields);
    expect(reply.status).toBe(status);
    expect(await count(app, 'users', 'id = $1 AND totp_secret IS NULL', [user.id])).toBe(1);
  });

  it('is replaced only by somebody who has the old one', async () => {
    const user = await withTotp(app, await somebody());
    const browser = await signedIn(app, user);
    expect((await setUp(browser)).reply.status).toBe(422);
    app.clock.advance(MINUTE_MS);
    const proof = await codeOf(app, user.totp);
    expect((await setUp(browser, { proof })).reply.status).toBe(200);
    const sql = 'SELECT totp_secret FROM users WHERE id = $1';
    expect(await select(app, sql, [user.id])).not.toEqual([{ totp_secret: user.totp }]);
  });

  it('makes new recovery codes for a code of the app', async () => {
    const user = await withTotp(app, await somebody());
    const browser = await signedIn(app, user);
    const renew = async (code: string) =>
      browser.fill(SECURITY, { code }, `${SECURITY}/recovery-codes`);
    expect((await renew('000000')).status).toBe(422);
    app.clock.advance(MINUTE_MS);
    const reply = await renew(await codeOf(app, user.totp));
    expect([reply.status, reply.html.match(/<code>/g)?.length]).toEqual([200, 10]);
    const other = browserOf(app);
    await other.signIn(user.email, PASSWORD);
    const old = user.recoveryCodes[0]!;
    expect((await other.fill('/portal/sign-in/code', { code: old })).status).toBe(422);
    expect(await actionsOf(user)).toContain('recovery-codes.renewed');
  });
});

describe('sessions', () => {
  const idsIn = (html: string): string[] =>
    [...html.matchAll(/sessions\/([0-9a-f-]{36})\/end"/g)].map(([, id]) => id!);

  it('are shown with where and when, and this one marked', async () => {
    const user = await somebody();
    const here = await signedIn(app, user);
    await signedIn(app, user);
    const { html } = await here.get(SECURITY);
    expect(html.match(/This browser/g)).toHaveLength(1);
    expect(html).toContain('127.0.0.1');
    expect(html).toContain(`title="${app.clock.now().toISOString()}"`);
    expect(idsIn(html)).toHaveLength(1);
  });

  it('end one by one, and all but this one', async () => {
    const user = await somebody();
    const [here, one, two] = [
      await signedIn(app, user),
      await signedIn(app, user),
      await signedIn(app, user),
    ];
    const [id] = idsIn((await here.get(SECURITY)).html);
    expect((await here.post(`${SECURITY}/sessions/${id}/end`)).status).toBe(303);
    expect([await isIn(one), await isIn(two)].filter(Boolean)).toHaveLength(1);
    await here.fill(SECURITY, {}, `${SECURITY}/sessions/end-others`);
    expect([await isIn(here), await isIn(one), await isIn(two)]).toEqual([true, false, false]);
    expect(await actionsOf(user)).toEqual(
      expect.arrayContaining(['session.ended', 'sessions.ended']),
    );
  });

  it('of others stay', async () => {
    const [user, other] = [await somebody(), await somebody()];
    const theirs = await signedIn(app, other);
    const sql = 'SELECT id FROM user_sessions WHERE user_id = $1 AND ended_at IS NULL';
    const [session] = await select(app, sql, [other.id]);
    const mine = await signedIn(app, user);
    for (const id of [session!['id'], 'x', 'end-others']) {
      await mine.fill(SECURITY, {}, `${SECURITY}/sessions/${String(id)}/end`);
    }
    expect(await isIn(theirs)).toBe(true);
  });

  it('do not begin with a password that was changed while it was checked', async () => {
    const { id, email } = await somebody();
    const sessions = app.get(SessionsService);
    const from = { address: '127.0.0.1', agent: 'test' };
    const before = (await app.get(UsersService).find(id))!;
    expect(await sessions.begin(before, from, null)).not.toBeNull();
    await change(await signedIn(app, { id, email, totp: null }), {});
    expect(await sessions.begin(before, from, null)).toBeNull();
  });

  it('end when the account is closed', async () => {
    const user = await somebody();
    const browser = await signedIn(app, user);
    await app.get(AccountsService).close(user.email);
    expect(await isIn(browser)).toBe(false);
    expect((await browserOf(app).signIn(user.email, PASSWORD)).status).toBe(422);
  });
});

describe('a new password by mail', () => {
  const ask = (email: string): Promise<unknown> => browserOf(app).fill('/portal/reset', { email });
  const choose = (link: string, fields: Record<string, string> = {}) =>
    browserOf(app).fill('/portal/reset', { fresh: FRESH, again: FRESH, ...fields }, link);

  async function linkFor({ email }: Person): Promise<string> {
    await ask(email);
    return linkTo(app, server, email);
  }

  it('arrives as a link, of which the database keeps the hash alone', async () => {
    const user = await somebody();
    await ask(` ${user.email.toUpperCase()} `);
    expect(await count(app, 'user_links', 'token IS NOT NULL AND email = $1', [user.email])).toBe(
      1,
    );
    const link = await linkTo(app, server, user.email);
    expect(link).toMatch(/^\/portal\/reset\/[\w-]{43}$/);
    const [mail] = server.to(user.email);
    expect(mail!.text).toContain(link);
    expect(mail!.subject).toBe('Choose a new password');
    expect(mail!.header('list-unsubscribe')).toEqual([]);
    const rows = await select(app, 'SELECT row_to_json(l)::text AS row FROM user_links l');
    expect(JSON.stringify(rows)).not.toContain(link.split('/').at(-1));
    expect(app.log.join('')).not.toContain(link.split('/').at(-1));
    await sendLinks(app);
    expect(server.to(user.email)).toHaveLength(1);
  });

  it('ends all sessions, and works once', async () => {
    const user = await somebody();
    const browser = await signedIn(app, user);
    const link = await linkFor(user);
    const second = await linkFor(user);
    const reply = await choose(link);
    expect([reply.status, reply.location]).toEqual([303, '/portal/reset/done']);
    expect(await isIn(browser)).toBe(false);
    expect((await browserOf(app).signIn(user.email, FRESH)).status).toBe(303);
    for (const used of [link, second]) {
      const again = await choose(used, {
        fresh: 'ten loud brass drums',
        again: 'ten loud brass drums',
      });
      expect([again.status, again.html]).toEqual([404, expect.stringContaining('no longer works')]);
    }
    expect(await actionsOf(user)).toEqual(
      expect.arrayContaining(['password.reset-asked', 'password.reset']),
    );
  });

  it('stays, whoever changes the old password over and over at that moment', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await somebody();
      const link = await linkFor(user);
      const intruder = await signedIn(app, user);
      let [old, changes] = [PASSWORD, 0];
      const changing = (async () => {
        for (; ; changes++) {
          const fresh = `a thief's ${changes} wet boots`;
          const reply = await change(intruder, { old, fresh, again: fresh });
          if (reply.location !== `${SECURITY}?done=password`) return;
          old = fresh;
        }
      })();
      await until('some changes are through', async () => changes > 1);
      expect((await choose(link)).location).toBe('/portal/reset/done');
      await changing;
      expect((await browserOf(app).signIn(user.email, FRESH)).status).toBe(303);
      expect((await browserOf(app).signIn(user.email, old)).status).toBe(422);
    }
  });

  it('has one winner when two use the link at once', async () => {
    const user = await somebody();
    const link = await linkFor(user);
    const passwords = ['one wet brown otter', 'two dry brown otters'];
    const replies = await together(
      (n) => choose(link, { fresh: passwords[n]!, again: passwords[n]! }),
      2,
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 303: 1, 404: 1 });
    const winner = passwords[replies.findIndex(({ status }) => status === 303)]!;
    expect((await browserOf(app).signIn(user.email, winner)).status).toBe(303);
  });

  it('keeps the link while the password is not good enough', async () => {
    const user = await somebody();
    const link = await linkFor(user);
    for (const again of ['short', 'another one than this']) {
      expect((await choose(link, { fresh: again.slice(0, 5), again })).status).toBe(422);
      expect((await choose(link, { again })).status).toBe(422);
    }
    expect((await choose(link, { email: 'x@y.example', userId: 'x' })).status).toBe(303);
  });

  it('works for an hour', async () => {
    const user = await somebody();
    const link = await linkFor(user);
    app.clock.advance(HOUR_MS - 1);
    expect((await browserOf(app).get(link)).status).toBe(200);
    app.clock.advance(1);
    expect((await browserOf(app).get(link)).status).toBe(404);
    expect((await choose(link)).status).toBe(404);
  });

  it.each(['x', 'A'.repeat(43), '..%2f..%2fetc'])('answers %j alike', async (token) => {
    const reply = await browserOf(app).get(`/portal/reset/${token}`);
    expect([reply.status, reply.html]).toEqual([404, expect.stringContaining('no longer works')]);
  });

  it('still asks for a code', async () => {
    const user = await withTotp(app, await somebody());
    expect((await choose(await linkFor(user))).status).toBe(303);
    expect((await browserOf(app).signIn(user.email, FRESH)).location).toBe('/portal/sign-in/code');
  });

  it('tells nobody who has an account', async () => {
    const user = await somebody();
    const closed = await somebody();
    await app.get(AccountsService).close(closed.email);
    const answers = [];
    for (const email of [user.email, 'nobody@people.example', closed.email, 'no address']) {
      const start = performance.now();
      const browser = browserOf(app);
      const reply = await browser.fill('/portal/reset', { email });
      // Timers may ring a millisecond early.
      expect(performance.now() - start).toBeGreaterThan(ANSWER_MS - 5);
      answers.push([reply.status, reply.location, (await browser.get(reply.location!)).html]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await sendLinks(app);
    expect(server.mails.flatMap(({ envelope }) => envelope.to)).toEqual([user.email]);
  });

  it('is tried again while the mail server is away, and given up when it refuses', async () => {
    const [late, refused] = [await somebody(), await somebody()];
    server.answers({ code: 451, at: 'data' });
    await ask(late.email);
    await sendLinks(app);
    expect(server.to(late.email)).toEqual([]);
    app.clock.advance(MINUTE_MS);
    expect(await linkTo(app, server, late.email)).toMatch(/^\/portal\/reset\//);
    server.answers({ code: 550, at: 'recipient' });
    await ask(refused.email);
    await sendLinks(app);
    app.clock.advance(HOUR_MS / 2);
    await sendLinks(app);
    expect(server.to(refused.email)).toEqual([]);
    expect(await count(app, 'user_links', 'token IS NOT NULL')).toBe(0);
  });

  it('is sent by one of two workers', async () => {
    const user = await somebody();
    await ask(user.email);
    await together(() => sendLinks(app), 2);
    expect(server.to(user.email)).toHaveLength(1);
  });

  it('forgets tokens that nobody could use any more', async () => {
    const user = await somebody();
    await ask(user.email);
    app.clock.advance(HOUR_MS);
    await sendLinks(app);
    expect(server.mails).toEqual([]);
    expect(await count(app, 'user_links', 'token IS NOT NULL')).toBe(0);
  });
});

describe('with limits', () => {
  it('sends three links an hour to an address, and says nothing of it', async () => {
    const limited = await TestApp.start({
      env: { RATE_LIMITS: 'on', RATE_SIGN_INS: '100', SMTP_URL: server.url },
    });
    try {
      const { merchantId } = await limited.merchant();
      const { email } = await person(limited, 'owner', merchantId);
      for (let asked = 0; asked < 5; asked++) {
        const reply = await browserOf(limited).fill('/portal/reset', { email });
        expect([reply.status, reply.location]).toEqual([303, '/portal/reset/asked']);
      }
      await sendLinks(limited);
      expect(server.to(email)).toHaveLength(3);
    } finally {
      await limited.stop();
    }
  });
});

describe('strangers who guess', () => {
  /** A browser in which the password was right, and a code is owed. */
  async function half({ email }: Person, device?: string): Promise<FormBrowser> {
    const browser = browserOf(app);
    if (device) browser.setCookie(device, 'portal-device');
    await browser.signIn(email, PASSWORD);
    await browser.get('/portal/sign-in/code');
    return browser;
  }

  it('from five sites use up what an account has for strangers, not what known browsers have', async () => {
    const attacked = await TestApp.start({
      env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
    });
    try {
      const { merchantId } = await attacked.merchant();
      const owner = await withTotp(attacked, await person(attacked, 'owner', merchantId));
      const device = (await signedIn(attacked, owner)).cookie('portal-device')!;
      attacked.clock.advance(MINUTE_MS);
      const form = browserOf(attacked);
      const { html } = await form.get('/portal/sign-in');
      const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
      for (let n = 0; n < 100; n++) {
        const network = `2001:db8:${(n % 5) + 1}:${Math.floor(n / 25)}::1`;
        const stranger = browserOf(attacked, network);
        stranger.setCookie(form.cookie()!);
        const typed = { csrf, email: owner.email, password: 'wrong' };
        expect((await stranger.post('/portal/sign-in', typed)).status).toBe(422);
      }
      const unknown = browserOf(attacked, '203.0.113.1');
      expect((await unknown.signIn(owner.email, PASSWORD)).status).toBe(429);

      const known = browserOf(attacked, '203.0.113.2');
      known.setCookie(device, 'portal-device');
      expect((await known.signIn(owner.email, PASSWORD)).status).toBe(303);
      const code = await codeOf(attacked, owner.totp);
      expect((await known.fill('/portal/sign-in/code', { code })).status).toBe(303);
      expect((await known.get(SECURITY)).status).toBe(200);
    } finally {
      await attacked.stop();
    }
  });

  it('shut nobody out: neither a known browser, nor a new one, nor who is signed in', async () => {
    const attacked = await TestApp.start({
      env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
    });
    try {
      const { merchantId } = await attacked.merchant();
      const owner = await withTotp(attacked, await person(attacked, 'owner', merchantId));
      const inside = await signedIn(attacked, owner);
      const strangers = Array.from({ length: 12 }, (_, n) =>
        browserOf(attacked, `198.51.100.${n + 1}`),
      );
      for (const stranger of strangers) await stranger.get('/portal/sign-in');
      attacked.clock.advance(MINUTE_MS);
      const device = inside.cookie('portal-device')!;
      const seen: Record<'known' | 'unknown' | 'code', number[]> = {
        known: [],
        unknown: [],
        code: [],
      };
      const wrong = { email: owner.email, password: 'wrong' };
      for (let second = 0; second < 20; second++) {
        attacked.clock.advance(1_000);
        await Promise.all(strangers.map((each) => each.post('/portal/sign-in', wrong)));
        const known = browserOf(attacked, '203.0.113.1');
        known.setCookie(device, 'portal-device');
        seen.known.push((await known.signIn(owner.email, PASSWORD)).status);
        const unknown = browserOf(attacked, `192.0.2.${second + 1}`);
        seen.unknown.push((await unknown.signIn(owner.email, PASSWORD)).status);
        if (second !== 19) continue;
        const code = await codeOf(attacked, owner.totp);
        const path = `${SECURITY}/recovery-codes`;
        seen.code.push((await inside.fill(SECURITY, { code }, path)).status);
      }
      expect(tally(seen.known)).toEqual({ 303: 20 });
      expect(tally(seen.unknown)[303]).toBeGreaterThan(15);
      expect(tally(seen.code)).toEqual({ 200: 1 });
    } finally {
      await attacked.stop();
    }
  });

  it('are signed out after five wrong codes, wait longer and longer, and are told of', async () => {
    const user = await withTotp(app, await somebody());
    const known = await signedIn(app, user);
    const guessing = async () => {
      const browser = await half(user);
      const statuses = [];
      for (let tries = 0; tries < 6; tries++) {
        const code = tries % 2 === 0 ? '000000' : '00000-00000-00000';
        statuses.push((await browser.post('/portal/sign-in/code', { code })).status);
      }
      return statuses;
    };
    expect(await guessing()).toEqual([422, 422, 422, 422, 403, 303]);
    const codes = (await actionsOf(user)).filter((action) => action === 'code.refused');
    expect(codes).toHaveLength(5);
    expect((await guessing()).slice(0, 5)).toEqual([429, 429, 429, 429, 429]);
    const again = await half(user, known.cookie('portal-device'));
    const code = await codeOf(app, user.totp);
    const locked = await half(user);
    expect((await locked.post('/portal/sign-in/code', { code })).status).toBe(429);
    app.clock.advance(MINUTE_MS);
    expect(await guessing()).toEqual([422, 422, 422, 422, 403, 303]);
    app.clock.advance(MINUTE_MS);
    expect((await guessing())[0]).toBe(429);
    app.clock.advance(MINUTE_MS);
    expect((await guessing())[0]).toBe(422);
    const fresh = await codeOf(app, user.totp);
    expect((await again.post('/portal/sign-in/code', { code: fresh })).status).toBe(303);
    await app.get(UserNotices).run();
    const subjects = server.to(user.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject?.startsWith('Wrong'))).toEqual([
      'Wrong codes for your account',
    ]);
  });

  it('have no more tries for guessing in many browsers at once', async () => {
    const user = await withTotp(app, await somebody());
    const browsers = await Promise.all(Array.from({ length: 6 }, () => half(user)));
    const replies = await together((n) => {
      return browsers[n % 6]!.post('/portal/sign-in/code', { code: '000000' });
    });
    const { 429: late = 0 } = tally(replies.map(({ status }) => status));
    expect(replies.length - late).toBe(5);
  });

  it('gain nothing by browsers that signed in before there was a second factor', async () => {
    const somebodyNew = await somebody();
    const before: FormBrowser[] = [];
    for (let n = 0; n < 10; n++) before.push(await signedIn(app, somebodyNew));
    const user = await withTotp(app, somebodyNew);
    const seen = [];
    for (const each of before) {
      const browser = await half(user, each.cookie('portal-device'));
      seen.push((await browser.post('/portal/sign-in/code', { code: '000000' })).status);
    }
    expect(tally(seen)).toEqual({ 422: 5, 429: 5 });
  });

  it('are counted for the account in known browsers too, of which all share twenty codes', async () => {
    const limited = await TestApp.start({ env: { RATE_LIMITS: 'on' } });
    try {
      const { merchantId } = await limited.merchant();
      const user = await withTotp(limited, await person(limited, 'owner', merchantId));
      const devices: string[] = [];
      for (let n = 0; n < 5; n++) {
        devices.push((await signedIn(limited, user)).cookie('portal-device')!);
        limited.clock.advance(HOUR_MS);
      }
      const seen = [];
      for (let n = 0; n < 30; n++) {
        const browser = browserOf(limited);
        browser.setCookie(devices[n % 5]!, 'portal-device');
        await browser.signIn(user.email, PASSWORD);
        await browser.get('/portal/sign-in/code');
        seen.push((await browser.post('/portal/sign-in/code', { code: '000000' })).status);
      }
      expect(tally(seen)).toEqual({ 422: 20, 429: 10 });
      const sql = 'SELECT wrong_codes AS n FROM users WHERE id = $1';
      expect(await select(limited, sql, [user.id])).toEqual([{ n: 20 }]);
    } finally {
      await limited.stop();
    }
  });

  it('are signed out by wrong codes, whatever right passwords come between', async () => {
    const user = await withTotp(app, await somebody());
    const browser = await signedIn(app, user);
    const statuses = [];
    for (let tries = 0; tries < 5; tries++) {
      const path = `${SECURITY}/recovery-codes`;
      statuses.push((await browser.fill(SECURITY, { code: '000000' }, path)).status);
      if (tries < 4) expect((await change(browser, { fresh: 'short' })).status).toBe(422);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 403]);
    expect(await isIn(browser)).toBe(false);
  });

  it('are signed out by wrong passwords, too', async () => {
    const browser = await signedIn(app, await somebody());
    const statuses = [];
    for (let tries = 0; tries < 5; tries++) {
      statuses.push((await change(browser, { old: 'wrong' })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 403]);
    expect(await isIn(browser)).toBe(false);
  });
});

describe('the time of a refused sign-in', () => {
  const PAIRS = 31;
  /** Anything else that the machine does strikes one run; a real difference is there in each. */
  const RUNS = 3;

  const medianOf = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;

  async function timeOf(email: string): Promise<number> {
    const browser = browserOf(app);
    await browser.get('/portal/sign-in');
    const start = performance.now();
    const reply = await browser.post('/portal/sign-in', { email, password: 'wrong wrong wrong' });
    expect(reply.status).toBe(422);
    return performance.now() - start;
  }

  it('does not tell who has an account', async () => {
    const { email } = await somebody();
    const ratios: number[] = [];
    for (let run = 0; run < RUNS && !ratios.some((ratio) => Math.abs(ratio - 1) <= 0.05); run++) {
      const [known, unknown]: [number[], number[]] = [[], []];
      for (let pair = 0; pair < PAIRS; pair++) {
        known.push(await timeOf(email));
        unknown.push(await timeOf('nobody@people.example'));
      }
      ratios.push(medianOf(known) / medianOf(unknown));
    }
    expect(Math.abs(ratios.at(-1)! - 1)).toBeLessThanOrEqual(0.05);
  });
});
