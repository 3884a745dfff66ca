import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_VERSIONS } from '../src/common/api-version.js';
import { openShop } from './support/shop.js';

const FOLDER = path.resolve('test/generators');
const TSC = path.resolve('node_modules/typescript/bin/tsc');
const TAKES_MS = 300_000;
const DOCUMENT = './generated/openapi.json';

/** Each generator, and what its own introduction says to call it with: nothing is chosen. */
const GENERATORS = {
  'openapi-typescript': [DOCUMENT, '-o', './generated/openapi-typescript/schema.ts'],
  'hey-api': ['-i', DOCUMENT, '-o', './generated/hey-api'],
  'swagger-typescript-api': [
    'generate',
    '-p',
    DOCUMENT,
    '-o',
    './generated/swagger-typescript-api',
  ],
  orval: ['--input', DOCUMENT, '--output', './generated/orval/client.ts'],
  'openapi-zod-client': [DOCUMENT, '-o', './generated/openapi-zod-client/client.ts'],
};
type Generator = keyof typeof GENERATORS;
const NAMES = Object.keys(GENERATORS) as Generator[];
const commandOf = (name: Generator): string => (name === 'hey-api' ? 'openapi-ts' : name);

const { app, shop } = await openShop();

/** @throws Error with all that it said, when it fails */
async function run(command: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` };
  const options = { cwd: FOLDER, env, timeout: TAKES_MS };
  await promisify(execFile)(command, args, options).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  });
}

const bin = (name: string): string => path.join(FOLDER, 'node_modules', '.bin', name);
const compile = (config: string): Promise<void> => run(process.execPath, [TSC, '-p', config]);

/** The generators are no packages of the service: they are installed when they are first wanted. */
async function install(): Promise<void> {
  if (existsSync(path.join(FOLDER, 'node_modules', '.package-lock.json'))) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']).catch((error: Error) => {
    throw new Error(
      `The packages of test/generators are not installed, and could not be:\n${error.message}`,
    );
  });
}

async function save(name: string, version = ''): Promise<void> {
  const document = await fetch(`${app.url}/docs/openapi${version && `-${version}`}.json`);
  writeFileSync(path.join(FOLDER, 'generated', name), await document.text());
}

describe('clients made from the document', () => {
  beforeAll(async () => {
    await install();
    for (const folder of ['generated', 'built']) {
      rmSync(path.join(FOLDER, folder), { recursive: true, force: true });
    }
    for (const name of NAMES) mkdirSync(path.join(FOLDER, 'generated', name), { recursive: true });
    await save('openapi.json');
    for (const name of NAMES) await run(bin(commandOf(name)), GENERATORS[name]);
  }, TAKES_MS);

  it(
    'are made of every contract, compile strictly, and each lives an order’s life',
    async () => {
      for (const version of API_VERSIONS) {
        await save(`${version}.json`, version);
        const files = [`./generated/${version}.json`, '-o', `./generated/contract-${version}.ts`];
        await run(bin('openapi-typescript'), files);
      }
      await compile('tsconfig.json');
      // The runtime that comes with one of them is not written for it.
      await compile('tsconfig.exact.json');
      for (const name of NAMES) {
        await run(process.execPath, ['built/run.js', name, app.url, shop.secret]);
      }
      const { body } = await shop.call('GET', '/api/order/search?limit=100');
      expect(body['data']).toHaveLength(2 * NAMES.length);
    },
    TAKES_MS,
  );
});
