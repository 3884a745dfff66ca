import { expect } from '@jest/globals';
import type { Payout } from '../../src/database/payouts/payout.entity.js';
import { PayoutRepository } from '../../src/database/payouts/payout.repository.js';
import { select } from './facts.js';
import { expectSound } from './payout-invariants.js';
import type { ModelOrder, MoneyModel } from './payout-model.js';
import type { PayoutWorld } from './payout-world.js';
import { balances } from './payouts.js';

const PAYOUTS_MAX = 1_000;

const ORDERS = `
  SELECT txid, status || ', ' || exception || ', ' || amount_received || ', '
    || amount_refunded AS said FROM orders
  WHERE txid = ANY ($1)`;

const saidOf = ({ status, exception, received, refunded }: ModelOrder): string =>
  `${status}, ${exception}, ${received}, ${refunded}`;

/** What the service shows is what the model says, and nothing is where it should not be. */
export async function expectSame(model: MoneyModel, world: PayoutWorld): Promise<void> {
  await expectOrders(model, world);
  for (const [merchant, { shop }] of world.merchants.entries()) {
    expect(await balances(world.app, shop)).toEqual(model.balances(merchant));
    await expectPayouts(model, world, merchant);
  }
  const merchantIds = world.merchants.map(({ shop }) => shop.merchantId);
  await expectSound(world.app, merchantIds);
}

/** All orders, over HTTP. */
export async function expectAllOrders(model: MoneyModel, world: PayoutWorld): Promise<void> {
  world.seen.length = 0;
  await expectOrders(model, world);
}

/** HTTP is asked about those that have changed since it was asked last. */
async function expectOrders(model: MoneyModel, world: PayoutWorld): Promise<void> {
  const expected = model.orders.map(saidOf);
  const rows = await select<{ txid: string; said: string }>(world.app, ORDERS, [
    world.orders.map(({ txid }) => txid),
  ]);
  const said = new Map(rows.map((row) => [row.txid, row.said]));
  expect(world.orders.map(({ txid }) => said.get(txid))).toEqual(expected);
  for (const [n, order] of world.orders.entries()) {
    if (world.seen[n] === expected[n]) continue;
    const { body } = await world.shopOf(order).read(order.txid);
    world.seen[n] =
      `${body.status}, ${body.exception}, ${body.amountReceived}, ${Number(body['amountRefunded'])}`;
  }
  expect(world.seen).toEqual(expected);
}

async function expectPayouts(
  model: MoneyModel,
  world: PayoutWorld,
  merchant: number,
): Promise<void> {
  const page = { before: null, statuses: null, limit: PAYOUTS_MAX };
  const listed = await world.app.get(PayoutRepository).list(world.scopeOf(merchant), page);
  const known = new Map<string, Payout>(listed.map((payout) => [payout.id, payout]));
  const mine = [...model.payouts.entries()].filter(([, payout]) => payout.merchant === merchant);
  expect(known.size).toBe(mine.length);
  for (const [n, { status, amount }] of mine) {
    expect(known.get(world.payouts[n]!.id)).toMatchObject({ status, amount });
  }
}
