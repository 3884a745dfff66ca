import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { networkClaims, type PolicyName, RateLimiter } from '../src/merchants/rate-limiter.js';
import { person, signedIn } from './support/people.js';
import type { FormBrowser } from './support/browser-form.js';
import { sendRaw } from './support/raw.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: { RATE_LIMITS: 'on' } });
const ADDRESS = '127.0.0.1';
/** Far below the time limit of a body. */
const AT_ONCE_MS = 2_000;

/** Announces a body and sends none of it. */
const announce = (path: string, headers = ''): Promise<{ readonly status: number }> =>
  sendRaw(
    app.url,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}` +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n',
  );

const key = (secret: string): string => `Authorization: Bearer ${secret}\r\n`;
const UNKNOWN = key(`pos_test_${randomBytes(32).toString('base64url')}`);

async function spend(policy: PolicyName): Promise<void> {
  const limiter = app.get(RateLimiter);
  const { burst } = limiter.policies[policy];
  await limiter.charge(
    networkClaims(policy, ADDRESS).map(([name, owner]) => [name, owner, burst] as const),
  );
}

describe('a network whose limit is used up', () => {
  const paths: readonly (readonly [PolicyName, string, string])[] = [
    ['keys', '/api/order', UNKNOWN],
    ['keys', '/api/order/cancel?x=1', ''],
    ['callbacks', '/provider-callback/sandbox/x', ''],
    ['visits', '/portal/sign-in', ''],
    ['visits', '/portal/sign-in', `Cookie: portal=${'a'.repeat(43)}\r\n`],
    ['pages', `/pay/${'x'.repeat(32)}/start`, ''],
    ['pages', `/notification-recipient/${'a'.repeat(32)}/confirm`, ''],
    ['bank', '/sandbox-bank/x', ''],
  ];
  let browser: FormBrowser;
  beforeAll(async () => {
    browser = await signedIn(app, await person(app, 'owner', shop.merchantId));
    expect((await browser.get('/portal/security')).status).toBe(200);
    expect((await shop.create()).status).toBe(201);
    for (const [policy] of paths) await spend(policy);
  });

  it.each(paths)('gets 429 before the body is read: %s %s', async (_policy, path, headers) => {
    const start = performance.now();
    expect((await announce(path, headers)).status).toBe(429);
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
  });

  it.each(['constructor', '__proto__/x', 'toString'])(
    'has no limit for other paths: %s',
    async (path) => {
      const reply = await fetch(`${app.url}/${path}`, {
        method: 'POST',
        body: new URLSearchParams(),
      });
      expect(reply.status).toBe(404);
    },
  );

  it('serves keys and sessions that it has seen', async () => {
    expect((await shop.create()).status).toBe(201);
    const reply = await browser.post('/portal/sign-out');
    expect(reply.status).toBe(303);
  });
});
