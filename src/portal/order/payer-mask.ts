import type { Mode } from '../../database/entities/api-key.entity.js';
import type { OrderWithPayment } from '../../database/entities/order.entity.js';
import type { Payment } from '../../database/entities/payment.entity.js';
import { maskAccount } from '../../notifications/mail/payer-account.js';
import { initials } from '../history/history-line.js';
import { may, type PayerSight, payerSight, type Role } from '../roles.js';

/** How much a page shows of the person at the other end. */
export interface OrderSight {
  /** Who paid, as providers told. */
  readonly payer: PayerSight;
  /** Who was to pay, as the merchant told. */
  readonly customer: PayerSight;
  /** The address at which everybody can pay the order, or cancel it. */
  readonly paymentPage: boolean;
}

/** Stands for what a page leaves out of a text. */
const LEFT_OUT = '…';

/** Whoever may have the payer shown asks for it, so that each look is written down. */
export function orderSight(role: Role, mode: Mode, isRevealed: boolean): OrderSight {
  const sight = payerSight(role, mode);
  const paymentPage = may(role, 'orders.payment-page');
  if (isRevealed) return { payer: 'full', customer: 'full', paymentPage };
  return { payer: may(role, 'payer.reveal') ? 'masked' : sight, customer: sight, paymentPage };
}

function seen(text: string | null, sight: PayerSight, mask: (text: string) => string) {
  if (text === null || sight === 'full') return text;
  return sight === 'masked' ? mask(text) : null;
}

/** The payment as somebody may see it. */
export function seenPayment<T extends Payment>(payment: T, sight: PayerSight): T {
  const { payerAccountNumber, payerAccountType, payerAccountName } = payment;
  const mask = (text: string) => maskAccount(text, payerAccountType);
  return {
    ...payment,
    payerAccountNumber: seen(payerAccountNumber, sight, mask),
    payerAccountType: sight === 'none' ? null : payerAccountType,
    payerAccountName: seen(payerAccountName, sight, initials),
  };
}

/** The order as somebody may see it. */
export const seenOrder = (order: OrderWithPayment, sight: OrderSight): OrderWithPayment => ({
  ...order,
  customerName: seen(order.customerName, sight.customer, initials),
  customerEmail: seen(order.customerEmail, sight.customer, (text) => maskAccount(text, 'email')),
  pageToken: sight.paymentPage ? order.pageToken : LEFT_OUT,
  payment: order.payment && seenPayment(order.payment, sight.payer),
});
