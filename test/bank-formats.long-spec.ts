import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ImportThrottle } from '../src/bank/import/import-throttle.js';
import { BankImportService } from '../src/bank/import/import.service.js';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { TestApp } from './support/app.js';
import { csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { FORMATS, PAIRS, told, reportedBy } from './support/bank-formats.js';
import { expectHealthy } from './support/payout-invariants.js';
import { ROUNDS } from './support/race.js';

/** FORMATS_SEED repeats the days of a run that failed. */
const SEED = Number(process.env['FORMATS_SEED'] ?? randomInt(2 ** 31));

/** Where a long statement is cut must not matter: here it is cut everywhere. */
const SHORT_STEPS: Pick<ImportThrottle, 'run' | 'steps' | 'step'> = {
  steps: { piece: 3, batch: 20, group: 2 },
  run: (work) => work(),
  step: (work) => work(),
};

const PAYERS = [
  { name: 'Ada Payer', iban: 'DE71110220330123456789', bic: 'COBADEFFXXX' },
  { name: 'Bo Betaler', iban: 'NL91ABNA0417164300' },
  { name: 'Ada Payer' },
  undefined,
] as const;
const TEXTS = ['thank you', 'invoice 7', newTransferReference('test'), undefined] as const;

/** Few amounts, so that many bookings differ in little else, or in nothing. */
const payment = fc.record({
  amount: fc.constantFrom(100, 200, 300, 500),
  direction: fc.constantFrom('in', 'in', 'in', 'out'),
  payer: fc.constantFrom(...PAYERS),
  text: fc.constantFrom(...TEXTS),
  isNamed: fc.boolean(),
  hasEndToEndId: fc.boolean(),
  times: fc.constantFrom(1, 1, 2, 3),
});
const batch = fc.array(fc.constantFrom(100, 200, 500), { minLength: 2, maxLength: 4 });
const day = fc.record({
  payments: fc.array(payment, { minLength: 1, maxLength: 8 }),
  batches: fc.array(batch, { maxLength: 2 }),
  order: fc.infiniteStream(fc.nat()),
});
type Day = typeof day extends fc.Arbitrary<infer Value> ? Value : never;

let names = 0;
const named = (): string => `R${String(++names).padStart(15, '0')}`;

/** The bank's entries of a day, in an order of their own. */
function entriesOf({ payments, batches, order }: Day): WrittenEntry[] {
  const singles = payments.flatMap(({ isNamed, hasEndToEndId, times, ...entry }) =>
    Array.from({ length: times }, () => ({
      ...entry,
      ...(isNamed ? { acctSvcrRef: named() } : {}),
      ...(hasEndToEndId ? { e2e: named() } : {}),
    })),
  );
  const totals = batches.map((amounts) => ({
    amount: amounts.reduce((sum: number, amount) => sum + amount, 0),
    acctSvcrRef: named(),
    details: amounts.map((amount) => ({ amount, e2e: named() })),
  }));
  const entries: WrittenEntry[] = [...singles, ...totals];
  const places = order.take(entries.length);
  return [...places]
    .map((place, at) => ({ place, entry: entries[at]! }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ entry }) => entry);
}

describe('a day of an account', () => {
  let app: TestApp;
  let accounts = 0;

  beforeAll(async () => {
    process.stderr.write(`${ROUNDS} days for each pair, FORMATS_SEED=${SEED}\n`);
    app = await TestApp.start({
      replace: (builder) => builder.overrideProvider(ImportThrottle).useValue(SHORT_STEPS),
    });
  });
  afterAll(async () => {
    await expectHealthy(app);
    await app.stop();
  });

  it.each(PAIRS)('is there once, whatever happened: %s, then %s', async (first, second) => {
    const run = fc.asyncProperty(day, async (drawn) => {
      const account = `ACCOUNT${String(++accounts).padStart(8, '0')}`;
      const statement = { account, day: '2025-11-20', opening: 9_000, entries: entriesOf(drawn) };
      for (const [at, name] of [first, second].entries()) {
        const profile = name === 'CSV' ? csvProfileOf(account) : undefined;
        const bytes = Buffer.from(FORMATS[name]!({ ...statement, id: `${account}-${at}` }));
        const options = { mode: 'test', name, source: 'cli', profile } as const;
        const { result, reason } = await app.get(BankImportService).import({ bytes }, options);
        expect({ result, reason }).toEqual({ result: 'imported', reason: undefined });
      }
      const lines = await app.get(BankLineRepository).list({ mode: 'test', account }, 1_000);
      expect(told(lines)).toEqual(reportedBy(statement, [first, second]));
    });
    await fc.assert(run, { numRuns: ROUNDS, seed: SEED });
  });
});
