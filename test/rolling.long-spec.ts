import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './support/app.js';
import { Balancer } from './support/balancer.js';
import { Client } from './support/client.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { Load } from './support/load.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { until } from './support/race.js';

const REQUESTS = 1_000;
const SHOPS = 4;
/** Four times what the balancer takes to look again. */
const SHUTDOWN_GRACE_SECONDS = '2';

interface Process {
  readonly url: string;
  readonly env: Record<string, string>;
  program: Program;
}

let folder: string;
let database: TestDatabase;
const processes: Process[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  database = await createTables();
});
afterAll(async () => {
  await Promise.all(processes.map(({ program }) => program.kill()));
  await database.drop();
  removeFolder(folder);
});

const run = (env: Record<string, string>) => new Program('main.js', [], env, folder);

async function start(role: 'api' | 'worker'): Promise<Process> {
  const port = String(await freePort());
  const env = {
    PORT: port,
    ROLE: role,
    SHUTDOWN_GRACE_SECONDS,
    DATABASE_URL: database.url,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DEMO: '1',
    DEMO_FILE: path.join(folder, 'demo.json'),
  };
  const process = { url: `http://127.0.0.1:${port}`, env, program: run(env) };
  processes.push(process);
  await process.program.untilReady(process.url);
  return process;
}

onPostgres(it, 'the embedded database belongs to one process')(
  'a restart of each process in turn costs no request',
  async () => {
    const servers = [await start('api'), await start('api')];
    await start('worker');
    await start('worker');
    const balancer = await Balancer.start(servers.map(({ url }) => url));
    const [merchant] = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')).merchants;
    const shop = new Client(balancer.url, merchant.apiKey, merchant.id, '');
    const load = new Load(SHOPS, () => shop);

    for (const process of processes) {
      const { code, err } = await process.program.kill('SIGTERM');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      process.program = run(process.env);
      await process.program.untilReady(process.url);
      if (servers.includes(process))
        await until('it is sent requests', async () => balancer.has(process.url));
    }
    await until('enough was asked', async () => load.count >= REQUESTS, 120);
    const served = await load.stop();
    balancer.stop();
    globalThis.process.stderr.write(`rolling restart: ${JSON.stringify(served)}\n`);
    expect(served.failed).toEqual([]);

    const cli = new Program('cli/cli.js', ['doctor'], { DATABASE_URL: database.url }, folder);
    expect(await cli.result).toMatchObject({ code: 0 });
  },
  600_000,
);
