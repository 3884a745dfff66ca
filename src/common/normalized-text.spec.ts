import { describe, expect, it } from '@jest/globals';
import { composedText, normalizedText, upperText } from './normalized-text.js';

/** Becomes four, eighteen and, in capitals, three characters. */
const CALORIES = '\u3389';
const BLESSING = '\ufdfa';
const IOTA = '\u0390';

describe('a normalised text', () => {
  it('has one spelling of each character', () => {
    expect(normalizedText('\uff32\uff26１\ufb01', 10)).toBe('RF1fi');
    expect(upperText('rf ß', 10)).toBe('RF SS');
  });

  it.each([CALORIES, BLESSING, IOTA, 'ß', '\ufb03', 'a'])(
    'is no longer than its limit, of whatever characters (%s)',
    (character) => {
      expect(character.normalize('NFKC').toUpperCase().length).toBeGreaterThanOrEqual(1);
      expect(normalizedText(character.repeat(5_000), 5_000).length).toBeLessThanOrEqual(5_000);
      expect(upperText(character.repeat(5_000), 5_000)).toHaveLength(5_000);
    },
  );

  it('takes no time among thousands of accents', () => {
    const accents = '\u0301'.repeat(40_000) + '\u0316'.repeat(40_000);
    const kana = '\u0345\uff9e'.repeat(20_000) + '\u0345\uff9f'.repeat(20_000);
    const start = performance.now();
    expect(normalizedText(`${kana}1`, 80_000).endsWith('1')).toBe(true);
    expect(normalizedText(`x${accents}1`, 40)).toMatch(/1$/);
    expect(composedText(`e\u0301 ${accents}1`)).toBe(`e\u0301 ${accents}1`);
    expect(composedText('e\u0301')).toBe('\u00e9');
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('is made of no other characters that become nothing but accents', () => {
    const become = [];
    for (let code = 0; code <= 0x10_ffff; code++) {
      const character = String.fromCodePoint(code);
      if (!/\p{M}/u.test(character) && /^\p{M}+$/u.test(character.normalize('NFKD')))
        become.push(code);
    }
    expect(become).toEqual([0xff9e, 0xff9f]);
  });
});
