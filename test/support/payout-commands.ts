import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { Outcome } from './outcome.js';
import { expectSame } from './payout-agreement.js';
import { canMove, type ModelOrder, type ModelPayout, MoneyModel } from './payout-model.js';
import type { PayoutWorld } from './payout-world.js';

export const MERCHANTS = 2;
const CURRENCIES = ['EUR', 'USD'] as const;
const AMOUNT_MAX = 99_999_999_999;
/** Of one run. */
const COMMANDS_MAX = 60;

export type Command = fc.AsyncCommand<MoneyModel, PayoutWorld>;

/** What the model says must come out, and what has. */
type Outcomes = readonly [expected: Outcome, actual: Outcome];

/** One thing that somebody does: in the model, and for real. Both must say the same. */
function command(
  name: string,
  check: (model: MoneyModel) => boolean,
  act: (model: MoneyModel, world: PayoutWorld) => Promise<Outcomes>,
): Command {
  return {
    check,
    run: async (model, world) => {
      const [expected, actual] = await act(model, world);
      expect([name, actual]).toEqual([name, expected]);
      await expectSame(model, world);
    },
    toString: () => name,
  };
}

const always = (): boolean => true;
const hasOrders = ({ orders }: MoneyModel): boolean => orders.length > 0;
const hasPayouts = ({ payouts }: MoneyModel): boolean => payouts.length > 0;

const merchant = fc.nat(MERCHANTS - 1);
const currency = fc.constantFrom(...CURRENCIES);
const place = fc.nat(1_000);
/** In hundredths of what there is. */
const part = fc.oneof(fc.constant(100), fc.integer({ min: 0, max: 120 }));
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
  fc.constantFrom(1, AMOUNT_MAX),
);

const share = (of: number, hundredths: number): number =>
  Math.min(AMOUNT_MAX, Math.max(1, Math.floor((of * hundredths) / 100)));

const at = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

/** Mostly one that is ready for it; sometimes any. */
function aimed<T>(list: readonly T[], n: number, isReady: (one: T) => boolean): T {
  const ready = list.filter(isReady);
  return at(n % 8 > 0 && ready.length > 0 ? ready : list, n);
}

/** What is still to come for the order; for one that needs nothing more, all of it again. */
const due = ({ amount: all, received }: ModelOrder): number =>
  received < all ? all - received : all;

const isOpen = ({ status }: ModelOrder): boolean => status === 'open' || status === 'processing';

const creating = fc.tuple(merchant, currency, amount).map(([m, c, a]) =>
  command(`create ${a} ${c} at ${m}`, always, async (model, world) => {
    model.create(m, c, a);
    return ['ok', await world.create(m, c, a)];
  }),
);

const starting = place.map((n) =>
  command(`start ${n}`, hasOrders, async (model, world) => {
    const order = aimed(model.orders, n, isOpen);
    return [model.start(order), await world.start(model.orders.indexOf(order))];
  }),
);

async function pay(
  model: MoneyModel,
  world: PayoutWorld,
  order: ModelOrder,
  sum: number,
): Promise<Outcomes> {
  const isLive = order.status === 'processing';
  const expected = isLive ? 'ok' : model.start(order);
  if (expected === 'ok') model.receive(order, order.payments.at(-1)!, sum, order.currency);
  return [expected, await world.pay(model.orders.indexOf(order), sum)];
}

const paying = fc.tuple(place, part).map(([n, p]) =>
  command(`pay ${p} % of ${n}`, hasOrders, (model, world) => {
    const order = aimed(model.orders, n, isOpen);
    return pay(model, world, order, share(due(order), p));
  }),
);

const selling = fc.tuple(merchant, currency, amount).map(([m, c, a]) =>
  command(`sell ${a} ${c} at ${m}`, always, async (model, world) => {
    model.create(m, c, a);
    await world.create(m, c, a);
    return pay(model, world, model.orders.at(-1)!, a);
  }),
);

