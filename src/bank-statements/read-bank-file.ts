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
/** Runs are collapsed to one character, so that `MT_START` visits each character once. */
const BLANKS = /[\p{Cc} ]+/gu;
/** Field :20: at the start of a line, after SWIFT header blocks or a bank's own header lines. */
const MT_START = /(?:^|\n) ?(?:\{1:[^\n]*\{4: ?)?:20:/;

/** CSV delimiters, and the minimum number of columns: date, amount and text. */
const DELIMITERS = [',', ';', '|', '\t'];
const COLUMNS_MIN = 3;

export interface ReadOptions {
  /** Profile of CSV files, which do not declare the meaning of their columns. */
  readonly profile?: CsvProfile | undefined;
}

/**
 * Streams the lines and statements of a bank file, plain or in an archive, with at most one entry in memory. A file
 * is refused as a whole, possibly at its end: use no piece before the last one was read.
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

/** A `:20:` below a line with CSV columns is the payer's text. */
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
