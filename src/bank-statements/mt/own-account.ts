import { readIban } from '../../common/money/iban.js';
import { textOrNull } from '../counterparty.js';

/** Own account as the bank writes it; an IBAN without the currency that some banks append. */
export function readOwnAccount(text: string): string | null {
  const account = textOrNull(text);
  const start = account?.replace(/\/?[A-Z]{3}$/, '') ?? '';
  return readIban(account ?? '') ?? readIban(start) ?? account;
}
