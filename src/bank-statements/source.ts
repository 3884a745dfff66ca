import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { LIMITS } from './limits.js';
import { refuse } from './refused.js';

export type StatementFile = { readonly path: string } | { readonly bytes: Buffer };

/** Bytes that can be read repeatedly: each `open` starts at the first byte. */
export interface ByteSource {
  /** Name in the ZIP archive; null for any other file. */
  readonly name: string | null;
  readonly open: () => AsyncIterable<Buffer>;
}

const PART_BYTES = 65_536;

/** @throws StatementRefusedError if it is unreadable, no regular file, empty, or larger than `LIMITS.fileBytes` */
export async function sourceOf(file: StatementFile): Promise<ByteSource> {
  const bytes = 'path' in file ? await sizeOf(file.path) : file.bytes.length;
  if (bytes === 0) refuse('The file is empty.');
  checkFileBytes(bytes);
  const open =
    'path' in file
      ? () => createReadStream(file.path, { highWaterMark: PART_BYTES })
      : () => partsOf(file.bytes);
  return { name: null, open };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) =>
    refuse(`The file cannot be read: ${error.code ?? error.message}.`),
  );
  if (!found.isFile()) refuse('It is not a file.');
  return found.size;
}

async function* partsOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

/** Up to `count` bytes from the start. */
export async function firstBytes(source: ByteSource, count: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of source.open()) {
    parts.push(part);
    length += part.length;
    if (length >= count) break;
  }
  return Buffer.concat(parts).subarray(0, count);
}

/** @throws StatementRefusedError for more than `LIMITS.fileBytes` */
export function checkFileBytes(bytes: number): void {
  if (bytes > LIMITS.fileBytes) refuse(`The file is larger than ${LIMITS.fileBytes / 1e6} MB.`);
}
