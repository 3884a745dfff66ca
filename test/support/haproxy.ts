import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort } from './app.js';
import { BIN, serverFolder, spawnServer } from './postgres-server.js';
import { until } from './race.js';

/** Succeeds for the server that takes writes; HAProxy gives it the address as its third and fourth word. */
const CHECK = `#!/bin/sh
export PGCONNECT_TIMEOUT=2
[ "$(${BIN}/psql -h "$3" -p "$4" -U postgres -Atc 'SELECT NOT pg_is_in_recovery()' postgres)" = t ]
`;

/** As in docs/going-live.md. */
const configOf = (port: number, check: string, servers: readonly number[]): string => `
global
  external-check
  insecure-fork-wanted
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  retries 0
  timeout client 1h
  timeout server 1h
listen orders
  bind 127.0.0.1:${port}
  option external-check
  external-check path "/usr/bin:/bin"
  external-check command ${check}
  default-server inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((server, n) => `  server db${n} 127.0.0.1:${server} check`).join('\n')}
`;

/** The switch in front of two servers: it leads to the one that takes writes. */
export class Haproxy {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  static async start(servers: readonly number[]): Promise<Haproxy> {
    const [folder, port] = [serverFolder(), await freePort()];
    const [check, config] = [path.join(folder, 'check.sh'), path.join(folder, 'haproxy.cfg')];
    writeFileSync(check, CHECK);
    chmodSync(check, 0o755);
    writeFileSync(config, configOf(port, check, servers));
    const child = spawnServer('/usr/sbin/haproxy', ['-db', '-q', '-f', config]);
    const haproxy = new Haproxy(folder, port, child);
    await until('the switch has looked at its servers', () => haproxy.leads());
    return haproxy;
  }

  /** Whether a server takes writes, and the switch knows it: at first it takes all for good, by turns. */
  async leads(): Promise<boolean> {
    for (let tries = 0; tries < 4; tries++) if (!(await this.takesWrites())) return false;
    return true;
  }

  private async takesWrites(): Promise<boolean> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query('SELECT NOT pg_is_in_recovery() AS writes');
      await client.end();
      return rows[0].writes;
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null) await once(this.child, 'exit');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
