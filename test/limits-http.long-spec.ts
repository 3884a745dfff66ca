import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newOrder } from './support/client.js';
import { type RawReply, sendRaw } from './support/raw.js';
import { openShop } from './support/shop.js';

const SLOW_MAX_MS = 12_000;
const KILOBYTE = 1024;

const { app, shop } = await openShop();

describe('the limits of HTTP', () => {
  /** They take ten seconds, so they run beside the other tests. */
  let slow: Promise<readonly RawReply[]>;

  const head = (line: string): string =>
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.secret}\r\n`;

  beforeAll(async () => {
    const body = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"amount"';
    slow = Promise.all([
      sendRaw(app.url, head('POST /api/order') + body),
      sendRaw(app.url, head('POST /provider-callback/sandbox/x') + body),
      sendRaw(app.url, head('GET /api/order')),
      sendRaw(app.url, 'G'),
    ]);
  });

  type Ask = readonly [
    status: number,
    code: string,
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ];
  const JSON_TYPE = { 'content-type': 'application/json' };
  const SOME_ORDER = `/api/order/${randomUUID()}`;
  const UNREADABLE = [
    { 'content-type': 'application/json; charset=utf-16' },
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
  ];
  const ASKS: readonly Ask[] = [
    [400, 'malformed_json', 'POST', '/api/order', JSON_TYPE, '{"amount":'],
    [400, 'malformed_json', 'POST', '/api/order', JSON_TYPE, ''],
    [400, 'selector_required', 'GET', '/api/order'],
    [400, 'unknown_parameter', 'POST', '/api/order?dryRun=1', JSON_TYPE, '{}'],
    [400, 'unknown_parameter', 'GET', `/api/order/${randomUUID()}?expand=1`],
    [401, 'unauthorized', 'GET', '/api/order', { authorization: 'Bearer x' }],
    [404, 'order_not_found', 'GET', `/api/order/${randomUUID()}`],
    [404, 'route_not_found', 'GET', '/api/orders'],
    [404, 'route_not_found', 'GET', '/api'],
    [405, 'method_not_allowed', 'PUT', '/api/order'],
    [406, 'not_acceptable', 'GET', '/api/order?txid=1', { accept: 'text/html' }],
    [406, 'not_acceptable', 'POST', '/api/order', { ...JSON_TYPE, accept: 'text/csv' }, '{}'],
    [413, 'body_too_large', 'POST', '/api/order', JSON_TYPE, ' '.repeat(64 * KILOBYTE + 1)],
    [414, 'uri_too_long', 'GET', `/api/order/${'a'.repeat(513)}`],
    [415, 'unsupported_media_type', 'POST', '/api/order', { 'content-type': 'text/plain' }, '{}'],
    [
      415,
      'unsupported_media_type',
      'POST',
      '/api/order',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'amount=1',
    ],
    ...UNREADABLE.map((type): Ask => [
      415,
      'unsupported_media_type',
      'POST',
      '/api/order',
      type,
      '{}',
    ]),
    ...UNREADABLE.map((type): Ask => [
      415,
      'unsupported_media_type',
      'PATCH',
      SOME_ORDER,
      type,
      '{}',
    ]),
    [422, 'validation_failed', 'POST', '/api/order', JSON_TYPE, '[]'],
    [431, 'headers_too_large', 'GET', '/api/order', { 'x-much': 'm'.repeat(17 * KILOBYTE) }],
    [431, 'headers_too_large', 'GET', `/api/order?txid=${'1'.repeat(17 * KILOBYTE)}`],
  ];

  it.each(ASKS)('%i %s: %s', async (status, code, method, path, headers = {}, body) => {
    const reply = await shop.call(method, path, body, headers);
    expect(reply).toMatchObject({
      status,
      body: {
        type: `${app.url}/errors/${code}`,
        title: expect.any(String),
        status,
        detail: expect.any(String),
        instance: status === 431 ? '' : path.split('?')[0],
        code,
        requestId: reply.headers.get('x-request-id'),
        retryable: false,
      },
    });
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(reply.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect((await fetch(String(reply.body['type']))).status).toBe(200);
  });

  it.each([
    ['/api/order', ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST'],
    ['/api/v1/order', ['PUT'], 'GET, HEAD, POST'],
    [`/api/order/${randomUUID()}`, ['POST', 'PUT', 'OPTIONS'], 'DELETE, GET, HEAD, PATCH'],
    [`/api/order/${randomUUID()}/status`, ['POST', 'DELETE'], 'GET, HEAD'],
    [`/api/test-helpers/order/${randomUUID()}/payment`, ['GET', 'DELETE'], 'POST'],
    ['/health/live', ['POST', 'DELETE'], 'GET, HEAD'],
    [`/pay/${'a'.repeat(32)}/start`, ['GET'], 'POST'],
  ])('%s has other methods than %j', async (path, methods, allow) => {
    for (const method of methods) {
      const reply = await shop.call(method, path);
      expect(reply).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
      expect(reply.headers.get('allow')).toBe(allow);
    }
  });

  it('answers HEAD as GET, without the body', async () => {
    const { txid } = await shop.order();
    const path = `/api/order?txid=${txid}`;
    const got = await shop.call('GET', path);
    const headers = { authorization: `Bearer ${shop.secret}` };
    const askFor = (where: string) => fetch(app.url + where, { method: 'HEAD', headers });
    const asked = await askFor(path);
    expect(asked.status).toBe(200);
    expect(await asked.text()).toBe('');
    for (const name of ['content-type', 'content-length', 'api-version', 'cache-control']) {
      expect([name, asked.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    }
    expect((await askFor(`/api/order/${randomUUID()}`)).status).toBe(404);
  });

  it('takes a body of 64 kB and not one byte more', async () => {
    const text = JSON.stringify(newOrder());
    const filled = text + ' '.repeat(64 * KILOBYTE - text.length);
    expect((await shop.call('POST', '/api/order', filled)).status).toBe(201);
    const chunks = [filled, ' '].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const chunked = await sendRaw(
      app.url,
      `${head('POST /api/order')}Content-Type: application/json\r\nConnection: close\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`,
    );
    expect(chunked.status).toBe(413);
  });

  it('refuses a body that is announced as too large, without reading it', async () => {
    const reply = await sendRaw(
      app.url,
      `${head('POST /api/order')}Content-Type: application/json\r\nConnection: close\r\n` +
        `Content-Length: ${10 ** 12}\r\n\r\n{`,
    );
    expect(reply.status).toBe(413);
    expect(reply.ms).toBeLessThan(1_000);
  });

  it('ignores what a body says where none belongs', async () => {
    const { txid } = await shop.order();
    const type = { 'content-type': 'application/json' };
    const reply = await shop.call('DELETE', `/api/order/${txid}`, '{"not json', type);
    expect(reply).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    const empty = await shop.call('DELETE', `/api/order/${txid}`, undefined, type);
    expect(empty.status).toBe(200);
  });

  it('makes request ids of its own', async () => {
    const ids = ['x-request-id', 'request-id'].map(async (name) => {
      const reply = await shop.call('GET', '/health/live', undefined, { [name]: 'forged' });
      return reply.headers.get('x-request-id');
    });
    const [one, two] = await Promise.all(ids);
    expect([one, two]).not.toContain('forged');
    expect(one).not.toBe(two);
  });

  it('lets nobody keep, frame or sniff an answer of the API', async () => {
    const { headers } = await shop.create();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.has('x-powered-by')).toBe(false);
    expect(headers.has('server')).toBe(false);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });

  it('answers a request that comes too slowly within 12 seconds, and ends it', async () => {
    for (const { status, headers, body, ms } of await slow) {
      expect(status).toBe(408);
      expect(headers['content-type']).toMatch(/^application\/problem\+json(;|$)/);
      const problem = JSON.parse(body) as Record<string, unknown>;
      expect(problem).toMatchObject({ code: 'request_timeout', retryable: true });
      expect(problem['requestId']).toBe(headers['x-request-id']);
      expect(ms).toBeLessThan(SLOW_MAX_MS);
    }
  });
});
