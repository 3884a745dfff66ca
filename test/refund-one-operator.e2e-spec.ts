import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { uuidv7 } from '../src/common/ids.js';
import { PayoutMoneyRepository } from '../src/database/payouts/payout-money.repository.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { bookedLine, collectionAccount, credited, forgetDebits } from './support/bank-lines.js';
import { PaidByTransfer } from './support/bank-refunds.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { PAYS } from './support/payouts.js';
import { person, type Person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
/** Takes part in the money. */
const one = await person(app, 'operator');
const another = await person(app, 'operator');
const third = await person(app, 'operator');
const files = app.get(PayoutFilesService);
const payouts = app.get(PayoutsService);

const paidByTransfer = (amount: number) => PaidByTransfer.of(app, another, amount);
const BARRED = { code: 'second_person_required' };

const audit = (by: Person, action: string, subject: string) =>
  select(
    app,
    `INSERT INTO audit_entries (id, user_id, action, subject, data, address, created_at)
     VALUES ($1, $2, $3, $4, '{}', '127.0.0.1', $5)`,
    [uuidv7(app.clock.now().getTime()), by.id, action, subject, app.clock.now()],
  );

/** Another order of the merchant is paid by transfer. */
async function alsoPaid({ shop }: PaidByTransfer, amount: number): Promise<string> {
  const order = await shop.order({ amount });
  await credited(app, shop, order, amount);
  app.clock.advance(1_000);
  return order.txid;
}

const matchedByHand = ({ shop }: PaidByTransfer, txid: string, { id }: Person) =>
  select(
    app,
    `INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at) VALUES ($1, $2, $3, 'matched', $4)`,
    [shop.merchantId, txid, id, app.clock.now()],
  );

beforeEach(() => forgetDebits(app));

describe('an operator with a hand in the money of a refund by bank', () => {
  it('does not approve it, although a payout that may still be cancelled covers that money', async () => {
    const paid = await paidByTransfer(1_000);
    await paid.cashier.paid(1_000);
    await matchedByHand(paid, await alsoPaid(paid, 1_000), one);
    await alsoPaid(paid, 500);
    const { id } = await paid.ask();
    await expect(paid.approve(id, one)).rejects.toMatchObject(BARRED);
    const covering = await paid.cashier.request(500);
    await expect(paid.approve(id, one)).rejects.toMatchObject(BARRED);
    await paid.cashier.approve(covering, another);
    await expect(paid.approve(id, one)).rejects.toMatchObject(BARRED);
    const bySql = `UPDATE payouts SET status = 'approved', approved_by = $2, approved_at = updated_at,
      approved_hash = content_hash WHERE id = $1`;
    await expect(select(app, bySql, [id, one.id])).rejects.toThrow('involved in a payout');
    await payouts.cancel(paid.cashier.scope, covering.id);
    await expect(paid.approve(id, one)).rejects.toMatchObject(BARRED);
    await paid.approve(id, another);
    expect(await paid.statusOf(id)).toBe('approved');
    await expectHealthy(app);
  });

  it('does not approve the second refund of money whose first file that operator had', async () => {
    const paid = await paidByTransfer(1_000);
    const first = await paid.ask();
    await paid.approve(first.id, another);
    const { cashier } = paid;
    const file = await cashier.export();
    await audit(cashier.operator, 'payout-file.downloaded', file.id);
    await files.notSent(file.id, third.id);
    await app.get(ApprovalsService).reject(cashier.scope, first.id, 'Not sent');
    const second = await paid.ask();
    await expect(paid.approve(second.id, cashier.operator)).rejects.toMatchObject(BARRED);
    await expect(paid.approve(second.id, third)).rejects.toMatchObject(BARRED);
    const earlier = await app
      .get(PayoutMoneyRepository)
      .earlier({ merchantId: paid.shop.merchantId, id: second.id });
    expect(earlier).toMatchObject([
      { id: first.id, status: 'rejected', saidBy: [expect.any(String)] },
    ]);
    await paid.approve(second.id, another);
    await expectHealthy(app);
  });
});

describe('a credit that stands for the return of a refund', () => {
  it('pays nothing else once a payout was approved', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask({ amount: 600 });
    await paid.approve(id, another);
    await paid.cashier.export();
    expect(await paid.looked(paid.sent(id, 600))).toBe('payout_paid');
    await files.ended({ ...paid.cashier.scope, id }, 'returned', 'Came back', one.id);
    const credit = await bookedLine(app, { amount: 600, counterpartyAccount: paid.payer });
    while (!(await app.get(MatcherService).matchNew()));
    const reconciliation = app.get(ManualReconciliation);
    const explained = async () => {
      expect(await reconciliation.ignore('test', credit.id, id)).toBe('done');
      await audit(another, 'bank-line.ignored', credit.id);
    };
    await explained();
    expect(await reconciliation.reopen('test', credit.id)).toBe('done');
    await explained();
    app.clock.advance(1_000);
    await paid.cashier.approve(await paid.cashier.request(1_000), third);
    expect(await reconciliation.reopen('test', credit.id)).toBe('stands_for_return');
    await expectHealthy(app);
  });
});

describe('a return that the bank reports while a refund of its payment is on its way', () => {
  it('waits for an operator: it may be the refund', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await paid.ask({ amount: 300 });
    await paid.approve(id, another);
    await paid.cashier.export();
    const back = { amount: 300, direction: 'out', kind: 'return', returned: true } as const;
    const named = { counterpartyAccount: paid.payer, endToEndId: paid.name };
    expect(await paid.looked({ ...back, ...named })).toBe('may_be_refund');
    const { body } = await paid.shop.read(paid.order.txid);
    expect(body).toMatchObject({ amountReceived: 1_000, exception: 'none' });
  });
});
