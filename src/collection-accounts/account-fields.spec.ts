import { describe, expect, it } from '@jest/globals';
import { readCollectionAccount, type TypedAccount } from './account-fields.js';

const typed = (change: Partial<TypedAccount> = {}): TypedAccount => ({
  mode: 'test',
  currency: 'EUR',
  holder: 'Platform GmbH',
  account: 'DE89 3704 0044 0532 0130 00',
  ...change,
});

describe(readCollectionAccount.name, () => {
  it('keeps an IBAN without blanks, and what may be missing as null', () => {
    const kept = { account: 'DE89370400440532013000', bic: null, bankName: null };
    expect(readCollectionAccount(typed())).toEqual({ ...typed(), ...kept });
    const more = typed({ bic: 'cobadeffxxx', bankName: '  Commerz   bank ', holder: ' Ä  Ö ' });
    const clean = { bic: 'COBADEFFXXX', bankName: 'Commerz bank', holder: 'Ä Ö' };
    expect(readCollectionAccount(more)).toEqual({ ...typed(), ...kept, ...clean });
    expect(readCollectionAccount(typed({ bic: ' ', bankName: ' ' }))).toEqual({
      ...typed(),
      ...kept,
    });
  });

  it.each(['12345678', '20-00-00 55779911', 'ACC-1', 'NO', 'US1234567', 'x'.repeat(64)])(
    'keeps %s, of a bank without IBANs',
    (account) => expect(readCollectionAccount(typed({ account }))).toMatchObject({ account }),
  );

  it.each([
    ['a wrong check digit', 'DE88 3704 0044 0532 0130 00', /check digits/],
    ['a digit too few', 'DE89 3704 0044 0532 0130 0', /another length/],
    ['an IBAN that was cut off', 'DE89 3704', /another length/],
    ['a letter among the digits', 'DE89 3704 0044 0532 O130 00', /but is none/],
    ['no country', 'XX89 3704 0044 0532 0130 00', /no country/],
    ['a Swiss QR-IBAN', 'CH44 3199 9123 0008 8901 2', /QR-IBAN/],
    ['a QR-IBAN of Liechtenstein', 'LI21 3000 0000 0000 0000 0', /QR-IBAN|check digits/],
    ['an IBAN with hyphens', 'DE89-3704-0044-0532-0130-00', /nothing but blanks/],
    ['an IBAN with its name', 'IBAN: DE89 3704 0044 0532 0130 00;', /nothing but blanks/],
    ['nothing', '  ', /1 to 64/],
    ['too much', 'x'.repeat(65), /1 to 64/],
  ])('refuses %s', (_, account, sentence) =>
    expect(readCollectionAccount(typed({ account }))).toEqual({
      account: expect.stringMatching(sentence),
    }),
  );

  it('takes the other IBAN of a Swiss bank', () =>
    expect(readCollectionAccount(typed({ account: 'CH9300762011623852957' }))).toMatchObject({
      mode: 'test',
    }));

  it('says what is wrong with each field at once', () => {
    const wrong = { currency: 'EURO', holder: '', account: '', bic: 'X', bankName: 'x'.repeat(71) };
    expect(Object.keys(readCollectionAccount(typed(wrong)))).toEqual(Object.keys(wrong));
    expect(readCollectionAccount(typed({ holder: 'A\u202eB' }))).toHaveProperty('holder');
  });
});
