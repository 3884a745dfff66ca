import { plainWord } from '../../common/known.js';
import { awaitsTransfer, type Order } from '../../database/orders/order.entity.js';
import { plainText, moneyText } from '../kit/order-text.js';
import { amountText } from '../kit/values.js';

/** Fields that determine the summary. */
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

const NOTHING_MORE = 'Nothing more to do';

/**
 * Describes the state of the order and the next step.
 * @param deadline formatted time until which it can be paid
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

/** Payments in another currency are recorded but do not count towards the order. */
const sendBack = ({ exception }: SummarisedOrder): string =>
  exception === 'wrong_currency'
    ? 'A payment in another currency was received: send it back. '
    : '';

function openSoFar(order: SummarisedOrder): string {
  if (order.amountReceived > 0) return `Paid ${share(order)} so far.`;
  if (order.attempts === 0) return 'No payment has been started.';
  return 'The last payment attempt failed.';
}

function processingSoFar(order: SummarisedOrder): string {
  const part = order.amountReceived > 0 ? `Paid ${share(order)} so far. ` : '';
  if (awaitsTransfer(order)) return `${part}The payer chose bank transfer.`;
  return order.statusReason === 'outcome_unknown'
    ? `${part}The provider has not reported whether the payer paid.`
    : `${part}The payer is at the provider.`;
}

function nextFromProvider(order: SummarisedOrder): string {
  if (awaitsTransfer(order))
    return 'The order is updated automatically when a bank statement shows the payment.';
  return order.statusReason === 'outcome_unknown'
    ? 'The service keeps asking the provider. Do not let the payer pay again in the meantime.'
    : 'The order is updated automatically when the provider responds.';
}

function paidHow(order: SummarisedOrder): string {
  const { amount, amountReceived, exception, statusReason } = order;
  if (lacksAgain(order)) return takenBack(order);
  const both = `${money(order, amountReceived)} for an order of ${money(order, amount)}`;
  if (exception === 'duplicate_payment') return `Paid more than once: ${both}.`;
  if (statusReason === 'manual') return `Accepted as paid manually: ${share(order)} received.`;
  return amountReceived > amount ? `Overpaid: ${both}.` : `Paid in full: ${share(order)}.`;
}

/** Whether a returned payment leaves an outstanding amount. */
const lacksAgain = ({ exception, amount, amountReceived, amountRefunded }: SummarisedOrder) =>
  exception === 'charged_back' && amountReceived - amountRefunded < amount;

const takenBack = (order: SummarisedOrder): string =>
  `Paid, but a bank returned all or part of the money: ${share(order)} remains.`;

function afterPaid(order: SummarisedOrder): string {
  const { amount, amountReceived, amountRefunded } = order;
  if (lacksAgain(order))
    return 'Contact the payer: a new payment for this order covers the missing amount.';
  const tooMuch = amountReceived - amount;
  if (tooMuch > amountRefunded) {
    return `Refund ${money(order, tooMuch - amountRefunded)} to the payer.`;
  }
  const refunded = amountRefunded > 0 ? `${money(order, amountRefunded)} was refunded. ` : '';
  return `${refunded}${NOTHING_MORE}.`;
}

function endedHow(order: SummarisedOrder): string {
  const { exception, amountReceived } = order;
  if (exception === 'paid_late') return `${endOf(order)}, then ${share(order)} was received`;
  if (amountReceived === 0) return endOf(order);
  const end = endOf(order);
  return `Paid ${share(order)}, then ${end[0]!.toLowerCase()}${end.slice(1)}`;
}

function endOf({ status, statusReason }: SummarisedOrder): string {
  if (status === 'expired') return 'The order expired';
  if (status === 'cancelled') {
    return statusReason === 'by_payer'
      ? 'The payer cancelled the order'
      : 'You cancelled the order';
  }
  const why = statusReason === null ? '' : ` (last reason: ${plainText(statusReason)})`;
  return `All payment attempts failed${why}`;
}

function afterEnd(order: SummarisedOrder): string {
  const { amount, amountReceived, amountRefunded } = order;
  const kept = amountReceived - amountRefunded;
  if (amountReceived === 0) {
    return `${NOTHING_MORE}; create a new order if the payer still wants to pay.`;
  }
  if (kept <= 0) return `Fully refunded. ${NOTHING_MORE}.`;
  const refund = `refund ${amountRefunded > 0 ? money(order, kept) : 'the payer'}`;
  const missing = amount - amountReceived;
  if (missing > 0) return `Next step: ${refund} or request the missing ${money(order, missing)}.`;
  const over = missing < 0 ? ` and refund ${money(order, -missing)}` : '';
  return `Next step: ${refund}, or deliver the goods${over}.`;
}
