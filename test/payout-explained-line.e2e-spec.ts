import { expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { withoutDashes } from '../src/common/ids.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { startWithRules } from './support/operating-rules.js';
import { bookedLine, collectionAccount, credited } from './support/bank-lines.js';
import { Cashier, PAYS } from './support/payouts.js';
import { confirmed, person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const PAYING = 'DE02120300000000202051';
const { app } = await openShop({ env: { ...PAYS, PAYOUT_IBAN: PAYING } });
await collectionAccount(app);

// The setting has no effect while there is a second operator.
it.each([
  [false, 1_000],
  [true, 1_100],
])(
  'a user who reports a file as not sent cannot explain the bank line of its payout, with SINGLE_OPERATOR=%s',
  async (singleOperator, amount) => {
    await startWithRules(app, { singleOperator, secondPersonWaitHours: 24 });
    const [reporter, second, third] = await Promise.all(
      [1, 2, 3].map(async () => withTotp(app, await person(app, 'operator'))),
    );
    const cashier = await Cashier.of(app, await app.merchant());
    await credited(app, cashier.shop, await cashier.shop.order({ amount }), amount);
    app.clock.advance(1_000);
    const payout = await cashier.approve(await cashier.request(amount), second!);
    await cashier.export();
    const { fileId } = await app.get(PayoutsService).find(cashier.scope, payout.id);
    const file = `/portal/platform/payouts/test/files/${fileId}`;
    const mine = await signedIn(app, reporter!);
    await confirmed(app, reporter!);
    expect((await mine.fill(file, {}, `${file}/download`)).status).toBe(200);
    expect((await mine.fill(`${file}/not-sent`, { downloads: '1' })).status).toBe(303);
    const line = await bookedLine(app, {
      account: PAYING,
      amount,
      direction: 'out',
      endToEndId: withoutDashes(payout.id),
      counterpartyAccount: payout.iban,
      counterpartyAccountType: 'iban',
    });
    await app.get(MatcherService).matchNew();
    const page = `/portal/platform/bank/test/lines/${line.id}`;
    const sentBefore = { code: 'payout_not_possible' };
    await expect(cashier.approve(payout, third!)).rejects.toMatchObject(sentBefore);
    const refused = () => expect(cashier.approve(payout, third!)).rejects.toMatchObject(sentBefore);
    // As the return of another merchant's order.
    const other = await app.merchant();
    const order = await other.order({ amount });
    const { payment } = await credited(app, other, order, amount);
    const returned = await mine.fill(
      page,
      { order: order.txid, amount: (amount / 100).toFixed(2) },
      `${page}/return`,
    );
    expect(returned.status).toBe(303);
    await refused();
    const undone = await mine.fill(page, {}, `${page}/returns/${payment.id}/undo`);
    expect(undone.status).toBe(303);
    await refused();
    expect((await mine.fill(page, { reason: 'Rent' }, `${page}/ignore`)).status).toBe(303);
    await refused();

    const theirs = await signedIn(app, second!);
    expect((await theirs.fill(page, {}, `${page}/reopen`)).status).toBe(303);
    expect((await theirs.fill(page, { reason: 'Not ours' }, `${page}/ignore`)).status).toBe(303);
    app.clock.advance(1_000);
    expect(await cashier.approve(payout, third!)).toMatchObject({ status: 'approved' });
  },
);

it('a debit that was imported before the report counts, also with another IBAN', async () => {
  const [reporter, second, third] = await Promise.all(
    [1, 2, 3].map(async () => withTotp(app, await person(app, 'operator'))),
  );
  const cashier = await Cashier.of(app, await app.merchant());
  await credited(app, cashier.shop, await cashier.shop.order({ amount: 1_300 }), 1_300);
  app.clock.advance(1_000);
  const payout = await cashier.approve(await cashier.request(1_300), second!);
  await cashier.export();
  await bookedLine(app, {
    account: PAYING,
    amount: 1_300,
    direction: 'out',
    endToEndId: withoutDashes(payout.id),
    counterpartyAccount: 'NL91ABNA0417164300',
    counterpartyAccountType: 'iban',
  });
  await app.get(MatcherService).matchNew();
  const { fileId } = await app.get(PayoutsService).find(cashier.scope, payout.id);
  const file = `/portal/platform/payouts/test/files/${fileId}`;
  const mine = await signedIn(app, reporter!);
  await confirmed(app, reporter!);
  expect((await mine.fill(file, {}, `${file}/download`)).status).toBe(200);
  expect((await mine.fill(`${file}/not-sent`, { downloads: '1' })).status).toBe(303);
  await expect(cashier.approve(payout, third!)).rejects.toMatchObject({
    code: 'payout_not_possible',
  });
});
