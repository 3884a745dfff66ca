import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import { select } from './support/facts.js';
import { readAll } from './support/feed.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Cashier, PAYS } from './support/payouts.js';
import { expectBothWon, Handicap, rounds, tally, together } from './support/race.js';
import { expectRefundsRight } from './support/refund-races.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });

const paid = async (amount: number): Promise<string> => {
  const { txid } = await shop.order({ amount });
  await shop.pay(txid);
  return txid;
};
const refund = (txid: string, body: object = {}, headers: Record<string, string> = {}) =>
  shop.call('POST', `/api/order/${txid}/refund`, body, headers);
const refundedOf = async (txid: string): Promise<number> => {
  const sql = `SELECT coalesce(sum(amount), 0)::int AS amount FROM refunds
    WHERE txid = $1 AND status NOT IN ('failed', 'cancelled', 'rejected')`;
  return (await select<{ amount: number }>(app, sql, [txid]))[0]!.amount;
};

const expectRight = async (): Promise<void> => {
  await expectRefundsRight(app);
  await expectHealthy(app);
};

describe('refunds of one order at the same moment', () => {
  afterAll(expectRight);

  it('return it once, when all ask for all of it', async () => {
    await rounds(async () => {
      const txid = await paid(1_000);
      const answers = await together(() => refund(txid));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 19 });
      expect(await refundedOf(txid)).toBe(1_000);
    });
  });

  it('never return more than it brought: parts, and all of it', async () => {
    await rounds(async () => {
      const txid = await paid(1_000);
      const answers = await together((n) =>
        refund(txid, n === 7 ? { amount: 1_000 } : { amount: 100 }),
      );
      const made = answers.filter(({ status }) => status === 201);
      const sum = made.reduce((all, { body }) => all + Number(body['amount']), 0);
      expect(sum).toBe(1_000);
      expect(await refundedOf(txid)).toBe(1_000);
      expect(answers.every(({ status }) => [201, 409, 422].includes(status))).toBe(true);
    });
  });

  it.each(['idempotency-key', 'refundMerchantId'] as const)(
    'are one refund with equal answers under one %s',
    async (by) => {
      await rounds(async () => {
        const txid = await paid(1_000);
        const id = randomUUID();
        const body = {
          amount: 400,
          ...(by === 'refundMerchantId' ? { refundMerchantId: id } : {}),
        };
        const headers: Record<string, string> = by === 'idempotency-key' ? { [by]: id } : {};
        const answers = await together(() => refund(txid, body, headers));
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        expect(await refundedOf(txid)).toBe(400);
        const other = await refund(txid, { ...body, amount: 300 }, headers);
        expect([409, 422]).toContain(other.status);
      });
    },
  );

  it('tell of each step once', async () => {
    const txid = await paid(1_000);
    const { body } = await refund(txid);
    await together(() => app.get(RefundRunner).run(), 5);
    app.clock.advance(60_000);
    await together(() => app.get(RefundRunner).run(), 5);
    const types = (await readAll(shop, { txid })).map(({ type }) => type);
    expect(tally(types.filter((type) => /refund/.test(type)))).toEqual({
      'refund.requested': 1,
      'refund.approved': 1,
      'refund.submitted': 1,
      'refund.succeeded': 1,
      'order.refunded': 1,
    });
    const sql = 'SELECT count(*)::int AS rows FROM sandbox_refunds WHERE refund_id = $1';
    expect(await select(app, sql, [body['id']])).toEqual([{ rows: 1 }]);
  });
});

describe('a refund', () => {
  afterAll(expectRight);

  it('is cancelled, or sent, and never both', async () => {
    const race = new Handicap(['cancelled', 'sent']);
    await rounds(async () => {
      const txid = await paid(1_000);
      const { body } = await refund(txid);
      const [cancelled] = await Promise.all([
        race
          .start('cancelled')
          .then(() => shop.call('DELETE', `/api/refund/${String(body['id'])}`)),
        race.start('sent').then(() => app.get(RefundRunner).run()),
      ]);
      const sql =
        'SELECT r.status, s.refund_id IS NOT NULL AS "isAtBank" FROM refunds r LEFT JOIN sandbox_refunds s ON s.refund_id = r.id WHERE r.id = $1';
      const [row] = await select<{ status: string; isAtBank: boolean }>(app, sql, [body['id']]);
      const isCancelled = cancelled.status === 200;
      expect(row).toEqual({
        status: isCancelled ? 'cancelled' : 'submitted',
        isAtBank: !isCancelled,
      });
      race.won(isCancelled ? 'cancelled' : 'sent');
    });
    expectBothWon(race.wins);
  });

  it('and a payout never take the same money', async () => {
    await rounds(async () => {
      const cashier = await Cashier.of(app, await app.merchant());
      const { txid } = await cashier.shop.order({ amount: 1_000 });
      await cashier.shop.pay(txid);
      const [answer, payout] = await Promise.allSettled([
        cashier.shop.call('POST', `/api/order/${txid}/refund`, {}),
        cashier.request(1_000),
      ]);
      const isRefunded = answer.status === 'fulfilled' && answer.value.status === 201;
      expect([isRefunded, payout.status === 'fulfilled'].filter(Boolean)).toHaveLength(1);
    });
  });
});
