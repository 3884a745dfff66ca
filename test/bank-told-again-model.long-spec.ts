import { randomInt } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BankImportService } from '../src/bank/import/import.service.js';
import { csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { FORMATS } from './support/bank-formats.js';
import { collectionAccount } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { manyTransfers } from './support/many-transfers.js';
import { ibanOf } from './support/payer-text.js';
import { expectHealthy } from './support/payout-invariants.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';
import { offerTransfers } from './support/transfers.js';

/** MODEL_RUNS plays more; MODEL_SEED repeats those of a run that failed. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 12);
const SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));
const RUN_MS = 4_000;

const { app, shop } = await openShop();
await confirmNoTotals(app);
await offerTransfers(app);

const KINDS = ['camt.052', 'camt.053', 'camt.054', 'MT940', 'CSV'] as const;
const DAYS = ['2025-10-20', '2025-10-21', '2025-10-22'] as const;
const IBANS = ['NL91ABNA0417164300', 'DE71110220330123456789'] as const;
const ofKind = <T>(value: fc.Arbitrary<T>) =>
  fc.tuple(value, value, value, value, value).map((all) => all);
const ofFile = <T>(value: fc.Arbitrary<T>) => fc.tuple(value, value, value);
const shown = fc.constantFrom(true, true, false);

/**
 * One booking. The bank names and dates it as each kind of message likes, the same in all files of a kind; what its payer
 * wrote is shown in some files and not in others.
 */
const booking = fc.record({
  amount: fc.constantFrom(10_100, 10_200, 10_300),
  iban: fc.constantFrom(...IBANS),
  /** Orders that its payer names. */
  text: fc.constantFrom(0, 1, null),
  e2e: fc.constantFrom(0, 1, 2, null),
  references: fc.oneof(
    fc.constant([null, null, null, null, null] as const),
    fc.constant(['S', 'S', 'S', 'S', 'S'] as const),
    ofKind(fc.constantFrom('A', 'B', null)),
  ),
  days: fc.oneof(fc.constant([0, 0, 0, 0, 0] as const), ofKind(fc.constantFrom(0, 0, 1))),
  valued: fc.oneof(fc.constant([0, 0, 0, 0, 0] as const), ofKind(fc.constantFrom(0, 0, 2))),
  texts: ofFile(shown),
  ids: ofFile(shown),
  accounts: ofFile(shown),
  numbers: ofFile(fc.constantFrom('1', '2', undefined)),
});
type Booking = typeof booking extends fc.Arbitrary<infer T> ? T : never;

const scenario = fc.record({
  bookings: fc.array(booking, { minLength: 1, maxLength: 5 }),
  files: ofFile(fc.constantFrom(...KINDS)),
  reversed: ofFile(fc.boolean()),
});

let unused: string[] = [];
let played = 0;

async function takeReferences(count: number): Promise<string[]> {
  if (unused.length < count) unused = await manyTransfers(app, shop, 100_000, 10_100);
  return unused.splice(0, count);
}

function entryOf(each: Booking, n: number, kind: number, file: number, orders: string[]) {
  const { amount, iban, text, e2e, references, days, valued } = each;
  const name = references[kind];
  const entry: Record<string, unknown> = {
    amount,
    bookedOn: DAYS[days[kind]!],
    valuedOn: DAYS[valued[kind]!],
    payer: each.accounts[file] ? { iban } : {},
    acctSvcrRef: name === null ? undefined : `${name}-${played}-${n}`,
    text: text !== null && each.texts[file] ? orders[2 * n + text] : undefined,
    e2e: e2e !== null && each.ids[file] ? (e2e < 2 ? orders[2 * n + e2e] : `E${n}`) : undefined,
    ntryRef: each.numbers[file],
  };
  return Object.fromEntries(
    Object.entries(entry).filter(([, value]) => value !== undefined),
  ) as unknown as WrittenEntry;
}

const PAID = `SELECT l.amount FROM bank_lines l WHERE l.account = $1
  AND EXISTS (SELECT FROM bank_allocations a WHERE a.line_id = l.id AND a.undone_at IS NULL)`;

/** Amounts that paid, and for which no money came. */
function beyond(came: readonly number[], paid: readonly number[]): number[] {
  const left = [...came];
  return paid.filter((amount) => {
    const at = left.indexOf(amount);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

it(
  'three files of the same bookings pay none of them twice',
  async () => {
    process.stderr.write(`${RUNS} scenarios, MODEL_SEED=${SEED}\n`);
    let money = 0;
    const run = fc.asyncProperty(scenario, async ({ bookings, files, reversed }) => {
      const account = ibanOf(played++);
      await collectionAccount(app, account);
      const orders = await takeReferences(2 * bookings.length);
      for (const [file, name] of files.entries()) {
        const kind = KINDS.indexOf(name);
        const all = bookings.map((each, n) => entryOf(each, n, kind, file, orders));
        const entries = reversed[file] ? all.toReversed() : all;
        // One row of CSV alone does not show in which order they stand.
        const beside = { amount: 7, text: 'x', bookedOn: DAYS[0], e2e: `x${file}` };
        const written = name === 'CSV' ? [beside, ...entries] : entries;
        const head = {
          account,
          from: DAYS[0],
          day: DAYS[2],
          opening: 9_000,
          id: `M${played}${file}`,
        };
        const bytes = Buffer.from(FORMATS[name]!({ ...head, entries: written }));
        const profile = name === 'CSV' ? csvProfileOf(account) : undefined;
        const options = { mode: 'test', name, source: 'cli', profile } as const;
        const { result } = await app.get(BankImportService).import({ bytes }, options);
        expect(['imported', 'known']).toContain(result);
      }
      const paid = await select<{ amount: string }>(app, PAID, [account]);
      const amounts = paid.map(({ amount }) => Number(amount));
      money += amounts.length;
      expect(
        beyond(
          bookings.map(({ amount }) => amount),
          amounts,
        ),
      ).toEqual([]);
    });
    await fc.assert(run, { numRuns: RUNS, seed: SEED, endOnFailure: process.env['CI'] === 'true' });
    expect(money).toBeGreaterThan(RUNS / 2);
    await expectHealthy(app);
  },
  60_000 + RUNS * RUN_MS,
);
