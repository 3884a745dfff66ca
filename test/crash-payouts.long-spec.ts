import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { createTables, onPostgres } from './support/database.js';
import { count } from './support/facts.js';
import type { PayingTask } from './support/paying-process.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { Cashier, PAYS } from './support/payouts.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { RaceBalance } from './support/race-balance.js';
import { CRASH_ROUNDS, until } from './support/race.js';

/** Each round is short: most of it is the start of the process. */
const KILLS = 4 * CRASH_ROUNDS;
/** The kill comes at a random moment in this time after the round's first payouts. */
const KILL_WITHIN_MS = 500;
const FIRST_PAYOUTS = 10;

let folder: string;
let programs: Program[];

beforeEach(() => {
  folder = temporaryFolder();
  programs = [];
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.kill()));
  removeFolder(folder);
});

onPostgres(it, 'two processes share the database')(
  'a process that is killed leaves no payment without its transfers, and no payout half moved',
  async () => {
    const database = await createTables();
    const app = await TestApp.start({ database, env: PAYS, realTime: true });
    const cashier = await Cashier.of(app, await app.merchant());
    const { shop, owner, operator, account } = cashier;
    const task: PayingTask = { url: database.url, shop, owner, operator, account };
    const payouts = (): Promise<number> => count(app, 'payouts', 'true');
    for (let kill = 0; kill < KILLS; kill++) {
      const before = await payouts();
      const argument = JSON.stringify(task);
      const program = new Program('../test/support/paying-process.js', [argument], {}, folder);
      programs.push(program);
      await until('payouts are asked for', async () => {
        if (program.child.exitCode !== null) throw new Error((await program.result).err);
        return (await payouts()) >= before + FIRST_PAYOUTS;
      });
      await sleep(Math.random() * KILL_WITHIN_MS);
      await program.kill();
      await expectHealthy(app);
      await expectSound(app, [shop.merchantId]);
    }
    // Nothing is held for ever: what can be given back can be paid out again.
    const balance = new RaceBalance(app, cashier);
    await balance.release();
    await cashier.request(await balance.available());
    await expectHealthy(app);
    await app.stop();
    await database.drop();
  },
  KILLS * 30_000,
);
