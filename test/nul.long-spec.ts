import { describe, expect, it } from '@jest/globals';
import { person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

const SOMETHING = '019aa2f0-7c00-7000-8000-0123456789ab';
const NUL = '\0';

const { app, shop } = await openShop();
const { merchantId } = shop;

/** Every address of the service with something in the places of its parameters. */
const routes = app.routes
  .list()
  .map((route) => route.split(' ') as [method: string, path: string])
  .filter(([method]) => method === 'GET' || method === 'POST')
  .map(([method, path]): [string, string] => [
    method,
    path
      .replace(':merchantId', merchantId)
      .replace(':mode', 'test')
      .replaceAll(/:\w+/g, SOMETHING)
      .replace('*', 'x'),
  ]);
const isPortal = ([, path]: [string, string]): boolean =>
  /^\/portal(\/|$)/.test(path) && !path.includes('/assets/');

describe('the character that no text may have', () => {
  it('is refused by every page and form of the portal', async () => {
    const browser = await signedIn(app, await person(app, 'owner', merchantId));
    expect(routes.filter(isPortal).length).toBeGreaterThan(100);
    for (const [method, path] of routes.filter(isPortal)) {
      const replies = [
        method === 'GET'
          ? await browser.get(`${path}?name=%00`)
          : await browser.post(path, { name: `a${NUL}b`, currency: NUL, fields: NUL }),
        await browser[method === 'GET' ? 'get' : 'post'](path.replace(SOMETHING, '%00')),
      ];
      expect([method, path, replies[0]!.status]).toEqual([method, path, 400]);
      expect(replies[0]!.html).toContain('Invalid text');
      expect([method, path, replies[1]!.status < 500]).toEqual([method, path, true]);
    }
  });

  it('is refused inside an address that a form carries', async () => {
    const browser = await signedIn(app, await person(app, 'owner', merchantId));
    const views = `/portal/m/${merchantId}/test/orders/views`;
    const sent = await browser.post(views, { name: 'Mine', query: 'columns=chosen&fields=%00x' });
    expect(sent.status).toBe(400);
  });

  it('breaks nothing elsewhere', async () => {
    for (const [method, path] of routes.filter((route) => !isPortal(route))) {
      if (path.endsWith('/events')) continue;
      const body = method === 'POST' ? new URLSearchParams({ name: NUL, method: NUL }) : undefined;
      for (const url of [`${path}?name=%00`, path.replace(SOMETHING, '%00')]) {
        const headers = { authorization: `Bearer ${shop.secret}` };
        const reply = await fetch(app.url + url, { method, headers, body, redirect: 'manual' });
        await reply.body?.cancel();
        expect([method, url, reply.status < 500]).toEqual([method, url, true]);
      }
    }
  });
});
