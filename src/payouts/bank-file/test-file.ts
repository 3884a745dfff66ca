import { withoutDashes } from '../../common/ids.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import type { Debtor } from './pain001.js';

/** Characters of an identifier. */
const ID_MAX = 35;

/** No country has it and its check digits fit nothing: a bank that is given the file pays nobody. */
export const TEST_DEBTOR: Debtor = { name: 'TEST', iban: 'XX00TEST0000000000', bic: null };

/** The platform's account never stands in a file of test mode. */
export const debtorIn = (mode: Mode, account: Debtor): Debtor =>
  mode === 'test' ? TEST_DEBTOR : account;

/** Of a file with that id; in test mode it says so. */
export const messageIdOf = (mode: Mode, id: string): string =>
  `${mode === 'test' ? 'TEST' : ''}${withoutDashes(id)}`.slice(0, ID_MAX);
