import { LIMITS } from '../limits.js';
import type { MtField } from './mt-fields.js';
import { readOwnAccount } from './own-account.js';

/** What follows the first entry. All that belongs before it is there a text of a payer, whose lines its bank wrapped. */
export const BEHIND_ENTRIES: ReadonlySet<string> = new Set(
  '61 86 62F 62M 64 65 90C 90D'.split(' '),
);
/** What a statement has before its entries. */
export const HEAD: ReadonlySet<string> = new Set('21 25 25P 28 28C 60F 60M 34F 13D'.split(' '));

/** Whether it says of which account a statement is; no longer one is stored. */
export const namesAccount = ({ tag, lines }: MtField): boolean => {
  const account = tag === '25' || tag === '25P' ? readOwnAccount(lines[0] ?? '') : null;
  return account !== null && account.length <= LIMITS.account;
};
