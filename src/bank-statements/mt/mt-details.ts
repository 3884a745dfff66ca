import type { PartyTexts } from '../counterparty.js';
import type { LineReference } from '../statement.js';

/** Content of field :86:, from any of its three formats: coded, tagged or plain. */
export interface MtDetails {
  /** The supplement line of :61: has the counterparty's account. Other banks write the payer's text there. */
  readonly hasSupplementAccount: boolean;
  /** German booking code, three digits. */
  readonly code: string | null;
  /** Counterparty without a stated role (payer or payee). */
  readonly party: PartyTexts;
  readonly payer: PartyTexts | undefined;
  readonly payee: PartyTexts | undefined;
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly returned: boolean;
  /** There is a return tag, which the payer may have written. */
  readonly mayBeReturned: boolean;
  /** Payer's text, and the bank's additions. */
  readonly texts: readonly (string | null | undefined)[];
}

export const NO_DETAILS: MtDetails = {
  hasSupplementAccount: false,
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
