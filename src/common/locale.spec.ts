import { describe, expect, it } from '@jest/globals';
import { chooseLocale, LOCALE_FACTS, LOCALES, matchLocale } from './locale.js';

describe(chooseLocale.name, () => {
  const all = { query: 'fr', order: 'de-AT', cookie: 'it', acceptLanguage: 'nl' };

  it('asks the address, the cookie, the order and the browser, in this order', () => {
    expect(chooseLocale(all)).toBe('fr');
    expect(chooseLocale({ ...all, query: undefined })).toBe('it');
    expect(chooseLocale({ ...all, query: undefined, cookie: null })).toBe('de');
    expect(chooseLocale({ acceptLanguage: 'nl' })).toBe('nl');
    expect(chooseLocale({})).toBe('en');
  });

  it('passes over languages that the page does not speak', () => {
    expect(chooseLocale({ query: 'xx', order: 'sv-SE', cookie: '', acceptLanguage: 'fi' })).toBe(
      'en',
    );
    expect(chooseLocale({ query: ['de', 'fr'], order: 'tr' })).toBe('tr');
  });

  it.each([
    ['pl;q=0.4, ar;q=0.9, en;q=0.5', 'ar'],
    ['da, en-GB;q=0.8, es;q=0.9', 'es'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['zh-Hant-TW', 'zh'],
    ['pt-BR,pt;q=0.9', 'pt'],
    ['de;q=x, it;q=0.5', 'de'],
    ['*', 'en'],
    [';;;,,q=1', 'en'],
  ])('reads Accept-Language %j as %s', (acceptLanguage, locale) => {
    expect(chooseLocale({ acceptLanguage })).toBe(locale);
  });
});

describe(matchLocale.name, () => {
  it('knows every language by its own tag, and Hebrew by its old one', () => {
    for (const locale of LOCALES) expect(matchLocale(LOCALE_FACTS[locale].tag)).toBe(locale);
    expect(matchLocale('iw-IL')).toBe('he');
    expect(matchLocale('constructor')).toBeUndefined();
  });
});
