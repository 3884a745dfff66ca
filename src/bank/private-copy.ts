import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sourceOf, type StatementFile } from '../bank-statements/source.js';

const PREFIX = 'bank-file-';
/** Milliseconds that no import lasts: who made an older copy was killed. */
const LEFT_MS = 24 * 3_600_000;

/** A file that nobody changes while it is read twice. */
export interface PrivateCopy {
  readonly file: StatementFile;
  readonly sha256: Buffer;
  /** Bytes. */
  readonly size: number;
}

/**
 * Works on a copy that is gone afterwards.
 * @throws StatementRefusedError for what is no file, or is too large
 */
export async function withPrivateCopy<T>(
  file: StatementFile,
  work: (copy: PrivateCopy) => Promise<T>,
): Promise<T> {
  await sourceOf(file);
  if ('bytes' in file) {
    const { bytes } = file;
    const sha256 = createHash('sha256').update(bytes).digest();
    return work({ file, sha256, size: bytes.length });
  }
  await clearLeft();
  const folder = await mkdtemp(path.join(os.tmpdir(), PREFIX));
  try {
    const copy = path.join(folder, 'copy');
    const counted = await copied(file.path, copy);
    return await work({ file: { path: copy }, ...counted });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What cannot be thrown away, such as another user's, does not hold an import up. */
async function clearLeft(): Promise<void> {
  const names = await readdir(os.tmpdir());
  const copies = names.filter((name) => name.startsWith(PREFIX));
  await Promise.allSettled(copies.map((name) => clearIfLeft(path.join(os.tmpdir(), name))));
}

async function clearIfLeft(folder: string): Promise<void> {
  const { mtimeMs } = await lstat(folder);
  if (mtimeMs < Date.now() - LEFT_MS) await rm(folder, { recursive: true, force: true });
}

async function copied(from: string, to: string): Promise<Omit<PrivateCopy, 'file'>> {
  const hash = createHash('sha256');
  let size = 0;
  const count = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      size += part.length;
      done(null, part);
    },
  });
  await pipeline(
    createReadStream(from),
    count,
    createWriteStream(to, { mode: 0o600, flags: 'wx' }),
  );
  return { sha256: hash.digest(), size };
}
