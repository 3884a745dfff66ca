import { plainWord } from '../../common/known.js';
import type {
  OrderTraces,
  PageDelivery,
  PageEntry,
  PageEvent,
  PageNote,
} from '../../database/orders/order-page.repository.js';
import type { Order } from '../../database/orders/order.entity.js';
import type { RefundStatus } from '../../database/refunds/refund.entity.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import { hostOf, plainText, moneyText, providerText } from '../kit/order-text.js';
import { type Tone, exceptionLabel } from '../kit/status.js';

/** One entry of the order timeline. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: 'order' | 'payment' | 'webhook' | 'mail' | 'person' | 'note';
  readonly tone: Tone;
  readonly what: string;
  /** Who did it, or why it failed. */
  readonly detail: string | null;
  /** Time of the next attempt. */
  readonly next: Date | null;
}

/** An entry with its position among entries of the same millisecond. */
interface Positioned extends TimelineEntry {
  readonly position: number;
}

/** Positions per event: the attempt that caused it comes before it, its deliveries after it. */
const ROOM = 10;
const LAST = Number.MAX_SAFE_INTEGER;

const BARE = { detail: null, next: null } as const;

/** Timeline of the order, oldest first. */
export function orderTimeline(order: Order, traces: OrderTraces): TimelineEntry[] {
  const entries: Positioned[] = [
    {
      ...BARE,
      at: order.createdAt,
      kind: 'order',
      tone: '',
      what: 'Created through the API',
      position: 0,
    },
    ...openingOf(traces),
    ...traces.payments.flatMap((payment, i) => attemptOf(payment, i + 1, traces.events)),
    ...traces.events
      .filter(({ type }) => type !== 'order.created')
      .map((event) => changeOf(event, order, traces.payments)),
    ...traces.deliveries.map((delivery) => deliveryOf(delivery, traces)),
    ...traces.entries.map(auditStep),
    ...traces.notes.map(noteOf),
  ];
  return entries.sort(
    (one, other) => one.at.getTime() - other.at.getTime() || one.position - other.position,
  );
}

const openingOf = ({ openedAt: at }: OrderTraces): Positioned[] =>
  at ? [{ ...BARE, at, kind: 'order', tone: '', what: 'Payment page opened', position: 1 }] : [];

function attemptOf(payment: Payment, number: number, events: readonly PageEvent[]): Positioned[] {
  const first = events.find(({ data }) => data.payment?.id === payment.id)?.sequence ?? 1;
  const what = `Attempt ${number} started: ${moneyText(payment.amount, payment.currency)}`;
  const shared = { ...BARE, kind: 'payment', tone: '' } as const;
  const started: Positioned = {
    ...shared,
    at: payment.createdAt,
    what,
    detail: providerText(payment.provider, payment.method),
    position: first * ROOM - 1,
  };
  if (payment.status !== 'cancelled' || !payment.completedAt) return [started];
  const stopped = `Attempt ${number} cancelled at the provider`;
  return [started, { ...shared, at: payment.completedAt, what: stopped, position: LAST - 1 }];
}

function changeOf(event: PageEvent, order: Order, payments: readonly Payment[]): Positioned {
  return {
    at: event.createdAt,
    kind: event.type.startsWith('payment.') ? 'payment' : 'order',
    next: null,
    position: event.sequence * ROOM,
    ...labelOf(event, order, payments),
  };
}

function labelOf(
  { type, data }: PageEvent,
  { currency }: Order,
  payments: readonly Payment[],
): Pick<TimelineEntry, 'what' | 'tone' | 'detail'> {
  const reason = data.statusReason ?? null;
  const received = moneyText(data.amountReceived ?? 0, currency);
  switch (type) {
    case 'order.created':
      return { what: 'Created', tone: '', detail: null };
    case 'order.processing':
      if (reason === 'awaiting_transfer')
        return { what: 'The payer chose bank transfer', tone: 'busy', detail: null };
      return reason === 'outcome_unknown'
        ? {
            what: 'The provider does not report the outcome of the payment',
            tone: 'warn',
            detail: null,
          }
        : { what: 'The payer is at the provider', tone: 'busy', detail: null };
    case 'order.paid':
      return { what: `Paid: ${received} received`, tone: 'good', detail: null };
    case 'order.failed':
      return {
        what: 'Failed: no attempts left',
        tone: 'bad',
        detail: reason && plainText(reason),
      };
    case 'order.cancelled':
      return {
        what: reason === 'by_payer' ? 'Cancelled by the payer' : 'Cancelled by the merchant',
        tone: '',
        detail: null,
      };
    case 'order.reopened':
      return {
        what: 'Reopened: a transfer was matched by mistake',
        tone: 'warn',
        detail: null,
      };
    case 'order.expired':
      return { what: 'Expired', tone: '', detail: null };
    case 'order.exception':
      return exceptionText(data, received);
    case 'order.refunded':
      return refundText(data);
    case 'refund.requested':
    case 'refund.approved':
    case 'refund.submitted':
    case 'refund.succeeded':
    case 'refund.failed':
    case 'refund.cancelled':
    case 'refund.rejected':
      return refundStep(data);
    case 'payment.failed':
      return failureText(data, payments);
    case 'payment.updated':
      return { what: 'Payer details received', tone: '', detail: null };
    case 'order.updated':
      return updateText(data);
    default:
      return { what: plainWord(type), tone: '', detail: null };
  }
}

