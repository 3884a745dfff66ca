import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { CollectionAccountsService } from '../src/collection-accounts/collection-accounts.service.js';
import { printedReference } from '../src/common/money/creditor-reference.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { Database } from '../src/database/database.js';
import { CreditsService } from '../src/payments/credits.service.js';
import {
  awaited,
  allocationsOf,
  bookedLine,
  collectionAccount,
  creditOf,
  lineOf,
  type NewLine,
  told,
} from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf } from './support/facts.js';
import { liveAccount } from './support/live-accounts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { person } from './support/people.js';
import { together } from './support/race.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
const reconciliation = app.get(ManualReconciliation);
const operator = await person(app, 'operator');

const read = async ({ txid }: OrderJson) => (await shop.read(txid)).body;

/** An order whose payer was told a reference. */
async function waiting(amount = 1_000, of: Client = shop) {
  const order = await of.order({ amount });
  return { order, reference: await told(app, of, order) };
}

/** Looks at a line with these parts. @returns it as it is afterwards */
async function looked(line: NewLine): Promise<BankLine> {
  const { id } = await bookedLine(app, line);
  await app.get(MatcherService).matchNew();
  return (await lineOf(app, id))!;
}

/** Its bank wrote an amount that its currency does not have. */
const UNREADABLE = { amount: null, amountText: '10.005', kind: 'unusable' };

