import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { browserOf, type FormBrowser, type PageReply } from './support/browser-form.js';
import { select } from './support/facts.js';
import { codeOf, PASSWORD, person, type Person, signedIn, withTotp } from './support/people.js';
import { tally, together } from './support/race.js';

const SECURITY = '/portal/security';
const FRESH = 'nine quiet tin drums';
const MINUTE_MS = 60_000;

describe('a session that gains something', () => {
  let app: TestApp;
  let merchantId: string;

  beforeAll(async () => {
    app = await TestApp.start();
    ({ merchantId } = await app.merchant());
  });
  afterAll(() => app.stop());

  /** Whoever has the cookie of this browser. */
  function copyOf(browser: FormBrowser): FormBrowser {
    const copy = browserOf(app);
    copy.setCookie(browser.cookie()!);
    return copy;
  }

  const isIn = async (browser: FormBrowser): Promise<boolean> =>
    (await browser.get(SECURITY)).status === 200;

  const csrfIn = ({ html }: PageReply): string => /name="csrf" value="([^"]+)"/.exec(html)![1]!;

  const newOwner = (): Promise<Person> => person(app, 'owner', merchantId);

  async function setUp(browser: FormBrowser): Promise<PageReply> {
    const page = await browser.get(`${SECURITY}/second-factor`);
    const secret = /name="secret" value="([^"]+)"/.exec(page.html)![1]!;
    const code = await codeOf(app, secret);
    return browser.post(`${SECURITY}/second-factor`, { secret, code, proof: PASSWORD });
  }

  it('by its second step leaves nothing to a copy of the cookie of before', async () => {
    const browser = await signedIn(app, await newOwner());
    const copy = copyOf(browser);
    const live = `/portal/m/${merchantId}/live`;
    expect((await copy.get(`${live}/orders`)).location).toBe(`${SECURITY}?needed=live`);
    const codes = await setUp(browser);
    expect([codes.status, codes.html]).toEqual([200, expect.stringContaining('recovery codes')]);
    for (const path of ['orders', 'orders/download.csv', 'keys/new']) {
      const { status, location } = await copy.get(`${live}/${path}`);
      expect([status, location]).toEqual([303, expect.stringContaining('/portal/sign-in')]);
    }
    expect((await browser.get(`${live}/orders`)).status).toBe(200);
  });

  it.each<[gain: string, path: string, fields: Record<string, string>, status: number]>([
    ['a new password', '/password', { old: PASSWORD, fresh: FRESH, again: FRESH }, 303],
    ['the end of all others', '/sessions/end-others', {}, 303],
    ['new recovery codes', '/recovery-codes', {}, 200],
    ['a code', 'live/keys/new', { name: 'Live', scopes: 'orders:read', apiVersion: '1.2.2' }, 201],
  ])('by %s has another token, and the old one ends at once', async (_, path, fields, status) => {
    const user = await withTotp(app, await newOwner());
    const browser = await signedIn(app, user);
    const copy = copyOf(browser);
    app.clock.advance(6 * MINUTE_MS);
    const old = { csrf: csrfIn(await browser.get(SECURITY)) };
    const url = path.startsWith('/') ? SECURITY + path : `/portal/m/${merchantId}/${path}`;
    const reply = await browser.post(url, { ...fields, code: await codeOf(app, user.totp) });
    expect([reply.status, await isIn(copy)]).toEqual([status, false]);
    expect((await copy.post('/portal/sign-out', old)).status).toBe(303);
    const stale = await browser.post(`${SECURITY}/sessions/end-others`, old);
    expect([stale.status, stale.html]).toEqual([403, expect.stringContaining('form has expired')]);
    const page = reply.status === 303 ? await browser.get(reply.location!) : reply;
    const shown = { csrf: csrfIn(page) };
    expect((await browser.post(`${SECURITY}/sessions/end-others`, shown)).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
  });

  it('by a code of another tab is not fresh for the copy', async () => {
    const user = await withTotp(app, await newOwner());
    const browser = await signedIn(app, user);
    app.clock.advance(6 * MINUTE_MS);
    const copy = copyOf(browser);
    const form = {
      csrf: csrfIn(await copy.get(SECURITY)),
      email: 'evil@else.example',
      role: 'owner',
    };
    const path = `/portal/m/${merchantId}/test/team/invitations`;
    expect((await copy.post(path, form)).status).toBe(422);
    const code = await codeOf(app, user.totp);
    await browser.fill(SECURITY, { email: 'guest@else.example', role: 'owner', code }, path);
    const refused = await copy.post(path, form);
    expect([refused.status, refused.location]).toEqual([303, '/portal/sign-in']);
    const sql = `SELECT email FROM user_links WHERE email LIKE '%@else.example'`;
    expect(await select(app, sql)).toEqual([{ email: 'guest@else.example' }]);
  });

  it('twice at once goes on once', async () => {
    const browser = await signedIn(app, await newOwner());
    const form = { csrf: csrfIn(await browser.get(SECURITY)) };
    const copies = [copyOf(browser), copyOf(browser)];
    const replies = await together(
      (n) => copies[n]!.post(`${SECURITY}/sessions/end-others`, form),
      copies.length,
    );
    expect(tally(replies.map(({ location }) => location!))).toEqual({
      [`${SECURITY}?done=sessions`]: 1,
      '/portal/sign-in': 1,
    });
    expect((await Promise.all(copies.map(isIn))).filter(Boolean)).toHaveLength(1);
  });

  it('without another token is refused by the database', async () => {
    const user = await newOwner();
    await signedIn(app, user);
    for (const gain of [
      'second_factor_at = now()',
      `created_at = created_at + interval '1 hour'`,
      'user_id = (SELECT id FROM users WHERE id <> user_id LIMIT 1)',
    ]) {
      const sql = `UPDATE user_sessions SET ${gain} WHERE user_id = $1`;
      await expect(select(app, sql, [user.id])).rejects.toThrow(/only with another token/);
    }
  });
});
