import type { Order } from '../database/entities/order.entity.js';
import type { Payment } from '../database/entities/payment.entity.js';
import type { Outcome, Payer } from '../providers/provider.js';
import type { OrderChange } from './order-change.js';
import { isFinished } from './transitions.js';

/** Payments that a payer may start for one order. */
export const ATTEMPTS_MAX = 10;

/** What can happen to a payment: what its provider says, or what we ended ourselves. */
export type PaymentNews =
  | Outcome
  /** The provider confirmed that the payment will never be made. */
  | { readonly kind: 'voided'; readonly because: 'by_merchant' | 'by_payer' | 'expired' }
  /** The provider was asked as often as the schedule says and the order's time is over. */
  | { readonly kind: 'given_up' };

/** What the news changes; an absent part stays as it is. */
export interface Settlement {
  readonly payment?: Partial<Payment>;
  readonly order?: OrderChange;
}

type Accepted = Extract<Outcome, { kind: 'accepted' }>;

const NOTHING: Settlement = {};

/** The order where it is; only the named parts of it change. */
const stay = (order: Order, change: Partial<OrderChange>): OrderChange => ({
  to: order.status,
  reason: order.statusReason,
  ...change,
});

/** Whether the order waits for this payment and no other. */
const awaits = (order: Order, payment: Payment): boolean =>
  order.status === 'processing' && order.paymentId === payment.id;

/**
 * What news about a payment means for it and its order. Pure: the caller holds the order's lock and
 * writes what comes out. Money never rewrites a finished order; it is noted as an exception.
 */
export function settle(order: Order, payment: Payment, news: PaymentNews, now: Date): Settlement {
  switch (news.kind) {
    case 'accepted':
      return accepted(order, payment, news, now);
    case 'declined':
      return declined(order, payment, news.code, news.message, now);
    case 'pending':
    case 'unknown':
      return waiting(order, payment, news.kind);
    case 'voided':
      return voided(order, payment, news.because, now);
    case 'given_up':
      return givenUp(order, payment);
  }
}

const givenUp = (order: Order, payment: Payment): Settlement => ({
  ...(payment.nextLookAt === null ? {} : { payment: { nextLookAt: null } }),
  ...(awaits(order, payment) ? { order: expiry(order) } : {}),
});

/** An order ends unpaid. */
export const expiry = (order: Order): OrderChange => ({
  to: 'expired',
  reason: order.amountReceived > 0 ? 'partially_paid' : 'not_paid',
});

function accepted(order: Order, payment: Payment, news: Accepted, now: Date): Settlement {
  if (payment.status === 'succeeded') return laterPayer(payment, news.payer);
  const money: Partial<Payment> = {
    amountReceived: news.amount,
    receivedCurrency: news.currency,
    completedAt: now,
    nextLookAt: null,
    ...payerColumns(news.payer),
  };
  if (news.currency !== order.currency) return wrongCurrency(order, payment, money);

  const change = moneyArrived(order, payment, order.amountReceived + news.amount);
  const completesOrder = change.to === 'paid' && order.status !== 'paid';
  const noError = { errorCode: null, errorMessage: null };
  return { payment: { ...money, ...noError, status: 'succeeded', completesOrder }, order: change };
}

function moneyArrived(order: Order, payment: Payment, amountReceived: number): OrderChange {
  if (order.status === 'paid') {
    return stay(order, { exception: 'duplicate_payment', amountReceived });
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

/** The money is noted with the payment but counts for nothing: a person has to send it back. */
function wrongCurrency(order: Order, payment: Payment, money: Partial<Payment>): Settlement {
  if (payment.errorCode === 'wrong_currency') return NOTHING;
  const code = 'wrong_currency';
  const failed = payment.status === 'pending' ? { paymentId: payment.id, code } : undefined;
  const note = { exception: code, ...(failed ? { failed } : {}) } as const;
  return {
    payment: {
      ...money,
      status: 'failed',
      errorCode: code,
      errorMessage: `The money came in ${money.receivedCurrency}, the order is in ${order.currency}.`,
    },
    order: awaits(order, payment) ? { to: 'open', reason: null, ...note } : stay(order, note),
  };
}

/** Some providers tell who paid a day after the money. What is known already stays. */
function laterPayer(payment: Payment, payer: Payer): Settlement {
  const news = Object.entries(payerColumns(payer)).filter(
    ([column, value]) => value !== null && payment[column as keyof Payment] === null,
  );
  return news.length === 0 ? NOTHING : { payment: Object.fromEntries(news) };
}

const payerColumns = (payer: Payer) => ({
  payerAccountNumber: payer.accountNumber,
  payerAccountType: payer.accountNumber === null ? null : (payer.accountType ?? 'unknown'),
  payerAccountName: payer.accountName,
});

function declined(
  order: Order,
  payment: Payment,
  code: string,
  message: string,
  now: Date,
): Settlement {
  // A refusal after the money came, or after another refusal, is old news.
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
      ? { ...afterFailure(order, code), failed }
      : stay(order, { failed }),
  };
}

const afterFailure = (order: Order, code: string): OrderChange =>
  order.attempts < ATTEMPTS_MAX || order.amountReceived > 0
    ? { to: 'open', reason: null }
    : { to: 'failed', reason: code };

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
  // Part of the money is there already: the order goes on, or ends as partially paid.
  if (because === 'expired') return { payment: ended, order: expiry(order) };
  return order.amountReceived > 0
    ? {
        payment: ended,
        order: { to: 'open', reason: null, failed: { paymentId: payment.id, code: 'cancelled' } },
      }
    : { payment: ended, order: { to: 'cancelled', reason: because } };
}
