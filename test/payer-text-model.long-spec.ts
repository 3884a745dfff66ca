import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BankImportService } from '../src/bank/import/import.service.js';
import { csvProfileOf } from './support/bank-file.js';
import { collectionAccount } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { manyTransfers } from './support/many-transfers.js';
import {
  allowed,
  FOREIGN_NAME,
  honest,
  ibanOf,
  REFERENCES,
  type Scenario,
  scenarios,
} from './support/payer-text.js';
import { expectHealthy } from './support/payout-invariants.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';
import { offerTransfers } from './support/transfers.js';
import { render } from './support/statement-renderers.js';

/** `npm run test:model` plays 20,000 bookings; MODEL_SEED repeats those of a run that failed. */
const BOOKINGS = Number(process.env['TEXT_BOOKINGS'] ?? 300);
const SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));
/** Bookings of a statement, on average. */
const A_STATEMENT = 4;
const RUNS = Math.ceil(BOOKINGS / A_STATEMENT);
const HONEST_RUNS = Math.ceil(RUNS / 4);
const RUN_MS = 2_000;
const SETTING = { numRuns: RUNS, seed: SEED, endOnFailure: process.env['CI'] === 'true' };

const { app, shop } = await openShop();
await confirmNoTotals(app);
await offerTransfers(app);

/** What an account's lines paid: each line that paid anything, with the sum of its allocations. */
const PAID_LINES = `
  SELECT l.amount, sum(a.amount)::bigint AS paid, max(p.payer_account_number) AS "payerAccount",
    max(p.payer_account_name) AS "payerName"
  FROM bank_lines l JOIN bank_allocations a ON a.line_id = l.id
    JOIN payments p ON p.merchant_id = a.merchant_id AND p.id = a.payment_id
  WHERE l.account = $1 AND a.undone_at IS NULL GROUP BY l.id, l.amount`;

interface PaidLine {
  readonly amount: number;
  readonly paid: number;
  readonly payerAccount: string | null;
  readonly payerName: string | null;
}

/** Money that names nothing. */
const UNKNOWN = {
  amount: 1,
  payerName: null,
  payerAccount: null,
  endToEndId: null,
  text: '',
  bankReference: null,
};

let played = 0;
let unused: string[] = [];

/** References of orders that wait for a transfer. */
async function takeReferences(): Promise<string[]> {
  if (unused.length === 0) unused = await manyTransfers(app, shop, 1_000_000, REFERENCES * 100);
  return unused.splice(0, REFERENCES);
}

/** Imports the files of a scenario on an account of its own. */
async function play(scenario: Scenario): Promise<PaidLine[]> {
  const account = ibanOf(played++);
  await collectionAccount(app, account);
  const profile = csvProfileOf(account);
  const { bookings, files } = allowed(scenario, await takeReferences(), app.clock.now());
  for (const [number, format] of files.entries()) {
    const day = bookings[0]!.bookedOn;
    const head = { account, currency: 'EUR', openingBalance: 0, number, day };
    // The first row of CSV pays nothing by itself. With an equal amount it would not show in which order rows are.
    const before = { ...bookings[0]!, ...UNKNOWN, amount: bookings[0]!.amount + 1 };
    const written = format === 'csv' ? [before, ...bookings] : bookings;
    const bytes = Buffer.from(render(format, { ...head, bookings: written }));
    const options = { mode: 'test', name: format, source: 'cli', profile } as const;
    await app.get(BankImportService).import({ bytes }, options);
  }
  return select<PaidLine>(app, PAID_LINES, [account]);
}

const inOrder = (amounts: readonly number[]): number[] => amounts.toSorted((a, b) => a - b);

/** Takes each paid amount out of what came. @returns amounts for which no money came */
function beyond(came: readonly number[], paid: readonly number[]): number[] {
  const left = [...came];
  return paid.filter((amount) => {
    const at = left.indexOf(amount);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

describe('what payers write into their transfers', () => {
  it(
    'pays nothing twice, nothing that did not come, and names nobody else',
    async () => {
      process.stderr.write(`${RUNS} statements, MODEL_SEED=${SEED}\n`);
      await fc.assert(
        fc.asyncProperty(scenarios(), async (scenario) => {
          const paid = await play(scenario);
          const came = scenario.bookings.map(({ amount }) => amount);
          const amounts = paid.map((line) => line.amount);
          expect(beyond(came, amounts)).toEqual([]);
          expect(paid.filter((line) => line.paid > line.amount)).toEqual([]);
          const { accounts: own, names } = honest(scenario);
          for (const { payerAccount, payerName } of paid) {
            expect([null, ...own]).toContain(payerAccount);
            expect(payerName ?? '').not.toContain(FOREIGN_NAME);
            expect([null, ...names]).toContain(payerName);
          }
        }),
        SETTING,
      );
      await expectHealthy(app);
    },
    60_000 + RUNS * RUN_MS,
  );

  it(
    'pays each booking once, when they write what they were asked to',
    async () => {
      const plain = scenarios({ isHonest: true });
      await fc.assert(
        fc.asyncProperty(plain, async (scenario) => {
          const paid = await play(scenario);
          const came = scenario.bookings.map(({ amount }) => amount);
          expect(inOrder(paid.map((line) => line.paid))).toEqual(inOrder(came));
        }),
        { ...SETTING, numRuns: HONEST_RUNS },
      );
      await expectHealthy(app);
    },
    60_000 + RUNS * RUN_MS,
  );
});
