import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { browserOf } from './support/browser-form.js';
import { PASSWORD, person, type Person, signedIn } from './support/people.js';
import { tally, together, until } from './support/race.js';

const SIGN_IN = '/portal/sign-in';

describe('a crowd of strangers who sign in', () => {
  let app: TestApp;
  let owner: Person;
  let form: { readonly cookie: string; readonly csrf: string };
  let isOver: boolean;

  beforeAll(async () => {
    app = await TestApp.start({
      env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
      realTime: true,
    });
    const { merchantId } = await app.merchant();
    owner = await person(app, 'owner', merchantId);
    const browser = browserOf(app);
    const { html } = await browser.get(SIGN_IN);
    form = { cookie: browser.cookie()!, csrf: /name="csrf" value="([^"]+)"/.exec(html)![1]! };
  });
  afterAll(() => app.stop());

  /** Somebody types wrong passwords for others and others, each at the next address. */
  async function guess(n: number, addressOf: (n: number) => string, size: number): Promise<void> {
    for (let next = n; !isOver; next += size) {
      const browser = browserOf(app, addressOf(next));
      browser.setCookie(form.cookie);
      const typed = { csrf: form.csrf, email: `${next}@nobody.example`, password: 'wrong' };
      if ((await browser.post(SIGN_IN, typed)).status === 429) await sleep(40);
    }
  }

  async function during(
    crowd: { readonly size: number; readonly addressOf: (n: number) => string },
    work: () => Promise<void>,
  ): Promise<void> {
    isOver = false;
    const guesses = together((n) => guess(n, crowd.addressOf, crowd.size), crowd.size);
    await until('many wait', async () => {
      const metrics = await (await fetch(`${app.url}/metrics`)).text();
      return (
        Number(
          /^payment_orders_password_hashes_running\{state="waiting"\} (\d+)$/m.exec(metrics)?.[1],
        ) > 40
      );
    });
    await work().finally(() => (isOver = true));
    await guesses;
  }

  it('from the networks of one prefix shuts nobody out', async () => {
    const device = (await signedIn(app, owner)).cookie('portal-device')!;
    const addressOf = (n: number) => `2001:db8:1:${(n % 256).toString(16)}::1`;
    const seen: number[] = [];
    await during({ size: 72, addressOf }, async () => {
      for (let n = 0; n < 8; n++) {
        const known = browserOf(app, '203.0.113.1');
        known.setCookie(device, 'portal-device');
        seen.push((await known.signIn(owner.email, PASSWORD)).status);
        const unknown = browserOf(app, `203.0.113.${n + 2}`);
        seen.push((await unknown.signIn(owner.email, PASSWORD)).status);
      }
    });
    expect(tally(seen)).toEqual({ 303: 16 });
  });

  it('from the networks of one site does not use up what an account has for strangers', async () => {
    const seen: number[] = [];
    for (let n = 0; n < 120; n++) {
      const browser = browserOf(app, `2001:db8:77:${n.toString(16)}::1`);
      browser.setCookie(form.cookie);
      const typed = { csrf: form.csrf, email: owner.email, password: 'wrong' };
      seen.push((await browser.post(SIGN_IN, typed)).status);
    }
    expect(tally(seen)[429]).toBeGreaterThan(80);
    const signedInNow = await browserOf(app, '203.0.113.101').signIn(owner.email, PASSWORD);
    expect(signedInNow.status).toBe(303);
  });

  it('from everywhere takes no tries from whom it turns away', async () => {
    const addressOf = (n: number) => `198.51.100.${n % 100}`;
    const signIn = () => browserOf(app, '203.0.113.100').signIn(owner.email, PASSWORD);
    const seen: string[] = [];
    await during({ size: 100, addressOf }, async () => {
      for (let n = 0; n < 10; n++) {
        const { status, html } = await signIn();
        seen.push(/Too many people sign in|Too many tries/.exec(html)?.[0] ?? String(status));
      }
    });
    expect(seen.filter((one) => one !== '303' && one !== 'Too many people sign in')).toEqual([]);
    expect(seen.filter((one) => one !== '303').length).toBeGreaterThan(5);
    expect((await signIn()).status).toBe(303);
  });
});
