import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isLocaleTag, LOCALE_TAG_LENGTH_MAX, LOCALE_TAG_PATTERN } from './locale-tag.js';

const LONG = 'de-x-' + 'abcdefgh-'.repeat(3) + 'abc';

describe('isLocaleTag', () => {
  it.each([
    'de',
    'EN',
    'en-us',
    'pt-BR',
    'zh-Hant-TW',
    'es-419',
    'sl-rozaj',
    'de-u-co-phonebk',
    'en-US-u-hc-h12',
    'de-1996',
    'en-a-bbb-x-a-ccc',
    LONG,
  ])('accepts %s', (tag) => {
    expect(isLocaleTag(tag)).toBe(true);
    expect(tag).toMatch(new RegExp(LOCALE_TAG_PATTERN));
  });

  it.each([
    '',
    'd',
    'de_DE',
    'de-',
    '-de',
    'de--DE',
    'de DE',
    ' de',
    'de\n',
    'de-DE.UTF-8',
    'dé',
    'ｄｅ',
    'languages-de',
    'C',
    '*',
    `${LONG}-a`.padEnd(LOCALE_TAG_LENGTH_MAX + 1, 'b'),
    undefined,
    null,
    7,
    ['de', 'en'],
    ['de'],
    {},
  ])('refuses %p', (tag) => {
    expect(isLocaleTag(tag)).toBe(false);
  });

  it('has a pattern that every tag of any parts is of', () => {
    const letters = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/);
    const parts = fc.array(fc.oneof(fc.constantFrom('de', 'zh', 'Hant', 'u', 'x', '419'), letters));
    fc.assert(
      fc.property(parts, (some) => {
        const tag = ['de', ...some].join('-');
        fc.pre(isLocaleTag(tag));
        expect(tag).toMatch(new RegExp(LOCALE_TAG_PATTERN));
      }),
      { numRuns: 500 },
    );
  });

  it('reaches the limit with the long example', () => {
    expect(LONG).toHaveLength(LOCALE_TAG_LENGTH_MAX);
  });
});
