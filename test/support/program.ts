import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const BUILD = path.resolve(import.meta.dirname, '../../src');
/** Runs the service as an operator does, and becomes its process. */
const START = path.resolve(BUILD, '../../scripts/start');
/** A machine that is busy with other tests starts a process slowly. */
const START_LIMIT_MS = 40_000;

export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A program of the service as a process of its own, in a folder of its own, with nothing else set but that it stops at once. */
export class Program {
  readonly result: Promise<Result>;
  readonly child: ChildProcess;

  constructor(file: string, args: readonly string[], env: Record<string, string>, cwd: string) {
    const PATH = `${path.dirname(process.execPath)}:${process.env['PATH']}`;
    const options = {
      cwd,
      env: { SHUTDOWN_GRACE_SECONDS: '0', ...env, PATH },
      stdio: 'pipe',
    } as const;
    const child =
      file === 'main.js'
        ? spawn(START, options)
        : spawn(process.execPath, [path.resolve(BUILD, file), ...args], options);
    this.child = child;
    this.result = this.finish(child);
  }

  private async finish(child: ChildProcess): Promise<Result> {
    const output = Promise.all([text(child.stdout!), text(child.stderr!)]);
    const [code] = (await once(child, 'exit')) as [number | null];
    const [out, err] = await output;
    return { code, out, err };
  }

  async untilReady(url: string): Promise<void> {
    const end = Date.now() + START_LIMIT_MS;
    while (this.child.exitCode === null && Date.now() < end) {
      const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
      if (ready?.ok) return;
      await sleep(25);
    }
    throw new Error(`not ready: ${JSON.stringify(await this.kill())}`);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Result> {
    this.child.kill(signal);
    return this.result;
  }
}

/** Megabytes that a process has in memory; 0 when it is gone. */
export function residentMegabytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

export const temporaryFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'orders-test-'));

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });
