import { maskAccount } from '../../common/mask.js';
import type { PaidLine } from '../../database/bank/bank-queue.repository.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import { may, type PayerVisibility, payerVisibility, type Role } from '../../people/roles.js';
import { initials } from '../order-list/order-line.js';

/** How much a page shows of the person at the other end. */
export interface OrderVisibility {
  /** Who paid, as providers told. */
  readonly payer: PayerVisibility;
  /** Who was to pay, as the merchant told. */
  readonly customer: PayerVisibility;
  /** The address at which everybody can pay the order, or cancel it. */
  readonly paymentPage: boolean;
}

/** Stands for what a page leaves out of a text. */
const LEFT_OUT = '…';

/** Whoever may have the payer shown asks for it, so that each look is written down. */
export function orderVisibility(role: Role, mode: Mode, isRevealed: boolean): OrderVisibility {
  const visibility = payerVisibility(role, mode);
  const paymentPage = may(role, 'orders.payment-page');
  if (isRevealed) return { payer: 'full', customer: 'full', paymentPage };
  return {
    payer: may(role, 'payer.reveal') ? 'masked' : visibility,
    customer: visibility,
    paymentPage,
  };
}

function seen(text: string | null, visibility: PayerVisibility, mask: (text: string) => string) {
  if (text === null || visibility === 'full') return text;
  return visibility === 'masked' ? mask(text) : null;
}

/** The payment as somebody may see it. */
export function seenPayment<T extends Payment>(payment: T, visibility: PayerVisibility): T {
  const { payerAccountNumber, payerAccountType, payerAccountName } = payment;
  const mask = (text: string) => maskAccount(text, payerAccountType);
  return {
    ...payment,
    payerAccountNumber: seen(payerAccountNumber, visibility, mask),
    payerAccountType: visibility === 'none' ? null : payerAccountType,
    payerAccountName: seen(payerAccountName, visibility, initials),
  };
}

/** A line of a bank that paid for the order, as somebody may see it. */
export const seenLine = (line: PaidLine, visibility: PayerVisibility): PaidLine => ({
  ...line,
  account: seen(line.account, visibility, (text) => maskAccount(text, line.accountType)),
  name: seen(line.name, visibility, initials),
});

/** The order as somebody may see it. */
export const seenOrder = (
  order: OrderWithPayment,
  visibility: OrderVisibility,
): OrderWithPayment => ({
  ...order,
  customerName: seen(order.customerName, visibility.customer, initials),
  customerEmail: seen(order.customerEmail, visibility.customer, (text) =>
    maskAccount(text, 'email'),
  ),
  pageToken: visibility.paymentPage ? order.pageToken : LEFT_OUT,
  payment: order.payment && seenPayment(order.payment, visibility.payer),
  payments: order.payments.map((payment) => seenPayment(payment, visibility.payer)),
});
