import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../common/locale.js';
import { REFUND_PAGE_MESSAGES } from './messages.js';

/** Every text with its path, so that two languages can be compared. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, each]) => textsOf(each, `${path}/${key}`));
}

const slotsIn = (text: string) => (text.match(/\{\w*\}/g) ?? []).sort();

describe('the languages of the page for a refund', () => {
  const english = new Map(textsOf(REFUND_PAGE_MESSAGES.en));

  it.each(LOCALES)('%s has every text, with the same placeholders', (locale) => {
    const texts = textsOf(REFUND_PAGE_MESSAGES[locale]);
    expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
    for (const [path, text] of texts)
      expect([path, slotsIn(text)]).toEqual([path, slotsIn(english.get(path)!)]);
  });

  it.each(LOCALES.filter((locale) => locale !== 'en'))('%s is translated', (locale) => {
    const same = textsOf(REFUND_PAGE_MESSAGES[locale]).filter(
      ([path, text]) => path !== '/iban' && english.get(path) === text,
    );
    expect(same).toEqual([]);
  });
});
