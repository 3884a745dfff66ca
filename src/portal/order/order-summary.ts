import { plainWord } from '../../common/known.js';
import { awaitsTransfer, type Order } from '../../database/orders/order.entity.js';
import { plainText, moneyText } from '../kit/order-text.js';
import { amountText } from '../kit/values.js';

/** What of an order tells where it stands. */
export type SummarisedOrder = Pick<
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
export const orderSummary = (order: SummarisedOrder, deadline: string): string =>
  `${happenedTo(order)} ${nextFor(order, deadline)}`;

function happenedTo(order: SummarisedOrder): string {
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
    default:
      return `It is ${plainWord(order.status)}.`;
  }
}

function nextFor(order: SummarisedOrder, deadline: string): string {
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
    default:
      return '';
  }
}

const money = (order: SummarisedOrder, minor: number): string => moneyText(minor, order.currency);

/** `250.00 of 300.00 EUR`. */
const share = (order: SummarisedOrder): string =>
  `${amountText(order.amountReceived, order.currency)} of ${money(order, order.amount)}`;

const restOf = (order: SummarisedOrder): string =>
  order.amountReceived > 0 && order.amountReceived < order.amount
    ? `the remaining ${money(order, order.amount - order.amountReceived)}`
    : money(order, order.amount);

/** Such money is noted with its payment and counts for nothing. */
const sendBack = ({ exception }: SummarisedOrder): string =>
  exception === 'wrong_currency' ? 'Money arrived in another currency: send it back. ' : '';

function openSoFar(order: SummarisedOrder): string {
  if (order.amountReceived > 0) return `Paid ${share(order)} so far.`;
  if (order.attempts === 0) return 'Nobody has started to pay.';
  return 'The last attempt to pay did not work.';
}

function processingSoFar(order: SummarisedOrder): string {
  const part = order.amountReceived > 0 ? `Paid ${share(order)} so far. ` : '';
  if (awaitsTransfer(order)) return `${part}The payer has chosen to transfer the money.`;
  return order.statusReason === 'outcome_unknown'
    ? `${part}The provider has not said whether the payer paid.`
    : `${part}The payer is at the provider.`;
}

function nextFromProvider(order: SummarisedOrder): string {
  if (awaitsTransfer(order))
    return 'The order goes on by itself once a bank statement has the money.';
  return order.statusReason === 'outcome_unknown'
    ? 'It is asked again until it answers; do not let the payer pay a second time meanwhile.'
    : 'The order goes on by itself once the provider answers.';
}

function paidHow(order: SummarisedOrder): string {
  const { amount, amountReceived, exception, statusReason } = order;
  if (lacksAgain(order)) return takenBack(order);
  const both = `${money(order, amountReceived)} for an order of ${money(order, amount)}`;
  if (exception === 'duplicate_payment') return `Paid more than once: ${both}.`;
  if (statusReason === 'manual') return `Accepted as paid by a person: ${share(order)} arrived.`;
  return amountReceived > amount ? `Paid too much: ${both}.` : `Paid in full: ${share(order)}.`;
}

/** What the bank took back is missing again. */
const lacksAgain = ({ exception, amount, amountReceived, amountRefunded }: SummarisedOrder) =>
  exception === 'charged_back' && amountReceived - amountRefunded < amount;

const takenBack = (order: SummarisedOrder): string =>
  `Paid, but a bank took the money back, or a part: ${share(order)} is there.`;

function afterPaid(order: SummarisedOrder): string {
  const { amount, amountReceived, amountRefunded } = order;
  if (lacksAgain(order))
    return 'Ask the payer: a new payment for this order makes up for what is missing.';
  const tooMuch = amountReceived - amount;
  if (tooMuch > amountRefunded) {
    return `Refund ${money(order, tooMuch - amountRefunded)} to the payer.`;
  }
  const refunded = amountRefunded > 0 ? `${money(order, amountRefunded)} was refunded. ` : '';
  return `${refunded}${NOTHING_MORE}.`;
}

function endedHow(order: SummarisedOrder): string {
  const { exception, amountReceived } = order;
  if (exception === 'paid_late') return `${endOf(order)}, then ${share(order)} arrived`;
  if (amountReceived === 0) return endOf(order);
  const end = endOf(order);
  return `Paid ${share(order)}, then ${end[0]!.toLowerCase()}${end.slice(1)}`;
}

function endOf({ status, statusReason }: SummarisedOrder): string {
  if (status === 'expired') return 'Its time ran out';
  if (status === 'cancelled') {
    return statusReason === 'by_payer' ? 'The payer cancelled it' : 'It was cancelled by you';
  }
  const why = statusReason === null ? '' : ` (the last one: ${plainText(statusReason)})`;
  return `Every attempt to pay failed${why}`;
}

function afterEnd(order: SummarisedOrder): string {
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
