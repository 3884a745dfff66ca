import { REFUND_STATUSES } from '../database/refunds/refund.entity.js';
import type { RefundListPage } from '../database/refunds/refund.repository.js';
import { LIMIT, pathId, queryOf, UUID_SCHEMA } from '../http/parameters.js';
import { choicesOf, limitOf, uuidParameter } from '../http/query.js';

export const RefundId = pathId({
  name: 'id',
  component: 'RefundId',
  description: 'The refund',
  notFound: 'refund_not_found',
});

/** Requested page of the list. */
export const RefundQuery = queryOf(
  (query): RefundListPage => ({
    before: uuidParameter(query, 'after', 'the id of a refund'),
    limit: limitOf(query),
    statuses: choicesOf(query, 'status', REFUND_STATUSES) ?? null,
    txid: uuidParameter(query, 'txid', 'the `txid` of an order'),
  }),
  {
    name: 'after',
    component: 'RefundAfter',
    description: 'The `next` of the page before: only refunds requested before it.',
    schema: UUID_SCHEMA,
  },
  {
    name: 'status',
    component: 'RefundStatuses',
    description: 'Only refunds in these statuses, separated by commas; all when left out.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: [...REFUND_STATUSES] } },
  },
  {
    name: 'txid',
    component: 'RefundTxid',
    description: 'Only refunds of this order.',
    schema: UUID_SCHEMA,
  },
  LIMIT,
);
