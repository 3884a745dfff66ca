import { expect } from '@jest/globals';
import { select } from './facts.js';
import { balances } from './payouts.js';
import {
  ask,
  chargeBack,
  held,
  isPending,
  keep,
  leftOf,
  type ModelMerchant,
  type ModelOrder,
  type ModelRefund,
  newOrder,
  pay,
  payOut,
  record,
  refundable,
  refunded,
  sources,
} from './refund-model.js';
import * as ways from './refund-model-ways.js';
import type { RefundWorld } from './refund-world.js';

/** Random numbers that a seed repeats. */
export class Dice {
  constructor(private state: number) {}

  /** A whole number from 0, below `below`. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  any<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  in(one: number): boolean {
    return this.below(one) === 0;
  }
}

type Step = () => Promise<unknown>;

/** What concerns the orders of all merchants. */
export interface Meanwhile {
  /** Refunds that are under way. */
  readonly open: Set<ModelRefund>;
  files: number;
  /** How often which act had which outcome. */
  readonly outcomes: Record<string, number>;
}

export const newMeanwhile = (): Meanwhile => ({ open: new Set(), files: 0, outcomes: {} });

/** Some orders of one merchant, to which things happen in turns. All happen to the model and to the service. */
export class RefundLives {
  readonly orders: ModelOrder[] = [];
  /** What happened, for whoever has to find out why the two differ. */
  readonly log: string[] = [];

  constructor(
    private readonly world: RefundWorld,
    private readonly dice: Dice,
    private readonly merchant: ModelMerchant,
    private readonly meanwhile: Meanwhile,
  ) {}

  async begin(): Promise<void> {
    const { dice, world } = this;
    const order = newOrder(this.merchant, 100 * (1 + dice.below(20)));
    this.orders.push(order);
    await world.create(order);
    const method = dice.in(3) ? 'bank' : 'provider';
    const { price } = order;
    const first = dice.any([price, price, price, price + 300, Math.ceil(price * 0.6)]);
    await this.pay(order, first, method);
    if (!order.isPaid && !dice.in(4))
      await this.pay(order, price - first + dice.any([0, 0, 250]), dice.any([method, 'bank']));
  }

  /** Something happens to one of the orders, or to the merchant. */
  async step(): Promise<void> {
    const { dice } = this;
    this.world.app.clock.advance(1_000);
    const order = dice.any(this.orders);
    const refund = dice.any([...order.refunds, null]);
    const steps = [
      ...Array.from({ length: 4 }, () => () => this.ask(order)),
      ...(refund ? this.of(refund) : []),
      ...this.ofAll(),
      () => this.takeMoney(order),
    ];
    await dice.any<Step>(steps)();
    for (const each of this.meanwhile.open) if (isOver(each)) this.meanwhile.open.delete(each);
    await this.compare(order);
  }

  private async pay(order: ModelOrder, amount: number, method: 'bank' | 'provider') {
    this.note(order, `pay ${amount} by ${method}`);
    pay(order, amount, method);
    await this.world.pay(order, amount, method);
  }

  private async ask(order: ModelOrder): Promise<void> {
    const { dice } = this;
    const left = sources(order)[0]?.left ?? 0;
    const part = 1 + dice.below(Math.max(left, 1));
    const amount = dice.any([part, part, part, left, left + 1, held(order), 0, 1.5, undefined]);
    const seen = refundable(order) + dice.below(2);
    const asked = {
      ...(amount === undefined ? {} : { amount }),
      ...(dice.in(4) ? { amountRefundable: seen } : {}),
      // Few names, so that some are taken.
      ...(dice.in(4) ? { refundMerchantId: `R-${dice.below(4 + this.merchant.named.size)}` } : {}),
    };
    this.note(order, `ask ${JSON.stringify(asked)}`);
    const expected = ask(order, asked);
    const real = await this.world.ask(order, asked);
    if (typeof expected === 'string') return this.expectOutcome('ask', real, expected);
    const known = this.world.ids.get(expected);
    if (known !== undefined)
      return this.expectOutcome('ask', real === known ? 'known' : real, 'known');
    expect(real).toMatch(/^[\da-f-]{36}$/);
    this.expectOutcome('ask', 'ok', 'ok');
    this.world.ids.set(expected, real);
    this.meanwhile.open.add(expected);
  }

