import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Config } from '../src/config/config.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { csrfOf } from '../src/people/sessions/session-token.js';
import type { FormBrowser } from './support/browser-form.js';
import { DataSource } from 'typeorm';
import { select } from './support/facts.js';
import { textOf } from './support/markup.js';
import { balances, Cashier, chargeFee, paidOrder, PAYS } from './support/payouts.js';
import { codeOf, confirmed, person, type Person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const PLATFORM_PAYOUTS = '/portal/platform/payouts/test';
const LIVE_PLATFORM_PAYOUTS = '/portal/platform/payouts/live';
const MINUTE_MS = 60_000;

const { app } = await openShop({ env: PAYS });

let olga: Person & { totp: string };
let operator: FormBrowser;

beforeAll(async () => {
  olga = await withTotp(app, await person(app, 'operator'));
  operator = await signedIn(app, olga);
});
beforeEach(() => confirmed(app, olga));

/** A merchant of its own, with orders of these amounts paid. */
async function cashierWith(name: string, ...amounts: number[]): Promise<Cashier> {
  const cashier = await Cashier.of(app, await app.merchant({ name }));
  for (const amount of amounts) await paidOrder(cashier.shop, amount);
  return cashier;
}

interface Named {
  readonly merchantId: string;
  readonly id: string;
}

const pathOf = ({ merchantId, id }: Named): string => `${PLATFORM_PAYOUTS}/${merchantId}/${id}`;
const filePathOf = ({ id }: { readonly id: string }): string => `${PLATFORM_PAYOUTS}/files/${id}`;

const hashIn = (html: string): string => /name="contentHash" value="([^"]+)"/.exec(html)![1]!;

/** A code that the operator's app shows now; each works once. */
async function freshCode(): Promise<string> {
  app.clock.advance(30_000);
  return codeOf(app, olga.totp);
}

/** Approves what the page shows, with a code. */
async function approve(payout: Named, browser = operator) {
  const { html } = await browser.get(pathOf(payout));
  return browser.post(`${pathOf(payout)}/approve`, {
    contentHash: hashIn(html),
    code: await freshCode(),
  });
}

const statusOf = async ({ id }: Named): Promise<unknown> =>
  (await select(app, 'SELECT status FROM payouts WHERE id = $1', [id]))[0]!['status'];

const entriesOn = (subject: string) =>
  select<{ action: string; merchant_id: string | null; data: Record<string, unknown> }>(
    app,
    'SELECT action, merchant_id, data FROM audit_entries WHERE subject = $1 ORDER BY id',
    [subject],
  );

/** Makes a file of all that is approved, and opens its page. */
async function makeFile(currency = 'EUR'): Promise<{ id: string; html: string }> {
  const form = `${PLATFORM_PAYOUTS}/files/new`;
  const reply = await operator.fill(`${form}?currency=${currency}`, { currency }, form);
  expect(reply.status).toBe(303);
  const id = /files\/([0-9a-f-]{36})\?done=made$/.exec(reply.location!)![1]!;
  return { id, html: (await operator.get(reply.location!)).html };
}

