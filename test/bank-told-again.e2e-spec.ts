import { describe, expect, it } from '@jest/globals';
import { accountFiles } from './support/account-files.js';
import { csvFile, csvProfileOf, mt940File, type WrittenEntry } from './support/bank-file.js';
import { askedAbout, brought, linesWith } from './support/brought.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const { dayOff, newAmount, statement, camt } = accountFiles(app);
const PAYER = { name: 'Mallory', iban: 'NL91ABNA0417164300' };
const PROFILE = csvProfileOf(OWN_ACCOUNT);

const [report, booked, notification] = [camt('052'), camt('053'), camt('054')];
const mt940 = (...entries: WrittenEntry[]): string => mt940File(statement(...entries));
/** Other rows beside it: one alone does not show in which order they stand. */
const csv = (entry: WrittenEntry): string =>
  csvFile(statement({ amount: 3, text: 'a' }, entry, { amount: 5, text: 'b' }));
type Write = (entry: WrittenEntry) => string;

const bring = (...texts: readonly string[]): Promise<void> => brought(app, texts, PROFILE);

async function waiting(amount: number): Promise<{ order: OrderJson; reference: string }> {
  const order = await shop.order({ amount });
  return { order, reference: await told(app, shop, order) };
}

/** Two orders, of which the first has the lesser reference. */
async function two(amount: number) {
  const both = await Promise.all([waiting(amount), waiting(amount)]);
  return both.toSorted((one, other) => (one.reference < other.reference ? -1 : 1));
}

const receivedFor = async (...orders: OrderJson[]): Promise<number> => {
  const read = await Promise.all(orders.map(({ txid }) => shop.read(txid)));
  return read.reduce((sum, { body }) => sum + body['amountReceived'], 0);
};

describe('one booking whose payer names two orders, and of which two files show other parts', () => {
  type Part = (a: string, b: string) => Partial<WrittenEntry>;
  const WAYS: readonly (readonly [string, Write, Part, Write, Part])[] = [
    [
      'the bank names it anew in another kind of message',
      report,
      (_, e2e) => ({ e2e, acctSvcrRef: 'REP-1' }),
      booked,
      (text, e2e) => ({ text, e2e, acctSvcrRef: 'STM-7' }),
    ],
    [
      'the text, then the end-to-end id',
      report,
      (text) => ({ text, acctSvcrRef: 'X1' }),
      booked,
      (_, e2e) => ({ e2e, acctSvcrRef: 'Y1' }),
    ],
    [
      'the text, then the end-to-end id in CSV',
      report,
      (text) => ({ text, acctSvcrRef: 'X1' }),
      csv,
      (_, e2e) => ({ e2e, acctSvcrRef: 'Y1' }),
    ],
    ['without references', notification, (text) => ({ text }), csv, (_, e2e) => ({ e2e })],
    [
      'a report that counts anew',
      report,
      (text) => ({ text, ntryRef: '1' }),
      report,
      (_, e2e) => ({ e2e, ntryRef: '2' }),
    ],
    [
      'on another day',
      report,
      (text) => ({ text, bookedOn: dayOff(-1) }),
      booked,
      (_, e2e) => ({ e2e }),
    ],
    [
      'as another transaction of another kind of message',
      notification,
      (text) => ({ text, transactionId: 'T1' }),
      booked,
      (_, e2e) => ({ e2e, transactionId: 'T2' }),
    ],
  ];

  it.each(WAYS)('pays once, and asks: %s', async (_, first, says, second, saysThen) => {
    const amount = newAmount();
    const [a, b] = await two(amount);
    const entry = { amount, payer: PAYER };
    await bring(first({ ...entry, ...says(a!.reference, b!.reference) }));
    await bring(second({ ...entry, ...saysThen(a!.reference, b!.reference) }));
    expect(await receivedFor(a!.order, b!.order)).toBe(amount);
    expect(await askedAbout(app, amount)).toHaveLength(1);
    await expectHealthy(app);
  });
});

