import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { openShop } from './support/shop.js';

// One booking of the bank: a credit of `sum`, made of two payments. The MT940 total has the text of one payment.
const { app, shop } = await openShop();
await collectionAccount(app);
const day = app.clock.now().toISOString().slice(0, 10);
const before = '2025-12-31';
let files = 0;
let amounts = 1_000;
async function bring(text: string): Promise<void> {
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const result = await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
  expect(result).toMatchObject({ result: 'imported' });
  await app.get(MatcherService).matchNew();
}
const st = (...entries: WrittenEntry[]) => ({
  account: OWN_ACCOUNT,
  day,
  id: `S${++files}`,
  entries,
});
const c =
  (m: '052' | '053' | '054') =>
  (...e: WrittenEntry[]) =>
    camtFile(m, st(...e));
const mt = (...e: WrittenEntry[]) => mt940File(st(...e));

async function world() {
  amounts += 1000;
  const [a, b] = [amounts + 1, amounts + 2];
  const orders = await Promise.all([a, b].map((amount) => shop.order({ amount })));
  const [ra, rb] = await Promise.all(orders.map((o) => told(app, shop, o)));
  const details = [
    { amount: a, text: ra!, e2e: `EA${a}` },
    { amount: b, text: rb!, e2e: `EB${b}` },
  ];
  return { a, b, sum: a + b, ra: ra!, rb: rb!, R: `REF${a}`, details };
}
type W = Awaited<ReturnType<typeof world>>;
const paidBy = async ({ a, b, sum }: W): Promise<number> => {
  const [row] = await select<{ paid: number }>(
    app,
    `SELECT coalesce(sum(a.amount), 0)::int AS paid FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id
     WHERE a.undone_at IS NULL AND l.amount = ANY ($1)`,
    [[a, b, sum]],
  );
  return row!.paid;
};

describe('a total that two formats tell, one of them called a total, then its payments', () => {
  const stories: Record<string, (w: W) => string[]> = {
    'MT940 (text of one), camt.053 batch total, camt.054 payments': (w) => [
      mt({ amount: w.sum, text: w.ra }),
      c('053')({ amount: w.sum, batchOf: 2 }),
      c('054')({ amount: w.sum, details: w.details }),
    ],
    'the same with bank references in camt': (w) => [
      mt({ amount: w.sum, text: w.ra }),
      c('053')({ amount: w.sum, batchOf: 2, acctSvcrRef: w.R }),
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
    ],
    'camt.053 (text of one), camt.052 batch total, camt.054 payments': (w) => [
      c('053')({ amount: w.sum, text: w.ra, e2e: `X${w.a}` }),
      c('052')({ amount: w.sum, batchOf: 2 }),
      c('054')({ amount: w.sum, details: w.details }),
    ],
  };
  it.each(Object.keys(stories))('counts once: %s', async (name) => {
    const w = await world();
    for (const text of stories[name]!(w)) await bring(text);
    expect(await paidBy(w)).toBeLessThanOrEqual(w.sum);
  });
});

describe('a total that one line has paid with, while another line of the same booking waits', () => {
  const stories: Record<string, (w: W) => string[]> = {
    'MT940 (text of one), camt.053 with R nameless, camt.054 R payments': (w) => [
      mt({ amount: w.sum, text: w.ra }),
      c('053')({ amount: w.sum, acctSvcrRef: w.R }),
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
    ],
    'MT940 (text of one), camt.053 with R and text of the other, camt.054 R payments': (w) => [
      mt({ amount: w.sum, text: w.ra }),
      c('053')({ amount: w.sum, acctSvcrRef: w.R, text: w.rb }),
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
    ],
    'MT940 (text of one), camt.053 with text of the other, camt.054 payments': (w) => [
      mt({ amount: w.sum, text: w.ra }),
      c('053')({ amount: w.sum, text: w.rb }),
      c('054')({ amount: w.sum, details: w.details }),
    ],
    'camt.053 text of the other with R waits first': (w) => [
      c('053')({ amount: w.sum, acctSvcrRef: w.R }),
      mt({ amount: w.sum, text: w.ra }),
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
    ],
    'camt.053 e2e of file, 052 R': (w) => [
      c('053')({ amount: w.sum, text: w.ra, e2e: 'FILE1' }),
      c('052')({ amount: w.sum, acctSvcrRef: w.R, e2e: 'NOT' }),
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
    ],
    'MT940 separate entries with R, camt.053 total R text': (w) => [
      mt(...w.details.map((d) => ({ ...d, acctSvcrRef: w.R }))),
      c('053')({ amount: w.sum, text: w.ra, acctSvcrRef: w.R }),
    ],
    'camt.053 total R text, MT940 separate entries with R': (w) => [
      c('053')({ amount: w.sum, text: w.ra, acctSvcrRef: w.R }),
      mt(...w.details.map((d) => ({ ...d, acctSvcrRef: w.R }))),
    ],
  };
  it.each(Object.keys(stories))('counts once: %s', async (name) => {
    const w = await world();
    for (const text of stories[name]!(w)) await bring(text);
    expect(await paidBy(w)).toBeLessThanOrEqual(w.sum);
  });
});

describe('a total under the complete reference of payments that are entries of their own', () => {
  const stories: Record<string, (w: W) => string[]> = {
    'total first': (w) => [
      c('053')({ amount: w.sum, text: w.ra, acctSvcrRef: w.R }),
      c('054')(...w.details.map((d) => ({ ...d, acctSvcrRef: w.R }))),
    ],
    'payments first': (w) => [
      c('054')(...w.details.map((d) => ({ ...d, acctSvcrRef: w.R }))),
      c('053')({ amount: w.sum, text: w.ra, acctSvcrRef: w.R }),
    ],
    'payments in two messages': (w) => [
      ...w.details.map((d) => c('054')({ ...d, acctSvcrRef: w.R })),
      c('053')({ amount: w.sum, text: w.ra, acctSvcrRef: w.R }),
    ],
  };
  it.each(Object.keys(stories))('counts once: %s', async (name) => {
    const w = await world();
    for (const text of stories[name]!(w)) await bring(text);
    expect(await paidBy(w)).toBeLessThanOrEqual(w.sum);
  });
});

describe('a total with the complete reference of its payments, dated differently by another message', () => {
  const stories: Record<string, (w: W) => string[]> = {
    'payments (054), total (053) a day earlier': (w) => [
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
      c('053')({ amount: w.sum, text: w.ra, acctSvcrRef: w.R, bookedOn: before, valuedOn: day }),
    ],
    'total (053) a day earlier, payments (054)': (w) => [
      c('053')({ amount: w.sum, text: w.ra, acctSvcrRef: w.R, bookedOn: before, valuedOn: day }),
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
    ],
    'payments (054), total in MT940 a day earlier': (w) => [
      c('054')({ amount: w.sum, acctSvcrRef: w.R, details: w.details }),
      mt({ amount: w.sum, text: w.ra, acctSvcrRef: w.R, bookedOn: before, valuedOn: day }),
    ],
  };
  it.each(Object.keys(stories))('counts once: %s', async (name) => {
    const w = await world();
    for (const text of stories[name]!(w)) await bring(text);
    expect(await paidBy(w)).toBeLessThanOrEqual(w.sum);
  });
});
