import { type IbanFault, printedIban } from '../../common/money/iban.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** Country name from the first letters of an IBAN. */
export const countryOf = (iban: string): string =>
  COUNTRIES.of(iban.slice(0, 2)) ?? iban.slice(0, 2);

/** "DE89 3704 0044 0532 0130 00, Test Shop": the IBAN comes first because long names may be cut off. */
export const accountText = ({ holder, iban }: Pick<BankAccount, 'holder' | 'iban'>): string =>
  `${printedIban(iban)}, ${holder}`;

/** Message for each IBAN problem. */
export const IBAN_PROBLEMS: Readonly<Record<IbanFault, string>> = {
  no_iban:
    'This is not an IBAN. An IBAN has two letters, two digits, then letters and digits, for example DE89 3704 0044 0532 0130 00.',
  unknown_country: 'These two letters are not the code of a country with IBANs.',
  wrong_length: 'An IBAN of this country has a different length.',
  wrong_check_digits:
    'The check digits do not match. Compare the IBAN with a document from your bank.',
};