describe('a line that gets the words of its payer from a later file', () => {
  const WRITERS = { 'camt.053': booked, MT940: mt940, CSV: csv };

  it.each(Object.entries(WRITERS))('pays once: %s', async (format, third) => {
    const amount = newAmount();
    const order = await shop.order({ amount: 2 * amount });
    const text = await told(app, shop, order);
    const entry = { amount, payer: PAYER };
    await bring(notification({ ...entry, acctSvcrRef: `RR${amount}` }));
    await bring(report({ ...entry, text, e2e: 'E14', acctSvcrRef: `SS${amount}` }));
    await bring(third({ ...entry, text, acctSvcrRef: `RR${amount}` }));
    // A payer may have written the reference of MT940, so it joins no texts.
    const isSure = format !== 'MT940';
    expect(await receivedFor(order)).toBe(isSure ? amount : 0);
    expect(await askedAbout(app, amount)).toHaveLength(isSure ? 1 : 2);
    await expectHealthy(app);
  });

  it('is compared again before it pays', async () => {
    const amount = newAmount();
    const order = await shop.order({ amount: 2 * amount });
    const text = await told(app, shop, order);
    const entry = { amount, payer: PAYER };
    // The same kind of message dates both differently, and nothing else of the bank's says that they are one.
    await bring(report({ ...entry, text, bookedOn: dayOff(-2) }));
    await bring(report({ ...entry, acctSvcrRef: `RR${amount}` }));
    expect(await receivedFor(order)).toBe(amount);
    await bring(booked({ ...entry, text, acctSvcrRef: `RR${amount}` }));
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedAbout(app, amount)).toHaveLength(1);
    await expectHealthy(app);
  });

  it('is compared again when it is none of those that it might be', async () => {
    const amount = newAmount();
    const [a, b, c] = await Promise.all([waiting(amount), waiting(amount), waiting(amount)]);
    const id = `E${amount}`;
    const first = { amount, payer: PAYER, text: a.reference, e2e: id, acctSvcrRef: `N${amount}` };
    const second = { amount, text: b.reference, e2e: id, acctSvcrRef: `R${amount}` };
    const other = { iban: 'DE71110220330123456789' };
    await bring(notification({ amount, text: c.reference, payer: other }));
    await bring(notification(first));
    await bring(report(second));
    expect(await receivedFor(a.order, b.order, c.order)).toBe(2 * amount);
    // The statement has two bookings, of which the report is one; that of the third order may be it, too.
    await bring(booked(second, first));
    expect(await receivedFor(a.order, b.order, c.order)).toBe(2 * amount);
    expect(await askedAbout(app, amount)).toHaveLength(1);
    await expectHealthy(app);
  });
});

describe('one partial return of which two files show other words', () => {
  it('takes back once, and asks', async () => {
    const amount = 10 * newAmount();
    const order = await shop.order({ amount });
    const text = await told(app, shop, order);
    const paid = { amount, payer: PAYER, bookedOn: dayOff(-2) };
    await bring(report({ ...paid, text, e2e: `E${amount}`, acctSvcrRef: 'PAY15' }));
    expect(await receivedFor(order)).toBe(amount);
    const back = { amount: amount - 100, payer: PAYER, direction: 'out', returned: true } as const;
    await bring(report({ ...back, e2e: `E${amount}`, acctSvcrRef: 'RB15' }));
    expect(await receivedFor(order)).toBe(100);
    await bring(booked({ ...back, text, acctSvcrRef: 'SB15' }));
    expect(await receivedFor(order)).toBe(100);
    const asked = (await linesWith(app, amount - 100)).filter((line) => line.duplicateOf !== null);
    expect(asked).toHaveLength(1);
    const returns = await select(app, 'SELECT FROM bank_returns WHERE amount = $1', [amount - 100]);
    expect(returns).toHaveLength(1);
    await expectHealthy(app);
  });
});

describe('a total that words of a payer stand beside', () => {
  type Beside = (text: string) => Partial<WrittenEntry>;
  const BESIDE: readonly (readonly [string, Write, Beside])[] = [
    ['the order in MT940', mt940, (text) => ({ text })],
    ['the order in camt.053', booked, (text) => ({ text })],
    ['an end-to-end id', booked, (e2e) => ({ e2e })],
    ['the account of one payer', mt940, () => ({ payer: PAYER })],
    ['the account of one payer, and the order', booked, (text) => ({ payer: PAYER, text })],
  ];
  const CASES = BESIDE.flatMap(([name, write, beside]) =>
    ([true, false] as const).flatMap((isReferred) =>
      ([true, false] as const).map((isFirst) => ({ name, write, beside, isReferred, isFirst })),
    ),
  );

  it.each(CASES)(
    'counts no more than its payments: $name, same reference: $isReferred, first: $isFirst',
    async ({ write, beside, isReferred, isFirst }) => {
      // Neither the sum nor a payment is one of another test.
      const n = newAmount() / 100;
      const parts = [400_000 + 7 * n, 500_000 + 11 * n];
      const amount = 900_000 + 18 * n;
      const order = await shop.order({ amount: 2 * amount });
      const text = await told(app, shop, order);
      const named = isReferred ? { acctSvcrRef: `BREF${amount}` } : {};
      const details = parts.map((each, n) => {
        return { amount: each, text, payer: PAYER, e2e: `Q${n}-${amount}` };
      });
      const total = write({ amount, ...named, ...beside(text) });
      const payments = notification({ amount, ...named, details });
      for (const each of isFirst ? [total, payments] : [payments, total]) await bring(each);
      expect(await receivedFor(order)).toBe(amount);
      const lines = await linesWith(app, amount);
      expect(lines).toHaveLength(1);
      await expectHealthy(app);
    },
  );
});
