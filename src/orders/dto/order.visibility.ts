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

/** The order as the caller may see it: who pays is told to keys that may read orders. */
export const shownTo = (caller: Reader, order: OrderResponse): OrderResponse =>
  mayRead(caller) ? order : withoutPayer(order);

/** The same of an answer's bytes: a remembered answer may have been the one to another key. */
export const bytesShownTo = (caller: Reader, answer: RenderedAnswer): RenderedAnswer =>
  mayRead(caller) || answer.status >= 400
    ? answer
    : { ...answer, body: JSON.stringify(withoutPayer(JSON.parse(answer.body) as OrderResponse)) };

/** Says nothing in the fields that are there: versions of the contract differ in them. */
function withoutPayer(order: OrderResponse): OrderResponse {
  const { payment } = order;
  order.customer = null;
  for (const name of PAYER) if (payment && name in payment) payment[name] = null;
  return order;
}
