/**
 * Refunds, said a second time and without a database: what orders took in and gave back, and the accounts between which
 * the money moves. Nothing here comes from the service.
 */
import type { Outcome } from './outcome.js';

export type Method = 'provider' | 'bank';
export type Accounts = Record<string, number>;

export interface ModelMerchant {
  /** What every account comes to. */
  readonly accounts: Accounts;
  /** Taken from each order whose price a payment by the provider completes. */
  readonly fee: number;
  /** Refunds that have a name of the merchant's. */
  readonly named: Map<string, { readonly said: string; readonly refund: ModelRefund }>;
  /** Amounts of payouts that wait. */
  readonly payouts: number[];
}

export interface ModelPayment {
  readonly method: Method;
  readonly amount: number;
  /** What the payer's bank took back. */
  returned: number;
  /** What somebody sent back past the service. */
  recorded: number;
  /** What of it is no part of the price. */
  apart: number;
}

export interface ModelRefund {
  readonly order: ModelOrder;
  readonly payment: ModelPayment;
  readonly amount: number;
  /** Part that is taken from money beside the price. */
  readonly apart: number;
  status: string;
  /** Whether the provider may have it. */
  isCalled: boolean;
  isSilent: boolean;
  /** Where the payout of a refund by bank is. */
  letter: 'none' | 'waits' | 'approved' | 'in file' | 'at bank' | 'paid' | 'rejected' | 'ended';
  file: number | null;
  /** Types of its events. */
  readonly told: string[];
}

export interface ModelOrder {
  readonly merchant: ModelMerchant;
  readonly price: number;
  isPaid: boolean;
  readonly payments: ModelPayment[];
  readonly refunds: ModelRefund[];
  /** What came in for the price, less what banks took back. */
  own: number;
  /** What lies beside the price. */
  apart: number;
  /** How often its refunded sum changed. */
  changes: number;
}

export interface Asked {
  readonly amount?: number;
  readonly amountRefundable?: number;
  readonly refundMerchantId?: string;
}

export const isPending = ({ status }: ModelRefund): boolean =>
  status === 'requested' || status === 'approved' || status === 'submitted';

const isActive = (refund: ModelRefund): boolean =>
  isPending(refund) || refund.status === 'succeeded';

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((all, one) => all + one, 0);

const clearingOf = ({ method }: ModelPayment): string =>
  method === 'bank' ? 'clearing:bank_transfer' : 'clearing:sandbox';

export function newMerchant(fee: number): ModelMerchant {
  return { accounts: {}, fee, named: new Map(), payouts: [] };
}

export function newOrder(merchant: ModelMerchant, price: number): ModelOrder {
  const nothing = { isPaid: false, payments: [], refunds: [], own: 0, apart: 0, changes: 0 };
  return { merchant, price, ...nothing };
}

function book({ accounts }: ModelMerchant, from: string, to: string, amount: number): void {
  accounts[from] = (accounts[from] ?? 0) - amount;
  accounts[to] = (accounts[to] ?? 0) + amount;
}

/** What the order took in, and did not lose again to a bank. */
export const received = ({ payments }: ModelOrder): number =>
  sum(payments.map(({ amount, returned }) => amount - returned));

export const refunded = ({ payments, refunds }: ModelOrder): number =>
  sum(refunds.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)) +
  sum(payments.map(({ recorded }) => recorded));

/** What is still there. */
export const held = (order: ModelOrder): number =>
  received(order) - refunded(order) - sum(order.refunds.filter(isPending).map((r) => r.amount));

export const refundable = (order: ModelOrder): number => (order.isPaid ? held(order) : 0);

/** What is left of one payment. */
export function leftOf(order: ModelOrder, payment: ModelPayment): number {
  const active = order.refunds.filter((one) => one.payment === payment && isActive(one));
  return payment.amount - payment.returned - payment.recorded - sum(active.map((r) => r.amount));
}

/** Payments with money left, the newest first. */
export function sources(order: ModelOrder): { payment: ModelPayment; left: number }[] {
  if (!order.isPaid) return [];
  return order.payments
    .map((payment) => ({ payment, left: Math.min(leftOf(order, payment), held(order)) }))
    .filter(({ left }) => left > 0)
    .toReversed();
}

/** A payer pays. Money beyond the price lies beside it, as do parts of a price until all have come. */
export function pay(order: ModelOrder, amount: number, method: Method): void {
  const { merchant, price } = order;
  const payment = { method, amount, returned: 0, recorded: 0, apart: 0 };
  const wasPaid = order.isPaid;
  const before = order.apart;
  order.payments.push(payment);
  book(merchant, clearingOf(payment), 'unallocated', amount);
  order.apart += amount;
  if (!wasPaid && before + amount < price) {
    payment.apart = amount;
    return;
  }
  // Paid now; or paid before, and it makes up for what a bank took back.
  const fills = price - order.own;
  const makesUp = Math.min(fills, order.apart, wasPaid ? amount : fills);
  order.isPaid = true;
  payment.apart = amount - (wasPaid ? makesUp : price - before);
  order.own += makesUp;
  order.apart -= makesUp;
  book(merchant, 'unallocated', 'available', makesUp);
  if (!wasPaid && method === 'provider') book(merchant, 'available', 'fees', merchant.fee);
}

