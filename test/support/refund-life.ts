import { expect } from '@jest/globals';
import type { Dice } from './dice.js';
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
    const method = dice.in(2) ? 'bank' : 'provider';
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
    const refund = dice.any(dice.in(5) ? order.refunds : order.refunds.filter(isAlive));
    const kind = dice.below(10);
    if (kind < 3) await this.ask(order);
    else if (kind < 5) await this.takeMoney(order);
    else if (kind < 7 || !refund) await dice.any(this.ofAll())();
    else await dice.any(this.of(refund))();
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
    const wrong = dice.any([left + 1, 0, 1.5, -1]);
    const amount = dice.any([part, part, part, part, part, left, held(order), wrong, undefined]);
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
    const answer = dice.any(['succeeded', 'failed', 'returned', 'silent'] as const);
    const steps = [() => this.same('cancel', refund, ways.cancel, (it) => world.cancel(it))];
    const isKnown = isPending(refund) || refund.status === 'succeeded';
    const decide = () =>
      this.same(
        answer,
        refund,
        (it) => ways.decide(it, answer),
        (it) => world.decide(it, answer),
      );
    if (refund.letter === 'none') return isKnown ? [...steps, decide, decide] : steps;
    if (isKnown && dice.in(5)) steps.push(decide);
    return [...steps, ...this.ofLetter(refund)];
  }

  /** What operators and banks do about a refund by bank. */
  private ofLetter(refund: ModelRefund): Step[] {
    const { world, dice, meanwhile } = this;
    const { letter } = refund;
    const all = [...meanwhile.open];
    const comeBack = () =>
      this.same('come back', refund, ways.comeBack, (it) => world.comeBack(it));
    if (letter === 'paid') return [comeBack, comeBack];
    const leave = () =>
      this.same(
        'leave',
        refund,
        (it) => ways.leave(all, it),
        (it) => world.leave(it),
      );
    const fail = () => this.same('fail', refund, ways.fail, (it) => world.fail(it));
    const approve = () => this.same('approve', refund, ways.approve, (it) => world.approve(it));
    const reject = () => this.same('reject', refund, ways.reject, (it) => world.reject(it));
    return [
      approve,
      approve,
      ...(letter === 'in file' || letter === 'at bank' ? [leave, leave, leave] : []),
      ...(letter === 'at bank' || dice.in(5) ? [fail] : []),
      ...(dice.in(3) ? [reject] : []),
    ];
  }

  /** Does it to the refund of the model and of the service, with the same outcome. */
  private async same(
    what: string,
    refund: ModelRefund,
    expected: (refund: ModelRefund) => string,
    real: (refund: ModelRefund) => Promise<string>,
  ): Promise<void> {
    this.note(refund.order, `${what} ${refund.order.refunds.indexOf(refund)}`);
    const outcome = expected(refund);
    this.expectOutcome(what, await real(refund), outcome);
  }

  /** What concerns the refunds of all orders. */
  private ofAll(): Step[] {
    const { world, dice, meanwhile } = this;
    const all = [...meanwhile.open];
    const ready = all.filter(({ letter }) => letter === 'in file').map(({ file }) => file!);
    const file = ready.length > 0 && !dice.in(8) ? dice.any(ready) : dice.below(meanwhile.files);
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
    const isApproved = all.some(({ letter }) => letter === 'approved');
    if (!isApproved && !dice.in(8)) some.pop();
    if (meanwhile.files === 0 || (ready.length === 0 && !dice.in(8))) return some;
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
      // Of money that a refund of the payment has reserved an operator decides.
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
    expect({ ...shown(body), refunds: await world.statusesOf(order) }).toEqual({
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
      const expected = order.refunds.flatMap((r) =>
        r.told.map((type) => `${world.ids.get(r)!} ${type}`),
      );
      const told = [...expected, ...Array.from({ length: order.changes }, () => 'order.refunded')];
      expect((await world.eventsOf(order)).toSorted()).toEqual(told.toSorted());
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

const isAlive = (refund: ModelRefund): boolean => !isOver(refund) || refund.status === 'succeeded';

const isOver = (refund: ModelRefund): boolean =>
  !isPending(refund) && refund.letter !== 'in file' && refund.letter !== 'at bank';

const shown = ({ status, amountRefunded, amountRefundable }: Record<string, unknown>) => ({
  isPaid: status === 'paid',
  amountRefunded,
  amountRefundable,
});
