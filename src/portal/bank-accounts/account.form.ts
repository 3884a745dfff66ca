import { ibanFault, readIban } from '../../common/iban.js';
import { textProblem } from '../../common/text.js';
import type { BankAccount } from '../../database/payouts/bank-account.entity.js';
import { BANK_ACCOUNTS_MAX } from '../../database/payouts/bank-account.repository.js';
import { sepaText } from '../../payouts/bank-file/sepa-text.js';
import { type ParsedForm, type Problems, textOf } from '../kit/form.js';
import { IBAN_PROBLEMS } from './account-text.js';

/** What a bank's file takes of a name. */
export const HOLDER_MAX = 70;

/** The account that somebody typed, or what is wrong with it. */
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
  if (fault === 'too_short') return 'Type the name that the bank knows.';
  if (fault === 'too_long') return `Banks take ${HOLDER_MAX} characters at most.`;
  // A name that no bank could read would stop the whole file that it stands in.
  const isReadable = !fault && sepaText(holder, HOLDER_MAX) !== null;
  return isReadable
    ? undefined
    : 'No bank could read this name. Write it with letters or digits, and without invisible characters.';
}

/** Why an account that is right was not added. */
export const refusedAccount = (accounts: readonly BankAccount[], iban: string): Problems =>
  accounts.some((account) => account.iban === iban)
    ? { iban: 'This account was added already.' }
    : { form: `At most ${BANK_ACCOUNTS_MAX} accounts can be in use. Remove one first.` };
