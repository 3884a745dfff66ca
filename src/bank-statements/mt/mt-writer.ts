import type { MtField } from './mt-fields.js';

/** The bank of a statement, as far as it is known to write something in a place where others write texts of payers. */
export interface MtWriter {
  /** Its details end with a line of account and name. */
  readonly isKnab: boolean;
  /** It puts the account of the other side below an entry. */
  readonly isRabobank: boolean;
}

const KNAB = /^\{1:F\d\dKNABNL2H/;
const RABOBANK = /^94[02]S\d{6}\s*$/;

/**
 * @param start the field `:20:` of the statement
 * @param before of the statement before it: behind entries of other banks a payer can have written what names a bank
 */
export const mtWriter = ({ blocks, lines }: MtField, before: MtWriter | undefined): MtWriter => ({
  isKnab: KNAB.test(blocks ?? ''),
  isRabobank: (before?.isRabobank ?? true) && RABOBANK.test(lines[0] ?? ''),
});
