import { NEWEST, uuidOf } from '../../common/ids.js';
import type { LogPage } from '../../database/notifications/delivery-log.repository.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../../database/notifications/delivery.entity.js';
import { LIMIT, pathId, queryOf, UUID_SCHEMA } from '../../http/parameters.js';
import { invalidParameter, limitOf, parameterOf, type Query } from '../../http/query.js';

const ENDPOINT_ID = {
  name: 'id',
  component: 'EndpointId',
  description: 'The webhook endpoint',
  notFound: 'webhook_endpoint_not_found',
} as const;

export const EndpointId = pathId(ENDPOINT_ID);
export const EndpointIdOrNewest = pathId(ENDPOINT_ID, NEWEST);

export const DeliveryIdOrNewest = pathId(
  {
    name: 'deliveryId',
    component: 'DeliveryId',
    description: 'The delivery',
    notFound: 'delivery_not_found',
  },
  NEWEST,
);

/** @throws Problem `invalid_parameter` */
export const readLogQuery = (query: Query): LogPage => ({
  after: afterOf(query),
  limit: limitOf(query),
  status: statusOf(query),
});

function afterOf(query: Query): string | null {
  const after = parameterOf(query, 'after');
  if (after === undefined) return null;
  const id = uuidOf(after);
  if (id === null) throw invalidParameter('after', 'the id of a delivery');
  return id;
}

function statusOf(query: Query): DeliveryStatus | null {
  const text = parameterOf(query, 'status');
  if (text === undefined) return null;
  const status = DELIVERY_STATUSES.find((known) => known === text);
  if (!status) throw invalidParameter('status', `one of ${DELIVERY_STATUSES.join(', ')}`);
  return status;
}

/** Requested part of the log. */
export const LogQuery = queryOf(
  readLogQuery,
  {
    name: 'after',
    component: 'DeliveryAfter',
    description: 'The `next` of the page before: only deliveries made before it.',
    schema: UUID_SCHEMA,
  },
  {
    name: 'status',
    component: 'DeliveryStatus',
    description: 'Only deliveries in this status.',
    schema: { type: 'string', enum: [...DELIVERY_STATUSES] },
  },
  LIMIT,
);