const COLUMN_WORDS: Readonly<Record<string, string>> = {
  customerName: 'customer name',
  customerEmail: 'customer email',
  optionalFields: 'optional fields',
  returnUrl: 'return URL',
  cancelUrl: 'cancel URL',
  locale: 'language',
  expiresAt: 'expiry',
};

function updateText({ changed }: PageEvent['data']) {
  const words = (changed as readonly string[]).map((name) => COLUMN_WORDS[name] ?? name);
  return { what: `Changed through the API: ${words.join(', ')}`, tone: '', detail: null } as const;
}

function exceptionText(data: PageEvent['data'], received: string) {
  const { exception = 'none' } = data;
  if (exception === 'none')
    return {
      what: `Payment discrepancy resolved: ${received} received in total`,
      tone: '',
      detail: null,
    } as const;
  const word = exceptionLabel(exception);
  return { what: `${word}: ${received} received in total`, tone: 'warn', detail: null } as const;
}

function refundText({ refund }: PageEvent['data']) {
  const { amount, currency } = refund as { readonly amount: number; readonly currency: string };
  const money = moneyText(Math.abs(amount), currency);
  const what = amount > 0 ? `${money} refunded to the payer` : `Refund of ${money} reversed`;
  return { what, tone: amount > 0 ? '' : 'warn', detail: null } as const;
}

const REFUND_STEPS = {
  requested: 'requested',
  approved: 'approved',
  submitted: 'sent to the provider',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  rejected: 'rejected',
} as const satisfies Record<RefundStatus, string>;

function refundStep({ refundAsOf }: PageEvent['data']) {
  const { amount, currency, status, statusReason } = refundAsOf!;
  const what = `Refund of ${moneyText(amount, currency)} ${REFUND_STEPS[status]}`;
  return { what, tone: status === 'failed' ? 'bad' : '', detail: statusReason } as const;
}

function failureText(data: PageEvent['data'], payments: readonly Payment[]) {
  const number = payments.findIndex(({ id }) => id === data['paymentId']) + 1;
  const payment = payments[number - 1];
  const why =
    payment?.errorMessage ?? (typeof data['code'] === 'string' ? plainText(data['code']) : null);
  const what = number === 0 ? 'An attempt failed' : `Attempt ${number} failed`;
  return { what, tone: 'bad', detail: why } as const;
}

function deliveryOf(delivery: PageDelivery, { attempts }: OrderTraces): Positioned {
  const { id, endpointId, url, email, type, resent, status, nextAttemptAt } = delivery;
  const isWebhook = endpointId !== null;
  const receiver = isWebhook ? hostOf(url ?? '') : email;
  const to = receiver ? ` to ${receiver}` : '';
  const last = attempts.findLast(({ deliveryId }) => deliveryId === id);
  return {
    at: delivery.completedAt ?? last?.startedAt ?? delivery.createdAt,
    kind: isWebhook ? 'webhook' : 'mail',
    tone: status === 'failed' ? 'bad' : status === 'pending' && last ? 'warn' : '',
    what: `${isWebhook ? 'Webhook' : 'Email'} ${type}${resent ? ' (resent)' : ''}${to}: ${outcomeOf(delivery)}`,
    detail: last?.error ?? null,
    next: nextAttemptAt,
    position: (delivery.sequence ?? 0) * ROOM + 1,
  };
}

function outcomeOf({ status, attempts }: PageDelivery): string {
  const attemptsText = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  switch (status) {
    case 'delivered':
      return attempts > 1 ? `delivered after ${attemptsText}` : 'delivered';
    case 'failed':
      return `failed after ${attemptsText}`;
    case 'cancelled':
      return 'cancelled';
    case 'pending':
      return attempts === 0 ? 'on its way' : `not delivered after ${attemptsText}`;
    default:
      return plainWord(status);
  }
}

const ACTION_LABELS: Readonly<Record<string, string>> = {
  'payer.revealed': 'Viewed the payer',
  'order.viewed': 'Viewed this page',
  'order.refunded': 'Recorded a refund',
  'refund.requested': 'Requested the refund',
  'refund.approved': 'Approved the refund',
  'refund.account-confirmed': 'Confirmed the account that the payer entered',
  'refund.rejected': 'Rejected the refund',
  'refund.cancelled': 'Cancelled the refund',
  'order.money-accepted': 'Accepted a late payment of the order',
  'order.cancel-asked': 'Requested the cancellation of the order',
  'delivery.resent': 'Resent a webhook',
};

const auditStep = ({ action, createdAt, userName }: PageEntry): Positioned => ({
  ...BARE,
  at: createdAt,
  kind: 'person',
  tone: '',
  what: ACTION_LABELS[action] ?? action,
  detail: userName,
  position: LAST,
});

const noteOf = ({ text, createdAt, userName }: PageNote): Positioned => ({
  ...BARE,
  at: createdAt,
  kind: 'note',
  tone: '',
  what: text,
  detail: userName,
  position: LAST,
});
