import { describe, expect, it } from '@jest/globals';
import { isLocaleTag, LOCALE_TAG_LENGTH_MAX } from './locale-tag.js';

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
    LONG,
  ])('accepts %s', (tag) => {
    expect(isLocaleTag(tag)).toBe(true);
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

  it('reaches the limit with the long example', () => {
    expect(LONG).toHaveLength(LOCALE_TAG_LENGTH_MAX);
  });
});
