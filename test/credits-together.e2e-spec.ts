import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { Database } from '../src/database/database.js';
import { FeesService } from '../src/ledger/fees.service.js';
import { CreditsService } from '../src/payments/credits.service.js';
import { bookedLine, creditOf, credited } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { subscribe } from './support/delivery-rows.js';
import { everythingOf } from './support/everything.js';
import { select } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';
import { awaitingTransfer, offerTransfers } from './support/transfers.js';

const DAY_MS = 86_400_000;

const { app, shop } = await openShop({ env: PAYS });

beforeAll(async () => {
  await offerTransfers(app);
  const fee = { provider: 'bank_transfer', currency: 'EUR', partsPerMillion: 29_000, fixed: 30 };
  await app.get(FeesService).set({ merchantId: shop.merchantId, ...fee });
  await subscribe(app, shop);
});

const waiting = (amount: number): Promise<OrderJson> => awaitingTransfer(shop, { amount });

type Meanwhile = (tx: EntityManager, order: OrderJson) => Promise<unknown>;

/** Credits each order with a line of its own, in one transaction. */
async function creditTogether(
  credits: readonly (readonly [OrderJson, number])[],
  meanwhile: Meanwhile = async () => undefined,
): Promise<void> {
  const lines = await Promise.all(credits.map(([, amount]) => bookedLine(app, { amount })));
  const keys = credits.map(([{ txid }]) => {
    return { merchantId: shop.merchantId, mode: 'test', txid } as const;
  });
  const service = app.get(CreditsService);
  await app.get(Database).transaction(async (tx) => {
    const held = await service.hold(tx, keys);
    await meanwhile(tx, credits[0]![0]);
    const all = lines.map((line, n) => ({
      held: held.get(keys[n]!.txid)!,
      credit: creditOf(line),
    }));
    await service.creditAll(tx, all, app.clock.now());
  });
  const ids = lines.map(({ id }) => id);
  const matched = `UPDATE bank_lines SET state = 'matched', looked_at = $2 WHERE id = ANY ($1)`;
  await select(app, matched, [ids, app.clock.now()]);
}

async function expectBooksInOrder(): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('credits that are booked together', () => {
  it.each([
    ['an order', 8_990, 8_990],
    ['one that its fee takes whole', 20, 20],
    ['a part', 1_000, 400],
    ['too much', 1_000, 1_200],
  ])('write what one writes that is booked alone: %s', async (_, amount, credit) => {
    const [one, other, alone] = [
      await waiting(amount),
      await waiting(amount),
      await waiting(amount),
    ];
    await credited(app, shop, alone, credit);
    await creditTogether([
      [one, credit],
      [other, credit],
    ]);
    const expected = JSON.stringify(await everythingOf(app, alone));
    for (const order of [one, other]) {
      const renamed = expected.replaceAll(alone.orderMerchantId, order.orderMerchantId);
      expect(await everythingOf(app, order)).toEqual(JSON.parse(renamed));
    }
    await expectBooksInOrder();
  });

  it('end an order first whose last day was over', async () => {
    const [late, alone] = [await waiting(1_000), await waiting(1_000)];
    app.clock.advance(30 * DAY_MS);
    await credited(app, shop, alone, 1_000);
    await creditTogether([[late, 1_000]]);
    const { body } = await shop.read(late.txid);
    expect(body).toMatchObject({ status: 'expired', exception: 'paid_late' });
    await expectBooksInOrder();
  });

  it('write nothing when an order is not as it was read', async () => {
    const order = await waiting(1_000);
    const changed = creditTogether([[order, 1_000]], (tx, { txid }) =>
      tx.query('UPDATE orders SET version = version + 1 WHERE txid = $1', [txid]),
    );
    await expect(changed).rejects.toThrow('although it was locked');
    const { body } = await shop.read(order.txid);
    expect(body).toMatchObject({ status: 'processing', amountReceived: 0 });
  });
});
