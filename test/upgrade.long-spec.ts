import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './support/app.js';
import { Client } from './support/client.js';
import { createDatabase, onPostgres, type TestDatabase } from './support/database.js';
import { Load } from './support/load.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';

/** As many as a shop of some size has; `npm run test:upgrade` takes 300,000. */
const ORDERS = Number(process.env['UPGRADE_ORDERS'] ?? 5_000);
const SHOPS = 4;
/** The load goes on for so long before and after the new version comes, in milliseconds. */
const SETTLED_MS = 3_000;

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The first commit with today's baseline. Until 1.0.0 is released, the baseline itself may change. */
const OLDER = commitOf('src/database/migrations/baseline');
if (!OLDER) process.stderr.write('The upgrade is not tried: this folder has no Git history.\n');

let folder: string;
let database: TestDatabase;
const started: Program[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  database = await createDatabase();
});
afterAll(async () => {
  await Promise.all(started.map((program) => program.kill()));
  await database.drop();
  removeFolder(folder);
});

function commitOf(folderOfSources: string): string {
  const args = ['log', '-1', '--format=%H', '--', folderOfSources];
  return spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? '';
}

/** Builds the older version in a folder of its own, with the packages that it had. */
function buildOlder(): string {
  const build = `git archive ${OLDER} | tar x -C "$0" && cd "$0" &&
    npm ci --ignore-scripts --prefer-offline --loglevel error && "$1" scripts/build.js`;
  const { status, stderr } = spawnSync('sh', ['-c', build, folder, process.execPath], {
    cwd: ROOT,
  });
  if (status !== 0) throw new Error(String(stderr));
  return path.join(folder, 'dist', 'src');
}

function run(file: string, args: readonly string[], env: Record<string, string>): Program {
  const common = { DATABASE_URL: database.url, RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
  const program = new Program(file, args, { ...common, ...env }, folder);
  started.push(program);
  return program;
}

async function serve(file: string, env: Record<string, string> = {}) {
  const port = String(await freePort());
  return { program: run(file, [], { PORT: port, ...env }), url: `http://127.0.0.1:${port}` };
}

const onServer = onPostgres(it, 'two versions need a server that both reach');

(OLDER ? onServer : it.skip)(
  'to this version costs no request and books everything',
  async () => {
    const older = buildOlder();
    const demoFile = path.join(folder, 'demo.json');
    const before = await serve(path.join(older, 'main.js'), { DEMO: '1', DEMO_FILE: demoFile });
    await before.program.untilReady(before.url);
    const [merchant] = JSON.parse(readFileSync(demoFile, 'utf8')).merchants;
    const seed = ['seed-orders', '--merchant', merchant.id, '--count', String(ORDERS)];
    expect((await run(path.join(older, 'cli/cli.js'), seed, {}).result).code).toBe(0);

    const shop = new Client(before.url, merchant.apiKey, merchant.id, '');
    const load = new Load(SHOPS, () => shop);
    await sleep(SETTLED_MS);
    const start = performance.now();
    const after = await serve('main.js');
    await after.program.untilReady(after.url);
    const upgradeMs = Math.round(performance.now() - start);
    await sleep(SETTLED_MS);
    const beside = new Load(SHOPS, () => shop.at(after.url));
    await sleep(SETTLED_MS);
    const all = [await load.stop(), await beside.stop()];
    process.stderr.write(`upgrade of ${ORDERS} orders: ${JSON.stringify({ upgradeMs, all })}\n`);
    for (const { failed, requests } of all) {
      expect(failed).toEqual([]);
      expect(requests).toBeGreaterThan(10);
    }

    expect((await before.program.kill('SIGTERM')).code).toBe(0);
    await sleep(SETTLED_MS);
    const doctor = await run('cli/cli.js', ['doctor'], {}).result;
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining(' passed, 0 failed')]);
  },
  1_200_000,
);
