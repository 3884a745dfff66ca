import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { RefundRepository } from '../src/database/refunds/refund.repository.js';
import type { RefundOutcome, RefundRequest } from '../src/providers/provider.js';
import { SandboxRefunds } from '../src/providers/sandbox/sandbox-refunds.js';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import { collectionAccount, forgetDebits } from './support/bank-lines.js';
import { transferred } from './support/bank-refunds.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { expectBothWon, Handicap, rounds, tally, together } from './support/race.js';
import { expectRefundsRight } from './support/refund-races.js';
import { returned } from './support/returns.js';
import { openShop } from './support/shop.js';

/** A bank that has made a refund before its answer is there, so that others can ask about it. */
class HastyBank {
  beforeAnswer: (request: RefundRequest) => Promise<void> = async () => {};
  private readonly paid = new Set<string>();

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    const { id } = request.refund;
    this.paid.add(id);
    await this.beforeAnswer(request);
    return { kind: 'pending', reference: id };
  }

  async status({ id }: RefundRequest['refund']): Promise<RefundOutcome | { kind: 'absent' }> {
    return this.paid.has(id) ? { kind: 'succeeded', reference: id } : { kind: 'absent' };
  }
}

const bank = new HastyBank();
const { app, shop } = await openShop({
  env: PAYS,
  replace: (builder) => builder.overrideProvider(SandboxRefunds).useValue(bank),
});
await collectionAccount(app);

/** Requests under way at the same moment: more than connections of the service. */
const CROWD = 100;

const paid = async (amount: number): Promise<string> => {
  const { txid } = await shop.order({ amount });
  await shop.pay(txid);
  return txid;
};
/** Asks again while the answer is 503, as shops are told to. */
const refund = async (txid: string, body: object = {}, headers: Record<string, string> = {}) => {
  for (;;) {
    const answer = await shop.call('POST', `/api/order/${txid}/refund`, body, headers);
    if (answer.status !== 503) return answer;
    await sleep(100 + 200 * Math.random());
  }
};
const refundsOf = (txid: string) =>
  select<{ id: string; amount: number; status: string }>(
    app,
    'SELECT id, amount, status FROM refunds WHERE txid = $1',
    [txid],
  );

const expectRight = async (): Promise<void> => {
  await expectRefundsRight(app);
  await expectHealthy(app);
};

describe('a crowd of refunds', () => {
  afterAll(expectRight);

  it('of fifty fiftieths, and one of all, returns all and not a cent more', async () => {
    await rounds(async (round) => {
      const txid = await paid(1_000);
      const place = round % 51;
      const answers = await together((n) => refund(txid, { amount: n === place ? 1_000 : 20 }), 51);
      const made = await refundsOf(txid);
      expect(made.reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(made.length);
      const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body['code']);
      expect(['order_not_refundable', 'refund_too_large']).toEqual(
        expect.arrayContaining([...new Set(codes)]),
      );
    });
  });

  it.each(['idempotency-key', 'refundMerchantId'] as const)(
    'under one %s is one refund with equal bytes',
    async (by) => {
      await rounds(async () => {
        const txid = await paid(1_000);
        const id = randomUUID();
        const isKey = by === 'idempotency-key';
        const body = { amount: 400, ...(isKey ? {} : { refundMerchantId: id }) };
        const headers: Record<string, string> = isKey ? { [by]: id } : {};
        const answers = await together(() => refund(txid, body, headers), CROWD);
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        const first = isKey ? { 201: CROWD } : { 200: CROWD - 1, 201: 1 };
        expect(tally(answers.map(({ status }) => status))).toEqual(first);
        expect(await refundsOf(txid)).toMatchObject([{ amount: 400 }]);
        const others = [
          { ...body, amount: 300 },
          { ...body, reason: 'Another' },
        ];
        for (const other of others)
          expect([409, 422]).toContain((await refund(txid, other, headers)).status);
        expect(await refundsOf(txid)).toHaveLength(1);
      });
    },
  );
});

describe('a refund at the same moment as', () => {
  afterAll(expectRight);

  it('a return of its payment: the money goes back once', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    const race = new Handicap(['returned', 'refunded']);
    await rounds(async () => {
      const { txid } = await cashier.shop.order({ amount: 1_000 });
      const { credit } = await transferred(app, cashier.shop, { txid }, 1_000);
      const [back, asked] = await Promise.all([
        race.start('returned').then(() => returned(app, credit)),
        race
          .start('refunded')
          .then(() => cashier.shop.call('POST', `/api/order/${txid}/refund`, { amount: 700 })),
      ]);
      const isReturned = back === 'taken_back';
      expect([back, asked.status, asked.body['code'] ?? null]).toEqual(
        isReturned ? ['taken_back', 409, 'order_not_refundable'] : ['too_much', 201, null],
      );
      race.won(isReturned ? 'returned' : 'refunded');
      await forgetDebits(app);
    });
    expectBothWon(race.wins);
  });

  it('a payout: both never take the same money', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    const race = new Handicap(['refunded', 'paid out']);
    await rounds(async () => {
      const { txid } = await cashier.shop.order({ amount: 1_000 });
      await cashier.shop.pay(txid);
      const [asked, payout] = await Promise.allSettled([
        race
          .start('refunded')
          .then(() => cashier.shop.call('POST', `/api/order/${txid}/refund`, {})),
        race.start('paid out').then(() => cashier.request(1_000)),
      ]);
      const isRefunded = asked.status === 'fulfilled' && asked.value.status === 201;
      expect(payout.status).toBe(isRefunded ? 'rejected' : 'fulfilled');
      expect((await balances(app, cashier.shop))['EUR']).not.toHaveProperty('available');
      race.won(isRefunded ? 'refunded' : 'paid out');
    });
    expectBothWon(race.wins);
  });

  it('the news that it succeeded, while the first call of the provider has no answer', async () => {
    const runner = app.get(RefundRunner);
    await rounds(async (round) => {
      const txid = await paid(1_000);
      const { body } = await refund(txid);
      const owner = { merchantId: shop.merchantId, mode: 'test' } as const;
      let news: Promise<unknown> = Promise.resolve();
      bank.beforeAnswer = async ({ refund: { id } }) => {
        if (id !== body['id']) return;
        const found = await app.get(RefundRepository).find(owner, id);
        // Several processes may hear of it.
        news = together(() => runner.callNow(found!), 3);
        if (round % 2) await news;
      };
      // Not by a run: refunds of the tests before are due, too.
      await runner.attempt((await app.get(RefundRepository).find(owner, String(body['id'])))!);
      await news;
      bank.beforeAnswer = async () => {};
      expect(await refundsOf(txid)).toMatchObject([{ status: 'succeeded' }]);
    });
  });
});
