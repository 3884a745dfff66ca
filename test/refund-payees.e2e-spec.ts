import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { printedIban } from '../src/common/money/iban.js';
import { LOCALES } from '../src/common/locale.js';
import { violatedCheck } from '../src/database/faults.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { LINK_DAYS } from '../src/refunds/refund-payees.service.js';
import { bookedLine, collectionAccount, forgetDebits } from './support/bank-lines.js';
import { PaidByTransfer, transferred } from './support/bank-refunds.js';
import { select } from './support/facts.js';
import { MailServer } from './support/mail-server.js';
import { textOf } from './support/markup.js';
import { outcomeOf } from './support/outcome.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { rounds, together } from './support/race.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const THIEFS = 'DE89370400440532013000';
const WHOLE = `holder = 'A', iban = '${THIEFS}', entered_at = '2026-01-01'`;

const mails = await MailServer.start();
const { app } = await openShop({ env: { ...PAYS, SMTP_URL: mails.url } });
afterAll(() => mails.stop());
await collectionAccount(app);
const operator = await withTotp(app, await person(app, 'operator'));

/** An order whose payer the bank did not name. */
const unnamed = (amount: number, order = {}, mode: 'test' | 'live' = 'test') =>
  PaidByTransfer.of(app, operator, amount, order, { unnamed: true, mode });

async function pageAt(link: string): Promise<string> {
  return (await fetch(app.url + link)).text();
}

/** The check that refuses a statement; null if none does. */
const refusal = (sql: string, values: readonly unknown[]): Promise<string | null> =>
  select(app, sql, values).then(
    () => null,
    (error: unknown) => violatedCheck(error) ?? (error as Error).message,
  );

/** The constraint that refuses a statement. */
const constraintOf = (sql: string, values: readonly unknown[]): Promise<string | undefined> =>
  select(app, sql, values).then(
    () => 'accepted',
    (error: { driverError?: { constraint?: string } }) => error.driverError?.constraint,
  );

beforeEach(() => forgetDebits(app));