async function expectBooksInOrder(): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('a line of a bank', () => {
  it('pays the order that it names', async () => {
    const { order, reference } = await waiting();
    const text = `Invoice ${printedReference(reference).toLowerCase()} thanks`;
    const line = await looked({ amount: 1_000, text });
    expect(line).toMatchObject({ state: 'matched', reason: 'reference' });
    expect(await read(order)).toMatchObject({ status: 'paid' });
    expect(await allocationsOf(app, line)).toMatchObject([
      { amount: 1_000, matchedBy: null, evidence: { place: 'text', spelling: 'exact' } },
    ]);
    await expectBooksInOrder();
  });

  it('pays whatever its bank calls the payer, however long', async () => {
    const { order, reference } = await waiting();
    const long = Array.from({ length: 20_000 }, (_, n) => ((n * 7_919) % 9_973).toString(36));
    const named = { counterpartyName: long.join(''), counterpartyAccount: long.join('') };
    const line = await looked({ amount: 1_000, text: reference, ...named });
    expect(line.state).toBe('matched');
    expect(line.counterpartyName === named.counterpartyName).toBe(true);
    const { status, payment } = await read(order);
    expect(status).toBe('paid');
    expect(payment?.payerAccountName).toBe(named.counterpartyName.slice(0, 255));
  });

  it('pays several orders only where it brings exactly what they ask for', async () => {
    const [one, other] = [await waiting(1_000), await waiting(500)];
    const text = `${one.reference} and ${other.reference}`;
    expect(await looked({ amount: 1_400, text })).toMatchObject({
      state: 'suggested',
      reason: 'several_orders',
    });
    expect(await looked({ amount: 1_500, text })).toMatchObject({
      state: 'matched',
      reason: 'several_references',
    });
    expect(await read(one.order)).toMatchObject({ status: 'paid', amountReceived: 1_000 });
    expect(await read(other.order)).toMatchObject({ status: 'paid', amountReceived: 500 });
    await expectBooksInOrder();
  });

  it.each<[string, (reference: string) => Partial<BankLine>, string, string]>([
    ['in another currency', (text) => ({ text, currency: 'CHF' }), 'suggested', 'wrong_currency'],
    [
      'that contradicts itself',
      (text) => ({ text, contradicts: 'so' }),
      'suggested',
      'contradicts',
    ],
    ['to another account', (text) => ({ text, account: 'X' }), 'suggested', 'unknown_account'],
    ['that names nothing', () => ({ text: 'Hello' }), 'unmatched', 'no_reference'],
    [
      'that went out',
      (text) => ({ text, direction: 'out', amount: 1_001 }),
      'unmatched',
      'unknown_money_out',
    ],
    ['that is a total', () => ({ kind: 'batch_total' }), 'unmatched', 'batch_total'],
    ['of no known amount', () => UNREADABLE, 'unmatched', 'unknown_amount'],
    ['that is collected', (text) => ({ text, kind: 'collection' }), 'not_a_payment', 'collection'],
    ['that is announced', (text) => ({ text, status: 'announced' }), 'announced', ''],
  ])('%s pays nothing', async (_, lineFor, state, reason) => {
    const { order, reference } = await waiting();
    const line = await looked({ amount: 1_000, ...lineFor(reference) } as NewLine);
    expect(line).toMatchObject({ state, reason: reason || null });
    expect(await read(order)).toMatchObject({ status: 'open', amountReceived: 0 });
  });

  it('that came before its account was known pays once it is', async () => {
    const { order, reference } = await waiting();
    const { id } = await looked({ amount: 1_000, text: reference, account: 'BE71096123456769' });
    expect(await lineOf(app, id)).toMatchObject({ reason: 'unknown_account' });
    const account = { account: 'BE71096123456769', holder: 'Platform', bic: null, bankName: null };
    await app.get(CollectionAccountsService).add({ mode: 'test', currency: 'EUR', ...account });
    await app.get(MatcherService).matchNew();
    expect(await lineOf(app, id)).toMatchObject({ state: 'matched', reason: 'reference' });
    expect(await read(order)).toMatchObject({ status: 'paid' });
    await expectBooksInOrder();
  });

  it('without the letters pays only what is asked for', async () => {
    const [less, exact] = [await waiting(), await waiting()];
    const digits = (reference: string) => reference.slice(2);
    expect(await looked({ amount: 999, text: digits(less.reference) })).toMatchObject({
      state: 'suggested',
      reason: 'looks_like',
    });
    expect(await looked({ amount: 1_000, text: digits(exact.reference) })).toMatchObject({
      state: 'matched',
      reason: 'reference',
    });
    await expectBooksInOrder();
  });

  it('suggests an order whose number or whose reference with a mistake it has', async () => {
    const { order, reference } = await waiting();
    const wrong = `${reference.slice(0, 10)}${(Number(reference[10]) + 1) % 10}${reference.slice(11)}`;
    expect(await looked({ amount: 1_000, text: wrong })).toMatchObject({ reason: 'looks_like' });
    const line = await looked({ amount: 1_000, text: `Order ${order.orderMerchantId}.` });
    expect(line).toMatchObject({ state: 'suggested', reason: 'order_number' });
    const [first] = (await app.get(MatcherService).suggestionsFor(line)).shown;
    expect(first).toMatchObject({ because: 'order_number', order: { txid: order.txid } });
  });

  it('shows orders whose payers were told its account before others of the same number', async () => {
    const orderMerchantId = 'INV2001';
    const hostile = await app.merchant({ name: 'Hostile' });
    await hostile.order({ amount: 8_003, orderMerchantId });
    const right = await app.merchant({ name: 'Right' });
    const { txid } = await right.order({ amount: 8_003, orderMerchantId });
    await told(app, right, { txid });
    const late = await app.merchant({ name: 'Late' });
    await late.order({ amount: 8_003, orderMerchantId });
    const line = await looked({ amount: 8_003, text: 'INV2001' });
    const { shown } = await app.get(MatcherService).suggestionsFor(line);
    expect(shown.map(({ order }) => order.txid === txid)).toEqual([true, false, false]);
    // However many others there are.
    for (let n = 0; n < 25; n++)
      await (await app.merchant({ name: `M${n}` })).order({ amount: 8_004, orderMerchantId });
    const last = await shop.order({ amount: 8_004, orderMerchantId });
    await told(app, shop, last);
    const other = await looked({ amount: 8_004, text: 'INV2001' });
    const [first] = (await app.get(MatcherService).suggestionsFor(other)).shown;
    expect(first).toMatchObject({ order: { txid: last.txid } });
  });

  it('is for no order that is called like a word', async () => {
    const words = ['Guten', 'Tag', 'anbei', 'die', 'fuer'];
    for (const orderMerchantId of words) await shop.order({ amount: 8_001, orderMerchantId });
    const text = `${words.join(' ')} R-2026-8001`;
    const before = await looked({ amount: 8_001, text });
    expect(before).toMatchObject({ state: 'unmatched', reason: 'no_reference' });
    const { txid } = await shop.order({ amount: 8_001, orderMerchantId: 'R-2026-8001' });
    const line = await looked({ amount: 8_001, text });
    expect(line).toMatchObject({ state: 'suggested', reason: 'order_number' });
    const { shown } = await app.get(MatcherService).suggestionsFor(line);
    expect(shown[0]).toMatchObject({ because: 'order_number', order: { txid } });
  });

  it('shows an order of each merchant before two of any, and counts the others', async () => {
    const crowd = await app.merchant({ name: 'Crowd' });
    const numbers = Array.from({ length: 9 }, (_, n) => `20261124${n}`);
    for (const orderMerchantId of numbers) await crowd.order({ amount: 8_002, orderMerchantId });
    for (let n = 0; n < 60; n++) await awaited(app, (await waiting(8_002, crowd)).order);
    const named = await shop.order({ amount: 8_002, orderMerchantId: 'N-4711' });
    const third = await app.merchant({ name: 'Third' });
    const { order: priced } = await waiting(8_002, third);
    await awaited(app, priced);
    const line = await looked({ amount: 8_002, text: `${numbers.join(' ')} N-4711` });
    const { shown, more } = await app.get(MatcherService).suggestionsFor(line);
    expect(shown).toHaveLength(5);
    const seen = shown.map(({ because, order: { txid } }) => ({ because, txid }));
    expect(seen).toContainEqual({ because: 'order_number', txid: named.txid });
    expect(seen).toContainEqual({ because: 'amount', txid: priced.txid });
    expect(more).toBeGreaterThan(40);
  });

  it('suggests orders of merchants whom the payer has paid before, and of the same amount', async () => {
    const before = await waiting(7_001);
    await looked({
      amount: 7_001,
      text: before.reference,
      counterpartyAccount: 'BE68539007547034',
    });
    const { order } = await waiting(7_002);
    await awaited(app, order);
    const again = await looked({ amount: 7_002, counterpartyAccount: 'BE68539007547034' });
    expect(await app.get(MatcherService).suggestionsFor(again)).toMatchObject({
      shown: [{ because: 'payer_and_amount', order: { txid: order.txid } }],
      more: 0,
    });
    const stranger = await looked({ amount: 7_002, counterpartyAccount: null });
    expect(await app.get(MatcherService).suggestionsFor(stranger)).toMatchObject({
      shown: [{ because: 'amount', order: { txid: order.txid } }],
      more: 0,
    });
  });

  it('is booked once by all who look at it', async () => {
    const { order, reference } = await waiting();
    const { id } = await bookedLine(app, { amount: 1_000, text: reference });
    await together(() => app.get(MatcherService).matchNew(), 5);
    expect(await lineOf(app, id)).toMatchObject({ state: 'matched' });
    expect((await factsOf(app, order.txid)).payments).toHaveLength(1);
    await expectBooksInOrder();
  });
});

