import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../src/database/database.js';
import { OrderRepository } from '../src/database/orders/order.repository.js';
import { PaidByTransfer } from './support/bank-refunds.js';
import { collectionAccount, forgetDebits } from './support/bank-lines.js';
import { outcomeOf } from './support/outcome.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { rounds, together } from './support/race.js';
import { expectRefundsRight } from './support/refund-races.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);
const operator = await person(app, 'operator');
const other = await person(app, 'operator');

const TAKE_PART = `INSERT INTO money_hands (merchant_id, txid, user_id, act, created_at) VALUES ($1, $2, $3, 'matched', $4)`;

/** An order has few refunds, so each round has its own. */
const paidOrder = () => PaidByTransfer.of(app, operator, 1_000);

const heldBy = async ({ shop }: PaidByTransfer) =>
  (await balances(app, shop))['EUR']!['refund_pending'] ?? 0;

beforeEach(() => forgetDebits(app));

describe('a refund by bank at the same moment as', () => {
  afterAll(() => expectRefundsRight(app));

  it('19 others: only one of all the money is made', async () => {
    await rounds(async () => {
      const paid = await paidOrder();
      const answers = await together(() => paid.ask());
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(await heldBy(paid)).toBe(1_000);
    });
    await expectHealthy(app);
  });

  it('its own cancellation and two approvals: it is approved or cancelled, and booked once', async () => {
    await rounds(async (round) => {
      const paid = await paidOrder();
      const { id } = await paid.ask({ amount: 400 });
      await Promise.all([
        round % 2 ? paid.cancel(id) : null,
        outcomeOf(() => paid.approve(id, operator)),
        outcomeOf(() => paid.approve(id, other)),
        round % 2 ? null : paid.cancel(id),
      ]);
      const status = await paid.statusOf(id);
      expect(['approved', 'cancelled']).toContain(status);
      expect(await heldBy(paid)).toBe(status === 'approved' ? 400 : 0);
      await paid.cancel(id);
    });
    await expectHealthy(app);
  });

  it('somebody who takes part in its money, and holds the order: neither waits for the other', async () => {
    await rounds(async () => {
      const paid = await paidOrder();
      const { id } = await paid.ask();
      const { merchantId } = paid.shop;
      const { txid } = paid.order;
      const take = () =>
        app.get(Database).transaction(async (tx) => {
          await app.get(OrderRepository).lock(tx, merchantId, txid);
          await sleep(20);
          await tx.query(TAKE_PART, [merchantId, txid, other.id, app.clock.now()]);
        });
      const start = performance.now();
      const [approved] = await Promise.all([outcomeOf(() => paid.approve(id, operator)), take()]);
      expect(approved).toBe('ok');
      // PostgreSQL looks for deadlocks after a second.
      expect(performance.now() - start).toBeLessThan(900);
      await paid.cancel(id);
    });
    await expectHealthy(app);
  });

  it('the file that takes it: it is in the file, or cancelled', async () => {
    await rounds(async (round) => {
      const paid = await paidOrder();
      const { id } = await paid.ask();
      await paid.approve(id);
      const [file, cancelled] = await Promise.all([
        outcomeOf(() => paid.cashier.export()),
        paid.cancel(id),
      ]);
      const isIn = cancelled.status !== 200;
      expect(file).toBe(isIn ? 'ok' : 'nothing_to_export');
      expect(await paid.statusOf(id)).toBe(isIn ? 'approved' : 'cancelled');
      if (!isIn || round % 2) return;
      expect(await paid.looked(paid.sent(id, 1_000))).toBe('payout_paid');
      expect(await paid.statusOf(id)).toBe('succeeded');
    });
    await expectHealthy(app);
  });
});