describe('a refund to a payer whom the bank did not name', () => {
  it('goes to the account that the payer enters, comes back, and is requested again', async () => {
    const paid = await unnamed(5_000, { locale: 'de' });
    expect((await paid.shop.read(paid.order.txid)).body).toMatchObject({ amountRefundable: 5_000 });
    const { id, body } = await paid.ask({ amount: 2_000 });
    expect(body).toMatchObject({
      status: 'requested',
      method: 'bank',
      statusReason: 'Waits until the payer enters an account.',
    });
    const link = await paid.link(id);
    expect(textOf(await pageAt(link))).toMatch(/Ihre Erstattung.*20,00.*Kontoinhaber IBAN/);
    await expectHealthy(app);

    expect((await paid.enter(link)).status).toBe(303);
    const seen = textOf(await pageAt(link));
    expect(seen).toContain('Vielen Dank');
    expect(seen).toContain(paid.payer.slice(-4));
    expect(seen).not.toContain(paid.payer);
    expect((await paid.shop.call('GET', `/api/refund/${id}/payer-link`)).body).toMatchObject({
      code: 'refund_link_not_found',
    });
    expect((await paid.shop.call('GET', `/api/refund/${id}`)).body['statusReason']).toBeNull();
    await expectHealthy(app);

    await paid.approve(id);
    const { content } = await paid.cashier.export();
    expect(content).toContain(`<IBAN>${paid.payer}</IBAN>`);
    expect(content).toContain('<Nm>Paula Payer</Nm>');
    expect(await paid.looked(paid.sent(id, 2_000))).toBe('payout_paid');
    expect(await paid.statusOf(id)).toBe('succeeded');
    expect(textOf(await pageAt(link))).toContain('Ihre Erstattung ist unterwegs');
    expect(await paid.looked(paid.back(id, 2_000))).toBe('payout_returned');
    expect(await paid.statusOf(id)).toBe('failed');
    expect(textOf(await pageAt(link))).toContain('Diese Erstattung ist beendet');
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 5_000, 'clearing:bank_transfer': -5_000 },
    });
    const again = await paid.ask();
    expect(again.body).toMatchObject({ status: 'requested', amount: 5_000 });
    expect(await paid.link(again.id)).not.toBe(link);
    await expectHealthy(app);
  });

  it('of live money waits 24 hours after the mails to the owners, by the database, too', async () => {
    const paid = await unnamed(5_000, {}, 'live');
    const { id } = await paid.ask();
    await paid.enter(await paid.link(id));
    mails.mails.length = 0;
    await app.get(UserNotices).run();
    const [mail] = mails.mails;
    expect(mail!.subject).toBe('A payer entered the account for a refund');
    expect(mail!.envelope.to).toEqual([paid.cashier.owner.email]);
    expect(mail!.text).toContain('50.00 EUR');
    expect(mail!.text).toContain(
      `/portal/m/${paid.shop.merchantId}/live/orders/${paid.order.txid}`,
    );
    expect(mail!.text).not.toContain(paid.payer);
    app.clock.advance(25 * HOUR_MS);
    await expect(paid.approve(id)).rejects.toMatchObject({ code: 'payout_not_possible' });

    const order = `/portal/m/${paid.shop.merchantId}/live/orders/${paid.order.txid}`;
    const finance = await signedIn(
      app,
      await withTotp(app, await person(app, 'finance', paid.shop.merchantId)),
    );
    expect(textOf((await finance.get(order)).html)).toContain('An owner confirms the account');
    const confirm = `${order}/refunds/${id}/confirm-account`;
    expect((await finance.post(confirm, {})).status).toBe(403);
    const bySql = `UPDATE refund_payees SET confirmed_by = $2, confirmed_at = $3 WHERE refund_id = $1`;
    expect(await refusal(bySql, [id, operator.id, app.clock.now()])).toBe(
      'refund_payees_confirmer',
    );
    const owner = await signedIn(app, await withTotp(app, paid.cashier.owner));
    const page = textOf((await owner.get(order)).html);
    expect(page).toContain(`Paula Payer , ${printedIban(paid.payer)}`);
    expect((await owner.post(confirm, {})).status).toBe(303);
    expect((await owner.post(confirm, {})).status).toBe(303);
    expect(textOf((await owner.get(order)).html)).toContain(
      'Confirmed the account that the payer entered',
    );

    app.clock.advance(23 * HOUR_MS);
    await expect(paid.approve(id)).rejects.toMatchObject({ code: 'payout_not_possible' });
    const approve = `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = $3, updated_at = $3,
      approved_hash = content_hash WHERE id = $1`;
    const values = [id, operator.id, app.clock.now()];
    expect(await refusal(approve, values)).toBe('payouts_account_usable');
    const staff = await signedIn(app, operator);
    const seen = await staff.get(`/portal/platform/payouts/live/${paid.shop.merchantId}/${id}`);
    expect(textOf(seen.html)).toMatch(
      /Payer, as entered by link Paula Payer.*Confirmed by an owner \d/,
    );
    app.clock.advance(2 * HOUR_MS);
    await paid.approve(id);
    expect(await paid.statusOf(id)).toBe('approved');
  });

  it('is cancelled by the merchant, or when the payer enters nothing for 30 days', async () => {
    const paid = await unnamed(5_000);
    const { id } = await paid.ask({ amount: 1_000 });
    const link = await paid.link(id);
    expect((await paid.cancel(id)).body).toMatchObject({ status: 'cancelled', statusReason: null });
    expect((await paid.cancel(id)).body).toMatchObject({ status: 'cancelled' });
    expect((await paid.enter(link)).status).toBe(303);
    expect(textOf(await pageAt(link))).toContain('This refund has ended');

    const late = await paid.ask({ amount: 1_000 });
    const lateLink = await paid.link(late.id);
    app.clock.advance(LINK_DAYS * DAY_MS - 1);
    await paid.run();
    expect(await paid.statusOf(late.id)).toBe('requested');
    app.clock.advance(1);
    expect((await paid.enter(lateLink)).status).toBe(303);
    expect(await paid.statusOf(late.id)).toBe('requested');
    await paid.run();
    expect((await paid.shop.call('GET', `/api/refund/${late.id}`)).body).toMatchObject({
      status: 'cancelled',
      statusReason: 'The payer entered no account within 30 days.',
    });
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 5_000, 'clearing:bank_transfer': -5_000 },
    });
    await expectHealthy(app);
  });

  it('asks again where an operator had added the payer, and never for money beyond the price', async () => {
    const paid = await unnamed(5_000);
    const [payment] = await select<{ id: string }>(app, 'SELECT id FROM payments WHERE txid = $1', [
      paid.order.txid,
    ]);
    const key = { merchantId: paid.shop.merchantId, id: payment!.id };
    const added = { accountNumber: THIEFS, accountType: 'iban', accountName: 'Added' } as const;
    await app.get(ManualReconciliation).addPayer('test', key, added);
    const { id } = await paid.ask();
    expect(await paid.link(id)).toMatch(/^\/refund-account\//);

    const over = await unnamed(5_000, { amount: 4_000 });
    expect((await over.ask({ amount: 5_000 })).body['code']).toBe('refund_too_large');
    expect((await over.ask()).body).toMatchObject({ amount: 4_000 });
    expect((await over.ask()).body['code']).toBe('order_not_refundable');
    await expectHealthy(app);
  });

  it('ends when an operator books the return of its payment, or undoes the match', async () => {
    const reconciliation = app.get(ManualReconciliation);
    const returned = await unnamed(5_000);
    const whole = await returned.ask();
    const back = { amount: 5_000, direction: 'out', kind: 'return', returned: true } as const;
    const line = await bookedLine(app, { ...back, endToEndId: returned.name });
    while (!(await app.get(MatcherService).matchNew()));
    const part = { merchantId: returned.shop.merchantId, txid: returned.order.txid, amount: 5_000 };
    const by = operator.id;
    expect(await reconciliation.returnManually('test', line.id, part, by)).toBe('returned');
    expect(await returned.statusOf(whole.id)).toBe('cancelled');
    await expectHealthy(app);

    const undone = await unnamed(5_000);
    const cent = await undone.ask({ amount: 1 });
    const [payment] = await select<{ id: string }>(app, 'SELECT id FROM payments WHERE txid = $1', [
      undone.order.txid,
    ]);
    const key = { merchantId: undone.shop.merchantId, paymentId: payment!.id };
    expect(await reconciliation.undo('test', key)).toBe('taken_back');
    expect((await undone.shop.call('GET', `/api/refund/${cent.id}`)).body).toMatchObject({
      status: 'cancelled',
      statusReason: expect.stringContaining('An operator booked'),
    });
    await expectHealthy(app);
  });

  it('leaves the unallocated money of a second payer where it is, whatever is cancelled', async () => {
    const paid = await PaidByTransfer.of(app, operator, 5_000);
    await transferred(app, paid.shop, paid.order, 5_000, { unnamed: true });
    const ofFirst = await paid.ask();
    expect(ofFirst.body).toMatchObject({ amount: 5_000, statusReason: null });
    expect((await paid.ask()).body['code']).toBe('order_not_refundable');
    await paid.approve(ofFirst.id);
    await paid.cashier.export();
    expect(await paid.looked(paid.sent(ofFirst.id, 5_000))).toBe('payout_paid');
    expect((await balances(app, paid.shop))['EUR']).toEqual({
      'clearing:bank_transfer': -5_000,
      unallocated: 5_000,
    });
    await expectHealthy(app);
  });

  it('has no link where the bank named the payer, and none for keys that only read', async () => {
    const named = await PaidByTransfer.of(app, operator, 1_000);
    const { id } = await named.ask();
    expect((await named.shop.call('GET', `/api/refund/${id}/payer-link`)).status).toBe(404);
    const asking = await unnamed(1_000);
    const refund = await asking.ask();
    const path = `/api/refund/${refund.id}/payer-link`;
    const reader = await app.key(asking.shop.merchantId, { scopes: ['refunds:read'] });
    expect((await reader.call('GET', path)).status).toBe(403);
    expect((await named.shop.call('GET', path)).body).toMatchObject({ code: 'refund_not_found' });
  });
});

