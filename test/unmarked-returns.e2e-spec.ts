import { describe, expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { camtFile, csvFile, csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { awaited, collectionAccount, told } from './support/bank-lines.js';
import { brought } from './support/brought.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Cashier, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
/** Its bank sends CSV, which marks no returns. */
const CSV = 'DE02500105170137075030';
const CAMT = 'DE75512108001245126199';
for (const account of [CSV, CAMT]) await collectionAccount(app, account);
const PAYER = { name: 'Paula Payer', iban: 'NL91ABNA0417164300' };
const OPERATOR = await person(app, 'operator');

let amounts = 100_000;
let files = 0;
let balance = 10_000_000;
const today = (): string => app.clock.now().toISOString().slice(0, 10);

/** A file of one day; the rows around the booking let its balances prove it. The next file is of the next day. */
async function csv(entry: WrittenEntry): Promise<void> {
  const around = (amount: number): WrittenEntry => ({ amount, text: `Row ${amount}` });
  const entries = [around(++files), entry, around(++files)];
  const file = csvFile({ account: CSV, day: today(), opening: balance, entries });
  for (const { amount, direction } of entries) balance += direction === 'out' ? -amount : amount;
  await brought(app, [file], csvProfileOf(CSV));
  app.clock.advance(86_400_000);
}

async function camt(...entries: WrittenEntry[]): Promise<void> {
  const statement = { account: CAMT, day: today(), id: `C${++files}`, opening: files, entries };
  await brought(app, [camtFile('053', statement)]);
  app.clock.advance(86_400_000);
}

async function expecting(amount = (amounts += 100)) {
  const shop = await app.merchant();
  const order = await shop.order({ amount, expiresInMinutes: 43_200 });
  const reference = await told(app, shop, order);
  await awaited(app, order);
  return { shop, order, amount, reference };
}
type Expecting = Awaited<ReturnType<typeof expecting>>;

const orderOf = async ({ shop, order }: Expecting) => (await shop.read(order.txid)).body;
const linesOf = (amount: number) =>
  select<{ id: string; state: string; reason: string }>(
    app,
    'SELECT id, state, reason FROM bank_lines WHERE amount = $1 ORDER BY booked_on, id',
    [amount],
  );

/** Asks for the money of the order, and has it approved by somebody who did nothing else. */
async function paidOut({ shop, amount }: Expecting): Promise<unknown> {
  const cashier = await Cashier.of(app, shop);
  const payout = await cashier.request(amount);
  return cashier.approve(payout).catch(({ code }: { code: string }) => code);
}

const SPELLINGS: Readonly<Record<string, (reference: string) => string>> = {
  'as the service does': (reference) => reference,
  'without letters': (reference) => reference.slice(2),
  'in groups': (reference) => `no. ${reference.slice(2, 8)} ${reference.slice(8)}.`,
  'with letters for digits': (reference) => reference.replaceAll('0', 'O').replaceAll('1', 'I'),
};

describe('a debit with the reference of an order, spelt', () => {
  it.each(Object.entries(SPELLINGS))(
    '%s, pays no order when the bank gives it back unmarked',
    async (_, spelt) => {
      const test = await expecting();
      const booking = { amount: test.amount, text: spelt(test.reference), payer: PAYER };
      await csv({ ...booking, direction: 'out' });
      await csv(booking);
      expect(await orderOf(test)).toMatchObject({ status: 'open', amountReceived: 0 });
      expect(await linesOf(test.amount)).toMatchObject([
        { state: 'unmatched', reason: 'unknown_money_out' },
        { state: 'suggested', reason: 'may_have_gone_back' },
      ]);
    },
  );

  const EXPLAINED = ['ignored', 'given back with less'] as const;
  it.each(EXPLAINED)('as the service does, pays none afterwards: %s', async (way) => {
    const test = await expecting();
    const booking = { text: test.reference, payer: PAYER };
    const charges = way === 'given back with less' ? 5 : 0;
    await csv({ ...booking, amount: test.amount + charges, direction: 'out' });
    const [debit] = await linesOf(test.amount + charges);
    if (way === 'ignored')
      await app.get(ManualReconciliation).ignore('test', debit!.id, 'Unauthorised direct debit');
    app.clock.advance(20 * 86_400_000);
    await csv({ ...booking, amount: test.amount });
    expect(await orderOf(test)).toMatchObject({ status: 'open', amountReceived: 0 });
    expect((await linesOf(test.amount)).at(-1)).toMatchObject({ reason: 'may_have_gone_back' });
  });
});

describe('a payment that goes back unmarked', () => {
  it.each(Object.entries(SPELLINGS))(
    'is not paid out, where its reference is spelt %s',
    async (_, spelt) => {
      const test = await expecting();
      const booking = { amount: test.amount, text: spelt(test.reference), payer: PAYER };
      await csv(booking);
      expect(await orderOf(test)).toMatchObject({ status: 'paid' });
      await csv({ ...booking, direction: 'out' });
      expect(await paidOut(test)).toBe('payout_not_possible');
      await expectHealthy(app);
    },
  );

  it('is not paid out, where an operator matched it without a reference', async () => {
    const test = await expecting();
    const { shop, order, amount } = test;
    await csv({ amount, text: 'Rent', payer: PAYER });
    const [line] = await linesOf(amount);
    const part = { merchantId: shop.merchantId, txid: order.txid, amount };
    const matching = app.get(ManualReconciliation);
    expect(await matching.matchManually('test', line!.id, [part], OPERATOR.id, 'Seen')).toBe(
      'matched',
    );
    await csv({ amount, text: 'Back', payer: PAYER, direction: 'out' });
    expect(await paidOut(test)).toBe('payout_not_possible');
  });
});

describe('a payment that an operator booked as returned', () => {
  it('can be made again, although the return was an unmarked debit', async () => {
    const test = await expecting();
    const { shop, order, amount, reference } = test;
    const booking = { amount, text: reference, payer: PAYER };
    await csv(booking);
    await csv({ ...booking, direction: 'out' });
    const debit = (await linesOf(amount)).at(-1)!;
    const part = { merchantId: shop.merchantId, txid: order.txid, amount };
    const matching = app.get(ManualReconciliation);
    await matching.returnManually('test', debit.id, part, OPERATOR.id);
    expect(await orderOf(test)).toMatchObject({ exception: 'charged_back', amountReceived: 0 });
    await csv(booking);
    expect(await orderOf(test)).toMatchObject({ exception: 'none', amountReceived: amount });
    await expectHealthy(app);
  });
});

describe('a return whose bank numbers its bookings anew each day', () => {
  it('is taken from none of two equal payments of its payer', async () => {
    const [one, other] = [await expecting(), await expecting(amounts)];
    const booking = { amount: one.amount, payer: PAYER };
    await camt({ ...booking, text: one.reference, acctSvcrRef: '000001' });
    await camt(
      { amount: 5, text: 'Other', acctSvcrRef: '000001' },
      { ...booking, text: other.reference, acctSvcrRef: '000002' },
    );
    await camt({ ...booking, direction: 'out', returned: true, acctSvcrRef: '000001' });
    for (const test of [one, other])
      expect(await orderOf(test)).toMatchObject({ status: 'paid', amountChargedBack: 0 });
    expect((await linesOf(one.amount)).at(-1)).toMatchObject({
      state: 'unmatched',
      reason: 'unknown_money_out',
    });
    for (const test of [one, other]) expect(await paidOut(test)).toBe('payout_not_possible');
    await expectHealthy(app);
  });
});

describe('a second payment of an order', () => {
  const ids = (name: string) => ({ e2e: `${name}${++files}`, acctSvcrRef: `${name}${files}` });

  /** An order that was paid twice; an operator has explained the debit that sent one of both back. */
  async function paidTwice(spelt: (reference: string) => string, debit: Partial<WrittenEntry>) {
    const test = await expecting();
    const booking = { amount: test.amount, text: test.reference, payer: PAYER };
    const [first, second] = [ids('ONE'), ids('TWO')];
    await camt({ ...booking, ...first });
    await camt({ ...booking, ...second });
    const text = spelt(test.reference);
    await camt({ ...booking, text, ...ids('BACK'), ...debit, direction: 'out' });
    const line = (await linesOf(test.amount)).at(-1)!;
    await app.get(ManualReconciliation).ignore('test', line.id, 'The second payment, sent back');
    const returned = { ...booking, ...first, direction: 'out', returned: true } as const;
    return { test, returned };
  }

  it.each([
    ['as the service does', {}],
    ['as the service does', { returned: true }],
    ['without letters', {}],
  ] as const)(
    'does not replace the first, where it was sent back, spelt %s: %j',
    async (spelling, debit) => {
      const { test, returned } = await paidTwice(SPELLINGS[spelling]!, debit);
      const [first] = await linesOf(test.amount);
      const undo = await select<{ merchant_id: string; payment_id: string }>(
        app,
        'SELECT merchant_id, payment_id FROM bank_allocations WHERE line_id = $1',
        [first!.id],
      );
      expect(undo).toHaveLength(1);
      await camt({ ...returned, acctSvcrRef: `R${++files}` });
      // An order with an explained debit loses money only by a person’s word.
      expect((await linesOf(test.amount)).at(-1)).toMatchObject({ reason: 'may_be_refund' });
      const key = { merchantId: undo[0]!.merchant_id, paymentId: undo[0]!.payment_id };
      await app.get(ManualReconciliation).undo('test', key);
      await app.get(MatcherService).matchNew();
      expect(await orderOf(test)).toMatchObject({ amountReceived: 0 });
      expect((await linesOf(test.amount))[1]).toMatchObject({ reason: 'may_have_gone_back' });
      await expectHealthy(app);
    },
  );

  it('pays nothing where its statement comes after its explained return', async () => {
    const test = await expecting();
    const booking = { amount: test.amount, text: test.reference, payer: PAYER, ...ids('LATE') };
    const day = today();
    app.clock.advance(86_400_000);
    await camt({ ...booking, ...ids('BACK'), direction: 'out', returned: true });
    const [debit] = await linesOf(test.amount);
    await app.get(ManualReconciliation).ignore('test', debit!.id, 'Sent back');
    await camt({ ...booking, bookedOn: day });
    expect(await orderOf(test)).toMatchObject({ status: 'open', amountReceived: 0 });
  });
});

describe('a partial return of a payment of which no order has a part', () => {
  it.each(['waits', 'is ignored'])('is a person’s, where that part %s', async (way) => {
    const test = await expecting();
    const { shop, order, amount, reference } = test;
    const sent = { amount: amount + 500, text: reference, payer: PAYER, e2e: `E${++files}` };
    await camt({ ...sent, acctSvcrRef: `P${files}` });
    const [line] = await linesOf(sent.amount);
    const matching = app.get(ManualReconciliation);
    const part = { merchantId: shop.merchantId, txid: order.txid, amount };
    await matching.matchManually('test', line!.id, [part], OPERATOR.id, 'The price');
    if (way === 'is ignored') await matching.ignore('test', line!.id, 'Goes back');
    const back = { ...sent, amount: 500, direction: 'out', returned: true } as const;
    await camt({ ...back, acctSvcrRef: `R${files}` });
    expect(await orderOf(test)).toMatchObject({ exception: 'none', amountReceived: amount });
    expect((await linesOf(500)).at(-1)).toMatchObject({ state: 'unmatched' });
  });

  it('leaves that part in the queue, where the part of the order was returned', async () => {
    const test = await expecting();
    const { shop, order, amount, reference } = test;
    const sent = { amount: 2 * amount, text: reference, payer: PAYER, e2e: `E${++files}` };
    await camt({ ...sent, acctSvcrRef: `P${files}` });
    const [line] = await linesOf(sent.amount);
    const matching = app.get(ManualReconciliation);
    const part = { merchantId: shop.merchantId, txid: order.txid, amount };
    await matching.matchManually('test', line!.id, [part], OPERATOR.id, 'The price');
    await camt({ ...sent, amount, direction: 'out', returned: true, acctSvcrRef: `R${files}` });
    const back = (await linesOf(amount)).at(-1)!;
    expect(back).toMatchObject({ state: 'unmatched' });
    await matching.returnManually('test', back.id, part, OPERATOR.id);
    expect(await orderOf(test)).toMatchObject({ exception: 'charged_back', amountReceived: 0 });
    expect((await linesOf(sent.amount))[0]).toMatchObject({
      state: 'unmatched',
      reason: 'partly_matched',
    });
    await expectHealthy(app);
  });
});
