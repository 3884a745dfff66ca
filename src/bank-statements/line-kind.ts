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
 * a card or a cheque; direct debits and card payments on the creditor's account, and on the debtor's; and the sum of
 * several transfers.
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
/** Last three letters of a transaction type of SWIFT, such as `NRTI` or `FDDT`: a return, a direct debit. */
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