describe('the page for the payer', () => {
  it('names what is wrong, keeps what was entered, and stores nothing', async () => {
    const paid = await unnamed(5_000);
    const link = await paid.link((await paid.ask()).id);
    const wrong: [Record<string, string>, RegExp][] = [
      [{ holder: '' }, /name of the account holder/],
      [{ holder: '‮'.repeat(3) }, /name of the account holder/],
      [{ holder: 'x'.repeat(71) }, /name of the account holder/],
      [{ iban: 'DE00 1234' }, /not a valid IBAN/],
      [{ iban: '' }, /not a valid IBAN/],
      [{ iban: 'BR1500000000000010932840814P2' }, /cannot receive euro transfers/],
    ];
    for (const [entry, text] of wrong) {
      const answer = await paid.enter(link, entry);
      expect(answer.status).toBe(422);
      expect(textOf(await answer.text())).toMatch(text);
    }
    const hostile = await paid.enter(link, { holder: '"><script>alert(1)</script>', iban: 'x' });
    expect(await hostile.text()).not.toContain('<script>alert');
    const huge = await paid.enter(link, { holder: 'A'.repeat(100_000), iban: 'x' });
    expect((await huge.text()).length).toBeLessThan(20_000);
    expect(textOf(await pageAt(link))).toContain('Account holder');
    const empty = await fetch(app.url + link, { method: 'POST', redirect: 'manual' });
    expect(empty.status).toBe(422);
  });

  it('is translated, and says nothing to those without the link', async () => {
    const paid = await unnamed(5_000);
    const { id } = await paid.ask();
    const link = await paid.link(id);
    const titles = await Promise.all(
      LOCALES.map(
        async (lang) => /<h1>(.*?)<\/h1>/.exec(await pageAt(`${link}?lang=${lang}`))?.[1],
      ),
    );
    expect(new Set(titles).size).toBe(LOCALES.length);
    for (const other of [`/refund-account/${id}`, `${link.slice(0, -1)}_`, '/refund-account/x']) {
      const answer = await fetch(app.url + other);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('50.00');
    }
    const head = await fetch(app.url + link);
    expect(head.headers.get('cache-control')).toBe('no-store');
  });
});

