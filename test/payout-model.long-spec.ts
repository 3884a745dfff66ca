import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { createTables, type TestDatabase } from './support/database.js';
import { expectAllOrders } from './support/payout-agreement.js';
import { commands, MERCHANTS } from './support/payout-commands.js';
import { expectHealthy } from './support/payout-invariants.js';
import { MoneyModel } from './support/payout-model.js';
import { dealWithReports } from './support/payouts.js';
import { PayoutWorld } from './support/payout-world.js';

/** `npm run test:model` makes a thousand; MODEL_SEED repeats those of a run that failed. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 50);
const SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));
/** A run takes less than one, unless the machine is busy. */
const SECONDS_A_RUN = 30;

/** A database that outlives the service that uses it. */
async function createLastingDatabase(): Promise<TestDatabase> {
  const database = await createTables();
  if (database.isPostgres) return database;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orders-test-'));
  const drop = async (): Promise<void> => rmSync(folder, { recursive: true });
  return { url: `file:${folder}`, isPostgres: false, drop };
}

describe('orders, payouts and the ledger', () => {
  let world: PayoutWorld;

  beforeAll(async () => {
    world = await PayoutWorld.open(await createLastingDatabase());
  });
  afterAll(() => world.close());

  it(
    'do what a small model says, whatever happens in whatever order',
    async () => {
      process.stderr.write(`${RUNS} runs, MODEL_SEED=${SEED}\n`);
      const run = fc.asyncProperty(commands(), async (all) => {
        await world.begin(MERCHANTS);
        const model = new MoneyModel();
        await fc.asyncModelRun(() => ({ model, real: world }), all);
        await expectAllOrders(model, world);
        await dealWithReports(world.app);
        await expectHealthy(world.app);
      });
      await fc.assert(run, { numRuns: RUNS, seed: SEED, endOnFailure: true });
    },
    (10 + RUNS) * SECONDS_A_RUN * 1_000,
  );
});
