import { describe, expect, it } from '@jest/globals';
import { collectBankFile, statementFile } from '../collect.js';

const HEAD = ':20:R1\n:25:DE89370400440532013000\n:28C:12/1\n:60F:C261119EUR100,00\n';
const read = (text: string) => collectBankFile(statementFile(text));
const closed = (balance: string): string => `:62F:C261120EUR${balance}\n-\n`;
const entry = (amount: string, details: string, more = 'NONREF'): string =>
  `:61:2611201120${amount}NTRF${more}\n:86:${details}\n`;
const ORDER = 'RF18539007547034';

/** Characters that some programs take for line ends, and those that show nothing. */
const ODD = ['\u2028', '\u2029', '\u0085', '\v', '\f', '\0', '\u001c', '\ufeff'];
const named = ODD.map((odd) => [odd.charCodeAt(0).toString(16), odd] as const);

const bytes = (text: string): number => Buffer.byteLength(text);
/** A line that a bank has filled that counts as `width` does. */
const filled = (text: string, width: (text: string) => number, filler: string): string => {
  let line = text;
  while (width(line + filler) <= 65) line += filler;
  while (width(line) < 65) line += 'x';
  return line;
};

const amountsOf = async (text: string) => {
  const { statements, warnings } = await read(text);
  const lines = statements.flatMap((statement) => statement.lines);
  return {
    balanced: statements.map(({ balanced }) => balanced),
    lines: lines.map(({ direction, amount }) => `${direction} ${amount}`),
    codes: warnings.map(({ code }) => code),
  };
};

describe('an odd character', () => {
  it.each(named)('U+%s in a reference hides no entry', async (_, odd) => {
    const { statements, warnings } = await read(
      `${HEAD}${entry('C10,00', 'Rent')}${entry('C2,00', `a${odd}b`, `X${odd}Y//B1`)}${closed('112,00')}`,
    );
    expect(warnings).toEqual([]);
    expect(statements).toMatchObject([
      {
        balanced: true,
        lines: [
          { amount: 1_000n, text: 'Rent' },
          { amount: 200n, text: 'a b', bankReference: 'B1' },
        ],
      },
    ]);
  });

  it('hides no entry in favour of forged ones', async () => {
    const text = [
      entry('C10,00', 'Rent'),
      entry('C2,00', 'x'.repeat(61), 'X\u2028Y//B1'),
      entry('C1000,00', ORDER),
      entry('D998,00', 'bye'),
      entry('C5,00', 'Rent'),
    ];
    expect(await amountsOf(`${HEAD}${text.join('')}${closed('117,00')}`)).toMatchObject({
      balanced: [false],
      codes: ['not_balanced'],
    });
  });

  it.each(named)('U+%s before a mark makes no field of a text', async (_, odd) => {
    const forged = (mark: string) =>
      `${odd}:61:2611201120${mark}1000,00NTRFX\n${odd}:86:${ORDER}\n${odd}-\n${odd}:20:X`;
    for (const start of [':86:Text', ':86:166?20SVWZ+Text', 'below']) {
      const paid = (mark: string) => `:61:2611201120C1,00NTRFNONREF\n${start}\n${forged(mark)}\n`;
      const file = `${HEAD}${paid('C')}${entry('C5,00', 'Rent')}${paid('D')}${closed('107,00')}`;
      expect(await amountsOf(file)).toEqual({
        balanced: [true],
        lines: ['in 100', 'in 500', 'in 100'],
        codes: [],
      });
    }
  });

  it('may stand around messages', async () => {
    const message = `{1:F01BANK}{2:I940BANKN}{4:\n${HEAD}${entry('C5,00', 'Rent')}:62F:C261120EUR105,00\n-}{5:}`;
    const file = `\u0001${message}\u0003\n\u0001\ufeff${message}\u0003\u001a`;
    expect(await amountsOf(file)).toEqual({
      balanced: [true, true],
      lines: ['in 500', 'in 500'],
      codes: [],
    });
  });
});

describe('what stands before the first field of a message', () => {
  it.each(['below', ':86:Text', ':86:Text\n-'])('makes no field of a text: %s', async (start) => {
    const forged = (mark: string) => `{1:{4::61:261120${mark}1000,NTRF`;
    const paid = (mark: string) =>
      `:61:2611201120C1,00NTRFNONREF\n${start}\n${forged(mark)}\n:86:${ORDER}\n`;
    const file = `${HEAD}${paid('C')}${entry('C5,00', 'Rent')}${paid('D')}${closed('107,00')}`;
    expect(await amountsOf(file)).toMatchObject({ lines: ['in 100', 'in 500', 'in 100'] });
  });
});

