import { beforeEach, describe, expect, it } from '@jest/globals';
import { withoutDashes } from '../src/common/ids.js';
import { noHook } from '../src/database/transaction-hook.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { PaidByTransfer } from './support/bank-refunds.js';
import { collectionAccount, forgetDebits } from './support/bank-lines.js';
import { select, withoutTriggers } from './support/facts.js';
import { textOf } from './support/markup.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, PAYS, paidOrder } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const operator = await withTotp(app, await person(app, 'operator'));
const paidByTransfer = (amount: number, order = {}) =>
  PaidByTransfer.of(app, operator, amount, order);

/** Says that the file of the refund was not sent, after somebody had downloaded it. */
async function notSent(paid: PaidByTransfer, by = paid.cashier.operator): Promise<void> {
  const { id } = await paid.cashier.export();
  await select(
    app,
    `INSERT INTO audit_entries (id, user_id, action, subject, data, address, created_at)
     VALUES (gen_random_uuid(), $2, 'payout-file.downloaded', $1, '{}', '', $3)`,
    [id, by.id, app.clock.now()],
  );
  await app.get(PayoutFilesService).notSent(id, by.id);
}

beforeEach(() => forgetDebits(app));

describe('a refund of a transfer', () => {
  it('goes to the payer’s account by a bank file, and a statement tells how it ended', async () => {
    const paid = await paidByTransfer(5_000, { locale: 'de' });
    const { body, id } = await paid.ask({ amount: 2_000 });
    expect(body).toMatchObject({ status: 'requested', method: 'bank', amount: 2_000 });
    await paid.run();
    expect(await paid.statusOf(id)).toBe('requested');
    await paid.approve(id);
    expect(await paid.statusOf(id)).toBe('approved');
    const { content } = await paid.cashier.export();
    expect(content).toContain(`<IBAN>${paid.payer}</IBAN>`);
    expect(content).toContain(`<EndToEndId>${withoutDashes(id)}</EndToEndId>`);
    const { orderMerchantId } = paid.order;
    expect(content).toContain(`<Ustrd>Erstattung zu Bestellung ${orderMerchantId}</Ustrd>`);
    expect(await paid.statusOf(id)).toBe('approved');
    expect(await paid.looked(paid.sent(id, 2_000))).toBe('payout_paid');
    expect(await paid.statusOf(id)).toBe('succeeded');
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 3_000, 'clearing:bank_transfer': -3_000 },
    });
    await expectHealthy(app);

    expect(await paid.looked(paid.back(id, 2_000))).toBe('payout_returned');
    expect(await paid.statusOf(id)).toBe('failed');
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 5_000, 'clearing:bank_transfer': -5_000 },
    });
    const { body: order } = await paid.shop.read(paid.order.txid);
    expect(order).toMatchObject({ amountRefunded: 0 });
    const events = await select<{ type: string }>(
      app,
      `SELECT type FROM events WHERE txid = $1 AND type LIKE 'refund.%' ORDER BY sequence`,
      [paid.order.txid],
    );
    expect(events.map(({ type }) => type.slice(7))).toEqual([
      'requested',
      'approved',
      'submitted',
      'succeeded',
      'failed',
    ]);
    const again = await paid.ask();
    expect(again.body).toMatchObject({ status: 'requested', amount: 5_000 });
    await expectHealthy(app);
  });

  it('is no payout of the merchant', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask();
    expect((await paid.shop.call('GET', `/api/payout/${id}`)).status).toBe(404);
    expect((await paid.shop.call('GET', '/api/payout')).body['data']).toEqual([]);
    const { scope, account, owner } = paid.cashier;
    const payouts = app.get(PayoutsService);
    const notFound = { code: 'payout_not_found' };
    await expect(payouts.cancel(scope, id)).rejects.toMatchObject(notFound);
    const change = { amount: 1_000, bankAccountId: account.id };
    await expect(payouts.change(scope, id, change, owner.id)).rejects.toMatchObject(notFound);
  });

  it('leaves in one file with payouts', async () => {
    const paid = await paidByTransfer(1_000);
    await paidOrder(paid.shop, 3_000);
    const { id } = await paid.ask();
    const payout = await paid.cashier.request(2_000);
    await paid.cashier.approve(payout, operator);
    await paid.approve(id);
    const file = await paid.cashier.export();
    expect(file).toMatchObject({ payouts: 2, amount: 3_000 });
    await app.get(PayoutFilesService).submitted(file.id);
    expect(await paid.statusOf(id)).toBe('submitted');
    await app.get(PayoutFilesService).paid(file.id);
    expect(await paid.statusOf(id)).toBe('succeeded');
    await expectHealthy(app);
  });

  it('can be cancelled until it is in a bank file', async () => {
    const paid = await paidByTransfer(1_000);
    const [first, second] = [await paid.ask({ amount: 400 }), await paid.ask({ amount: 600 })];
    expect((await paid.cancel(first.id)).body).toMatchObject({ status: 'cancelled' });
    await paid.approve(second.id);
    await paid.cashier.export();
    const late = await paid.cancel(second.id);
    expect([late.status, late.body['code']]).toEqual([409, 'refund_not_cancelable']);
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 400, refund_pending: 600, 'clearing:bank_transfer': -1_000 },
    });
    await expectHealthy(app);
  });

  it('is rejected by an operator, and the money is the merchant’s again', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask();
    await app.get(ApprovalsService).reject(paid.cashier.scope, id, 'Unclear', noHook);
    const { body } = await paid.shop.call('GET', `/api/refund/${id}`);
    expect(body).toMatchObject({ status: 'rejected', statusReason: 'Unclear' });
    expect(await balances(app, paid.shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectHealthy(app);
  });

  it('is impossible where the bank named no account that a transfer reaches', async () => {
    const accounts = [
      `payer_account_name = NULL`,
      `payer_account_number = '12345', payer_account_type = 'other'`,
      `payer_account_number = 'TR330006100519786457841326'`,
    ];
    for (const account of accounts) {
      const paid = await paidByTransfer(1_000);
      await select(app, `UPDATE payments SET ${account} WHERE txid = $1`, [paid.order.txid]);
      const { body } = await paid.shop.read(paid.order.txid);
      expect(body['amountRefundable']).toBe(0);
      expect((await paid.ask()).body['code']).toBe('order_not_refundable');
    }
  });

  it('is refused when the payer whom the bank named was erased', async () => {
    const paid = await paidByTransfer(1_000);
    const erase = `UPDATE payments SET payer_account_number = NULL, payer_account_type = NULL WHERE txid = $1`;
    await select(app, erase, [paid.order.txid]);
    expect((await paid.ask()).body['code']).toBe('order_not_refundable');
  });

  it('is impossible where no bank file can have the name of the payer', async () => {
    const paid = await paidByTransfer(1_000);
    const unreadable = `UPDATE payments SET payer_account_name = U&'\\E000' WHERE txid = $1`;
    await select(app, unreadable, [paid.order.txid]);
    expect((await paid.ask()).body['code']).toBe('order_not_refundable');
  });

  it('is impossible while 500 of the merchant wait for approval', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask({ amount: 1 });
    const copies = `INSERT INTO payouts (merchant_id, id, refund_id, mode, currency, amount, status, holder, iban,
        remittance, content_hash, created_at, updated_at)
      SELECT merchant_id, n.id, n.id, mode, currency, amount, status, holder, iban, remittance, content_hash, created_at,
        updated_at FROM payouts, (SELECT gen_random_uuid() AS id FROM generate_series(1, 499)) n WHERE payouts.id = $1`;
    await withoutTriggers(app, copies, [id]);
    const { body } = await paid.ask({ amount: 1 });
    expect(body).toMatchObject({ code: 'order_not_refundable' });
    expect(body['detail']).toContain('500 refunds');
    const others = `DELETE FROM payouts WHERE merchant_id = $1 AND id NOT IN (SELECT id FROM refunds)`;
    await withoutTriggers(app, others, [paid.shop.merchantId]);
    expect((await paid.ask({ amount: 1 })).status).toBe(201);
  });

  it('is no matter of the sandbox bank', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask();
    const outcome = { outcome: 'succeeded' };
    const { status, body } = await paid.shop.call(
      'POST',
      `/api/test-helpers/refund/${id}`,
      outcome,
    );
    expect([status, body['code']]).toEqual([409, 'refund_not_cancelable']);
    expect(await paid.statusOf(id)).toBe('requested');
  });

  it('is shown to operators, with the payer, and to the merchant', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask();
    const desk = await signedIn(app, operator);
    const list = textOf((await desk.get('/portal/platform/payouts/test')).html);
    expect(list).toContain(`Refund of order ${paid.order.orderMerchantId}`);
    const page = (await desk.get(`/portal/platform/payouts/test/${paid.shop.merchantId}/${id}`))
      .html;
    expect(textOf(page)).toContain('Account of the payer');
    expect(textOf(page)).toContain('Paula Payer');
    const owner = await signedIn(app, paid.cashier.owner);
    const order = `/portal/m/${paid.shop.merchantId}/test/orders/${paid.order.txid}`;
    expect(textOf((await owner.get(order)).html)).toContain('Cancel the refund');
    await owner.fill(order, {}, `${order}/refunds/${id}/cancel`);
    expect(await paid.statusOf(id)).toBe('cancelled');
  });
});

