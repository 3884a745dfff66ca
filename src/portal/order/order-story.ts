import type { Order } from '../../database/entities/order.entity.js';
import { amountText } from '../layout/values.js';
import { inWords, moneyText } from './order-words.js';

/** What of an order tells where it stands. */
export type Told = Pick<
  Order,
  | 'status'
  | 'statusReason'
  | 'exception'
  | 'amount'
  | 'amountReceived'
  | 'amountRefunded'
  | 'currency'
  | 'attempts'
>;

const NOTHING_MORE = 'Nothing more is expected';

/**
 * What happened to the order, and what happens next or is to be done.
 * @param deadline the time until which it can be paid, as people write it
 */
export const storyOf = (order: Told, deadline: string): string =>
  `${happenedTo(order)} ${nextFor(order, deadline)}`;

function happenedTo(order: Told): string {
  switch (order.status) {
    case 'open':
      return openSoFar(order);
    case 'processing':
      return processingSoFar(order);
    case 'paid':
      return paidHow(order);
    case 'failed':
    case 'cancelled':
    case 'expired':
      return `${endedHow(order)}.`;
  }
}

function nextFor(order: Told, deadline: string): string {
  switch (order.status) {
    case 'open':
      return `${sendBack(order)}The payer can pay ${restOf(order)} until ${deadline}.`;
    case 'processing':
      return `${sendBack(order)}${nextFromProvider(order)}`;
    case 'paid':
      return `${sendBack(order)}${afterPaid(order)}`;
    case 'failed':
    case 'cancelled':
    case 'expired':
      return `${sendBack(order)}${afterEnd(order)}`;
  }
}

const money = (order: Told, minor: number): string => moneyText(minor, order.currency);

/** `250.00 of 300.00 EUR`. */
const share = (order: Told): string =>
  `${amountText(order.amountReceived, order.currency)} of ${money(order, order.amount)}`;

const restOf = (order: Told): string =>
  order.amountReceived > 0 && order.amountReceived < order.amount
    ? `the remaining ${money(order, order.amount - order.amountReceived)}`
    : money(order, order.amount);

/** Such money is noted with its payment and counts for nothing. */
const sendBack = ({ exception }: Told): string =>
  exception === 'wrong_currency' ? 'Money arrived in another currency: send it back. ' : '';

function openSoFar(order: Told): string {
  if (order.amountReceived > 0) return `Paid ${share(order)} so far.`;
  if (order.attempts === 0) return 'Nobody has started to pay.';
  return 'The last attempt to pay did not work.';
}

function processingSoFar(order: Told): string {
  const part = order.amountReceived > 0 ? `Paid ${share(order)} so far. ` : '';
  return order.statusReason === 'outcome_unknown'
    ? `${part}The provider has not said whether the payer paid.`
    : `${part}The payer is at the provider.`;
}

const nextFromProvider = ({ statusReason }: Told): string =>
  statusReason === 'outcome_unknown'
    ? 'It is asked again until it answers; do not let the payer pay a second time meanwhile.'
    : 'The order goes on by itself once the provider answers.';

function paidHow(order: Told): string {
  const { amount, amountReceived, exception, statusReason } = order;
  const both = `${money(order, amountReceived)} for an order of ${money(order, amount)}`;
  if (exception === 'duplicate_payment') return `Paid more than once: ${both}.`;
  if (statusReason === 'manual') return `Accepted as paid by a person: ${share(order)} arrived.`;
  return amountReceived > amount ? `Paid too much: ${both}.` : `Paid in full: ${share(order)}.`;
}

function afterPaid(order: Told): string {
  const { amount, amountReceived, amountRefunded } = order;
  const tooMuch = amountReceived - amount;
  if (tooMuch > amountRefunded) {
    return `Refund ${money(order, tooMuch - amountRefunded)} to the payer.`;
  }
  const refunded = amountRefunded > 0 ? `${money(order, amountRefunded)} was refunded. ` : '';
  return `${refunded}${NOTHING_MORE}.`;
}

function endedHow(order: Told): string {
  const { exception, amountReceived } = order;
  if (exception === 'paid_late') return `${endOf(order)}, then ${share(order)} arrived`;
  if (amountReceived === 0) return endOf(order);
  const end = endOf(order);
  return `Paid ${share(order)}, then ${end[0]!.toLowerCase()}${end.slice(1)}`;
}

function endOf({ status, statusReason }: Told): string {
  if (status === 'expired') return 'Its time ran out';
  if (status === 'cancelled') {
    return statusReason === 'by_payer' ? 'The payer cancelled it' : 'It was cancelled by you';
  }
  const why = statusReason === null ? '' : ` (the last one: ${inWords(statusReason)})`;
  return `Every attempt to pay failed${why}`;
}

function afterEnd(order: Told): string {
  const { amount, amountReceived, amountRefunded } = order;
  const kept = amountReceived - amountRefunded;
  if (amountReceived === 0) {
    return `${NOTHING_MORE}; if the payer still wants to pay, make a new order.`;
  }
  if (kept <= 0) return `All of it was refunded. ${NOTHING_MORE}.`;
  const refund = `refund ${amountRefunded > 0 ? money(order, kept) : 'the payer'}`;
  const missing = amount - amountReceived;
  if (missing > 0) return `${NOTHING_MORE}; ${refund} or ask for ${money(order, missing)}.`;
  const over = missing < 0 ? ` and return ${money(order, -missing)}` : '';
  return `${NOTHING_MORE}; ${refund}, or deliver${over}.`;
}