async function bytesOf(path: string): Promise<{ bytes: Buffer; headers: Headers }> {
  const cookie = operator.cookie()!;
  const body = new URLSearchParams({ csrf: csrfOf(cookie) });
  const init = { method: 'POST', headers: { cookie: `portal=${cookie}` }, body };
  const response = await fetch(app.url + path, init);
  expect(response.status).toBe(200);
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

/** No copy of the file is handed out any more, and the page says why. */
async function expectWithheld(file: { readonly id: string }, why: string): Promise<void> {
  const { html } = await operator.get(filePathOf(file));
  expect(html).not.toContain('/download"');
  expect(html).toContain(why);
  const reply = await operator.post(`${filePathOf(file)}/download`);
  expect(reply.status).toBe(409);
  expect(textOf(reply.html)).toContain(why);
}

describe('a payout, by the operators’ forms', () => {
  it('goes from the queue to the merchant’s bank', async () => {
    const cashier = await cashierWith('Whole Way');
    await chargeFee(app, cashier.shop, 20_000, 15);
    await paidOrder(cashier.shop, 1_000, { orderMerchantId: 'WW-1' });
    await paidOrder(cashier.shop, 200_000);
    const payout = await cashier.request(150_000);

    const queue = textOf((await operator.get(PLATFORM_PAYOUTS)).html);
    expect(queue).toMatch(/Whole Way .*1,500\.00 EUR 2 orders: 1,540\.50 Fees: −40\.50 Test Shop/);
    expect(queue).toContain('FR14 2004 1010 0505 0001 3M02 606');
    app.clock.advance(5 * MINUTE_MS + 1);
    const page = textOf((await operator.get(pathOf(payout))).html);
    for (const words of [
      `To Whole Way ${cashier.shop.merchantId.slice(-8)} . It needs approval`,
      'Account holder Test Shop',
      'IBAN FR14 2004 1010 0505 0001 3M02 606',
      'First payout to this account: please verify',
      'Orders (2) 1,540.50 EUR Fees −40.50 EUR Total 1,500.00 EUR',
      'WW-1 Order',
      cashier.owner.email,
      'Code from your authenticator app',
      'Approve 1,500.00 EUR',
    ]) {
      expect(page).toContain(words);
    }
    const rest = await operator.get(`${pathOf(payout)}?line=2`);
    expect(textOf(rest.html)).toContain('Amount T-');
    expect(rest.html).not.toContain('WW-1');
    expect(await approve(payout)).toMatchObject({
      status: 303,
      location: `${pathOf(payout)}?done=approved`,
    });
    expect(await entriesOn(payout.id)).toEqual([
      {
        action: 'payout.approved',
        merchant_id: cashier.shop.merchantId,
        data: { mode: 'test', amount: 150_000, currency: 'EUR' },
      },
    ]);
    expect(textOf((await operator.get(PLATFORM_PAYOUTS)).html)).toMatch(
      /1 payout 1,500\.00 EUR Create a bank file/,
    );

    const proposal = textOf(
      (await operator.get(`${PLATFORM_PAYOUTS}/files/new?currency=EUR`)).html,
    );
    expect(proposal).toMatch(/1 payout Total 1,500\.00 EUR Execution date 2 Jan 2026/);
    const { id, html } = await makeFile();
    const [stored] = await select<{ content: string; sha256: Buffer; message_id: string }>(
      app,
      'SELECT content, sha256, message_id FROM payout_files WHERE id = $1',
      [id],
    );
    expect(html).toContain(stored!.sha256.toString('hex'));
    const { bytes, headers } = await bytesOf(`${filePathOf({ id })}/download`);
    expect(bytes.equals(Buffer.from(stored!.content))).toBe(true);
    expect(createHash('sha256').update(bytes).digest()).toEqual(stored!.sha256);
    expect(headers.get('content-type')).toBe('application/xml');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="payouts-test-eur-2026-01-01-${stored!.message_id}.xml"`,
    );

    const bank = await operator.fill(filePathOf({ id }), {}, `${filePathOf({ id })}/submitted`);
    expect(bank.location).toBe(`${filePathOf({ id })}?done=submitted`);
    expect(await statusOf(payout)).toBe('submitted');
    await operator.fill(filePathOf({ id }), {}, `${filePathOf({ id })}/paid`);
    expect(await statusOf(payout)).toBe('paid');
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ 'clearing:bank': 150_000 });
    expect(textOf((await operator.get(filePathOf({ id }))).html)).toMatch(/Settled .*1 paid/);
    expect((await entriesOn(id)).map(({ action }) => action)).toEqual([
      'payout-file.created',
      'payout-file.downloaded',
      'payout-file.submitted',
      'payout-file.paid',
    ]);

    const second = await cashier.request(100);
    expect(textOf((await operator.get(pathOf(second))).html)).toContain(
      'Previous payouts to this account 1 paid, last on 1 Jan 2026',
    );
  });

  it('is approved by nobody who asked for it', async () => {
    const cashier = await cashierWith('Two People', 1_000);
    const wish = { amount: 700, bankAccountId: cashier.account.id };
    const payout = await app
      .get(PayoutsService)
      .request({ ...cashier.scope, currency: 'EUR' }, wish, olga.id);
    const { html } = await operator.get(pathOf(payout));
    expect(html).toContain('another operator has to approve it');
    expect(html).not.toContain('name="contentHash"');
    const contentHash = payout.contentHash!.toString('hex');
    const code = await freshCode();
    const reply = await operator.post(`${pathOf(payout)}/approve`, { contentHash, code });
    expect(reply.status).toBe(409);
    expect(reply.html).toContain(
      'You asked for this payout, so another operator has to approve it.',
    );
    expect(await statusOf(payout)).toBe('pending_approval');
  });

  it('is shown anew when it is no longer what was looked at', async () => {
    const cashier = await cashierWith('Changed Mind', 1_000);
    const payout = await cashier.request(500);
    const contentHash = hashIn((await operator.get(pathOf(payout))).html);
    const wish = { amount: 900, bankAccountId: cashier.account.id };
    await app.get(PayoutsService).change(cashier.scope, payout.id, wish, cashier.owner.id);
    app.clock.advance(6 * MINUTE_MS);
    const stale = { contentHash, code: await freshCode() };
    const reply = await operator.post(`${pathOf(payout)}/approve`, stale);
    expect(reply.status).toBe(409);
    expect(reply.html).toContain('The payout has changed.');
    expect(textOf(reply.html)).toContain('Approve 9.00 EUR');
    // The code was right, so no other one is asked for.
    expect(reply.html).not.toContain('name="code"');
    expect(await statusOf(payout)).toBe('pending_approval');
    const again = { contentHash: hashIn(reply.html) };
    expect((await operator.post(`${pathOf(payout)}/approve`, again)).status).toBe(303);
    expect(await statusOf(payout)).toBe('approved');
    const late = await operator.post(`${pathOf(payout)}/approve`, again);
    expect(late.status).toBe(409);
    expect(late.html).toContain('The payout cannot do that now.');
  });

  it('needs a code of the last five minutes', async () => {
    const payout = await (await cashierWith('Fresh Code', 1_000)).request(500);
    const { html } = await operator.get(pathOf(payout));
    const contentHash = hashIn(html);
    app.clock.advance(5 * MINUTE_MS + 1);
    for (const [code, words] of [
      [undefined, 'older than five minutes'],
      ['000000', 'This code is invalid'],
      [await codeOf(app, 'A'.repeat(32)), 'This code is invalid'],
    ] as const) {
      const fields = { contentHash, ...(code ? { code } : {}) };
      const reply = await operator.post(`${pathOf(payout)}/approve`, fields);
      expect(reply.status).toBe(422);
      expect(reply.html).toMatch(new RegExp(`id="code-problem">[^<]*${words}`));
    }
    expect(await statusOf(payout)).toBe('pending_approval');
    const right = { contentHash, code: await freshCode() };
    expect((await operator.post(`${pathOf(payout)}/approve`, right)).status).toBe(303);
    const next = await (await cashierWith('Next One', 1_000)).request(500);
    expect((await operator.get(pathOf(next))).html).not.toContain('name="code"');
    expect((await operator.get(`${pathOf(next)}/approve`)).location).toBe(pathOf(next));
  });

  it('is rejected with a reason, before it is in a file', async () => {
    const cashier = await cashierWith('Rejected', 1_000);
    const payout = await cashier.request(1_000);
    for (const reason of ['', '  ', 'x'.repeat(141), 'two\nlines']) {
      const reply = await operator.fill(pathOf(payout), { reason }, `${pathOf(payout)}/reject`);
      expect([reply.status, reply.html.includes('id="reason-problem"')]).toEqual([422, true]);
    }
    await approve(payout);
    const reason = 'Ask with the new account <b>';
    const reply = await operator.fill(pathOf(payout), { reason }, `${pathOf(payout)}/reject`);
    expect(reply.location).toBe(`${pathOf(payout)}?done=rejected`);
    expect(await statusOf(payout)).toBe('rejected');
    const { html } = await operator.get(pathOf(payout));
    expect(html).toContain('Ask with the new account &lt;b>');
    expect(html).not.toContain('/reject"');
    expect((await entriesOn(payout.id)).at(-1)).toMatchObject({
      action: 'payout.rejected',
      data: { reason },
    });
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ available: 1_000 });
  });

  it('ends as the bank says, and can come back even after it was paid', async () => {
    const cashier = await cashierWith('Bank Says', 5_000);
    const payouts: Named[] = [];
    for (const amount of [100, 200, 300]) payouts.push(await cashier.request(amount));
    const later = (await operator.get(`${PLATFORM_PAYOUTS}?after=${payouts[0]!.id}`)).html;
    expect(payouts.map((payout) => later.includes(pathOf(payout)))).toEqual([false, true, true]);
    for (const payout of payouts) await approve(payout);
    const [paid, failed, returned] = payouts as [Named, Named, Named];
    const { id } = await makeFile();
    const ask = (payout: Named, word: string) => operator.get(`${pathOf(payout)}/${word}`);
    expect((await ask(paid, 'paid')).location).toBe(pathOf(paid));
    // The file may still reach the bank and pay it.
    expect((await ask(failed, 'failed')).location).toBe(pathOf(failed));
    const early = await operator.post(`${pathOf(failed)}/failed`, { reason: 'No' });
    expect([early.status, await statusOf(failed)]).toEqual([409, 'exported']);
    await operator.fill(filePathOf({ id }), {}, `${filePathOf({ id })}/submitted`);

    const end = async (payout: Named, word: string, fields = {}) =>
      operator.fill(`${pathOf(payout)}/${word}`, fields);
    expect((await end(paid, 'paid')).location).toBe(`${pathOf(paid)}?done=paid`);
    expect((await end(failed, 'failed')).html).toContain('id="reason-problem"');
    expect((await end(failed, 'failed', { reason: 'No such account' })).status).toBe(303);
    expect((await end(returned, 'returned', { reason: 'Closed' })).status).toBe(303);
    expect((await end(paid, 'returned', { reason: 'Sent back' })).status).toBe(303);
    for (const [payout, status] of [
      [paid, 'returned'],
      [failed, 'failed'],
      [returned, 'returned'],
    ] as const) {
      expect(await statusOf(payout)).toBe(status);
    }
    const twice = await operator.post(`${pathOf(failed)}/failed`, { reason: 'Again' });
    expect(twice.status).toBe(409);
    const file = await operator.get(filePathOf({ id }));
    expect(textOf(file.html)).toMatch(/1 failed, 2 returned/);
    await expectWithheld({ id }, 'A payout of it failed or came back');
    expect((await balances(app, cashier.shop))['EUR']).toMatchObject({ available: 5_000 });
    const next = await cashier.request(100);
    expect(textOf((await operator.get(pathOf(next))).html)).toContain(
      'None paid; 3 failed or returned',
    );
  });
});

describe('a bank file', () => {
  it('is said not to be sent by nobody who does not know of a download', async () => {
    await approve(await (await cashierWith('Meanwhile', 1_000)).request(400));
    const { id } = await makeFile();
    const path = filePathOf({ id });
    const { html } = await operator.get(`${path}/not-sent`);
    expect(html).toContain('name="downloads" value="0"');
    await bytesOf(`${path}/download`);
    const reply = await operator.post(`${path}/not-sent`, { downloads: '0' });
    expect(reply.status).toBe(409);
    expect(textOf(reply.html)).toContain('The file was downloaded meanwhile.');
    expect((await operator.post(`${path}/not-sent`, { downloads: '1' })).status).toBe(303);
  });

  it('of test mode names no account that is one, and says what it is', async () => {
    await approve(await (await cashierWith('Only a Test', 1_000)).request(400));
    const { id } = await makeFile();
    const { bytes, headers } = await bytesOf(`${filePathOf({ id })}/download`);
    const xml = bytes.toString();
    expect(xml).not.toContain(PAYS.PAYOUT_IBAN);
    expect(xml).toContain('<DbtrAcct><Id><IBAN>XX00TEST0000000000</IBAN></Id></DbtrAcct>');
    expect(xml).toContain('<InitgPty><Nm>TEST</Nm></InitgPty>');
    expect(xml).toMatch(/<MsgId>TEST[0-9a-f]{31}<\/MsgId>/);
    expect(headers.get('content-disposition')).toContain('-TEST');
  });

  it('is not handed out once somebody changed it in the database', async () => {
    await approve(await (await cashierWith('Changed', 1_000)).request(400));
    const { id } = await makeFile();
    const path = `${filePathOf({ id })}/download`;
    const { bytes } = await bytesOf(path);
    const change = (sql: string) =>
      app.get(DataSource).transaction(async (tx) => {
        await tx.query(`SET LOCAL session_replication_role = 'replica'`);
        await tx.query(sql, [id]);
      });
    let refused = 0;
    const SEAL = `sha256 = sha256(convert_to(content, 'UTF8'))`;
    for (const [changed, back] of [
      [`content = content || ' '`, `content = rtrim(content, ' ')`],
      [`content = replace(content, 'FR14', 'FR15')`, `content = replace(content, 'FR15', 'FR14')`],
    ]) {
      await change(`UPDATE payout_files SET ${changed} WHERE id = $1`);
      if (changed!.includes('FR')) await change(`UPDATE payout_files SET ${SEAL} WHERE id = $1`);
      const reply = await operator.post(path);
      expect(reply.status).toBe(409);
      expect(textOf(reply.html)).toContain('The bank file is not what its payouts say.');
      const told = app.log.filter((line) => line.includes('download refused') && line.includes(id));
      expect(told).toHaveLength(++refused);
      await change(`UPDATE payout_files SET ${back} WHERE id = $1`);
      await change(`UPDATE payout_files SET ${SEAL} WHERE id = $1`);
    }
    expect((await bytesOf(path)).bytes).toEqual(bytes);
    const entries = (await entriesOn(id)).filter(
      ({ action }) => action === 'payout-file.downloaded',
    );
    expect(entries).toHaveLength(2);
  });

  it('is downloaded as often as it takes, and each time is told', async () => {
    const cashier = await cashierWith('Two Downloads', 1_000);
    await approve(await cashier.request(400));
    const { id, html } = await makeFile();
    expect(html).toContain('Not downloaded yet');
    const path = filePathOf({ id });
    const first = await bytesOf(`${path}/download`);
    expect((await operator.get(path)).html).toContain('This file was already downloaded.');
    expect((await operator.get(`${path}/download`)).status).toBe(404);
    const second = await bytesOf(`${path}/download`);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect((await operator.get(path)).html).toContain(
      'This file was already downloaded more than once',
    );
    const entries = (await entriesOn(id)).filter(
      ({ action }) => action === 'payout-file.downloaded',
    );
    expect(entries.map(({ data }) => data['before'])).toEqual([0, 1]);
    expect(entries[0]!.data['sha256']).toBe(createHash('sha256').update(first.bytes).digest('hex'));
    const asked = textOf((await operator.get(`${path}/not-sent`)).html);
    expect(asked).toContain('every merchant in it is paid twice');
    expect(asked).toContain('The file was downloaded 2 times');
  });

  it('is made again only after somebody has said that it was not sent', async () => {
    const cashier = await cashierWith('Not Sent', 1_000);
    await paidOrder(cashier.shop, 900, { currency: 'USD' });
    const payout = await cashier.request(900, 'USD');
    await approve(payout);
    const { id } = await makeFile('USD');
    const nothing = await operator.post(`${PLATFORM_PAYOUTS}/files/new`, { currency: 'USD' });
    expect(nothing.status).toBe(409);
    expect(nothing.html).toContain('No payouts to export');
    const path = filePathOf({ id });
    const said = await operator.fill(`${path}/not-sent`, {});
    expect(said.location).toBe(`${path}?done=not-sent`);
    expect(await statusOf(payout)).toBe('approved');
    expect((await operator.get(`${path}/not-sent`)).location).toBe(path);
    expect((await operator.post(`${path}/submitted`)).status).toBe(409);
    await expectWithheld({ id }, 'It was recorded as not sent');
    const format = 'pain.001.001.03';
    const form = `${PLATFORM_PAYOUTS}/files/new`;
    const again = await operator.fill(form, { currency: 'USD', format });
    expect(again.location).not.toContain(id);
    const [file] = await select(app, 'SELECT format FROM payout_files ORDER BY id DESC LIMIT 1');
    expect(file).toEqual({ format });
    expect(textOf((await operator.get(`${PLATFORM_PAYOUTS}/files`)).html)).toMatch(
      /9\.00 USD [0-9a-f]{12}… To be sent .* 9\.00 USD [0-9a-f]{12}… Not sent/,
    );
  });

  it('is not made while the service does not know whose account pays', async () => {
    await approve(await (await cashierWith('No Payer', 1_000)).request(100));
    const config = app.get(Config) as { payoutAccount: Config['payoutAccount'] };
    const { payoutAccount } = config;
    config.payoutAccount = undefined;
    try {
      const form = `${PLATFORM_PAYOUTS}/files/new`;
      for (const page of [PLATFORM_PAYOUTS, `${form}?currency=EUR`]) {
        const { html } = await operator.get(page);
        expect(html).toMatch(/<code>PAYOUT_NAME<\/code>[^]*<code>PAYOUT_IBAN<\/code>/);
        expect(html).not.toMatch(/Create file|btn-primary[^>]*>Create a bank file/);
      }
      const reply = await operator.post(form, { currency: 'EUR' });
      expect([reply.status, reply.html.includes('PAYOUT_IBAN')]).toEqual([409, true]);
    } finally {
      config.payoutAccount = payoutAccount;
    }
  });
});

describe('the pages of payouts', () => {
  it('are for operators with a second factor', async () => {
    const cashier = await cashierWith('For Operators', 1_000);
    const payout = await cashier.request(100);
    const pages = [
      PLATFORM_PAYOUTS,
      pathOf(payout),
      `${PLATFORM_PAYOUTS}/files`,
      `${PLATFORM_PAYOUTS}/files/new`,
    ];
    const support = await signedIn(app, await withTotp(app, await person(app, 'support')));
    const owner = await signedIn(app, cashier.owner);
    const password = await signedIn(app, await person(app, 'operator'));
    for (const page of pages) {
      expect((await support.get(page)).status).toBe(403);
      expect((await owner.get(page)).status).toBe(403);
      expect((await password.get(page)).location).toBe('/portal/security?needed=platform');
    }
    expect((await support.post(`${pathOf(payout)}/reject`, { reason: 'No' })).status).toBe(403);
    const { html } = await password.get('/portal/security?needed=platform');
    expect(html).toContain('require two-factor authentication');
    const sent = await password.post(`${pathOf(payout)}/reject`, { reason: 'No' });
    expect(sent.location).toBe('/portal/security?needed=platform');
    expect(await statusOf(payout)).toBe('pending_approval');
  });

  it('are of one mode', async () => {
    const cashier = await cashierWith('One Mode', 1_000);
    const payout = await cashier.request(100);
    const live = pathOf(payout).replace(PLATFORM_PAYOUTS, LIVE_PLATFORM_PAYOUTS);
    expect((await operator.get(live)).status).toBe(404);
    expect((await operator.post(`${live}/reject`, { reason: 'No' })).status).toBe(404);
    const file = await cashier.exported(200);
    for (const path of ['', '/not-sent']) {
      expect(
        (await operator.get(`${LIVE_PLATFORM_PAYOUTS}/files/${file.fileId}${path}`)).status,
      ).toBe(404);
    }
    for (const path of ['/download', '/paid']) {
      expect(
        (await operator.post(`${LIVE_PLATFORM_PAYOUTS}/files/${file.fileId}${path}`)).status,
      ).toBe(404);
    }
    const { html } = await operator.get(LIVE_PLATFORM_PAYOUTS);
    expect(html).toContain('No payouts pending approval');
    expect(html).toContain(`href="${PLATFORM_PAYOUTS}">Switch to test`);
    for (const path of [
      '/portal/platform/payouts/best',
      `${PLATFORM_PAYOUTS}/x/y`,
      `${PLATFORM_PAYOUTS}/files/x`,
    ]) {
      expect((await operator.get(path)).status).toBe(404);
    }
    const draft = await app
      .get(PayoutsService)
      .draft(
        { ...cashier.scope, currency: 'EUR' },
        { amount: 1, bankAccountId: cashier.account.id },
        null,
      );
    expect((await operator.get(pathOf(draft))).status).toBe(404);
  });
});

describe('money that no order explains', () => {
  const PATH = '/portal/platform/unallocated/test';

  it('is listed order by order, until an order explains it', async () => {
    const shop = await app.merchant({ name: 'Odd Money' });
    const over = await paidOrder(shop, 1_000, { received: 1_250, orderMerchantId: 'OVER' });
    const part = await paidOrder(shop, 1_000, { received: 400, orderMerchantId: 'PART' });
    const page = async (browser = operator) => (await browser.get(PATH)).html;
    expect(textOf(await page())).toMatch(
      /PART \S+ Odd Money .*10\.00 EUR 4\.00 EUR.*OVER \S+ Odd Money .*10\.00 EUR 2\.50 EUR/,
    );
    expect(await page()).not.toContain(`orders/${over.txid}`);
    const rest = { outcome: 'paid', amount: 600 };
    await shop.call('POST', `/api/test-helpers/order/${part.txid}/payment`, rest);
    expect(await page()).not.toContain(part.txid);
    const support = await signedIn(app, await withTotp(app, await person(app, 'support')));
    expect(await page(support)).toContain(
      `href="/portal/m/${shop.merchantId}/test/orders/${over.txid}"`,
    );
    const [look] = await select(
      app,
      `SELECT data FROM audit_entries WHERE action = 'orders.listed' ORDER BY id DESC LIMIT 1`,
    );
    expect(look).toEqual({ data: { mode: 'test', filter: 'unallocated' } });
    expect((await operator.get(PATH.replace('test', 'live'))).html).toContain(
      'No unallocated funds',
    );
  });
});

describe('fees', () => {
  it('are set by a form, and cost the next orders', async () => {
    const shop = await app.merchant({ name: 'Fee Shop' });
    const path = `/portal/platform/merchants/${shop.merchantId}`;
    expect((await operator.get('/portal/platform?q=Fee')).html).toContain(`href="${path}"`);
    expect((await operator.get(path)).html).toContain('No fees.');
    const fee = { provider: 'sandbox', currency: 'eur', percent: '2,9001', fixed: '0.30' };
    for (const [name, value] of [
      ['provider', 'nobody'],
      ['currency', 'XXX'],
      ['percent', '2.90001'],
      ['percent', '101'],
      ['fixed', '0.305'],
      ['fixed', ''],
    ] as const) {
      const reply = await operator.fill(path, { ...fee, [name]: value });
      expect([reply.status, reply.html.includes(`id="${name}-problem"`)]).toEqual([422, true]);
    }
    const before = await paidOrder(shop, 10_000);
    expect((await operator.fill(path, fee)).location).toBe(`${path}?done=saved`);
    expect(textOf((await operator.get(path)).html)).toMatch(/sandbox EUR 2\.9001 % 0\.30/);
    const [entry] = await entriesOf(shop.merchantId);
    expect(entry).toMatchObject({
      action: 'fee.changed',
      data: { provider: 'sandbox', currency: 'EUR', percent: '2.9001', fixed: 30 },
    });
    const after = await paidOrder(shop, 10_000);
    const fees = await select(app, 'SELECT fee FROM orders WHERE txid = ANY ($1) ORDER BY txid', [
      [before.txid, after.txid],
    ]);
    expect(fees).toEqual([{ fee: 0 }, { fee: 320 }]);
    const { html } = await operator.get(`${path}?provider=sandbox&currency=EUR`);
    expect(html).toMatch(/name="percent"[^>]* value="2\.9001"/);
    expect((await operator.get(path.replace(/.$/, 'z'))).status).toBe(404);
  });

  const entriesOf = (merchantId: string) =>
    select(app, 'SELECT action, data FROM audit_entries WHERE merchant_id = $1', [merchantId]);
});
