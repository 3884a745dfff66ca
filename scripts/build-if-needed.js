/** Builds when a source, or a folder of sources, is newer than the last build. */
import { existsSync, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { build, MAIN, MEMORY, ROOT, STAMP } from './build.js';

const SOURCES = ['src', 'src/**', '{package,tsconfig}.json', 'ormconfig.ts'];

function isNeeded() {
  const built = statSync(STAMP, { throwIfNoEntry: false });
  if (!built || !existsSync(MAIN)) return true;
  const files = globSync(SOURCES, { cwd: ROOT });
  return files.some((file) => statSync(path.join(ROOT, file)).mtimeMs > built.mtimeMs);
}

if (isNeeded()) {
  console.error('Building …');
  // Outputs that the compiler does not know of would mislead it, if it remembers older ones.
  await build(existsSync(MEMORY) ? 'tsconfig.json' : 'scripts/tsconfig.start.json');
}
