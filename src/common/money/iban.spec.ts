import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ibanFault, isSepaIban, printedIban, readBic, readIban } from './iban.js';

/** The example of each SEPA country in the IBAN registry, and Gibraltar's, which has its own. */
const SEPA_IBANS = `
  AD1200012030200359100100 AL47212110090000000235698741 AT611904300234573201 BE68539007547034
  BG80BNBG96611020345678 CH9300762011623852957 CY17002001280000001200527600
  CZ6508000000192000145399 DE89370400440532013000 DK5000400440116243 EE382200221020145685
  ES9121000418450200051332 FI2112345600000785 FR1420041010050500013M02606 GB29NWBK60161331926819
  GI75NWBK000000007099453 GR1601101250000000012300695 HR1210010051863000160
  HU42117730161111101800000000 IE29AIBK93115212345678 IS140159260076545510730339
  IT60X0542811101000000123456 LI21088100002324013AA LT121000011101001000 LU280019400644750000
  LV80BANK0000435195001 MC5811222000010123456789030 MD24AG000225100013104168
  ME25505000012345678951 MK07250120000058984 MT84MALT011000012345MTLCAST001S NL91ABNA0417164300
  NO9386011117947 PL61109010140000071219812874 PT50000201231234567890154 RO49AAAA1B31007593840000
  RS35260005601001611379 SE4550000000058398257466 SI56263300012039086 SK3112000000198742637541
  SM86U0322509800000000270100 VA59001123000012345678
`
  .trim()
  .split(/\s+/);

const OTHER_IBANS = [
  'TR330006100519786457841326',
  'SA0380000000608010167519',
  'XK051212012345678906',
  'GE29NB0000000101904917',
  'FO6264600001631634',
];

/** The check digits of ISO 7064, MOD 97-10. */
function withCheckDigits(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((char) => parseInt(char, 36)).join('');
  return country + String(98n - (BigInt(digits) % 97n)).padStart(2, '0') + account;
}

describe(readIban.name, () => {
  it.each([...SEPA_IBANS, ...OTHER_IBANS])('reads %s in each of its spellings', (iban) => {
    expect(readIban(iban)).toBe(iban);
    expect(readIban(iban.toLowerCase())).toBe(iban);
    expect(readIban(` ${printedIban(iban)}\n`)).toBe(iban);
    expect(readIban(iban.replace(/(..)/g, '$1\u00a0'))).toBe(iban);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['wrong check digits', 'DE88370400440532013000'],
    ['two digits swapped', 'DE89370400440532031000'],
    ['one digit too few', 'DE8937040044053201300'],
    ['one digit too many', 'DE893704004405320130000'],
    ['a length of no account there, though the sum is right', withCheckDigits('DE', '12345678')],
    ['a letter where digits belong', withCheckDigits('DE', '37040044053201300A')],
    ['digits where letters belong', withCheckDigits('NL', '12340417164300')],
    ['a country that has none', withCheckDigits('US', '123456789012345678')],
    ['a country that is none', withCheckDigits('ZZ', '123456789012345678')],
    ['check digits that only leave the same rest', 'DE01370400440532013032'],
    ['a word in front', 'IBAN DE89370400440532013000'],
    ['dashes', 'DE89-3704-0044-0532-0130-00'],
    ['a letter that turns into two', 'MT84MALT011000012345MTLCAßT001'],
    ['full-width digits', 'DE89３７０４００４４０５３２０１３０００'],
    ['an account number', '0532013000'],
  ])('refuses %s: %j', (_, text) => expect(readIban(text)).toBeNull());

  it('notices any one wrong digit', () => {
    const position = fc.integer({ min: 2, max: 21 });
    const added = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(position, added, (at, more) => {
        const iban = 'DE89370400440532013000';
        const digit = (Number(iban[at]) + more) % 10;
        expect(readIban(iban.slice(0, at) + String(digit) + iban.slice(at + 1))).toBeNull();
      }),
    );
  });

  it('gives only what a bank file can hold, whatever it reads', () => {
    const near = fc.stringMatching(/^[DFdf][EIei][\d\s]{12,30}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
        expect(readIban(text) ?? 'DE00').toMatch(/^[A-Z]{2}\d{2}[A-Z0-9]{0,30}$/);
      }),
    );
  });
});

