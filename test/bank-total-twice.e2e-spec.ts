import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);
const DAY_BEFORE = '2025-12-31';
let files = 0;
/** Far from their sums. */
let amounts = 1_000_000;

async function bring(text: string): Promise<void> {
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const file = { bytes: Buffer.from(text) };
  expect(await app.get(BankImportService).import(file, options)).toMatchObject({
    result: 'imported',
  });
}

function statement(...entries: WrittenEntry[]) {
  files += 1;
  return { account: OWN_ACCOUNT, day: DAY, id: `S${files}`, entries };
}
const camt052 = (...entries: WrittenEntry[]) => camtFile('052', statement(...entries));
const camt053 = (...entries: WrittenEntry[]) => camtFile('053', statement(...entries));
const camt054 = (...entries: WrittenEntry[]) => camtFile('054', statement(...entries));
const mt940 = (...entries: WrittenEntry[]) => mt940File(statement(...entries));

/**
 * A credit of two payments, each for an order. Totals have the text of the first payment.
 * @param times how many such payments an order costs; of 4, each also costs more than the total
 */
async function credit(times = 4) {
  const parts = [(amounts += 1_001), amounts + 1];
  const orders = await Promise.all(parts.map((amount) => shop.order({ amount: times * amount })));
  const texts = await Promise.all(orders.map((order) => told(app, shop, order)));
  const details = parts.map((amount, n) => ({ amount, text: texts[n]!, e2e: `E${amount}` }));
  const amount = parts[0]! + parts[1]!;
  const acctSvcrRef = `REF${amount}`;
  const own = details.map((each) => ({ ...each, acctSvcrRef }));
  return { amount, parts, details, own, acctSvcrRef, text: texts[0]!, otherText: texts[1]! };
}
type Credit = Awaited<ReturnType<typeof credit>>;

async function paidBy({ amount, parts }: Credit): Promise<number> {
  const [row] = await select<{ paid: number }>(
    app,
    `SELECT coalesce(sum(a.amount), 0)::int AS paid FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id
     WHERE a.undone_at IS NULL AND l.amount = ANY ($1)`,
    [[amount, ...parts]],
  );
  return row!.paid;
}

const idOf = async (amount: number): Promise<string> => {
  const rows = await select<{ id: string }>(app, 'SELECT id FROM bank_lines WHERE amount = $1', [
    amount,
  ]);
  return rows[0]!.id;
};

type Stories = Readonly<Record<string, (credit: Credit) => string[]>>;

const REPORTED_TWICE: Stories = {
  'MT940, camt.053 as a total, payments': ({ amount, text, details }) => [
    mt940({ amount, text }),
    camt053({ amount, batchOf: 2 }),
    camt054({ amount, details }),
  ],
  'MT940, camt.053 as a total with a reference, payments': (of) => [
    mt940({ amount: of.amount, text: of.text }),
    camt053({ amount: of.amount, batchOf: 2, acctSvcrRef: of.acctSvcrRef }),
    camt054({ amount: of.amount, acctSvcrRef: of.acctSvcrRef, details: of.details }),
  ],
  'camt.053, camt.052 as a total, payments': ({ amount, text, details }) => [
    camt053({ amount, text, e2e: `X${amount}` }),
    camt052({ amount, batchOf: 2 }),
    camt054({ amount, details }),
  ],
  'MT940, camt.053 with a reference, payments': ({ amount, text, acctSvcrRef, details }) => [
    mt940({ amount, text }),
    camt053({ amount, acctSvcrRef }),
    camt054({ amount, acctSvcrRef, details }),
  ],
  'MT940, camt.053 with the text of the other payment, payments': (of) => [
    mt940({ amount: of.amount, text: of.text }),
    camt053({ amount: of.amount, acctSvcrRef: of.acctSvcrRef, text: of.otherText }),
    camt054({ amount: of.amount, acctSvcrRef: of.acctSvcrRef, details: of.details }),
  ],
  'camt.053 with a reference, MT940, payments': ({ amount, text, acctSvcrRef, details }) => [
    camt053({ amount, acctSvcrRef }),
    mt940({ amount, text }),
    camt054({ amount, acctSvcrRef, details }),
  ],
  'payments, camt.053 as a total, MT940': ({ amount, text, details }) => [
    camt054({ amount, details }),
    camt053({ amount, batchOf: 2 }),
    mt940({ amount, text }),
  ],
  'MT940, announced payments, one booked alone': ({ amount, text, acctSvcrRef, details }) => [
    mt940({ amount, text }),
    camt052({ amount, acctSvcrRef, details, status: 'announced' }),
    camt054(details[0]!),
  ],
};

const UNDER_ONE_REFERENCE: Stories = {
  'total, payments': ({ amount, text, acctSvcrRef, own }) => [
    camt053({ amount, text, acctSvcrRef }),
    camt054(...own),
  ],
  'payments, total': ({ amount, text, acctSvcrRef, own }) => [
    camt054(...own),
    camt053({ amount, text, acctSvcrRef }),
  ],
  'payments in two files, total': ({ amount, text, acctSvcrRef, own }) => [
    ...own.map((each) => camt054(each)),
    camt053({ amount, text, acctSvcrRef }),
  ],
  'payments in MT940, total': ({ amount, text, acctSvcrRef, own }) => [
    mt940(...own),
    camt053({ amount, text, acctSvcrRef }),
  ],
  'total, payments in MT940': ({ amount, text, acctSvcrRef, own }) => [
    camt053({ amount, text, acctSvcrRef }),
    mt940(...own),
  ],
};

