import type { HistoryRow } from '../../database/repositories/history.statements.js';
import { maskAccount } from '../../notifications/mail/payer-account.js';
import type { PayerSight } from '../roles.js';

export const HIDDEN = 'hidden';
/** More initials tell too much of a name. */
const INITIALS_MAX = 3;

/** People of an order, as far as the reader may know them. */
export interface ShownPeople {
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

/** An order in the list: what the reader may not know never reaches the page. */
export type HistoryLine = Omit<HistoryRow, 'customerName' | 'customerEmail' | 'payment'> &
  ShownPeople & { readonly provider: string | null };

export function lineOf(row: HistoryRow, sight: PayerSight): HistoryLine {
  const { customerName: _name, customerEmail: _email, payment, ...order } = row;
  return { ...order, ...peopleOf(row, sight), provider: payment?.provider ?? null };
}

function peopleOf({ customerName, customerEmail, payment }: HistoryRow, sight: PayerSight) {
  const account = payment?.payerAccountNumber ?? null;
  const type = payment?.payerAccountType ?? null;
  const shown = (text: string | null, masked: (text: string) => string): string | null => {
    if (text === null || text === '' || sight === 'full') return text || null;
    return sight === 'none' ? HIDDEN : masked(text);
  };
  const shownAccount = shown(account, (text) => maskAccount(text, type));
  return {
    payerAccount: type === 'iban' && shownAccount ? inFours(shownAccount) : shownAccount,
    payerName: shown(payment?.payerAccountName ?? null, initials),
    customerName: shown(customerName, initials),
    customerEmail: shown(customerEmail, (text) => maskAccount(text, null)),
  };
}

/** "Erika Mustermann" is "E. M.". */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, INITIALS_MAX)
    .map((word) => `${[...word][0]!}.`)
    .join(' ');

/** As IBANs are printed; what is masked or spaced already stays. */
const inFours = (iban: string): string =>
  /^[A-Za-z\d]+$/.test(iban) && iban !== HIDDEN ? iban.replace(/.{4}(?=.)/g, '$& ') : iban;
