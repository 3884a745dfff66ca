import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { BankAccountsService } from '../src/payouts/bank-accounts.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { count } from './support/facts.js';
import { hrefOf, textOf } from './support/markup.js';
import { fileOf, formIdIn, PayoutPages, problemsIn, rowsIn } from './support/payout-pages.js';
import { IBANS, noticed, paidOrder, PAYS } from './support/payouts.js';
import { PASSWORD, person, signedIn } from './support/people.js';
import { openShop } from './support/shop.js';

const WHOLE_IBAN = 'FR14 2004 1010 0505 0001 3M02 606';
const MASKED_IBAN = 'FR•••• 2606';
const DAY_MS = 24 * 3_600_000;

const { app } = await openShop({ env: PAYS });

describe('the list of payouts', () => {
  it('says what to do next, from no account at all to the first payout', async () => {
    const shop = await app.merchant();
    const scope = { merchantId: shop.merchantId, mode: 'test' } as const;
    const base = `/portal/m/${shop.merchantId}/test`;
    const owner = await person(app, 'owner', shop.merchantId);
    const browser = await signedIn(app, owner);
    const viewer = await signedIn(app, await person(app, 'viewer', shop.merchantId));
    const shown = async () => (await browser.get(`${base}/payouts`)).html;
    const accounts = app.get(BankAccountsService);

    expect(hrefOf(await shown(), 'add a bank account')).toBe(`${base}/bank-accounts`);
    const { html: seen } = await viewer.get(`${base}/payouts`);
    expect(textOf(seen)).toContain('ask an owner or finance member to add a bank account');

    const account = await accounts.add(scope, { holder: 'Shop', iban: IBANS[0] }, owner.id);
    expect(hrefOf(await shown(), 'confirm a bank account')).toBe(`${base}/bank-accounts`);
    await accounts.confirm(scope, account!.id, owner.id);
    expect(textOf(await shown())).toContain('Your bank account is in its notification period');
    await noticed(app, account!.id);
    expect(textOf(await shown())).toContain('Your bank account can be used from');
    const { html: notYet } = await browser.get(`${base}/payouts/new`);
    expect(textOf(notYet)).toContain('Not available yet Your bank account can be used from');

    app.clock.advance(DAY_MS);
    await browser.signIn(owner.email, PASSWORD);
    expect(textOf(await shown())).toContain('No funds available yet.');
    expect(hrefOf(await shown(), 'Request a payout')).toBeUndefined();
    await paidOrder(shop, 1234);
    expect(hrefOf(await shown(), 'Request a payout')).toBe(`${base}/payouts/new`);
    expect(textOf(await shown())).toContain('No payouts yet Funds are available.');
  });

  it('tells what there is of each currency, and what it means', async () => {
    const payoutPages = await PayoutPages.open(app, 100_000);
    const { cashier, path } = payoutPages;
    await paidOrder(cashier.shop, 5000, { currency: 'JPY' });
    await paidOrder(cashier.shop, 1000, { currency: 'JPY', received: 400 });
    await cashier.request(40_000);
    const text = textOf((await (await payoutPages.as('viewer')).get(path)).html);
    expect(text).toContain('Available 600.00 EUR Paid orders minus fees.');
    expect(text).toContain('On its way 400.00 EUR Requested payouts that');
    expect(text).toContain('Available 5,000 JPY');
    expect(text.match(/Unallocated funds: \S+ \w+/g)).toEqual(['Unallocated funds: 400 JPY']);
  });

  it('shows each payout to those who may, masked, and its actions to fewer', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const { cashier, path } = payoutPages;
    const payout = await cashier.request(600);
    for (const role of ['owner', 'finance', 'viewer', 'support'] as const) {
      const { status, html } = await (await payoutPages.as(role)).get(path);
      expect(status).toBe(200);
      const [row] = rowsIn(html, 'Payouts');
      expect(row!.slice(1, 5)).toEqual([
        `…${payout.id.slice(-8)}`,
        'Pending approval',
        '6.00 EUR',
        MASKED_IBAN,
      ]);
      const mayManage = role === 'owner' || role === 'finance';
      expect(hrefOf(html, 'Request a payout') !== undefined).toBe(mayManage);
      expect(hrefOf(html, 'Download CSV') !== undefined).toBe(role !== 'viewer');
      expect(html).not.toContain(cashier.account.iban);
      expect(html).not.toMatch(/undefined|NaN|\[object|style=/);
    }
  });

  it('filters, counts, and turns its pages without losing or repeating one', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const { cashier, path } = payoutPages;
    const service = app.get(PayoutsService);
    const wish = { amount: 100, bankAccountId: cashier.account.id };
    const balance = { ...cashier.scope, currency: 'EUR' };
    const made: string[] = [];
    for (let i = 0; i < 27; i++) {
      if (i % 5 === 0) app.clock.advance(1_000);
      made.unshift((await service.draft(balance, wish, i === 26 ? null : cashier.owner.id)).id);
    }
    await service.cancel(cashier.scope, made[13]!);
    const browser = await payoutPages.as('viewer');
    const idsAt = async (address: string) => {
      const { html } = await browser.get(address);
      const ids = [...html.matchAll(/title="([\da-f-]{36})" data-row/g)].map(([, id]) => id!);
      return { html, ids, newer: hrefOf(html, 'Newer'), older: hrefOf(html, 'Older') };
    };
    const first = await idsAt(path);
    expect(first).toMatchObject({ ids: made.slice(0, 25), newer: undefined });
    expect(rowsIn(first.html, 'Payouts')[0]![5]).toBe('Schedule');
    const second = await idsAt(first.older!);
    expect(second).toMatchObject({ ids: made.slice(25), older: undefined });
    expect((await idsAt(second.newer!)).ids).toEqual(made.slice(0, 25));
    expect(textOf(first.html)).toContain('All 27 Draft 26 Cancelled 1');
    expect((await idsAt(`${path}?status=cancelled`)).ids).toEqual([made[13]]);
    expect((await idsAt(hrefOf(first.html, 'Draft 26')!)).ids).toEqual(
      made.filter((id) => id !== made[13]).slice(0, 25),
    );
    expect(textOf((await idsAt(`${path}?status=paid`)).html)).toContain('No matching payouts');
    expect((await idsAt(`${path}?status=x&older=x`)).ids).toEqual(made.slice(0, 25));
  });
});

