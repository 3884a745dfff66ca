import { uuidOf } from '../../common/ids.js';
import { EVENT_TYPES, type EventType } from '../../database/notifications/event.entity.js';
import { LIMIT, queryOf, UUID_SCHEMA } from '../../http/parameters.js';
import { Problem } from '../../http/problem.js';
import { choicesOf, limitOf, parameterOf, type Query } from '../../http/query.js';

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
  const id = uuidOf(after);
  if (id === null) throw new Problem('unknown_event');
  return id;
}

/** @throws Problem `invalid_parameter` or `unknown_event` */
const readEventQuery = (query: Query): EventQuery => ({
  after: afterOf(query),
  limit: limitOf(query),
  types: choicesOf(query, 'type', EVENT_TYPES) ?? null,
});

export const ReadEventQuery = queryOf(
  readEventQuery,
  {
    name: 'after',
    component: 'EventAfter',
    description:
      'The `next` of the page before, or the id of any event; `latest` for the end of the feed. Its beginning when left out.',
    schema: { anyOf: [UUID_SCHEMA, { enum: [LATEST] }] },
    errors: ['unknown_event'],
  },
  LIMIT,
  {
    name: 'type',
    component: 'EventTypes',
    description: 'Only events of these types, separated by commas; all when left out.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: [...EVENT_TYPES] } },
  },
);
