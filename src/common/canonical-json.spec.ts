import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, contentHash } from './canonical-json.js';

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(entries.toReversed());
}

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] }, '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}'],
    [{ 10: 'a', 9: 'b', '-': 'c' }, '{"-":"c","10":"a","9":"b"}'],
    [{ é: 1, z: 2, Z: 3 }, '{"Z":3,"z":2,"é":1}'],
    [{ '\ufb33': 1, '😀': 2 }, '{"😀":2,"\ufb33":1}'],
    [{ a: undefined, b: null }, '{"b":null}'],
    [[undefined, 1], '[null,1]'],
    [{ toJSON: 'plain data', a: 1 }, '{"a":1,"toJSON":"plain data"}'],
    [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a "quoted"\n\ud800', '"a \\"quoted\\"\\n\\ud800"'],
    [-0, '0'],
    [1e21, '1e+21'],
    [[], '[]'],
    [{}, '{}'],
    [null, 'null'],
    [true, 'true'],
  ])('writes %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('keeps the order of a list', () => {
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
  });

  it('does not depend on the order of keys, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('contentHash', () => {
  it('is the SHA-256 of the canonical text', () => {
    const expected = createHash('sha256').update('{"a":2,"b":"é"}').digest();
    expect(contentHash({ b: 'é', a: 2 })).toEqual(expected);
  });

  it('differs for different content', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const equal = canonicalJson(a) === canonicalJson(b);
        expect(contentHash(a).equals(contentHash(b))).toBe(equal);
      }),
    );
  });
});
