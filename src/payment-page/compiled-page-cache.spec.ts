import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Locale, LOCALES } from '../common/locale.js';
import { CompiledPageCache } from './compiled-page-cache.js';
import { type PageKey, type PageSlots, type PageState, type PayMethod } from './page.model.js';

const method = (id: string, provider: string): PayMethod => {
  const labels = LOCALES.map((locale) => [locale, `${id} in ${locale}`]);
  return { id, provider, labels: Object.fromEntries(labels) as Record<Locale, string> };
};

const key: PageKey = {
  theme: { name: 'Nordlicht', colour: '0b4f9e', logoUrl: null, contactUrl: 'mailto:a@b.example' },
  locale: 'en',
  methods: [method('sandbox', 'sandbox')],
  mode: 'test',
  state: 'open',
  cancelable: true,
  takesBack: false,
};

const slots: PageSlots = {
  token: 'tok-1',
  fingerprint: 'open.1',
  amount: '€89.90',
  due: '8990',
  orderMerchantId: 'INV-20417',
  serverNow: '2026-11-20T13:00:00.000Z',
  description: 'A blanket',
  deadline: '14:32 UTC',
  expiresAt: '2026-11-20T14:32:00.000Z',
  shopUrl: 'https://shop.example/thanks?order=1&ok=yes',
};

/** With all that there can be of a transfer. */
const transferSlots: PageSlots = {
  ...slots,
  holder: 'Nordlicht GmbH',
  iban: 'DE02 1203 0000 0000 2020 51',
  ibanBare: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  bankName: 'A bank',
  reference: 'RF18 0123 4567 8901 2345',
  referenceBare: 'RF180123456789012345',
  rest: '€39.90',
  restBare: '39.90',
  lastDay: '4 December 2026',
  lastDate: '2026-12-04',
  qrBox: '0 0 49 49',
  qrPath: 'M4 4.5h7',
  lookedOn: '20 November 2026',
};

const STATES: PageState[] = [
  'open',
  'processing',
  'awaiting_transfer',
  'unknown',
  'paid',
  'failed',
  'cancelled',
  'expired',
  'underpaid',
  'overpaid',
  'paid_late',
  'declined',
];

/** Tags and attribute names alone: what hostile data must never change. */
function skeletonOf(html: string): string[] {
  return [...html.matchAll(/<(\/?[\w!-]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, tag, attributes]) =>
      `${tag} ${(attributes ?? '')
        .replace(/="[^"]*"/g, '')
        .replace(/\s+/g, ' ')
        .trim()}`,
  );
}

