import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './app.js';

const START_LIMIT_MS = 30_000;

/** The newest server that is installed; empty where there is none. */
export const BIN =
  [...globSync('/usr/lib/postgresql/*/bin').sort(byNumber).toReversed(), toldByConfig()].find(
    (folder) => existsSync(path.join(folder, 'initdb')),
  ) ?? '';

/** Where PostgreSQL itself says that its programs are. */
function toldByConfig(): string {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return stdout?.trim() ?? '';
}

function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** PostgreSQL refuses to run as root. */
const AS =
  process.getuid?.() === 0 ? { uid: idOf('-u', 'postgres'), gid: idOf('-g', 'postgres') } : {};

function idOf(flag: '-u' | '-g', user: string): number {
  return Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
}

/** A folder of its own, which the user of the servers may write. */
export function serverFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orders-server-'));
  if (AS.uid !== undefined) chownSync(folder, AS.uid, AS.gid);
  return folder;
}

/** Starts a program as a user that servers accept; what it says is for the test's log. */
export function spawnServer(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { ...AS, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const [code] = (await once(spawnServer(path.join(BIN, program), args), 'exit')) as [number];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/**
 * A PostgreSQL server of the test's own, to be killed, stopped and promoted. It trusts everybody on
 * this machine, and does not wait for the disk unless `fsync` is set.
 */
export class PostgresServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** @param settings of `postgresql.conf` */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const server = new PostgresServer(serverFolder(), await freePort(), settings);
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
    await run('initdb', ['--pgdata', server.data, '--locale=C', ...options]);
    await server.start();
    return server;
  }

  /** A second server that follows the first; `name` is for `synchronous_standby_names`. */
  static async following(primary: PostgresServer, name: string): Promise<PostgresServer> {
    const server = new PostgresServer(serverFolder(), await freePort(), primary.settings);
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
    const options = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await run('pg_basebackup', ['--pgdata', server.data, '--dbname', source, ...options]);
    await server.start();
    return server;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Answers once the server does. */
  async start(): Promise<void> {
    const settings = Object.entries({
      fsync: 'off',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      log_min_messages: 'panic',
      ...this.settings,
    }).map(([name, value]) => `--${name}=${value}`);
    const args = ['-D', this.data, '-p', String(this.port), ...settings];
    this.child = spawnServer(path.join(BIN, 'postgres'), args);
    const end = Date.now() + START_LIMIT_MS;
    while (!(await this.answers())) {
      if (Date.now() > end) throw new Error('the server does not answer');
      await sleep(50);
    }
  }

  /** Runs SQL in a session of its own, as the superuser. */
  async query<Row>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 3_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Changes a setting of the running server; null takes it back. */
  async set(name: string, value: string | null): Promise<void> {
    await this.query(
      `ALTER SYSTEM ${value === null ? 'RESET' : 'SET'} ${name} ${value === null ? '' : `= '${value}'`}`,
    );
    await this.query('SELECT pg_reload_conf()');
  }

  /** `SIGINT` ends sessions and says farewell, `SIGQUIT` is a crash that can be repaired. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  /** Makes a standby the primary; answers once it takes writes. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 30)');
  }

  /** Ends the server and deletes everything. */
  async remove(): Promise<void> {
    await this.stop('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return path.join(this.folder, 'data');
  }

  private async answers(): Promise<boolean> {
    return this.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}
