import { describe, expect, it } from '@jest/globals';
import { IN_EVERY_VERSION, RELEASES } from '../src/contract/versions/releases.js';
import { TestApp } from './support/app.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();

/** What the published changelog of the interface says of each version. */
const RELEASED = {
  '1.0': 'First release Payout support via the merchant portal',
  '1.2':
    'Improved responsiveness Caching layer to speed up compilation of the payment page Optional order transaction fields supported on POST /api/order returned by GET /api/order and included in the new merchant notification e-mail Status checks improved to support merchant ids as well as internal ids New endpoints GET /api/order and GET /api/order/status GET /api/order/{txid} and GET /api/order/{txid}/status deprecated',
  '1.2.1':
    'Merchant portal transaction history shows payment provider account number and name of the payer who executed the payment Merchants can opt in to notification after each successful transaction Transaction history can be downloaded from the portal',
  '1.2.2': 'Payment object response gains payer account number and payer account name',
};

describe('the documents', () => {
  const open = async (path: string, headers = {}) => {
    const response = await fetch(app.url + path, { headers });
    return { response, text: await response.text() };
  };

  it('serves the OpenAPI document without a key', async () => {
    const { response, text } = await open('/docs/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', servers: [{ url: app.url }] });
    expect(text).not.toContain('nullable');
    expect(text).not.toContain('x-operation-facts');
  });

  it('loads everything from here, and nothing that the security policy forbids', async () => {
    for (const path of ['/', '/docs', '/errors', '/changelog']) {
      const { response, text } = await open(path);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(text).not.toMatch(/<style|style=|<script>|\son\w+=/);
      const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
      expect(loaded.filter((url) => !/^(\/|data:)/.test(url))).toEqual([]);
      for (const url of loaded.filter((url) => url.startsWith('/'))) {
        expect([url, (await open(url)).response.status]).toEqual([url, 200]);
      }
    }
  });

  it('says at its address what it is: a page to browsers, links to programs', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await open('/', { accept: browser });
    expect(page.response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.response.headers.get('vary')).toBe('accept');
    expect(page.text).not.toContain('demo.json');
    for (const accept of ['*/*', 'application/json', 'image/png']) {
      const { response, text } = await open('/', { accept });
      expect(response.headers.get('content-type')).toContain('application/json');
      const { name, version, links } = JSON.parse(text);
      expect([name, version]).toEqual(['Payment orders', expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
      for (const url of Object.values(links)) {
        expect([url, (await fetch(String(url))).status]).toEqual([url, 200]);
        expect(page.text).toContain(`href="${String(url).replace(app.url, '')}"`);
      }
    }
    const head = await fetch(app.url, { method: 'HEAD', headers: { accept: browser } });
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect((await fetch(app.url, { method: 'POST' })).status).toBe(405);
  });

  it('says in a demo where its sign-ins are', async () => {
    const demo = await TestApp.start({
      env: { DEMO: '1', DEMO_FILE: '/tmp/orders-demo-page.json' },
    });
    const page = await fetch(demo.url, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<code>/tmp/orders-demo-page.json</code>');
    await demo.stop();
  });

  it('lets browsers keep assets, compressed, and serves no other file of their folder', async () => {
    const href = /\/docs\/assets\/docs\.css\?v=\w{8}/.exec((await open('/errors')).text)?.[0];
    const { response, text } = await open(href!, { 'accept-encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('cache-control')).toContain('immutable');
    const plain = await open(href!, { 'accept-encoding': 'identity' });
    expect(plain.response.headers.get('content-encoding')).toBeNull();
    expect(plain.text).toBe(text);
    for (const name of ['index.html', 'swagger-initializer.js', '..%2f..%2fpackage.json']) {
      expect((await open(`/docs/assets/${name}`)).response.status).toBe(404);
    }
  });

  it('defines every style property that it uses', async () => {
    const { text } = await open('/docs/assets/docs.css');
    const defined = new Set(text.match(/--[\w-]+(?=:)/g));
    const used = text.match(/(?<=var\()--[\w-]+/g) ?? [];
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !defined.has(name))).toEqual([]);
  });

  it('tells in the changelog what each version brought', async () => {
    const { text } = await open('/changelog');
    for (const { version } of RELEASES) expect(text).toContain(`id="v${version}"`);
    const sentences = [...RELEASES.flatMap(({ changes }) => [...changes]), ...IN_EVERY_VERSION];
    const plain = text.replaceAll(/<[^>]+>/g, '');
    for (const sentence of sentences) expect(plain).toContain(sentence.replaceAll('`', ''));
  });

  it.each(Object.entries(RELEASED))('tells in the changelog all of %s', async (version, words) => {
    const { text } = await open('/changelog');
    const section = new RegExp(`id="v${version}"([^]*?)</section>`).exec(text)![1]!;
    const plain =
      ` ${section.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s.,:;]+/g, ' ')} `.toLowerCase();
    for (const word of words.toLowerCase().split(/[\s.,]+/)) expect(plain).toContain(` ${word} `);
  });

  it('tells in the changelog which operations are deprecated, and until when they answer', async () => {
    const { text } = await open('/changelog');
    expect(text).toContain('GET /api/order/{txid}</code>');
    expect(text).toContain('GET /api/order/{txid}/status</code>');
    expect(text).not.toContain('DELETE');
    const shop = await app.merchant();
    const { headers } = await shop.call('GET', `/api/order/${(await shop.order()).txid}`);
    const dates = [
      new Date(Number(headers.get('deprecation')!.slice(1)) * 1000),
      new Date(headers.get('sunset')!),
    ];
    for (const date of dates) {
      expect(text).toContain(`datetime="${date.toISOString().slice(0, 10)}"`);
    }
  });
});
