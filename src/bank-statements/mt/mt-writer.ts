import type { MtField } from './mt-fields.js';

/** Banks that write their own data in places where other banks write the payer's text. */
export interface MtBankFormat {
  /** Details end with a line with the counterparty's account and name. */
  readonly isKnab: boolean;
  /** The supplement line of :61: has the counterparty's account. */
  readonly isRabobank: boolean;
}

const KNAB = /^\{1:F\d\dKNABNL2H/;
const RABOBANK = /^94[02]S\d{6}\s*$/;

/**
 * @param start field :20: of the statement
 * @param before result for the previous statement: after entries of another bank, a payer may have forged :20:
 */
export const mtBankFormat = (
  { blocks, lines }: MtField,
  before: MtBankFormat | undefined,
): MtBankFormat => ({
  isKnab: KNAB.test(blocks ?? ''),
  isRabobank: (before?.isRabobank ?? true) && RABOBANK.test(lines[0] ?? ''),
});
