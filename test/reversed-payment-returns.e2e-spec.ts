import { expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { bookedLine, collectionAccount, credited } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances } from './support/payouts.js';
import { person } from './support/people.js';
import { takenBack } from './support/refunds.js';
import { undone } from './support/returns.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();
await collectionAccount(app);
const operator = await person(app, 'operator');

it.each([
  ['a return', 'no_payment'],
  ['an undone match', 'sent_back'],
] as const)(
  'a payment that was reversed is taken from the merchant once: %s',
  async (how, outcome) => {
    const shop = await app.merchant();
    await credited(app, shop, await shop.order({ amount: 1_000 }), 1_000);
    const order = await shop.order({ amount: 1_000 });
    const credit = await credited(app, shop, order, 1_000);
    const paid = `SELECT id FROM transfers WHERE txid = $1 AND kind = 'payment'`;
    const [transfer] = await select<{ id: string }>(app, paid, [order.txid]);
    expect(await takenBack(app, shop, transfer!.id)).toBe('reversed');
    const takeBack = async (): Promise<string> => {
      if (how === 'an undone match') return undone(app, credit);
      const back = { amount: 1_000, direction: 'out', state: 'not_a_payment' } as const;
      const reason = 'unknown_money_out';
      const { id } = await bookedLine(app, { ...back, reason, lookedAt: app.clock.now() });
      const part = { merchantId: shop.merchantId, txid: order.txid, amount: 1_000 };
      return app.get(ManualReconciliation).returnManually('test', id, part, operator.id);
    };
    expect(await takeBack()).toBe(outcome);
    expect((await balances(app, shop))['EUR']).toMatchObject({ available: 1_000 });
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  },
);
