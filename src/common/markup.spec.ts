import { describe, expect, it } from '@jest/globals';
import { fill, selfContained } from './markup.js';

describe(fill.name, () => {
  it('puts parts in the place of their names, and leaves an unknown one empty', () => {
    expect(fill('We received {received} of {amount}.', { received: 1 })).toEqual([
      'We received ',
      1,
      ' of ',
      undefined,
      '.',
    ]);
  });
});

describe(selfContained.name, () => {
  it('drops the marks that turn text around, and nothing else', () => {
    expect(selfContained('a\u2066b\u2067c\u2068d\u2069e')).toBe('abcde');
    expect(selfContained('a\u202ab\u202bc\u202cd\u202de\u202ef')).toBe('abcdef');
    const text = 'متجر \u200fA\u200eB 👨‍👩‍👧';
    expect(selfContained(text)).toBe(text);
  });
});
