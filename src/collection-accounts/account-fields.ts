import { isCurrency } from '../common/money/currencies.js';
import { type IbanFault, ibanFault, readBic, readIban } from '../common/money/iban.js';
import { textProblem } from '../common/text.js';
import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';

/** Account of the platform as entered; everything except the mode is unvalidated text. */
export type TypedAccount = Pick<CollectionAccount, 'mode' | 'currency' | 'holder' | 'account'> &
  Partial<Pick<CollectionAccount, 'bic' | 'bankName'>>;

/** The validated account, ready to store. */
export type NewCollectionAccount = Pick<
  CollectionAccount,
  'mode' | 'currency' | 'holder' | 'account' | 'bic' | 'bankName'
>;

/** Validation errors, one sentence per field. */
export type AccountFaults = Partial<Record<keyof NewCollectionAccount, string>>;

const ACCOUNT_MAX = 64;
const NAME_MAX = 70;
/** Format of IBANs, without check digits. */
const LIKE_AN_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** Swiss QR-IBANs: their transfers require a QR reference, so they reject our references. */
const QR_IBAN = /^(?:CH|LI)\d{2}3[01]\d{3}/;

const IBAN_FAULTS: Readonly<Record<IbanFault, string>> = {
  no_iban: 'It looks like an IBAN, but is none.',
  unknown_country: 'It looks like an IBAN, but no country has IBANs that begin so.',
  wrong_length: 'An IBAN of this country has another length.',
  wrong_check_digits:
    'The check digits of the IBAN are wrong: compare it with what the bank wrote.',
};

/**
 * Validates an account. Text that looks like an IBAN must be a valid one; any other text names an account at a bank
 * without IBANs.
 */
export function readCollectionAccount(typed: TypedAccount): NewCollectionAccount | AccountFaults {
  const { mode, currency } = typed;
  const holder = plainText(typed.holder);
  const bankName = plainText(typed.bankName ?? '') || null;
  const bic = typed.bic?.trim() ? readBic(typed.bic) : null;
  const faults = {
    ...fault('currency', isCurrency(currency) ? null : 'It must be a currency, such as EUR.'),
    ...fault('holder', nameFault(holder)),
    ...fault('account', accountFault(typed.account)),
    ...fault('bic', typed.bic?.trim() && !bic ? 'A BIC has 8 or 11 letters and digits.' : null),
    ...fault('bankName', bankName === null ? null : nameFault(bankName)),
  };
  if (Object.keys(faults).length > 0) return faults;
  const account = readIban(typed.account) ?? plainText(typed.account);
  return { mode, currency, holder, account, bic, bankName };
}

export const isAccount = (
  read: NewCollectionAccount | AccountFaults,
): read is NewCollectionAccount => 'mode' in read;

function accountFault(typed: string): string | null {
  const iban = readIban(typed);
  if (iban) return QR_IBAN.test(iban) ? 'A QR-IBAN takes no references: use the other IBAN.' : null;
  const compact = typed
    .replace(/^\s*IBAN\b/i, '')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase();
  if (readIban(compact)) return 'Write the IBAN with nothing but blanks in it.';
  const reason = ibanFault(typed) ?? 'no_iban';
  const isMeant = LIKE_AN_IBAN.test(compact) || reason.startsWith('wrong_');
  if (isMeant) return IBAN_FAULTS[reason];
  const isText = !textProblem(plainText(typed), { min: 1, max: ACCOUNT_MAX, name: true });
  return isText ? null : `Write an IBAN, or 1 to ${ACCOUNT_MAX} characters on one line.`;
}

/** Error of a holder or bank name, null if valid. */
function nameFault(name: string): string | null {
  const isName = !textProblem(name, { min: 1, max: NAME_MAX, name: true });
  return isName ? null : `Write 1 to ${NAME_MAX} characters on one line.`;
}

const plainText = (typed: string): string => typed.trim().replace(/\s+/g, ' ');

const fault = (field: keyof NewCollectionAccount, sentence: string | null): AccountFaults =>
  sentence === null ? {} : { [field]: sentence };
