import { afterAll, describe, expect, it } from '@jest/globals';
import { noHook } from '../src/database/transaction-hook.js';
import { RefundsService } from '../src/refunds/refunds.service.js';
import { select } from './support/facts.js';
import { enableLiveProvider, liveKey, paidLive } from './support/live.js';
import { outcomeOf } from './support/outcome.js';
import { balances, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { rounds, tally, together } from './support/race.js';
import { expectRefundsRight } from './support/refund-races.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await enableLiveProvider(app, shop.merchantId);
const live = await liveKey(app, shop.merchantId);
const owner = { merchantId: shop.merchantId, mode: 'live' } as const;
const [one, other] = [
  await person(app, 'owner', shop.merchantId),
  await person(app, 'finance', shop.merchantId),
];
const refunds = app.get(RefundsService);

/** A refund of live money that waits. */
async function waiting(): Promise<{ id: string; txid: string }> {
  const txid = await paidLive(app, live);
  const { status, body } = await live.call('POST', `/api/order/${txid}/refund`, { amount: 400 });
  expect([status, body['status']]).toEqual([201, 'requested']);
  return { id: String(body['id']), txid };
}

const approve = (id: string, { id: userId }: { id: string }) =>
  outcomeOf(() => refunds.approve(owner, id, userId, noHook));
const reject = (id: string) => outcomeOf(() => refunds.reject(owner, id, 'No', noHook));
const cancel = (id: string) => outcomeOf(() => refunds.cancel(owner, id));
const rowOf = async (id: string) =>
  (
    await select<{ status: string; approvedBy: string | null }>(
      app,
      'SELECT status, approved_by AS "approvedBy" FROM refunds WHERE id = $1',
      [id],
    )
  )[0]!;
const heldNow = async () => (await balances(app, live, 'live'))['EUR']?.['refund_pending'] ?? 0;

describe('a refund of live money', () => {
  afterAll(() => expectRefundsRight(app));

  it('is approved by one of two people at the same moment', async () => {
    await rounds(async () => {
      const { id } = await waiting();
      const outcomes = await together((n) => approve(id, n % 2 ? one : other), 2);
      expect(tally(outcomes)).toEqual({ ok: 1, refund_not_cancelable: 1 });
      const by = outcomes[1] === 'ok' ? one : other;
      expect(await rowOf(id)).toEqual({ status: 'approved', approvedBy: by.id });
    });
  });

  it('is approved, rejected or cancelled, and its money is held or free', async () => {
    await rounds(async (round) => {
      const before = await heldNow();
      const { id } = await waiting();
      const acts = [
        () => approve(id, one),
        () => reject(id),
        () => cancel(id),
        () => approve(id, other),
      ];
      const outcomes = await together((n) => acts[(n + round) % acts.length]!(), acts.length);
      const [approved, rejected, cancelled, again] = acts.map(
        (_, n) => outcomes[(n - (round % acts.length) + acts.length) % acts.length],
      );
      const { status } = await rowOf(id);
      const approvals = [approved, again].filter((outcome) => outcome === 'ok').length;
      expect(approvals).toBeLessThanOrEqual(1);
      // What is approved can still be cancelled, until the provider is called.
      const expected = cancelled === 'ok' ? 'cancelled' : rejected === 'ok' ? 'rejected' : 'none';
      expect(status).toBe(expected);
      expect((await heldNow()) - before).toBe(0);
    });
  });
});
