import { quoted, refuse } from './refused.js';
import type { ByteSource } from './source.js';

/** Usual encoding of files without a declaration that are not valid UTF-8. */
const FALLBACK = 'windows-1252';
/**
 * Bytes decoded per step. V8 collects small strings in the young generation; larger ones would leave hundreds of
 * megabytes in the old generation.
 */
const STEP_BYTES = 2_048;
/** UTF-8 byte order mark; overrides declared and expected encodings. */
const UTF8_MARK = 'efbbbf';
/** Decoders treat ASCII as Windows-1252, but banks that declare it write UTF-8. */
const ASCII = /^(?:us-)?ascii$/i;
const DECLARED = /^[\s\u{feff}]*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/u;

/**
 * Detects the encoding by the first bytes (byte order mark, or every other byte zero), then by the XML declaration or
 * `expected`, then by content: UTF-8 if the whole source is valid UTF-8, otherwise Windows-1252.
 * @param head first bytes
 * @param expected encoding to use if the file declares none
 * @throws StatementRefusedError for an unknown declared encoding
 */
export async function encodingOf(
  source: ByteSource,
  head: Buffer,
  expected?: string,
): Promise<string> {
  const wide = wideEncoding(head);
  if (wide) return wide;
  const isMarked = head.toString('hex', 0, 3) === UTF8_MARK;
  const declared = DECLARED.exec(head.toString('latin1'))?.[1] ?? expected;
  const known = isMarked || declared === undefined ? 'utf-8' : labelOf(declared);
  if (known !== 'utf-8') return known.startsWith('utf-16') ? 'utf-8' : known;
  return (await isUtf8(source)) ? 'utf-8' : FALLBACK;
}

function wideEncoding(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const even = head.subarray(0, 64).filter((byte, at) => at % 2 === 0 && byte === 0).length;
  const odd = head.subarray(0, 64).filter((byte, at) => at % 2 === 1 && byte === 0).length;
  const half = Math.min(head.length, 64) / 4;
  if (odd > half && even === 0) return 'utf-16le';
  return even > half && odd === 0 ? 'utf-16be' : undefined;
}

function labelOf(declared: string): string {
  if (ASCII.test(declared)) return 'utf-8';
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    return refuse(`The encoding ${quoted(declared)} is not known.`);
  }
}

async function isUtf8(source: ByteSource): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const part of source.open()) decoder.decode(part, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return false;
  }
}

/** Decodes a source, without its byte order mark. */
export async function* decoded(source: ByteSource, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const part of source.open()) {
    for (let at = 0; at < part.length; at += STEP_BYTES) {
      const text = decoder.decode(part.subarray(at, at + STEP_BYTES), { stream: true });
      if (text) yield text;
    }
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}
