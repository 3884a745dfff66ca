/** `npm run build`: the same sources as ECMAScript modules and as CommonJS, each with its types. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const PACKAGE = path.resolve(import.meta.dirname, '..');
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(path.join(PACKAGE, 'dist'), { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  const { status } = spawnSync(process.execPath, [TSC, '-p', project], {
    cwd: PACKAGE,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
// The package says that its files are modules: these are not.
writeFileSync(path.join(PACKAGE, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
