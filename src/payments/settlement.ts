import { isFinished, type Order } from '../database/orders/order.entity.js';
import { type Payment, PAYMENT_ATTEMPTS_MAX } from '../database/payments/payment.entity.js';
import type { Outcome, Payer } from '../providers/provider.js';
import type { OrderChange } from '../status/order-change.js';
import { exceptionOfPaid, isOwedAgain } from './owed-again.js';

/** Update of a payment: a provider's answer, or an end decided by the service. */
export type PaymentUpdate =
  | Outcome
  /** The provider confirmed that the payment will never be made. */
  | { readonly kind: 'voided'; readonly because: 'by_merchant' | 'by_payer' | 'expired' }
  /** The last scheduled poll had no answer, and the order has expired. */
  | { readonly kind: 'given_up' };

/** Money, in minor units of its currency. */
interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Changes of the update; absent parts stay unchanged. */
export interface Settlement {
  readonly payment?: Partial<Payment>;
  readonly order?: OrderChange;
  /** Newly arrived money, without earlier money of the payment. */
  readonly money?: Money;
  /** Part of it that makes up for a chargeback of a paid order, in minor units; it is the merchant's. */
  readonly makesUp?: number;
  /**
   * Contradiction with earlier money of the payment: more of it, another currency, or less (also none). `less` changes
   * nothing, because only an operator can find out what is true.
   */
  readonly contradicts?: 'more' | 'other_currency' | 'less';
}

/** Money received from a payment so far, in minor units per currency. */
export type BroughtBefore = Readonly<Partial<Record<string, number>>>;

type Accepted = Extract<Outcome, { kind: 'accepted' }>;

const NOTHING: Settlement = {};

/** Keeps the order's status and changes only the named fields. */
export const stay = (order: Order, change: Partial<OrderChange>): OrderChange => ({
  to: order.status,
  reason: order.statusReason,
  ...change,
});

/** Whether the order waits for this payment. */
const awaits = (order: Order, payment: Payment): boolean =>
  order.status === 'processing' && order.paymentId === payment.id;

/**
 * Decides what an update means for a payment and its order. Pure: the caller holds the order's lock and writes the
 * result. Money never reopens a finished order; it is recorded as an exception. Exception: money for a paid order with
 * a chargeback makes up for it.
 * @param owed amount that the merchant of a paid order lacks, in minor units
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
  ...(payment.nextPollAt === null ? {} : { payment: { nextPollAt: null } }),
  ...(awaits(order, payment) ? { order: expiry(order) } : {}),
});

/** The order ends unpaid. */
export const expiry = (order: Pick<Order, 'amountReceived'>): OrderChange => ({
  to: 'expired',
  reason: order.amountReceived > 0 ? 'partially_paid' : 'not_paid',
});

/**
 * The order is not paid after all: earlier parts were taken back manually. The new money is kept with the rest of them,
 * and an operator decides.
 */
export const demoteToUnderpaid = ({ payment, order, ...others }: Settlement): Settlement => ({
  ...others,
  payment: { ...payment, completesOrder: false },
  order: { ...order, to: 'expired', reason: 'partially_paid', exception: 'underpaid' },
});

/** A provider reports the total of a payment, so earlier money is subtracted. */
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
  nextPollAt: null,
  ...newPayer(payment, update.payer),
});

/** @param lacks amount that the merchant of a paid order lacks afterwards */
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
    // The rest can be paid now, unless another payment is pending.
    const free = order.status === 'open' || awaits(order, payment);
    return free ? { to: 'open', reason: null, paymentId, ...part } : stay(order, part);
  }
  const over = amountReceived > order.amount;
  // Money in another currency still has to be refunded, even if the order was paid since.
  const owed = order.exception === 'wrong_currency' ? order.exception : 'none';
  return {
    to: 'paid',
    reason: over ? 'overpaid' : 'exact',
    exception: over ? 'overpaid' : owed,
    amountReceived,
    paymentId,
  };
}

/** The payer may retry while attempts are left; otherwise the order ends. */
const reopened = (order: Order, end: OrderChange): OrderChange =>
  order.attempts < PAYMENT_ATTEMPTS_MAX ? { to: 'open', reason: null } : end;

/** Records money in a wrong currency, which an operator has to refund. */
function wrongCurrency(order: Order, payment: Payment, update: Accepted, now: Date): Settlement {
  const code = 'wrong_currency';
  const failed = payment.status === 'pending' ? { paymentId: payment.id, code } : undefined;
  // An owed price takes precedence over money to refund.
  const exception = isOwedAgain(order) ? order.exception : code;
  const note = { exception, isMoreMoney: true, ...(failed ? { failed } : {}) } as const;
  const change = awaits(order, payment)
    ? { ...reopened(order, { to: 'failed', reason: code }), ...note }
    : stay(order, note);
  // A paid payment stays paid.
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

/** Some providers report the payer a day after the money. */
function laterPayer(order: Order, payment: Payment, payer: Payer): Settlement {
  const update = newPayer(payment, payer);
  if (Object.keys(update).length === 0) return NOTHING;
  return { payment: update, order: stay(order, { updated: { paymentId: payment.id } }) };
}

/** Known details stay. */
const newPayer = (payment: Payment, payer: Payer): Partial<Payment> =>
  Object.fromEntries(
    Object.entries(payerColumns(payer)).filter(
      ([column, value]) => value !== null && payment[column as keyof Payment] === null,
    ),
  );

/** Maximum characters of a payer's name or account; longer values are ignored, since they fit no index. */
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
  // A paid payment is reported as unpaid: a chargeback, or an outdated message.
  if (payment.amountReceived !== null) return { contradicts: 'less' };
  if (payment.status !== 'pending') return NOTHING;
  const failed = { paymentId: payment.id, code };
  return {
    payment: {
      status: 'failed',
      errorCode: code,
      errorMessage: message,
      completedAt: now,
      nextPollAt: null,
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
  const ended = { status: 'cancelled', completedAt: now, nextPollAt: null } as const;
  if (!awaits(order, payment)) return { payment: ended };
  if (because === 'expired') return { payment: ended, order: expiry(order) };
  return { payment: ended, order: { to: 'cancelled', reason: because } };
}
