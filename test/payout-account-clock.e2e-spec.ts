import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { select, withoutTriggers } from './support/facts.js';
import { textOf } from './support/markup.js';
import { signedIn, withTotp } from './support/people.js';
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
const balance = () => ({ ...cashier.scope, currency: 'EUR' });
const draft = () => service.draft(balance(), wish(), cashier.owner.id);
const refused = { code: 'bank_account_not_usable' };

it.each<[string, () => Promise<Payout>, (payout: Payout) => Promise<unknown>]>([
  ['is submitted', draft, ({ id }) => service.submit(cashier.scope, id, cashier.owner.id)],
  [
    'is changed',
    draft,
    ({ id }) => service.change(cashier.scope, id, { ...wish(), amount: 200 }, cashier.owner.id),
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
  await service.cancel(cashier.scope, payout.id);
});

describe('one account that is not paid to any more', () => {
  const FAULTS: Record<string, [change: string, words: string, execute?: typeof withoutTriggers]> =
    {
      removed: ['bank_accounts SET retired_at = created_at WHERE id = $1', 'was removed'],
      unconfirmed: [
        'bank_accounts SET confirmed_at = NULL, confirmed_by = NULL WHERE id = $1',
        'is not confirmed',
        withoutTriggers,
      ],
      unnoticed: [
        'bank_account_notices SET sent_at = NULL WHERE bank_account_id = $1',
        'until the email about its bank account is delivered',
      ],
      waiting: [
        `bank_accounts SET usable_from = now() + interval '1 hour' WHERE id = $1`,
        'until the one-day objection period of its bank account ends',
      ],
    };

  it.each(Object.entries(FAULTS))(
    'keeps its own payout out of the bank file, and says why: %s',
    async (_, [change, words, execute = select]) => {
      const other = await Cashier.of(app, await app.merchant());
      await paidOrder(other.shop, 1000);
      const held = await cashier.approve(await cashier.request(100));
      const fine = await other.approve(await other.request(200));
      const { operator, owner, scope } = cashier;
      await execute(app, `UPDATE ${change}`, [cashier.account.id]);

      const payoutPages = await signedIn(app, await withTotp(app, operator));
      const proposal = textOf(
        (await payoutPages.get('/portal/platform/payouts/test/files/new?currency=EUR')).html,
      );
      expect(proposal).toContain('1 more is excluded');
      expect(proposal).toContain(words);

      expect(await cashier.export()).toMatchObject({ payouts: 1, amount: 200 });
      expect((await service.find(other.scope, fine.id)).status).toBe('exported');
      expect((await service.find(scope, held.id)).status).toBe('approved');
      const path = `/portal/m/${scope.merchantId}/test/payouts/${held.id}`;
      const { html } = await (await signedIn(app, owner)).get(path);
      expect(textOf(html)).toContain(words);
      await expect(cashier.export()).rejects.toMatchObject({
        ...refused,
        members: { payoutId: held.id },
      });
      await service.cancel(scope, held.id);
    },
  );

  it('does not keep the payouts of a file that was not sent', async () => {
    const payout = await cashier.exported(100);
    await select(app, 'UPDATE bank_accounts SET retired_at = created_at WHERE id = $1', [
      cashier.account.id,
    ]);
    await app.get(PayoutFilesService).notSent(payout.fileId!, cashier.operator.id);
    expect((await service.find(cashier.scope, payout.id)).status).toBe('approved');
    await expect(cashier.export()).rejects.toMatchObject(refused);
    await service.cancel(cashier.scope, payout.id);
  });
});
