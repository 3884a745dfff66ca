import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { Problem } from '../http/problems/problem.js';
import { HOLDER_MAX } from '../payouts/bank-file/holder.js';
import { refundText } from '../payouts/bank-file/refund-text.js';
import { sepaText } from '../payouts/bank-file/sepa-text.js';
import type { Payee } from '../payouts/refund-payouts.service.js';

/**
 * The payer's account, as the bank reported it.
 * @throws Problem `order_not_refundable` without an account, which may have been erased, and for a name that no bank file
 * can have: it would fail the whole file
 */
export function payeeOf({ payerAccountName, payerAccountNumber }: Payment, order: Order): Payee {
  const holder = payerAccountName?.slice(0, HOLDER_MAX) ?? '';
  const { txid, status } = order;
  if (payerAccountNumber === null || sepaText(holder, HOLDER_MAX) === null)
    throw new Problem('order_not_refundable', { members: { txid, orderStatus: status } });
  return payeeAt({ holder, iban: payerAccountNumber }, order);
}

/** With the text for the payer's statement. */
export const payeeAt = (
  account: Pick<Payee, 'holder' | 'iban'>,
  { locale, orderMerchantId }: Order,
): Payee => ({ ...account, remittance: refundText(locale, orderMerchantId) });
