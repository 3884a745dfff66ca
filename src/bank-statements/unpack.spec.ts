import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Member, zip } from '../../test/support/zip.js';
import { collectBankFile, statementFile } from './collect.js';
import { LIMITS } from './limits.js';
import { StatementRefusedError } from './refused.js';

const statement = (id: string, name = ''): string =>
  `:20:${id}\n:25:1\n:60F:C261119EUR1,\n:61:261120C1,NTRF\n:86:${name}\n:62F:C261120EUR2,\n`;

const xml = (encoding: string): string =>
  `<?xml version="1.0"${encoding}?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn><Id>ä€</Id></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;

const read = (bytes: Buffer) => collectBankFile({ bytes });
const refusalOf = async (bytes: Buffer): Promise<string> => {
  const refused: unknown = await read(bytes).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StatementRefusedError);
  return (refused as Error).message;
};

const member = (name: string, text: string): Member => ({ name, bytes: Buffer.from(text) });

describe('a packed file', () => {
  it('is read from gzip', async () => {
    const { statements } = await read(gzipSync(statement('A')));
    expect(statements).toMatchObject([{ id: 'A', lines: [{ amount: 100n }] }]);
  });

  it('is read from ZIP, all its files in their order, and not what systems add', async () => {
    const bytes = zip(
      member('day/', ''),
      member('day/2.sta', statement('B')),
      { name: '1.sta.gz', bytes: gzipSync(statement('A')) },
      member('__MACOSX/._2.sta', 'x'),
      member('.DS_Store', 'x'),
      member('c.xml', xml('')),
    );
    const { formats, statements } = await read(bytes);
    expect(formats).toEqual(['mt940', 'camt.054.001.08']);
    expect(statements.map(({ id }) => id)).toEqual(['B', 'A', 'ä€']);
  });

  it.each([
    [
      'cut gzip',
      gzipSync(statement('A')).subarray(0, 40),
      'The archive is broken: unexpected end of file.',
    ],
    [
      'gzip with a damaged second member',
      Buffer.concat([gzipSync(statement('A')), Buffer.alloc(1), gzipSync(statement('B'))]),
      'The archive is broken: it has data behind its end.',
    ],
    [
      'gzip with data behind many parts',
      Buffer.concat([
        gzipSync(statement('A', randomBytes(150_000).toString('hex'))),
        Buffer.alloc(150_000),
      ]),
      'The archive is broken: it has data behind its end.',
    ],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), 'The archive is broken: '],
    ['cut ZIP', zip(member('a', statement('A'))).subarray(0, 80), 'The archive is broken: '],
    ['empty ZIP', zip(), 'The archive is empty.'],
    ['ZIP of nothing', zip(member('a/', '')), 'The archive is empty.'],
    ['empty file', zip(member('a.xml', '')), '"a.xml" in the archive is empty.'],
    [
      'encrypted file',
      zip({ ...member('a', statement('A')), flags: 1 }),
      '"a" in the archive is encrypted.',
    ],
    ['wrong checksum', zip({ ...member('a', statement('A')), crc: 7 }), 'its checksum is wrong'],
    [
      'nested ZIP',
      zip({ name: 'b.zip', bytes: zip(member('a', 'x')) }),
      '"b.zip" is an archive within an archive.',
    ],
    [
      'stranger',
      zip(member('a.sta', statement('A')), member('b.pdf', '%PDF')),
      '"b.pdf" in the archive is refused: It is no camt',
    ],
    [
      'one bad file',
      zip(member('a.sta', `${statement('A')}:86:${'x'.repeat(LIMITS.text + 1)}`)),
      '"a.sta" in the archive is refused: A line is longer than 10000 characters.',
    ],
    [
      'too many',
      // Refused for their number before one is read: the first is no statement.
      zip(...Array.from({ length: 1001 }, (_, at) => member(`${at}`, '%PDF'))),
      'more than 1000 files',
    ],
    [
      'nothing but folders',
      zip(...Array.from({ length: 10_001 }, () => member('a/', ''))),
      'more than 10000 entries',
    ],
    ['exploding gzip', gzipSync(Buffer.alloc(20_000_000)), 'more than 300 times its packed form'],
    [
      'exploding ZIP',
      zip({ name: 'a', bytes: Buffer.alloc(20_000_000, ':20:A\n') }),
      'more than 300 times its packed form',
    ],
  ])('that is a %s is refused in one sentence', async (_, bytes, sentence) => {
    expect(await refusalOf(bytes)).toContain(sentence);
  });
});

describe('the encoding', () => {
  const wide = (text: string, isBig: boolean): Buffer => {
    const bytes = Buffer.from(text, 'utf16le');
    return isBig ? bytes.swap16() : bytes;
  };

  it.each([
    ['UTF-8', Buffer.from(xml(' encoding="UTF-8"'))],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${xml('')}`)],
    ['UTF-16 with a mark', wide(`\ufeff${xml(' encoding="UTF-16"')}`, false)],
    ['big-endian UTF-16 with a mark', wide(`\ufeff${xml('')}`, true)],
    ['UTF-16 without a mark', wide(xml(''), false)],
    ['big-endian UTF-16 without a mark', wide(xml(''), true)],
    [
      'Windows-1252',
      Buffer.from(xml(' encoding="windows-1252"').replace('ä€', '\u00e4\u0080'), 'latin1'),
    ],
    [
      'ISO-8859-15',
      Buffer.from(xml(" encoding='ISO-8859-15'").replace('ä€', '\u00e4\u00a4'), 'latin1'),
    ],
    [
      'what is not the UTF-8 that it says',
      Buffer.from(xml(' encoding="UTF-8"').replace('ä€', '\u00e4\u0080'), 'latin1'),
    ],
    ['UTF-8 that says ASCII', Buffer.from(xml(' encoding="US-ASCII"'))],
    [
      'UTF-8 with a mark that says Windows-1252',
      Buffer.from(`\ufeff${xml(' encoding="windows-1252"')}`),
    ],
    ['UTF-8 that says UTF-16', Buffer.from(xml(' encoding="UTF-16"'))],
  ])('is found: %s', async (_, bytes) => {
    expect((await read(bytes)).statements).toMatchObject([{ id: 'ä€' }]);
  });

  it('of MT940 is UTF-8, or else Windows-1252', async () => {
    const text = statement('A', 'Müller');
    for (const encoding of ['utf8', 'latin1'] as const) {
      const { statements } = await read(Buffer.from(text, encoding));
      expect(statements[0]!.lines[0]!.text).toBe('Müller');
    }
    const cut = await read(
      Buffer.from(statement('A', `${'x'.repeat(65)}\n`.repeat(400) + '€'.repeat(3_000))),
    );
    expect(cut.statements[0]!.lines[0]!.text).toMatch(/^x+€+$/);
  });

  it('of MT940 is known in a time that grows no faster than the empty lines before it', async () => {
    const took = async (lines: number): Promise<number> => {
      const text = `x${'\n'.repeat(lines)}x\n${statement('A')}`;
      const files = Array.from({ length: 100 }, (_, at) => member(`${at}.sta`, text));
      const started = performance.now();
      expect((await read(zip(...files))).statements).toHaveLength(100);
      return performance.now() - started;
    };
    const [few, many]: [number[], number[]] = [[], []];
    // The fastest of three in turn, as the machine has other work.
    for (let round = 0; round < 3; round += 1) {
      few.push(await took(1_000));
      many.push(await took(4_000));
    }
    expect(Math.min(...many)).toBeLessThan(5 * Math.min(...few));
  });

  it('that nobody knows is refused', async () => {
    expect(await refusalOf(Buffer.from(xml(' encoding="EBCDIC"')))).toBe(
      'The encoding "EBCDIC" is not known.',
    );
    expect((await refusalOf(Buffer.from(xml(` encoding="${'x'.repeat(4_000)}"`)))).length).toBe(70);
  });

  it('of a file with an endless name is not asked for', async () => {
    const refusal = await refusalOf(zip(member(`../${'x'.repeat(5_000)}`, 'x')));
    expect(refusal).toMatch(/^The archive is broken: .{1,101}\.$/);
  });

  it('of an empty file is none', async () => {
    expect(await refusalOf(Buffer.alloc(0))).toBe('The file is empty.');
    await expect(collectBankFile(statementFile('Hello'))).rejects.toThrow('It is no camt.052');
    await expect(collectBankFile({ path: '/nowhere' })).rejects.toThrow('cannot be read: ENOENT');
  });
});