describe('the form that asks for a payout', () => {
  it('asks for all that is available when no amount is typed', async () => {
    const payoutPages = await PayoutPages.open(app, 1000, 500);
    const browser = await payoutPages.as('finance');
    const reply = await browser.post(`${payoutPages.path}/new`, await payoutPages.formOf(browser));
    const [payout] = await payoutPages.payouts();
    expect(payout).toMatchObject({ status: 'pending_approval', amount: 1500 });
    expect([reply.status, reply.location]).toEqual([
      303,
      `${payoutPages.pathOf(payout!)}?done=asked`,
    ]);
    const { html } = await browser.get(reply.location!);
    expect(textOf(html)).toContain('Payout requested.');
    expect(await payoutPages.entriesOn(payout!)).toEqual(['payout.requested']);
  });

  it('makes a draft, which can be asked for', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const browser = await payoutPages.as('owner');
    const form = await payoutPages.formOf(browser, { amount: '7,5' });
    const { location } = await browser.post(`${payoutPages.path}/new?as=draft`, form);
    const [draft] = await payoutPages.payouts();
    expect(draft).toMatchObject({ status: 'draft', amount: 750 });
    expect(location).toBe(`${payoutPages.pathOf(draft!)}?done=drafted`);
    await browser.get(location!);
    const asked = await browser.post(`${payoutPages.pathOf(draft!)}/submit`);
    expect(asked.location).toBe(`${payoutPages.pathOf(draft!)}?done=asked`);
    expect((await payoutPages.payouts())[0]!.status).toBe('pending_approval');
    const again = await browser.post(`${payoutPages.pathOf(draft!)}/submit`);
    expect(again.location).toBe(payoutPages.pathOf(draft!));
    expect(await payoutPages.entriesOn(draft!)).toEqual(['payout.drafted', 'payout.requested']);
  });

  it('tells beside the fields what is wrong, and keeps what was typed', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const browser = await payoutPages.as('owner');
    const blank = { currency: 'USD', amount: 'lots', account: '' };
    const form = await payoutPages.formOf(browser, blank);
    const wrong = await browser.post(`${payoutPages.path}/new`, form);
    expect(wrong.status).toBe(422);
    expect(problemsIn(wrong.html)).toEqual([
      'currency: No funds available in this currency. Choose one from the list.',
      'account: Choose the bank account for this payout.',
    ]);
    const tooMuch = await browser.post(
      `${payoutPages.path}/new`,
      await payoutPages.formOf(browser, { amount: '10.01' }),
    );
    expect(tooMuch.status).toBe(422);
    expect(problemsIn(tooMuch.html)).toEqual(['amount: Only 10.00 EUR is available now.']);
    expect(tooMuch.html).toContain('value="10.01"');
    expect(tooMuch.html).toMatch(new RegExp(`value="${payoutPages.cashier.account.id}" checked`));
    expect(await payoutPages.payouts()).toEqual([]);
  });

  it('shows accounts that cannot be used, with the reason, and does not take them', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const { scope, owner } = payoutPages.cashier;
    const accounts = app.get(BankAccountsService);
    const fresh = await accounts.add(scope, { holder: 'Fresh', iban: IBANS[1] }, owner.id);
    await accounts.add(scope, { holder: 'Unsure', iban: IBANS[2] }, owner.id);
    await accounts.confirm(scope, fresh!.id, owner.id);
    await noticed(app, fresh!.id);
    const browser = await payoutPages.as('owner');
    const { html } = await browser.get(`${payoutPages.path}/new`);
    const [, choices] = /<legend[^>]*>Bank account<\/legend>([^]*?)<\/fieldset>/.exec(html)!;
    expect(choices!.match(/ disabled/g)).toHaveLength(2);
    expect(textOf(choices!)).toContain('Unsure BE68 5390 0754 7034 Not confirmed by an owner yet');
    expect(textOf(choices!)).toMatch(/Fresh NL91 ABNA 0417 1643 00 Available from \d+ \w+ 2026/);
    const form = await payoutPages.formOf(browser, { account: fresh!.id, amount: '1' });
    const reply = await browser.post(`${payoutPages.path}/new`, form);
    expect(reply.status).toBe(422);
    expect(problemsIn(reply.html)[0]).toMatch(/^account: A new account has to be confirmed/);
  });

  it('asks once, however often and at the same moment it is sent', async () => {
    const payoutPages = await PayoutPages.open(app, 1000, 500);
    const browser = await payoutPages.as('owner');
    for (const amount of ['', '2.50']) {
      const form = await payoutPages.formOf(browser, { amount });
      const before = (await payoutPages.payouts()).length;
      const replies = await Promise.all(
        [1, 2, 3].map(() => browser.post(`${payoutPages.path}/new`, form)),
      );
      const made = await payoutPages.payouts();
      expect(made).toHaveLength(before + 1);
      const target = `${payoutPages.pathOf(made.at(-1)!)}?done=asked`;
      expect(replies.map(({ location }) => location)).toEqual([target, target, target]);
      expect(await payoutPages.entriesOn(made.at(-1)!)).toEqual(['payout.requested']);
      await app.get(PayoutsService).cancel(payoutPages.cashier.scope, made.at(-1)!.id);
    }
  });

  it('does not take another wish for a repetition', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const browser = await payoutPages.as('owner');
    const form = await payoutPages.formOf(browser, { amount: '3' });
    await browser.post(`${payoutPages.path}/new`, form);
    const other = await browser.post(`${payoutPages.path}/new`, { ...form, amount: '4' });
    expect(other.status).toBe(422);
    expect(textOf(other.html)).toContain('was already submitted and created a payout of 3.00 EUR.');
    const id = formIdIn(other.html);
    expect(id).not.toBe(form.id);
    await browser.post(`${payoutPages.path}/new`, { ...form, amount: '4', id });
    expect((await payoutPages.payouts()).map(({ amount }) => amount).toSorted()).toEqual([
      300, 400,
    ]);
  });

  it('stands in the list where it was sent, however long the form lay open', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const browser = await payoutPages.as('owner');
    const form = await payoutPages.formOf(browser, { amount: '3' });
    app.clock.advance(60_000);
    const other = await payoutPages.cashier.request(400);
    app.clock.advance(60_000);
    await browser.post(`${payoutPages.path}/new`, form);
    const { html } = await browser.get(payoutPages.path);
    const shown = rowsIn(html, 'Payouts').map(([, id]) => id);
    const [, made] = await payoutPages.payouts();
    expect(shown).toEqual([made!.id, other.id].map((id) => `…${id.slice(-8)}`));
  });

  it('takes no form without a number', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const browser = await payoutPages.as('owner');
    const form = await payoutPages.formOf(browser, { id: '' });
    const reply = await browser.post(`${payoutPages.path}/new`, form);
    expect(reply.status).toBe(422);
    expect(textOf(reply.html)).toContain('The form is incomplete.');
    expect(await payoutPages.payouts()).toEqual([]);
  });

  it('is known by an id that nobody else’s payout has, whatever the form says', async () => {
    const id = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
    const made = [];
    for (const payoutPages of [
      await PayoutPages.open(app, 1000),
      await PayoutPages.open(app, 1000),
    ]) {
      const browser = await payoutPages.as('owner');
      const reply = await browser.post(
        `${payoutPages.path}/new`,
        await payoutPages.formOf(browser, { id }),
      );
      expect(reply.status).toBe(303);
      made.push(...(await payoutPages.payouts()));
    }
    expect(made).toHaveLength(2);
    expect(new Set([id, ...made.map((payout) => payout.id)]).size).toBe(3);
  });
});

