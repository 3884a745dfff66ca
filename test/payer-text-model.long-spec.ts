import { randomInt } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { confirmNoTotals } from './support/no-totals.js';
import { TestApp } from './support/app.js';
import { FOREIGN_NAME, honest, type Scenario, scenarios } from './support/payer-text.js';
import { beyond, type PaidLine, play } from './support/payer-text-play.js';
import { expectHealthy } from './support/payout-invariants.js';
import { offerTransfers } from './support/transfers.js';

/** `npm run test:model` plays 20,000 bookings; MODEL_SEED repeats those of a run that failed. */
const BOOKINGS = Number(process.env['TEXT_BOOKINGS'] ?? 300);
const SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));
/** Bookings of a statement, on average. */
const A_STATEMENT = 4;
const RUNS = Math.ceil(BOOKINGS / A_STATEMENT);
const HONEST_RUNS = Math.ceil(RUNS / 4);
const RUN_MS = 2_000;
const SETTING = { numRuns: RUNS, seed: SEED, endOnFailure: process.env['CI'] === 'true' };

/** Each statement has an account of its own, and a platform with thousands of them finds rivals of a line slowly. */
const STATEMENTS_OF_A_SHOP = 250;
let plays = 0;
let open: Awaited<ReturnType<typeof openPlatform>> | undefined;

async function openPlatform() {
  const app = await TestApp.start();
  await confirmNoTotals(app, { isCareful: true });
  await offerTransfers(app);
  return { app, shop: await app.merchant() };
}

async function close(): Promise<void> {
  const { app } = open!;
  open = undefined;
  await expectHealthy(app);
  await app.stop();
}

/** Imports the files of a scenario. @returns the lines that paid */
async function playOn(scenario: Scenario): Promise<PaidLine[]> {
  if (open && plays++ % STATEMENTS_OF_A_SHOP === 0) await close();
  open ??= await openPlatform();
  return play(open.app, open.shop, scenario);
}

afterEach(close);

const inOrder = (amounts: readonly number[]): number[] => amounts.toSorted((a, b) => a - b);

describe('what payers write into their transfers', () => {
  it(
    'pays nothing twice, nothing that did not come, and names nobody else',
    async () => {
      process.stderr.write(`${RUNS} statements, MODEL_SEED=${SEED}\n`);
      await fc.assert(
        fc.asyncProperty(scenarios(), async (scenario) => {
          const paid = await playOn(scenario);
          expect(beyond(scenario, paid)).toEqual([]);
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
    },
    60_000 + RUNS * RUN_MS,
  );

  it(
    'pays each booking once, when they write what they were asked to',
    async () => {
      const plain = scenarios({ isHonest: true });
      await fc.assert(
        fc.asyncProperty(plain, async (scenario) => {
          const paid = await playOn(scenario);
          const came = scenario.bookings.map(({ amount }) => amount);
          expect(inOrder(paid.map((line) => line.paid))).toEqual(inOrder(came));
        }),
        { ...SETTING, numRuns: HONEST_RUNS },
      );
    },
    60_000 + RUNS * RUN_MS,
  );
});
