import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { refuseUnknownParameters } from '../../common/http.js';
import { isUuid } from '../../common/ids.js';
import { Problem } from '../../common/problem.js';
import { choicesOf, limitOf, parameterOf, type Query } from '../../common/query.js';
import { EVENT_TYPES, type EventType } from '../../database/entities/event.entity.js';

/** Stands for the end of the feed where an event's id is wanted. */
export const LATEST = 'latest';

/** Which part of the feed a reader wants. */
export interface EventQuery {
  /** Id of the event to go on from, `latest`, or null for the beginning. */
  readonly after: string | null;
  readonly limit: number;
  /** Null for all. */
  readonly types: readonly EventType[] | null;
}

function afterOf(query: Query): string | null {
  const after = parameterOf(query, 'after');
  if (after === undefined || after === LATEST) return after ?? null;
  if (!isUuid(after)) throw new Problem('unknown_event');
  return after.toLowerCase();
}

/** @throws Problem `unknown_parameter`, `invalid_parameter` or `unknown_event` */
export const ReadEventQuery = createParamDecorator(
  (_: unknown, context: ExecutionContext): EventQuery => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    refuseUnknownParameters(request, ['after', 'limit', 'type']);
    const query = request.query as Query;
    return {
      after: afterOf(query),
      limit: limitOf(query),
      types: choicesOf(query, 'type', EVENT_TYPES) ?? null,
    };
  },
);
