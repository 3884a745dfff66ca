import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort } from './app.js';
import { onPostgres } from './database.js';
import { serverFolder, spawnServer } from './postgres-server.js';
import { until } from './race.js';

const PROGRAM = '/usr/sbin/pgbouncer';

/** `describe` or `it` for what needs PgBouncer and a server: skipped without, and told why. */
export function onPgbouncer<Skip>(run: Skip & { readonly skip: Skip }): Skip {
  if (existsSync(PROGRAM)) return onPostgres(run, 'they make servers of their own');
  process.stderr.write(`Tests that need PgBouncer are skipped: there is no ${PROGRAM}.\n`);
  return run.skip;
}

export interface PoolerOptions {
  /** The port of the server behind it. */
  readonly server: number;
  readonly user: string;
  readonly mode: 'session' | 'transaction';
  /** Sessions of the server. */
  readonly size: number;
  /** Takes limits of sessions, and does nothing about them. */
  readonly ignores: boolean;
}

/** What the program asks of a session that is its own. */
const IGNORED = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

const configOf = (port: number, users: string, options: PoolerOptions): string => `
[databases]
* = host=127.0.0.1 port=${options.server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
admin_users = ${options.user}
pool_mode = ${options.mode}
default_pool_size = ${options.size}
${options.ignores ? `ignore_startup_parameters = ${IGNORED}` : ''}
`;

/** A pooler in front of a server; it trusts everybody on this machine. */
export class Pgbouncer {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly user: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(options: PoolerOptions): Promise<Pgbouncer> {
    const [folder, port] = [serverFolder(), await freePort()];
    const [config, users] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')];
    writeFileSync(users, `"${options.user}" ""\n`);
    writeFileSync(config, configOf(port, users, options));
    const child = spawnServer(PROGRAM, ['--quiet', config]);
    const pooler = new Pgbouncer(folder, port, options.user, child);
    await until('the pooler answers', () =>
      pooler.reconnect().then(
        () => true,
        () => false,
      ),
    );
    return pooler;
  }

  /** @param parameters such as `?pooler=transaction` */
  url(database: string, parameters = ''): string {
    return `postgres://${this.user}@127.0.0.1:${this.port}/${database}${parameters}`;
  }

  /** Has it open new sessions on the server. */
  async reconnect(): Promise<void> {
    const console = new pg.Client({ connectionString: this.url('pgbouncer') });
    console.on('error', () => undefined);
    await console.connect();
    await console.query('RECONNECT');
    await console.end();
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null) await once(this.child, 'exit');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
