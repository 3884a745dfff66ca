import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  IDEMPOTENCY_KEY_LENGTH_MAX,
  InvalidIdempotencyKeyError,
  parseIdempotencyKey,
} from './idempotency-key.js';

const LONGEST = 'k'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX);

describe('parseIdempotencyKey', () => {
  it('is undefined without the header', () => {
    expect(parseIdempotencyKey(undefined)).toBeUndefined();
  });

  it.each([
    ['abc', 'abc'],
    ['"abc"', 'abc'],
    ['a', 'a'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['a b!~', 'a b!~'],
    ['a,b', 'a,b'],
    ['"a, b"', 'a, b'],
    ['say "hi"', 'say "hi"'],
    ['back\\slash', 'back\\slash'],
    ['"say \\"hi\\""', 'say "hi"'],
    ['"back\\\\slash"', 'back\\slash'],
    ['"\\\\\\""', '\\"'],
    [LONGEST, LONGEST],
    [`"${LONGEST}"`, LONGEST],
    [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('reads %s', (header, key) => {
    expect(parseIdempotencyKey(header)).toBe(key);
  });

  it.each([
    ['', 'empty'],
    ['""', 'empty'],
    [`${LONGEST}k`, 'at most 255'],
    [`"${LONGEST}k"`, 'at most 255'],
    ['schlüssel', 'printable ASCII'],
    ['"schlüssel"', 'printable ASCII'],
    ['a\tb', 'printable ASCII'],
    ['a\nb', 'printable ASCII'],
    ['a\n', 'printable ASCII'],
    ['a\u007f', 'printable ASCII'],
    ['\0', 'printable ASCII'],
    ['"', 'quoted'],
    ['"abc', 'quoted'],
    ['"abc"\n', 'quoted'],
    ['"a"b"', 'quoted'],
    ['"a\\b"', 'quoted'],
    ['"abc\\"', 'quoted'],
    ['"abc";version=1', 'quoted'],
    ['"a", "b"', 'quoted'],
    ['a, b', 'once'],
    ['a, a', 'once'],
    [[], 'once'],
    [['a'], 'once'],
    [['a', 'b'], 'once'],
  ])('refuses %j', (header, message) => {
    expect(() => parseIdempotencyKey(header)).toThrow(InvalidIdempotencyKeyError);
    expect(() => parseIdempotencyKey(header)).toThrow(message);
  });

  it('reads every printable key from its quoted form', () => {
    const key = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 });
    fc.assert(
      fc.property(key, (text) => {
        expect(parseIdempotencyKey(`"${text.replace(/["\\]/g, '\\$&')}"`)).toBe(text);
      }),
    );
  });
});