describe(ibanFault.name, () => {
  it.each([
    ['wrong check digits', 'DE88 3704 0044 0532 0130 00', 'wrong_check_digits'],
    ['check digits that only leave the same rest', 'DE01370400440532013032', 'wrong_check_digits'],
    [
      'a wrong digit where the country checks, too',
      'FR1420041010050500013M02607',
      'wrong_check_digits',
    ],
    ['one digit too few', 'DE8937040044053201300', 'wrong_length'],
    ['one digit too many', 'DE893704004405320130000', 'wrong_length'],
    ['a country that has none', withCheckDigits('US', '123456789012345678'), 'unknown_country'],
    ['a country that is none', withCheckDigits('ZZ', '123456789012345678'), 'unknown_country'],
    ['a letter where digits belong', withCheckDigits('DE', '37040044053201300A'), 'no_iban'],
    ['dashes', 'DE89-3704-0044-0532-0130-00', 'no_iban'],
    ['an account number', '0532013000', 'no_iban'],
    ['words', 'my account', 'no_iban'],
    ['nothing', ' ', 'no_iban'],
  ])('finds %s: %j', (_, text, fault) => expect(ibanFault(text)).toBe(fault));

  it('finds nothing exactly where an IBAN can be read', () => {
    const near = fc.stringMatching(/^[DN][EL]\d{2}(?:\d{18}|[A-Z]{4}\d{10}|[A-Z\d]{4,30})$/);
    const right = fc.constantFrom(...SEPA_IBANS, ...OTHER_IBANS).map(printedIban);
    fc.assert(
      fc.property(fc.oneof(fc.string(), near, right), (text) => {
        expect(ibanFault(text) === null).toBe(readIban(text) !== null);
      }),
    );
  });
});

describe(readBic.name, () => {
  it.each([
    ['COBADEFF', 'COBADEFF'],
    ['deutdeff500', 'DEUTDEFF500'],
    [' INGB NL 2A ', 'INGBNL2A'],
    ['BPOTBEB1XXX', 'BPOTBEB1XXX'],
    ['NCBVXKPR', 'NCBVXKPR'],
  ])('reads %j', (text, bic) => expect(readBic(text)).toBe(bic));

  it.each([
    ['nothing', ''],
    ['too short', 'COBADEF'],
    ['nine characters', 'COBADEFFX'],
    ['ten characters', 'COBADEFFXX'],
    ['twelve characters', 'COBADEFFXXXX'],
    ['a digit in the bank', 'C0BADEFF'],
    ['a digit in the country', 'COBAD1FF'],
    ['a country that is none', 'COBAZZFF'],
    ['a place that none of the schemas takes', 'COBADE0F'],
    ['a letter that turns into two', 'COBADEß'],
    ['dashes', 'COBA-DE-FF'],
  ])('refuses %s: %j', (_, text) => expect(readBic(text)).toBeNull());
});

describe(printedIban.name, () => {
  it.each([
    ['NO9386011117947', 'NO93 8601 1117 947'],
    ['BE68539007547034', 'BE68 5390 0754 7034'],
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
  ])('groups %s', (iban, printed) => expect(printedIban(iban)).toBe(printed));
});

describe(isSepaIban.name, () => {
  it('knows the 41 countries, and Gibraltar', () => {
    expect(SEPA_IBANS).toHaveLength(42);
    expect(SEPA_IBANS.filter((iban) => !isSepaIban(iban))).toEqual([]);
  });

  it('knows who is none of them', () => {
    expect(OTHER_IBANS.filter(isSepaIban)).toEqual([]);
  });
});
