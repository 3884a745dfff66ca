import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX, MalformedJsonError, parseJson } from './strict-json.js';

function reasonOf(body: string | Buffer): string | undefined {
  try {
    parseJson(Buffer.from(body as string));
  } catch (error) {
    if (error instanceof MalformedJsonError) return error.reason;
    throw error;
  }
  return undefined;
}

const hasManyValues = (text: string): boolean => text.split(',').length >= JSON_VALUES_MAX;

describe('parseJson', () => {
  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}'],
    [' \t\r\n{ "a" : [ ] } '],
    ['{"text":"a:b \\" {[ : \\\\","x":"\\\\"}'],
    ['{"":1}'],
    ['"__proto__"'],
    ['{"a":"__proto__"}'],
    ['{"proto":1,"__proto":2}'],
    ['[]'],
    ['null'],
    ['-1.5e3'],
    ['"\\ud83c\\udf4f 🍏"'],
  ])('reads %s', (text) => {
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each([
    ['nothing', '', 'empty'],
    ['white space alone', ' \n', 'syntax'],
    ['half an object', '{"a":1', 'syntax'],
    ['an open string', '"abc', 'syntax'],
    ['an escape at the end', '"abc\\', 'syntax'],
    ['a comma too many', '{"a":1,}', 'syntax'],
    ['two values', '{}{}', 'syntax'],
    ['single quotes', "{'a':1}", 'syntax'],
    ['a comment', '{"a":1/* : */}', 'syntax'],
    ['NaN', 'NaN', 'syntax'],
    ['a raw line feed in a string', '"a\nb"', 'syntax'],
    ['closing without opening', ']'.repeat(50), 'syntax'],
    ['a byte order mark', '\ufeff{}', 'syntax'],
    ['a byte that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not_utf8'],
    ['an overlong sequence', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'not_utf8'],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not_utf8'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le').fill(0xd8, 1, 2), 'not_utf8'],
    ['a key twice', '{"amount":1,"amount":2}', 'duplicate_key'],
    ['a key twice with equal values', '{"amount":1,"amount":1}', 'duplicate_key'],
    ['a key twice, once escaped', '{"amount":1,"\\u0061mount":2}', 'duplicate_key'],
    ['a key twice, deep', '[{"a":{"b":1,"c":2,"b":3}}]', 'duplicate_key'],
    ['a number key twice', '{"1":1,"1":2}', 'duplicate_key'],
    ['an empty key twice', '{"":1,"":2}', 'duplicate_key'],
    ['a subtree dropped by its twin', '{"a":{"x":1,"y":2},"a":{}}', 'duplicate_key'],
    ['__proto__', '{"__proto__":{"admin":true}}', 'forbidden_key'],
    ['__proto__, deep', '{"a":[{"__proto__":1}]}', 'forbidden_key'],
    ['__proto__, escaped', '{"\\u005f_proto__":1}', 'forbidden_key'],
  ])('refuses %s', (_, body, reason) => {
    expect(reasonOf(body)).toBe(reason);
  });

  it('keeps other names of Object.prototype as plain data', () => {
    const value = parseJson(Buffer.from('{"constructor":"a","toString":"b","prototype":{}}'));
    expect(Object.entries(value as object)).toEqual([
      ['constructor', 'a'],
      ['toString', 'b'],
      ['prototype', {}],
    ]);
    expect(Object.hasOwn(parseJson(Buffer.from('{}')) as object, 'toString')).toBe(false);
  });

  it('names the reason in the message, and no part of the body', () => {
    expect(() => parseJson(Buffer.from('{"secret"'))).toThrow('malformed JSON: syntax');
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('reads %s as deep as the limit and no deeper', (_, open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}[]${close.repeat(depth)}`;
    expect(reasonOf(nested(JSON_DEPTH_MAX - 1))).toBeUndefined();
    expect(reasonOf(nested(JSON_DEPTH_MAX))).toBe('too_deep');
    expect(reasonOf(nested(20_000))).toBe('too_deep');
    expect(reasonOf(open.repeat(20_000))).toBe('too_deep');
  });

  it.each([
    [
      'members',
      (n: number) => JSON.stringify(Object.fromEntries(Array<number>(n).fill(1).entries())),
    ],
    ['members of a member', (n: number) => `{"a":${JSON.stringify(Array(n).fill({ b: 1 }))}}`],
    ['entries', (n: number) => JSON.stringify(Array(n).fill(','))],
  ])('reads so many %s and no more, of whatever is between them', (_, bodyOf) => {
    const text = bodyOf(JSON_VALUES_MAX);
    expect(reasonOf(text)).toBeUndefined();
    expect(reasonOf(bodyOf(JSON_VALUES_MAX + 1))).toBe('too_many_values');
    expect(reasonOf(bodyOf(4_000))).toBe('too_many_values');
  });

  it('says so before anything is made of a body, even one that is no JSON', () => {
    const parse = jest.spyOn(JSON, 'parse');
    expect(reasonOf(`[${'1,'.repeat(30_000)}`)).toBe('too_many_values');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('does not add up the depths of neighbours', () => {
    expect(reasonOf(JSON.stringify(Array(150).fill([{}])))).toBeUndefined();
  });

  it('does not count brackets in a string', () => {
    expect(reasonOf(JSON.stringify('['.repeat(1000)))).toBeUndefined();
    expect(reasonOf(JSON.stringify(['"', '\\', '{'.repeat(1000)]))).toBeUndefined();
  });

  it('reads back every value that JSON can write', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }),
        fc.nat(4),
        (value, indent) => {
          const text = JSON.stringify(value, undefined, indent);
          fc.pre(!text.includes('"__proto__"') && !hasManyValues(text));
          expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('refuses every object that gets one of its keys again', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(object, fc.nat(), fc.jsonValue(), (value, pick, other) => {
        fc.pre(!JSON.stringify([value, other]).includes('"__proto__"'));
        const keys = Object.keys(value);
        fc.pre(!hasManyValues(JSON.stringify([value, other])));
        const again = JSON.stringify({ [keys[pick % keys.length] ?? '']: other }).slice(1);
        expect(reasonOf(`${JSON.stringify(value).slice(0, -1)},${again}`)).toBe('duplicate_key');
      }),
    );
  });

  it('answers any bytes with a value or a MalformedJsonError', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        reasonOf(Buffer.from(bytes));
      }),
    );
  });
});
