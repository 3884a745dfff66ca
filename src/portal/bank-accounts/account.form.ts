import { ibanFault, readIban } from '../../common/money/iban.js';
import { textProblem } from '../../common/text.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import { BANK_ACCOUNTS_MAX } from '../../database/payouts/bank-accounts/bank-account.repository.js';
import { sepaText } from '../../payouts/bank-file/sepa-text.js';
import { type ParsedForm, type Problems, textOf } from '../kit/form.js';
import { IBAN_PROBLEMS } from './account-text.js';

/** Maximum length of a name in bank files. */
export const HOLDER_MAX = 70;

/** Parses the form. */
export function readAccount(
  form: URLSearchParams,
): ParsedForm<Pick<BankAccount, 'holder' | 'iban'>> {
  const holder = textOf(form, 'holder');
  const iban = readIban(textOf(form, 'iban'));
  const holderProblem = problemOfHolder(holder);
  if (iban !== null && !holderProblem) return { done: { holder, iban } };
  const fault = ibanFault(textOf(form, 'iban'));
  return {
    problems: {
      ...(holderProblem ? { holder: holderProblem } : {}),
      ...(fault ? { iban: IBAN_PROBLEMS[fault] } : {}),
    },
  };
}

function problemOfHolder(holder: string): string | undefined {
  const fault = textProblem(holder, { min: 1, max: HOLDER_MAX, name: true });
  if (fault === 'too_short') return 'Enter the name as registered with the bank.';
  if (fault === 'too_long') return `Use at most ${HOLDER_MAX} characters.`;
  // A name outside the SEPA character set would invalidate the whole bank file.
  const isReadable = !fault && sepaText(holder, HOLDER_MAX) !== null;
  return isReadable
    ? undefined
    : 'Banks cannot process this name. Use letters or digits, without invisible characters.';
}

/** Why a valid account was not added. */
export const refusedAccount = (accounts: readonly BankAccount[], iban: string): Problems =>
  accounts.some((account) => account.iban === iban)
    ? { iban: 'This account was already added.' }
    : { form: `You can have at most ${BANK_ACCOUNTS_MAX} accounts. Remove one first.` };
