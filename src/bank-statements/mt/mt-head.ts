import { LIMITS } from '../limits.js';
import type { MtField } from './mt-fields.js';
import { readOwnAccount } from './own-account.js';

/** Tags that may follow the first entry. Any header tag there is the payer's wrapped text. */
export const ENTRY_TAGS: ReadonlySet<string> = new Set('61 86 62F 62M 64 65 90C 90D'.split(' '));
/** Header tags of a statement, before its entries. */
export const HEAD: ReadonlySet<string> = new Set('21 25 25P 28 28C 60F 60M 34F 13D'.split(' '));

/** Whether the field names the own account, within the maximum length. */
export const namesAccount = ({ tag, lines }: MtField): boolean => {
  const account = tag === '25' || tag === '25P' ? readOwnAccount(lines[0] ?? '') : null;
  return account !== null && account.length <= LIMITS.account;
};