describe('the page of a payout', () => {
  it('lets everything be checked: sums, lines, pages, and the file of them', async () => {
    const payoutPages = await PayoutPages.open(app);
    const { cashier } = payoutPages;
    await payoutPages.takeFees();
    for (let i = 1; i <= 30; i++) {
      await paidOrder(cashier.shop, 1000 + i, { orderMerchantId: i === 1 ? '-1' : `A-${i}` });
    }
    const payout = await cashier.request(27_000);
    const browser = await payoutPages.as('finance');
    const { html } = await browser.get(payoutPages.pathOf(payout));
    const sums = rowsIn(html, 'Totals');
    const first = rowsIn(html, 'Lines');
    const second = rowsIn((await browser.get(hrefOf(html, 'Next')!)).html, 'Lines');
    expect(first).toHaveLength(50);
    expect(hrefOf(html, 'Before')).toBeUndefined();
    const shown = [...first, ...second].map(([line, order, kind, , , amount]) => ({
      line,
      order,
      kind: kind!.toLowerCase(),
      cents: Math.round(Number(amount!.replace(/[^\d.-]/g, '')) * 100),
    }));
    expect(shown.reduce((sum, { cents }) => sum + cents, 0)).toBe(27_000);
    const centsOf = (kind: string) =>
      shown.filter((line) => line.kind === kind).reduce((sum, { cents }) => sum + cents, 0);
    expect(sums).toEqual([
      ['Orders', String(shown.length - feesIn(shown)), euros(centsOf('order'))],
      ['Fees', String(feesIn(shown)), euros(centsOf('fee'))],
      ['Total', String(shown.length), '270.00 EUR'],
    ]);

    const reply = await browser.get(`${payoutPages.pathOf(payout)}/lines.csv`);
    expect(reply.headers.get('content-disposition')).toContain(`payout-test-${payout.id}.csv`);
    const file = fileOf(reply);
    expect(Object.keys(file[0]!).join()).toBe(
      'payout_id,line,kind,txid,order_merchant_id,paid_at,amount,currency',
    );
    expect(
      file.map(({ line, order_merchant_id: order, kind, amount }) => ({
        line,
        order: order!.replace(/^'/, ''),
        kind,
        cents: Math.round(Number(amount) * 100),
      })),
    ).toEqual(shown);
    expect(file[0]).toMatchObject({
      payout_id: payout.id,
      order_merchant_id: `'-1`,
      amount: '10.01',
      currency: 'EUR',
    });
    expect(file[0]!['paid_at']).toMatch(/^2026-\d\d-\d\dT[\d:.]{12}\+00:00$/);
    expect(hrefOf(html, '-1')).toBe(
      payoutPages.path.replace('payouts', `orders/${file[0]!['txid']}`),
    );
  });

  it('tells who did what, to the end', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const owner = await payoutPages.as('owner');
    await owner.post(
      `${payoutPages.path}/new?as=draft`,
      await payoutPages.formOf(owner, { amount: '5' }),
    );
    const payout = (await payoutPages.payouts())[0]!;
    await owner.get(`${payoutPages.pathOf(payout)}/edit`);
    const change = { currency: 'EUR', amount: '6', account: payoutPages.cashier.account.id };
    for (const step of ['edit', 'submit', 'edit']) {
      app.clock.advance(1_000);
      await owner.post(`${payoutPages.pathOf(payout)}/${step}`, {
        ...change,
        amount: step === 'submit' ? '' : '6',
      });
    }
    app.clock.advance(1_000);
    await payoutPages.cashier.approve(payout);
    const file = await payoutPages.cashier.export();
    const files = app.get(PayoutFilesService);
    app.clock.advance(1_000);
    await files.submitted(file.id);
    const scope = { ...payoutPages.cashier.scope, id: payout.id };
    await files.ended(scope, 'paid', null, payoutPages.cashier.owner.id);
    app.clock.advance(1_000);
    await files.ended(scope, 'returned', '<b>Account closed</b>', payoutPages.cashier.owner.id);
    const { html } = await owner.get(payoutPages.pathOf(payout));
    const [, list] = /<ol class="timeline-list">([^]*?)<\/ol>/.exec(html)!;
    expect([...list!.matchAll(/<div>([^<]+)<div/g)].map(([, what]) => what)).toEqual([
      'Saved as a draft',
      'Changed',
      'Requested',
      'Changed',
      'Approved',
      'Added to a bank file',
      'Submitted to the bank',
      'Paid',
      'Returned by the bank',
    ]);
    expect(textOf(list!)).toMatch(/Requested Person \d+ 6.00 EUR to FR•••• 2606/);
    expect(textOf(list!)).toMatch(/Approved Person \d+, for the platform/);
    expect(html).toContain('“&lt;b>Account closed&lt;/b>”');
    expect(textOf(html)).toContain('The money is available again. Check the bank account');
  });

  it('shows the whole account to owner and finance alone, and notes when support looks', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const payout = await payoutPages.cashier.request(600);
    for (const role of ['owner', 'finance', 'viewer', 'support'] as const) {
      const { html } = await (await payoutPages.as(role)).get(payoutPages.pathOf(payout));
      const mayManage = role === 'owner' || role === 'finance';
      expect(html.includes(WHOLE_IBAN)).toBe(mayManage);
      expect(html).toContain(MASKED_IBAN);
      expect(hrefOf(html, 'Cancel payout') !== undefined).toBe(mayManage);
      expect(html).not.toMatch(/undefined|NaN|\[object|style=/);
    }
    expect(await payoutPages.entriesOn(payout)).toEqual(['page.opened', 'payout.viewed']);
  });

  it('can be changed until it is approved, and cancelled until it is exported', async () => {
    const payoutPages = await PayoutPages.open(app, 1000, 500);
    const browser = await payoutPages.as('finance');
    const payout = await payoutPages.cashier.request(600);
    const path = payoutPages.pathOf(payout);
    const account = payoutPages.cashier.account.id;
    const { html } = await browser.get(`${path}/edit`);
    expect(textOf(html)).toContain('15.00 EUR is available.');
    expect(html).toContain('value="6.00"');
    const change = (amount: string) =>
      browser.post(`${path}/edit`, { currency: 'EUR', amount, account });
    const tooMuch = await change('15.01');
    expect(tooMuch.status).toBe(422);
    expect(problemsIn(tooMuch.html)).toEqual(['amount: Only 15.00 EUR is available now.']);
    expect((await change('')).location).toBe(`${path}?done=changed`);
    expect((await payoutPages.payouts())[0]!.amount).toBe(1500);

    await payoutPages.cashier.approve(payout);
    expect((await browser.get(`${path}/edit`)).status).toBe(409);
    expect((await change('1')).status).toBe(409);
    expect(textOf((await browser.get(`${path}/cancel`)).html)).toContain('15.00 EUR will not be');
    await payoutPages.cashier.export();
    const late = await browser.get(`${path}/cancel`);
    expect(late.status).toBe(409);
    expect(textOf(late.html)).toContain('In a bank file A payout can be cancelled until');
    expect((await browser.post(`${path}/cancel`)).status).toBe(409);
    expect((await payoutPages.payouts())[0]!.status).toBe('exported');
  });

  it('is cancelled once it was asked whether it shall be', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const browser = await payoutPages.as('owner');
    const payout = await payoutPages.cashier.request(600);
    const path = payoutPages.pathOf(payout);
    await browser.get(`${path}/cancel`);
    expect((await browser.post(`${path}/cancel`)).location).toBe(`${path}?done=cancelled`);
    expect((await browser.post(`${path}/cancel`)).location).toBe(path);
    expect(await payoutPages.entriesOn(payout)).toEqual(['payout.cancelled']);
    expect(textOf((await browser.get(path)).html)).toContain(
      'cancelled before it was approved. No money is reserved',
    );
  });

  it('tells at the fields why a draft cannot be asked for', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const { scope, account } = payoutPages.cashier;
    const wish = { amount: 5000, bankAccountId: account.id };
    const balance = { ...scope, currency: 'EUR' };
    const draft = await app.get(PayoutsService).draft(balance, wish, payoutPages.cashier.owner.id);
    const browser = await payoutPages.as('owner');
    await browser.get(payoutPages.pathOf(draft));
    const reply = await browser.post(`${payoutPages.pathOf(draft)}/submit`);
    expect(reply.status).toBe(422);
    expect(problemsIn(reply.html)).toEqual(['amount: Only 10.00 EUR is available now.']);
    expect(reply.html).toContain(`action="${payoutPages.pathOf(draft)}/edit"`);
    expect(reply.html).toContain('value="50.00"');
    expect((await browser.get(`${payoutPages.pathOf(draft)}/submit`)).location).toBe(
      payoutPages.pathOf(draft),
    );
  });
});

