import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import {
  camtFile,
  mt940File,
  mt942File,
  type WrittenEntry,
  type WrittenStatement,
} from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
await confirmNoTotals(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
const DAY_BEFORE = '2025-12-31';
const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
const FORMATS = { 'camt.053': camtFile.bind(null, '053'), MT940: mt940File };
const operator = await person(app, 'operator');
const approver = await person(app, 'operator');
let files = 0;
/** Each test has its own. */
let amounts = 1_000;

async function bring(text: string): Promise<void> {
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const file = { bytes: Buffer.from(text) };
  expect(await app.get(BankImportService).import(file, options)).toMatchObject({
    result: 'imported',
  });
}

function statement(day: string, entry: WrittenEntry) {
  files += 1;
  return { account: OWN_ACCOUNT, day, id: `S${files}`, entries: [entry] };
}
const bringEntry = (entry: WrittenEntry) => bring(camtFile('053', statement(DAY, entry)));

async function seller() {
  const cashier = await Cashier.of(app, await app.merchant());
  const order = async (amount: number) => {
    const { txid } = await cashier.shop.order({ amount });
    return { txid, amount, reference: await told(app, cashier.shop, { txid }) };
  };
  return { cashier, order };
}

const whyWaits = async ({ merchantId, id }: Payout) =>
  (
    await select<{ why: string }>(app, 'SELECT why_payout_waits($1, $2) AS why', [merchantId, id])
  )[0]!;

async function expectHeld(cashier: Cashier, amount: number): Promise<void> {
  app.clock.advance(1_000);
  const payout = await cashier.request(amount);
  expect(await whyWaits(payout)).toEqual({ why: 'return_waits' });
  await expect(cashier.approve(payout, approver)).rejects.toMatchObject({
    code: 'payout_not_possible',
  });
}

describe('outgoing money that a bank has only announced', () => {
  it.each<[string, string, (statement: WrittenStatement) => string]>([
    ['MT942', '2026-01-03', mt942File],
    ['camt.052', '2026-01-05', (statement) => camtFile('052', statement)],
    ['camt.054', '2026-01-07', (statement) => camtFile('054', statement)],
  ])(
    'holds the payout of the payment that it names, until a later day is known: %s',
    async (_, day, write) => {
      const { cashier, order } = await seller();
      const { amount, reference } = await order((amounts += 10));
      await bringEntry({ amount, text: reference, e2e: `E${amount}` });
      const back = { amount, direction: 'out', returned: true, text: 'Return' } as const;
      await bring(write(statement(day, { ...back, e2e: `E${amount}`, status: 'announced' })));
      app.clock.advance(1_000);
      const payout = await cashier.request(amount);
      expect(await whyWaits(payout)).toEqual({ why: 'return_waits' });
      await expect(cashier.approve(payout, approver)).rejects.toMatchObject({
        code: 'payout_not_possible',
      });
      const other = await seller();
      const { amount: another, reference: text } = await other.order((amounts += 10));
      await bringEntry({ amount: another, text });
      app.clock.advance(1_000);
      expect(await whyWaits(await other.cashier.request(another))).toEqual({ why: null });
      // The bank did not book it; a file about days to come does not say so.
      const next = () => camtFile('053', statement(dayAfter(day), { amount: 1, text: 'Interest' }));
      await bring(next());
      expect(await whyWaits(payout)).toEqual({ why: 'return_waits' });
      app.clock.set(new Date(`${dayAfter(day)}T12:00:00Z`));
      await bring(next());
      expect(await whyWaits(payout)).toEqual({ why: null });
    },
  );
});

describe('outgoing money with the reference of a paid order, not marked as a return, holds its payout', () => {
  it.each(['smaller', 'larger'] as const)(
    'one transfer paid two orders, that with the %s reference comes back',
    async (which) => {
      const { cashier, order } = await seller();
      const orders = [await order((amounts += 10)), await order((amounts += 10))];
      const sorted = orders.toSorted((one, other) => (one.reference < other.reference ? -1 : 1));
      const amount = orders[0]!.amount + orders[1]!.amount;
      await bringEntry({ amount, text: sorted.map(({ reference }) => reference).join(' ') });
      const back = sorted[which === 'smaller' ? 0 : 1]!;
      await bringEntry({ amount: back.amount, direction: 'out', text: back.reference });
      await expectHeld(cashier, amount);
    },
  );

  it('comes back with the references of two orders', async () => {
    const { cashier, order } = await seller();
    const other = await (await seller()).order((amounts += 10));
    const { amount, reference } = await order((amounts += 10));
    await bringEntry({ amount, text: reference });
    const text = [other.reference, reference].join(' ');
    await bringEntry({ amount, direction: 'out', text });
    await expectHeld(cashier, amount);
  });

  it('was matched by hand with a transfer that does not name it', async () => {
    const { cashier, order } = await seller();
    const { txid, amount, reference } = await order((amounts += 10));
    await bringEntry({ amount, text: 'hello' });
    const [line] = await select<{ id: string }>(
      app,
      'SELECT id FROM bank_lines WHERE amount = $1',
      [amount],
    );
    const part = { merchantId: cashier.shop.merchantId, txid, amount };
    const reconciliation = app.get(ManualReconciliation);
    await reconciliation.matchManually('test', line!.id, [part], operator.id, 'Seen');
    await bringEntry({ amount, direction: 'out', text: reference });
    await expectHeld(cashier, amount);
  });

  it('was paid in two parts and comes back at once', async () => {
    const { cashier, order } = await seller();
    const { amount, reference: text } = await order((amounts += 10));
    const payer = { iban: 'NL91ABNA0417164300' };
    await bringEntry({ amount: 600, text, e2e: `P1${amount}`, payer });
    await bringEntry({ amount: amount - 600, text, e2e: `P2${amount}`, payer });
    await bringEntry({ amount, direction: 'out', text });
    await expectHeld(cashier, amount);
  });
});

describe('outgoing money with the end-to-end id of a payment', () => {
  const cases = Object.entries(FORMATS).flatMap(([format, write]) =>
    [false, true].map((isOutFirst) => [format, isOutFirst, write] as const),
  );

  it.each(cases)('%s, imported before the payment: %s', async (_, isOutFirst, write) => {
    const { cashier, order } = await seller();
    const { amount, reference } = await order((amounts += 10));
    const e2e = `E2E-${amount}`;
    const texts = [
      write(statement(DAY_BEFORE, { amount, text: reference, e2e })),
      write(statement(DAY, { amount, direction: 'out', e2e, text: 'repaid' })),
    ];
    for (const text of isOutFirst ? texts.toReversed() : texts) await bring(text);
    if (!isOutFirst) return expectHeld(cashier, amount);
    const [payment] = await select(
      app,
      `SELECT state, reason FROM bank_lines WHERE amount = $1 AND direction = 'in'`,
      [amount],
    );
    expect(payment).toEqual({ state: 'suggested', reason: 'may_have_gone_back' });
  });
});
