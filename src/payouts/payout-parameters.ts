import { NEWEST } from '../common/ids.js';
import { PAYOUT_STATUSES } from '../database/payouts/payout.entity.js';
import type { PayoutPage } from '../database/payouts/payout.repository.js';
import { LIMIT, pathId, queryOf, UUID_SCHEMA } from '../http/parameters.js';
import {
  choicesOf,
  invalidParameter,
  limitOf,
  parameterOf,
  type Query,
  uuidParameter,
} from '../http/query.js';
import { PAYOUT_TRANSFERS_MAX } from './reservations.js';

/** Requested page of a payout's lines. */
export interface LinePage {
  /** Only lines after this number. */
  readonly after: number;
  readonly limit: number;
}

function lineAfter(query: Query): number {
  const text = parameterOf(query, 'after') ?? '0';
  const after = Number(text);
  if (/^\d{1,6}$/.test(text) && after <= PAYOUT_TRANSFERS_MAX) return after;
  throw invalidParameter('after', 'the number of a line');
}

export const PayoutIdOrNewest = pathId(
  {
    name: 'id',
    component: 'PayoutId',
    description: 'The payout',
    notFound: 'payout_not_found',
  },
  NEWEST,
);

/** Requested page of the list. */
export const PayoutQuery = queryOf(
  (query): PayoutPage => ({
    // The list is newest first: the next entry is older.
    before: uuidParameter(query, 'after', 'the id of a payout'),
    limit: limitOf(query),
    statuses: choicesOf(query, 'status', PAYOUT_STATUSES) ?? null,
  }),
  {
    name: 'after',
    component: 'PayoutAfter',
    description: 'The `next` of the page before: only payouts made before it.',
    schema: UUID_SCHEMA,
  },
  {
    name: 'status',
    component: 'PayoutStatuses',
    description: 'Only payouts in these statuses, separated by commas; all when left out.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: [...PAYOUT_STATUSES] } },
  },
  LIMIT,
);

/** Requested page of the lines. */
export const LineQuery = queryOf(
  (query): LinePage => ({ after: lineAfter(query), limit: limitOf(query) }),
  {
    name: 'after',
    component: 'LineAfter',
    description: 'The `next` of the page before: only lines behind this number.',
    schema: { type: 'integer', minimum: 0, maximum: PAYOUT_TRANSFERS_MAX },
  },
  LIMIT,
);
