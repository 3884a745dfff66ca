import { describe, expect, it } from '@jest/globals';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { startAtPage } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { openShop } from './support/shop.js';

const HOSTILE = `<script>alert("1")</script> & 'Söhne'`;

const { app, shop } = await openShop({ name: HOSTILE });

describe('the sandbox bank', () => {
  const visit = (url: string) => fetch(url, { redirect: 'manual' });
  const submit = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
  const locationOf = (reply: Response) =>
    new URL(reply.headers.get('location') ?? '', app.url).href;
  const read = async ({ txid }: OrderJson) => (await shop.read(txid)).body;

  /** A payer who has come from the payment page to the bank. */
  async function arrive(fields = {}): Promise<{ order: OrderJson; bankPage: string }> {
    const order = await shop.order(fields);
    const started = await startAtPage(order);
    expect(started.status).toBe(303);
    const bankPage = locationOf(started);
    expect(bankPage).toMatch(new RegExp(`^${app.url}/sandbox-bank/[\\w-]{32}$`));
    return { order, bankPage };
  }

  it('shows what is to be paid to whom, as text', async () => {
    const { bankPage } = await arrive({ amount: 8990, currency: 'KWD' });
    const page = await visit(bankPage);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('8.990 KWD');
    expect(html).toContain('&lt;script>alert(');
    expect(html).not.toContain('<script>alert');
    expect(html).toMatch(/<meta name="robots" content="noindex/);
  });

  it('takes the payer all the way, and back', async () => {
    const { order, bankPage } = await arrive();
    const answered = await submit(bankPage, {
      outcome: 'paid',
      payerAccountNumber: 'FR7630006000011234567890189',
      payerAccountName: 'Zoé',
    });
    expect([answered.status, locationOf(answered)]).toEqual([
      303,
      `${order.paymentPageUrl}/return`,
    ]);
    const returned = await visit(locationOf(answered));
    expect([returned.status, locationOf(returned)]).toEqual([303, order.paymentPageUrl]);
    expect(await read(order)).toMatchObject({
      status: 'paid',
      payment: { payerAccountNumber: 'FR7630006000011234567890189', payerAccountName: 'Zoé' },
    });
  });

  it.each([
    ['declined', 'open', 'failed', 'declined'],
    ['cancelled', 'open', 'failed', 'cancelled_by_payer'],
  ])('%s: the payer may try again', async (outcome, status, paymentStatus, code) => {
    const { order, bankPage } = await arrive();
    await submit(bankPage, { outcome });
    expect(await read(order)).toMatchObject({
      status,
      payment: { status: paymentStatus, error: { code } },
    });
    expect((await startAtPage(order)).status).toBe(303);
    expect((await read(order)).status).toBe('processing');
  });

  it('answers later: after ten seconds, or as the payer says', async () => {
    for (const [form, seconds] of [
      [{}, 10],
      [{ afterSeconds: '60' }, 60],
    ] as const) {
      const { order, bankPage } = await arrive();
      await submit(bankPage, { outcome: 'pending', ...form });
      app.clock.advance(seconds * 1_000 - 1);
      await app.get(SandboxCallbacksService).sendDue();
      expect((await read(order)).status).toBe('processing');
      app.clock.advance(1);
      await app.get(SandboxCallbacksService).sendDue();
      expect((await read(order)).status).toBe('paid');
    }
  });

  it('says nothing, and the payer’s return finds that out', async () => {
    const { order, bankPage } = await arrive();
    const answered = await submit(bankPage, { outcome: 'unknown' });
    await visit(locationOf(answered));
    expect(await read(order)).toMatchObject({
      status: 'processing',
      statusReason: 'outcome_unknown',
    });
  });

  it('answers once', async () => {
    const { order, bankPage } = await arrive();
    await submit(bankPage, { outcome: 'paid', amount: '5' });
    const again = await submit(bankPage, { outcome: 'paid' });
    expect(again.status).toBe(303);
    expect(await read(order)).toMatchObject({ amountReceived: 5 });
    const html = await (await visit(bankPage)).text();
    expect(html).not.toContain('<form');
    expect(html).toContain(`href="${order.paymentPageUrl}/return"`);
  });

  it.each<[string, Record<string, string>]>([
    ['no outcome', {}],
    ['an unknown outcome', { outcome: 'won' }],
    ['an outcome of every object', { outcome: 'constructor' }],
    ['no whole amount', { outcome: 'paid', amount: '1.5' }],
    ['no money', { outcome: 'paid', amount: '0' }],
    ['a long amount', { outcome: 'paid', amount: '9'.repeat(12) }],
    ['a wait of days', { outcome: 'pending', afterSeconds: '99999' }],
  ])('takes no form that its page would not send: %s', async (_, form) => {
    const { order, bankPage } = await arrive();
    const reply = await submit(bankPage, form);
    expect([reply.status, locationOf(reply)]).toEqual([303, bankPage]);
    expect((await read(order)).status).toBe('processing');
  });

  it('leaves out what no bank could keep', async () => {
    const { order, bankPage } = await arrive();
    const payerAccountName = `\0Erika\n${'🎉'.repeat(140)}`;
    await submit(bankPage, { outcome: 'paid', payerAccountName });
    const name = String((await read(order)).payment?.['payerAccountName']);
    expect(name).toMatch(/^Erika🎉/);
    expect(name.isWellFormed()).toBe(true);
    expect(name.length).toBeLessThanOrEqual(140);
  });

  it.each(['x', 'A'.repeat(32), '%00', 'constructor'])('has no page %s', async (reference) => {
    const url = `${app.url}/sandbox-bank/${reference}`;
    expect((await visit(url)).status).toBe(404);
    expect((await submit(url, { outcome: 'paid' })).status).toBe(404);
  });
});
