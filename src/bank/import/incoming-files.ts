import { isUtf8 } from 'node:buffer';
import { opendir } from 'node:fs/promises';
import path from 'node:path';

/** Maximum files per poll. */
const FILES_MAX = 1_000;
/** Maximum names per poll, of files of any kind. */
export const NAMES_MAX = 10_000;
/** Raw bytes: an encoding that the types of Node do not list for `opendir`. */
const RAW_NAMES = { encoding: 'buffer' as BufferEncoding, bufferSize: 1_000 };
/** Names of files that are still being written. */
const UNFINISHED = /^\.|\.(?:part|tmp|filepart|crdownload)$/i;
/** Maximum characters of a name that is not UTF-8. */
const NAME_MAX = 60;

/** A file in the folder. */
export interface WatchedFile {
  /** Path as raw bytes, since not every program writes names in UTF-8. */
  readonly place: Buffer;
  /** The name's bytes, one character each. */
  readonly id: string;
  /** Readable name. */
  readonly name: string;
}

/**
 * Finished files, sorted by name. Stops after `NAMES_MAX` names (`isCrowded`): a larger folder would stop the event
 * loop.
 */
export async function incomingFiles(
  folder: string,
): Promise<{ files: WatchedFile[]; isCrowded: boolean }> {
  const files: WatchedFile[] = [];
  let names = 0;
  for await (const entry of await opendir(folder, RAW_NAMES)) {
    if (++names > NAMES_MAX) break;
    const file = watchedFile(folder, entry.name as unknown as Buffer);
    if (entry.isFile() && !UNFINISHED.test(file.id)) files.push(file);
  }
  files.sort((one, other) => Buffer.compare(one.place, other.place));
  return { files: files.slice(0, FILES_MAX), isCrowded: names > NAMES_MAX };
}

function watchedFile(folder: string, name: Buffer): WatchedFile {
  const id = name.toString('latin1');
  const text = isUtf8(name) ? name.toString() : id.slice(-NAME_MAX);
  return { place: Buffer.concat([Buffer.from(`${folder}${path.sep}`), name]), id, name: text };
}
