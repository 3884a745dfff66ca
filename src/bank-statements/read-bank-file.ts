import { readCamt } from './camt/camt-reader.js';
import type { CsvProfile } from './csv/csv-profile.js';
import { readCsv } from './csv/csv-reader.js';
import { encodingOf, decoded } from './encoding.js';
import { readMt } from './mt/mt-reader.js';
import { quoted, refuse, StatementRefusedError } from './refused.js';
import { type StatementFile, type ByteSource, firstBytes } from './source.js';
import type { StatementPiece } from './statement.js';
import { Total } from './total.js';
import { unpack } from './unpack.js';

const HEAD_BYTES = 4_096;
/** Many of them become one sign, so that each is looked at once. */
const BLANKS = /[\p{Cc} ]+/gu;
/** The first field of a message, behind the blocks of SWIFT or what a bank puts before it: never within a line. */
const MT_START = /(?:^|\n) ?(?:\{1:[^\n]*\{4: ?)?:20:/;

/** Of CSV: a day, an amount, and a text. */
const DELIMITERS = [',', ';', '|', '\t'];
const COLUMNS_MIN = 3;

export interface ReadOptions {
  /** How to read CSV, which does not say what its columns mean. */
  readonly profile?: CsvProfile | undefined;
}

/**
 * Reads a file of a bank, plain or in an archive, without holding more of it than an entry: its lines and statements
 * as they end. Nothing of a file counts before the last piece was read, because it is refused as a whole.
 * @throws StatementRefusedError
 */
export async function* readBankFile(
  file: StatementFile,
  options: ReadOptions = {},
): AsyncGenerator<StatementPiece[]> {
  const total = new Total();
  for await (const source of unpack(file)) {
    try {
      for await (const pieces of readSource(source, options, total)) yield total.take(pieces);
    } catch (error) {
      if (source.name === null || !(error instanceof StatementRefusedError)) throw error;
      refuse(`${quoted(source.name)} in the archive is refused: ${error.message}`);
    }
  }
  yield total.close();
}

async function* readSource(
  source: ByteSource,
  { profile }: ReadOptions,
  total: Total,
): AsyncGenerator<StatementPiece[]> {
  const head = await firstBytes(source, HEAD_BYTES);
  const encoding = await encodingOf(source, head, profile?.encoding);
  const start = new TextDecoder(encoding).decode(head).trimStart();
  const text = total.text(decoded(source, encoding));
  if (start.startsWith('<')) yield* readCamt(text, total);
  else if (beginsMt(start)) yield* readMt(text, total);
  else if (profile) yield* readCsv(text, profile, total);
  else {
    refuse(
      'It is no camt.052, camt.053, camt.054, MT940 or MT942 file, and CSV is read by a profile.',
    );
  }
}

/** Below the columns of CSV it is a line of a text, which a payer has written. */
function beginsMt(start: string): boolean {
  const plain = start.replace(BLANKS, plainBlank);
  const at = plain.search(MT_START);
  return at !== -1 && !plain.slice(0, at).split('\n').some(namesColumns);
}

const plainBlank = (blanks: string): string => {
  if (/[\r\n]/.test(blanks)) return '\n';
  return blanks.includes('\t') ? '\t' : ' ';
};

const namesColumns = (line: string): boolean =>
  DELIMITERS.some((delimiter) => line.split(delimiter).length >= COLUMNS_MIN);
