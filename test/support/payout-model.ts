/**
 * What becomes of money, said a second time and without a database: orders, payouts and the accounts
 * between which the money moves. Nothing here comes from the service.
 */

import { feeOf, type ModelFee } from './payout-model-fee.js';
import type { Outcome } from './outcome.js';

export interface ModelPayment {
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  completes: boolean;
  /** What it brought in all, and in how many parts, by currency. */
  readonly brought: Record<string, { readonly amount: number; readonly parts: number }>;
}

export interface ModelOrder {
  readonly merchant: number;
  readonly currency: string;
  readonly amount: number;
  status: 'open' | 'processing' | 'paid' | 'failed' | 'cancelled' | 'expired';
  exception: string;
  received: number;
  refunded: number;
  readonly payments: ModelPayment[];
}

export interface ModelPayout {
  readonly merchant: number;
  readonly currency: string;
  amount: number;
  status: string;
  file: number | null;
}

export interface ModelTransfer {
  readonly merchant: number;
  readonly currency: string;
  readonly kind: string;
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
  /** Places of the order and its payment; null for what a payout moves. */
  readonly cause: { readonly order: number; readonly payment: number } | null;
  /** Which time it is that the payment causes such a transfer. */
  readonly occurrence: number;
  isReversed: boolean;
}

export type RaceBalance = Pick<ModelTransfer, 'merchant' | 'currency'>;

const ATTEMPTS_MAX = 10;
const CLEARING = 'clearing:sandbox';

