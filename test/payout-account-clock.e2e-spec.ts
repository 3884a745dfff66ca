import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Payout } from '../src/database/entities/payout.entity.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { select } from './support/facts.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
const service = app.get(PayoutsService);

const DAY_MS = 24 * 60 * 60_000;
const start = app.clock.now();

let cashier: Cashier;
beforeEach(async () => {
  cashier = await Cashier.of(app, await app.merchant());
  await paidOrder(cashier.shop, 1000);
});
afterEach(() => app.clock.set(start));

/** The account waits for another hour, and this process thinks that the hour is long over. */
async function waitBehindProcess(): Promise<void> {
  const sql = `UPDATE bank_accounts SET usable_from = now() + interval '1 hour' WHERE id = $1`;
  await select(app, sql, [cashier.account.id]);
  app.clock.set(new Date(Date.now() + 2 * DAY_MS));
}

const wish = () => ({ amount: 100, bankAccountId: cashier.account.id });
const purse = () => ({ ...cashier.place, currency: 'EUR' });
const draft = () => service.draft(purse(), wish(), cashier.owner.id);
const refused = { code: 'bank_account_not_usable' };

it.each<[string, () => Promise<Payout>, (payout: Payout) => Promise<unknown>]>([
  ['is submitted', draft, ({ id }) => service.submit(cashier.place, id, cashier.owner.id)],
  [
    'is changed',
    draft,
    ({ id }) => service.change(cashier.place, id, { ...wish(), amount: 200 }, cashier.owner.id),
  ],
  ['is approved', () => cashier.request(100), (payout) => cashier.approve(payout)],
])(
  'no payout %s before the account’s day is over by the database’s clock',
  async (_, make, act) => {
    const payout = await make();
    await waitBehindProcess();
    await expect(act(payout)).rejects.toMatchObject({
      ...refused,
      members: { payoutId: payout.id },
    });
  },
);

it('no payout is made before the account’s day is over by the database’s clock', async () => {
  await waitBehindProcess();
  await expect(draft()).rejects.toMatchObject(refused);
  await expect(cashier.request(100)).rejects.toMatchObject(refused);
});

it('no bank file holds a payout to an account whose day is not over', async () => {
  const payout = await cashier.approve(await cashier.request(100));
  await waitBehindProcess();
  await expect(cashier.export()).rejects.toMatchObject({
    ...refused,
    members: { payoutId: payout.id },
  });
});
