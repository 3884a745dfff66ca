import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { withoutDashes } from '../src/common/ids.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { awaited, collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { camtFile, csvFile, csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { germanAccount } from './support/german-mt940.js';
import { select } from './support/facts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, Cashier, paidOrder, PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: { ...PAYS } });
await collectionAccount(app);
/** Each account has one format. */
const GERMAN = 'DE75512108001245126199';
const CSV = 'DE02500105170137075030';
for (const account of [GERMAN, CSV]) await collectionAccount(app, account);
const german = germanAccount(app, GERMAN);
const THIEF = 'NL91ABNA0417164300';
const AMOUNT = 1_000;
let used = 0;

const nextDay = (): void => app.clock.advance(86_400_000);
const today = (): string => app.clock.now().toISOString().slice(0, 10);

async function camt(message: '053' | '054', ...entries: WrittenEntry[]): Promise<void> {
  const statement = { account: OWN_ACCOUNT, id: `C${++used}`, day: today(), opening: 0, entries };
  const bytes = Buffer.from(camtFile(message, statement));
  const options = { mode: 'test', name: 'a.xml', source: 'folder' } as const;
  await app.get(BankImportService).import({ bytes }, options);
}

/** Each test has an amount of its own, so that its lines are not those of another one. */
const amountOfTest = (): number => AMOUNT + ++used;

const statusOf = async ({ merchantId, id }: Payout) =>
  (await app.get(PayoutsService).find({ merchantId, mode: 'test' }, id)).status;

const linesOf = (amount: number) =>
  select<{ id: string; state: string; reason: string }>(
    app,
    'SELECT id, state, reason FROM bank_lines WHERE amount = $1 ORDER BY id',
    [amount],
  );

describe('a direct debit under the id of a payout, which the bank takes back', () => {
  async function submitted() {
    const amount = amountOfTest();
    const cashier = await Cashier.of(app, await app.merchant());
    await paidOrder(cashier.shop, amount);
    const payout = await cashier.exported(amount);
    await app.get(PayoutFilesService).submitted(payout.fileId!);
    return { amount, cashier, payout, id: withoutDashes(payout.id) };
  }
  type Submitted = Awaited<ReturnType<typeof submitted>>;

  const expectOnce = async ({ amount, cashier, payout }: Submitted): Promise<void> => {
    expect(await statusOf(payout)).toBe('paid');
    expect(await balances(app, cashier.shop)).not.toMatchObject({ EUR: { available: amount } });
    await expectHealthy(app);
  };

  it.each(['Subscription', 'Subscription SVWZ+x', 'KREF+1 SVWZ+2'])(
    'does not return the payout where its creditor writes %j',
    async (words) => {
      const test = await submitted();
      const { amount, payout, id } = test;
      const booking = { amount, iban: THIEF, type: 'NTRF', code: '177' };
      const own = { ...booking, iban: payout.iban, purpose: `EREF+${id}SVWZ+Payout` };
      await german({ ...own, direction: 'out' });
      nextDay();
      const purpose = `EREF+${id}MREF+M1CRED+NL98ZZZ09999999999SVWZ+${words}`;
      await german({ ...booking, direction: 'out', type: 'NDDT', code: '105', purpose });
      nextDay();
      const back = { ...booking, type: 'NRTI', code: '109', purpose: `EREF+${id}SVWZ+RETURN` };
      await german({ ...back, direction: 'in', iban: payout.iban });
      await expectOnce(test);
      expect(await linesOf(amount)).toMatchObject([
        { reason: 'payout_paid' },
        { state: 'unmatched', reason: 'unknown_money_out' },
        { state: 'unmatched', reason: 'unknown_money_back' },
      ]);
    },
  );

  it.each(['returned', 'reversal'] as const)(
    'does not return the payout where camt.054 reports only the money back: %s',
    async (mark) => {
      const test = await submitted();
      const { amount, payout, id } = test;
      const booking = { amount, e2e: id, payer: { iban: payout.iban } };
      await camt('053', { ...booking, direction: 'out' });
      nextDay();
      const back = { ...booking, [mark]: true, acctSvcrRef: `B${used}` };
      await camt('054', back);
      await expectOnce(test);
      await camt('053', { ...booking, direction: 'out', acctSvcrRef: `D${used}` }, back);
      await expectOnce(test);
    },
  );

  it('does not return the payout where the money comes from another account', async () => {
    const test = await submitted();
    const { amount, payout, id } = test;
    await camt('053', { amount, e2e: id, payer: { iban: payout.iban }, direction: 'out' });
    nextDay();
    await camt('053', { amount, e2e: id, payer: { iban: THIEF }, returned: true });
    await expectOnce(test);
  });

  it('returns the payout as soon as a statement with balances has no other debit of the amount', async () => {
    const { amount, cashier, payout, id } = await submitted();
    const booking = { amount, e2e: id, payer: { iban: payout.iban } };
    await camt('053', { ...booking, direction: 'out' });
    nextDay();
    const back = { ...booking, returned: true, acctSvcrRef: `B${used}` };
    await camt('054', back);
    expect(await statusOf(payout)).toBe('paid');
    await camt('053', back);
    expect(await statusOf(payout)).toBe('returned');
    expect(await balances(app, cashier.shop)).toMatchObject({ EUR: { available: amount } });
    await expectHealthy(app);
  });
});