describe('the file of payouts', () => {
  it('has what the list shows, and nothing that a spreadsheet would run', async () => {
    const payoutPages = await PayoutPages.open(app, 10_000);
    const { cashier } = payoutPages;
    const rejected = await cashier.request(100);
    await app.get(ApprovalsService).reject(cashier.scope, rejected.id, '=1+1, "no";=2');
    const paid = await cashier.paid(2500);
    const draft = await app
      .get(PayoutsService)
      .draft(
        { ...cashier.scope, currency: 'EUR' },
        { amount: 5, bankAccountId: cashier.account.id },
        null,
      );
    const zone = `UPDATE merchants SET time_zone = 'Asia/Tokyo' WHERE id = $1`;
    await app.get(DataSource).query(zone, [cashier.shop.merchantId]);
    const name = `UPDATE users SET name = '@SUM(A1)' WHERE id = $1`;
    await app.get(DataSource).query(name, [cashier.owner.id]);

    const browser = await payoutPages.as('finance');
    const reply = await browser.get(
      hrefOf((await browser.get(payoutPages.path)).html, 'Download CSV')!,
    );
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(reply.headers.get('content-disposition')).toMatch(/"payouts-test-2026-\d\d-\d\d\.csv"/);
    expect(reply.html.split('\r\n')[0]).toBe(
      'payout_id,mode,status,status_reason,amount,currency,bank_account_holder,iban,requested_by,requested_at,approved_at,paid_at,bank_reference',
    );
    const rows = fileOf(reply);
    expect(rows.map((row) => row['payout_id'])).toEqual([draft.id, paid.id, rejected.id]);
    expect(rows[0]).toMatchObject({ status: 'draft', requested_by: 'schedule', requested_at: '' });
    expect(rows[1]).toMatchObject({
      mode: 'test',
      status: 'paid',
      amount: '25.00',
      currency: 'EUR',
      bank_account_holder: 'Test Shop',
      iban: cashier.account.iban,
      requested_by: `'@SUM(A1)`,
      bank_reference: paid.id.replaceAll('-', ''),
    });
    for (const column of ['requested_at', 'approved_at', 'paid_at']) {
      expect(rows[1]![column]).toMatch(/^2026-\d\d-\d\dT[\d:.]{12}\+09:00$/);
    }
    expect(new Date(rows[1]!['paid_at']!)).toEqual(paid.paidAt);
    expect(rows[2]).toMatchObject({ status: 'rejected', status_reason: `'=1+1, "no";'=2` });

    const some = await browser.get(`${payoutPages.path}/download.csv?status=paid,draft`);
    expect(fileOf(some).map((row) => row['payout_id'])).toEqual([draft.id, paid.id]);
    const none = await browser.get(`${payoutPages.path}/download.csv?status=failed`);
    expect([none.status, fileOf(none)]).toEqual([200, []]);
    const support = await payoutPages.as('support');
    const masked = fileOf(await support.get(`${payoutPages.path}/download.csv`));
    expect(masked[1]!['iban']).toBe(MASKED_IBAN);
    const exported = `action = 'payouts.downloaded' AND merchant_id = $1`;
    expect(await count(app, 'audit_entries', exported, [cashier.shop.merchantId])).toBe(4);
  });
});

