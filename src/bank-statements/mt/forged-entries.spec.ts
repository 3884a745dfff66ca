import { describe, expect, it } from '@jest/globals';
import { collectBankFile, statementFile } from '../collect.js';

type Entry = readonly [cents: number, text: string];

const money = (cents: number): string =>
  `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;

function statement(entries: readonly Entry[], detailsOf: (text: string) => string): string {
  const closing = entries.reduce((sum, [cents]) => sum + cents, 100_000);
  const lines = entries.map(
    ([cents, text]) =>
      `:61:2512311231${cents < 0 ? 'D' : 'C'}${money(Math.abs(cents))}NTRFNONREF\n:86:${detailsOf(text)}\n`,
  );
  return `:20:S\n:25:DE89370400440532013000\n:28C:1/1\n:60F:C251231EUR${money(100_000)}\n${lines.join('')}:62F:C251231EUR${money(closing)}\n-\n`;
}

/** Wrapped between words, as by a bank without structured details. */
function words(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' '))
    if (line !== '' && line.length + 1 + word.length > 65) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  return [...lines, line].join('\n');
}

const TAGS = '/TRTP/SEPA/REMI/';
/** Wrapped anywhere and trimmed, as by a bank with structured details. */
const trimmed = (text: string): string =>
  (`${TAGS}${text}`.match(/[^]{1,65}/g) ?? []).map((line) => line.trimEnd()).join('\n');

const honest = (n: number): Entry => [
  5_000 + 7 * n,
  `Invoice ${n} with many thanks and kind regards from all of us here at home`,
];

const read = async (text: string) => {
  const { statements, warnings } = await collectBankFile(statementFile(text), {});
  return {
    balanced: statements.map(({ balanced }) => balanced),
    warnings: warnings.map(({ code }) => code),
  };
};

describe('a credit and a debit that a payer forged in the texts of two payments', () => {
  const DOUBTED = { balanced: [false], warnings: ['doubtful_entries'] };

  it.each(['166?20', '/REMI/', 'Hello '])(
    'are doubted where the texts begin with “%s”',
    async (start) => {
      const forged = (sign: string) =>
        `${start.padEnd(40, 'x')} :61:2512311231${sign}100,00NTRFNONREFXXXXXXXXXXXX and more`;
      const entries: Entry[] = [
        honest(1),
        [1, forged('C')],
        ...[2, 3, 4, 5, 6, 7].map((n) => honest(n)),
        [1, forged('D')],
        honest(8),
      ];
      expect(await read(statement(entries, words))).toEqual(DOUBTED);
    },
  );

  it.each([6, 0])(
    'are doubted where blanks wrap them, with %i payments between',
    async (between) => {
      const fill = (text: string) =>
        text.padEnd(text.length + ((65 - ((TAGS.length + text.length) % 65)) % 65));
      const forged = (sign: string) =>
        `${fill(fill('hi') + `:61:251231${sign}100,00NTRFNONREF`)}RF18`;
      const entries: Entry[] = [
        honest(1),
        [1, forged('C')],
        ...Array.from({ length: between }, (_, n) => honest(n)),
        [1, forged('D')],
        honest(8),
      ];
      expect(await read(statement(entries, trimmed))).toEqual(DOUBTED);
    },
  );
});

describe('an equal credit and debit of a bank with structured details', () => {
  it('are proven by the balances', async () => {
    const entries = Array.from({ length: 20 }, (_, n) => honest(n));
    const all: Entry[] = [
      ...entries.toSpliced(13, 0, [9_900, 'A payment']),
      [-9_900, 'Its return'],
    ];
    expect(await read(statement(all, trimmed))).toEqual({ balanced: [true], warnings: [] });
  });
});
