import { describe, expect, it } from '@jest/globals';
import { CURRENCY_CODES, currencyExponent, isCurrency } from './currencies.js';

const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(
  ' ',
);
const WITH_THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

describe('currencies', () => {
  it('lists each code once, in order, as three capital letters', () => {
    expect(CURRENCY_CODES).toHaveLength(155);
    expect([...new Set(CURRENCY_CODES)].sort()).toEqual(CURRENCY_CODES);
    for (const code of CURRENCY_CODES) expect(code).toMatch(/^[A-Z]{3}$/);
  });

  it.each(WITHOUT_DECIMALS)('%s has no decimals', (code) => {
    expect(currencyExponent(code)).toBe(0);
  });

  it.each(WITH_THREE_DECIMALS)('%s has three decimals', (code) => {
    expect(currencyExponent(code)).toBe(3);
  });

  it('gives every other currency two decimals', () => {
    const others = CURRENCY_CODES.filter(
      (code) => !WITHOUT_DECIMALS.includes(code) && !WITH_THREE_DECIMALS.includes(code),
    );
    expect(new Set(others.map(currencyExponent))).toEqual(new Set([2]));
  });

  it.each(['EUR', 'USD', 'GBP', 'MRU', 'MGA', 'SLE', 'VED', 'VES', 'XCG', 'XCD', 'ZWG', 'KGS'])(
    'knows %s',
    (code) => {
      expect(isCurrency(code)).toBe(true);
    },
  );

  it.each([
    ['withdrawn', ['ANG', 'BGN', 'BYR', 'CUC', 'DEM', 'HRK', 'MRO', 'SLL', 'STD', 'VEF', 'ZWL']],
    ['metals', ['XAG', 'XAU', 'XPD', 'XPT']],
    ['funds and units of account', ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']],
    ['bond and settlement units', ['XAD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA']],
    ['no money at all', ['XTS', 'XXX']],
    ['not a code', ['', 'eur', 'EUR ', 'EURO', 'BTC', 'toString', 'constructor', '__proto__']],
  ])('refuses %s', (_, codes) => {
    for (const code of codes) {
      expect(isCurrency(code)).toBe(false);
      expect(currencyExponent(code)).toBeUndefined();
    }
  });

  it.each([undefined, null, 978, ['EUR'], {}])('refuses %p', (value) => {
    expect(isCurrency(value)).toBe(false);
  });
});
