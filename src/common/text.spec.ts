import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textProblem } from './text.js';

const LIMITS = { min: 1, max: 5 };
const NOTE = { max: 100, lines: true };

describe('textProblem', () => {
  it.each([
    ['plain', 'abc'],
    ['the shortest', 'a'],
    ['the longest', 'abcde'],
    ['code points, not code units', '🍏🍏🍏🍏🍏'],
    ['right to left', 'שלום'],
    ['separators that are not controls', 'a\u2028b\u2029'],
    ['a direction mark', 'a\u200f'],
    ['white space', '   '],
    ['markup', '<b>'],
  ])('accepts %s', (_, text) => {
    expect(textProblem(text, LIMITS)).toBeUndefined();
  });

  it.each([
    ['nothing', undefined, 'not_text'],
    ['null', null, 'not_text'],
    ['a number', 5, 'not_text'],
    ['a list', ['a'], 'not_text'],
    ['a boxed string', new String('abc'), 'not_text'],
    ['the empty text', '', 'too_short'],
    ['six characters', 'abcdef', 'too_long'],
    ['six apples', '🍏🍏🍏🍏🍏🍏', 'too_long'],
    ['five apples and a letter', '🍏🍏🍏🍏🍏a', 'too_long'],
    ['a very long text', 'a'.repeat(1_000_000), 'too_long'],
    ['NUL', 'a\0b', 'control_character'],
    ['a line feed', 'a\nb', 'control_character'],
    ['a tab', 'a\tb', 'control_character'],
    ['escape', '\u001b[1m', 'control_character'],
    ['DEL', '\u007f', 'control_character'],
    ['the first of C1', '\u0080', 'control_character'],
    ['the last of C1', '\u009f', 'control_character'],
    ['half of a pair, first', 'a\ud800', 'not_well_formed'],
    ['half of a pair, second', '\udc00a', 'not_well_formed'],
    ['a pair the wrong way round', '\udc00\ud800', 'not_well_formed'],
  ])('refuses %s', (_, value, problem) => {
    expect(textProblem(value, LIMITS)).toBe(problem);
  });

  it.each([
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ])('refuses a name with the mark of direction %j, and no other text', (mark) => {
    expect(textProblem(`a${mark}b`, { ...LIMITS, name: true })).toBe('control_character');
    expect(textProblem(`a${mark}b`, LIMITS)).toBeUndefined();
  });

  it('accepts names in every script', () => {
    for (const name of ['متجر المصابيح', 'חנות', '👩‍👩‍👧 e\u0301', 'क्षेत्र', 'ZWNJ\u200cx']) {
      expect(textProblem(name, { max: 20, name: true })).toBeUndefined();
    }
  });

  it('counts a minimum in code points too', () => {
    expect(textProblem('🍏', { min: 2, max: 5 })).toBe('too_short');
    expect(textProblem('🍏🍏', { min: 2, max: 5 })).toBeUndefined();
  });

  it('accepts the empty text without a minimum', () => {
    expect(textProblem('', { max: 5 })).toBeUndefined();
  });

  it('accepts line ends and tabs, and no other control, where lines are allowed', () => {
    expect(textProblem('one\r\n\ttwo\n', NOTE)).toBeUndefined();
    for (const control of ['\0', '\u0008', '\u000b', '\u000c', '\u001b', '\u007f', '\u0085']) {
      expect(textProblem(`a${control}`, NOTE)).toBe('control_character');
    }
  });

  it('finds every control character, and none where there is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const hasControl = [...text].some((character) => {
          const code = character.codePointAt(0) ?? 0;
          return code < 0x20 || (code >= 0x7f && code <= 0x9f);
        });
        const problem = textProblem(text, { max: 1000 });
        expect(problem).toBe(hasControl ? 'control_character' : undefined);
      }),
    );
  });

  it('counts as many characters as a reader of code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { length } = [...text];
        expect(textProblem(text, { min: length, max: length })).toBeUndefined();
        expect(textProblem(text, { min: length + 1, max: length + 9 })).toBe('too_short');
        if (length > 0) expect(textProblem(text, { max: length - 1 })).toBe('too_long');
      }),
    );
  });
});
