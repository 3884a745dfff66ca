import { uuidv7 } from '../../common/ids.js';
import { bytea } from '../values.js';
import type { IdempotencyRecord } from './idempotency-record.entity.js';
import type { NewOrder } from './order.entity.js';

/** Columns of a response stored under an Idempotency-Key. */
export const REMEMBERED = ['route', 'key', 'contentHash', 'apiVersion', 'status', 'body'] as const;

export const ANSWER_PREFIX = 'answer.';

/** A row for creating an order, as JSON: the order, the id of its first event and the response to store. */
export interface OrderInsertRow {
  readonly merchantId: string;
  readonly mode: string;
  readonly txid: string;
  readonly [field: string]: unknown;
}

export type RememberedAnswer = {
  readonly [Name in (typeof REMEMBERED)[number]]: NonNullable<IdempotencyRecord[Name]>;
};

export function orderInsertRow(
  order: NewOrder,
  remembered: RememberedAnswer | undefined,
): OrderInsertRow {
  const row: OrderInsertRow & Record<string, unknown> = {
    ...order,
    contentHash: bytea(order.contentHash),
    eventId: uuidv7(order.createdAt.getTime()),
  };
  if (!remembered) return row;
  for (const name of REMEMBERED) row[ANSWER_PREFIX + name] = remembered[name];
  row[`${ANSWER_PREFIX}contentHash`] = bytea(remembered.contentHash);
  return row;
}

/** Conflict key: of two rows with the same one, the second is written after the first and finds its response. */
export const keyOfRow = (row: OrderInsertRow): string | undefined =>
  row['answer.key'] === undefined
    ? undefined
    : [row.merchantId, row.mode, row['answer.route'], row['answer.key']].join(' ');
