import { isFinished, type Order } from '../database/orders/order.entity.js';
import { type Payment, PAYMENT_ATTEMPTS_MAX } from '../database/payments/payment.entity.js';
import type { Outcome, Payer } from '../providers/provider.js';
import type { OrderChange } from '../status/order-change.js';
import { exceptionOfPaid, isOwedAgain } from './owed-again.js';

/** What can happen to a payment: what its provider says, or what we ended ourselves. */
export type PaymentUpdate =
  | Outcome
  /** The provider confirmed that the payment will never be made. */
  | { readonly kind: 'voided'; readonly because: 'by_merchant' | 'by_payer' | 'expired' }
  /** The provider was asked as often as the schedule says and the order's time is over. */
  | { readonly kind: 'given_up' };

/** Money, in minor units of its currency. */
interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** What the update changes; an absent part stays as it is. */
export interface Settlement {
  readonly payment?: Partial<Payment>;
  readonly order?: OrderChange;
  /** What came now; what the payment brought before is not in it. */
  readonly money?: Money;
  /** How much of it makes up for what was taken back of a paid order, in minor units: it is the merchant's. */
  readonly makesUp?: number;
  /**
   * How the update contradicts what the same payment brought before: more of it, another currency, or
   * less (also nothing at all), which changes nothing because only a person knows what is true.
   */
  readonly contradicts?: 'more' | 'other_currency' | 'less';
}

/** What a payment has brought so far, in minor units of each currency. */
export type BroughtBefore = Readonly<Partial<Record<string, number>>>;

type Accepted = Extract<Outcome, { kind: 'accepted' }>;

const NOTHING: Settlement = {};

/** The order where it is; only the named parts of it change. */
export const stay = (order: Order, change: Partial<OrderChange>): OrderChange => ({
  to: order.status,
  reason: order.statusReason,
  ...change,
});

/** Whether the order waits for this payment and no other. */
const awaits = (order: Order, payment: Payment): boolean =>
  order.status === 'processing' && order.paymentId === payment.id;

/**
 * What an update about a payment means for it and its order. Pure: the caller holds the order's lock and
 * writes what comes out. Money never rewrites a finished order; it is noted as an exception. But for a paid one of
 * which money was taken back: what comes for it then makes up for that.
 * @param owed what the merchant of a paid order lacks of its price, in minor units
 */
export function settle(
  order: Order,
  payment: Payment,
  update: PaymentUpdate,
  now: Date,
  brought: BroughtBefore = {},
  owed = 0,
): Settlement {
  switch (update.kind) {
    case 'accepted':
      return accepted(order, payment, update, now, brought, owed);
    case 'declined':
      return declined(order, payment, update.code, update.message, now);
    case 'pending':
    case 'unknown':
      return waiting(order, payment, update.kind);
    case 'voided':
      return voided(order, payment, update.because, now);
    case 'given_up':
      return givenUp(order, payment);
  }
}

const givenUp = (order: Order, payment: Payment): Settlement => ({
  ...(payment.nextLookAt === null ? {} : { payment: { nextLookAt: null } }),
  ...(awaits(order, payment) ? { order: expiry(order) } : {}),
});

/** An order ends unpaid. */
export const expiry = (order: Pick<Order, 'amountReceived'>): OrderChange => ({
  to: 'expired',
  reason: order.amountReceived > 0 ? 'partially_paid' : 'not_paid',
});

/**
 * Not paid after all: of the parts that came before, money was taken back by hand. What came now is
 * kept apart with the rest of them, and a person decides.
 */
export const withoutParts = ({ payment, order, ...others }: Settlement): Settlement => ({
  ...others,
  payment: { ...payment, completesOrder: false },
  order: { ...order, to: 'expired', reason: 'partially_paid', exception: 'underpaid' },
});

/** A provider tells what a payment moved in all: what it brought before is not counted again. */
function accepted(
  order: Order,
  payment: Payment,
  update: Accepted,
  now: Date,
  brought: BroughtBefore,
  owed: number,
): Settlement {
  const { currency } = update;
  const before = brought[currency] ?? 0;
  const amount = update.amount - before;
  if (amount === 0) return laterPayer(order, payment, update.payer);
  if (amount < 0) return { contradicts: 'less' };
  const money = { amount, currency };
  const own = currency === order.currency;
  const change = own
    ? ownMoney(order, payment, update, { amount, owed }, before > 0 ? payment.completedAt : now)
    : wrongCurrency(order, payment, update, now);
  const contradicts = before > 0 ? 'more' : 'other_currency';
  return { ...change, money, ...(payment.amountReceived === null ? {} : { contradicts }) };
}

function ownMoney(
  order: Order,
  payment: Payment,
  update: Accepted,
  { amount, owed }: { readonly amount: number; readonly owed: number },
  completedAt: Date | null,
): Settlement {
  const change = moneyArrived(order, payment, order.amountReceived + amount, owed - amount);
  const completes = change.to === 'paid' && order.status !== 'paid';
  return {
    payment: {
      ...moneyColumns(payment, update),
      status: 'succeeded',
      completesOrder: payment.completesOrder || completes,
      completedAt,
      errorCode: null,
      errorMessage: null,
    },
    order: change,
    ...(owed > 0 ? { makesUp: Math.min(owed, amount) } : {}),
  };
}

