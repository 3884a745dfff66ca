import { uuidv7 } from '../../common/ids.js';
import { bytea } from '../values.js';
import type { IdempotencyRecord } from './idempotency-record.entity.js';
import type { NewOrder } from './order.entity.js';

/** The answer that is remembered under an Idempotency-Key. */
export const REMEMBERED = ['route', 'key', 'contentHash', 'apiVersion', 'status', 'body'] as const;

export const ANSWER_PREFIX = 'answer.';

/** What is written of one order, as JSON: the order, the id of its first event, the remembered answer. */
export interface NewRow {
  readonly merchantId: string;
  readonly mode: string;
  readonly txid: string;
  readonly [field: string]: unknown;
}

export type RememberedAnswer = {
  readonly [Name in (typeof REMEMBERED)[number]]: NonNullable<IdempotencyRecord[Name]>;
};

export function newRow(order: NewOrder, remembered: RememberedAnswer | undefined): NewRow {
  const row: NewRow & Record<string, unknown> = {
    ...order,
    contentHash: bytea(order.contentHash),
    eventId: uuidv7(order.createdAt.getTime()),
  };
  if (!remembered) return row;
  for (const name of REMEMBERED) row[ANSWER_PREFIX + name] = remembered[name];
  row[`${ANSWER_PREFIX}contentHash`] = bytea(remembered.contentHash);
  return row;
}

/** What of two rows is never written at once: the second finds what the first has left under the key. */
export const keyOfRow = (row: NewRow): string | undefined =>
  row['answer.key'] === undefined
    ? undefined
    : [row.merchantId, row.mode, row['answer.route'], row['answer.key']].join(' ');
