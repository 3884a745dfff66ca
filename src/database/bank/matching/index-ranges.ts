import { MARKS, SHORT_END_TO_END_ID } from '../lines/line-store.statements.js';

/**
 * Whether the line `l` is of the account and the mode of `own`, with a key of the range: a condition of rows, so that every
 * plan uses the index.
 */
const inRange = (
  [column, value]: readonly [string, string],
  account: string,
  [low, high]: readonly [string, string],
): string => `(${column}, l.account, l.mode, l.key)
  BETWEEN (${value}, ${account}, own.mode, ${low}) AND (${value}, ${account}, own.mode, ${high})`;

/** All keys of a direction. */
export const keysOf = (direction: 'in' | 'out') => [`'${direction}|'`, `'${direction}|~'`] as const;

/** Whether the line `l` is incoming and names the order. */
export const namesOrder = (reference: string, account: string): string =>
  inRange(['l.named_reference', reference], account, keysOf('in'));

/** Whether the line `l` has the end-to-end id of `own`. */
export const hasEndToEndId = (account: string, keys: readonly [string, string]): string => {
  const mark = `(${MARKS.bank_lines_end_to_end_id}) COLLATE "C"`;
  const value = `'=' || left(own.end_to_end_id, ${SHORT_END_TO_END_ID})`;
  return `l.end_to_end_id = own.end_to_end_id AND ${inRange([mark, value], account, keys)}`;
};

/** Whether the line `l` has the bank's identifier of `own`. */
export const hasIdentifier = (name: 'uetr' | 'transactionId', account: string): string => {
  const place = `(own.identifiers ->> '${name}', ${account}, own.mode)`;
  return `l.identifiers ->> '${name}' IS NOT NULL
    AND (l.identifiers ->> '${name}', l.account, l.mode) BETWEEN ${place} AND ${place}`;
};
