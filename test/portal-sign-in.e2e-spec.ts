import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { browserOf } from './support/browser-form.js';
import { select } from './support/facts.js';
import { codeOf, PASSWORD, person, type Person, signedIn, withTotp } from './support/people.js';

const MINUTE_MS = 60_000;
const REFUSED = 'Wrong email or password.';

describe('signing in', () => {
  let app: TestApp;
  let merchantId: string;
  let owner: Person;

  beforeAll(async () => {
    app = await TestApp.start();
    ({ merchantId } = await app.merchant());
    owner = await person(app, 'owner', merchantId);
  });
  afterAll(() => app.stop());

  it('leads to the place that one asked for', async () => {
    const browser = browserOf(app);
    const asked = await browser.get('/portal/security?a=b');
    expect([asked.status, asked.location]).toEqual([
      303,
      '/portal/sign-in?next=%2Fportal%2Fsecurity%3Fa%3Db',
    ]);
    await browser.get(asked.location!);
    const fields = {
      email: owner.email.toUpperCase(),
      password: PASSWORD,
      next: '/portal/security',
    };
    const reply = await browser.post('/portal/sign-in', fields);
    expect([reply.status, reply.location]).toEqual([303, '/portal/security']);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/api/order'])(
    'does not lead to %s',
    async (next) => {
      const browser = browserOf(app);
      await browser.get('/portal/sign-in');
      const fields = { email: owner.email, password: PASSWORD, next };
      expect((await browser.post('/portal/sign-in', fields)).location).toBe('/portal');
    },
  );

  it('answers alike for a wrong password and for nobody', async () => {
    const pages = [];
    for (const email of [owner.email, 'nobody@people.example']) {
      const reply = await browserOf(app).signIn(email, 'wrong wrong wrong');
      expect(reply.status).toBe(422);
      expect(reply.html).toContain(REFUSED);
      pages.push(reply.html.replace(email, '').replace(/name="csrf" value="[^"]+"/, ''));
    }
    expect(pages[0]).toBe(pages[1]);
    const sql = 'SELECT action FROM audit_entries WHERE user_id = $1 ORDER BY id DESC LIMIT 1';
    expect(await select(app, sql, [owner.id])).toEqual([{ action: 'sign-in.refused' }]);
  });

  it('shows what was typed as text', async () => {
    const reply = await browserOf(app).signIn('"><script>alert(1)</script>@x', 'x');
    expect(reply.html).not.toContain('<script>alert');
  });

  it('makes a new cookie, so that a planted one is worth nothing', async () => {
    const browser = browserOf(app);
    await browser.get('/portal/sign-in');
    const before = browser.cookie()!;
    await browser.signIn(owner.email, PASSWORD);
    expect(browser.cookie()).not.toBe(before);
    const thief = browserOf(app);
    thief.setCookie(before);
    expect((await thief.get('/portal')).location).toBe('/portal/sign-in');
  });

  it('gives a cookie that scripts and other sites do not get', async () => {
    const { headers } = await browserOf(app).get('/portal/sign-in');
    expect(headers.get('set-cookie')).toMatch(
      /^portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('keeps no token in the database', async () => {
    const browser = await signedIn(app, owner);
    const rows = await select(app, 'SELECT row_to_json(s)::text AS row FROM user_sessions s', []);
    expect(JSON.stringify(rows)).not.toContain(browser.cookie());
  });

  it('ends with the sign-out, also for a copy of the cookie', async () => {
    const browser = await signedIn(app, owner);
    const thief = browserOf(app);
    thief.setCookie(browser.cookie()!);
    expect((await thief.get('/portal')).location).toContain('/portal/m/');
    expect((await browser.fill('/portal/security', {}, '/portal/sign-out')).status).toBe(303);
    expect((await thief.get('/portal')).location).toBe('/portal/sign-in');
  });

  it('ends after half an hour without use, and after twelve hours with it', async () => {
    const idle = await signedIn(app, owner);
    const busy = await signedIn(app, owner);
    const isIn = async (browser: typeof idle) =>
      (await browser.get('/portal')).location !== '/portal/sign-in';
    for (let minutes = 0; minutes < 12 * 60; minutes += 29) {
      expect(await isIn(busy)).toBe(true);
      app.clock.advance(29 * MINUTE_MS);
    }
    expect(await isIn(busy)).toBe(false);
    expect(await isIn(idle)).toBe(false);
    const short = await signedIn(app, owner);
    app.clock.advance(30 * MINUTE_MS);
    expect(await isIn(short)).toBe(false);
  });

  it.each(
    ['', 'x', 'x'.repeat(43), 'é'.repeat(43), '\u{1f600}'.repeat(43)].map((csrf) => ({ csrf })),
  )('refuses a forged form: %j', async (fields) => {
    const signing = await browserOf(app).fill('/portal/sign-in', {
      email: owner.email,
      password: PASSWORD,
      ...fields,
    });
    expect([signing.status, signing.location]).toEqual([403, null]);
    const browser = await signedIn(app, owner);
    expect((await browser.post('/portal/sign-out', fields)).status).toBe(403);
    expect((await browser.get('/portal')).location).toContain('/portal/m/');
  });

  it('does not let in who was disabled', async () => {
    const gone = await person(app, 'viewer', merchantId);
    const browser = await signedIn(app, gone);
    await select(app, 'UPDATE users SET disabled_at = now() WHERE id = $1', [gone.id]);
    expect((await browser.get('/portal')).location).toBe('/portal/sign-in');
    expect((await browserOf(app).signIn(gone.email, PASSWORD)).html).toContain(REFUSED);
  });

  describe('with a second factor', () => {
    it('asks for a code before anything else, and takes each code once', async () => {
      const somebody = await withTotp(app, await person(app, 'owner', merchantId));
      const browser = browserOf(app);
      const reply = await browser.signIn(somebody.email, PASSWORD);
      expect(reply.location).toBe('/portal/sign-in/code');
      expect((await browser.get('/portal/security')).location).toBe('/portal/sign-in/code');
      const half = browser.cookie()!;
      const code = await codeOf(app, somebody.totp);
      const given = await browser.fill('/portal/sign-in/code', { code });
      expect([given.status, given.location]).toEqual([303, '/portal']);
      expect(browser.cookie()).not.toBe(half);
      const again = browserOf(app);
      await again.signIn(somebody.email, PASSWORD);
      const refused = await again.fill('/portal/sign-in/code', { code });
      expect(refused.status).toBe(422);
      expect(refused.html).toContain('invalid or expired');
    });

    it('takes the code of the minute before and no older one', async () => {
      const somebody = await withTotp(app, await person(app, 'owner', merchantId));
      for (const [late, status] of [
        [90_000, 422],
        [30_000, 303],
      ] as const) {
        const browser = browserOf(app);
        await browser.signIn(somebody.email, PASSWORD);
        const code = await codeOf(app, somebody.totp);
        app.clock.advance(late);
        expect((await browser.fill('/portal/sign-in/code', { code })).status).toBe(status);
      }
    });

    it('takes each recovery code once', async () => {
      const somebody = await withTotp(app, await person(app, 'owner', merchantId));
      const [code = ''] = somebody.recoveryCodes;
      for (const [given, status] of [
        [code.toUpperCase(), 303],
        [code, 422],
        ['00000-00000-00000', 422],
        ['', 422],
      ] as const) {
        const browser = browserOf(app);
        await browser.signIn(somebody.email, PASSWORD);
        const reply = await browser.fill('/portal/sign-in/code', { code: given });
        expect([given, reply.status]).toEqual([given, status]);
      }
    });
  });
});

describe('trying to guess', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { RATE_LIMITS: 'on' } });
  });
  afterAll(() => app.stop());

  it('is over for a minute after five tries', async () => {
    const { merchantId } = await app.merchant();
    const { email } = await person(app, 'owner', merchantId);
    for (let tries = 0; tries < 5; tries++) {
      expect((await browserOf(app).signIn(email, 'wrong')).status).toBe(422);
    }
    const right = await browserOf(app).signIn(email, PASSWORD);
    expect([right.status, right.html]).toEqual([429, expect.stringContaining('Too many tries')]);
    app.clock.advance(MINUTE_MS);
    expect((await browserOf(app).signIn(email, PASSWORD)).status).toBe(303);
  });

  it('does not count who is right, and leaves a row an hour of who is wrong', async () => {
    const { merchantId } = await app.merchant();
    const { id, email } = await person(app, 'owner', merchantId);
    app.clock.advance(60 * MINUTE_MS);
    for (let tries = 0; tries < 7; tries++) {
      expect((await browserOf(app).signIn(email, PASSWORD)).status).toBe(303);
    }
    const refusals = () =>
      select(app, `SELECT user_id FROM audit_entries WHERE action = 'sign-in.refused'`);
    const before = (await refusals()).length;
    for (const typed of [email, email, email, 'one@nobody.example', 'two@nobody.example']) {
      expect((await browserOf(app).signIn(typed, 'wrong')).status).toBe(422);
    }
    const found = (await refusals()).slice(before).map((row) => row['user_id']);
    expect(found.toSorted()).toEqual([id, null]);
    const sql = 'SELECT tries::integer AS n FROM sign_in_refusals WHERE whose = $1';
    expect(await select(app, sql, [id])).toEqual([{ n: 3 }]);
  });
});
