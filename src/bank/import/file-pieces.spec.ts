import { describe, expect, it } from '@jest/globals';
import { piecesOf } from './file-pieces.js';

/** MT940 whose entries have texts of so many characters. */
function statement(entries: number, characters: number): { bytes: Buffer } {
  const text = Array.from({ length: characters / 100 }, () => 'x'.repeat(100)).join('\r\n');
  const entry = (n: number) => `:61:2603020302C1,00NTRFNONREF//B${n}\r\n:86:${text}\r\n`;
  const lines = Array.from({ length: entries }, (_, n) => entry(n)).join('');
  const head = ':20:X\r\n:25:DE89370400440532013000\r\n:28C:1/1\r\n:60F:C260301EUR0,00\r\n';
  return { bytes: Buffer.from(`${head}${lines}:62F:C260302EUR${entries},00\r\n-\r\n`) };
}

async function lengths(entries: number, characters: number, linesMax = 500) {
  const found: number[] = [];
  const whole = new Set<boolean>();
  for await (const { lines, isWhole, isLast } of piecesOf(
    statement(entries, characters),
    {},
    linesMax,
  )) {
    found.push(lines.length);
    if (isLast) whole.add(isWhole);
  }
  return { found, whole: [...whole] };
}

describe('a file in pieces', () => {
  it('has one for a statement, as long as it is short', async () => {
    expect(await lengths(60, 300)).toEqual({ found: [60], whole: [true] });
  });

  it('is cut where enough lines are together', async () => {
    expect(await lengths(60, 300, 25)).toEqual({ found: [25, 25, 10], whole: [false] });
  });

  it('is cut earlier where they have much to say, so that it takes no more memory', async () => {
    expect(await lengths(60, 30_000)).toEqual({ found: [34, 26], whole: [false] });
  });
});
