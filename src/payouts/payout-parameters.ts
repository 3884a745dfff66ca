import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NEWEST, pathId, refuseUnknownParameters } from '../common/http.js';
import { isUuid } from '../common/ids.js';
import { choicesOf, invalidParameter, limitOf, parameterOf, type Query } from '../common/query.js';
import { PAYOUT_STATUSES } from '../database/entities/payout.entity.js';
import type { PayoutPage } from '../database/repositories/payout.repository.js';
import { PAYOUT_TRANSFERS_MAX } from './reservations.js';

export const LINE_PARAMETERS = ['after', 'limit'];

/** Which part of a payout's lines is asked for. */
export interface LinePage {
  /** Only lines behind this number. */
  readonly after: number;
  readonly limit: number;
}

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

export const PayoutIdOrNewest = pathId('id', 'payout_not_found', NEWEST);

/** Which part of the list is asked for. */
export const PayoutQuery = createParamDecorator(
  (_: unknown, context: ExecutionContext): PayoutPage => {
    const request = requestOf(context);
    refuseUnknownParameters(request, ['after', 'limit', 'status']);
    const query = request.query as Query;
    return {
      before: payoutAfter(query),
      limit: limitOf(query),
      statuses: choicesOf(query, 'status', PAYOUT_STATUSES) ?? null,
    };
  },
);

/** Which part of the lines is asked for; what else the query has is refused with the path's id. */
export const LineQuery = createParamDecorator((_: unknown, context: ExecutionContext): LinePage => {
  const query = requestOf(context).query as Query;
  return { after: lineAfter(query), limit: limitOf(query) };
});

/** The list goes back in time: what comes after an entry was made before it. */
function payoutAfter(query: Query): string | null {
  const after = parameterOf(query, 'after');
  if (after === undefined) return null;
  if (!isUuid(after)) throw invalidParameter('after', 'the id of a payout');
  return after.toLowerCase();
}

function lineAfter(query: Query): number {
  const text = parameterOf(query, 'after') ?? '0';
  const after = Number(text);
  if (/^\d{1,6}$/.test(text) && after <= PAYOUT_TRANSFERS_MAX) return after;
  throw invalidParameter('after', 'the number of a line');
}
