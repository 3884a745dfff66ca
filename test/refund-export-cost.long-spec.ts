import { expect, it } from '@jest/globals';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { bookedLine, collectionAccount } from './support/bank-lines.js';
import { PaidByTransfer } from './support/bank-refunds.js';
import { select } from './support/facts.js';
import { PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);

/** Orders of the merchant whose money is in no payout. */
const ORDERS = Number(process.env['ORDERS'] ?? 20_000);
const REFUNDS = Number(process.env['REFUNDS'] ?? 40);
const CHUNK = 2_500;
/** Milliseconds; it took 2,200 when each refund looked at all orders, and a statement has 4,000. */
const EXPORT_MAX_MS = 1_000;

/** Copies of a paid order, with its payment and its money. */
const COPY = `WITH copies AS MATERIALIZED (
    SELECT gen_random_uuid() AS txid, gen_random_uuid() AS payment_id, n FROM generate_series($2::integer, $3::integer) n
  ), orders_made AS (INSERT INTO orders SELECT made.* FROM orders o, copies c, jsonb_populate_record(o, jsonb_build_object(
      'txid', c.txid, 'order_merchant_id', 'COPY-' || c.n, 'payment_id', NULL, 'page_token', c.txid)) made WHERE o.txid = $1
  ), payments_made AS (INSERT INTO payments SELECT made.* FROM payments p, copies c, jsonb_populate_record(p, jsonb_build_object(
      'txid', c.txid, 'id', c.payment_id, 'provider_reference', 'COPY-' || c.n)) made WHERE p.txid = $1)
  INSERT INTO transfers SELECT made.* FROM transfers t, copies c, jsonb_populate_record(t, jsonb_build_object(
      'txid', c.txid, 'payment_id', c.payment_id, 'id', gen_random_uuid())) made
    WHERE t.txid = $1 AND t.refund_id IS NULL`;

it('bank files leave, however many orders a merchant with refunds has', async () => {
  const operator = await person(app, 'operator');
  const paid = await PaidByTransfer.of(app, operator, 1_000);
  for (let n = 1; n <= ORDERS; n += CHUNK)
    await select(app, COPY, [paid.order.txid, n, Math.min(n + CHUNK - 1, ORDERS)]);
  await select(app, 'ANALYZE', []);
  for (let n = 0; n < REFUNDS; n++) await paid.approve((await paid.ask({ amount: 1 })).id);
  // Any unexplained debit makes every payout look for the return of its money.
  await bookedLine(app, { amount: 77_777, direction: 'out', state: 'unmatched' });
  const request = { mode: 'test', currency: 'EUR', format: 'pain.001.001.09' } as const;
  const start = performance.now();
  const file = await app.get(PayoutFilesService).export(request, paid.cashier.operator.id);
  expect(file.payouts).toBe(REFUNDS);
  expect(performance.now() - start).toBeLessThan(EXPORT_MAX_MS);
}, 600_000);
