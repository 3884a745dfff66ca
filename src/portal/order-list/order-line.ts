import { maskAccount } from '../../common/mask.js';
import type { ListedOrder } from '../../database/read-models/order-list/order-list.statements.js';
import type { PayerVisibility } from '../../people/roles.js';

export const HIDDEN = 'hidden';
/** More initials would reveal too much of a name. */
const INITIALS_MAX = 3;

/** Payer and customer of an order, masked for the reader. */
export interface ShownPeople {
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

/** An order in the list, masked for the reader. */
export type OrderLine = Omit<ListedOrder, 'customerName' | 'customerEmail' | 'payment'> &
  ShownPeople & { readonly provider: string | null };

export function lineOf(row: ListedOrder, visibility: PayerVisibility): OrderLine {
  const { customerName: _name, customerEmail: _email, payment, ...order } = row;
  return { ...order, ...peopleOf(row, visibility), provider: payment?.provider ?? null };
}

function peopleOf(
  { customerName, customerEmail, payment }: ListedOrder,
  visibility: PayerVisibility,
) {
  const account = payment?.payerAccountNumber ?? null;
  const type = payment?.payerAccountType ?? null;
  const shown = (text: string | null, masked: (text: string) => string): string | null => {
    if (text === null || text === '' || visibility === 'full') return text || null;
    return visibility === 'none' ? HIDDEN : masked(text);
  };
  const shownAccount = shown(account, (text) => maskAccount(text, type));
  return {
    payerAccount: type === 'iban' && shownAccount ? inFours(shownAccount) : shownAccount,
    payerName: shown(payment?.payerAccountName ?? null, initials),
    customerName: shown(customerName, initials),
    customerEmail: shown(customerEmail, (text) => maskAccount(text, null)),
  };
}

/** "Erika Mustermann" becomes "E. M.". */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, INITIALS_MAX)
    .map((word) => `${[...word][0]!}.`)
    .join(' ');

/** Groups of four; masked or already grouped texts stay unchanged. */
const inFours = (iban: string): string =>
  /^[A-Za-z\d]+$/.test(iban) && iban !== HIDDEN ? iban.replace(/.{4}(?=.)/g, '$& ') : iban;