const earlier = { bookedOn: DAY_BEFORE, valuedOn: DAY };
const DATED_APART: Stories = {
  'payments, camt.053': ({ amount, text, acctSvcrRef, details }) => [
    camt054({ amount, acctSvcrRef, details }),
    camt053({ amount, text, acctSvcrRef, ...earlier }),
  ],
  'camt.053, payments': ({ amount, text, acctSvcrRef, details }) => [
    camt053({ amount, text, acctSvcrRef, ...earlier }),
    camt054({ amount, acctSvcrRef, details }),
  ],
  'payments, MT940': ({ amount, text, acctSvcrRef, details }) => [
    camt054({ amount, acctSvcrRef, details }),
    mt940({ amount, text, acctSvcrRef, ...earlier }),
  ],
};

describe.each([
  ['that two files report', REPORTED_TWICE],
  ['under the reference of payments that are entries of their own', UNDER_ONE_REFERENCE],
  ['that another message dates a day apart', DATED_APART],
])('a total of two payments %s', (_, stories) => {
  it.each(Object.entries(stories))('counts once: %s', async (_story, write) => {
    const of = await credit();
    for (const text of write(of)) await bring(text);
    expect(await paidBy(of)).toBeLessThanOrEqual(of.amount);
  });
});

describe('the net amount of a payment and a deduction', () => {
  const FEE = 137;
  const CREDIT = '<CdtDbtInd>CRDT</CdtDbtInd>';

  /** The last detail of the only entry is the deduction. */
  function itemized(entry: WrittenEntry, text: string): string {
    const details = [
      { amount: entry.amount + FEE, text },
      { amount: FEE, text: 'FEE' },
    ];
    const xml = camt054({ ...entry, details });
    const at = xml.lastIndexOf(CREDIT);
    return xml.slice(0, at) + CREDIT.replace('CRDT', 'DBIT') + xml.slice(at + CREDIT.length);
  }

  it.each([
    ['first', 'with'],
    ['first', 'without'],
    ['last', 'with'],
    ['last', 'without'],
  ] as const)(
    'is no payment beside them: reported %s, %s a reference',
    async (place, reference) => {
      const gross = (amounts += 1_001);
      const order = await shop.order({ amount: 2 * gross });
      const text = await told(app, shop, order);
      const amount = gross - FEE;
      const entry = { amount, ...(reference === 'with' && { acctSvcrRef: `NET${gross}` }) };
      const files = [camt053({ ...entry, text }), itemized(entry, text)];
      for (const file of place === 'first' ? files : files.toReversed()) await bring(file);
      const { amountReceived } = (await shop.read(order.txid)).body;
      expect([gross, amount]).toContain(amountReceived);
    },
  );
});

describe('payments whose total was ignored', () => {
  it('count after “Same booking”; if that is undone, the total waits', async () => {
    const of = await credit();
    await bring(mt940({ amount: of.amount, text: 'thanks' }));
    const total = await idOf(of.amount);
    await app.get(ManualReconciliation).ignore('test', total, 'unclear');
    await bring(camt054({ amount: of.amount, details: of.details }));
    expect(await paidBy(of)).toBe(0);
    const duplicates = app.get(PossibleDuplicatesService);
    expect(await duplicates.sameBooking('test', await idOf(of.parts[0]!))).toBe('done');
    await app.get(MatcherService).matchNew();
    expect(await paidBy(of)).toBe(of.amount);
    expect(await duplicates.undoSameBooking('test', total)).toBe('done');
    await app.get(MatcherService).matchNew();
    expect(await paidBy(of)).toBe(of.amount);
    expect(await select(app, 'SELECT reason FROM bank_lines WHERE id = $1', [total])).toEqual([
      { reason: 'possible_total' },
    ]);
  });
});

const MORE_THAN_DUE: Stories = {
  'payment, total, both payments': ({ amount, text, acctSvcrRef, details }) => [
    camt052(details[0]!),
    camt053({ amount, text, acctSvcrRef }),
    camt054({ amount, acctSvcrRef, details }),
  ],
  'total, payments in two files': ({ amount, text, acctSvcrRef, own }) => [
    camt053({ amount, text, acctSvcrRef }),
    ...own.map((each) => camt054(each)),
  ],
  'total, payments in two files, no common reference': ({ amount, text, details }) => [
    mt940({ amount, text }),
    ...details.map((each) => camt054(each)),
  ],
  'total, payments that add up to more': ({ amount, text, acctSvcrRef, details }) => [
    camt053({ amount: amount - 98, text, acctSvcrRef }),
    camt054({ amount: amount - 98, acctSvcrRef, details }),
  ],
  'payments that add up to more, total': ({ amount, text, acctSvcrRef, details }) => [
    camt054({ amount: amount - 98, acctSvcrRef, details }),
    camt053({ amount: amount - 98, text, acctSvcrRef }),
  ],
};

describe('a total of two payments with the text of the one that its order is due', () => {
  it.each(Object.entries(MORE_THAN_DUE))('counts once: %s', async (_story, write) => {
    const of = await credit(1);
    for (const text of write(of)) await bring(text);
    expect(await paidBy(of)).toBeLessThanOrEqual(of.amount);
    expect(brokenIn(await app.get(Doctor).examine({ overdue: false }))).toEqual([]);
  });
});
