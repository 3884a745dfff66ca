import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NEWEST, pathId, refuseUnknownParameters } from '../../common/http.js';
import { isUuid } from '../../common/ids.js';
import { Problem } from '../../common/problem.js';
import { invalidParameter, limitOf, parameterOf, type Query } from '../../common/query.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../database/entities/delivery.entity.js';
import type { LogPage } from '../../database/repositories/delivery-log.repository.js';

export const LOG_PARAMETERS = ['after', 'limit', 'status'];

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

export const EndpointId = pathId('id', 'webhook_endpoint_not_found');
export const EndpointIdOrNewest = pathId('id', 'webhook_endpoint_not_found', NEWEST);
export const DeliveryIdOrNewest = pathId('deliveryId', 'delivery_not_found', NEWEST);

/** A JSON body that may be left out. The operation takes no query parameter. */
export const OptionalJsonBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => {
    const request = requestOf(context);
    refuseUnknownParameters(request, []);
    if (request.body instanceof URLSearchParams) throw new Problem('unsupported_media_type');
    return request.body ?? {};
  },
);

/** Which part of the log is asked for. */
export const LogQuery = createParamDecorator((_: unknown, context: ExecutionContext): LogPage =>
  readLogQuery(requestOf(context).query as Query),
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
  if (!isUuid(after)) throw invalidParameter('after', 'the id of a delivery');
  return after.toLowerCase();
}

function statusOf(query: Query): DeliveryStatus | null {
  const text = parameterOf(query, 'status');
  if (text === undefined) return null;
  const status = DELIVERY_STATUSES.find((known) => known === text);
  if (!status) throw invalidParameter('status', `one of ${DELIVERY_STATUSES.join(', ')}`);
  return status;
}
