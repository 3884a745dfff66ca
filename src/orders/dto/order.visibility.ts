import type { Answer } from '../../common/http.js';
import type { Caller } from '../../merchants/api-key.guard.js';
import type { OrderResponse } from './order.response.js';

const CUSTOMER = ['customer'] satisfies readonly (keyof OrderResponse)[];
const PAYER = [
  'payerAccountNumber',
  'payerAccountType',
  'payerAccountName',
] satisfies readonly (keyof NonNullable<OrderResponse['payment']>)[];

/**
 * The answer with an order as the caller may see it: who pays is told to keys that may read orders.
 * A remembered answer may have been the one to another key.
 */
export function shownTo({ scopes }: Pick<Caller, 'scopes'>, answer: Answer): Answer {
  if (scopes.includes('orders:read') || answer.status >= 400) return answer;
  const order = JSON.parse(answer.body) as Members;
  const payment = order['payment'] && without(PAYER, order['payment'] as Members);
  return { ...answer, body: JSON.stringify({ ...without(CUSTOMER, order), payment }) };
}

type Members = Readonly<Record<string, unknown>>;

/** Says nothing in the members that are there: versions of the contract differ in them. */
const without = (names: readonly string[], members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, names.includes(name) ? null : value]),
  );
