import { expect, it } from '@jest/globals';
import { PayoutRepository } from '../src/database/payouts/payout.repository.js';
import { PAYOUT_TRANSFERS_MAX } from '../src/payouts/reservations.js';
import { PayoutSchedulesService } from '../src/payouts/payout-schedules.service.js';
import { ScheduledPayouts } from '../src/payouts/scheduled-payouts.js';
import { select } from './support/facts.js';
import { balances, Cashier, chargeFee, paidOrder } from './support/payouts.js';
import { until } from './support/race.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();

/** Each paid order has two transfers of `available`: what was paid, and the fee. */
const ORDERS = PAYOUT_TRANSFERS_MAX / 2;
const NET = 97;
/** Orders that one statement copies: it has some seconds. */
const CHUNK = 2_500;

/** The paid order so many times more, each with ids of its own that rise with `n`. */
const idOf = (kind: string): string =>
  `('019000${kind}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const COPIES = [
  `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('txid', ${idOf('01')},
     'order_merchant_id', 'COPY-' || n, 'payment_id', NULL, 'page_token', gen_random_uuid()))).*
   FROM orders o, generate_series($1::integer, $2::integer) n WHERE o.txid = $3`,
  `INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('txid', ${idOf('01')},
     'id', ${idOf('02')}, 'provider_reference', 'COPY-' || n))).*
   FROM payments p, generate_series($1::integer, $2::integer) n WHERE p.txid = $3`,
  `INSERT INTO transfers SELECT (jsonb_populate_record(t, jsonb_build_object('txid', ${idOf('01')},
     'payment_id', ${idOf('02')},
     'id', CASE t.kind WHEN 'fee' THEN ${idOf('04')} ELSE ${idOf('03')} END))).*
   FROM transfers t, generate_series($1::integer, $2::integer) n WHERE t.txid = $3`,
];

it('asks for as much as one payout can pay, and for the rest the next time', async () => {
  const cashier = await Cashier.of(app, await app.merchant());
  await chargeFee(app, cashier.shop, 30_000, 0);
  const { txid } = await paidOrder(cashier.shop, 100);
  for (let from = 1; from <= ORDERS; from += CHUNK) {
    for (const sql of COPIES) await select(app, sql, [from, from + CHUNK - 1, txid]);
  }
  expect((await balances(app, cashier.shop))['EUR']).toMatchObject({
    available: NET * (ORDERS + 1),
  });

  const daily = { frequency: 'daily', day: null } as const;
  const wish = { currency: 'EUR', minimumAmount: 1, bankAccountId: cashier.account.id, ...daily };
  const author = { userId: cashier.owner.id, timeZone: 'UTC' };
  await app.get(PayoutSchedulesService).save(cashier.scope, wish, author);
  const page = { before: null, statuses: null, limit: 10 };
  const asked = () => app.get(PayoutRepository).list(cashier.scope, page);
  for (let day = 1; day <= 2; day++) {
    app.clock.advance(86_400_000);
    // A busy machine may need a second run for so many lines, as a minute later in real life.
    await until(`payout ${day}`, async () => {
      await app.get(ScheduledPayouts).run();
      return (await asked()).length === day;
    });
  }
  expect((await asked()).map(({ amount }) => amount)).toEqual([NET, NET * ORDERS]);
}, 240_000);
