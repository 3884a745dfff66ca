import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../http/problems/problem.js';
import { Amount, fieldType, OPTIONAL, Nested, Text } from './fields.js';
import { FIELD_ERRORS_MAX, parse } from './parse.js';
import { type Fault, GroupRule, pointerStep, Validate } from './rules.js';
import { beforeVersion } from './versions/rule-groups.js';

const isShort = (value: unknown): Fault | undefined =>
  String(value).length < 4 ? undefined : { code: 'too_long', detail: 'Too long.' };
const areWords = (value: unknown): Fault[] =>
  Object.entries(value as object).flatMap(([key, member]) =>
    typeof member === 'string'
      ? []
      : [{ code: 'wrong_type', detail: 'Not a word.', at: pointerStep(key) }],
  );

const Word = fieldType({ type: 'string' }, GroupRule('strict', isShort));
const Words = fieldType({ type: 'object' }, Validate(areWords));

class Inner {
  @Text({ max: 9 }, OPTIONAL)
  name?: string;
}

class Outer {
  @Text({ max: 9 }, OPTIONAL)
  text?: string;

  @Word(OPTIONAL)
  word?: string;

  @Words(OPTIONAL)
  words?: Record<string, string>;

  @Nested(Inner, OPTIONAL)
  inner?: Inner;

  @Amount(OPTIONAL)
  amount?: number;

  @Amount({ optional: true, orNull: true })
  limit?: number | null;

  @Text({ optional: true, since: '1.2' })
  late?: string;
}

class Strict {
  @Amount()
  amount: number;
}

function faultsOf(body: unknown, groups: string[] = []): string[] {
  try {
    parse(Outer, body, groups);
    return [];
  } catch (error) {
    const { code, errors = [] } = error as Problem;
    expect(code).toBe('validation_failed');
    return errors.map((fault) => `${fault.pointer} ${fault.code}`);
  }
}

describe(parse.name, () => {
  it('gives an object of the class', () => {
    const parsed = parse(Outer, { word: 'x', words: { a: 'b' }, inner: { name: 'y' } });
    expect(parsed).toBeInstanceOf(Outer);
    expect(parsed.inner).toBeInstanceOf(Inner);
    expect(parsed).toMatchObject({ word: 'x', words: { a: 'b' }, inner: { name: 'y' } });
  });

  it.each([null, 'text', 5, true, [], [{}]])('refuses %j as a body', (body) => {
    expect(faultsOf(body)).toEqual([' wrong_type']);
  });

  it('names every bad field at once', () => {
    const body = { text: 1, words: { 'a/b~c': 1, d: 'e' }, inner: { name: 2, age: 3 }, more: 4 };
    expect(faultsOf(body).toSorted()).toEqual([
      '/inner/age unknown_member',
      '/inner/name wrong_type',
      '/more unknown_member',
      '/text wrong_type',
      '/words/a~1b~0c wrong_type',
    ]);
  });

  it.each([5, 'text', true, [], [{ name: 'x' }], [null]])('refuses %j for an object', (inner) => {
    expect(faultsOf({ inner })).toEqual(['/inner wrong_type']);
  });

  it('takes null for a member that is missing, but where null is a value', () => {
    expect(parse(Outer, { inner: null })).toStrictEqual(parse(Outer, {}));
    expect(parse(Outer, { limit: null }).limit).toBeNull();
  });

  it('asks for what is required', () => {
    expect(() => parse(Strict, {})).toThrow(
      expect.objectContaining({
        errors: [{ pointer: '/amount', code: 'required', detail: 'This field is required.' }],
      }),
    );
  });

  it.each([
    ['text', 'wrong_type'],
    [0, 'out_of_range'],
    [1.5, 'out_of_range'],
    [1e11, 'out_of_range'],
    [Infinity, 'out_of_range'],
  ])('says one thing about an amount of %p', (amount, code) => {
    expect(faultsOf({ amount })).toEqual([`/amount ${code}`]);
  });

  it('refuses a field that came with a later version, whatever is in it', () => {
    expect(faultsOf({ late: 'x' })).toEqual([]);
    expect(faultsOf({ late: 5 }, [beforeVersion('1.2')])).toEqual([
      '/late field_not_in_this_version',
      '/late wrong_type',
    ]);
  });

  it('applies the rules of a group to requests of that group only', () => {
    expect(faultsOf({ word: 'long word' })).toEqual([]);
    expect(faultsOf({ word: 'long word' }, ['other'])).toEqual([]);
    expect(faultsOf({ word: 'long word' }, ['strict'])).toEqual(['/word too_long']);
  });

  it.each(['toString', 'constructor', 'hasOwnProperty'])('knows no member %s', (name) => {
    expect(faultsOf({ [name]: 'x' })).toEqual([`/${name} unknown_member`]);
  });

  it('lists at most twenty', () => {
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`m${n}`, 1]));
    expect(FIELD_ERRORS_MAX).toBe(20);
    expect(faultsOf(body)).toHaveLength(20);
  });
});
