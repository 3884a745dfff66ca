import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { containsCardNumber } from './card-number.js';

const CARDS = [
  ['Visa', '4242424242424242'],
  ['Visa', '4111111111111111'],
  ['Visa, 19 digits', '4000000000000000006'],
  ['Mastercard', '5555555555554444'],
  ['Mastercard, 2-series', '2223003122003222'],
  ['Mastercard, lowest of the 2-series', '2221000000000009'],
  ['Mastercard, highest of the 2-series', '2720992593319364'],
  ['American Express', '378282246310005'],
  ['American Express', '341111111111111'],
  ['Discover', '6011111111111117'],
  ['Discover', '6500000000000002'],
  ['Discover', '6445644564456445'],
  ['Diners Club, 14 digits', '36227206271667'],
  ['Diners Club, 14 digits', '30569309025904'],
  ['Diners Club, 14 digits', '38520000023237'],
  ['Diners Club, 16 digits', '3056930009020004'],
  ['JCB', '3566002020360505'],
  ['JCB', '3530111333300000'],
  ['UnionPay', '6200000000000005'],
  ['UnionPay, 19 digits', '6205500000000000004'],
  ['Maestro', '6759649826438453'],
] as const;

/** Appends the digit that makes a number Luhn-valid. */
function withCheckDigit(digits: string): string {
  let sum = 0;
  for (const [i, digit] of [...digits].reverse().entries()) {
    const weighted = Number(digit) * (i % 2 === 0 ? 2 : 1);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return digits + String((10 - (sum % 10)) % 10);
}

function ean13(twelve: string): string {
  const sum = [...twelve].reduce((s, digit, i) => s + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return twelve + String((10 - (sum % 10)) % 10);
}

function digits(length: number): fc.Arbitrary<string> {
  const digit = fc.constantFrom(...'0123456789');
  return fc.array(digit, { minLength: length, maxLength: length }).map((all) => all.join(''));
}

describe('containsCardNumber', () => {
  it.each(CARDS)('finds a %s number: %s', (_, number) => {
    expect(containsCardNumber(number)).toBe(true);
    expect(containsCardNumber(`card:${number}, thanks`)).toBe(true);
    expect(containsCardNumber(number.slice(0, -1))).toBe(false);
    expect(containsCardNumber(`${number}0123456`)).toBe(false);
    expect(containsCardNumber(`0000000${number}`)).toBe(false);
  });

  it.each(CARDS)('lets a %s number with a wrong last digit pass: %s', (_, number) => {
    const wrong = (Number(number.at(-1)) + 1) % 10;
    expect(containsCardNumber(number.slice(0, -1) + String(wrong))).toBe(false);
  });

  it.each([
    ['spaces', '4242 4242 4242 4242'],
    ['dashes', '4242-4242-4242-4242'],
    ['4-6-5', '3782 822463 10005'],
    ['4-6-5 with dashes', '3782-822463-10005'],
    ['4-6-4', '3622 720627 1667'],
    ['4-4-4-4-3', '6205 5000 0000 0000 004'],
    ['no-break spaces', '4242\u00a04242\u00a04242\u00a04242'],
    ['a code behind', '4242 4242 4242 4242 123'],
    ['a date behind', '4242 4242 4242 4242 12/29'],
    ['a year behind', '4242 4242 4242 4242 2029'],
    ['an order number in front', 'order 1001 4242 4242 4242 4242'],
    ['a small number in front', '2 4242 4242 4242 4242'],
    ['a plain number, then a date', '4242424242424242 12/29 123'],
    ['letters around', 'pan4242424242424242cvc'],
    ['full-width digits', '４２４２４２４２４２４２４２４２'],
    ['Arabic digits', '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢'],
    ['Persian digits', '۴۲۴۲۴۲۴۲۴۲۴۲۴۲۴۲'],
    ['an IBAN in front', 'DE89370400440532013000 or 4242424242424242'],
    ['what only looks like an IBAN', 'CC42 4242 4242 4242 4242'],
    ['other numbers in front', '2026-03-01 #12345 49015420 3237518 5555555555554444'],
    ['lines', 'first\n4242424242424242\nlast'],
  ])('finds a number with %s', (_, text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['words', 'Two tickets, row 4'],
    ['an EAN-13 that is Luhn-valid', '4222222222222'],
    ['a German IBAN', 'DE89370400440532013000'],
    ['a German IBAN in groups', 'DE89 3704 0044 0532 0130 00'],
    ['an IBAN before a word', 'IBAN DE89 3704 0044 0532 0130 00 please'],
    ['a Danish IBAN whose digits are a Visa number', 'DK4600400440116315'],
    ['a British IBAN whose digits are a Diners Club number', 'GB22LOYD30000012345009'],
    ['a Spanish IBAN that has a Visa number in its groups', 'ES75 4900 0000 1845 0018 0000'],
    ['a Polish account that has a Mastercard number in it', '61 2490 1014 0000 0708 1981 2874'],
    ['an IMEI, which is Luhn-valid', '490154203237518'],
    ['a SIM number, which is Luhn-valid', '8944110064510247135'],
    ['a phone number', '+49 170 1234567'],
    ['a phone number with dashes', '+1-555-123-4567'],
    ['milliseconds', '1767225600000'],
    ['microseconds', '1767225600000000'],
    ['nanoseconds', '1767225600000000000'],
    ['a date and time in one', '20260301123456789'],
    ['a UUID', '01942424-4242-7242-8242-424242424242'],
    ['a marketplace order number', '305-1234567-1234567'],
    ['double spaces', '4242  4242  4242  4242'],
    ['mixed separators', '4242 4242-4242 4242'],
    ['mixed separators in 4-6-5', '3782 822463-10005'],
    ['a number just below those of JCB', '3527000000000008'],
    ['a number just above those of JCB', '3590000000000000'],
    ['a number of a prefix nobody issues', '9999999999999995'],
    ['zeros', '0000000000000000'],
  ])('lets %s pass', (_, text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it.each(['5018', '5020', '5038', '5893', '6304', '6759', '6761', '6762', '6763'])(
    'finds a Maestro number that begins with %s',
    (prefix) => {
      expect(containsCardNumber(withCheckDigit(prefix.padEnd(15, '7')))).toBe(true);
    },
  );

  it('lets every EAN-13 pass', () => {
    fc.assert(
      fc.property(digits(12), (twelve) => {
        expect(containsCardNumber(`Item ${ean13(twelve)}`)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('lets every invoice number pass that begins with its year', () => {
    const year = fc.integer({ min: 1990, max: 2099 });
    const number = fc.integer({ min: 4, max: 15 }).chain(digits);
    fc.assert(
      fc.property(year, number, (prefix, rest) => {
        expect(containsCardNumber(`RE${prefix}${rest}`)).toBe(false);
        expect(containsCardNumber(`Invoice ${prefix}-${rest.slice(0, 9)}`)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds every Visa number, plain or grouped, and no number with one digit changed', () => {
    const change = fc.record({ at: fc.nat(15), by: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(digits(14), change, (middle, { at, by }) => {
        const number = withCheckDigit(`4${middle}`);
        const changed = String((Number(number[at]) + by) % 10);
        expect(containsCardNumber(number)).toBe(true);
        expect(containsCardNumber(number.replace(/(\d{4})(?=\d)/g, '$1 '))).toBe(true);
        expect(containsCardNumber(number.slice(0, at) + changed + number.slice(at + 1))).toBe(
          false,
        );
      }),
    );
  });

  it('answers at once whatever the text', () => {
    const started = performance.now();
    for (const text of ['4242 '.repeat(13_000), '4'.repeat(65_000), 'AA00'.repeat(16_000)]) {
      containsCardNumber(text);
    }
    expect(performance.now() - started).toBeLessThan(500);
  });
});