const moneyColumns = (payment: Payment, update: Accepted): Partial<Payment> => ({
  amountReceived: update.amount,
  receivedCurrency: update.currency,
  nextLookAt: null,
  ...newPayer(payment, update.payer),
});

/** @param lacks what the merchant of a paid order lacks of its price afterwards */
function moneyArrived(
  order: Order,
  payment: Payment,
  amountReceived: number,
  lacks: number,
): OrderChange {
  if (order.status === 'paid') {
    if (isOwedAgain(order))
      return stay(order, {
        exception: exceptionOfPaid(order, amountReceived, lacks),
        amountReceived,
      });
    const exception = payment.completesOrder ? 'overpaid' : 'duplicate_payment';
    return stay(order, { exception, amountReceived });
  }
  if (isFinished(order.status)) {
    return stay(order, { exception: 'paid_late', amountReceived, paymentId: payment.id });
  }
  const paymentId = payment.id;
  if (amountReceived < order.amount) {
    const part = { exception: 'underpaid', amountReceived } as const;
    // The rest can be paid now, unless another payment is under way.
    const free = order.status === 'open' || awaits(order, payment);
    return free ? { to: 'open', reason: null, paymentId, ...part } : stay(order, part);
  }
  const over = amountReceived > order.amount;
  // Money in another currency is still to be sent back, however well the order was paid since.
  const owed = order.exception === 'wrong_currency' ? order.exception : 'none';
  return {
    to: 'paid',
    reason: over ? 'overpaid' : 'exact',
    exception: over ? 'overpaid' : owed,
    amountReceived,
    paymentId,
  };
}

/** The payer may try again, as long as attempts are left; else the order ends. */
const reopened = (order: Order, end: OrderChange): OrderChange =>
  order.attempts < PAYMENT_ATTEMPTS_MAX ? { to: 'open', reason: null } : end;

/** The money is noted but counts for nothing: a person has to send it back. */
function wrongCurrency(order: Order, payment: Payment, update: Accepted, now: Date): Settlement {
  const code = 'wrong_currency';
  const failed = payment.status === 'pending' ? { paymentId: payment.id, code } : undefined;
  // That the price is owed again is more than that something has to go back.
  const exception = isOwedAgain(order) ? order.exception : code;
  const note = { exception, isMoreMoney: true, ...(failed ? { failed } : {}) } as const;
  const change = awaits(order, payment)
    ? { ...reopened(order, { to: 'failed', reason: code }), ...note }
    : stay(order, note);
  // A payment that has paid stays one that has.
  if (payment.status === 'succeeded') return { order: change };
  return {
    payment: {
      ...moneyColumns(payment, update),
      status: 'failed',
      completedAt: now,
      errorCode: code,
      errorMessage: `The money came in ${update.currency}, the order is in ${order.currency}.`,
    },
    order: change,
  };
}

/** Some providers tell who paid a day after the money. */
function laterPayer(order: Order, payment: Payment, payer: Payer): Settlement {
  const update = newPayer(payment, payer);
  if (Object.keys(update).length === 0) return NOTHING;
  return { payment: update, order: stay(order, { updated: { paymentId: payment.id } }) };
}

/** What is known already stays. */
const newPayer = (payment: Payment, payer: Payer): Partial<Payment> =>
  Object.fromEntries(
    Object.entries(payerColumns(payer)).filter(
      ([column, value]) => value !== null && payment[column as keyof Payment] === null,
    ),
  );

/** Characters of a payer's name or account: what is longer is none, and fits no index. */
const PAYER_MAX = 255;

const payerColumns = ({ accountNumber, accountType, accountName }: Payer) => ({
  payerAccountNumber: startOf(accountNumber),
  payerAccountType: accountNumber === null ? null : (accountType ?? 'unknown'),
  payerAccountName: startOf(accountName),
});

const startOf = (text: string | null): string | null =>
  text?.slice(0, PAYER_MAX).toWellFormed() ?? null;

function declined(
  order: Order,
  payment: Payment,
  code: string,
  message: string,
  now: Date,
): Settlement {
  // What was paid is said not to be: taken back by the payer's bank, or old news.
  if (payment.amountReceived !== null) return { contradicts: 'less' };
  if (payment.status !== 'pending') return NOTHING;
  const failed = { paymentId: payment.id, code };
  return {
    payment: {
      status: 'failed',
      errorCode: code,
      errorMessage: message,
      completedAt: now,
      nextLookAt: null,
    },
    order: awaits(order, payment)
      ? { ...reopened(order, { to: 'failed', reason: code }), failed }
      : stay(order, { failed }),
  };
}

function waiting(order: Order, payment: Payment, kind: 'pending' | 'unknown'): Settlement {
  if (payment.status !== 'pending' || !awaits(order, payment)) return NOTHING;
  const reason = kind === 'pending' ? 'awaiting_provider' : 'outcome_unknown';
  return reason === order.statusReason ? NOTHING : { order: stay(order, { reason }) };
}

function voided(
  order: Order,
  payment: Payment,
  because: 'by_merchant' | 'by_payer' | 'expired',
  now: Date,
): Settlement {
  if (payment.status !== 'pending') return NOTHING;
  const ended = { status: 'cancelled', completedAt: now, nextLookAt: null } as const;
  if (!awaits(order, payment)) return { payment: ended };
  if (because === 'expired') return { payment: ended, order: expiry(order) };
  return { payment: ended, order: { to: 'cancelled', reason: because } };
}
