import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const PACKAGE = '@electric-sql/pglite';
/** The folder of the build. */
const BUILD = path.resolve(import.meta.dirname, '../../..');
const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/**
 * An empty database as a tar file. Making one costs seconds of CPU in WebAssembly, so it is made
 * once for each version of PGlite, kept in the first of `files` that can be written, and copied.
 */
export async function emptyDatabase(
  files?: readonly string[],
  make: () => Promise<Blob> = makeEmptyDatabase,
): Promise<Blob> {
  const places = files ?? (await templateFiles());
  for (const file of places) {
    if (await isTrusted(file)) return new Blob([await readFile(file)]);
  }
  const tar = await make();
  for (const file of places) {
    if (await keep(file, tar)) break;
  }
  return tar;
}

/** With the build, which makes it, or, where that is read-only, in a temporary file of the user. */
export async function templateFiles(build = BUILD): Promise<string[]> {
  const manifest = findPackageJSON(PACKAGE, import.meta.url);
  if (!manifest) throw new Error(`${PACKAGE} is not installed`);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return [
    path.join(build, `pglite-${version}.tar`),
    path.join(os.tmpdir(), `pglite-${version}-user${process.getuid?.() ?? ''}.tar`),
  ];
}

/** What another user could have written may hold anything, such as a trigger of theirs. */
async function isTrusted(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return false;
  const user = process.getuid?.();
  if (user === undefined) return true;
  return [ROOT, user].includes(found.uid) && (found.mode & WRITABLE_BY_OTHERS) === 0;
}

async function makeEmptyDatabase(): Promise<Blob> {
  const db = await PGlite.create();
  try {
    return await db.dumpDataDir('none');
  } finally {
    await db.close();
  }
}

/** Several processes may do this at once: each renames a whole file into place, and any will do. */
async function keep(file: string, tar: Blob): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(draft, tar.stream(), { flag: 'wx', mode: 0o644 });
    await rename(draft, file);
    return true;
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
    return false;
  }
}
