import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import { LOCALES } from '../src/common/locale.js';
import { MESSAGES } from '../src/payment-page/messages.js';
import { credited } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { readCodeOf } from './support/qr-reader.js';
import { openShop } from './support/shop.js';
import { awaitTransfer, choose, offerTransfers } from './support/transfers.js';

const DAY_MS = 86_400_000;
const SHOP = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
const IBAN = 'DE02120300000000202051';

const { app, shop } = await openShop();

describe('the payment page of a transfer', () => {
  const htmlOf = async ({ paymentPageUrl }: OrderJson, query = '') =>
    (await fetch(paymentPageUrl + query)).text();
  const copiesIn = (html: string) =>
    [...html.matchAll(/data-copy="([^"]*)"/g)].map(([, value]) => value);
  const textOf = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

  it('is offered behind the other ways to pay, and there in the first answer to who chose it', async () => {
    const order = await shop.order();
    expect(await htmlOf(order)).not.toContain('bank_transfer');
    const { id } = await offerTransfers(app);
    const offered = [...(await htmlOf(order)).matchAll(/name="method" value="(\w+)"/g)];
    expect(offered.map(([, method]) => method)).toEqual(['sandbox', 'bank_transfer']);
    const body = new URLSearchParams({ method: 'bank_transfer', due: '8990' });
    const answer = await fetch(`${order.paymentPageUrl}/start`, { method: 'POST', body });
    expect([answer.url, answer.redirected]).toEqual([order.paymentPageUrl, true]);
    expect(readCodeOf(await answer.text())?.text).toContain('EUR89.90');
    const inFrancs = await shop.order({ currency: 'CHF' });
    expect(await htmlOf(inFrancs)).not.toContain('bank_transfer');
    await app.get(CollectionAccountsService).disable(id);
  });

  it('leads on to another way to pay when the payer chooses one', async () => {
    const order = await shop.order();
    await awaitTransfer(app, order);
    const answer = await choose(order, 'sandbox', 8_990);
    expect(answer.headers.get('location')).toContain('/sandbox-bank/');
    const html = await htmlOf(order);
    expect(html).toMatch(/data-state="processing\.\d+"/);
    expect(copiesIn(html)).toEqual([]);
  });

  it('shows what to type in groups, and holds it bare to copy', async () => {
    const order = await shop.order();
    const { reference } = await awaitTransfer(app, order);
    const html = await htmlOf(order);
    const groups = reference.match(/.{4}/g)?.join(' ');
    expect(html).toMatch(/data-state="awaiting_transfer\.\d+"/);
    expect(html).toContain('<bdi>Nordlicht Payments GmbH</bdi>');
    expect(html).toContain('<bdi dir="ltr">DE02 1203 0000 0000 2020 51</bdi>');
    expect(html).toContain(`<bdi dir="ltr">${groups}</bdi>`);
    const lastDay = dayOf(new Date(app.clock.now().getTime() + 14 * DAY_MS));
    const account = ['Nordlicht Payments GmbH', IBAN, 'BYLADEM1001'];
    expect(copiesIn(html)).toEqual([...account, '89.90', reference, lastDay]);
    const lines = ['BCD', '002', '1', 'SCT', 'BYLADEM1001', account[0], IBAN, 'EUR89.90', ''];
    expect(readCodeOf(html)?.text).toBe([...lines, reference].join('\n'));
  });

  it('tells the last day in the language of the page, and runs no clock', async () => {
    const order = await shop.order();
    await awaitTransfer(app, order);
    const day = new Date(app.clock.now().getTime() + 14 * DAY_MS);
    for (const [lang, tag] of Object.entries({ de: 'de', fr: 'fr', ar: 'ar-u-nu-latn' })) {
      const html = await htmlOf(order, `?lang=${lang}`);
      const format = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
      expect(html).toContain(`<time datetime="${dayOf(day)}">${format.format(day)}</time>`);
      expect(html).not.toContain('role="timer"');
    }
  });

  it('keeps numbers from left to right in languages that run the other way', async () => {
    const order = await shop.order();
    await awaitTransfer(app, order);
    for (const lang of ['ar', 'he']) {
      const html = await htmlOf(order, `?lang=${lang}`);
      expect(html.match(/<bdi dir="ltr">/g)).toHaveLength(3);
    }
  });

  it.each(LOCALES)('says everything in %s', async (lang) => {
    const order = await shop.order();
    await awaitTransfer(app, order);
    const text = textOf(await htmlOf(order, `?lang=${lang}`));
    const { transfer, states } = MESSAGES[lang];
    const { holder, amount, reference, lastDay, scan, looks, stays, another } = transfer;
    const { title, next } = states.awaiting_transfer;
    for (const words of [title, next, holder, amount, reference, lastDay, scan, stays, another])
      expect(text).toContain(words);
    expect(text).toContain(looks);
  });

  it('asks for the rest, with a code for the rest, when a part has come', async () => {
    const order = await shop.order();
    const { reference } = await awaitTransfer(app, order);
    await credited(app, shop, order, 5_000);
    const html = await htmlOf(order);
    expect(html).toMatch(/data-state="underpaid\.\d+"/);
    expect(textOf(html)).toContain('We received €50.00 of €89.90 . Thank you!');
    expect(copiesIn(html)).toEqual(expect.arrayContaining(['39.90', reference]));
    expect(readCodeOf(html)?.text).toMatch(new RegExp(`\\nEUR39\\.90\\n\\n${reference}$`));
  });

  it('offers the other ways to pay, each by its name, and not itself', async () => {
    const order = await shop.order();
    await awaitTransfer(app, order);
    const html = await htmlOf(order);
    const values = [...html.matchAll(/type="radio" name="method" value="(\w+)"/g)];
    expect(values.map(([, value]) => value)).toEqual(['sandbox']);
    expect(html).toContain('name="due" value="8990"');
  });

  it('says when the account was last looked at, of its own mode', async () => {
    const account = 'AT611904300234573201';
    await readStatement('test', account, new Date('2026-01-05T09:00:00Z'));
    await readStatement('live', account, new Date('2026-01-08T09:00:00Z'));
    const order = await shop.order();
    await awaitTransfer(app, order, { account });
    const last = 'every business day; last checked on January 5, 2026 .';
    expect(textOf(await htmlOf(order))).toContain(last);
    const other = await shop.order();
    await awaitTransfer(app, other);
    expect(textOf(await htmlOf(other))).toContain('We check for transfers every business day. ');
  });

  /** A file with one statement of the account was imported. */
  async function readStatement(mode: string, account: string, at: Date): Promise<void> {
    const file = randomUUID();
    await select(
      app,
      `INSERT INTO bank_files (id, mode, sha256, name, size, format, source, warnings, created_at, imported_at)
       VALUES ($1, $2, sha256($3), 'a.xml', 1, 'camt.053.001.08', 'cli', '[]', $4, $4)`,
      [file, mode, Buffer.from(file), at],
    );
    await select(
      app,
      `INSERT INTO bank_statements (id, mode, file_id, number, format, account, created_at)
       VALUES ($1, $2, $3, 0, 'camt.053.001.08', $4, $5)`,
      [randomUUID(), mode, file, account, at],
    );
  }

  it('shows an account without an IBAN as it is, and no code', async () => {
    const order = await shop.order({ currency: 'CHF' });
    await awaitTransfer(app, order, { account: '01-162-8', bic: null, bankName: null });
    const html = await htmlOf(order);
    expect(html).toContain(`<dt id="account">${MESSAGES.en.transfer.account}</dt>`);
    expect(html).toContain('<bdi dir="ltr">01-162-8</bdi>');
    expect(html).not.toContain('class="qr"');
    expect(html).not.toContain('BIC');
  });

  it('keeps nothing of an order for the next one', async () => {
    const one = await shop.order();
    const other = await shop.order();
    const { reference } = await awaitTransfer(app, one, { holder: 'One & <only>' });
    await awaitTransfer(app, other);
    expect(await htmlOf(one)).toContain('<bdi>One &amp; &lt;only&gt;</bdi>');
    const html = await htmlOf(other);
    expect(html).not.toContain('One &amp;');
    expect(copiesIn(html)).not.toContain(reference);
  });

  it('warns who may have sent money for an order that has ended, and lets nobody leave unread', async () => {
    const [withdrawn, untold] = await Promise.all([shop.order(SHOP), shop.order(SHOP)]);
    await awaitTransfer(app, withdrawn);
    await shop.cancel(withdrawn.txid);
    await shop.cancel(untold.txid);
    const text = 'Please do not transfer money for it any more. If you already have, Test Shop';
    expect(textOf(await htmlOf(withdrawn))).toContain(text);
    expect(await htmlOf(withdrawn)).not.toContain('id="leaving"');
    expect(textOf(await htmlOf(untold))).not.toContain(text);
    expect(await htmlOf(untold)).toContain('id="leaving"');
  });

  it('is no part of an order that does not wait for one', async () => {
    const order = await shop.order();
    const html = await htmlOf(order);
    expect(copiesIn(html)).toEqual([]);
    expect(html).not.toContain('class="qr"');
  });
});
