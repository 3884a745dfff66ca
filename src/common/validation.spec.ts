import { describe, expect, it } from '@jest/globals';
import { IsOptional, ValidateNested } from 'class-validator';
import type { Problem } from './problem.js';
import { type Fault, FIELD_ERRORS_MAX, parseBody, pointerStep, Rule } from './validation.js';

const isWord = (value: unknown): Fault | undefined =>
  typeof value === 'string' ? undefined : { code: 'wrong_type', detail: 'Not a word.' };
const isShort = (value: unknown): Fault | undefined =>
  String(value).length < 4 ? undefined : { code: 'too_long', detail: 'Too long.' };
const areWords = (value: unknown): Fault[] =>
  Object.entries(value as object).flatMap(([key, member]) => {
    const fault = isWord(member);
    return fault ? [{ ...fault, at: pointerStep(key) }] : [];
  });

class Inner {
  @Rule(isWord)
  name = 'none';
}

class Outer {
  static readonly nested = { inner: Inner };

  @Rule(isWord)
  @Rule(isShort, ['strict'])
  word = 'abc';

  @Rule(areWords)
  words: Record<string, string> = {};

  @IsOptional({ always: true })
  @ValidateNested({ always: true })
  inner?: Inner | null = undefined;
}

function faultsOf(body: unknown, groups: string[] = []): string[] {
  try {
    parseBody(Outer, body, groups);
    return [];
  } catch (error) {
    const { code, errors = [] } = error as Problem;
    expect(code).toBe('validation_failed');
    return errors.map((fault) => `${fault.pointer} ${fault.code}`);
  }
}

describe(parseBody.name, () => {
  it('gives an object of the class', () => {
    const parsed = parseBody(Outer, { word: 'x', words: { a: 'b' }, inner: { name: 'y' } });
    expect(parsed).toBeInstanceOf(Outer);
    expect(parsed.inner).toBeInstanceOf(Inner);
    expect(parsed).toMatchObject({ word: 'x', words: { a: 'b' }, inner: { name: 'y' } });
  });

  it.each([null, 'text', 5, true, [], [{}]])('refuses %j as a body', (body) => {
    expect(faultsOf(body)).toEqual([' wrong_type']);
  });

  it('names every bad field at once', () => {
    const body = { word: 1, words: { 'a/b~c': 1, d: 'e' }, inner: { name: 2, age: 3 }, more: 4 };
    expect(faultsOf(body).toSorted()).toEqual([
      '/inner/age unknown_member',
      '/inner/name wrong_type',
      '/more unknown_member',
      '/word wrong_type',
      '/words/a~1b~0c wrong_type',
    ]);
  });

  it.each([5, 'text', true, [], [{ name: 'x' }], [null]])('refuses %j for an object', (inner) => {
    expect(faultsOf({ inner })).toEqual(['/inner wrong_type']);
  });

  it('takes null for a member that is missing', () => {
    expect(parseBody(Outer, { inner: null })).toEqual(parseBody(Outer, {}));
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