describe('the database', () => {
  it('refuses accounts that the payer did not enter, a second entry, and a needless question', async () => {
    const named = await PaidByTransfer.of(app, operator, 1_000);
    const { id: namedId } = await named.ask();
    const insert = `INSERT INTO refund_payees (merchant_id, refund_id, token, expires_at)
      VALUES ($1, $2, $3, '2099-01-01')`;
    const { merchantId } = named.shop;
    expect(await refusal(insert, [merchantId, namedId, 'a'])).toBe('refund_payees_awaited');

    const paid = await unnamed(1_000);
    const { id } = await paid.ask();
    const link = await paid.link(id);
    const payout = `INSERT INTO payouts (merchant_id, id, mode, currency, amount, status, holder, iban, refund_id, remittance,
        created_at, updated_at) SELECT merchant_id, id, mode, currency, amount, 'draft', 'Thief', $2, id, 'Refund', now(), now()
      FROM refunds WHERE id = $1`;
    expect(await refusal(payout, [id, THIEFS])).toBe('payouts_account_usable');
    await paid.enter(link);
    const enter = `UPDATE refund_payees SET holder = 'Thief', iban = $2, entered_at = now() WHERE refund_id = $1`;
    expect(await refusal(enter, [id, THIEFS])).not.toBeNull();
    expect(
      await refusal('UPDATE payouts SET iban = $2 WHERE id = $1', [id, THIEFS]),
    ).not.toBeNull();
    for (const sql of [
      'DELETE FROM refund_payees WHERE refund_id = $1',
      `UPDATE refund_payees SET token = 'mine' WHERE refund_id = $1`,
      `UPDATE refund_payees SET expires_at = '2099-01-01' WHERE refund_id = $1`,
      `UPDATE refunds SET status = 'cancelled', completed_at = now() WHERE id = $1`,
    ])
      expect(await refusal(sql, [id])).not.toBeNull();
    expect(await paid.statusOf(id)).toBe('requested');
    await expectHealthy(app);
  });
});

