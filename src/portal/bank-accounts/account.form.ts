import { ibanFault, readIban } from '../../common/money/iban.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import { BANK_ACCOUNTS_MAX } from '../../database/payouts/bank-accounts/bank-account.repository.js';
import { HOLDER_MAX, holderFault } from '../../payouts/bank-file/holder.js';
import { type ParsedForm, type Problems, textOf } from '../kit/form.js';
import { IBAN_PROBLEMS } from './account-text.js';

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
  const fault = holderFault(holder);
  return fault ? HOLDER_PROBLEMS[fault] : undefined;
}

const HOLDER_PROBLEMS = {
  too_short: 'Enter the name as registered with the bank.',
  too_long: `Use at most ${HOLDER_MAX} characters.`,
  unreadable:
    'Banks cannot process this name. Use letters or digits, without invisible characters.',
} as const;

/** Why a valid account was not added. */
export const refusedAccount = (accounts: readonly BankAccount[], iban: string): Problems =>
  accounts.some((account) => account.iban === iban)
    ? { iban: 'This account was already added.' }
    : { form: `You can have at most ${BANK_ACCOUNTS_MAX} accounts. Remove one first.` };
