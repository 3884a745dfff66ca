import { quoted, refuse } from './refused.js';
import type { ByteSource } from './source.js';

/** What nearly every file without a word about its encoding is in, if it is not UTF-8. */
const FALLBACK = 'windows-1252';
/**
 * Decoded at once. What is read of so little is garbage before V8 takes it for old; of more, a file would leave hundreds of
 * megabytes behind.
 */
const STEP_BYTES = 2_048;
/** What says that it is UTF-8, whatever is declared or expected. */
const UTF8_MARK = 'efbbbf';
/** ASCII is also UTF-8, which is what banks write that declare it; decoders take it for Windows-1252. */
const ASCII = /^(?:us-)?ascii$/i;
const DECLARED = /^[\s\u{feff}]*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/u;

/**
 * How a source has to be read, by its first bytes (a byte order mark, or every other byte zero), then by what its XML
 * declares, and else by its bytes: UTF-8 if it is that from end to end, Windows-1252 if not.
 * @param head the first bytes
 * @param expected what to take when the file does not say it
 * @throws StatementRefusedError for the declaration of an encoding that nobody knows
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

/** The text of a source, without its byte order mark. */
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
