/** `npm run build`: compiles what changed, and leaves nothing in `dist` whose source is gone. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');
export const MAIN = path.join(DIST, 'src', 'main.js');
/** Written after each good build, so its age is that of the build. */
export const STAMP = path.join(DIST, '.built');

const NEST = path.join(ROOT, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

/** A compiler that remembers outputs which somebody deleted would not write them again. */
function forgetWhatIsGone() {
  if (!existsSync(MAIN)) rmSync(DIST, { recursive: true, force: true });
}

/** Else a deleted spec would be run for ever, and a deleted module could still be imported. */
function removeOrphans() {
  for (const output of globSync('{src,test,bench}/**/*.{js,js.map}', { cwd: DIST })) {
    const stem = path.join(ROOT, output.replace(/\.js(\.map)?$/, ''));
    const hasSource = ['.ts', '.tsx', '.js'].some((extension) => existsSync(stem + extension));
    if (!hasSource) rmSync(path.join(DIST, output));
  }
}

/** Standard output stays free for the command that wanted the build. Ends the process on a fault. */
export function build() {
  if (!existsSync(NEST)) {
    console.error('The build needs the development dependencies: run "npm ci" first.');
    process.exit(1);
  }
  forgetWhatIsGone();
  removeOrphans();
  const { status } = spawnSync(process.execPath, [NEST, 'build'], { cwd: ROOT, stdio: [0, 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(STAMP, '');
}

if (import.meta.main) build();
