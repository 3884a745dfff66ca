import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UserSessionRepository } from '../src/database/people/user-session.repository.js';
import { newToken } from '../src/people/sessions/session-token.js';
import { TestApp } from './support/app.js';
import { browserOf, type FormBrowser } from './support/browser-form.js';
import { PASSWORD, person, type Person } from './support/people.js';
import { tally, together } from './support/race.js';

const SIGN_IN = '/portal/sign-in';
const MINUTE_MS = 60_000;

/** Of so many that ask, ten at once. */
async function statusesOf(count: number, ask: (n: number) => Promise<{ status: number }>) {
  const seen: number[] = [];
  for (let n = 0; n < count; n += 10) {
    for (const { status } of await together((i) => ask(n + i), 10)) seen.push(status);
  }
  return tally(seen);
}

describe('pages of the portal', () => {
  let app: TestApp;
  let owner: Person;

  beforeAll(async () => {
    app = await TestApp.start({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } });
    const { merchantId } = await app.merchant();
    owner = await person(app, 'owner', merchantId);
  });
  afterAll(() => app.stop());

  async function openAt(address: string): Promise<FormBrowser> {
    const browser = browserOf(app, address);
    expect((await browser.signIn(owner.email, PASSWORD)).status).toBe(303);
    await browser.get('/portal/security');
    return browser;
  }

  it('are shown to strangers by network, of whom no more is looked up', async () => {
    const look = jest.spyOn(app.get(UserSessionRepository), 'find');
    const stranger = (): FormBrowser => {
      const browser = browserOf(app, '192.0.2.1');
      browser.setCookie(newToken());
      return browser;
    };
    const open = () => stranger().get(SIGN_IN);
    expect(await statusesOf(70, open)).toEqual({ 200: 60, 429: 10 });
    expect(look).toHaveBeenCalledTimes(60);
    const refused = await open();
    expect(refused.headers.get('content-type')).toMatch('text/html');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await browserOf(app, '192.0.2.2').get(SIGN_IN)).status).toBe(200);
    app.clock.advance(1_000);
    expect(await statusesOf(10, open)).toEqual({ 200: 2, 429: 8 });
    look.mockRestore();
  });

  it('are shown to who is signed in beside such strangers, as often to a session and twice to a user', async () => {
    const address = '192.0.2.3';
    const [one, two, three] = [await openAt(address), await openAt(address), await openAt(address)];
    app.clock.advance(MINUTE_MS);
    await statusesOf(70, () => browserOf(app, address).get(SIGN_IN));
    const open = (browser: FormBrowser) => () => browser.get('/portal/security');
    expect(await statusesOf(70, open(one))).toEqual({ 200: 60, 429: 10 });
    expect(await statusesOf(70, open(two))).toEqual({ 200: 60, 429: 10 });
    expect((await open(three)()).status).toBe(429);
    app.clock.advance(MINUTE_MS);
    expect((await open(three)()).status).toBe(200);
  });

  it('count an IPv6 address for its /64, and for its /48 with sixteen times as much', async () => {
    const ask = (n: number, size: number) =>
      browserOf(app, `2001:db8:1:${Math.floor(n / size).toString(16)}::1`).get(SIGN_IN);
    expect(await statusesOf(70, (n) => ask(n, 100))).toEqual({ 200: 60, 429: 10 });
    const all = await statusesOf(1_000, (n) => ask(n + 50, 50));
    expect(all).toEqual({ 200: 900, 429: 100 });
    expect((await browserOf(app, '2001:db8:2::1').get(SIGN_IN)).status).toBe(200);
  });
});