describe(CompiledPageCache.name, () => {
  it('compiles once and counts', () => {
    const cache = new CompiledPageCache();
    expect(cache.oldestCompiledAt).toBeNull();
    const first = cache.render(key, slots);
    const again = cache.render({ ...key, theme: { ...key.theme } }, slots);
    expect(again).toBe(first);
    expect([cache.hits, cache.misses, cache.size]).toEqual([1, 1, 1]);
    expect(cache.oldestCompiledAt).toBeGreaterThan(0);
    cache.clear();
    expect(cache.size).toBe(0);
  });

  it('puts each order into the same compiled page', () => {
    const cache = new CompiledPageCache();
    cache.render(key, slots);
    const html = cache.render(key, { ...slots, amount: '¥1,200', token: 'tok-2' });
    expect(cache.misses).toBe(1);
    expect(html).toContain('<bdi>¥1,200</bdi>');
    expect(html).toContain('action="/pay/tok-2/start"');
    expect(html).not.toMatch(/89\.90|tok-1/);
  });

  it.each<[string, Partial<PageKey>]>([
    ['merchant', { theme: { ...key.theme, name: 'Südlicht' } }],
    ['colour', { theme: { ...key.theme, colour: 'ffd400' } }],
    ['contact', { theme: { ...key.theme, contactUrl: 'https://b.example' } }],
    ['language', { locale: 'he' }],
    ['methods', { methods: [...key.methods, method('card', 'other')] }],
    ['mode', { mode: 'live' }],
    ['state', { state: 'declined' }],
    ['cancelable', { cancelable: false }],
  ])('compiles anew for another %s', (_, change) => {
    const cache = new CompiledPageCache();
    const before = cache.render(key, slots);
    expect(cache.render({ ...key, ...change }, slots)).not.toBe(before);
    expect(cache.misses).toBe(2);
  });

  it('lets the payer choose among methods in the payer’s language', () => {
    const methods = [method('card', 'acme'), method('wallet', 'acme')];
    const html = new CompiledPageCache().render({ ...key, methods, locale: 'tr' }, slots);
    for (const { id } of methods) {
      expect(html).toMatch(new RegExp(`value="${id}"[^>]*>${id} in tr<`));
    }
    expect(html).not.toContain('in en');
  });

  it('shows a transfer with its values bare in the buttons, and hides these without a script', () => {
    const html = new CompiledPageCache().render(
      { ...key, state: 'awaiting_transfer' },
      transferSlots,
    );
    const buttons = [...html.matchAll(/<button type="button"[^>]*data-copy="([^"]*)"([^>]*)>/g)];
    expect(buttons.map(([, bare]) => bare)).toEqual([
      'Nordlicht GmbH',
      'DE02120300000000202051',
      'BYLADEM1001',
      '39.90',
      'RF180123456789012345',
      '2026-12-04',
    ]);
    expect(buttons.every(([, , rest]) => / hidden/.test(rest ?? ''))).toBe(true);
    for (const value of [transferSlots.iban, transferSlots.reference])
      expect(html).toContain(`<bdi dir="ltr">${value}</bdi>`);
    expect(html).toContain('<summary>Pay another way</summary><form');
    expect(html).toContain('last checked on <bdi>20 November 2026</bdi>.');
  });

  it('leaves out the section of an absent slot', () => {
    const cache = new CompiledPageCache();
    const { description, ...without } = slots;
    expect(cache.render(key, slots)).toContain(`<bdi>${description}</bdi>`);
    expect(cache.render(key, without)).not.toContain('class="about"');
  });

  it('forgets the page that was not asked for longest', () => {
    const cache = new CompiledPageCache(2);
    const ask = (name: string) => cache.render({ ...key, theme: { ...key.theme, name } }, slots);
    for (const name of ['a', 'b', 'a', 'c', 'a']) ask(name);
    expect([cache.size, cache.misses, cache.hits]).toEqual([2, 3, 2]);
    ask('b');
    expect(cache.misses).toBe(4);
  });

  it('keeps nothing of an order', () => {
    const cache = new CompiledPageCache();
    const secrets = Object.fromEntries(
      Object.keys(slots).map((name) => [
        name,
        name === 'shopUrl' ? 'https://x.example/S3CRET' : 'S3CRET',
      ]),
    ) as unknown as PageSlots;
    expect(cache.render(key, secrets)).toContain('S3CRET');
    expect(JSON.stringify([...cache['pages']])).not.toContain('S3CRET');
  });
});

