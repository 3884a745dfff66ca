import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../common/locale.js';
import { declineText, MESSAGES } from './messages.js';

/** Every text with its path, so that two languages can be held side by side. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, each]) => textsOf(each, `${path}/${key}`));
}

const slotsIn = (text: string) => (text.match(/\{\w*\}/g) ?? []).sort();

describe('the languages', () => {
  const english = new Map(textsOf(MESSAGES.en));

  it.each(LOCALES)('%s says everything, with the same words to fill in', (locale) => {
    const texts = textsOf(MESSAGES[locale]);
    expect(texts.map(([path]) => path)).toEqual([...english.keys()]);
    for (const [path, text] of texts) {
      const same = english.get(path) ?? '';
      expect([path, text === '']).toEqual([path, same === '']);
      expect([path, slotsIn(text)]).toEqual([path, slotsIn(same)]);
      expect(text).toBe(text.trim());
    }
  });

  it.each(LOCALES.filter((locale) => locale !== 'en'))('%s is translated', (locale) => {
    const untranslated = textsOf(MESSAGES[locale]).filter(
      ([path, text]) => text !== '' && english.get(path) === text,
    );
    expect(untranslated).toEqual([]);
  });
});

describe(declineText.name, () => {
  it('falls back to a plain refusal', () => {
    const { declines } = MESSAGES.en;
    expect(declineText(MESSAGES.en, 'timeout')).toBe(declines.timeout);
    expect(declineText(MESSAGES.en, 'fraud_suspected')).toBe(declines.declined);
    expect(declineText(MESSAGES.en, 'constructor')).toBe(declines.declined);
  });
});
