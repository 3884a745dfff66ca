import { type PaymentOrder } from './client';
import { inWords } from './money';

/** What a person has to know of money that did not come as asked for; what comes to the payment itself is not here. */
const EXCEPTIONS: Record<string, (got: string, asked: string) => string> = {
  underpaid: (got, asked) => `Only ${got} of ${asked} came. Wait for the rest, or send it back.`,
  overpaid: (got, asked) => `${got} came, ${asked} was asked for. Send the rest back.`,
  paid_late: (got) =>
    `Money came after the order had ended: ${got} in all. Accept it or send it back.`,
  duplicate_payment: (got, asked) =>
    `It was paid again: ${got} came for ${asked}. Send one payment back.`,
  wrong_currency: (_got, asked) =>
    `Money came in another currency than the ${asked} asked for. Send it back.`,
};

const lineOf = ({ orderMerchantId, txid }: PaymentOrder, text: string): string =>
  `Payment order ${orderMerchantId}: ${text} It is found in the portal by ${txid}.`;

/** Of an exception, in one line, for the order's history. */
export function exceptionNote(order: PaymentOrder): string {
  const got = inWords(order.amountReceived, order.currency);
  const asked = inWords(order.amount, order.currency);
  const text = EXCEPTIONS[order.exception] ?? (() => `${order.exception}; ${got} came in all.`);
  return lineOf(order, text(got, asked));
}

/** It is paid, and Vendure's payment has ended or is for another amount. */
export const homelessNote = (order: PaymentOrder): string =>
  lineOf(
    order,
    `It counts as paid with ${inWords(order.amountReceived, order.currency)}. Add that to the order by hand.`,
  );
