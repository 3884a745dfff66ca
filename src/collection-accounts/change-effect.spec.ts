import { describe, expect, it } from '@jest/globals';
import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';
import type { CollectionAccountChange } from '../database/bank/collection-accounts/collection-account-change.entity.js';
import { effectOf } from './change-effect.js';

const account = (id: string, more: Partial<CollectionAccount> = {}): CollectionAccount =>
  ({ id, account: id, currency: 'EUR', disabledAt: null, ...more }) as CollectionAccount;

const ALL = [
  account('gone', { disabledAt: new Date() }),
  account('pounds', { currency: 'GBP' }),
  account('first'),
  account('second'),
];

const change = (kind: CollectionAccountChange['kind'], of: string, currency = 'EUR') =>
  ({ kind, accountId: of, account: of, currency }) as CollectionAccountChange;

describe(effectOf.name, () => {
  it.each([
    ['an account behind the others', change('add', 'new'), 'first', 'first'],
    ['the first account of a currency', change('add', 'new', 'USD'), null, 'new'],
    ['another one first', change('prefer', 'second'), 'first', 'second'],
    ['the shown one away', change('disable', 'first'), 'first', 'second'],
    ['the only one away', change('disable', 'pounds', 'GBP'), 'pounds', null],
    ['one away that nobody is shown', change('disable', 'second'), 'first', 'first'],
  ])('%s', (_, of, before, after) => expect(effectOf(of, ALL)).toEqual({ before, after }));
});
