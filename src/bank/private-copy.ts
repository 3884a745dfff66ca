import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkFileBytes, sourceOf, type StatementFile } from '../bank-statements/source.js';
import { clearTemporaryFolder, openTemporaryFolder } from './temporary-folder.js';

const PREFIX = 'copy-';

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
 * @throws FolderNotPrivateError where no folder is only this user's
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
  const parent = await openTemporaryFolder();
  await clearTemporaryFolder(parent);
  const folder = await mkdtemp(path.join(parent, PREFIX));
  try {
    const copy = path.join(folder, 'copy');
    const counted = await copied(file.path, copy);
    return await work({ file: { path: copy }, ...counted });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whoever has the file open makes it larger while it is copied: its size before says nothing. */
async function copied(from: string, to: string): Promise<Omit<PrivateCopy, 'file'>> {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    createReadStream(from),
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        hash.update(part);
        size += part.length;
        checkFileBytes(size);
        yield part;
      }
    },
    createWriteStream(to, { mode: 0o600, flags: 'wx' }),
  );
  return { sha256: hash.digest(), size };
}
