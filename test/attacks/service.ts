import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '../support/database.js';
import { freePort } from '../support/app.js';
import { Program, removeFolder, residentMegabytes, temporaryFolder } from '../support/program.js';

interface Demo {
  readonly merchants: readonly { readonly id: string; readonly apiKey: string }[];
  readonly users: readonly { readonly email: string; readonly password: string }[];
}

/** The service as a process of its own, on a PostgreSQL database of its own, with its limits on. */
export interface Service {
  readonly url: string;
  readonly demo: Demo;
  isAlive(): boolean;
  /** Megabytes that it has in memory. */
  memory(): number;
  metric(name: string): Promise<number>;
}

export async function startService(stack: AsyncDisposableStack): Promise<Service> {
  const database = await createDatabase();
  if (!database.isPostgres) throw new Error('TEST_DATABASE_URL must name a PostgreSQL server');
  stack.defer(() => database.drop());
  const folder = temporaryFolder();
  stack.defer(() => removeFolder(folder));
  const port = await freePort();
  const demoFile = path.join(folder, 'demo.json');
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    DATABASE_URL: database.url,
    DEMO: '1',
    DEMO_FILE: demoFile,
    LOG_LEVEL: 'fatal',
    MAIL_FOLDER: path.join(folder, 'mail'),
  };
  const program = new Program('main.js', [], env, folder);
  stack.defer(async () => void (await program.kill('SIGTERM')));
  const url = `http://127.0.0.1:${port}`;
  await program.untilReady(url);
  const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as Demo;
  const seed = ['seed-orders', '--merchant', demo.merchants[0]!.id, '--count', '30000'];
  await new Program('cli/cli.js', seed, env, folder).result;
  return {
    url,
    demo,
    isAlive: () => program.child.exitCode === null && program.child.signalCode === null,
    memory: () => residentMegabytes(program.child.pid),
    metric: (name) => readMetric(url, name),
  };
}

async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? NaN);
}
