import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from './certificate.js';
import { removeFolder, temporaryFolder } from './program.js';

const HAPROXY = process.env['HAPROXY_PATH'] ?? '/usr/sbin/haproxy';
const START_LIMIT_MS = 10_000;

export const hasHaproxy = existsSync(HAPROXY);

/** A real reverse proxy that ends TLS before the service, as operators are told to set one up. */
export class TlsProxy {
  private readonly folder = temporaryFolder();
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly cert: string,
  ) {}

  /** @param target the port of the service, on this machine */
  static async start(port: number, target: number): Promise<TlsProxy> {
    const { key, cert } = selfSigned({ name: 'pay.example' });
    const proxy = new TlsProxy(port, cert);
    await proxy.open(key + cert, target);
    return proxy;
  }

  async stop(): Promise<void> {
    this.child?.kill('SIGKILL');
    removeFolder(this.folder);
  }

  private async open(pem: string, target: number): Promise<void> {
    const [certificate, config] = ['proxy.pem', 'haproxy.cfg'].map((n) =>
      path.join(this.folder, n),
    );
    writeFileSync(certificate!, pem);
    writeFileSync(config!, configOf(this.port, certificate!, target));
    this.child = spawn(HAPROXY, ['-db', '-f', config!], { stdio: 'ignore' });
    const end = Date.now() + START_LIMIT_MS;
    while (!(await this.answers())) {
      if (Date.now() > end) throw new Error('haproxy did not start');
      await sleep(50);
    }
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
  }
}

const configOf = (port: number, certificate: string, target: number): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend pay
  bind 127.0.0.1:${port} ssl crt ${certificate}
  option forwardfor
  http-request deny if { path /metrics }
  default_backend service
backend service
  server one 127.0.0.1:${target}
`;