/** The payer's bank takes money back: first what lies beside the price. */
export function chargeBack(order: ModelOrder, payment: ModelPayment, amount: number): Outcome {
  if (amount > payment.amount - payment.returned || amount > held(order)) return 'too_much';
  payment.returned += amount;
  const apart = Math.min(amount, order.apart);
  order.apart -= apart;
  payment.apart -= apart;
  order.own -= amount - apart;
  book(order.merchant, 'unallocated', clearingOf(payment), apart);
  book(order.merchant, 'available', clearingOf(payment), amount - apart);
  return 'taken_back';
}

/** Somebody sends money back that lies beside the price: that of the newest payment first. */
export function record(order: ModelOrder, amount: number): Outcome {
  if (!order.isPaid || amount > order.apart) return 'order_not_refundable';
  let rest = amount;
  for (const payment of order.payments.toReversed()) {
    const part = Math.min(rest, Math.max(payment.apart, 0));
    payment.recorded += part;
    payment.apart -= part;
    book(order.merchant, 'unallocated', clearingOf(payment), part);
    rest -= part;
  }
  order.apart -= amount;
  order.changes += 1;
  return 'ok';
}

/**
 * How much a refund takes from the money beside the price: what can only be this payment's, and what the merchant's
 * share of the price lacks. Null while a refund in progress could give money of the share back.
 */
function apartOf(order: ModelOrder, payment: ModelPayment, amount: number): number | null {
  const others = order.payments.filter((one) => one !== payment);
  const surely = Math.max(0, order.apart - sum(others.map(({ apart }) => Math.max(apart, 0))));
  const ownRefunds = sum(order.refunds.filter(isActive).map((one) => one.amount - one.apart));
  const lacking = amount - (order.own - ownRefunds);
  if (lacking > surely && order.refunds.some(isPending)) return null;
  return Math.min(amount, Math.max(surely, lacking));
}

/** @returns the refund, new or known; or the code of the refusal */
export function ask(order: ModelOrder, asked: Asked): ModelRefund | Outcome {
  const { merchant } = order;
  const wrong = asked.amount !== undefined && !(Number.isInteger(asked.amount) && asked.amount > 0);
  if (wrong) return 'validation_failed';
  const { refundMerchantId: name } = asked;
  const said = JSON.stringify([asked.amount, asked.amountRefundable]);
  const known = name === undefined ? undefined : merchant.named.get(name);
  if (known)
    return known.said === said && known.refund.order === order
      ? known.refund
      : 'refund_already_exists';
  if (asked.amountRefundable !== undefined && asked.amountRefundable !== refundable(order))
    return 'refundable_changed';
  const from = sources(order);
  if (from.length === 0) return 'order_not_refundable';
  const amount = asked.amount ?? from[0]!.left;
  const source = from.find(({ left }) => left >= amount);
  if (!source) return 'refund_too_large';
  const apart = apartOf(order, source.payment, amount);
  if (apart === null) return 'refund_too_large';
  const own = amount - apart;
  if (own > 0 && (merchant.accounts['available'] ?? 0) < own) return 'insufficient_balance';
  const refund = reserve(order, source.payment, amount, apart);
  if (name !== undefined) merchant.named.set(name, { said, refund });
  return refund;
}

function reserve(
  order: ModelOrder,
  payment: ModelPayment,
  amount: number,
  apart: number,
): ModelRefund {
  const isBank = payment.method === 'bank';
  const refund: ModelRefund = {
    order,
    payment,
    amount,
    apart,
    status: 'requested',
    isCalled: false,
    isSilent: false,
    letter: isBank ? 'waits' : 'none',
    file: null,
    told: ['refund.requested'],
  };
  order.refunds.push(refund);
  order.apart -= apart;
  payment.apart -= apart;
  book(order.merchant, 'unallocated', 'refund_pending', apart);
  book(order.merchant, 'available', 'refund_pending', amount - apart);
  // Test refunds by a provider need nobody's approval.
  if (!isBank) move(refund, 'approved');
  return refund;
}

/** The refund is in another status, and its money where that says. */
export function move(refund: ModelRefund, to: string): void {
  const { order, payment, amount, apart, told } = refund;
  const { merchant } = order;
  const was = refund.status;
  refund.status = to;
  told.push(`refund.${to}`);
  if (to === 'succeeded') book(merchant, 'refund_pending', clearingOf(payment), amount);
  const isOver = to === 'failed' || to === 'cancelled' || to === 'rejected';
  if (isOver) {
    const from = was === 'succeeded' ? clearingOf(payment) : 'refund_pending';
    book(merchant, from, 'unallocated', apart);
    book(merchant, from, 'available', amount - apart);
    order.apart += apart;
    payment.apart += apart;
  }
  if (to === 'succeeded' || was === 'succeeded') order.changes += 1;
}

/** A merchant takes money out. */
export function payOut(merchant: ModelMerchant, amount: number): Outcome {
  if (amount > (merchant.accounts['available'] ?? 0)) return 'insufficient_balance';
  book(merchant, 'available', 'payout_pending', amount);
  merchant.payouts.push(amount);
  return 'ok';
}

/** The oldest payout is not wanted any more. */
export function keep(merchant: ModelMerchant): void {
  book(merchant, 'payout_pending', 'available', merchant.payouts.shift()!);
}