  /** What can be done to one refund, whether or not it is possible. */
  private of(refund: ModelRefund): Step[] {
    const { world, dice } = this;
    const say = (what: string) =>
      this.note(refund.order, `${what} ${refund.order.refunds.indexOf(refund)}`);
    const same = async (what: string, expected: string, real: Promise<string>) => {
      say(what);
      this.expectOutcome(what, await real, expected);
    };
    const answer = dice.any(['succeeded', 'failed', 'returned', 'silent'] as const);
    const isAlive = isPending(refund) || refund.status === 'succeeded';
    const steps: Step[] = [() => same('cancel', ways.cancel(refund), world.cancel(refund))];
    if (isAlive)
      steps.push(() => same(answer, ways.decide(refund, answer), world.decide(refund, answer)));
    if (refund.letter === 'none') return steps;
    const { letter } = refund;
    // Two refunds of one order in one file stop it: see test/bank-refund-defects.e2e-spec.ts.
    const isBeside = refund.order.refunds.some(
      (other) => other !== refund && (other.letter === 'approved' || other.letter === 'in file'),
    );
    if (letter !== 'paid' && !isBeside) {
      const approve = () => same('approve', ways.approve(refund), world.approve(refund));
      steps.push(approve, approve);
    }
    if (letter !== 'paid') {
      steps.push(() => same('reject', ways.reject(refund), world.reject(refund)));
      steps.push(() => same('fail', ways.fail(refund), world.fail(refund)));
    }
    if (letter === 'in file' || letter === 'at bank') {
      const all = [...this.meanwhile.open];
      steps.push(() => same('leave', ways.leave(all, refund), world.leave(refund)));
    }
    if (letter === 'paid')
      steps.push(() => same('come back', ways.comeBack(refund), world.comeBack(refund)));
    return steps;
  }

  /** What concerns the refunds of all orders. */
  private ofAll(): Step[] {
    const { world, dice, meanwhile } = this;
    const all = [...meanwhile.open];
    const file = Math.max(0, meanwhile.files - 1 - dice.below(3));
    const isDownloaded = dice.in(2);
    const some: Step[] = [
      async () => {
        this.log.push('wait');
        ways.wait(all);
        await world.wait();
      },
      async () => {
        const outcome = ways.putIntoFile(all, meanwhile.files);
        this.log.push(`file ${meanwhile.files}`);
        this.expectOutcome('file', await world.putIntoFile(meanwhile.files), outcome);
        if (outcome === 'ok') meanwhile.files += 1;
      },
    ];
    if (meanwhile.files === 0) return some;
    some.push(async () => {
      this.log.push(`file ${file} arrives`);
      this.expectOutcome('arrive', await world.arrive(file), ways.arrive(all, file));
    });
    some.push(async () => {
      this.log.push(`file ${file} is not sent, ${isDownloaded ? 'but downloaded' : ''}`);
      const real = await world.loseFile(file, isDownloaded);
      this.expectOutcome('lose', real, ways.loseFile(all, file, isDownloaded));
    });
    return some;
  }

  /** Money goes another way than by a refund; or more comes. */
  private async takeMoney(order: ModelOrder): Promise<void> {
    const { dice, merchant, world } = this;
    const way = dice.below(4);
    const transfer = dice.any([...order.payments.filter(({ method }) => method === 'bank'), null]);
    if (way === 0 && transfer && order.isPaid) {
      const amount = dice.any([transfer.amount, transfer.amount - transfer.returned, 1, 100]);
      // Money that a refund of the payment has reserved: see test/bank-refund-defects.e2e-spec.ts.
      const isReserved = amount > leftOf(order, transfer) && amount <= held(order);
      if (amount <= 0 || isReserved) return;
      this.note(order, `charge back ${amount} of ${order.payments.indexOf(transfer)}`);
      const expected = chargeBack(order, transfer, amount);
      this.expectOutcome('charge back', await world.chargeBack(transfer, amount), expected);
    } else if (way === 1) {
      const amount = Math.max(1, order.apart - dice.below(2) * dice.below(100));
      this.note(order, `record ${amount}`);
      this.expectOutcome('record', await world.record(order, amount), record(order, amount));
    } else if (way === 2 && order.isPaid && order.payments.length < 4) {
      await this.pay(order, dice.any([order.price, 120]), 'bank');
    } else await this.payOut(merchant);
  }

