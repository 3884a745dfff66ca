import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { hasHaproxy, TlsProxy } from './support/tls-proxy.js';

const behindProxy = hasHaproxy ? describe : describe.skip;
if (!hasHaproxy) process.stderr.write('Tests behind haproxy are skipped: it is not installed.\n');

const ANYBODY = '203.0.113.77';
/** The proxy sees its clients at such addresses, each of which the system takes for its own. */
const CLIENTS = ['127.0.0.11', '127.0.0.12'] as const;

behindProxy('behind a proxy that ends TLS', () => {
  let app: TestApp;
  let proxy: TlsProxy;
  let shop: Client;

  beforeAll(async () => {
    const [port, tlsPort] = [await freePort(), await freePort()];
    app = await TestApp.start({
      env: {
        PORT: String(port),
        PUBLIC_URL: `https://pay.example:${tlsPort}`,
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMITS: 'on',
        RATE_PAGES: '3',
        MAX_CONNECTIONS_PER_IP: '1',
      },
    });
    proxy = await TlsProxy.start(tlsPort, port);
    shop = await app.merchant({ allowedIps: [CLIENTS[0]] });
  });
  afterAll(async () => {
    await proxy?.stop();
    await app?.stop();
  });

  interface Asked {
    readonly from?: string;
    readonly headers?: Record<string, string>;
    readonly method?: string;
    readonly body?: string;
  }

  async function open(path: string, { from, headers, method, body }: Asked = {}) {
    const sent = request({
      host: '127.0.0.1',
      port: proxy.port,
      path,
      method,
      headers: { host: `pay.example:${proxy.port}`, ...headers },
      localAddress: from ?? CLIENTS[0],
      ca: proxy.cert,
      servername: 'pay.example',
      agent: false,
    });
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return reply;
  }

  async function call(path: string, asked: Asked = {}) {
    const reply = await open(path, asked);
    return { status: reply.statusCode, headers: reply.headers, text: await text(reply) };
  }

  const authorization = (): Record<string, string> => ({ authorization: `Bearer ${shop.secret}` });

  async function order(): Promise<{ txid: string; path: string; url: string }> {
    const body = JSON.stringify({
      amount: 8990,
      currency: 'EUR',
      orderMerchantId: `T-${Date.now()}`,
    });
    const headers = { ...authorization(), 'content-type': 'application/json' };
    const made = await call('/api/order', { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    const { txid, paymentPageUrl } = JSON.parse(made.text) as Record<string, string>;
    return { txid: txid!, path: new URL(paymentPageUrl!).pathname, url: paymentPageUrl! };
  }

  it('knows who asks, whatever a client says of itself', async () => {
    const path = '/api/order?txid=019aa2f0-7c00-7000-8000-0123456789ab';
    const ask = async (asked: Asked) =>
      (await call(path, { ...asked, headers: { ...authorization(), ...asked.headers } })).status;
    expect(await ask({ from: CLIENTS[0] })).toBe(404);
    expect(await ask({ from: CLIENTS[1] })).toBe(403);
    const forged = { 'x-forwarded-for': CLIENTS[0] };
    expect(await ask({ from: CLIENTS[1], headers: forged })).toBe(403);
  });

  it('counts each client alone, also one that gives itself a new address each time', async () => {
    const visit = async (from: string, n: number): Promise<number | undefined> => {
      const headers = { 'x-forwarded-for': `${ANYBODY}, 198.51.100.${n}` };
      return (await call(`/pay/${'x'.repeat(32)}`, { from, headers })).status;
    };
    for (let n = 0; n < 3; n++) expect(await visit(CLIENTS[1], n)).toBe(404);
    expect(await visit(CLIENTS[1], 3)).toBe(429);
    expect(await visit(CLIENTS[0], 3)).toBe(404);
  });

  it('gives links by https, and asks browsers to stay there', async () => {
    app.clock.advance(60_000);
    const { url, path } = await order();
    expect(url).toMatch(`https://pay.example:${proxy.port}/pay/`);
    const page = await call(path);
    expect(page.status).toBe(200);
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(page.headers['content-security-policy']).toContain('upgrade-insecure-requests');
    expect(page.text).not.toContain('http://');
    const signIn = await call('/portal/sign-in');
    expect(String(signIn.headers['set-cookie'])).toMatch(/; Secure/);
    expect((await call('/metrics')).status).toBe(403);
  });

  it('tells an open payment page of changes at once', async () => {
    app.clock.advance(60_000);
    const { path, txid } = await order();
    const stream = await open(`${path}/events`);
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    stream.setEncoding('utf8');
    const told = stream[Symbol.asyncIterator]() as AsyncIterator<string>;
    expect((await told.next()).value).toContain('data: open.1');
    await call(`/api/order/${txid}`, { method: 'DELETE', headers: authorization() });
    expect((await told.next()).value).toContain('data: cancelled.2');
    stream.destroy();
  });

  it('takes more connections of the proxy than of anybody else', async () => {
    const asked = Array.from({ length: 10 }, () => call('/health/ready'));
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  });
});
