import type { OrderResponse } from '../../contract/order.response.js';
import type { PaymentResponse } from '../../contract/payment.response.js';
import type { RenderedAnswer } from '../../http/http.js';
import type { Caller } from '../../merchants/api-key.guard.js';

const PAYER = [
  'payerAccountNumber',
  'payerAccountType',
  'payerAccountName',
] satisfies readonly (keyof PaymentResponse)[];

type Reader = Pick<Caller, 'scopes'>;

const mayRead = ({ scopes }: Reader): boolean => scopes.includes('orders:read');

/** Redacts an order for the caller: payer data requires the scope to read orders. */
export const shownTo = (caller: Reader, order: OrderResponse): OrderResponse =>
  mayRead(caller) ? order : withoutPayer(order);

/** Redacts rendered bytes: a stored answer may have been created for another key. */
export const redactFor = (caller: Reader, answer: RenderedAnswer): RenderedAnswer =>
  mayRead(caller) || answer.status >= 400
    ? answer
    : { ...answer, body: JSON.stringify(withoutPayer(JSON.parse(answer.body) as OrderResponse)) };

/** Keeps the fields present: API versions have different ones. */
function withoutPayer(order: OrderResponse): OrderResponse {
  // Earlier versions have no list of payments.
  const { payment, payments = [] } = order as Partial<OrderResponse>;
  order.customer = null;
  for (const shown of payment ? [payment, ...payments] : payments) {
    for (const name of PAYER) if (name in shown) shown[name] = null;
  }
  return order;
}