describe('a person', () => {
  const part = ({ txid }: OrderJson, amount: number) => ({
    merchantId: shop.merchantId,
    txid,
    amount,
  });
  const match = (line: BankLine, parts: ReturnType<typeof part>[]) =>
    reconciliation.matchManually('test', line.id, parts, operator.id, 'The payer wrote a mail.');

  it('matches a line to orders, part by part', async () => {
    const [one, other] = [await waiting(600), await waiting(400)];
    const line = await looked({ amount: 1_000, text: 'both' });
    expect(await match(line, [part(one.order, 1_001)])).toBe('too_much');
    expect(await match(line, [part(one.order, 600), part(one.order, 400)])).toBe('no_order');
    expect(await match(line, [part(one.order, 600)])).toBe('matched');
    expect(await lineOf(app, line.id)).toMatchObject({ reason: 'partly_matched' });
    expect(await match(line, [part(other.order, 401)])).toBe('too_much');
    expect(await match(line, [part(other.order, 400)])).toBe('matched');
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'matched', reason: 'by_hand' });
    expect(await match(line, [part(other.order, 1)])).toBe('not_waiting');
    expect(await read(other.order)).toMatchObject({ status: 'paid' });
    await expectBooksInOrder();
  });

  it.each<[string, Partial<NewLine>]>([
    ['no account of the platform', { account: 'X' }],
    ['an account of another mode', { account: 'BE62510007547061' }],
    ['an account of another currency', { account: 'BE68539007547034' }],
  ])('matches no money of %s, nor does the database let anybody', async (_, change) => {
    const fields = { holder: 'Platform', bic: null, bankName: null };
    await liveAccount(app, { currency: 'EUR', account: 'BE62510007547061', ...fields });
    const pounds = { mode: 'test', currency: 'GBP', account: 'BE68539007547034' } as const;
    await app.get(CollectionAccountsService).add({ ...pounds, ...fields });
    const { order } = await waiting();
    const line = await looked({ amount: 1_000, ...change });
    expect(line).toMatchObject({ state: 'unmatched', reason: 'unknown_account' });
    expect(await match(line, [part(order, 1_000)])).toBe('unknown_account');
    const credit = { ...creditOf(line), matchedBy: operator.id };
    const past = app
      .get(Database)
      .transaction((tx) =>
        app
          .get(CreditsService)
          .credit(
            tx,
            { merchantId: shop.merchantId, txid: order.txid, mode: 'test' },
            credit,
            new Date(),
          ),
      );
    await expect(past).rejects.toThrow('only money on a collection account');
    expect(await read(order)).toMatchObject({ status: 'open', amountReceived: 0 });
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched' });
  });

  it('matches money that still comes on an account that is shown no more', async () => {
    const account = 'BE43068999999501';
    const id = await collectionAccount(app, account);
    await app.get(CollectionAccountsService).disable(id);
    const { order } = await waiting();
    expect(await match(await looked({ amount: 1_000, account }), [part(order, 1_000)])).toBe(
      'matched',
    );
  });

  it('undoes a match, and the line waits again', async () => {
    const [wrong, right] = [await waiting(), await waiting()];
    const line = await looked({ amount: 1_000 });
    await match(line, [part(wrong.order, 1_000)]);
    const [allocation] = await allocationsOf(app, line);
    expect(await reconciliation.undo('live', allocation!)).toBe('not_there');
    expect(await reconciliation.undo('test', allocation!)).toBe('taken_back');
    expect(await reconciliation.undo('test', allocation!)).toBe('undone_before');
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched', reason: 'undone' });
    expect(await match(line, [part(right.order, 1_000)])).toBe('matched');
    expect(await read(wrong.order)).toMatchObject({ status: 'open', exception: 'none' });
    await expectBooksInOrder();
  });

  it('ignores a line and reopens it', async () => {
    const line = await looked({ amount: 50, text: 'Interest' });
    expect(await reconciliation.reopen('test', line.id)).toBe('not_possible');
    expect(await reconciliation.ignore('test', line.id, 'Interest of the bank')).toBe('done');
    expect(await lineOf(app, line.id)).toMatchObject({
      state: 'ignored',
      reason: 'Interest of the bank',
    });
    expect(await reconciliation.ignore('test', line.id, 'Again')).toBe('not_possible');
    expect(await match(line, [])).toBe('not_waiting');
    expect(await reconciliation.reopen('test', line.id)).toBe('done');
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'unmatched', reason: 'reopened' });
  });

  it('adds the payer that the bank did not name', async () => {
    const { order, reference } = await waiting();
    const nameless = { counterpartyAccount: null, counterpartyAccountType: null } as const;
    const line = await looked({ amount: 1_000, text: reference, ...nameless });
    const [allocation] = await allocationsOf(app, line);
    const key = { merchantId: shop.merchantId, id: allocation!.paymentId };
    const payer = {
      accountNumber: 'BE68539007547034',
      accountType: 'iban',
      accountName: 'X',
    } as const;
    expect(await reconciliation.addPayer('live', key, payer)).toBe('not_possible');
    expect(await reconciliation.addPayer('test', key, payer)).toBe('done');
    expect((await read(order)).payment).toMatchObject({
      payerAccountNumber: 'BE68539007547034',
      payerAccountName: 'Paula Payer',
    });
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('payment.updated');
    await expectBooksInOrder();
  });
});
