import { describe, expect, it } from '@jest/globals';
import {
  capitals,
  type Fold,
  localeTag,
  oneLine,
  pairsInLines,
  trimmed,
  trimmedOrNothing,
} from './normalizers.js';

const LINE = oneLine(5);
const PAIRS = pairsInLines(5);

describe('folds', () => {
  it.each<[string, Fold, unknown, unknown]>([
    ['a space before', trimmed, ' a b', 'a b'],
    ['white space alone', trimmedOrNothing, '\n', undefined],
    ['nothing', trimmedOrNothing, '', undefined],
    ['small letters', capitals, 'eUr', 'EUR'],
    ['capitals among spaces', capitals, ' EUR\n', 'EUR'],
    ['lines', LINE, 'a\r\n\tb', 'a b'],
    ['a line as long as it may be', LINE, 'abcd\n', 'abcd'],
    ['pairs of lines', PAIRS, { a: 'b\nc', d: null, e: ' f' }, { a: 'b c', e: ' f' }],
    ['no pairs', PAIRS, [], undefined],
    ['an underscore', localeTag, 'de_DE', 'de-DE'],
    ['a character set', localeTag, 'de_DE.UTF-8', 'de-DE'],
    ['a part that is no tag', localeTag, 'pt_PT_ao90', 'pt-PT'],
    ['spaces around a tag', localeTag, ' de-AT ', 'de-AT'],
    ['no language', localeTag, '-', undefined],
  ])('take %s', (_, fold, sent, kept) => {
    expect(fold(sent)).toMatchObject({ value: kept });
  });

  it.each<[string, Fold, unknown]>([
    ['what is as it should be', trimmed, 'a  b'],
    ['nothing where something is needed', trimmed, ''],
    ['a number', trimmed, 5],
    ['a code in capitals', capitals, 'EUR'],
    ['four letters', capitals, 'euro'],
    ['letters that grow', capitals, 'ßa'],
    ['a line', LINE, ' a '],
    ['too long a line', LINE, 'abcde\n'],
    ['lines with a control character', LINE, 'a\n\0'],
    ['lines with half a character', LINE, 'a\n\ud800'],
    ['pairs in one line each', PAIRS, { a: ' b ' }],
    ['pairs of numbers', PAIRS, { a: 5 }],
    ['a list', PAIRS, ['a\nb']],
    ['null', PAIRS, null],
    ['a tag', localeTag, 'zh-Hant-TW'],
    ['a tag with an extension', localeTag, 'en-US-u-hc-h12'],
    ['a language with a control character', localeTag, 'de\0'],
    ['a language with a mark of direction', localeTag, 'de\u202e'],
    ['a language that is too long', localeTag, 'de_'.repeat(12)],
  ])('leave %s as it is', (_, fold, sent) => {
    expect(fold(sent)).toBeUndefined();
  });

  it('says of each pair what became of it', () => {
    expect(PAIRS({ 'a/b': '\n', c: null })?.notices).toEqual([
      { code: 'white_space', at: '/a~1b' },
      { code: 'left_out', at: '/c' },
    ]);
  });
});