describe('hostile data', () => {
  const cache = new CompiledPageCache();
  const mark = cache['mark'];
  const HOSTILE = [
    '<script>alert(1)</script>',
    '</title></bdi></main><img src=x onerror=alert(1)>',
    '" autofocus onfocus="alert(1)',
    "' onclick='alert(1)",
    '&lt;b&gt; &amp;',
    "$& $1 $` $' $$",
    '\u202egpj.exe\u202c',
    `${mark}:token; ${mark}:amount;`,
    '{merchant} {amount} ${token}',
    '<!-- --> ]]> \u2028',
  ];

  it.each(HOSTILE)('%j changes no markup, in any state', (text) => {
    for (const state of STATES) {
      const full: PageSlots = {
        ...(state === 'awaiting_transfer' ? transferSlots : slots),
        amountDue: '1',
        amountReceived: '1',
        declineReason: '1',
      };
      const hostile = { ...full };
      for (const name of Object.keys(full) as (keyof PageSlots)[]) {
        hostile[name] = name === 'shopUrl' ? `https://shop.example/?q=${text}` : text;
      }
      const html = cache.render({ ...key, state }, hostile);
      expect(skeletonOf(html)).toEqual(skeletonOf(cache.render({ ...key, state }, full)));
      expect(html.match(/</g)).toHaveLength(skeletonOf(html).length);
    }
  });

  it('arrives unchanged for the reader, but for what turns it around', () => {
    const description = HOSTILE.join('\n');
    const shown = /class="about"><bdi>([^<]*)</.exec(cache.render(key, { ...slots, description }));
    const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
    expect(shown?.[1]?.replace(/&([#\w]+);/g, (_, name: string) => entities[name] ?? '')).toBe(
      description.replace(/[\u202c\u202e]/g, ''),
    );
  });

  it('never comes out as markup, whatever the text is', () => {
    const plain = skeletonOf(cache.render(key, slots));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (description) => {
        expect(skeletonOf(cache.render(key, { ...slots, description }))).toEqual(plain);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//x.example',
    'no url',
  ])('makes no link to %j', (shopUrl) => {
    const html = cache.render({ ...key, state: 'paid' }, { ...slots, shopUrl });
    expect(html).not.toContain('Back to');
    expect(html).not.toMatch(/script:|x\.example/i);
  });

  it('is escaped in a link and in a path', () => {
    const paid = cache.render({ ...key, state: 'paid' }, slots);
    expect(paid).toContain('href="https://shop.example/thanks?order=1&amp;ok=yes"');
    expect(cache.render(key, { ...slots, token: '../x?"' })).toContain('/pay/..%2Fx%3F%22/start');
  });

  it("in a merchant's name stays text as well", () => {
    const name = '</title><script>alert(1)</script> {amount}';
    const contactUrl = 'javascript:alert(1)';
    const logoUrl = '//x.example/spy.gif';
    const html = cache.render(
      { ...key, theme: { ...key.theme, name, contactUrl, logoUrl } },
      slots,
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/javascript:|x\.example\/spy|<img/);
  });
});

describe('every page', () => {
  const cache = new CompiledPageCache();
  const pages = LOCALES.flatMap((locale) => STATES.map((state) => ({ locale, state })));
  const more = { amountDue: 'DUE', amountReceived: 'RECEIVED', declineReason: 'WHY' };

  const fullOf = (state: PageState): PageSlots => ({
    ...(state === 'awaiting_transfer' ? transferSlots : slots),
    ...more,
  });

  it.each(pages)(
    '$locale $state has no inline code or style, one heading, one language',
    (page) => {
      const html = cache.render({ ...key, ...page }, fullOf(page.state));
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script>|undefined|\[object|\{\w+\}/);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).toMatch(
        new RegExp(`^<!doctype html><html lang="${page.locale}" dir="(ltr|rtl)">`),
      );
      expect(html).not.toMatch(/(?:src|action)="https?:/);
    },
  );

  it('refreshes itself without a script only while it waits', () => {
    const waiting = STATES.filter((state) =>
      cache.render({ ...key, state }, fullOf(state)).includes('http-equiv="refresh"'),
    );
    expect(waiting).toEqual(['processing', 'awaiting_transfer', 'unknown']);
  });

  it('watches for news only while there may be some', () => {
    const watching = STATES.filter((state) =>
      cache.render({ ...key, state }, fullOf(state)).includes('data-events="/pay/tok-1/events"'),
    );
    expect(watching).toEqual([
      'open',
      'processing',
      'awaiting_transfer',
      'unknown',
      'underpaid',
      'declined',
    ]);
  });

  it('tells the state in the title', () => {
    const titleOf = (state: PageState) =>
      /<title>(.*)<\/title>/.exec(cache.render({ ...key, state }, fullOf(state)))?.[1];
    expect(titleOf('open')).toBe('Pay €89.90 – Nordlicht');
    expect(titleOf('paid')).toBe('✓ Paid – Nordlicht');
    expect(titleOf('expired')).toBe('✕ The time to pay is over – Nordlicht');
  });
});
