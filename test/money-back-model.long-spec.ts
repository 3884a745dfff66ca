import { describe, expect, it } from '@jest/globals';
import { collectionAccount, credited, told } from './support/bank-lines.js';
import { factsOf } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, PAYS } from './support/payouts.js';
import { returned, undone } from './support/returns.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });
await collectionAccount(app);

const PRICE = 1_000;

/** What happens to a payment after it has come; the last is by nobody, and the payment stays. */
const ENDS = ['undone', 'returned', 'partly returned', 'stays'] as const;
type End = (typeof ENDS)[number];

interface Planned {
  readonly amount: number;
  readonly end: End;
}

type Step = readonly [at: number, what: 'comes' | 'ends'];

/** Every order in which several payments come, and end after they came. */
function interleavings(payments: readonly Planned[]): Step[][] {
  const next = (done: readonly Step[]): Step[][] => {
    const ways = payments.flatMap(({ end }, at): Step[] => {
      const has = (what: Step[1]) => done.some(([one, did]) => one === at && did === what);
      if (!has('comes')) return [[at, 'comes']];
      return end === 'stays' || has('ends') ? [] : [[at, 'ends']];
    });
    return ways.length === 0 ? [[...done]] : ways.flatMap((step) => next([...done, step]));
  };
  return next([]);
}

/** What moved the money of an order, the first first; what was undone is not there any more. */
type Moves = readonly { readonly at: number; readonly by: number }[];

/** What the order and its money are by these sums alone. */
function expectedOf(moves: Moves) {
  const sumOf = (some: Moves) => some.reduce((sum, { by }) => sum + by, 0);
  const net = sumOf(moves);
  const back = Math.abs(sumOf(moves.filter(({ by }) => by < 0)));
  const isPaid = moves.some((_, at) => sumOf(moves.slice(0, at + 1)) >= PRICE);
  const own = isPaid ? Math.min(PRICE, net) : 0;
  return {
    status: isPaid ? 'paid' : 'open',
    amountReceived: net,
    amountChargedBack: back,
    isOwed: isPaid && own < PRICE,
    isMore: isPaid && net > PRICE,
    isPart: !isPaid && net > 0,
    available: own,
    unallocated: net - own,
  };
}

function backOf({ amount, end }: Planned): number {
  if (end === 'returned') return amount;
  return end === 'partly returned' ? 300 : 0;
}

describe('payments that come, and go back, in every order', () => {
  const amounts: [number, number][] = [
    [PRICE, PRICE],
    [400, 600],
  ];
  const cases = amounts.flatMap(([one, other]) =>
    ENDS.flatMap((first, at) =>
      ENDS.slice(one === other ? at : 0).map(
        (second) => [one, first, other, second] as [number, End, number, End],
      ),
    ),
  );

  it.each(cases)('%d that is %s, and %d that is %s', async (one, first, other, second) => {
    const shop = await app.merchant();
    const payments: Planned[] = [
      { amount: one, end: first },
      { amount: other, end: second },
      // The true payment, at any time.
      { amount: PRICE, end: 'stays' },
    ];
    for (const steps of interleavings(payments)) {
      const before = (await balances(app, shop))['EUR'] ?? {};
      const order = await shop.order({ amount: PRICE });
      await told(app, shop, order);
      const paid = new Map<number, Awaited<ReturnType<typeof credited>>>();
      let moves: Moves = [];
      for (const [at, what] of steps) {
        const planned = payments[at]!;
        app.clock.advance(1_000);
        if (what === 'comes') {
          paid.set(at, await credited(app, shop, order, planned.amount));
          moves = [...moves, { at, by: planned.amount }];
        } else if (planned.end === 'undone') {
          expect(await undone(app, paid.get(at)!)).toBe('taken_back');
          moves = moves.filter((move) => move.at !== at);
        } else {
          expect(await returned(app, paid.get(at)!, backOf(planned))).toBe('taken_back');
          moves = [...moves, { at, by: -backOf(planned) }];
        }
        const { body } = await shop.read(order.txid);
        const now = (await balances(app, shop))['EUR'] ?? {};
        const grown = (account: string) => (now[account] ?? 0) - (before[account] ?? 0);
        const { exception } = body;
        const seen = {
          status: body.status,
          amountReceived: body['amountReceived'],
          amountChargedBack: body['amountChargedBack'],
          isOwed: body.status === 'paid' && exception === 'charged_back',
          isMore: exception === 'overpaid' || exception === 'duplicate_payment',
          isPart: body.status === 'open' && exception !== 'none' && body['amountReceived'] !== 0,
          available: grown('available'),
          unallocated: grown('unallocated'),
        };
        expect([steps, seen]).toEqual([steps, expectedOf(moves)]);
      }
      const { events } = await factsOf(app, order.txid);
      const times = (type: string) => events.filter((each) => each === type).length;
      const isPaid = expectedOf(moves).status === 'paid' ? 1 : 0;
      expect(times('order.paid')).toBe(times('order.reopened') + isPaid);
    }
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  });
});
