import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isKeptFromOthers } from '../../common/own-files.js';

const PACKAGE = '@electric-sql/pglite';
/** The build folder. */
const BUILD = path.resolve(import.meta.dirname, '../../..');
const MIGRATIONS = 'src/database/migrations/**/*.{js,sql}';

/**
 * A migrated database as a tar file, created by the build, because running the migrations takes seconds of CPU in
 * WebAssembly. Undefined when there is no trusted template: then a new database is created and migrated.
 */
export async function template(file = templateFile()): Promise<Blob | undefined> {
  return (await isTrusted(file)) ? new ContentBlob(await readFile(file)) : undefined;
}

/** `Blob.arrayBuffer` of Node takes 0.2 s for 20 MB. */
class ContentBlob extends Blob {
  constructor(private readonly content: Uint8Array<ArrayBuffer>) {
    super([content]);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = this.content;
    return buffer.slice(byteOffset, byteOffset + byteLength);
  }
}

/** Named by a hash of its inputs, so that another version or migration does not use it. */
export function templateFile(build = BUILD): string {
  const made = createHash('sha256').update(
    readFileSync(findPackageJSON(PACKAGE, import.meta.url)!),
  );
  for (const file of globSync(MIGRATIONS, { cwd: build }).toSorted())
    made.update(file).update(readFileSync(path.join(build, file)));
  return path.join(build, `template-${made.digest('hex').slice(0, 16)}.tar`);
}

/** A file that another user could have written may contain anything, such as a trigger. */
async function isTrusted(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true && isKeptFromOthers(found);
}