const withPayments = ({ orders }: MoneyModel): ModelOrder[] =>
  orders.filter(({ payments }) => payments.length > 0);

/** An update about any payment: late, again, in another currency, or that it failed. */
const hearing = fc
  .tuple(place, place, part, fc.option(currency), fc.boolean())
  .map(([n, k, p, other, isRefused]) =>
    command(
      `hear of ${n}, ${k}: ${isRefused ? 'refused' : `${p} % ${other ?? ''}`}`,
      (model) => withPayments(model).length > 0,
      async (model, world) => {
        const isUnpaid = ({ status }: { readonly status: string }) => status !== 'succeeded';
        const order = aimed(withPayments(model), n, (one) => one.payments.some(isUnpaid));
        // Now and then the provider says something else of one that has paid.
        const payment = aimed(order.payments, k, (one) => k % 4 === 0 || isUnpaid(one));
        const ids = [model.orders.indexOf(order), order.payments.indexOf(payment)] as const;
        if (isRefused) {
          model.refuse(order, payment);
          return ['ok', await world.refuse(...ids)];
        }
        const money = [share(due(order), p), other ?? order.currency] as const;
        model.receive(order, payment, ...money);
        return ['ok', await world.receive(...ids, ...money)];
      },
    ),
  );

const cancelling = place.map((n) =>
  command(`cancel ${n}`, hasOrders, async (model, world) => {
    const order = aimed(model.orders, n, isOpen);
    return [model.cancel(order), await world.cancel(model.orders.indexOf(order))];
  }),
);

const expiring = fc.constant(
  command(
    'let expire',
    ({ orders }) => orders.some(isOpen),
    async (model, world) => {
      model.expire();
      return ['ok', await world.expire()];
    },
  ),
);

const pricing = fc
  .tuple(merchant, currency, fc.constantFrom(0, 14_000, 29_000, 500_000), fc.nat(300))
  .map(([m, c, partsPerMillion, fixed]) =>
    command(`fee of ${partsPerMillion} + ${fixed} ${c} at ${m}`, always, async (model, world) => {
      model.setFee({ merchant: m, currency: c }, { partsPerMillion, fixed });
      return ['ok', await world.setFee(m, c, { partsPerMillion, fixed })];
    }),
  );

const isReversible = ({ kind, cause }: MoneyModel['transfers'][number]): boolean =>
  cause !== null && kind !== 'reversal';

const reversing = place.map((n) =>
  command(
    `reverse ${n}`,
    ({ transfers }) => transfers.some(isReversible),
    async (model, world) => {
      const transfers = model.transfers.filter(isReversible);
      const transfer = aimed(transfers, n, ({ isReversed }) => !isReversed);
      return [model.reverse(transfer), await world.reverse(transfer)];
    },
  ),
);

const sending = fc.tuple(place, part, currency).map(([n, p, c]) =>
  command(`send ${p} % ${c} of ${n} back`, hasOrders, async (model, world) => {
    const order = aimed(model.orders, n, (one) => model.unallocated(one, c) > 0);
    const sum = share(model.unallocated(order, c), p);
    const place = model.orders.indexOf(order);
    return [model.sendBack(order, sum, c), await world.sendBack(place, sum, c)];
  }),
);

const counting = fc
  .tuple(merchant, currency)
  .map(([m, c]) =>
    command(`checkpoint ${c} at ${m}`, always, async (_, world) => [
      'ok',
      await world.checkpoint(m, c),
    ]),
  );

const asking = fc
  .tuple(place, merchant, currency, part, fc.constantFrom('draft', ...Array(5).fill('request')))
  .map(([n, m, c, p, how]: [number, number, string, number, 'draft' | 'request']) =>
    command(`${how} ${p} % ${c} at ${m}, ${n}`, always, async (model, world) => {
      const all = [{ merchant: m, currency: c }, ...model.moved()];
      const balance = aimed(all, n, (one) => model.available(one) > 0);
      const sum = share(model.available(balance), p);
      return [model[how](balance, sum), await world[how](balance, sum)];
    }),
  );

