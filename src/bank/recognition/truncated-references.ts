import { SHORT_REFERENCE } from '../../database/bank/lines/line-store.repository.js';

/** Compares references; MT940 truncates them. */
export const isSame = (one: string, other: string): boolean =>
  one === other ||
  (one.length === SHORT_REFERENCE && other.startsWith(one)) ||
  (other.length === SHORT_REFERENCE && one.startsWith(other));

const truncated = (reference: string): string => `${reference.slice(0, SHORT_REFERENCE)}…`;

/**
 * Names under which an index lists a reference: complete and truncated names differ, since thousands of references can
 * have the same beginning.
 */
export const listedAs = (reference: string): string[] =>
  reference.length > SHORT_REFERENCE ? [reference, truncated(reference)] : [reference];

/** Names under which an index lists all references that `isSame` as this one. */
export function lookedUpAs(reference: string): string[] {
  if (reference.length < SHORT_REFERENCE) return [reference];
  const isLong = reference.length > SHORT_REFERENCE;
  return [reference, isLong ? reference.slice(0, SHORT_REFERENCE) : truncated(reference)];
}
