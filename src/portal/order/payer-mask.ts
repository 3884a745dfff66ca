import { maskAccount } from '../../common/mask.js';
import type { PaidLine } from '../../database/bank/matching/bank-queue.repository.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import type { Payment } from '../../database/payments/payment.entity.js';
import { may, type PayerVisibility, payerVisibility, type Role } from '../../people/roles.js';
import { initials } from '../order-list/order-line.js';

/** Visibility of personal data on a page. */
export interface OrderVisibility {
  /** Payer data from providers. */
  readonly payer: PayerVisibility;
  /** Customer data from the merchant. */
  readonly customer: PayerVisibility;
  /** Whether the payment page URL is shown: anyone with it can pay or cancel the order. */
  readonly paymentPage: boolean;
}

/** Replaces hidden texts. */
const LEFT_OUT = '…';

/** Roles that can reveal the payer see it masked until they ask, so that each access is audited. */
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

/** Masks a payment. */
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

/** Masks a bank line matched to the order. */
export const seenLine = (line: PaidLine, visibility: PayerVisibility): PaidLine => ({
  ...line,
  account: seen(line.account, visibility, (text) => maskAccount(text, line.accountType)),
  name: seen(line.name, visibility, initials),
});

/** Masks an order. */
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