/** Where a payout may go. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  draft: ['pending_approval', 'cancelled'],
  pending_approval: ['approved', 'rejected', 'cancelled'],
  approved: ['exported', 'rejected', 'cancelled'],
  exported: ['submitted', 'approved'],
  submitted: ['paid', 'failed', 'returned'],
  paid: ['returned'],
};

export class MoneyModel {
  readonly orders: ModelOrder[] = [];
  readonly payouts: ModelPayout[] = [];
  readonly transfers: ModelTransfer[] = [];
  files = 0;
  private readonly fees = new Map<string, ModelFee>();

  setFee({ merchant, currency }: RaceBalance, fee: ModelFee): void {
    this.fees.set(`${merchant} ${currency}`, fee);
  }

  create(merchant: number, currency: string, amount: number): void {
    const first = { status: 'open', exception: 'none', received: 0, refunded: 0 } as const;
    this.orders.push({ merchant, currency, amount, ...first, payments: [] });
  }

  start(order: ModelOrder): Outcome {
    if (order.status === 'processing') return 'payment_in_progress';
    if (order.status !== 'open') return 'order_not_payable';
    order.status = 'processing';
    order.payments.push({ status: 'pending', completes: false, brought: {} });
    return 'ok';
  }

  refuse(order: ModelOrder, payment: ModelPayment): void {
    if (payment.status !== 'pending') return;
    const isAwaited = awaits(order, payment);
    payment.status = 'failed';
    if (!isAwaited) return;
    order.status = hasAttempts(order) ? 'open' : 'failed';
  }

  /** @param all what the payment brought in all, as its provider says */
  receive(order: ModelOrder, payment: ModelPayment, all: number, currency: string): void {
    const { amount: known, parts } = payment.brought[currency] ?? { amount: 0, parts: 0 };
    const amount = all - known;
    if (amount <= 0) return;
    payment.brought[currency] = { amount: all, parts: parts + 1 };
    if (currency !== order.currency) return this.receiveOther(order, payment, amount, currency);
    const isAwaited = awaits(order, payment);
    payment.status = 'succeeded';
    const before = order.received;
    order.received += amount;
    const isWaiting = order.status === 'open' || order.status === 'processing';
    if (isWaiting && order.received >= order.amount) {
      return this.complete(order, payment, amount, before);
    }
    this.book(order, payment, 'unallocated', CLEARING, 'unallocated', amount);
    if (order.status === 'paid') {
      order.exception = payment.completes ? 'overpaid' : 'duplicate_payment';
    } else order.exception = isWaiting ? 'underpaid' : 'paid_late';
    if (isAwaited || order.status === 'open')
      order.status = hasAttempts(order) ? 'open' : 'expired';
  }

  cancel(order: ModelOrder): Outcome {
    if (order.status === 'cancelled') return 'ok';
    const isWaiting = order.status === 'open' || order.status === 'processing';
    if (!isWaiting) return 'order_not_cancelable';
    const last = order.payments.at(-1);
    if (last && awaits(order, last)) last.status = 'cancelled';
    order.status = 'cancelled';
    return 'ok';
  }

  /** The time of every order is over. */
  expire(): void {
    for (const order of this.orders) {
      if (order.status === 'open' || order.status === 'processing') order.status = 'expired';
      for (const payment of order.payments) {
        if (payment.status === 'pending') payment.status = 'cancelled';
      }
    }
  }

  reverse(transfer: ModelTransfer): Outcome {
    const { kind, debit, credit, amount, currency, cause } = transfer;
    const order = this.orders[cause!.order]!;
    if (kind === 'unallocated') {
      if (!isRefundable(order, currency)) return 'awaited';
      if (this.unallocated(order, currency) < amount) return 'spent';
    }
    if (transfer.isReversed) return 'reversed before';
    transfer.isReversed = true;
    const back = { kind: 'reversal', debit: credit, credit: debit, isReversed: true };
    this.transfers.push({ ...transfer, ...back });
    if (kind === 'refund' && currency === order.currency) order.refunded -= amount;
    return 'ok';
  }

  /** Of the newest payment first, of each at most what is left of what it brought. */
  sendBack(order: ModelOrder, amount: number, currency: string): Outcome {
    const isTooMuch = amount > this.unallocated(order, currency);
    if (isTooMuch || !isRefundable(order, currency)) return 'order_not_refundable';
    if (currency === order.currency) order.refunded += amount;
    let rest = amount;
    for (const [n, payment] of [...order.payments.entries()].reverse()) {
      const own = this.moves(order, currency).filter(({ cause }) => cause!.payment === n);
      const left = own
        .filter(({ debit, credit }) => debit === CLEARING || credit === CLEARING)
        .reduce((sum, one) => sum + changeOf(one), 0);
      const part = Math.min(rest, left);
      const nth = own.filter(({ kind }) => kind === 'refund').length + 1;
      this.book(order, payment, 'refund', 'unallocated', CLEARING, part, currency, nth);
      rest -= part;
    }
    return 'ok';
  }

  /** What is kept apart of what came for the order. */
  unallocated(order: ModelOrder, currency: string): number {
    return this.moves(order, currency).reduce((sum, one) => sum + changeOf(one), 0);
  }

  private moves(order: ModelOrder, of: string): ModelTransfer[] {
    const place = this.orders.indexOf(order);
    return this.transfers.filter(
      (one) => one.cause?.order === place && one.currency === of && changeOf(one) !== 0,
    );
  }

  draft(balance: RaceBalance, amount: number): Outcome {
    this.payouts.push({ ...balance, amount, status: 'draft', file: null });
    return 'ok';
  }

  request(balance: RaceBalance, amount: number): Outcome {
    if (amount > this.available(balance)) return 'insufficient_balance';
    this.draft(balance, amount);
    return this.move(this.payouts.at(-1)!, 'pending_approval');
  }

  submit(payout: ModelPayout): Outcome {
    if (payout.status !== 'draft') return 'payout_not_possible';
    if (payout.amount > this.available(payout)) return 'insufficient_balance';
    return this.move(payout, 'pending_approval');
  }

  change(payout: ModelPayout, amount: number): Outcome {
    if (payout.status === 'pending_approval') {
      if (amount > this.available(payout) + payout.amount) return 'insufficient_balance';
      this.transfer(payout, 'payout_pending', 'available', payout.amount);
      this.transfer(payout, 'available', 'payout_pending', amount);
    } else if (payout.status !== 'draft') return 'payout_not_possible';
    payout.amount = amount;
    return 'ok';
  }

  approve(payout: ModelPayout, bySamePerson: boolean): Outcome {
    if (bySamePerson) return 'second_person_required';
    // A file that was not sent makes its payouts approved again, but an approval does not.
    if (payout.status !== 'pending_approval') return 'payout_not_possible';
    // Its money went back.
    if (this.available(payout) < 0) return 'payout_not_possible';
    return this.move(payout, 'approved');
  }

  export(currency: string): Outcome {
    const ready = (payout: ModelPayout): boolean =>
      payout.status === 'approved' && payout.currency === currency;
    const payouts = this.payouts.filter(ready);
    if (payouts.length === 0) return 'nothing_to_export';
    for (const payout of payouts) {
      payout.file = this.files;
      this.move(payout, 'exported');
    }
    this.files++;
    return 'ok';
  }

  /** What became of all payouts of a file that are where that is possible. */
  ofFile(file: number, from: string, to: string): Outcome {
    const payouts = this.inFile(file, from);
    for (const payout of payouts) {
      this.move(payout, to);
      if (to === 'approved') payout.file = null;
    }
    return payouts.length > 0 ? 'ok' : 'payout_not_possible';
  }

  inFile(file: number, status: string): ModelPayout[] {
    return this.payouts.filter((one) => one.file === file && one.status === status);
  }

  move(payout: ModelPayout, to: string): Outcome {
    const { status: from, amount } = payout;
    if (!canMove(payout, to)) return 'payout_not_possible';
    payout.status = to;
    const isGivenBack = ['rejected', 'cancelled', 'failed', 'returned'].includes(to);
    if (from === 'draft' && to === 'cancelled') return 'ok';
    if (from === 'draft') this.transfer(payout, 'available', 'payout_pending', amount);
    else if (from === 'paid') this.transfer(payout, 'clearing:bank', 'available', amount);
    else if (to === 'paid') this.transfer(payout, 'payout_pending', 'clearing:bank', amount);
    else if (isGivenBack) this.transfer(payout, 'payout_pending', 'available', amount);
    return 'ok';
  }

  /** Whether money of any paid order went back. Which payout had that money is not in the model. */
  wentBack({ merchant, currency }: RaceBalance): boolean {
    return this.transfers.some(
      (one) =>
        one.kind === 'reversal' &&
        one.debit === 'available' &&
        one.merchant === merchant &&
        one.currency === currency,
    );
  }

  available({ merchant, currency }: RaceBalance): number {
    return this.balances(merchant)[currency]?.['available'] ?? 0;
  }

  /** Those in which something moved. */
  moved(): RaceBalance[] {
    return [
      ...new Map(this.transfers.map((one) => [`${one.merchant} ${one.currency}`, one])).values(),
    ];
  }

  /** Accounts on which anything is, by currency. */
  balances(merchant: number): Record<string, Record<string, number>> {
    const all: Record<string, Record<string, number>> = {};
    const add = (currency: string, account: string, amount: number): void => {
      const accounts = (all[currency] ??= {});
      accounts[account] = (accounts[account] ?? 0) + amount;
      if (accounts[account] === 0) delete accounts[account];
      if (Object.keys(accounts).length === 0) delete all[currency];
    };
    for (const { merchant: whose, currency, debit, credit, amount } of this.transfers) {
      if (whose !== merchant) continue;
      add(currency, debit, -amount);
      add(currency, credit, amount);
    }
    return all;
  }

  private receiveOther(
    order: ModelOrder,
    payment: ModelPayment,
    amount: number,
    currency: string,
  ): void {
    if (awaits(order, payment)) order.status = hasAttempts(order) ? 'open' : 'failed';
    if (payment.status !== 'succeeded') payment.status = 'failed';
    order.exception = 'wrong_currency';
    this.book(order, payment, 'unallocated', CLEARING, 'unallocated', amount, currency);
  }

  private complete(order: ModelOrder, payment: ModelPayment, amount: number, before: number): void {
    const fee = feeOf(order.amount, this.fees.get(`${order.merchant} ${order.currency}`));
    this.book(order, payment, 'payment', CLEARING, 'available', order.amount - before);
    this.book(order, payment, 'allocation', 'unallocated', 'available', before);
    this.book(order, payment, 'fee', 'available', 'fees', fee);
    const over = before + amount - order.amount;
    this.book(order, payment, 'unallocated', CLEARING, 'unallocated', over);
    order.status = 'paid';
    payment.completes = true;
    if (over > 0) order.exception = 'overpaid';
    else if (order.exception !== 'wrong_currency') order.exception = 'none';
  }

  private book(
    order: ModelOrder,
    payment: ModelPayment,
    kind: string,
    debit: string,
    credit: string,
    amount: number,
    currency = order.currency,
    occurrence = payment.brought[currency]?.parts ?? 1,
  ): void {
    const cause = { order: this.orders.indexOf(order), payment: order.payments.indexOf(payment) };
    const { merchant } = order;
    const what = { merchant, currency, kind, debit, credit, amount, cause, occurrence };
    if (amount > 0) this.transfers.push({ ...what, isReversed: false });
  }

  private transfer(payout: ModelPayout, debit: string, credit: string, amount: number): void {
    const { merchant, currency } = payout;
    const rest = { kind: 'payout', cause: null, occurrence: 1, isReversed: false };
    this.transfers.push({ merchant, currency, debit, credit, amount, ...rest });
  }
}

export const canMove = ({ status }: ModelPayout, to: string): boolean =>
  WAYS[status]?.includes(to) === true;

const awaits = (order: ModelOrder, payment: ModelPayment): boolean =>
  order.status === 'processing' && order.payments.at(-1) === payment;

const hasAttempts = ({ payments }: ModelOrder): boolean => payments.length < ATTEMPTS_MAX;

/** Parts of the price belong to an order until it ends. */
export const isRefundable = ({ status, currency }: ModelOrder, of: string): boolean =>
  of !== currency || (status !== 'open' && status !== 'processing');

const changeOf = ({ debit, credit, amount }: ModelTransfer): number =>
  credit === 'unallocated' ? amount : debit === 'unallocated' ? -amount : 0;