describe('who approves a refund by bank', () => {
  it('is an operator without a hand in it or its money', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask();
    const { owner } = paid.cashier;
    const stranger = { code: 'second_person_required' };
    await expect(paid.approve(id, owner)).rejects.toMatchObject({ code: 'approver_of_merchant' });
    const matcher = await person(app, 'operator');
    await select(
      app,
      `INSERT INTO money_hands SELECT merchant_id, txid, $2, 'matched', $3 FROM refunds WHERE id = $1`,
      [id, matcher.id, app.clock.now()],
    );
    await expect(paid.approve(id, matcher)).rejects.toMatchObject(stranger);
    const page = `/portal/m/${paid.shop.merchantId}/test/orders/${paid.order.txid}`;
    const browser = await signedIn(app, owner);
    const approved = await browser.fill(page, {}, `${page}/refunds/${id}/approve`);
    expect([approved.status, await paid.statusOf(id)]).toEqual([409, 'requested']);
    await paid.approve(id);
    expect(await paid.statusOf(id)).toBe('approved');
  });

  it('is nobody while a return of its payment may have come, and no file takes it', async () => {
    const paid = await paidByTransfer(1_000);
    const [approved, waiting] = [await paid.ask({ amount: 300 }), await paid.ask({ amount: 200 })];
    await paid.approve(approved.id);
    const taken = { ...paid.sent(approved.id, 1_000), kind: 'return', returned: true } as const;
    expect(await paid.looked({ ...taken, endToEndId: paid.name })).toBe('may_be_refund');
    const impossible = { code: 'payout_not_possible' };
    await expect(paid.approve(waiting.id)).rejects.toMatchObject(impossible);
    await expect(paid.cashier.export()).rejects.toMatchObject(impossible);
    const bySql = `UPDATE payouts SET status = 'exported', file_id = (SELECT id FROM payout_files LIMIT 1) WHERE id = $1`;
    await expect(select(app, bySql, [approved.id])).rejects.toThrow('already left');
  });
});

