import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkFileBytes, sourceOf, type StatementFile } from '../../bank-statements/source.js';
import { clearTemporaryFolder, openTemporaryFolder } from './temporary-folder.js';

const PREFIX = 'copy-';

/** A copy that cannot change between two reads. */
export interface PrivateCopy {
  readonly file: StatementFile;
  readonly sha256: Buffer;
  /** Bytes. */
  readonly size: number;
}

/**
 * Runs the work on a private copy, which is deleted afterwards.
 * @throws StatementRefusedError if it is not a regular file, or is too large
 * @throws FolderNotPrivateError if no private folder is available
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

/** The file can grow while it is copied, so its size before does not matter. */
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
