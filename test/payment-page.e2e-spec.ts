import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../src/common/locale.js';
import { PAYMENT_ATTEMPTS_MAX } from '../src/database/payments/payment.entity.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { Bank, startAtPage, startPayment } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { factsOf } from './support/facts.js';
import { openShop } from './support/shop.js';

/** A stream that is silent for so long fails its test, in milliseconds. */
const TIMEOUT_MS = 5_000;
const FIVE_MINUTES = { expiresInMinutes: 5 };
const SHOP_URLS = {
  returnUrl: 'https://shop.example/thanks?a=1&b=2',
  cancelUrl: 'https://shop.example/cart',
};

const { app, shop } = await openShop();

describe('the payment page', () => {
  const visit = (url: string, headers: Record<string, string> = {}) =>
    fetch(url, { redirect: 'manual', headers });
  const htmlOf = async (order: Pick<OrderJson, 'paymentPageUrl'>, query = '') =>
    (await visit(order.paymentPageUrl + query)).text();
  const submit = (url: string, body?: URLSearchParams | string) =>
    fetch(url, { method: 'POST', redirect: 'manual', ...(body === undefined ? {} : { body }) });
  const locationOf = (reply: Response) => reply.headers.get('location') ?? '';
  const read = async ({ txid }: OrderJson) => (await shop.read(txid)).body;
  const stateOf = (html: string) => /data-state="(\w+)\.\d+"/.exec(html)?.[1];
  const expire = async (): Promise<void> => {
    app.clock.advance(5 * 60_000);
    await app.get(Sweeper).run();
  };

  it('answers everybody who comes before anything is known of the shop', async () => {
    const { paymentPageUrl } = await (await app.merchant()).order();
    const crowd = Array.from({ length: 100 }, () => visit(paymentPageUrl));
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  describe('shows each state', () => {
    type Make = (fields: Record<string, unknown>) => Promise<OrderJson>;
    const answered =
      (answer: Record<string, unknown>): Make =>
      async (fields) =>
        (await shop.pay((await shop.order(fields)).txid, answer)).body;

    it.each<[string, Make, { form?: true; back?: 'returnUrl' | 'cancelUrl'; live?: true }]>([
      ['open', (fields) => shop.order(fields), { form: true, live: true }],
      ['processing', answered({ outcome: 'pending' }), { live: true }],
      ['unknown', answered({ outcome: 'unknown' }), { back: 'returnUrl', live: true }],
      ['declined', answered({ outcome: 'declined' }), { form: true, live: true }],
      ['underpaid', answered({ amount: 100 }), { form: true, live: true }],
      ['paid', answered({}), { back: 'returnUrl' }],
      ['overpaid', answered({ amount: 9_000 }), { back: 'returnUrl' }],
      [
        'failed',
        async (fields) => {
          const order = await shop.order(fields);
          for (let n = 0; n < PAYMENT_ATTEMPTS_MAX; n++)
            await shop.pay(order.txid, { outcome: 'declined' });
          return order;
        },
        { back: 'cancelUrl' },
      ],
      [
        'cancelled',
        async (fields) => (await shop.cancel((await shop.order(fields)).txid)).body,
        { back: 'cancelUrl' },
      ],
      [
        'expired',
        async (fields) => {
          const order = await shop.order({ ...fields, ...FIVE_MINUTES });
          await expire();
          return order;
        },
        { back: 'cancelUrl' },
      ],
      [
        'paid_late',
        async (fields) => {
          const order = await shop.order({ ...fields, ...FIVE_MINUTES });
          const payment = await startPayment(app, order);
          await expire();
          const bank = await Bank.of(app, shop);
          await bank.send(bank.message(order, payment, 'booked'));
          await bank.settled();
          return order;
        },
        { back: 'returnUrl' },
      ],
    ])('%s', async (state, make, { form = false, back, live = false }) => {
      const order = await make(SHOP_URLS);
      const html = await htmlOf(order);
      expect(stateOf(html)).toBe(state);
      expect(html.includes('/start"')).toBe(form);
      expect(html.includes('/events"')).toBe(live);
      const links = [...html.matchAll(/href="(https:[^"]*)"/g)].map(([, href]) => href);
      const { orderMerchantId, txid, status } = (await shop.read(order.txid)).body;
      const told = new URLSearchParams({ orderMerchantId, txid, status });
      const address =
        back && `${SHOP_URLS[back]}${back === 'returnUrl' ? '&' : '?'}${String(told)}`;
      expect(links).toEqual(address ? [address.replaceAll('&', '&amp;')] : []);
      expect(html).not.toMatch(/Erika|Mustermann|DE89/);
    });
  });

  it('is kept by nobody, found by nobody and framed by nobody', async () => {
    const page = await visit((await shop.order()).paymentPageUrl);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-robots-tag')).toContain('noindex');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('loads nothing from elsewhere, and runs nothing inline', async () => {
    const html = await htmlOf(await shop.order());
    const loaded = [...html.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, url]) => url);
    expect(loaded.filter((url) => !/^(\/pay\/|\?lang=|data:,)/.test(url ?? ''))).toEqual([]);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    for (const url of loaded.filter((each) => each?.startsWith('/pay/assets/'))) {
      const asset = await visit(`${app.url}${url?.replaceAll('&amp;', '&')}`);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('cache-control')).toContain('immutable');
    }
  });

  it('shows texts as they are, whatever they look like', async () => {
    const text = `<img src=x onerror=alert(1)> "quoted" & $& $1 {amount} </title><script>`;
    const evil = await app.merchant({ name: `Shop ${text}` });
    const order = await evil.order({ description: text, optionalFields: { secret: 'OPTIONAL' } });
    for (const state of ['open', 'declined']) {
      const html = await htmlOf(order);
      expect(stateOf(html)).toBe(state);
      expect(html).not.toMatch(/<img src=x|<script>|<\/title><script/);
      expect(html).toContain('&lt;img src=x onerror=alert(1)> ');
      expect(html).toContain('$&amp; $1 {amount}');
      expect(html).not.toContain('OPTIONAL');
      await evil.pay(order.txid, { outcome: 'declined' });
    }
  });

  it('sends payers to the addresses of the order, and to no other', async () => {
    const order = await shop.order();
    await shop.pay(order.txid);
    const html = await htmlOf(order, '?returnUrl=https://evil.example&url=//evil.example');
    expect(html).not.toContain('evil.example');
  });

  describe('speaks the payer’s language', () => {
    const langOf = async (order: OrderJson, query = '', headers = {}) => {
      const page = await visit(order.paymentPageUrl + query, headers);
      const [, lang, dir] = /<html lang="(\w+)" dir="(\w+)"/.exec(await page.text()) ?? [];
      return { lang, dir, cookie: page.headers.get('set-cookie') };
    };

    it.each(LOCALES)('%s', async (locale) => {
      const { lang, dir, cookie } = await langOf(await shop.order(), `?lang=${locale}`);
      expect([lang, dir]).toEqual([locale, ['ar', 'he'].includes(locale) ? 'rtl' : 'ltr']);
      expect(cookie).toMatch(
        new RegExp(`^lang=${locale}; Max-Age=\\d+; Path=/pay; HttpOnly; SameSite=Lax$`),
      );
    });

    it('as chosen, then as remembered, then as the shop and the browser say', async () => {
      const order = await shop.order({ locale: 'fr-CA' });
      const headers = { cookie: 'a=b; lang=it', 'accept-language': 'pl' };
      expect(await langOf(order, '?lang=nl', headers)).toMatchObject({ lang: 'nl' });
      expect(await langOf(order, '', headers)).toMatchObject({ lang: 'it', cookie: null });
      expect(await langOf(order, '', { 'accept-language': 'pl' })).toMatchObject({ lang: 'fr' });
      const plain = await shop.order();
      const wishes = { 'accept-language': 'sv, tr;q=0.5, pl;q=0.8' };
      expect(await langOf(plain, '', wishes)).toMatchObject({ lang: 'pl' });
      expect(await langOf(plain)).toMatchObject({ lang: 'en' });
    });

    it.each(['xx', '', 'de&lang=fr', '%3Cscript%3E', '__proto__'])(
      'ignores the choice %p',
      async (choice) => {
        const order = await shop.order();
        const { lang, cookie } = await langOf(order, `?lang=${choice}`);
        expect([lang, cookie]).toEqual(['en', null]);
      },
    );
  });

  describe('starting to pay', () => {
    it('leads to the provider', async () => {
      const order = await shop.order();
      const started = await startAtPage(order);
      expect(started.status).toBe(303);
      expect(started.headers.get('cache-control')).toBe('no-store');
      expect(locationOf(started)).toContain('/sandbox-bank/');
      expect(await read(order)).toMatchObject({
        status: 'processing',
        statusReason: 'awaiting_provider',
        payment: { provider: 'sandbox', method: 'sandbox', status: 'pending', amount: 8990 },
      });
    });

    it('happens once, from however many tabs', async () => {
      const order = await shop.order();
      await startAtPage(order);
      const second = await startAtPage(order);
      expect([second.status, locationOf(second)]).toEqual([
        303,
        new URL(order.paymentPageUrl).pathname,
      ]);
      expect((await factsOf(app, order.txid)).payments).toHaveLength(1);
    });

    it.each<[string, URLSearchParams | string | undefined]>([
      ['an unknown method', new URLSearchParams({ method: 'gold' })],
      ['no method', new URLSearchParams()],
      ['a method of every object', new URLSearchParams({ method: 'constructor' })],
      ['no form', undefined],
    ])('does not happen with %s', async (_, form) => {
      const order = await shop.order();
      const reply = await submit(`${order.paymentPageUrl}/start`, form);
      expect([reply.status, locationOf(reply)]).toEqual([
        303,
        new URL(order.paymentPageUrl).pathname,
      ]);
      expect((await factsOf(app, order.txid)).payments).toEqual([]);
    });

    it('does not happen when the time is over', async () => {
      const order = await shop.order(FIVE_MINUTES);
      app.clock.advance(5 * 60_000);
      expect((await startAtPage(order)).status).toBe(303);
      expect((await factsOf(app, order.txid)).payments).toEqual([]);
    });

    it('never happens by following a link', async () => {
      const order = await shop.order();
      expect((await visit(`${order.paymentPageUrl}/start`)).status).toBe(405);
      expect((await visit(`${order.paymentPageUrl}/cancel`)).status).toBe(405);
      expect((await read(order)).status).toBe('open');
    });
  });

  it('lets the payer cancel, and says whose wish it was', async () => {
    for (const isStarted of [false, true]) {
      const order = await shop.order();
      if (isStarted) await startAtPage(order);
      const reply = await submit(`${order.paymentPageUrl}/cancel`);
      expect([reply.status, locationOf(reply)]).toEqual([
        303,
        new URL(order.paymentPageUrl).pathname,
      ]);
      expect(await read(order)).toMatchObject({ status: 'cancelled', statusReason: 'by_payer' });
    }
  });

  it('cancels nothing that is paid', async () => {
    const order = await shop.order();
    await shop.pay(order.txid);
    expect((await submit(`${order.paymentPageUrl}/cancel`)).status).toBe(303);
    expect((await read(order)).status).toBe('paid');
  });

  it('leads a payer who left the provider back to it', async () => {
    const order = await shop.order();
    const path = new URL(order.paymentPageUrl).pathname;
    expect(locationOf(await visit(`${order.paymentPageUrl}/continue`))).toBe(path);
    const started = locationOf(await startAtPage(order));
    expect(locationOf(await visit(`${order.paymentPageUrl}/continue`))).toBe(started);
    await shop.pay(order.txid);
    expect(locationOf(await visit(`${order.paymentPageUrl}/continue`))).toBe(path);
  });

  it('does not believe a payer who returns', async () => {
    const order = await shop.order();
    await startAtPage(order);
    const returned = await visit(`${order.paymentPageUrl}/return?status=paid&success=true`);
    expect(returned.status).toBe(303);
    expect((await read(order)).status).toBe('processing');
  });

  it.each(['', '/continue', '/return', '/events'])(
    'has nothing for a stranger: %s',
    async (way) => {
      for (const token of ['A'.repeat(32), 'short', '%00', `${'A'.repeat(31)}.`]) {
        const page = await visit(`${app.url}/pay/${token}${way}?lang=de`);
        expect(page.status).toBe(404);
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(page.headers.get('cache-control')).toBe('no-store');
        expect(await page.text()).toContain('<html lang="de"');
      }
      expect((await submit(`${app.url}/pay/${'A'.repeat(32)}/start`)).status).toBe(404);
    },
  );

  describe('the stream of its status', () => {
    /** What the stream says, one status after the other. */
    async function* statuses(order: OrderJson): AsyncGenerator<string> {
      const end = new AbortController();
      const signal = AbortSignal.any([end.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const reply = await fetch(`${order.paymentPageUrl}/events`, { signal });
      expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
      try {
        let text = '';
        for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
          text += chunk;
          const messages = text.split('\n\n');
          text = messages.pop() ?? '';
          for (const message of messages) {
            const [, state] = /event: status\ndata: (\S+)$/.exec(message) ?? [];
            if (state) yield state;
          }
        }
      } finally {
        end.abort();
      }
    }

    it('tells it now, and within a second of each change', async () => {
      const order = await shop.order();
      const stream = statuses(order);
      expect((await stream.next()).value).toBe('open.1');
      const changes: [() => Promise<unknown>, string][] = [
        [() => shop.pay(order.txid, { outcome: 'unknown' }), 'unknown.3'],
        [() => shop.pay(order.txid, { outcome: 'paid' }), 'paid.4'],
      ];
      for (const [change, expected] of changes) {
        await change();
        const changed = performance.now();
        let told = await stream.next();
        // A state in between may be told too.
        while (told.value !== expected) told = await stream.next();
        expect(performance.now() - changed).toBeLessThan(1_000);
      }
      await stream.return(undefined);
    });

    it('tells what the page itself says', async () => {
      const order = await shop.order();
      await shop.pay(order.txid, { outcome: 'declined' });
      const stream = statuses(order);
      const told = (await stream.next()).value;
      expect(await htmlOf(order)).toContain(`data-state="${String(told)}"`);
      await stream.return(undefined);
    });

    it('hears of its own order only', async () => {
      const [order, other] = [await shop.order(), await shop.order()];
      const stream = statuses(order);
      expect((await stream.next()).value).toBe('open.1');
      await shop.pay(other.txid);
      await shop.cancel(order.txid);
      expect((await stream.next()).value).toBe('cancelled.2');
      await stream.return(undefined);
    });
  });
});
