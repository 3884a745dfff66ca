import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import type { AllocationKey } from '../src/database/bank/matching/bank-allocation.repository.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { bookedLine, collectionAccount, credited } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { MoneyActor } from './support/money-acts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { type Person, person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const other = await person(app, 'operator');
const DAY_MS = 86_400_000;
const OUT = {
  direction: 'out',
  state: 'not_a_payment',
  reason: 'unknown_money_out',
  lookedAt: new Date(0),
} as const;

const ALLOCATION_OF = `SELECT merchant_id AS "merchantId", payment_id AS "paymentId" FROM bank_allocations WHERE line_id = $1`;

let accounts = 0;
/** An account that no other test has. */
const newAccount = (): string => `NL91ABNA04171643${String(++accounts).padStart(2, '0')}`;

/** A merchant whose payer's transfer was paid out; nobody of the test had a hand in it. */
async function paidOut(amount: number) {
  const cashier = await Cashier.of(app, await app.merchant());
  const order = await cashier.shop.order({ amount });
  const payer = newAccount();
  const from = { accountNumber: payer, accountType: 'iban', accountName: 'Paula Payer' } as const;
  const { line } = await credited(app, cashier.shop, order, amount, { payer: from });
  app.clock.advance(1_000);
  const payout = await cashier.request(amount);
  await cashier.approve(payout, other);
  await cashier.export();
  const { fileId } = await app.get(PayoutsService).find(cashier.scope, payout.id);
  await app.get(PayoutFilesService).submitted(fileId!);
  const sent = await app.get(PayoutsService).find(cashier.scope, payout.id);
  await app.get(PayoutFilesService).ended(sent, 'paid', null, other.id);
  return { cashier, order, line, payer };
}

/** The merchant's next payout, of money that came long after. */
async function nextPayout(cashier: Cashier) {
  app.clock.advance(50 * DAY_MS);
  await credited(app, cashier.shop, await cashier.shop.order({ amount: 900 }), 900);
  app.clock.advance(1_000);
  return cashier.request(900);
}

async function expectOnlyOther(cashier: Cashier, who: Person): Promise<void> {
  const payout = await nextPayout(cashier);
  await expect(cashier.approve(payout, who)).rejects.toMatchObject({
    code: 'second_person_required',
  });
  const approve = `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = $3, approved_hash = content_hash
    WHERE id = $1`;
  await expect(select(app, approve, [payout.id, who.id, app.clock.now()])).rejects.toThrow(
    'does not approve it',
  );
  expect((await cashier.approve(payout, other)).status).toBe('approved');
  await expectHealthy(app);
}

describe('an operator who may have spared a merchant a debt', () => {
  it('approves none of its later payouts, once he booked its return on an order of another merchant', async () => {
    const actor = await MoneyActor.of(app);
    const { cashier, payer } = await paidOut(20_000);
    const victim = await app.merchant();
    const order = await victim.order({ amount: 20_250 });
    await credited(app, victim, order, 20_250);
    const debit = await bookedLine(app, { amount: 20_250, counterpartyAccount: payer, ...OUT });
    const page = `/portal/platform/bank/test/lines/${debit.id}`;
    await actor.send(page, { order: order.txid, amount: '202.50' }, `${page}/return`);
    expect(await balances(app, victim)).not.toHaveProperty('EUR.available');
    await expectOnlyOther(cashier, actor.who);
  });

  it('approves none of its later payouts, once he called a return without a name something else', async () => {
    const actor = await MoneyActor.of(app);
    const { cashier } = await paidOut(31_000);
    const nameless = { counterpartyAccount: null, counterpartyAccountType: null } as const;
    const debit = await bookedLine(app, { amount: 31_500, kind: 'return', ...nameless, ...OUT });
    const page = `/portal/platform/bank/test/lines/${debit.id}`;
    await actor.send(page, { reason: 'Rent' }, `${page}/ignore`);
    await expectOnlyOther(cashier, actor.who);
  });

  it('approves its later payouts when he booked its return on its own order', async () => {
    const actor = await MoneyActor.of(app);
    const { cashier, order, payer } = await paidOut(500);
    const debit = await bookedLine(app, { amount: 500, counterpartyAccount: payer, ...OUT });
    const page = `/portal/platform/bank/test/lines/${debit.id}`;
    await actor.send(page, { order: order.txid, amount: '5.00' }, `${page}/return`);
    app.clock.advance(50 * DAY_MS);
    await credited(app, cashier.shop, await cashier.shop.order({ amount: 900 }), 900);
    app.clock.advance(1_000);
    const sql = `SELECT act FROM money_hands WHERE merchant_id = $1 AND act = 'return_spared'`;
    expect(await select(app, sql, [cashier.scope.merchantId])).toEqual([]);
  });

  it('approves none of its later payouts, once money that he matched has paid a return', async () => {
    const actor = await MoneyActor.of(app);
    const { cashier, order, payer } = await paidOut(10_000);
    const stray = await bookedLine(app, { amount: 10_010 });
    const part = { merchantId: cashier.scope.merchantId, txid: order.txid, amount: 10_010 };
    const reconciliation = app.get(ManualReconciliation);
    await reconciliation.matchManually('test', stray.id, [part], actor.who.id, 'Duplicate');
    const debit = await bookedLine(app, { amount: 10_000, counterpartyAccount: payer, ...OUT });
    await reconciliation.returnManually('test', debit.id, { ...part, amount: 10_000 }, other.id);
    expect(await balances(app, cashier.shop)).not.toHaveProperty('EUR.available');
    const third = await person(app, 'operator');
    const payout = await nextPayout(cashier);
    await expect(cashier.approve(payout, actor.who)).rejects.toMatchObject({
      code: 'second_person_required',
    });
    expect((await cashier.approve(payout, third)).status).toBe('approved');
    await expectHealthy(app);
  });

  it('undoes no match whose money was paid out, also with money of another payer beside it', async () => {
    const actor = await MoneyActor.of(app);
    const { cashier, order, line } = await paidOut(30_000);
    const stray = await bookedLine(app, { amount: 30_030 });
    const part = { merchantId: cashier.scope.merchantId, txid: order.txid, amount: 30_030 };
    const reconciliation = app.get(ManualReconciliation);
    await reconciliation.matchManually('test', stray.id, [part], actor.who.id, 'Duplicate');
    await app.get(MatcherService).matchNew();
    const keyOf = async (id: string) => (await select<AllocationKey>(app, ALLOCATION_OF, [id]))[0]!;
    expect(await reconciliation.undo('test', await keyOf(line.id))).toBe('paid_out');
    expect(await reconciliation.undo('test', await keyOf(stray.id))).toBe('taken_back');
    await expectHealthy(app);
  });
});
