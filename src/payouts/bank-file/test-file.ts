import { withoutDashes } from '../../common/ids.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import type { Debtor } from './pain001.js';

/** Characters of an identifier. */
const ID_MAX = 35;

/** Invalid IBAN of no country: no bank can execute a file with it. */
export const TEST_DEBTOR: Debtor = { name: 'TEST', iban: 'XX00TEST0000000000', bic: null };

/** Test files never contain the platform's account. */
export const debtorIn = (mode: Mode, account: Debtor): Debtor =>
  mode === 'test' ? TEST_DEBTOR : account;

/** Message id of a file; marked in test mode. */
export const messageIdOf = (mode: Mode, id: string): string =>
  `${mode === 'test' ? 'TEST' : ''}${withoutDashes(id)}`.slice(0, ID_MAX);
