/** `npm run build`: compiles what changed, and leaves nothing in `dist` whose source is gone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');
export const DIST = path.join(ROOT, 'dist');
export const MAIN = path.join(DIST, 'src', 'main.js');
/** Written after each good build, so its age is that of the build. */
export const STAMP = path.join(DIST, '.built');
/** What the compiler remembers of a whole build. */
export const MEMORY = path.join(DIST, 'tsconfig.tsbuildinfo');

const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** A compiler that remembers outputs which somebody deleted would not write them again. */
function forgetWhatIsGone() {
  if (!existsSync(MAIN)) rmSync(DIST, { recursive: true, force: true });
}

/** Else a deleted spec would be run for ever, and a deleted module could still be imported. */
function removeOrphans() {
  for (const output of globSync('{src,test,bench}/**/*.{js,js.map,sql}', { cwd: DIST })) {
    const stem = path.join(ROOT, output.replace(/\.js(\.map)?$/, ''));
    const hasSource = ['', '.ts', '.tsx', '.js'].some((extension) => existsSync(stem + extension));
    if (!hasSource) rmSync(path.join(DIST, output));
  }
}

/**
 * Node would run the compiler from its cache in the folder for temporary files, which another user of the host may have
 * filled with other code.
 */
const ENV = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };

/** Standard output stays free for the command that wanted the build. */
export async function run(...args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: ENV, stdio: ['ignore', 2, 2] });
  const [status] = await once(child, 'close');
  return status ?? 1;
}

function copyAssets() {
  for (const file of globSync(['src/**/assets/*', 'src/**/*.sql'], { cwd: ROOT })) {
    cpSync(path.join(ROOT, file), path.join(DIST, file));
  }
}

/** Ends the process on a fault of the compiler; without a template, the first start makes one. */
export async function build(project = 'tsconfig.json') {
  if (!existsSync(TSC)) {
    console.error('The build needs the development dependencies: run "npm ci" first.');
    process.exit(1);
  }
  forgetWhatIsGone();
  removeOrphans();
  const [status, styled] = await Promise.all([
    run(TSC, '-p', project),
    run('scripts/make-portal-css.js'),
  ]);
  if (status !== 0 || styled !== 0) process.exit(1);
  copyAssets();
  // Code that runs once is not worth the optimising compiler of WebAssembly.
  await run('--liftoff-only', 'scripts/make-template.js');
  writeFileSync(STAMP, '');
}

if (import.meta.main) await build();
