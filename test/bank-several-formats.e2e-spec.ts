import { describe, expect, it } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import type { WrittenEntry } from './support/bank-file.js';
import { told } from './support/bank-lines.js';
import { creditedBy, type FormatFiles, formatFiles, linesOf } from './support/format-files.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const [FIRST_DAY, NEXT_DAY, LAST_DAY] = ['2025-12-28', '2025-12-29', '2026-01-01'];
const IBANS = ['NL91ABNA0417164300', 'BE68539007547034', 'FR1420041010050500013M02606'];
let amounts = 1_000_000;

const ownAccount = () => formatFiles(app, FIRST_DAY, LAST_DAY);

async function ordered(amount: number) {
  const order = await shop.order({ amount });
  return { order, text: await told(app, shop, order) };
}

/** Two payments, and an order of exactly their sum: the payer of the first wrote its reference. */
async function batch() {
  const parts = [(amounts += 1_001), amounts + 1];
  const sum = parts[0]! + parts[1]!;
  const ofSum = await ordered(sum);
  const others = [await ordered(parts[0]!), await ordered(parts[1]!)];
  const details = parts.map((amount, n) => ({
    amount,
    text: n === 0 ? ofSum.text : others[n]!.text,
    payer: { name: 'Payer', iban: IBANS[n]! },
  }));
  return { parts, sum, text: ofSum.text, texts: others.map(({ text }) => text), details };
}
type Batch = Awaited<ReturnType<typeof batch>>;

const doctorFinds = async () =>
  brokenIn(await app.get(Doctor).examine({ overdue: false })).map(({ fact }) => fact.name);

/** The first payment waits: a reference without its letters pays only what is due. */
const waiting = (text: string, [first, other]: Batch['details']) => [
  { ...first!, text: text.slice(2) },
  other!,
];

const STORIES: Readonly<Record<string, (file: FormatFiles, of: Batch) => string[]>> = {
  'a total in MT940, details a day later': (file, { sum, text, details }) => [
    file.mt940({ amount: sum, text, bookedOn: FIRST_DAY }),
    file.camt054({ amount: sum, details, bookedOn: NEXT_DAY }),
  ],
  'a total in camt.053, payments as entries of the same day': (file, { sum, text, details }) => [
    file.camt053({ amount: sum, text, acctSvcrRef: `T${sum}` }),
    file.camt054(...details.map((each, n) => ({ ...each, acctSvcrRef: `P${sum}${n}` }))),
  ],
  'a total in MT940, rows of a CSV file': (file, { sum, text, details }) => [
    file.mt940({ amount: sum, text }),
    file.csv(...details),
  ],
  'a total with the id of a transaction': (file, { sum, text, details }) => [
    file.camt053({ amount: sum, text, transactionId: `TX${sum}`, bookedOn: FIRST_DAY }),
    file.camt054({ amount: sum, details, bookedOn: NEXT_DAY }),
  ],
  'a total with the account of its first payment': (file, { sum, text, details }) => [
    file.camt053({ amount: sum, text, payer: details[0]!.payer, bookedOn: FIRST_DAY }),
    file.camt054({ amount: sum, details, bookedOn: NEXT_DAY }),
  ],
  'a total that the other format had announced': (file, { sum, text, details }) => [
    file.camt052({ amount: sum, text, status: 'announced', bookedOn: FIRST_DAY }),
    file.camt053({ amount: sum, text, bookedOn: FIRST_DAY }),
    file.camt052(...details.map((each) => ({ ...each, bookedOn: NEXT_DAY }))),
  ],
  'a total with the id of a transfer': (file, { sum, text, details }) => [
    file
      .camt053({ amount: sum, text, bookedOn: FIRST_DAY })
      .replace('<EndToEndId>', '<UETR>8a562c67-ca16-48ba-b074-65581be6f001</UETR><EndToEndId>'),
    file.camt054({ amount: sum, details, bookedOn: NEXT_DAY }),
  ],
  'payments in a file in which a line has no day': (file, { sum, text, details }) => [
    file.mt940({ amount: sum, text, bookedOn: FIRST_DAY }),
    file
      .camt054(
        { amount: 5, bookedOn: '2025-12-30' },
        { amount: sum, details: waiting(text, details), bookedOn: NEXT_DAY },
      )
      .replaceAll(/<(BookgDt|ValDt)><Dt>2025-12-30<\/Dt><\/\1>/g, ''),
  ],
  'a total without a day': (file, { sum, text, details }) => [
    file
      .camt052({ amount: sum, text, bookedOn: '2025-12-30' })
      .replaceAll(/<(BookgDt|ValDt)><Dt>2025-12-30<\/Dt><\/\1>/g, ''),
    file.camt054({ amount: sum, details, bookedOn: NEXT_DAY }),
  ],
  'a total that names the orders of its payments': (file, { sum, texts, details }) => [
    file.mt940({ amount: sum, text: texts.join(' '), bookedOn: FIRST_DAY }),
    file.camt054({
      amount: sum,
      details: details.map((each, n) => ({ ...each, text: texts[n]! })),
      bookedOn: NEXT_DAY,
    }),
  ],
};

