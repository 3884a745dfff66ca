import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = path.resolve(import.meta.dirname, '../main.js');
/** Limit for slow machines. */
const START_LIMIT_MS = 60_000;
const POLL_MS = 25;

/** The service, running as a process of its own. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  readonly merchant: string;
  readonly merchantId: string;
  readonly users: readonly DemoUser[];
  readonly owner: DemoUser;
  readonly operator: DemoUser;
  /** Its database, which survives a stop. */
  readonly databaseUrl: string;
  /** Folder of the mails, one file each. */
  readonly mailFolder: string;
  /** Settles when the process has ended. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface DemoUser {
  readonly email: string;
  readonly password: string;
  readonly role: string;
}

/**
 * Starts the service on a fresh database, ignoring the machine's own settings.
 * @param port preferred port, if it is free
 */
export async function startService(port = 0): Promise<Service> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orders-demo-'));
  const url = `http://127.0.0.1:${await freePort(port)}`;
  const secrets = path.join(folder, 'demo.json');
  const mailFolder = path.join(folder, 'mail');
  const databaseUrl = `file:${path.join(folder, 'data')}`;
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      PORT: new URL(url).port,
      DATABASE_URL: databaseUrl,
      DEMO: '1',
      DEMO_FILE: secrets,
      MAIL_FOLDER: mailFolder,
      // The demo itself receives webhooks.
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      PAYOUT_NAME: 'Demo Platform',
      PAYOUT_IBAN: 'DE89370400440532013000',
      SHUTDOWN_GRACE_SECONDS: '0',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  // Stops the service however this process ends.
  process.once('exit', () => {
    child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await untilReady(url, child);
    const { merchants, users } = JSON.parse(await readFile(secrets, 'utf8')) as Secrets;
    const [{ id, name, apiKey }] = merchants;
    const withRole = (role: string): DemoUser => users.find((user) => user.role === role)!;
    return {
      url,
      apiKey,
      merchant: name,
      merchantId: id,
      users,
      owner: withRole('owner'),
      operator: withRole('operator'),
      databaseUrl,
      mailFolder,
      ended,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Secrets {
  readonly merchants: readonly [
    { readonly id: string; readonly name: string; readonly apiKey: string },
  ];
  readonly users: readonly DemoUser[];
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  while (child.exitCode === null && Date.now() < end) {
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (ready?.ok) return;
    await sleep(POLL_MS);
  }
  throw new Error('the service did not start');
}

async function freePort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort(0);
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