describe('money that the bank gives back', () => {
  const transferTo = async (amount: number) => {
    const shop = await app.merchant();
    const order = await shop.order({ amount, expiresInMinutes: 40_000 });
    const reference = await told(app, shop, order);
    await awaited(app, order);
    return { shop, order, reference };
  };
  type Transfer = Awaited<ReturnType<typeof transferTo>>;
  const orderOf = async ({ shop, order }: Transfer) => (await shop.read(order.txid)).body;

  it('is not taken from another order with the same end-to-end id, which a text hides', async () => {
    const amount = amountOfTest();
    const [first, second] = [await transferTo(amount), await transferTo(amount)];
    const booking = { amount, type: 'NTRF', code: '166', iban: THIEF };
    const id = `EREF+INV${used}`;
    await german({ ...booking, direction: 'in', purpose: `${id}SVWZ+${first.reference}` });
    nextDay();
    await german({ ...booking, direction: 'in', purpose: `${id}SVWZ+${second.reference} SVWZ+x` });
    nextDay();
    const back = { ...booking, type: 'NRTI', code: '159', purpose: `${id}SVWZ+RETURN` };
    await german({ ...back, direction: 'out' });
    expect(await orderOf(first)).toMatchObject({ status: 'paid', exception: 'none' });
    expect((await linesOf(amount))[2]).toMatchObject({ reason: 'unknown_money_out' });
  });

  it('is seen although a text hides the id of the payment, and an operator explained the return', async () => {
    const amount = amountOfTest();
    const transfer = await transferTo(amount);
    const booking = { amount, type: 'NTRF', code: '166', iban: THIEF };
    const id = `EREF+INV${used}`;
    const back = { ...booking, type: 'NRTI', code: '159', iban: 'DE71110220330123456789' };
    await german({ ...back, purpose: `${id}SVWZ+RETURN`, direction: 'out' });
    const [debit] = await linesOf(amount);
    await app.get(ManualReconciliation).ignore('test', debit!.id, 'Nothing of ours');
    nextDay();
    const purpose = `${id}SVWZ+${transfer.reference} SVWZ+x`;
    await german({ ...booking, direction: 'in', purpose });
    expect((await linesOf(amount))[1]).toMatchObject({ reason: 'may_have_gone_back' });
    expect(await orderOf(transfer)).toMatchObject({ status: 'open' });
  });

  it('is not taken from another order because its own payment comes in a later file', async () => {
    const amount = amountOfTest();
    const [first, second] = [await transferTo(amount), await transferTo(amount)];
    const booking = { amount, e2e: `INV${used}`, payer: { iban: THIEF } };
    await camt('053', { ...booking, text: first.reference, acctSvcrRef: `A${used}` });
    nextDay();
    const back: WrittenEntry = {
      ...booking,
      direction: 'out',
      returned: true,
      acctSvcrRef: `R${used}`,
    };
    await camt('054', back);
    app.clock.advance(3_600_000);
    await camt('053', { ...booking, text: second.reference, acctSvcrRef: `P${used}` }, back);
    expect(await orderOf(second)).toMatchObject({ status: 'open' });
    expect((await linesOf(amount)).at(-1)).toMatchObject({
      state: 'suggested',
      reason: 'may_have_gone_back',
    });
  });

  it('is named on the page of a payment that waits for another reason', async () => {
    const amount = amountOfTest();
    const { reference } = await transferTo(amount - 1);
    const booking = { amount, e2e: `INV${used}`, payer: { iban: THIEF } };
    await camt('053', { ...booking, direction: 'out', text: reference, acctSvcrRef: `D${used}` });
    nextDay();
    await camt('053', { ...booking, text: reference, acctSvcrRef: `P${used}` });
    const line = (await linesOf(amount)).at(-1)!;
    expect(line).toMatchObject({ state: 'suggested', reason: 'more_than_due' });
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    const { html } = await operator.get(`/portal/platform/bank/test/lines/${line.id}`);
    expect(html).toContain('A debit names the same order');
  });

  it('is no debit of a payout whose id a payer wrote into a payment', async () => {
    const amount = amountOfTest();
    const cashier = await Cashier.of(app, await app.merchant());
    await paidOrder(cashier.shop, amount);
    const payout = await cashier.exported(amount);
    await app.get(PayoutFilesService).submitted(payout.fileId!);
    const { reference } = await transferTo(amount);
    const id = `EREF+${withoutDashes(payout.id)}`;
    const booking = { amount, type: 'NTRF', iban: payout.iban };
    const purpose = `${id}SVWZ+${reference} SVWZ+x`;
    await german({ ...booking, direction: 'in', code: '166', purpose });
    nextDay();
    await german({ ...booking, direction: 'out', code: '177', purpose: `${id}SVWZ+REIMBURSEMENT` });
    expect(await statusOf(payout)).toBe('submitted');
    expect((await linesOf(amount)).at(-1)).toMatchObject({ reason: 'unknown_money_out' });
  });

  it('pays no order whose reference a direct debit has', async () => {
    const amount = amountOfTest();
    const { reference, ...transfer } = await transferTo(amount);
    const row = { amount, payer: { iban: THIEF }, text: `Debit ${reference}` };
    const entries: WrittenEntry[] = [
      { amount: 5, text: 'First' },
      { ...row, direction: 'out' },
      // Rows side by side that cancel out prove nothing.
      { amount: 7, text: 'Between' },
      { ...row, text: `Debit ${reference} returned` },
      { amount: 6, text: 'Last' },
    ];
    const file = csvFile({ account: CSV, day: today(), opening: 50_000, entries });
    const options = { mode: 'test', name: 'a.csv', source: 'cli' } as const;
    const profile = csvProfileOf(CSV);
    await app.get(BankImportService).import({ bytes: Buffer.from(file) }, { ...options, profile });
    expect(await orderOf({ reference, ...transfer })).toMatchObject({ status: 'open' });
    expect((await linesOf(amount)).at(-1)).toMatchObject({ reason: 'may_have_gone_back' });
  });
});
