import { describe, expect, it } from '@jest/globals';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: { ROLE: 'worker' } });

describe('a process that only works in the background', () => {
  it.each(['/health/live', '/health/ready', '/metrics', '/metrics?x=1'])(
    'serves %s',
    async (path) => {
      expect((await fetch(app.url + path)).status).toBe(200);
    },
  );

  it.each([
    ['GET', '/api/event'],
    ['PUT', '/api/order'],
    ['POST', '/api/v1/order'],
    ['GET', '/docs'],
    ['GET', '/errors/unavailable'],
    ['POST', '/provider-callback/sandbox/1'],
    ['GET', '/health'],
    ['GET', '/healthy'],
    ['GET', '/metrics/x'],
    ['GET', '/'],
  ])('has nothing at %s %s', async (method, path) => {
    const reply = await shop.call(method, path);
    expect(reply).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });
});
