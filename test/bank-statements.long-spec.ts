import { spawnSync } from 'node:child_process';
import {
  closeSync,
  createWriteStream,
  openSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { createGzip, gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collectBankFile } from '../src/bank-statements/collect.js';
import { CSV_PROFILES } from '../src/bank-statements/csv/csv-profiles.js';
import { LIMITS } from '../src/bank-statements/limits.js';
import { StatementRefusedError } from '../src/bank-statements/refused.js';
import { removeFolder, temporaryFolder } from './support/program.js';

const MUTATIONS = 2_000;
const FILE_MS = 10_000;
/** Of the reader alone, which leaves the 200 MB of a service beside it room below 300. */
const MAX_MB = 130;
const ENTRIES = 100_000;
/** Of a quiet machine; those who share one take their time. */
const SPEED_MS = Number(process.env.STATEMENT_MS ?? 60_000);

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S</Id>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const TAIL = '</Stmt></BkToCstmrStmt></Document>';

/** About 750 bytes, as banks write them. */
const entry = (at: number): string => `
<Ntry><NtryRef>${at}</NtryRef><Amt Ccy="EUR">${at}.17</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt><AcctSvcrRef>2026112000${at}</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>E2E-${at}</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>Zoë Mustermann ${at}</Nm></Pty></Dbtr>
<DbtrAcct><Id><IBAN>DE71110220330123456789</IBAN></Id></DbtrAcct></RltdPties>
<RltdAgts><DbtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts>
<RmtInf><Ustrd>Order ${at} RF18 5390 0754 7034, thank you</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;

const camt = HEAD + [1, 2, 3].map(entry).join('') + TAIL;
const mt = `:20:R1\n:25:DE89370400440532013000\n:28C:12/1\n:60F:C261119EUR100,00\n:61:2611201120C12,30NTRFNONREF//B1\n:86:166?00GUT?20EREF+E1?21SVWZ+RF18539007547034?30COBADEFFXXX?31DE71110220330123456789?32ADA\n:61:261120RC1,NRTI\n:86:/EREF/E/REMI/USTD//text/\n:62F:C261120EUR111,30\n-\n`;
const csv = `"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Payer Name"\n${'T-1,20-11-2026,12.30,GBP,Received,RF1,15.00,Ada\n'.repeat(3)}`;

/** The same numbers in each run (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const BITS = [
  '<',
  '>',
  '&',
  '"',
  '\n',
  '-',
  ':61:',
  '\u0000',
  '<!DOCTYPE a>',
  ']]>',
  '<![CDATA[',
  '&#x110000;',
  '9'.repeat(60),
  '\n:20:',
  'é',
  '\u202e',
  '=1+1',
];

function mutated(bytes: Buffer, random: (below: number) => number): Buffer {
  const at = random(bytes.length);
  const to = Math.min(bytes.length, at + 1 + random(40));
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  const changes = [
    () => [before, Buffer.from([random(256)]), after],
    () => [before, after],
    () => [before, part, part, after],
    () => [before],
    () => [before, Buffer.from(BITS[random(BITS.length)]!), part, after],
    () => [before, Buffer.from(part).reverse(), after],
    () => [Buffer.from(bytes.map((byte) => (random(100) === 0 ? byte ^ (1 << random(8)) : byte)))],
  ];
  return Buffer.concat(changes[random(changes.length)]!());
}

describe('files of banks', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => removeFolder(folder));

  it('are read or refused, however they are damaged', async () => {
    const random = randomOf(58);
    const files = [camt, mt, csv].flatMap((text) => [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      gzipSync(text),
    ]);
    let refused = 0;
    for (let round = 0; round < MUTATIONS; round++) {
      const bytes = mutated(files[round % files.length]!, random);
      const start = performance.now();
      const error: unknown = await collectBankFile({ bytes }, { profile: CSV_PROFILES[1] }).then(
        () => undefined,
        (each: unknown) => each,
      );
      if (error !== undefined) {
        expect([round, error]).toEqual([round, expect.any(StatementRefusedError)]);
        expect((error as Error).message).toMatch(/^[^\n]{3,400}\.$/);
        refused += 1;
      }
      expect(performance.now() - start).toBeLessThan(FILE_MS);
    }
    expect(refused).toBeGreaterThan(MUTATIONS / 4);
    expect(refused).toBeLessThan(MUTATIONS);
  });

  /** Reads a file in a process of its own, which says how it ended and what it took. */
  function readAlone(file: string) {
    const reader = path.resolve(import.meta.dirname, '../src/bank-statements/read-bank-file.js');
    // The most it ever had itself: what `maxRSS` counts begins with the memory of who started it.
    const program = `
      const { readFileSync } = await import('node:fs');
      const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
      const { readBankFile } = await import(${JSON.stringify(reader)});
      const start = performance.now();
      let lines = 0, refused = null;
      try {
        for await (const pieces of readBankFile({ path: process.argv[1] }))
          for (const piece of pieces) if (piece.type === 'line') lines += 1;
      } catch (error) { refused = error.constructor.name + ': ' + error.message; }
      console.log(JSON.stringify({ lines, refused, ms: performance.now() - start, mb: peak() }));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-semi-space-size=8', '--input-type=module', '-e', program, file],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    return JSON.parse(stdout) as { lines: number; refused: string | null; ms: number; mb: number };
  }

  const filled = (name: string, start: string, part: string, megabytes: number): string => {
    const file = path.join(folder, name);
    const descriptor = openSync(file, 'w');
    writeSync(descriptor, start);
    const block = part.repeat(Math.ceil(1_000_000 / part.length));
    for (let at = 0; at < megabytes; at++) writeSync(descriptor, block);
    closeSync(descriptor);
    return file;
  };

  it.each([
    ['blanks', '', ' '],
    ['blanks in XML', HEAD, ' '],
    ['a text in XML', `${HEAD}<Nm>`, 'x'],
    ['CDATA', `${HEAD}<![CDATA[`, '<'],
    ['a comment', `${HEAD}<!--`, '<'],
    ['attributes', `${HEAD}<a `, 'a="" '],
    ['a processing instruction', `${HEAD}<?a `, '<'],
    ['elements in each other', HEAD, '<a>'],
    ['elements beside each other in an entry', `${HEAD}<Ntry>`, '<a/>'],
    ['transactions of one entry', `${HEAD}<Ntry><NtryDtls>`, '<TxDtls/>'],
    ['warnings', HEAD, '<Ntry><Amt Ccy="XXX">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Ntry>'],
    ['a line of MT940', ':20:1\n:86:', 'x'],
    ['lines of MT940', ':20:1\n:25:1\n:60F:C261119EUR1,\n:61:261120C1,NTRF\n:86:', 'x\n'],
    ['entries of MT940', ':20:1\n:25:1\n:60F:C261119EUR1,\n', ':61:261120C1,NTRF\n'],
    ['statements of MT940', '', ':20:1\n'],
  ])('of 190 MB of %s end in time and memory', (name, start, part) => {
    const { refused, ms, mb } = readAlone(filled('big', start, part, 190));
    expect({
      name,
      refused,
      isQuick: ms < FILE_MS,
      isSmall: mb < MAX_MB,
      ms: Math.round(ms),
      mb: Math.round(mb),
    }).toMatchObject({
      isQuick: true,
      isSmall: true,
    });
    expect(refused).toMatch(/^StatementRefusedError: .+\.$/);
  });

  it('of 1 GB of nothing are refused, packed or not', async () => {
    const plain = path.join(folder, 'nothing');
    writeFileSync(plain, '');
    truncateSync(plain, 1_000_000_000);
    expect(readAlone(plain)).toMatchObject({
      refused: 'StatementRefusedError: The file is larger than 200 MB.',
    });
    const packed = path.join(folder, 'nothing.gz');
    const zeros = Readable.from(
      (function* () {
        for (let at = 0; at < 1_000; at++) yield Buffer.alloc(1_000_000);
      })(),
    );
    await pipeline(zeros, createGzip(), createWriteStream(packed));
    const { refused, ms, mb } = readAlone(packed);
    expect(refused).toContain('The archive holds more than');
    expect(ms).toBeLessThan(FILE_MS);
    expect(mb).toBeLessThan(MAX_MB);
  });

  it('with a batch as large as it may be are read in 300 MB', () => {
    const details = /<TxDtls>.*<\/TxDtls>/s.exec(entry(1))![0];
    const file = path.join(folder, 'batch.xml');
    const [before, after] = entry(1).split(details) as [string, string];
    writeFileSync(file, HEAD + before + details.repeat(LIMITS.transactions) + after + TAIL);
    const { lines, refused, mb } = readAlone(file);
    expect({ lines, refused }).toEqual({ lines: LIMITS.transactions, refused: null });
    expect(mb).toBeLessThan(300);
  });

  it(`with ${ENTRIES} entries are read in 200 MB`, () => {
    const file = path.join(folder, 'large.xml');
    const descriptor = openSync(file, 'w');
    writeSync(descriptor, HEAD);
    for (let at = 0; at < ENTRIES; at += 1_000) {
      writeSync(descriptor, Array.from({ length: 1_000 }, (_, more) => entry(at + more)).join(''));
    }
    writeSync(descriptor, TAIL);
    closeSync(descriptor);
    const { lines, refused, ms, mb } = readAlone(file);
    expect({ lines, refused }).toEqual({ lines: ENTRIES, refused: null });
    expect(mb).toBeLessThan(200);
    expect(ms).toBeLessThan(SPEED_MS);
  });
});
