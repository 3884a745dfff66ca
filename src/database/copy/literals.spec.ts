import { describe, expect, it } from '@jest/globals';
import { literal, withLiterals } from './literals.js';

describe('literals', () => {
  it.each([
    ['plain', `'plain'`],
    [`O'Brien`, `'O''Brien'`],
    [`'; DROP TABLE orders; --`, `'''; DROP TABLE orders; --'`],
    [`\\'; DROP TABLE orders; --`, ` E'\\\\''; DROP TABLE orders; --'`],
    ['$1 $$ $2', `'$1 $$ $2'`],
    ['', `''`],
    [null, 'NULL'],
    [undefined, 'NULL'],
    [-5, `'-5'`],
    [99_999_999_999, `'99999999999'`],
    [12n, `'12'`],
    [true, `'true'`],
    [new Date('2026-11-20T13:21:07.250Z'), `'2026-11-20T13:21:07.250Z'`],
    [[], `'{}'`],
    [['paid', 'open'], `'{"paid","open"}'`],
    [
      [`a"b`, `c\\d`, `e'f`, `g,h`, '{i}', null],
      ` E'{"a\\\\"b","c\\\\\\\\d","e''f","g,h","{i}",NULL}'`,
    ],
  ])('writes %p', (value, sql) => {
    expect(literal(value)).toBe(sql);
  });

  it.each([[NaN], [Infinity], ['a\0b'], [{ a: 1 }], [[['nested']]], [() => 1]])(
    'refuses %p',
    (value) => {
      expect(() => literal(value)).toThrow(RangeError);
    },
  );

  it('puts every value into its place, and none into another', () => {
    const values = ['$2', `x' OR '1'='1`, ...Array.from({ length: 8 }, (_, n) => n)];
    expect(withLiterals({ text: 'a = $1 AND b = $2 AND c = $10 AND d = $1', values })).toBe(
      `a = '$2' AND b = 'x'' OR ''1''=''1' AND c = '7' AND d = '$2'`,
    );
  });

  it('refuses a place without a value', () => {
    expect(() => withLiterals({ text: 'a = $2', values: ['x'] })).toThrow(RangeError);
    expect(() => withLiterals({ text: 'a = $0', values: ['x'] })).toThrow(RangeError);
  });
});
