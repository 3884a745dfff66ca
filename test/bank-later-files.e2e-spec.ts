import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { withoutDashes } from '../src/common/ids.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import {
  allocationsOf,
  collectionAccount,
  lineOf,
  OWN_ACCOUNT,
  told,
} from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await collectionAccount(app);
await confirmNoTotals(app);
const reconciliation = app.get(ManualReconciliation);
const operator = await person(app, 'operator');
const cashier = await Cashier.of(app, shop);

let files = 0;

/** Imports a file with these bookings of today. */
async function bring(write: typeof mt940File, ...entries: WrittenEntry[]): Promise<void> {
  const day = app.clock.now().toISOString().slice(0, 10);
  const text = write({ account: OWN_ACCOUNT, day, id: `S${++files}`, entries });
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const file = { bytes: Buffer.from(text) };
  expect(await app.get(BankImportService).import(file, options)).toMatchObject({
    result: 'imported',
  });
}
const notification: typeof mt940File = (...all) => camtFile('054', ...all);
const statement: typeof mt940File = (...all) => camtFile('053', ...all);

async function lineCalled(bankReference: string): Promise<BankLine> {
  const lines = await app
    .get(BankLineRepository)
    .list({ mode: 'test', account: OWN_ACCOUNT }, 1_000);
  const line = lines.find((each) => each.bankReference === bankReference);
  return line!;
}

async function waiting(amount: number): Promise<{ order: OrderJson; reference: string }> {
  const order = await shop.order({ amount });
  return { order, reference: await told(app, shop, order) };
}

const match = ({ id }: BankLine, { txid, amount }: OrderJson) =>
  reconciliation.matchManually(
    'test',
    id,
    [{ merchantId: shop.merchantId, txid, amount }],
    operator.id,
    'A mail of the payer',
  );

const read = async ({ txid }: OrderJson) => (await shop.read(txid)).body;

async function expectBooksInOrder(): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

