import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SCRIPT, stylesheet, stylesheetHref } from './assets.js';

/** Written the other way round than in the code: from the numbers of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function luminance(colour: string): number {
  const linear = (colour.match(/../g) ?? []).map((pair) => {
    const share = parseInt(pair, 16) / 255;
    return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  });
  return linear.reduce((sum, share, i) => sum + share * ([0.2126, 0.7152, 0.0722][i] ?? 0), 0);
}

function coloursOf(css: string): [string, string] {
  const found = /^:root\{--brand:#([0-9a-f]{6});--on-brand:#([0-9a-f]{3})\}/.exec(css);
  return [found?.[1] ?? '', (found?.[2] ?? '').replace(/./g, '$&$&')];
}

describe(stylesheet.name, () => {
  it('has readable text on every colour', () => {
    const colour = fc.integer({ min: 0, max: 0xffffff });
    fc.assert(
      fc.property(colour, (value) => {
        const hex = value.toString(16).padStart(6, '0');
        const [brand, onBrand] = coloursOf(stylesheet(hex));
        expect(brand).toBe(hex);
        expect(contrast(brand, onBrand)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 300 },
    );
  });

  it('takes white on dark and black on light', () => {
    expect(coloursOf(stylesheet('#0B4F9E'))).toEqual(['0b4f9e', 'ffffff']);
    expect(coloursOf(stylesheet('ffd400'))).toEqual(['ffd400', '000000']);
  });

  it.each(['red', '#fff', '#12345g', '}body{display:none', '#123456}', '\n#123456', null])(
    'uses the default colour for %j',
    (colour) => {
      expect(stylesheet(colour)).toBe(stylesheet());
      expect(stylesheetHref(colour)).toBe(stylesheetHref());
    },
  );

  it('defines every property that it uses', () => {
    const css = stylesheet();
    const defined = new Set(css.match(/--[\w-]+(?=:)/g));
    const used = css.match(/(?<=var\()--[\w-]+/g) ?? [];
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !defined.has(name))).toEqual([]);
  });

  it('asks no other host', () => {
    expect(stylesheet() + SCRIPT).not.toMatch(/https?:|url\(|@import/);
  });
});

describe(stylesheetHref.name, () => {
  it('names the version and the colour', () => {
    expect(stylesheetHref('#FFD400')).toMatch(/^\/pay\/assets\/pay\.css\?v=[0-9a-f]{8}&c=ffd400$/);
  });
});
