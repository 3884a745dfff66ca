import { PayoutFilesService } from '../../../src/payouts/payout-files.service.js';
import type { TestApp } from '../app.js';
import type { Client } from '../client.js';
import { Cashier, chargeFee, paidOrder } from '../payouts.js';
import { nextOrderName } from './new-order.js';

/** Who is paid out. */
export interface Payee {
  readonly shop: Client;
  /** Id of a payout that has arrived. */
  readonly paid: string;
}

/** The same at whatever time: its examples do not change with those of others. */
const MADE = new Date('2026-01-02T08:00:00.000Z');
const DAY_MS = 86_400_000;

/** A merchant with one payout that has arrived, one that waits for approval, and something left. */
export async function makePayee(app: TestApp): Promise<Payee> {
  const now = app.clock.now();
  app.clock.set(MADE);
  const shop = await app.merchant();
  await chargeFee(app, shop, 29_000, 30);
  const cashier = await Cashier.of(app, shop);
  for (const amount of [8990, 5000, 1000]) {
    await paidOrder(shop, amount, { orderMerchantId: nextOrderName() });
  }
  const { id, fileId } = await cashier.exported(8990 - 291);
  app.clock.advance(DAY_MS);
  await app.get(PayoutFilesService).submitted(fileId!);
  await app.get(PayoutFilesService).paid(fileId!);
  app.clock.advance(2 * DAY_MS);
  await cashier.request(5000 - 175);
  app.clock.set(now);
  return { shop, paid: id };
}