/** Something done to a payout that is mostly one that can go to `to`. */
const doing = (
  what: string,
  to: string,
  act: (model: MoneyModel, world: PayoutWorld, payout: ModelPayout, n: number) => Promise<Outcomes>,
) =>
  place.map((n) =>
    command(`${what} ${n}`, hasPayouts, (model, world) => {
      const payout = aimed(model.payouts, n, (one) => canMove(one, to));
      return act(model, world, payout, model.payouts.indexOf(payout));
    }),
  );

const submitting = doing('submit', 'pending_approval', async (model, world, payout, n) => [
  model.submit(payout),
  await world.submit(n),
]);

const changing = part.chain((p) =>
  doing(`change to ${p} %:`, 'approved', async (model, world, payout, n) => {
    const sum = share(model.available(payout) + payout.amount, p);
    return [model.change(payout, sum), await world.change(payout, n, sum)];
  }),
);

const approving = fc.nat(9).chain((who) =>
  doing(`approve as ${who}:`, 'approved', async (model, world, payout, n) => {
    const bySamePerson = who === 0;
    const actual = await world.approve(n, bySamePerson);
    // `payout-waits` says which payouts wait after money went back.
    const waits = actual === 'payout_not_possible' && !bySamePerson && model.wentBack(payout);
    return [waits ? actual : model.approve(payout, bySamePerson), actual];
  }),
);

const ENDS = ['rejected', 'cancelled', 'paid', 'paid', 'failed', 'returned', 'returned'] as const;

const ending = fc
  .constantFrom(...ENDS)
  .chain((to) =>
    doing(to, to, async (model, world, payout, n) => [
      model.move(payout, to),
      await world.move(n, to),
    ]),
  );

const exporting = fc.tuple(place, currency).map(([n, c]) =>
  command(`export ${c}, ${n}`, hasPayouts, async (model, world) => {
    const ready = model.payouts.find(({ status }) => status === 'approved')?.currency;
    const chosen = n % 4 > 0 ? (ready ?? c) : c;
    return [model.export(chosen), await world.export(chosen)];
  }),
);

const FILE_STEPS = {
  notSent: ['exported', 'approved'],
  submitted: ['exported', 'submitted'],
  paid: ['submitted', 'paid'],
} as const;

const answering = fc
  .tuple(place, fc.constantFrom('notSent', 'submitted', 'submitted', 'paid', 'paid'))
  .map(([n, what]) =>
    command(
      `file ${n}: ${what}`,
      ({ files }) => files > 0,
      async (model, world) => {
        const [from, to] = FILE_STEPS[what];
        const files = Array.from({ length: model.files }, (_, file) => file);
        const file = aimed(files, n, (one) => model.inFile(one, from).length > 0);
        return [model.ofFile(file, from, to), await world.ofFile(file, what)];
      },
    ),
  );

const restarting = fc.constant(
  command('restart', hasPayouts, async (_, world) => ['ok', await world.restart()]),
);

/** What happens, and how often it does. */
const SHARES: readonly (readonly [number, fc.Arbitrary<Command>])[] = [
  [8, selling],
  [3, creating],
  [2, starting],
  [5, paying],
  [7, hearing],
  [1, cancelling],
  [1, expiring],
  [2, pricing],
  [2, reversing],
  [3, sending],
  [2, counting],
  [10, asking],
  [2, submitting],
  [3, changing],
  [10, approving],
  [7, ending],
  [6, exporting],
  [8, answering],
  [1, restarting],
];

export const commands = (): fc.Arbitrary<Iterable<Command>> => {
  const all = SHARES.flatMap(([times, one]) => Array.from({ length: times }, () => one));
  return fc.commands(all, { maxCommands: COMMANDS_MAX, size: 'max' });
};
