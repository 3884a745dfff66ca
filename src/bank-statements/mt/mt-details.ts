import type { PartyTexts } from '../counterparty.js';
import type { LineReference } from '../statement.js';

/** What a field :86: says, in whichever of the three ways in which banks write it. */
export interface MtDetails {
  /** The bank puts the account of the other side below the entry. Others put there what a payer chose. */
  readonly hasAccountBelow: boolean;
  /** The code of German banks for the kind of the booking, three digits. */
  readonly code: string | null;
  /** The other side, as far as the bank does not say whether it paid or was paid. */
  readonly party: PartyTexts;
  readonly payer: PartyTexts | undefined;
  readonly payee: PartyTexts | undefined;
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly returned: boolean;
  /** There is a mark of a return, which the payer may have written. */
  readonly mayBeReturned: boolean;
  /** What the payer wrote, and what the bank added. */
  readonly texts: readonly (string | null | undefined)[];
}

export const NO_DETAILS: MtDetails = {
  hasAccountBelow: false,
  code: null,
  party: {},
  payer: undefined,
  payee: undefined,
  references: [],
  endToEndId: null,
  returned: false,
  mayBeReturned: false,
  texts: [],
};