describe('a row of refund_payees', () => {
  it('has a refund, and a whole account or none', async () => {
    const { id } = await (await unnamed(1_000)).ask();
    const set = (text: string) => `UPDATE refund_payees SET ${text} WHERE refund_id = $1`;
    const copy = (refund: string, token: string) => `INSERT INTO refund_payees
      SELECT merchant_id, ${refund}, ${token}, expires_at FROM refund_payees WHERE refund_id = $1`;
    await select(app, 'ALTER TABLE refund_payees DISABLE TRIGGER USER', []);
    const rules: [string, string][] = [
      ['refund_payees_pk', copy('refund_id', `'x'`)],
      ['refund_payees_refund_fk', copy('gen_random_uuid()', `'x'`)],
      ['refund_payees_entered_check', set('entered_at = now()')],
      ['refund_payees_entered_check', set(`holder = 'A', iban = 'DE1', entered_at = 'infinity'`)],
      ['refund_payees_confirmed_check', set(`confirmed_at = now()`)],
      [
        'refund_payees_confirmed_by_fk',
        set(`confirmed_at = now(), confirmed_by = gen_random_uuid(), ${WHOLE}`),
      ],
      ['refund_payees_holder_check', set(`holder = '', iban = '${THIEFS}', entered_at = created`)],
      ['refund_payees_iban_check', set(`holder = 'A', iban = 'DE', entered_at = created`)],
    ];
    for (const [rule, sql] of rules)
      expect(await constraintOf(sql.replace('created', `'2026-01-01'`), [id])).toBe(rule);
    await select(app, 'ALTER TABLE refund_payees ENABLE TRIGGER USER', []);
  });
});

describe('at the same moment', () => {
  it('eight entries: one account gets the money', async () => {
    await rounds(async () => {
      const paid = await unnamed(1_000);
      const { id } = await paid.ask();
      const link = await paid.link(id);
      await together((n) => paid.enter(link, { holder: `Payer ${n}` }), 8);
      const payouts = await select(app, 'SELECT id FROM payouts WHERE refund_id = $1', [id]);
      expect(payouts).toHaveLength(1);
      await paid.cancel(id);
    });
    await expectHealthy(app);
  });

  it('an entry and a cancellation: the refund ends, and its money is free once', async () => {
    await rounds(async (round) => {
      const paid = await unnamed(1_000);
      const { id } = await paid.ask();
      const link = await paid.link(id);
      const [answer] = await Promise.all([
        round % 2 ? paid.cancel(id) : paid.enter(link).then(() => paid.cancel(id)),
        outcomeOf(() => paid.enter(link)),
        paid.run(),
      ]);
      expect(answer.status).toBe(200);
      expect(await paid.statusOf(id)).toBe('cancelled');
      expect((await balances(app, paid.shop))['EUR']).toMatchObject({ available: 1_000 });
    });
    await expectHealthy(app);
  });
});
