import { NEWEST, uuidOf } from '../common/ids.js';
import { ORDER_MERCHANT_ID, orderMerchantIdOf } from '../common/order-merchant-id.js';
import type { Selector } from '../database/orders/order.repository.js';
import { pathId, type QueryParameter, queryOf, UUID_SCHEMA } from '../http/parameters.js';
import { Problem } from '../http/problems/problem.js';

/** @throws Problem unless the query has exactly one of the two selectors, once */
export function readSelector(query: Readonly<Record<string, unknown>>, internal: string): Selector {
  const given = ['orderMerchantId', internal].filter((name) => query[name] !== undefined);
  const names = `\`orderMerchantId\` or \`${internal}\``;
  if (given.length === 0) {
    throw new Problem('selector_required', { detail: `Send one of ${names}.` });
  }
  const value = query[given[0]!];
  if (given.length > 1 || typeof value !== 'string') {
    throw new Problem('selector_ambiguous', { detail: `Send only one of ${names}, once.` });
  }
  if (given[0] === internal) {
    const txid = uuidOf(value);
    if (txid === null) throw new Problem('order_not_found');
    return { txid };
  }
  const orderMerchantId = orderMerchantIdOf(value);
  if (orderMerchantId === null) throw new Problem('order_not_found');
  return { orderMerchantId };
}

const INTERNAL_NAMES = {
  txid: {
    name: 'txid',
    component: 'TxidQuery',
    description: 'The service’s own name for the order.',
    schema: UUID_SCHEMA,
  },
  orderTransactionId: {
    name: 'orderTransactionId',
    component: 'OrderTransactionId',
    description: 'The `txid` of the order.',
    schema: UUID_SCHEMA,
  },
} satisfies Record<string, QueryParameter>;

/** Exactly one identifier in the query; `internal` is the operation's name for the `txid`. */
export const OrderSelector = (internal: keyof typeof INTERNAL_NAMES): ParameterDecorator =>
  queryOf(
    (query) => readSelector(query, internal),
    {
      name: 'orderMerchantId',
      component: 'OrderMerchantId',
      description: 'Your own name for the order.',
      schema: { type: 'string', pattern: ORDER_MERCHANT_ID.source },
      errors: ['selector_required', 'selector_ambiguous', 'order_not_found'],
    },
    INTERNAL_NAMES[internal],
  )();

const TXID = {
  name: 'txid',
  component: 'Txid',
  description: 'The service’s own name for the order',
  notFound: 'order_not_found',
} as const;

/** The `txid` of the path. */
export const Txid = pathId(TXID);
export const TxidOrNewest = pathId(TXID, NEWEST);
