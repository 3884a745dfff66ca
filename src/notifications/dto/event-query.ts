import { uuidOf } from '../../common/ids.js';
import { EVENT_TYPES } from '../../database/notifications/event.entity.js';
import type { EventFilter } from '../../database/notifications/event.repository.js';
import { LIMIT, queryOf, UUID_SCHEMA } from '../../http/parameters.js';
import { Problem } from '../../http/problems/problem.js';
import {
  choicesOf,
  IDS_MAX,
  idsOf,
  limitOf,
  parameterOf,
  type Query,
  timeParameter,
} from '../../http/query.js';

/** Value for the end of the feed in place of an event id. */
export const LATEST = 'latest';

/** Values that programs send for a null `next` of an empty feed: start at the beginning. */
const NOTHING_YET: readonly (string | undefined)[] = [undefined, 'null', ''];

/** Requested part of the feed. */
export interface EventQuery {
  /** Event id to continue after, `latest`, or null for the beginning. */
  readonly after: string | null;
  readonly limit: number;
  readonly filter: EventFilter;
}

function afterOf(query: Query): string | null {
  const after = parameterOf(query, 'after');
  if (NOTHING_YET.includes(after)) return null;
  if (after === LATEST) return after;
  const id = uuidOf(after!);
  if (id === null) throw new Problem('unknown_event');
  return id;
}

/** @throws Problem `invalid_parameter` or `unknown_event` */
const readEventQuery = (query: Query): EventQuery => ({
  after: afterOf(query),
  limit: limitOf(query),
  filter: {
    types: choicesOf(query, 'type', EVENT_TYPES) ?? null,
    since: timeParameter(query, 'from'),
    txids: idsOf(query, 'txid', uuidOf),
  },
});

export const ReadEventQuery = queryOf(
  readEventQuery,
  {
    name: 'after',
    component: 'EventAfter',
    description:
      'The `next` of the page before, or the id of any event; `latest` for the end of the feed. Its beginning when left out, ' +
      'empty or `null`, so that a `next` which was null can be passed as well.',
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
  {
    name: 'from',
    component: 'EventsFrom',
    description:
      'Only events of this time or later: without `after`, the feed begins there. With clocks of several machines an event can stand shortly before an earlier one.',
    schema: { type: 'string', format: 'date-time' },
  },
  {
    name: 'txid',
    component: 'EventTxids',
    description: 'Only events of these orders, separated by commas.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, maxItems: IDS_MAX, items: UUID_SCHEMA },
  },
);
