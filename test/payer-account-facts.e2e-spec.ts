import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { violatedCheck } from '../src/database/faults.js';
import { accountFiles } from './support/account-files.js';
import { allocationsOf, bookedLine, collectionAccount, told } from './support/bank-lines.js';
import { PaidByTransfer } from './support/bank-refunds.js';
import { brought, linesWith } from './support/brought.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Cashier, PAYS } from './support/payouts.js';
import { person, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const PAYER = 'FR1420041010050500013M02606';
const THIEFS = 'BE68539007547034';
const ADDED = { accountNumber: THIEFS, accountType: 'iban', accountName: 'Paula Payer' } as const;

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const operator = await withTotp(app, await person(app, 'operator'));
const reconciliation = app.get(ManualReconciliation);
const { camt, newAmount } = accountFiles(app);

/** The check that refuses a statement; null if none does. */
const refusal = (sql: string, values: readonly unknown[]): Promise<string | null> =>
  select(app, sql, values).then(
    () => null,
    (error: unknown) => violatedCheck(error) ?? (error as Error).message,
  );

/** An order that was paid by a booking whose payer has a name, but no account. */
async function paidByName() {
  // Days that no other file covers.
  app.clock.advance(30 * 86_400_000);
  const cashier = await Cashier.of(app, await app.merchant());
  const amount = newAmount();
  const order = await cashier.shop.order({ amount });
  const text = await told(app, cashier.shop, order);
  const booking = { amount, text, e2e: `E2E-${amount}`, transactionId: `TX-${amount}` };
  await brought(app, [camt('053')({ ...booking, payer: { name: 'Paula Payer' } })]);
  const [line] = await linesWith(app, amount);
  expect(line).toMatchObject({ state: 'matched', counterpartyAccount: null });
  const named = camt('054')({ ...booking, payer: { name: 'Paula Payer', iban: THIEFS } });
  const allocation = async () => (await allocationsOf(app, line!)).at(-1)!;
  const ask = () => cashier.shop.call('POST', `/api/order/${order.txid}/refund`, {});
  return { cashier, order, line: line!, named, allocation, ask };
}

const keyOf = ({ merchantId, paymentId }: { merchantId: string; paymentId: string }) => ({
  merchantId,
  id: paymentId,
});

describe('the account of a payer whom the bank did not name when the line paid', () => {
  it('is asked for, also after a later file and an operator named one', async () => {
    const { cashier, order, line, named, allocation, ask } = await paidByName();
    await brought(app, [named]);
    const [known] = await linesWith(app, line.amount!);
    expect(known).toMatchObject({ id: line.id, counterpartyAccount: THIEFS });
    const key = keyOf(await allocation());
    expect(await reconciliation.addPayer('test', key, ADDED)).toBe('done');
    const { body } = await ask();
    expect(body).toMatchObject({ statusReason: 'Waits until the payer enters an account.' });
    const id = String(body['id']);
    const payout = `INSERT INTO payouts (merchant_id, id, mode, currency, amount, status, holder, iban, refund_id,
        remittance, created_at, updated_at)
      SELECT merchant_id, id, mode, currency, amount, 'draft', 'Thief', $2, id, 'Refund', now(), now()
      FROM refunds WHERE id = $1`;
    expect(await refusal(payout, [id, THIEFS])).toBe('payouts_account_usable');
    const { body: link } = await cashier.shop.call('GET', `/api/refund/${id}/payer-link`);
    const entered = await fetch(String(link['url']), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ holder: 'Paula Payer', iban: PAYER }),
    });
    expect(entered.status).toBe(303);
    await cashier.approve({ id }, operator);
    const { content } = await cashier.export();
    expect(content).toContain(`<IBAN>${PAYER}</IBAN>`);
    expect(content).not.toContain(THIEFS);
    expect((await cashier.shop.read(order.txid)).body).toMatchObject({
      amountRefundable: 0,
    });
    await expectHealthy(app);
  });

  it('is asked for, also when the line pays again after a later file named one', async () => {
    const { cashier, order, line, named, allocation, ask } = await paidByName();
    const { merchantId, paymentId } = await allocation();
    expect(await reconciliation.undo('test', { merchantId, paymentId })).toBe('taken_back');
    app.clock.advance(1_000);
    await brought(app, [named]);
    const part = { merchantId: cashier.shop.merchantId, txid: order.txid, amount: line.amount! };
    const again = reconciliation.matchManually('test', line.id, [part], operator.id, 'Again');
    expect(await again).toBe('matched');
    expect(await allocation()).toMatchObject({ undoneAt: null, payerAccount: null });
    expect((await ask()).body['statusReason']).toMatch(/^Waits until the payer/);
    await expectHealthy(app);
  });

  it('cannot be set by a statement', async () => {
    const { order, line, ask } = await paidByName();
    const both = `WITH line AS (UPDATE bank_lines SET counterparty_account = $3, counterparty_account_type = 'iban'
        WHERE id = $2)
      UPDATE payments SET payer_account_number = $3, payer_account_type = 'iban' WHERE txid = $1`;
    expect(await refusal(both, [order.txid, line.id, THIEFS])).toBeNull();
    expect((await ask()).body['statusReason']).toMatch(/^Waits until the payer/);
    const third = `UPDATE bank_allocations SET payer_account = $2 WHERE line_id = $1`;
    expect(await refusal(third, [line.id, THIEFS])).toMatch('UPDATE refused');
  });
});

describe('the account of a payer whom the bank named', () => {
  it('does not change once the line has paid', async () => {
    const paid = await PaidByTransfer.of(app, operator, 1_000);
    const both = `WITH line AS (UPDATE bank_lines SET counterparty_account = $3 WHERE end_to_end_id = $2)
      UPDATE payments SET payer_account_number = $3 WHERE txid = $1`;
    const redirected = [paid.order.txid, paid.name, THIEFS];
    expect(await refusal(both, redirected)).toBe('bank_lines_facts');
    for (const change of [
      'counterparty_account = NULL, counterparty_account_type = NULL',
      `counterparty_account_type = 'other'`,
    ]) {
      const sql = `UPDATE bank_lines SET ${change} WHERE end_to_end_id = $1`;
      expect(await refusal(sql, [paid.name])).toBe('bank_lines_facts');
    }
    const { id } = await paid.ask();
    await paid.approve(id);
    expect((await paid.cashier.export()).content).toContain(`<IBAN>${paid.payer}</IBAN>`);
    await expectHealthy(app);
  });

  it('changes only while nothing proves the line', async () => {
    const shop = await app.merchant();
    const { txid } = await shop.order({ amount: 400 });
    const line = await bookedLine(app, { amount: newAmount(), unproven: 'statement_not_balanced' });
    const part = { merchantId: shop.merchantId, txid, amount: 400 };
    const matched = reconciliation.matchManually('test', line.id, [part], operator.id, 'A part');
    expect(await matched).toBe('matched');
    const sql = 'UPDATE bank_lines SET counterparty_account = $2 WHERE id = $1';
    expect(await refusal(sql, [line.id, THIEFS])).toBeNull();
    await select(app, 'UPDATE bank_lines SET unproven = NULL WHERE id = $1', [line.id]);
    expect(await refusal(sql, [line.id, PAYER])).toBe('bank_lines_facts');
  });
});
