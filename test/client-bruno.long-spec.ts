import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './support/app.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';

const PACKAGE = path.resolve('clients/bruno');
const COLLECTION = path.join(PACKAGE, 'collection');
const TAKES_MS = 300_000;
const run = promisify(execFile);

/** What runs a collection is no package of the service: it is installed when it is first wanted. */
async function install(): Promise<void> {
  if (existsSync(path.join(PACKAGE, 'node_modules', '.package-lock.json'))) return;
  const command = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', command, { cwd: PACKAGE, timeout: TAKES_MS });
}

interface Operation {
  readonly operationId: string;
}

interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Report {
  readonly results: readonly {
    readonly name: string;
    readonly error: string | null;
    readonly response: { readonly status: number };
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

describe('the Bruno collection', () => {
  it(
    'is that of the document, and calls every operation of a demo as it should be called',
    async () => {
      await install();
      const folder = temporaryFolder();
      const PORT = String(await freePort());
      const url = `http://127.0.0.1:${PORT}`;
      const env = { PORT, DATABASE_URL: 'file:./data', DEMO: '1', LOG_LEVEL: 'error' };
      const service = new Program('main.js', [], env, folder);
      await service.untilReady(url);
      const response = await fetch(`${url}/docs/openapi.json`);
      const document = (await response.json()) as OpenApi;
      const script = pathToFileURL(path.join(PACKAGE, 'scripts/collection.js')).href;
      const { collectionOf } = (await import(script)) as {
        collectionOf: (document: object) => Record<string, string>;
      };
      const made = collectionOf(document);
      const there = globSync('**/*.{bru,json}', { cwd: COLLECTION });
      expect(there.toSorted()).toEqual(Object.keys(made).toSorted());
      const old = there.filter((name) => {
        return readFileSync(path.join(COLLECTION, name), 'utf8') !== made[name];
      });
      if (old.length > 0) throw new Error(`run "npm run clients": ${old.join(', ')}`);

      const { merchants } = JSON.parse(readFileSync(path.join(folder, 'data/demo.json'), 'utf8'));
      const report = path.join(folder, 'report.json');
      const bru = path.join(PACKAGE, 'node_modules/.bin/bru');
      const set = ['--env-var', `base=${url}`, '--env-var', `key=${merchants[0].apiKey}`];
      const args = ['run', '-r', '--env', 'demo', ...set, '--reporter-json', report];
      const PATH = `${path.dirname(process.execPath)}:${process.env['PATH']}`;
      const ran = run(bru, args, { cwd: COLLECTION, env: { ...process.env, PATH } });
      const { stdout } = await ran.catch((error: { stdout: string }) => error);
      await service.kill('SIGTERM');
      const [{ results }] = JSON.parse(readFileSync(report, 'utf8')) as [Report];
      removeFolder(folder);
      const bad = results.filter(
        ({ error, assertionResults }) =>
          error !== null || !assertionResults.every(({ status }) => status === 'pass'),
      );
      if (bad.length > 0) throw new Error(stdout);
      expect(results.length).toBe(
        there.filter((name) => /\/\d+ [^/]+\/\d\d /.test(`/${name}`)).length,
      );
      const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
      expect(results.length).toBeGreaterThanOrEqual(operations.length);
    },
    TAKES_MS,
  );
});
