import type { LineKind } from './statement.js';

/** Properties that determine the kind of a line. */
export interface LineTraits {
  /** The amount exists, is not zero, and is valid in its currency. */
  readonly hasAmount: boolean;
  readonly returned: boolean;
  readonly reversal: boolean;
  readonly collection: boolean;
  readonly batchTotal: boolean;
}

/**
 * Booking codes of German banks (Geschäftsvorfallcode): returned transfers, direct debits, cards and cheques; direct
 * debits and card payments on the creditor's account, then on the debtor's account; batch totals of transfers.
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
const COLLECTED_CODES: ReadonlySet<string> = new Set([
  '071',
  '171',
  '174',
  '192',
  '193',
  '195',
  '196',
  '197',
  '198',
  '199',
]);
const DEBITED_CODES: ReadonlySet<string> = new Set([
  '004',
  '005',
  '084',
  '104',
  '105',
  '106',
  '107',
  '190',
]);
const BATCH_CODES: ReadonlySet<string> = new Set(['079', '189', '194']);

export const isReturnCode = (code: string): boolean => RETURN_CODES.has(code);
export const isCollectionCode = (code: string): boolean =>
  COLLECTED_CODES.has(code) || DEBITED_CODES.has(code);
/** A SWIFT transaction type ends in `RTI` for a return (`NRTI`), in `DDT` for a direct debit (`FDDT`). */
export const isReturnType = (type: string): boolean => type.endsWith('RTI');
export const isCollectionType = (type: string): boolean => type.endsWith('DDT');
export const isBatchCode = (code: string): boolean => BATCH_CODES.has(code);

export function lineKind(traits: LineTraits): LineKind {
  if (!traits.hasAmount) return 'unusable';
  if (traits.returned) return 'return';
  if (traits.reversal) return 'reversal';
  if (traits.collection) return 'collection';
  return traits.batchTotal ? 'batch_total' : 'payment';
}