describe('a total in one format and its payments in another', () => {
  it.each(
    Object.entries(STORIES).flatMap(([name, write]) => [
      { name, write, first: 'total' },
      { name, write, first: 'payments' },
    ]),
  )('pay no more than came: $name, first the $first', async ({ write, first }) => {
    const [file, of] = [await ownAccount(), await batch()];
    const texts = write(file, of);
    for (const text of first === 'total' ? texts : texts.toReversed()) await file.bring(text);
    expect(await creditedBy(app, [of.sum, ...of.parts])).toBeLessThanOrEqual(of.sum);
    expect(await doctorFinds()).toEqual([]);
  });
});

it('a total with the account of a payment that waits pays nothing by itself', async () => {
  const [file, { sum, text, parts, details }] = [await ownAccount(), await batch()];
  const [waiting, other] = details as [WrittenEntry, WrittenEntry];
  await file.bring(file.camt054({ ...waiting, text: text.slice(2) }, other));
  const total = { amount: sum, text, payer: waiting.payer!, bookedOn: FIRST_DAY };
  await file.bring(file.camt053(total));
  expect(await linesOf(app, sum)).toMatchObject([{ reason: 'total_or_payment' }]);
  expect(await creditedBy(app, [sum, ...parts])).toBe(parts[1]);
});

describe('a transfer', () => {
  it('pays by itself in one format, although the bank names no payer', async () => {
    const file = await ownAccount();
    for (const bookedOn of [FIRST_DAY, NEXT_DAY]) {
      const amount = (amounts += 1_001);
      await file.bring(file.mt940({ amount, text: (await ordered(amount)).text, bookedOn }));
      expect(await linesOf(app, amount)).toMatchObject([{ state: 'matched', reason: 'reference' }]);
    }
  });

  it('waits in several formats until one names its payer', async () => {
    const file = await ownAccount();
    await file.bring(file.camt052({ amount: 1, text: 'x' }));
    const amount = (amounts += 1_001);
    const entry = { amount, text: (await ordered(amount)).text, acctSvcrRef: `N${amount}` };
    await file.bring(file.camt053(entry));
    expect(await linesOf(app, amount)).toMatchObject([{ reason: 'payer_not_named' }]);
    await file.bring(file.camt052({ ...entry, payer: { iban: IBANS[0]! } }));
    expect(await linesOf(app, amount)).toMatchObject([{ state: 'matched', reason: 'reference' }]);
  });

  it('waits in several formats if the bank names no payer, or if it is less than due', async () => {
    const file = await ownAccount();
    await file.bring(file.camt052({ amount: 1, text: 'x' }));
    const [unnamed, less] = [(amounts += 1_001), (amounts += 1_001)];
    await file.bring(
      file.camt053(
        { amount: unnamed, text: (await ordered(unnamed)).text },
        { amount: less, text: (await ordered(less + 1)).text, payer: { iban: IBANS[1]! } },
      ),
    );
    expect(await linesOf(app, unnamed)).toMatchObject([{ reason: 'payer_not_named' }]);
    expect(await linesOf(app, less)).toMatchObject([{ reason: 'less_than_due' }]);
  });
});

it('a total of returns in one format and the returns in another take no more back than left', async () => {
  const file = await ownAccount();
  const [one, other] = [(amounts += 1_001), (amounts += 1_001)];
  const orders = [await ordered(one + other + 500), await ordered(other)];
  const payments = [one + other + 500, other].map((amount, n) => ({
    amount,
    text: orders[n]!.text,
    payer: { iban: IBANS[n]! },
    e2e: `E${amount}`,
    bookedOn: FIRST_DAY,
  }));
  await file.bring(file.camt053(...payments));
  const out = { direction: 'out', returned: true, text: orders[0]!.text } as const;
  await file.bring(file.mt940({ ...out, amount: one + other, bookedOn: NEXT_DAY }));
  const returned = payments.map((each, n) => ({
    ...each,
    returned: true,
    amount: [one, other][n]!,
  }));
  const total = {
    amount: one + other,
    direction: 'out',
    returned: true,
    details: returned,
  } as const;
  await file.bring(file.camt054({ ...total, bookedOn: LAST_DAY }));
  const left = await Promise.all(
    orders.map(async ({ order }) => (await shop.read(order.txid)).body.amountReceived as number),
  );
  expect(left[0]! + left[1]!).toBeGreaterThanOrEqual(other + 500);
  expect(await doctorFinds()).toEqual([]);
});

it('details are imported beside a total that may be a duplicate of one of them', async () => {
  const file = await ownAccount();
  const amount = (amounts += 1_001);
  const acctSvcrRef = `D${amount}`;
  const texts = [(await ordered(amount)).text, (await ordered(amount)).text];
  await file.bring(file.csv(...texts.map((text) => ({ amount, text, acctSvcrRef }))));
  await file.bring(file.mt940({ amount: 2 * amount, acctSvcrRef }));
  await file.bring(file.camt052({ amount: 2 * amount }));
  const details = texts.map((text) => ({ amount, text }));
  await file.bring(file.camt054({ amount: 2 * amount, details }));
  expect(await creditedBy(app, [amount, 2 * amount])).toBeLessThanOrEqual(2 * amount);
});
