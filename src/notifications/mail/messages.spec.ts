import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../../common/locale.js';
import { MAIL_MESSAGES } from './messages.js';

/** Every text with its path, so that two languages can be held side by side. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, each]) => textsOf(each, `${path}/${key}`));
}

const slotsIn = (text: string) => (text.match(/\{\w*\}/g) ?? []).sort();

describe('the languages of the mails', () => {
  const english = new Map(textsOf(MAIL_MESSAGES.en));

  it.each(LOCALES)('%s says everything, with the same words to fill in', (locale) => {
    const texts = textsOf(MAIL_MESSAGES[locale]);
    expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
    for (const [path, text] of texts) {
      expect([path, slotsIn(text)]).toEqual([path, slotsIn(english.get(path)!)]);
      expect([path, text]).toEqual([path, text.trim()]);
      expect(text).not.toBe('');
    }
  });

  it.each(LOCALES.filter((locale) => locale !== 'en'))('%s is translated', (locale) => {
    const same = textsOf(MAIL_MESSAGES[locale]).filter(
      ([path, text]) => english.get(path) === text,
    );
    expect(same).toEqual([]);
  });
});