describe('a refund whose file was not sent', () => {
  it('is approved anew by another operator, and paid once', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask();
    await paid.approve(id);
    await notSent(paid);
    expect(await paid.statusOf(id)).toBe('approved');
    await expect(paid.approve(id, paid.cashier.operator)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    await paid.approve(id);
    await paid.cashier.export();
    await paid.looked(paid.sent(id, 1_000));
    expect(await paid.statusOf(id)).toBe('succeeded');
    await expectHealthy(app);
  });

  it('and that was cancelled holds the merchant’s payouts once the bank shows that it left', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask({ amount: 600 });
    await paid.approve(id);
    const reporter = await person(app, 'operator');
    await notSent(paid, reporter);
    expect((await paid.cancel(id)).body).toMatchObject({ status: 'cancelled' });
    const payout = await paid.cashier.request(1_000);
    await expect(paid.cashier.approve(payout, reporter)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    expect(await paid.looked(paid.sent(id, 600))).toBe('payout_contradicted');
    await expect(paid.cashier.approve(payout, operator)).rejects.toMatchObject({
      code: 'payout_not_possible',
      detail: expect.stringContaining('was sent before'),
    });
    await expectHealthy(app);
  });
});

describe('the database', () => {
  it('lets no refund by bank go without its payout, or elsewhere, or change', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask();
    const refused = (sql: string) => expect(select(app, sql, [id])).rejects;
    await refused(`UPDATE refunds SET status = 'approved' WHERE id = $1`).toThrow('does not say');
    await refused(`UPDATE payouts SET amount = 2000 WHERE id = $1`).toThrow('payouts');
    await refused(`UPDATE payouts SET iban = 'DE02120300000000202051' WHERE id = $1`).toThrow();
    await refused(`UPDATE payouts SET remittance = 'x' WHERE id = $1`).toThrow('payouts');
    await refused(`UPDATE payouts SET holder = 'Mallory' WHERE id = $1`).toThrow('payouts');
    const elsewhere = await paidByTransfer(1_000);
    const other = `UPDATE payments SET payer_account_number = 'DE02120300000000202051' WHERE txid = $1`;
    await select(app, other, [elsewhere.order.txid]);
    const misled = await elsewhere.ask();
    expect([misled.status, misled.body['code']]).toEqual([409, 'order_not_refundable']);
    expect(await balances(app, elsewhere.shop)).toMatchObject({ EUR: { available: 1_000 } });
  });
});
