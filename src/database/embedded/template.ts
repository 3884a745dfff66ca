import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isKeptFromOthers } from '../../common/own-files.js';

const PACKAGE = '@electric-sql/pglite';
/** The folder of the build. */
const BUILD = path.resolve(import.meta.dirname, '../../..');
const MIGRATIONS = 'src/database/migrations/*.js';

/**
 * A database as the migrations leave it, as a tar file that the build has made: to run them takes
 * seconds of CPU in WebAssembly. Undefined where there is none that can be trusted: then a new database
 * is made, and they run in it.
 */
export async function template(file = templateFile()): Promise<Blob | undefined> {
  return (await isTrusted(file)) ? new Blob([await readFile(file)]) : undefined;
}

/** Named after what it is made by, so that another version or another migration never finds it. */
export function templateFile(build = BUILD): string {
  const made = createHash('sha256').update(
    readFileSync(findPackageJSON(PACKAGE, import.meta.url)!),
  );
  for (const file of globSync(MIGRATIONS, { cwd: build }).toSorted())
    made.update(file).update(readFileSync(path.join(build, file)));
  return path.join(build, `template-${made.digest('hex').slice(0, 16)}.tar`);
}

/** What another user could have written may hold anything, such as a trigger of theirs. */
async function isTrusted(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true && isKeptFromOthers(found);
}
