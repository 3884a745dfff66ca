/**
 * A process of the service that is paid, and pays out, as fast as it can until it is killed. Its
 * argument says for whom, as JSON.
 */
import type { Payout } from '../../src/database/payouts/payout.entity.js';
import { PayoutFilesService } from '../../src/payouts/payout-files.service.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import { TestApp } from './app.js';
import { Client } from './client.js';
import { outcomeOf } from './outcome.js';
import { Cashier, paidOrder, PAYS } from './payouts.js';

/** The database's address, and a cashier of another process there. */
export interface PayingTask extends Pick<Cashier, 'shop' | 'owner' | 'operator' | 'account'> {
  readonly url: string;
}

const BUYERS = 6;
const CASHIERS = 4;
const AMOUNT = 1_000;

const { url, shop, owner, operator, account } = JSON.parse(process.argv[2]!) as PayingTask;
const database = { url, isPostgres: true, drop: async () => {} };
const app = await TestApp.start({ database, env: PAYS, realTime: true });
const key = new Client(app.url, shop.secret, shop.merchantId, shop.keyId);
const cashier = new Cashier(app, key, owner, operator, account);

const any = <T>(...choices: readonly T[]): T =>
  choices[Math.floor(Math.random() * choices.length)]!;

async function sell(): Promise<never> {
  for (;;) await paidOrder(cashier.shop, AMOUNT, { received: any(AMOUNT, AMOUNT, 2 * AMOUNT, 1) });
}

/** As far as it comes: others may do something else with the payout. */
async function send(payout: Payout): Promise<void> {
  const files = app.get(PayoutFilesService);
  await cashier.approve(payout);
  const { id } = await cashier.export();
  await any(
    () => files.submitted(id),
    () => files.notSent(id, owner.id),
  )();
  await files.ended(payout, any('paid', 'failed', 'returned'), null, owner.id);
  await files.ended(payout, 'returned', 'Account closed', owner.id);
}

async function payOut(): Promise<never> {
  const payouts = app.get(PayoutsService);
  for (;;) {
    const wish = Math.ceil(Math.random() * 3 * AMOUNT);
    await outcomeOf(async () => {
      const payout = await cashier.request(wish);
      const change = { amount: Math.ceil(wish / 2), bankAccountId: cashier.account.id };
      await any<() => Promise<unknown>>(
        () => payouts.cancel(cashier.scope, payout.id),
        () => payouts.change(cashier.scope, payout.id, change, cashier.owner.id),
        () => send(payout),
      )();
    });
  }
}

await Promise.all([
  ...Array.from({ length: BUYERS }, sell),
  ...Array.from({ length: CASHIERS }, payOut),
]);
