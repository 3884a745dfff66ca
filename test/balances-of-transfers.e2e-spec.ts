import { describe, expect, it } from '@jest/globals';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, Cashier, paidOrder } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const cashier = await Cashier.of(app, shop);
const MARK = 'UPDATE transfers SET checkpointed = true WHERE merchant_id = $1 AND NOT checkpointed';
const ROWS = 'SELECT account, amount FROM balances WHERE merchant_id = $1 ORDER BY account';
const of = [shop.merchantId];

describe('a balance', () => {
  it('gets the transfers that are marked as counted, by whatever statement, and each once', async () => {
    const payout = await (async () => {
      await paidOrder(shop, 1_000);
      await select(app, MARK, of);
      await paidOrder(shop, 500);
      return cashier.request(700);
    })();
    const before = await balances(app, shop);
    await select(app, MARK, of);
    await select(app, MARK, of);
    expect(await balances(app, shop)).toEqual(before);
    expect(await select(app, ROWS, of)).toEqual([
      { account: 'available', amount: 800 },
      { account: 'clearing:sandbox', amount: -1_500 },
      { account: 'payout_pending', amount: 700 },
    ]);
    await cashier.approve(payout);
    await expectHealthy(app);
  });

  it('is changed by nothing else', async () => {
    await paidOrder(shop, 300);
    const raise = 'UPDATE balances SET amount = amount + 100 WHERE merchant_id = $1';
    for (const sql of [
      raise,
      `WITH marked AS (${MARK}) ${raise}`,
      `INSERT INTO balances SELECT merchant_id, mode, 'CHF', account, 100 FROM balances WHERE merchant_id = $1`,
      `DELETE FROM balances WHERE merchant_id = $1`,
    ])
      await expect(select(app, sql, of)).rejects.toThrow('balances is append-only');
    await expectHealthy(app);
  });
});
