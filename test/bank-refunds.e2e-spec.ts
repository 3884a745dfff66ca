import { beforeEach, describe, expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { withoutDashes } from '../src/common/ids.js';
import { noHook } from '../src/database/transaction-hook.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import {
  bookedLine,
  collectionAccount,
  credited,
  forgetDebits,
  type NewLine,
} from './support/bank-lines.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const operator = await person(app, 'operator');

const IBANS = [
  'FR1420041010050500013M02606',
  'BE68539007547034',
  'ES9121000418450200051332',
  'AT611904300234573201',
];
let payers = 0;

/** A merchant whose order was paid by transfer, from an account that no other order of the test has. */
async function paidByTransfer(amount: number, order: Record<string, unknown> = {}) {
  const cashier = await Cashier.of(app, await app.merchant());
  const created = await cashier.shop.order({ amount, ...order });
  const payer = IBANS[payers++ % IBANS.length]!;
  const from = { accountNumber: payer, accountType: 'iban', accountName: 'Paula Payer' } as const;
  const { line } = await credited(app, cashier.shop, created, amount, { payer: from });
  const named = 'UPDATE bank_lines SET counterparty_account = $2, end_to_end_id = $3 WHERE id = $1';
  await select(app, named, [line.id, payer, `E2E-${line.id.slice(-12)}`]);
  app.clock.advance(1_000);
  return {
    cashier,
    shop: cashier.shop,
    order: created,
    line,
    payer,
    name: `E2E-${line.id.slice(-12)}`,
  };
}
type Paid = Awaited<ReturnType<typeof paidByTransfer>>;

const ask = async ({ shop, order }: Paid, body: object = {}) => {
  const answer = await shop.call('POST', `/api/order/${order.txid}/refund`, body);
  return { ...answer, id: String(answer.body['id']) };
};
const statusOf = async ({ shop }: Paid, id: string) =>
  (await shop.call('GET', `/api/refund/${id}`)).body['status'];
const approve = ({ cashier }: Paid, id: string) => cashier.approve({ id }, operator);

const sent = ({ payer }: Paid, id: string, amount: number): NewLine => ({
  amount,
  direction: 'out',
  endToEndId: withoutDashes(id),
  counterpartyAccount: payer,
});
const back = (paid: Paid, id: string, amount: number): NewLine => ({
  ...sent(paid, id, amount),
  direction: 'in',
  kind: 'return',
  returned: true,
});

async function looked(line: NewLine): Promise<string | null> {
  const { id } = await bookedLine(app, line);
  while (!(await app.get(MatcherService).matchNew()));
  const [row] = await select<{ reason: string | null }>(
    app,
    'SELECT reason FROM bank_lines WHERE id = $1',
    [id],
  );
  return row!.reason;
}

beforeEach(() => forgetDebits(app));

describe('a refund of a transfer', () => {
  it('goes to the payer’s account by a bank file, and a statement tells how it ended', async () => {
    const paid = await paidByTransfer(5_000, { locale: 'de' });
    const { body, id } = await ask(paid, { amount: 2_000 });
    expect(body).toMatchObject({ status: 'requested', method: 'bank', amount: 2_000 });
    await app.get(RefundRunner).run();
    expect(await statusOf(paid, id)).toBe('requested');
    await approve(paid, id);
    expect(await statusOf(paid, id)).toBe('approved');
    const { content } = await paid.cashier.export();
    expect(content).toContain(`<IBAN>${paid.payer}</IBAN>`);
    expect(content).toContain(`<EndToEndId>${withoutDashes(id)}</EndToEndId>`);
    expect(content).toContain(
      `<Ustrd>Erstattung zu Bestellung ${paid.order.orderMerchantId}</Ustrd>`,
    );
    expect(await statusOf(paid, id)).toBe('approved');
    expect(await looked(sent(paid, id, 2_000))).toBe('payout_paid');
    expect(await statusOf(paid, id)).toBe('succeeded');
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 3_000, 'clearing:bank_transfer': -3_000 },
    });
    await expectHealthy(app);

    expect(await looked(back(paid, id, 2_000))).toBe('payout_returned');
    expect(await statusOf(paid, id)).toBe('failed');
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 5_000, 'clearing:bank_transfer': -5_000 },
    });
    const { body: order } = await paid.shop.read(paid.order.txid);
    expect(order).toMatchObject({ amountRefunded: 0 });
    const again = await ask(paid);
    expect(again.body).toMatchObject({ status: 'requested', amount: 5_000 });
    await expectHealthy(app);
  });

  it('is no payout of the merchant', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await ask(paid);
    expect((await paid.shop.call('GET', `/api/payout/${id}`)).status).toBe(404);
    expect((await paid.shop.call('GET', '/api/payout')).body['data']).toEqual([]);
    const { scope } = paid.cashier;
    const payouts = app.get(PayoutsService);
    await expect(payouts.cancel(scope, id)).rejects.toMatchObject({ code: 'payout_not_found' });
  });

  it('can be cancelled until it is in a bank file', async () => {
    const paid = await paidByTransfer(1_000);
    const [first, second] = [await ask(paid, { amount: 400 }), await ask(paid, { amount: 600 })];
    expect((await paid.shop.call('DELETE', `/api/refund/${first.id}`)).body).toMatchObject({
      status: 'cancelled',
    });
    await approve(paid, second.id);
    await paid.cashier.export();
    const late = await paid.shop.call('DELETE', `/api/refund/${second.id}`);
    expect([late.status, late.body['code']]).toEqual([409, 'refund_not_cancelable']);
    expect(await balances(app, paid.shop)).toEqual({
      EUR: { available: 400, refund_pending: 600, 'clearing:bank_transfer': -1_000 },
    });
    await expectHealthy(app);
  });

  it('is rejected by an operator, and the money is the merchant’s again', async () => {
    const paid = await paidByTransfer(1_000);
    const { id } = await ask(paid);
    await app.get(ApprovalsService).reject(paid.cashier.scope, id, 'Unclear', noHook);
    expect(await statusOf(paid, id)).toBe('rejected');
    expect(await balances(app, paid.shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectHealthy(app);
  });

  it('waits while a return of its payment may have come', async () => {
    const paid = await paidByTransfer(1_000);
    const [approved, waiting] = [
      await ask(paid, { amount: 300 }),
      await ask(paid, { amount: 200 }),
    ];
    await approve(paid, approved.id);
    const taken = { ...sent(paid, approved.id, 1_000), kind: 'return', returned: true } as const;
    expect(await looked({ ...taken, endToEndId: paid.name })).toBe('may_be_refund');
    await expect(approve(paid, waiting.id)).rejects.toMatchObject({ code: 'payout_not_possible' });
    await expect(paid.cashier.export()).rejects.toMatchObject({ code: 'payout_not_possible' });
  });
});