/** Banks tell of a booking in a notification, and later in a statement, which knows more. */
describe('a later file that tells more', () => {
  const PAYER = { name: 'Ada Payer', iban: 'DE71110220330123456789' };
  const PART_PAYER = 'NL91ABNA0417164300';

  it('pays nothing again that a person took back', async () => {
    const { order, reference } = await waiting(1_000);
    const entry = { amount: 1_000, acctSvcrRef: 'A1', text: reference };
    await bring(notification, entry);
    const line = await lineCalled('A1');
    const [allocation] = await allocationsOf(app, line);
    expect(await reconciliation.undo('test', allocation!)).toBe('taken_back');
    await bring(statement, { ...entry, payer: PAYER });
    expect(await lineOf(app, line.id)).toMatchObject({
      state: 'unmatched',
      reason: 'undone',
      counterpartyName: 'Ada Payer',
    });
    expect(await read(order)).toMatchObject({ status: 'open', exception: 'none' });
    await expectBooksInOrder();
  });

  it('pays nothing of which a person said that it waits', async () => {
    const { order, reference } = await waiting(1_000);
    const entry = { amount: 1_000, acctSvcrRef: 'A2', text: 'nothing' };
    await bring(notification, entry);
    const line = await lineCalled('A2');
    await reconciliation.ignore('test', line.id, 'Our own money');
    await reconciliation.reopen('test', line.id);
    await bring(statement, { ...entry, reference });
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched', reason: 'reopened' });
    expect(await read(order)).toMatchObject({ status: 'open' });
  });

  it('leaves the rest of a line to the person who matched a part', async () => {
    const [{ order }, { reference }] = [await waiting(600), await waiting(1_000)];
    const entry = { amount: 1_000, acctSvcrRef: 'A3', text: 'nothing' };
    await bring(notification, entry);
    const line = await lineCalled('A3');
    expect(await match(line, order)).toBe('matched');
    await bring(statement, { ...entry, reference });
    expect(await lineOf(app, line.id)).toMatchObject({
      reason: 'partly_matched',
      lookedAt: expect.any(Date),
    });
    await expectBooksInOrder();
  });

  it('leaves a payout paid, and one that came back returned', async () => {
    await paidOrder(shop, 5_000);
    const { id, amount } = await cashier.exported(1_357);
    const out = { amount, direction: 'out', acctSvcrRef: 'A4', e2e: withoutDashes(id) } as const;
    const back = { amount, returned: true, acctSvcrRef: 'A5', e2e: withoutDashes(id) };
    await bring(notification, out, back);
    expect((await lineCalled('A4')).reason).toBe('payout_paid');
    // A notification may leave out another debit with the id of the payout.
    expect((await lineCalled('A5')).reason).toBe('unknown_money_back');
    await bring(statement, { ...out, payer: PAYER }, back);
    expect((await lineCalled('A4')).reason).toBe('payout_paid');
    expect((await lineCalled('A5')).reason).toBe('payout_returned');
    await expectBooksInOrder();
  });

  it('takes no other money back', async () => {
    const [first, second] = [await waiting(1_000), await waiting(1_000)];
    const payment = { amount: 1_000, e2e: 'SAME', payer: PAYER };
    const reversal = { ...payment, acctSvcrRef: 'A7', direction: 'out', reversal: true } as const;
    await bring(notification, { ...payment, acctSvcrRef: 'A6', text: first.reference }, reversal);
    await bring(notification, { ...payment, acctSvcrRef: 'A8', text: second.reference });
    await bring(statement, { ...reversal, text: 'Reversal', payer: PAYER });
    expect((await lineCalled('A7')).reason).toBe('charged_back');
    expect(await read(first.order)).toMatchObject({ exception: 'charged_back' });
    expect(await read(second.order)).toMatchObject({ status: 'paid', exception: 'none' });
    await expectBooksInOrder();
  });

  it.each([
    ['end-to-end id', 1_011],
    ['reference', 1_012],
  ])('has a payment of which a part came back before: by its %s', async (called, amount) => {
    const { order, reference } = await waiting(4 * amount);
    const e2e = called === 'reference' ? undefined : `PART-${called}`;
    const named = { text: reference, payer: { ...PAYER, iban: PART_PAYER } };
    const part = { ...named, amount, direction: 'out', returned: true } as const;
    await bring(notification, { ...part, ...(e2e && { e2e, text: 'Part' }) });
    await bring(notification, { ...named, amount: 4 * amount, ...(e2e && { e2e }) });
    expect(await read(order)).toMatchObject({
      exception: 'charged_back',
      amountReceived: 3 * amount,
      amountChargedBack: amount,
    });
    await expectBooksInOrder();
  });

  it.each([
    ['that nobody has explained', 1_234],
    ['that a person has explained away', 1_235],
  ])('makes a return of money that left, and %s', async (explained, amount) => {
    const { order, reference } = await waiting(amount);
    const e2e = `LATER-${amount}`;
    await bring(notification, { amount, text: reference, e2e });
    const out = { amount, direction: 'out', acctSvcrRef: `R-${amount}` } as const;
    await bring(notification, { ...out, text: 'Rent' });
    const line = await lineCalled(out.acctSvcrRef);
    expect(line).toMatchObject({ reason: 'unknown_money_out' });
    if (explained !== 'that nobody has explained')
      await reconciliation.ignore('test', line.id, 'Rent');
    expect(await read(order)).toMatchObject({ exception: 'none' });
    await bring(statement, { ...out, returned: true, e2e });
    expect(await lineOf(app, line.id)).toMatchObject({
      kind: 'return',
      state: 'not_a_payment',
      reason: 'charged_back',
    });
    expect(await read(order)).toMatchObject({ exception: 'charged_back' });
    await expectBooksInOrder();
  });

  it('with the payments of a total counts none of them where a part of it has paid', async () => {
    const [part, one, other] = [await waiting(200), await waiting(100), await waiting(200)];
    await bring(mt940File, { amount: 300, acctSvcrRef: 'A9', text: 'Total' });
    const total = await lineCalled('A9');
    expect(await match(total, part.order)).toBe('matched');
    const details = [
      { amount: 100, e2e: 'X1', text: one.reference },
      { amount: 200, e2e: 'X2', text: other.reference },
    ];
    await bring(notification, { amount: 300, acctSvcrRef: 'A9', details });
    expect(await lineOf(app, total.id)).toMatchObject({ reason: 'partly_matched' });
    expect(await read(one.order)).toMatchObject({ status: 'open' });
    expect(await read(other.order)).toMatchObject({ status: 'open' });
    await expectBooksInOrder();
  });

  it('with the payments of a total that a person has explained away counts them', async () => {
    const [one, other] = [await waiting(110), await waiting(210)];
    await bring(mt940File, { amount: 320, acctSvcrRef: 'A10', text: 'Total' });
    const total = await lineCalled('A10');
    await reconciliation.ignore('test', total.id, 'Our own money');
    const details = [
      { amount: 110, e2e: 'X3', text: one.reference },
      { amount: 210, e2e: 'X4', text: other.reference },
    ];
    await bring(notification, { amount: 320, acctSvcrRef: 'A10', details });
    expect(await lineOf(app, total.id)).toMatchObject({ state: 'superseded' });
    for (const { order } of [one, other])
      expect(await read(order)).toMatchObject({ status: 'paid' });
    await expectBooksInOrder();
  });
});
