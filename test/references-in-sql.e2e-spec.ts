import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { doubtfulReferences, sureReferences } from '../src/bank/matching/reference-clues.js';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import { upperText } from '../src/common/normalized-text.js';
import { TestApp } from './support/app.js';
import { select } from './support/facts.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

/** Marks of several classes, in the order that takes longest to sort. */
const MARKS = '\u0345\u0301\u0316\u0334';
const SORTED_SLOWLY = [...MARKS].map((mark) => mark.repeat(10_000)).join('');

interface Words {
  readonly text?: string;
  readonly endToEndId?: string;
  readonly references?: readonly string[];
}

async function foundInSql({ text, endToEndId, references = [] }: Words): Promise<string[]> {
  const line = {
    text,
    end_to_end_id: endToEndId,
    payer_references: references.map((value) => ({ type: null, value })),
  };
  const [row] = await select<{ found: string[] }>(
    app,
    'SELECT references_in_line(jsonb_populate_record(null::bank_lines, $1)) AS found',
    [JSON.stringify(line)],
  );
  return row!.found;
}

function foundInCode({ text = '', endToEndId = '', references = [] }: Words): string[] {
  const line = {
    text,
    endToEndId,
    references: references.map((value) => ({ type: null, value })),
  };
  return [...sureReferences(line), ...doubtfulReferences(line)].map(({ reference }) => reference);
}

const spaced = (text: string, between: string): string => [...text].join(between);
const wide = (text: string): string =>
  text.replace(/[0-9A-Z]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0));

const SPELLINGS: Readonly<Record<string, (reference: string) => string>> = {
  'as the service does': (reference) => reference,
  'without letters': (reference) => reference.slice(2),
  'with letters for digits': (reference) =>
    reference.slice(2).replaceAll('0', 'o').replaceAll('1', 'ı').replaceAll('55', 'ß'),
  'in wide characters': wide,
  'in wide characters without spaces to other languages': (reference) =>
    `${'送金'.repeat(100)}${wide(reference)}${'送金'.repeat(100)}`,
  'with a mark on each character': (reference) => spaced(reference, '\u0334'),
  'with 29 marks on each character': (reference) => spaced(reference, '\u0334'.repeat(29)),
  'with 100 marks on each character': (reference) => spaced(reference, MARKS.repeat(25)),
  'with half-width sound marks': (reference) => spaced(reference, '\uff9e\uff9f'.repeat(20)),
  'with letters that marks make others': (reference) => spaced(reference.slice(2), 'o\u0301'),
  'with such letters, of many marks': (reference) =>
    spaced(reference.slice(2), `o\u0301${MARKS.repeat(10)}`),
  'with letters of many marks that make no others': (reference) =>
    spaced(reference.slice(2), `x${'\u0334'.repeat(40)}\u0301`),
};

describe('references that SQL finds in a line', () => {
  it.each(Object.entries(SPELLINGS))('are those of the code, spelt %s', async (_, spelt) => {
    for (let n = 0; n < 20; n++) {
      const reference = newTransferReference('test');
      const written = spelt(reference);
      for (const words of [
        { text: `Order ${written} of Zoë` },
        { endToEndId: written },
        { references: ['INV-7', written], text: 'O' },
      ]) {
        const found = foundInCode(words);
        expect(await foundInSql(words)).toEqual(expect.arrayContaining(found));
        // The last spelling puts letters between the digits.
        expect(found.includes(reference)).toBe(!written.includes('x'));
      }
    }
  });

  it('are found fast between thousands of marks, wherever they are', async () => {
    const reference = newTransferReference('test');
    const marked = `${SORTED_SLOWLY}${reference}${SORTED_SLOWLY}`;
    const start = performance.now();
    for (const words of [
      { text: `${SORTED_SLOWLY.slice(0, 4_900)}${reference}` },
      { endToEndId: marked },
      { references: [marked, marked] },
    ])
      expect(await foundInSql(words)).toContain(reference);
    // It takes milliseconds; one of them took 12 seconds.
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('letters and digits in SQL', () => {
  const all = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
    (code) => code > 0 && (code < 0xd800 || code > 0xdfff),
  );
  const inCode = (character: string): string => upperText(character, 40).replace(/[^A-Z0-9]/g, '');

  it('are those of the code, for every character', async () => {
    const characters = all
      .map((code) => String.fromCodePoint(code))
      .filter((character) => character < '\u{10000}' || inCode(character) !== '');
    const rows = await select<{ character: string; normal: string; found: string }>(
      app,
      `SELECT c AS character, normalize(c, NFKC) AS normal, letters_and_digits(c) AS found
        FROM json_array_elements_text($1) c`,
      [JSON.stringify(characters)],
    );
    // A database may know an older version of Unicode.
    const known = rows.filter(({ character, normal }) => normal === character.normalize('NFKC'));
    expect(known.length).toBeGreaterThan(characters.length - 1_000);
    expect(known.filter(({ character, found }) => found !== inCode(character))).toEqual([]);
  });

  it('are cut of no run, and every mark is', async () => {
    const [{ prosrc }] = (await select<{ prosrc: string }>(
      app,
      `SELECT prosrc FROM pg_proc WHERE proname = 'letters_and_digits'`,
    )) as [{ prosrc: string }];
    const blocks = prosrc.match(/\\u[0-9a-f]{4}-\\u[0-9a-f]{4}|\\U[0-9a-f]{8}-\\U[0-9a-f]{8}/g)!;
    expect(blocks.length).toBeGreaterThan(10);
    const kept = new RegExp(
      `[${blocks.join('').replace(/\\u\w+|\\U\w+/g, (each) => `\\u{${each.slice(2)}}`)}]`,
      'u',
    );
    const wrong = all.filter((code) => {
      const character = String.fromCodePoint(code);
      const isKept = kept.test(character);
      if (inCode(character) !== '') return !isKept;
      return isKept && /^\p{M}/u.test(character.normalize('NFKD'));
    });
    expect(wrong).toEqual([]);
  });
});