  private async payOut(merchant: ModelMerchant): Promise<void> {
    const { dice, world } = this;
    if (merchant.payouts.length > 1 || (merchant.payouts.length > 0 && dice.in(2))) {
      this.log.push('keep');
      keep(merchant);
      return world.keep(merchant);
    }
    const available = merchant.accounts['available'] ?? 0;
    const amount = Math.max(1, available + dice.any([0, 1, -100]));
    this.log.push(`pay out ${amount}`);
    this.expectOutcome('pay out', await world.payOut(merchant, amount), payOut(merchant, amount));
  }

  /** The order and the merchant's accounts are what the model says. */
  async compare(order: ModelOrder): Promise<void> {
    const { world, merchant } = this;
    const [shop, txid] = [world.shopOf(order), world.txids.get(order)!];
    const { body } = await shop.read(txid);
    expect({ ...pick(body), refunds: await statusesOf(world, txid) }).toEqual({
      isPaid: order.isPaid,
      amountRefunded: refunded(order),
      amountRefundable: refundable(order),
      refunds: Object.fromEntries(
        order.refunds.map((r) => [world.ids.get(r)!, `${r.status} ${r.amount}`]),
      ),
    });
    const accounts = Object.entries(merchant.accounts).filter(([, amount]) => amount !== 0);
    expect((await balances(world.app, shop))['EUR'] ?? {}).toEqual(Object.fromEntries(accounts));
  }

  /** Each thing that happened was told of once. */
  async compareEvents(): Promise<void> {
    const { world } = this;
    for (const order of this.orders) {
      const txid = world.txids.get(order)!;
      const expected = order.refunds.flatMap((r) =>
        r.told.map((type) => `${world.ids.get(r)!} ${type}`),
      );
      const told = [...expected, ...Array.from({ length: order.changes }, () => 'order.refunded')];
      expect((await eventsOf(world, txid)).toSorted()).toEqual(told.toSorted());
    }
  }

  private expectOutcome(what: string, real: string, expected: string): void {
    const { outcomes } = this.meanwhile;
    const key = `${what}: ${expected}`;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
    expect(`${what}: ${real}`).toBe(key);
  }

  private note(order: ModelOrder, what: string): void {
    this.log.push(`order ${this.orders.indexOf(order)}: ${what}`);
  }
}

const isOver = (refund: ModelRefund): boolean =>
  !isPending(refund) && refund.letter !== 'in file' && refund.letter !== 'at bank';

const pick = ({ status, amountRefunded, amountRefundable }: Record<string, unknown>) => ({
  isPaid: status === 'paid',
  amountRefunded,
  amountRefundable,
});

async function statusesOf({ app }: RefundWorld, txid: string): Promise<Record<string, string>> {
  const sql = `SELECT id, status || ' ' || amount AS said FROM refunds WHERE txid = $1`;
  const rows = await select<{ id: string; said: string }>(app, sql, [txid]);
  return Object.fromEntries(rows.map(({ id, said }) => [id, said]));
}

/** What was told of the refunds of an order, each with the refund. */
async function eventsOf({ app }: RefundWorld, txid: string): Promise<string[]> {
  const sql = `SELECT type, data -> 'refundAsOf' ->> 'id' AS id FROM events
    WHERE txid = $1 AND (type LIKE 'refund.%' OR type = 'order.refunded')`;
  const rows = await select<{ type: string; id: string | null }>(app, sql, [txid]);
  return rows.map(({ type, id }) => (id === null ? type : `${id} ${type}`));
}
