import type { LineKind } from './statement.js';

/** What is known of a line before it has a kind. */
export interface LineTraits {
  /** There is an amount, and it is not zero. */
  readonly hasAmount: boolean;
  readonly returned: boolean;
  readonly reversal: boolean;
  readonly collection: boolean;
  readonly batchTotal: boolean;
}

/**
 * Codes of German banks for the kind of a booking (Geschäftsvorfallcode): what came back, of a transfer or of a
 * direct debit, and what a creditor collected.
 */
const RETURN_CODES: ReadonlySet<string> = new Set(['108', '109', '159']);
const COLLECTION_CODES: ReadonlySet<string> = new Set(['071', '171', '174', '192', '196']);

export const isReturnCode = (code: string): boolean => RETURN_CODES.has(code);
export const isCollectionCode = (code: string): boolean => COLLECTION_CODES.has(code);

export function lineKind(traits: LineTraits): LineKind {
  if (!traits.hasAmount) return 'unusable';
  if (traits.returned) return 'return';
  if (traits.reversal) return 'reversal';
  if (traits.collection) return 'collection';
  return traits.batchTotal ? 'batch_total' : 'payment';
}
