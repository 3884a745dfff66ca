import { describe, expect, it } from '@jest/globals';
import { choicesOf, limitOf, parameterOf } from './query.js';

const invalid = (detail: RegExp) =>
  expect.objectContaining({ code: 'invalid_parameter', detail: expect.stringMatching(detail) });

const thrown = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error;
  }
};

describe('a query parameter', () => {
  it('may be left out, and stands there once', () => {
    expect(parameterOf({}, 'after')).toBeUndefined();
    expect(parameterOf({ after: '' }, 'after')).toBe('');
    expect(thrown(() => parameterOf({ after: ['a', 'b'] }, 'after'))).toEqual(
      invalid(/`after` must be sent only once/),
    );
  });
});

describe('the limit of a page', () => {
  it.each([
    [undefined, 25],
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('%p is %p', (limit, entries) => {
    expect(limitOf({ limit })).toBe(entries);
  });

  it.each(['', '0', '101', '-1', '1.0', '1e1', ' 1', '+1', '0x10', 'all', '0001'])(
    'is not %p',
    (limit) => {
      expect(thrown(() => limitOf({ limit }))).toEqual(invalid(/a whole number from 1 to 100/));
    },
  );
});

describe('a choice of some', () => {
  const CHOICES = ['red', 'green', 'blue'] as const;

  it.each([
    [undefined, undefined],
    ['green', ['green']],
    ['blue,red', ['red', 'blue']],
    ['red,red', ['red']],
    [
      ['blue', 'red'],
      ['red', 'blue'],
    ],
    [['blue,red', 'green'], CHOICES],
  ])('%p is %p', (colour, chosen) => {
    expect(choicesOf({ colour }, 'colour', CHOICES)).toEqual(chosen);
  });

  it.each([
    '',
    'red,',
    'Red',
    'red green',
    'red,black',
    '__proto__',
    ['red', 'black'],
    ['red', ''],
  ])('is not %p', (colour) => {
    expect(thrown(() => choicesOf({ colour }, 'colour', CHOICES))).toEqual(
      invalid(/`colour` must be some of red, green, blue, separated by commas/),
    );
  });
});