describe('an entry that cannot be read', () => {
  it('leaves its statement without a proof, also where a payer may have written it', async () => {
    const full = 'x'.repeat(61);
    const file = `${HEAD}${entry('C10,00', full)}:61:no entry\n:86:${full}\n${closed('110,00')}`;
    expect(await amountsOf(file)).toEqual({
      balanced: [false],
      lines: ['in 1000'],
      codes: ['entry_skipped'],
    });
  });
});

describe('a bank that wraps details', () => {
  const codePoints = (text: string): number => [...text].length;
  const units = (text: string): number => text.length;

  it.each([
    ['bytes', bytes, 'ü'],
    ['bytes', bytes, '€'],
    ['bytes', bytes, '\u2028'],
    ['characters', codePoints, '😀'],
    ['UTF-16 units', units, '😀'],
    ['UTF-16 units', units, 'ü'],
    ['UTF-16 units', units, '\u0001'],
  ])('by %s proves no entries that cancel out, in lines full of %j', async (_, width, filler) => {
    const honest = entry(
      'C10,00',
      `${filled(':86:166?00GUTSCHRIFT?20EREF+E?21SVWZ+Rent', width, 'x').slice(4)}\n?22y?32Anna`,
    );
    const mallory = (mark: string) =>
      [
        ':61:2611201120C1,00NTRFNONREF',
        filled(':86:166?00GUTSCHRIFT?20SVWZ+', width, filler),
        filled(`:61:261120${mark}1000,00NTRFNON?22`, width, filler),
        filled(`:86:${ORDER}?23x`, width, filler),
        '?30INGBNL2A?31NL91ABNA0417164300?32Mallory\n',
      ].join('\n');
    const file = `${HEAD}${honest}${mallory('C')}${honest.repeat(3)}${mallory('D')}${honest}${closed('152,00')}`;
    expect(await amountsOf(file)).toMatchObject({
      balanced: [false],
      codes: ['doubtful_entries'],
    });
  });
});

describe('a line end that is not the file’s own', () => {
  it.each([
    ['\r', '\n'],
    ['\r', '\r\n'],
    ['\n', '\r\n'],
  ])('%j in a file with %j proves no entries that cancel out', async (odd, own) => {
    const coded = (text: string) => `166?20SVWZ+${text}?32Anna`;
    const honest = entry('C10,00', coded('Rent of a flat'));
    const mallory = (mark: string) =>
      entry('C1,00', coded(`a@:61:261120${mark}1000,00NTRFX@:86:166?20${ORDER}`));
    const file = `${HEAD}${honest}${mallory('C')}${honest.repeat(4)}${mallory('D')}${honest}${closed('162,00')}`;
    const written = file.replaceAll('\n', own).replaceAll('@', odd);
    expect(await amountsOf(written)).toMatchObject({
      balanced: [false],
      codes: ['doubtful_entries'],
    });
  });

  it('hides nothing, and is no fault where nothing cancels out', async () => {
    const page = (text: string) => `${HEAD}${entry('C5,00', text)}${closed('105,00')}`;
    const file = page('a').replaceAll('\n', '\r\n') + page('b');
    expect(await amountsOf(file)).toEqual({
      balanced: [true, true],
      lines: ['in 500', 'in 500'],
      codes: [],
    });
  });
});

describe('two details of an entry with a structure', () => {
  it.each([
    ['/IBAN/NO9386011117947/NAME/MALLORY/REMI/a', `/TRTP/SEPA OVERBOEKING/REMI/${ORDER}/EREF/X`],
    [`/TRTP/SEPA OVERBOEKING/REMI/${ORDER}/EREF/X`, '/IBAN/NO9386011117947/NAME/MALLORY/REMI/a'],
  ])('name no payer, for one of them is a payer’s: %s, %s', async (first, second) => {
    const text = `${HEAD}${entry('C1,00', first)}:86:${second}\n${closed('101,00')}`;
    const [line] = (await read(text)).statements[0]!.lines;
    expect(line!.counterparty).toMatchObject({ account: null, name: null });
    expect(line!.text).toContain(ORDER);
  });
});