describe('payouts of others', () => {
  it('are not there, whoever asks and whatever for', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const other = await PayoutPages.open(app, 1000);
    const payout = await other.cashier.request(600);
    const owner = await payoutPages.as('owner');
    const strange = payoutPages.pathOf(payout);
    const live = strange.replace('/test/', '/live/');
    const unknown = `${payoutPages.path}/x`;
    await owner.get(payoutPages.path);
    for (const path of [strange, other.pathOf(payout), unknown]) {
      for (const page of ['', '/edit', '/cancel', '/lines.csv', '/submit']) {
        expect((await owner.get(path + page)).status).toBe(404);
      }
      for (const page of ['/edit', '/cancel', '/submit']) {
        expect((await owner.post(path + page)).status).toBe(404);
      }
    }
    expect((await owner.get(live)).location).toBe('/portal/security?needed=live');
    expect((await owner.get(other.path)).status).toBe(404);
    expect((await other.payouts())[0]!.status).toBe('pending_approval');
  });

  it('are not for every role', async () => {
    const payoutPages = await PayoutPages.open(app, 1000);
    const payout = await payoutPages.cashier.request(600);
    const path = payoutPages.pathOf(payout);
    const refused = {
      developer: [payoutPages.path, path, `${path}/lines.csv`, `${payoutPages.path}/new`],
      viewer: [
        `${payoutPages.path}/download.csv`,
        `${path}/lines.csv`,
        `${payoutPages.path}/new`,
        `${path}/edit`,
      ],
      support: [`${payoutPages.path}/new`, `${path}/edit`, `${path}/cancel`],
    } as const;
    for (const [role, pages] of Object.entries(refused)) {
      const browser = await payoutPages.as(role as keyof typeof refused);
      for (const page of pages) expect((await browser.get(page)).status).toBe(403);
      for (const page of [
        `${payoutPages.path}/new`,
        `${path}/cancel`,
        `${path}/edit`,
        `${path}/submit`,
      ]) {
        await browser.get('/portal/security');
        expect((await browser.post(page)).status).toBe(403);
      }
    }
    expect((await (await payoutPages.as('operator')).get(payoutPages.path)).status).toBe(404);
    expect((await payoutPages.payouts())[0]!.status).toBe('pending_approval');
  });
});

const feesIn = (lines: readonly { readonly kind: string }[]): number =>
  lines.filter(({ kind }) => kind === 'fee').length;

const euros = (cents: number): string => `${(cents / 100).toFixed(2)} EUR`;
