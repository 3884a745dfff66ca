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
 * Codes of German banks for the kind of a booking (Geschäftsvorfallcode): what came back, of a transfer, a direct debit,
 * a card or a cheque, what a creditor collected, and the sum of several transfers.
 */
const RETURN_CODES: ReadonlySet<string> = new Set([
  '108',
  '109',
  '159',
  '160',
  '181',
  '182',
  '183',
  '184',
]);
const COLLECTION_CODES: ReadonlySet<string> = new Set(['071', '171', '174', '192', '196', '198']);
const BATCH_CODES: ReadonlySet<string> = new Set(['079', '189', '194']);

export const isReturnCode = (code: string): boolean => RETURN_CODES.has(code);
export const isCollectionCode = (code: string): boolean => COLLECTION_CODES.has(code);
export const isBatchCode = (code: string): boolean => BATCH_CODES.has(code);

export function lineKind(traits: LineTraits): LineKind {
  if (!traits.hasAmount) return 'unusable';
  if (traits.returned) return 'return';
  if (traits.reversal) return 'reversal';
  if (traits.collection) return 'collection';
  return traits.batchTotal ? 'batch_total' : 'payment';
}
