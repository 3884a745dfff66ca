import type { Order } from '../../database/entities/order.entity.js';
import type { Payment } from '../../database/entities/payment.entity.js';
import type {
  OrderTraces,
  PageDelivery,
  PageEntry,
  PageEvent,
  PageNote,
} from '../../database/repositories/order-page.repository.js';
import { EXCEPTION_WORDS } from '../layout/status.js';
import { hostOf, inWords, moneyText, providerText, type Tone } from './order-words.js';

/** One thing that happened. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: 'order' | 'payment' | 'webhook' | 'mail' | 'person' | 'note';
  readonly tone: Tone;
  readonly what: string;
  /** Who did it, or why it failed. */
  readonly detail: string | null;
  /** When something is tried next. */
  readonly next: Date | null;
}

/** An entry with its place among those of the same millisecond. */
interface Placed extends TimelineEntry {
  readonly place: number;
}

/** Every event has room before it for the attempt it tells of, and after it for its deliveries. */
const ROOM = 10;
const LAST = Number.MAX_SAFE_INTEGER;

const NEWS = { detail: null, next: null } as const;

/** All that is known to have happened, oldest first. */
export function timelineOf(order: Order, traces: OrderTraces): TimelineEntry[] {
  const entries: Placed[] = [
    { ...NEWS, at: order.createdAt, kind: 'order', tone: '', what: 'Created by the API', place: 0 },
    ...openingOf(traces),
    ...traces.payments.flatMap((payment, i) => attemptOf(payment, i + 1, traces.events)),
    ...traces.events
      .filter(({ type }) => type !== 'order.created')
      .map((event) => changeOf(event, order, traces.payments)),
    ...traces.deliveries.map((delivery) => deliveryOf(delivery, traces)),
    ...traces.entries.map(deedOf),
    ...traces.notes.map(noteOf),
  ];
  return entries.sort(
    (one, other) => one.at.getTime() - other.at.getTime() || one.place - other.place,
  );
}

const openingOf = ({ openedAt: at }: OrderTraces): Placed[] =>
  at
    ? [{ ...NEWS, at, kind: 'order', tone: '', what: 'The payment page was opened', place: 1 }]
    : [];

function attemptOf(payment: Payment, number: number, events: readonly PageEvent[]): Placed[] {
  const first = events.find(({ data }) => data.payment?.id === payment.id)?.sequence ?? 1;
  const what = `Attempt ${number} started: ${moneyText(payment.amount, payment.currency)}`;
  const shared = { ...NEWS, kind: 'payment', tone: '' } as const;
  const started: Placed = {
    ...shared,
    at: payment.createdAt,
    what,
    detail: providerText(payment.provider, payment.method),
    place: first * ROOM - 1,
  };
  if (payment.status !== 'cancelled' || !payment.completedAt) return [started];
  const stopped = `Attempt ${number} was stopped at the provider`;
  return [started, { ...shared, at: payment.completedAt, what: stopped, place: LAST - 1 }];
}

function changeOf(event: PageEvent, order: Order, payments: readonly Payment[]): Placed {
  return {
    at: event.createdAt,
    kind: event.type === 'payment.failed' ? 'payment' : 'order',
    next: null,
    place: event.sequence * ROOM,
    ...wordsOf(event, order, payments),
  };
}

function wordsOf(
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
      return reason === 'outcome_unknown'
        ? {
            what: 'The provider does not say what became of the payment',
            tone: 'warn',
            detail: null,
          }
        : { what: 'The payer is at the provider', tone: 'busy', detail: null };
    case 'order.paid':
      return { what: `Paid: ${received} received`, tone: 'good', detail: null };
    case 'order.failed':
      return { what: 'Failed: no attempt is left', tone: 'bad', detail: reason && inWords(reason) };
    case 'order.cancelled':
      return {
        what: reason === 'by_payer' ? 'Cancelled by the payer' : 'Cancelled by the merchant',
        tone: '',
        detail: null,
      };
    case 'order.expired':
      return { what: 'Its time ran out', tone: '', detail: null };
    case 'order.exception':
      return exceptionWords(data, received);
    case 'order.refunded':
      return refundWords(data);
    case 'payment.failed':
      return failureWords(data, payments);
  }
}

function exceptionWords(data: PageEvent['data'], received: string) {
  const { exception = 'none' } = data;
  const word = exception === 'none' ? 'Something is wrong' : EXCEPTION_WORDS[exception];
  return { what: `${word}: ${received} received in all`, tone: 'warn', detail: null } as const;
}

function refundWords({ refund }: PageEvent['data']) {
  const { amount, currency } = refund as { readonly amount: number; readonly currency: string };
  const money = moneyText(Math.abs(amount), currency);
  const what =
    amount > 0 ? `${money} sent back to the payer` : `${money} were not sent back after all`;
  return { what, tone: amount > 0 ? '' : 'warn', detail: null } as const;
}

function failureWords(data: PageEvent['data'], payments: readonly Payment[]) {
  const number = payments.findIndex(({ id }) => id === data['paymentId']) + 1;
  const payment = payments[number - 1];
  const why =
    payment?.errorMessage ?? (typeof data['code'] === 'string' ? inWords(data['code']) : null);
  const what = number === 0 ? 'An attempt failed' : `Attempt ${number} failed`;
  return { what, tone: 'bad', detail: why } as const;
}

function deliveryOf(delivery: PageDelivery, { attempts }: OrderTraces): Placed {
  const { id, endpointId, url, email, type, resent, status, nextAttemptAt } = delivery;
  const isWebhook = endpointId !== null;
  const receiver = isWebhook ? hostOf(url ?? '') : email;
  const to = receiver ? ` to ${receiver}` : '';
  const last = attempts.findLast(({ deliveryId }) => deliveryId === id);
  return {
    at: delivery.completedAt ?? last?.startedAt ?? delivery.createdAt,
    kind: isWebhook ? 'webhook' : 'mail',
    tone: status === 'failed' ? 'bad' : status === 'pending' && last ? 'warn' : '',
    what: `${isWebhook ? 'Webhook' : 'E-mail'} ${type}${resent ? ' (sent again)' : ''}${to}: ${outcomeOf(delivery)}`,
    detail: last?.error ?? null,
    next: nextAttemptAt,
    place: (delivery.sequence ?? 0) * ROOM + 1,
  };
}

function outcomeOf({ status, attempts }: PageDelivery): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  switch (status) {
    case 'delivered':
      return attempts > 1 ? `delivered after ${tries}` : 'delivered';
    case 'failed':
      return `given up after ${tries}`;
    case 'cancelled':
      return 'cancelled';
    case 'pending':
      return attempts === 0 ? 'on its way' : `not delivered after ${tries}`;
  }
}

const DEEDS: Readonly<Record<string, string>> = {
  'payer.revealed': 'Had the payer shown',
  'order.viewed': 'Looked at this page',
  'order.refunded': 'Wrote down money that was sent back',
  'order.money-accepted': 'Accepted the money as the order’s payment',
  'order.cancel-asked': 'Asked for the order to be cancelled',
  'delivery.resent': 'Had a webhook sent again',
};

const deedOf = ({ action, createdAt, userName }: PageEntry): Placed => ({
  ...NEWS,
  at: createdAt,
  kind: 'person',
  tone: '',
  what: DEEDS[action] ?? action,
  detail: userName,
  place: LAST,
});

const noteOf = ({ text, createdAt, userName }: PageNote): Placed => ({
  ...NEWS,
  at: createdAt,
  kind: 'note',
  tone: '',
  what: text,
  detail: userName,
  place: LAST,
});
