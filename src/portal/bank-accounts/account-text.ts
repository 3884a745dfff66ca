import { type IbanFault, printedIban } from '../../common/iban.js';
import type { BankAccount } from '../../database/payouts/bank-account.entity.js';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** "Germany", by the letters with which an IBAN begins. */
export const countryOf = (iban: string): string =>
  COUNTRIES.of(iban.slice(0, 2)) ?? iban.slice(0, 2);

/** "DE89 3704 0044 0532 0130 00, Test Shop": a long name may be cut off. */
export const accountText = ({ holder, iban }: Pick<BankAccount, 'holder' | 'iban'>): string =>
  `${printedIban(iban)}, ${holder}`;

/** What is wrong with what was typed, and what to do about it. */
export const IBAN_PROBLEMS: Readonly<Record<IbanFault, string>> = {
  no_iban:
    'This is not an IBAN. One has two letters, two digits, then letters and digits: DE89 3704 0044 0532 0130 00.',
  unknown_country: 'No country whose accounts have an IBAN begins with these two letters.',
  wrong_length: 'This has too many or too few characters for an IBAN of its country.',
  wrong_check_digits:
    'The check digits do not match: something is mistyped. Compare it with your bank’s papers.',
};
