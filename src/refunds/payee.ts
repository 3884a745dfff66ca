import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { Problem } from '../http/problems/problem.js';
import { refundText } from '../payouts/bank-file/refund-text.js';
import { sepaText } from '../payouts/bank-file/sepa-text.js';
import type { Payee } from '../payouts/refund-payouts.service.js';

/** Characters of a name in a bank file. */
const HOLDER_MAX = 70;

/**
 * The payer's account, as the bank reported it.
 * @throws Problem `order_not_refundable` for a name that no bank file can have: it would fail the whole file
 */
export function payeeOf(
  { payerAccountName, payerAccountNumber }: Payment,
  { txid, status, locale, orderMerchantId }: Order,
): Payee {
  const holder = payerAccountName!.slice(0, HOLDER_MAX);
  if (sepaText(holder, HOLDER_MAX) === null)
    throw new Problem('order_not_refundable', { members: { txid, orderStatus: status } });
  return { holder, iban: payerAccountNumber!, remittance: refundText(locale, orderMerchantId) };
}
