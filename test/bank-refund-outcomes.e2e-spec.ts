import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { backOf, debitOf, PaidByTransfer, transferred } from './support/bank-refunds.js';
import { collectionAccount, forgetDebits } from './support/bank-lines.js';
import { outcomeOf } from './support/outcome.js';
import { PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { returned } from './support/returns.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const operator = await person(app, 'operator');

beforeEach(() => forgetDebits(app));

describe('refunds by bank', () => {
  /** A file with two refunds of one order. */
  const twoInFile = async () => {
    const paid = await PaidByTransfer.of(app, operator, 1_000);
    const ids = [(await paid.ask({ amount: 300 })).id, (await paid.ask({ amount: 200 })).id];
    for (const id of ids) await paid.approve(id);
    return { paid, ids, file: await paid.cashier.export() };
  };

  it('of one order are submitted in one file, and paid', async () => {
    const { paid, ids, file } = await twoInFile();
    await app.get(PayoutFilesService).submitted(file.id);
    await app.get(PayoutFilesService).paid(file.id);
    for (const id of ids) expect(await paid.statusOf(id)).toBe('succeeded');
  });

  it('of one order in one file are paid by lines of a statement', async () => {
    const { paid, ids } = await twoInFile();
    expect(await paid.looked(paid.sent(ids[0]!, 300))).toBe('payout_paid');
    expect(await paid.looked(paid.sent(ids[1]!, 200))).toBe('payout_paid');
    for (const id of ids) expect(await paid.statusOf(id)).toBe('succeeded');
  });

  it('are not approved when the bank took their payment back, though another one stays', async () => {
    const paid = await PaidByTransfer.of(app, operator, 1_000);
    const { payer, name, credit } = await transferred(app, paid.shop, paid.order, 1_200);
    const { id } = await paid.ask({ amount: 900 });
    // The payer has 1,199 of 1,200 back, and would get 900 more.
    const back = { ...debitOf(id, 1_199, payer), kind: 'return', returned: true } as const;
    expect(await paid.looked({ ...back, endToEndId: name })).toBe('may_be_refund');
    expect(await outcomeOf(() => paid.approve(id))).toBe('payout_not_possible');
    // An operator books it as the return of the payment.
    await forgetDebits(app);
    expect(await returned(app, credit, 1_199)).toBe('taken_back');
    await expect(paid.approve(id)).rejects.toMatchObject({
      code: 'payout_not_possible',
      detail: expect.stringContaining('went back after it was requested'),
    });
  });

  it('that an operator has cancelled are cancelled again without an error', async () => {
    const paid = await PaidByTransfer.of(app, operator, 1_000);
    const { id } = await paid.ask();
    await paid.approve(id);
    await app.get(ApprovalsService).reject(paid.cashier.scope, id, 'Unclear');
    expect(await paid.statusOf(id)).toBe('cancelled');
    expect((await paid.cancel(id)).status).toBe(200);
  });

  it('that come back leave money beside the price, as the exception of the order', async () => {
    const paid = await PaidByTransfer.of(app, operator, 600);
    const second = await transferred(app, paid.shop, paid.order, 240);
    const { id } = await paid.ask({ amount: 200 });
    await paid.approve(id);
    await paid.cashier.export();
    expect(await paid.looked(debitOf(id, 200, second.payer))).toBe('payout_paid');
    // The bank takes back the rest, so that nothing lies beside the price.
    expect(await returned(app, second.credit, 40)).toBe('taken_back');
    expect((await paid.shop.read(paid.order.txid)).body.exception).toBe('none');
    expect(await paid.looked(backOf(id, 200, second.payer))).toBe('payout_returned');
    const { body } = await paid.shop.read(paid.order.txid);
    expect(body).toMatchObject({ amountReceived: 800, amountRefunded: 0 });
    expect(body.exception).not.toBe('none');
  });
});
