import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { plantLine } from './support/planted-lines.js';
import type { FormBrowser } from './support/browser-form.js';
import { person, signedIn, withTotp } from './support/people.js';

const NOBODY = '019aa2f0-7c00-7000-8000-0123456789ab';
const PATH = '/portal/platform/bank/test';
const HOSTILE = '"><script>alert(1)</script>=1+1\u202egnp';

describe('the lines of banks', () => {
  let app: TestApp;
  let operator: FormBrowser;
  let support: FormBrowser;

  beforeAll(async () => {
    app = await TestApp.start();
    operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    support = await signedIn(app, await withTotp(app, await person(app, 'support')));
  });
  afterAll(() => app.stop());

  const names = (html: string) =>
    [...html.matchAll(/lines\/[\da-f-]+"><bdi>([^<]*)/g)].map(([, name]) => name);

  it('are one address, which leads to a mode', async () => {
    const start = await operator.get('/portal/platform/bank?q=Ada');
    expect([start.status, start.location]).toEqual([303, '/portal/platform/bank/live?q=Ada']);
    expect((await operator.get('/portal/platform/bank?mode=test')).location).toBe(PATH);
    expect((await operator.get('/portal/platform/bank/other')).status).toBe(404);
  });

  it('say by which account they are narrowed, also by one that has none, as balances do', async () => {
    const narrowed = '?account=NL91ABNA0417164300';
    for (const path of [PATH, `${PATH}/balance`])
      expect((await operator.get(path + narrowed)).html).toContain(
        '<option value="NL91ABNA0417164300" selected>NL91 ABNA 0417 1643 00</option>',
      );
  });

  it('that wait are listed from the oldest on, page by page, each once', async () => {
    for (let i = 0; i < 52; i++) {
      await plantLine(app, { counterpartyName: `Payer ${i}`, text: 'many of them' });
      app.clock.advance(10);
    }
    await plantLine(app, { counterpartyName: 'Live', mode: 'live' });
    await plantLine(app, { counterpartyName: 'Matched', state: 'matched', reason: 'reference' });
    const first = await operator.get(`${PATH}?q=MANY%20of`);
    const later = /href="([^"]+after=[^"]+)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    const second = await operator.get(later);
    const all = Array.from({ length: 52 }, (_, i) => `Payer ${i}`);
    expect(names(first.html)).toEqual(all.slice(0, 50));
    expect(names(second.html)).toEqual(all.slice(50));
    expect(names((await operator.get(`${PATH}?tab=matched`)).html)).toEqual(['Matched']);
    expect(names((await operator.get('/portal/platform/bank/live')).html)).toEqual(['Live']);
  });

  it('show the start of a long text, and all of it on a page of their own', async () => {
    const long = 'word '.repeat(8_000).trim();
    const names = { counterpartyName: `Long ${long}`, counterpartyAccount: `DE ${long}` };
    const line = await plantLine(app, { ...names, text: long });
    const { html } = await operator.get(`${PATH}?q=Long`);
    expect(html).toContain('word …');
    expect(html.length).toBeLessThan(50_000);
    expect((await operator.get(`${PATH}/lines/${line.id}`)).html).toContain(long);
  });

  it.each([
    ['amount=12.34', ['Euro']],
    ['amount=1234', ['Yen']],
    ['amount=1.234', ['Dinar', 'Yen']],
    ['amount=nothing', []],
    ['day=2026-01-05', ['Monday']],
    ['account=NL1', ['Elsewhere']],
    ['q=e2e-77', ['By id']],
    ['q=%25', []],
    ['q=%00&tab=%27&after=x&day=x', null],
  ])('are found by %s', async (query, found) => {
    const each = { kind: 'payment', text: 'found' };
    await plantLine(app, { ...each, counterpartyName: 'Euro', amount: 1_234 });
    await plantLine(app, { ...each, counterpartyName: 'Yen', amount: 1_234, currency: 'JPY' });
    await plantLine(app, { ...each, counterpartyName: 'Dinar', amount: 1_234, currency: 'KWD' });
    await plantLine(app, { ...each, counterpartyName: 'Monday', bookedOn: '2026-01-05' });
    await plantLine(app, { ...each, counterpartyName: 'Elsewhere', account: 'NL1' });
    await plantLine(app, { ...each, counterpartyName: 'By id', endToEndId: 'E2E-77' });
    const page = await operator.get(`${PATH}?${query}`);
    if (found === null) expect(page.status).toBeLessThan(500);
    else expect([...new Set(names(page.html))].toSorted()).toEqual(found);
  });

  it('have a page with all that is known of each, and none in the other mode', async () => {
    const line = await plantLine(app, {
      references: [{ value: 'RF18', type: 'SCOR' }],
      identifiers: { entryReference: 'NTRY-9', uetr: null },
    });
    const { html } = await operator.get(`${PATH}/lines/${line.id}`);
    for (const text of ['DE89 3704 0044 0532 0130 00', 'RF18', 'SCOR', 'NTRY-9', 'umsaetze.xml']) {
      expect(html).toContain(text);
    }
    expect((await operator.get(`/portal/platform/bank/live/lines/${line.id}`)).status).toBe(404);
    expect((await operator.get(`${PATH}/lines/${NOBODY}`)).status).toBe(404);
    expect((await operator.get(`${PATH}/lines/new`)).status).toBe(404);
  });

  it('hold what strangers wrote, which stays text', async () => {
    const line = await plantLine(app, {
      counterpartyName: HOSTILE,
      counterpartyAccount: HOSTILE,
      counterpartyAccountType: 'unknown',
      text: `${HOSTILE}\n${'x'.repeat(5_000)}`,
      endToEndId: HOSTILE,
      reason: HOSTILE,
      references: [{ value: HOSTILE, type: HOSTILE }],
      identifiers: { entryReference: HOSTILE },
      amount: null,
      amountText: HOSTILE,
      currency: 'XXX',
    });
    for (const path of [`${PATH}?q=script`, `${PATH}/lines/${line.id}`]) {
      const page = await operator.get(path);
      expect(page.status).toBe(200);
      expect(page.html).toContain('&lt;script>');
      expect(page.html).not.toContain('<script>alert');
      // Each stands by itself: what it turns around ends with it.
      expect(page.html.replaceAll(/<bdi[^>]*>[^<]*<\/bdi>/g, '')).not.toContain('\u202e');
    }
  });

  it('are looked at by support, which may do nothing about them', async () => {
    const line = await plantLine(app);
    expect((await support.get(PATH)).status).toBe(200);
    const page = await support.get(`${PATH}/lines/${line.id}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('<form method="post" action="/portal/platform');
  });
});
